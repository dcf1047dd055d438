//! A trial: thirty and more places that a program might read in a course, as the user of the test, as an ordinary user,
//! and where the kernel grants no namespaces.

use crate::support::{example, request, setup};
use crate::zoo::zoo;
use palestra_engine::Process;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
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

/// The command that runs the trial again, as a test of its own, from a folder that any user can read.
fn trial_in(folder: &Path) -> Command {
    for (from, to) in [
        (env::current_exe().unwrap(), "deps/it"),
        (example(), "examples/warden"),
        (zoo().to_owned(), "zoo/zoo"),
    ] {
        let to = folder.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
    let temporary = folder.join("tmp");
    fs::create_dir_all(&temporary).unwrap();
    fs::set_permissions(&temporary, fs::Permissions::from_mode(0o777)).unwrap();
    let mut command = Command::new(folder.join("deps/it"));
    command.args(["--exact", "places::a_program_sees_its_own_files_only"]).current_dir("/");
    command.env("PALESTRA_TEST_ZOO", folder.join("zoo/zoo")).env("TMPDIR", temporary);
    command
}

/// Runs the trial as a test of its own and checks that it passed.
#[track_caller]
fn check_trial(mut command: Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let passed = output.status.success() && text.contains("1 passed");
    assert!(passed, "{text}{}", String::from_utf8_lossy(&output.stderr));
}

/// A folder for the programs of a trial, removed when dropped.
struct TrialFolder(PathBuf);

impl TrialFolder {
    fn new(name: &str) -> TrialFolder {
        let folder = env::temp_dir().canonicalize().unwrap();
        TrialFolder(folder.join(format!("palestra-trial-{}-{name}", std::process::id())))
    }
}

impl Drop for TrialFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_trial_as_an_ordinary_user() {
    // A test that is not started by root is that user's already.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let folder = TrialFolder::new("user");
    let mut command = trial_in(&folder.0);
    const NOBODY: u32 = 65534;
    command.uid(NOBODY).gid(NOBODY).env("HOME", "/nonexistent");
    check_trial(command);
}

#[test]
fn the_trial_without_namespaces() {
    let folder = TrialFolder::new("plain");
    let trial = trial_in(&folder.0);
    // In a user namespace whose limit on further namespaces is 0.
    let mut command = Command::new("unshare");
    let script = "echo 0 > /proc/sys/user/max_pid_namespaces && exec \"$0\" \"$@\"";
    command.args(["--map-root-user", "sh", "-c", script]).arg(trial.get_program()).args(trial.get_args());
    for (name, value) in trial.get_envs() {
        command.env(name, value.unwrap());
    }
    check_trial(command);
}
