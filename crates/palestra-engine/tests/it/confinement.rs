//! What a confined engine cannot access, and what it can.

use crate::support::{Verdict, converse, request, setup};
use palestra_engine::{Confinement, FaultKind, Process, ProcessSetup};
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// A folder with a store, the engine's own folder and another engine's; removed when dropped.
struct EventFolder(PathBuf);

impl EventFolder {
    fn new(name: &str) -> EventFolder {
        let folder = std::env::temp_dir().canonicalize().unwrap();
        let event = EventFolder(folder.join(format!("palestra-event-{}-{name}", std::process::id())));
        for file in ["store", "players/own/data", "players/other/data", "beside"] {
            let path = event.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "secret").unwrap();
        }
        event
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    fn setup(&self) -> ProcessSetup {
        let mut setup = setup(&["probe"]);
        setup.program.folder = self.0.join("players/own");
        let hidden = ["store", "store-wal", "players"].map(|name| self.0.join(name)).to_vec();
        let confinement = setup.confinement.as_mut().unwrap();
        confinement.hidden = hidden;
        confinement.shown.push(self.0.join("players/own"));
        setup
    }
}

/// Checks that an engine cannot do this: its kernel refuses it, or shows it no such file.
#[track_caller]
fn refused(process: &mut Process, what: &str) {
    let answer = request(process, what);
    let is_refused = ["error PermissionDenied", "error NotFound"].contains(&answer.as_str());
    assert!(is_refused, "{what}: {answer}");
}

impl Drop for EventFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn this_machine_lacks_nothing() {
    assert_eq!(Confinement::missing(), []);
}

#[test]
fn hidden_files_cannot_be_read() {
    let event = EventFolder::new("read");
    let mut process = Process::start(&event.setup()).unwrap();
    // A file that is created later under a hidden name is hidden too.
    fs::write(event.0.join("store-wal"), "secret").unwrap();
    for name in ["store", "store-wal", "players/other/data", "beside"] {
        refused(&mut process, &format!("read {}", event.path(name)));
    }
    for name in ["players", "players/other", ""] {
        refused(&mut process, &format!("list {}", event.path(name)));
    }
    assert_eq!(request(&mut process, &format!("read {}", event.path("players/own/data"))), "ok 6 bytes");
    assert_eq!(request(&mut process, "read data"), "ok 6 bytes");
    assert_eq!(request(&mut process, "folder"), format!("ok {}", event.path("players/own")));
    // A link in the scratch folder gives no access to its target.
    let command = format!("shell ln -s {} $HOME/link", event.path("store"));
    assert_eq!(request(&mut process, &command), "ok Some(0)");
    let link = process.scratch().join("link").display().to_string();
    refused(&mut process, &format!("read {link}"));
    // An unconfined engine can read the same file, so the failure above is due to the confinement.
    let open = ProcessSetup { confinement: None, ..event.setup() };
    let mut process = Process::start(&open).unwrap();
    assert_eq!(request(&mut process, &format!("read {}", event.path("store"))), "ok 6 bytes");
}

#[test]
fn other_engines_and_the_supervisor_are_protected() {
    let event = EventFolder::new("others");
    let first = Process::start(&event.setup()).unwrap();
    fs::write(first.scratch().join("note"), "secret").unwrap();
    let mut second = Process::start(&event.setup()).unwrap();
    let scratch = first.scratch();
    let work_dir = scratch.parent().unwrap().display();
    let supervisor = second.group();
    for what in [
        format!("read {work_dir}/scratch/note"),
        format!("write {work_dir}/scratch/note"),
        format!("read {work_dir}/order.json"),
        format!("list {work_dir}/scratch"),
        format!("read /proc/{supervisor}/environ"),
        format!("read /proc/{supervisor}/fd/0"),
        format!("read /proc/{supervisor}/mem"),
        format!("list /proc/{supervisor}/{}/etc", "root"),
        format!("write {}/report.json", second.scratch().parent().unwrap().display()),
    ] {
        refused(&mut second, &what);
    }
    for signal in ["0", "TERM", "KILL"] {
        for target in [supervisor, first.group(), std::process::id() as i32] {
            let answer = request(&mut second, &format!("shell kill -{signal} {target} 2>/dev/null"));
            assert_eq!(answer, "ok Some(1)", "{signal} {target}");
        }
    }
    // It may signal its own children.
    assert_eq!(request(&mut second, "shell sleep 100 & kill -KILL $!"), "ok Some(0)");
}

#[test]
fn nothing_outside_scratch_can_be_written() {
    let event = EventFolder::new("write");
    let mut process = Process::start(&event.setup()).unwrap();
    for name in ["store", "beside", "players/own/data", "players/own/new", "new"] {
        refused(&mut process, &format!("write {}", event.path(name)));
    }
    for verb in ["append", "truncate", "remove", "mode"] {
        refused(&mut process, &format!("{verb} {}", event.path("beside")));
        refused(&mut process, &format!("{verb} {}", event.path("players/own/data")));
    }
    let new = std::env::temp_dir().join(format!("palestra-new-{}", std::process::id()));
    for path in [&new.display().to_string(), "/new", "/dev/shm/new", "/dev/tty", "/usr/new"] {
        refused(&mut process, &format!("write {path}"));
    }
    assert_eq!(fs::read_to_string(event.0.join("beside")).unwrap(), "secret");
    // It can write in its scratch folder and to the usual devices.
    let scratch = process.scratch().display().to_string();
    for what in [
        format!("write {scratch}/file"),
        format!("append {scratch}/file"),
        format!("truncate {scratch}/file"),
        "shell mkdir $TMPDIR/a && mv $HOME/file $TMPDIR/a/ && echo x > /dev/null".to_owned(),
        format!("remove {scratch}/a/file"),
    ] {
        assert!(request(&mut process, &what).starts_with("ok"), "{what}");
    }
}

#[test]
fn only_the_usual_devices_are_accessible() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    assert_eq!(request(&mut process, "list /dev"), "error PermissionDenied");
    assert_eq!(request(&mut process, "write /dev/null"), "ok");
    assert_eq!(request(&mut process, "shell head -c 4 /dev/urandom | wc -c"), "ok Some(0) 4");
}

#[test]
fn there_is_no_network() {
    let mut process = Process::start(&setup(&["socket"])).unwrap();
    let verdict = converse(&mut process, Duration::from_secs(10));
    let Verdict::Fault(fault) = verdict else { panic!("{verdict:?}") };
    assert_eq!(fault.kind, FaultKind::Forbidden, "{fault}");
    assert!(fault.detail.contains("SIGSYS"), "{fault}");
    let mut process = Process::start(&ProcessSetup { confinement: None, ..setup(&["socket"]) }).unwrap();
    let verdict = converse(&mut process, Duration::from_secs(10));
    assert!(matches!(verdict, Verdict::Answered(_)), "{verdict:?}");
    // A local socket, which libraries try by themselves, is refused without ending the engine.
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    assert_eq!(request(&mut process, "local-socket"), "error PermissionDenied");
}

#[test]
fn the_process_group_cannot_be_left() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    let group = |process: &mut Process| request(process, "shell cut -d' ' -f5 /proc/self/stat");
    let own = group(&mut process);
    let answer = request(&mut process, "shell setsid true 2>/dev/null");
    assert_ne!(answer, "ok Some(0)");
    let command = "shell (set -m; sleep 0 & wait) 2>/dev/null; cut -d' ' -f5 /proc/self/stat";
    assert_eq!(request(&mut process, command), own);
    // Not the group of its supervisor.
    assert_ne!(own, format!("ok Some(0) {}", process.group()));
}

#[test]
fn forbidden_calls_are_refused() {
    let shells = |confined: bool| {
        let mut setup = setup(&["probe"]);
        setup.confinement = confined.then(Confinement::default);
        let mut process = Process::start(&setup).unwrap();
        let supervisor = process.group();
        let commands = [
            format!("prlimit --pid {supervisor} --core"),
            format!("prlimit --pid {supervisor} --core=0"),
            "touch $HOME/a && chmod 600 $HOME/a".to_owned(),
            "renice -n 1 $$".to_owned(),
        ];
        commands.map(|command| request(&mut process, &format!("shell {command} >/dev/null 2>&1")))
    };
    let (confined, unconfined) = (shells(true), shells(false));
    assert!(confined.iter().all(|answer| answer != "ok Some(0)"), "{confined:?}");
    assert!(unconfined.iter().all(|answer| answer == "ok Some(0)"), "{unconfined:?}");
}

#[test]
fn root_keeps_one_capability() {
    let mut process = Process::start(&setup(&["probe"])).unwrap();
    let answer = request(&mut process, "shell grep -E 'CapEff|CapBnd|NoNewPrivs' /proc/self/status");
    let masks: Vec<&str> = answer.split_whitespace().collect();
    let mask = |name: &str| {
        let at = masks.iter().position(|word| *word == name).unwrap();
        u64::from_str_radix(masks[at + 1], 16).unwrap()
    };
    assert_eq!(mask("NoNewPrivs:"), 1);
    // CAP_DAC_READ_SEARCH (bit 2), reading files of other users, is the one capability that is kept.
    assert!(mask("CapEff:") & !4 == 0, "{answer}");
}

#[test]
fn the_environment_is_clean() {
    let mut setup = setup(&["probe"]);
    setup.program.environment = vec![("OWN".to_owned(), "yes".to_owned())];
    let mut process = Process::start(&setup).unwrap();
    let answer = request(&mut process, "environment");
    let mut names: Vec<&str> =
        answer.split(' ').skip(1).filter_map(|word| Some(word.split_once('=')?.0)).collect();
    names.sort();
    let limits = ["DOTNET_GCHeapHardLimit", "JAVA_TOOL_OPTIONS", "NODE_OPTIONS"];
    let fixed = ["HOME", "LANG", "OWN", "PATH", "TMPDIR"];
    let mut expected = [&limits[..], &fixed[..]].concat();
    expected.sort();
    assert_eq!(names, expected);
    // Half of the memory limit of 1 GiB.
    for part in ["JAVA_TOOL_OPTIONS=-Xmx512m", "NODE_OPTIONS=--max-old-space-size=512", "Limit=20000000"] {
        assert!(answer.contains(part), "{answer}");
    }
    assert!(answer.contains(&format!("HOME={}", process.scratch().display())), "{answer}");
}
