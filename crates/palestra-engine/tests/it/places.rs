//! A trial: thirty and more places that a program might read in a course, as the user of the test, as an ordinary user,
//! and where the kernel grants no namespaces.

use crate::copy::{TestCopy, run_as_ordinary_user};
use crate::support::{request, setup};
use palestra_engine::Process;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// Files of a course, each of which a submission would like to read.
const FILES: [&str; 16] = [
    "handed-in/luis/bot.py",
    "handed-in/.old/ana/bot.py",
    "handed-in/ana-2/bot.py",
    "copy/handed-in/luis/bot.py",
    "staff/solution.py",
    "cup.toml",
    "games.jsonl",
    "marks.csv",
    "palestra.db",
    "palestra.db-wal",
    "last-year/palestra.db",
    "public/index.html",
    "home/.bashrc",
    "home/.gitconfig",
    "home/.ssh/id_rsa",
    "project/notes.txt",
];

/// Folders of a course and of the system that it would like to list.
const FOLDERS: [&str; 4] = ["", "handed-in", "home", "home/.ssh"];
const SYSTEM_FOLDERS: [&str; 12] =
    ["/", "/home", "/root", "/tmp", "/var", "/var/log", "/run", "/srv", "/etc", "/dev", "/sys", "/boot"];

/// Files of the system with users, secrets or names.
const SYSTEM_FILES: [&str; 5] =
    ["/etc/shadow", "/etc/passwd", "/etc/hostname", "/etc/machine-id", "/var/log/dpkg.log"];

/// A course in the folder for temporary files; removed when dropped.
struct Course(PathBuf);

impl Course {
    fn new() -> Course {
        let folder = env::temp_dir().canonicalize().unwrap();
        let course = Course(folder.join(format!("palestra-course-{}", std::process::id())));
        for file in FILES.iter().chain(&["handed-in/ana/bot.py"]) {
            let path = course.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "secret").unwrap();
        }
        course
    }
}

impl Drop for Course {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The questions to a program, each of which would show it something.
fn questions(course: &Course, others: &[i32]) -> Vec<String> {
    let within = |name: &&str| course.0.join(name).display().to_string();
    let mut questions: Vec<String> = FILES.iter().map(|name| format!("read {}", within(name))).collect();
    questions.push("read ../luis/bot.py".to_owned());
    questions.push("read ../../cup.toml".to_owned());
    questions.extend(FOLDERS.iter().map(|name| format!("list {}", within(name))));
    questions.extend(SYSTEM_FOLDERS.iter().map(|name| format!("list {name}")));
    questions.extend(SYSTEM_FILES.iter().map(|name| format!("read {name}")));
    for process in others {
        let files = ["cmdline", "environ", "maps", "fd/0", "stat", "cwd/bot.py"];
        questions.extend(files.map(|file| format!("read /proc/{process}/{file}")));
        questions.push(format!("list /proc/{process}/fd"));
    }
    questions
}

#[test]
fn a_program_sees_its_own_files_only() {
    let course = Course::new();
    let mut setup = setup(&["probe"]);
    setup.program.folder = course.0.join("handed-in/ana");
    setup.confinement.as_mut().unwrap().shown.push(setup.program.folder.clone());
    let rival = Process::start(&setup).unwrap();
    let mut process = Process::start(&setup).unwrap();
    let others = [std::process::id() as i32, process.group(), rival.group(), 1];
    let questions = questions(&course, &others);
    assert!(questions.len() >= 30);
    let answers: Vec<(String, String)> =
        questions.into_iter().map(|question| (request(&mut process, &question), question)).collect();
    let leaks: Vec<_> = answers.iter().filter(|(answer, _)| !answer.starts_with("error ")).collect();
    assert!(leaks.is_empty(), "{leaks:?}");
    // Where it has namespaces, its machine has another name; where it has none, it cannot read the name.
    let name = request(&mut process, "shell cat /proc/sys/kernel/hostname 2>/dev/null");
    assert!(["ok Some(0) palestra", "ok Some(1)"].contains(&name.trim_end()), "{name}");
    // Its own folder, and what interpreters need.
    assert_eq!(request(&mut process, "read bot.py"), "ok 6 bytes");
    for read in ["read /proc/self/stat", "read /usr/bin/env", "read /proc/meminfo", "read /etc/ld.so.cache"] {
        assert!(request(&mut process, read).starts_with("ok"), "{read}");
    }
    // Programs of other users can be read by root only.
    if rustix::process::geteuid().is_root() {
        let python = "shell python3 -c 'import json, ssl, random, threading; print(random.__name__)'";
        assert_eq!(request(&mut process, python), "ok Some(0) random");
    }
}

const TRIAL: [&str; 2] = ["--exact", "places::a_program_sees_its_own_files_only"];

#[test]
fn the_trial_as_an_ordinary_user() {
    run_as_ordinary_user("trial-user", &TRIAL, 1);
}

#[test]
fn the_trial_without_namespaces() {
    let copy = TestCopy::new("trial-plain");
    // In a user namespace whose limit on further namespaces is 0.
    let mut command = Command::new("unshare");
    let script = "echo 0 > /proc/sys/user/max_pid_namespaces && exec \"$0\" \"$@\"";
    command.args(["--map-root-user", "sh", "-c", script]).arg(copy.program()).args(TRIAL);
    copy.run(command, 1);
}
