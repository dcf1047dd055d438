//! Engines that are strange in one way each. Some of it is allowed, and some loses a game.

use crate::{busy_children, choose, forever, say, wait, work, write_all};
use std::env;
use std::ffi::c_long;
use std::fs::{self, File};
use std::io::{self, BufRead, Write};
use std::os::fd::FromRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, exit};
use std::thread;
use std::time::Duration;

pub const KINDS: [&str; 33] = [
    // Allowed.
    "leak",
    "daemon",
    "long-stderr",
    "crlf",
    "invalid-utf8",
    "many-lines",
    "tabs",
    "ready-twice",
    "odd-info",
    "slow-answer",
    "many-threads",
    "socket-pair",
    // Tries what is refused, and ends with exit code 7 if it is not.
    "forbidden-calls",
    "signals",
    "tracer",
    "writer",
    "late-start",
    // Loses games.
    "answers-early",
    "half-line",
    "stops-itself",
    "cr-only",
    "nul-before",
    "nul-after",
    "leading-zero",
    "plus-sign",
    "full-width-digit",
    "capital-ok",
    "exits",
    "closes-output",
    "illegal-sometimes",
    "zombies",
    "deep-folders",
    "slow-and-busy",
];

/// Speaks UGI until `quit` or the end of input.
pub fn play(kind: &str, number: Option<u64>) {
    start(kind, number);
    let (mut moves, mut n_games, mut n_requests) = (Vec::new(), 0, 0);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("ugi") if kind == "capital-ok" => say("id name zoo\nUGIOK"),
            Some("ugi") => tell(kind, "id name zoo\nugiok"),
            Some("isready") if kind == "ready-twice" => say("readyok\nreadyok"),
            Some("isready") => tell(kind, "readyok"),
            Some("uginewgame") => n_games += 1,
            Some("position") => {
                let played = words.iter().skip_while(|word| **word != "moves").skip(1);
                moves = played.filter_map(|word| word.parse().ok()).collect();
            }
            Some("go") => {
                n_requests += 1;
                if kind == "leak" {
                    kept.push(vec![1; 1 << 20]);
                }
                let mv = choose(kind, &moves);
                answer(kind, mv, n_requests, n_games);
            }
            Some("quit") => return,
            _ => {}
        }
    }
}

/// What it does before it reads its first line.
fn start(kind: &str, number: Option<u64>) {
    match kind {
        "late-start" => wait(number.unwrap_or(1500)),
        "many-threads" => (0..250).for_each(|_| drop(thread::spawn(|| forever()))),
        "slow-and-busy" => busy_children(8),
        "forbidden-calls" => refused("a system call", forbidden_call()),
        "signals" => refused("a signal", signal_others()),
        "tracer" => refused("ptrace", succeeds("ptrace", 101, [16, parent(), 0, 0])),
        "writer" => refused("a file", write_outside()),
        "socket-pair" => drop(UnixDatagram::pair().expect("a pair of sockets")),
        _ => {}
    }
}

/// Ends with exit code 7 where something that must be refused was not.
fn refused(what: &str, succeeded: Option<String>) {
    if let Some(which) = succeeded {
        eprintln!("{what} was not refused: {which}");
        exit(7);
    }
}

fn tell(kind: &str, lines: &str) {
    match kind {
        "crlf" => write_all(format!("{}\r\n", lines.replace('\n', "\r\n")).as_bytes()),
        "cr-only" => write_all(format!("{}\r", lines.replace('\n', "\r")).as_bytes()),
        _ => say(lines),
    }
}

fn answer(kind: &str, mv: usize, n_requests: usize, n_games: usize) {
    let plain = format!("bestmove {mv}");
    // The first two moves of a process are as they should be, except where the strangeness is harmless.
    if n_requests < 3 && KINDS.iter().position(|known| *known == kind) > KINDS.iter().position(|known| *known == "late-start") {
        return say(&plain);
    }
    match kind {
        "daemon" if n_requests == 3 => {
            let text = "(setsid sleep 1000 & sleep 1000 &) >/dev/null 2>&1 &";
            drop(Command::new("sh").args(["-c", text]).status());
        }
        "long-stderr" => drop(io::stderr().write_all(&vec![b'e'; 2 << 20])),
        "invalid-utf8" => write_all(b"info string \xff\xfe\x80\n"),
        "many-lines" => write_all("info string line\n".repeat(9000).as_bytes()),
        "odd-info" => {
            say("info depth -1 seldepth nan nodes 99999999999999999999999 score cp inf time -5\ninfo score\ninfo");
        }
        "slow-and-busy" => work(Duration::from_millis(400)),
        "exits" => exit(0),
        "stops-itself" => drop(Command::new("sh").args(["-c", "kill -STOP $PPID"]).status()),
        "closes-output" => {
            // SAFETY: the output is not used afterwards.
            drop(unsafe { File::from_raw_fd(1) });
            forever();
        }
        "zombies" => {
            let children = (0..40).filter_map(|_| Command::new("true").spawn().ok());
            std::mem::forget(children.collect::<Vec<_>>());
            wait(200);
        }
        "deep-folders" => {
            let folder = env::temp_dir();
            if env::set_current_dir(&folder).is_ok() {
                for _ in 0..8000 {
                    if fs::create_dir("d").and_then(|()| env::set_current_dir("d")).is_err() {
                        break;
                    }
                }
            }
            forever();
        }
        _ => {}
    }
    match kind {
        "tabs" => say(&format!("\tbestmove\t{mv} \t")),
        "crlf" => tell(kind, &plain),
        "slow-answer" => plain.bytes().chain(*b"\n").for_each(|byte| {
            write_all(&[byte]);
            wait(2);
        }),
        "answers-early" => say(&format!("{plain}\n{plain}")),
        "half-line" => {
            write_all(b"bestm");
            forever();
        }
        "nul-before" => write_all(format!("\0{plain}\n").as_bytes()),
        "nul-after" => write_all(format!("{plain}\0\n").as_bytes()),
        "leading-zero" => say(&format!("bestmove 0{mv}")),
        "plus-sign" => say(&format!("bestmove +{mv}")),
        "full-width-digit" => say("bestmove \u{ff14}"),
        "illegal-sometimes" if n_games == 5 => say("bestmove 9"),
        _ => say(&plain),
    }
}

unsafe extern "C" {
    fn syscall(number: c_long, ...) -> c_long;
}

/// The name of a system call, if it succeeds. Numbers are those of x86-64.
fn succeeds(name: &str, number: c_long, arguments: [c_long; 4]) -> Option<String> {
    let [a, b, c, d] = arguments;
    // SAFETY: the kernel refuses the calls or checks their addresses, none of which belongs to memory of this program.
    (unsafe { syscall(number, a, b, c, d) } >= 0).then(|| name.to_owned())
}

/// The first system call that is not refused of those that an engine must not make.
fn forbidden_call() -> Option<String> {
    const NEW_USER: c_long = 0x1000_0000;
    let all: [(&str, c_long, [c_long; 4]); 10] = [
        ("io_uring_setup", 425, [1, 0, 0, 0]),
        ("bpf", 321, [5, 0, 0, 0]),
        ("unshare", 272, [NEW_USER, 0, 0, 0]),
        ("keyctl", 250, [0, -3, 1, 0]),
        ("shmget", 29, [0, 4096, 0o1600, 0]),
        ("mq_open", 240, [0, 0o102, 0o600, 0]),
        ("sched_setaffinity", 203, [0, 8, 0, 0]),
        ("setpriority", 141, [0, 0, -5, 0]),
        ("perf_event_open", 298, [0, 0, -1, -1]),
        ("userfaultfd", 323, [0, 0, 0, 0]),
    ];
    all.into_iter().find_map(|(name, number, arguments)| succeeds(name, number, arguments))
}

fn parent() -> c_long {
    c_long::from(std::os::unix::process::parent_id())
}

/// A signal that reaches another program, if any. Those to everybody may reach its own processes.
fn signal_others() -> Option<String> {
    let number = 62;
    // SIGCONT ends nothing where it arrives.
    drop(succeeds("kill", number, [-1, 18, 0, 0]));
    // 1 is the first process of its own namespace, which takes no signals from it.
    let others = (2..40).map(|i| i * 97).filter(|pid| *pid != c_long::from(std::process::id()));
    let mut found = others.filter_map(|pid| succeeds(&format!("to {pid}"), number, [pid, 0, 0, 0]));
    found.next()
}

/// A file outside of its scratch folder that it could write, or whose mode it could change.
fn write_outside() -> Option<String> {
    let own = env::current_exe().ok()?;
    let folder = env::current_dir().ok()?;
    let new = format!("palestra-zoo-{}", std::process::id());
    let places = [folder.join(&new), format!("/tmp/{new}").into(), format!("/dev/shm/{new}").into(), format!("/var/tmp/{new}").into()];
    let written = places.into_iter().find(|place| fs::write(place, "x").is_ok());
    let changed = || fs::set_permissions(&own, fs::Permissions::from_mode(0o777)).is_ok().then_some(own.clone());
    written.or_else(changed).map(|place| place.display().to_string())
}
