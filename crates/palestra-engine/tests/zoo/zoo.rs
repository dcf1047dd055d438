//! Misbehaving engines of Connect Four: `zoo KIND [NUMBER]`. They speak UGI and play legal moves until their third
//! `go`, except for kinds that fail earlier or not at all. Only the standard library is used, so that one call of
//! `rustc` compiles the program. Kinds that use up a resource stop by themselves after a while, in case no limit stops
//! them.

mod strange;

use std::env;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Command, abort, exit};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

const COLUMNS: usize = 7;
const ROWS: usize = 6;

fn main() {
    let words: Vec<String> = env::args().collect();
    let kind = words.get(1).map_or("honest-first", String::as_str);
    let number = words.get(2).and_then(|word| word.parse().ok());
    if strange::KINDS.contains(&kind) {
        strange::play(kind, number);
        return;
    }
    match kind {
        "crash-at-start" => exit(3),
        "hang-at-start" | "stdin-deaf" => forever(),
        "slow-start" => wait(number.unwrap_or(300)),
        "bomb" => bomb(number.unwrap_or(0)),
        "spin" => return spin(Duration::from_secs(number.unwrap_or(1))),
        "busy-children" => busy_children(number.unwrap_or(8)),
        "probe" => return probe(),
        // The standard library cannot ignore a signal, but the children of a shell inherit its ignored signals.
        "ignore-term" if words.len() == 2 => {
            let own = env::current_exe().expect("a program has a path");
            let error = Command::new("sh").args(["-c", "trap '' TERM; exec \"$0\" ignore-term 1"]).arg(own).exec();
            panic!("{error}");
        }
        _ => {}
    }
    play(kind, number);
    match kind {
        "ignore-term" => forever(),
        "crash-at-end" => abort(),
        _ => {}
    }
}

/// Speaks UGI until `quit` or the end of input.
fn play(kind: &str, number: Option<u64>) {
    let mut moves: Vec<usize> = Vec::new();
    let mut n_requests = 0;
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("ugi") => say(&format!("id name zoo {kind}\nid author palestra\nugiok")),
            Some("isready") => say("readyok"),
            Some("position") => {
                let played = words.iter().skip_while(|word| **word != "moves").skip(1);
                moves = played.filter_map(|word| word.parse().ok()).collect();
            }
            Some("go") => {
                n_requests += 1;
                let mv = choose(kind, &moves).to_string();
                let answer = if n_requests < 3 && kind != "thinker" { mv } else { misbehave(kind, number, mv) };
                say(&format!("info depth 1 score cp 0\nbestmove {answer}"));
            }
            Some("quit") if kind != "ignore-term" => return,
            _ => {}
        }
    }
}

/// The first column in the engine's order that is not full.
pub fn choose(kind: &str, moves: &[usize]) -> usize {
    let order: [usize; COLUMNS] = match kind {
        "honest-last" => [7, 6, 5, 4, 3, 2, 1],
        "honest-middle" => [4, 3, 5, 2, 6, 1, 7],
        _ => [1, 2, 3, 4, 5, 6, 7],
    };
    let height = |column: usize| moves.iter().filter(|mv| **mv == column).count();
    order.into_iter().find(|column| height(*column) < ROWS).unwrap_or(1)
}

/// Misbehaves at the third move request and all later ones; returns the answer, if the kind gives one.
fn misbehave(kind: &str, number: Option<u64>, mv: String) -> String {
    match kind {
        "illegal" => return "9".to_owned(),
        "garbage-answer" => return "banana split".to_owned(),
        "hang" => forever(),
        "drip" => loop {
            write_all(b"b");
            wait(50);
        },
        "endless-line" => loop {
            write_all(&[b'x'; 4096]);
        },
        "noise" => {
            (0..16).for_each(|seed| write_all(&noise(seed)));
            forever();
        }
        "flood" => loop {
            say("info string and another thing");
        },
        "flood-stderr" => loop {
            if io::stderr().write_all(&[b'e'; 65536]).is_err() {
                exit(1);
            }
        },
        "crash" => abort(),
        "out-of-turn" => say(&format!("bestmove {mv}")),
        "late" => wait(number.unwrap_or(300)),
        "thinker" => work(Duration::from_millis(number.unwrap_or(20))),
        "cpu-hog" => spin(Duration::from_secs(20)),
        "fork-bomb" => bomb(now_ms() + 3000),
        "thread-bomb" => {
            let threads = (0..2000).map_while(|_| thread::Builder::new().spawn(|| wait(3000)).ok());
            drop(threads.collect::<Vec<_>>());
            forever();
        }
        "memory-hog" => hog(number.unwrap_or(2 << 10)),
        "reserver" => reserve(),
        "disk-filler" => fill(600, 8 << 20),
        "large-file" => fill(1, 600 << 20),
        "many-files" => fill(40_000, 0),
        "socket" => drop(std::net::TcpListener::bind("127.0.0.1:0")),
        "orphan" => {
            let text = "sleep 1000 & (sleep 1000 &) ; setsid sleep 1000 & nohup sleep 1000 >/dev/null 2>&1 &";
            drop(Command::new("sh").args(["-c", text]).status());
        }
        "close-pipes" => {
            let error = Command::new("sh").args(["-c", "exec <&- >&- 2>&-; exec sleep 1000"]).exec();
            panic!("{error}");
        }
        _ => {}
    }
    mv
}

/// Starts copies of itself until an instant in Unix milliseconds.
fn bomb(until_ms: u64) -> ! {
    let own = env::current_exe().expect("a program has a path");
    while now_ms() < until_ms {
        if Command::new(&own).args(["bomb", &until_ms.to_string()]).spawn().is_err() {
            wait(10);
        }
    }
    exit(0)
}

/// Starts children that keep processors busy for a minute.
pub fn busy_children(n: u64) {
    let own = env::current_exe().expect("a program has a path");
    let children = (0..n).filter_map(|_| Command::new(&own).args(["spin", "60"]).spawn().ok());
    drop(children.collect::<Vec<_>>());
}

/// Allocates and writes this many mebibytes of memory.
fn hog(mebibytes: u64) -> ! {
    let held: Vec<Vec<u8>> = (0..mebibytes).map(|_| black_box(vec![1; 1 << 20])).collect();
    black_box(&held);
    forever()
}

/// Allocates memory that it does not use until it gets no more, tries again for a second, and gives up.
fn reserve() -> ! {
    let mut held: Vec<Vec<u8>> = Vec::new();
    let mut last = Instant::now();
    while last.elapsed() < Duration::from_secs(1) {
        let mut piece: Vec<u8> = Vec::new();
        if piece.try_reserve_exact(4 << 20).is_ok() {
            last = Instant::now();
            held.push(black_box(piece));
        }
    }
    exit(1)
}

/// Writes files of this size into the folder for temporary files.
fn fill(n_files: usize, bytes: usize) -> ! {
    let piece = vec![7; 1 << 20];
    for i in 0..n_files {
        let Ok(mut file) = File::create(env::temp_dir().join(format!("file{i}"))) else { break };
        if !(0..bytes >> 20).all(|_| file.write_all(&piece).is_ok()) {
            break;
        }
    }
    forever()
}

/// Executes commands and answers with their results, for tests of the confinement.
fn probe() {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let done = match verb {
            "read" => fs::read(rest).map(|bytes| format!("{} bytes", bytes.len())),
            "list" => fs::read_dir(rest).map(|entries| format!("{} entries", entries.count())),
            "write" => fs::write(rest, "x").map(|()| String::new()),
            "append" => File::options().append(true).open(rest).map(|_| String::new()),
            "truncate" => fs::File::options().write(true).truncate(true).open(rest).map(|_| String::new()),
            "remove" => fs::remove_file(rest).map(|()| String::new()),
            "mode" => fs::metadata(rest).and_then(|data| fs::set_permissions(rest, data.permissions())).map(|()| String::new()),
            "local-socket" => std::os::unix::net::UnixDatagram::unbound().map(|_| String::new()),
            "environment" => Ok(env::vars().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")),
            "folder" => env::current_dir().map(|folder| folder.display().to_string()),
            "shell" => Command::new("sh").args(["-c", rest]).output().map(|output| {
                let text = String::from_utf8_lossy(&output.stdout).replace('\n', " ");
                format!("{:?} {text}", output.status.code())
            }),
            "spin" => Ok(spin(Duration::from_millis(rest.parse().unwrap_or(10)))).map(|()| String::new()),
            "exit" => exit(rest.parse().unwrap_or(0)),
            _ => Ok(format!("heard {line}")),
        };
        match done {
            Ok(result) => say(format!("ok {result}").trim_end()),
            Err(error) => say(&format!("error {:?}", error.kind())),
        }
    }
}

pub fn say(text: &str) {
    write_all(format!("{text}\n").as_bytes());
}

/// Writes without buffering; exits when the output is closed.
pub fn write_all(bytes: &[u8]) {
    let mut output = io::stdout().lock();
    if output.write_all(bytes).and_then(|()| output.flush()).is_err() {
        exit(1);
    }
}

/// Pseudorandom bytes that end with an invalid UTF-8 byte and an end of line.
fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    };
    (0..32).flat_map(next).chain([0xff, b'\n']).collect()
}

pub fn spin(time: Duration) {
    let since = Instant::now();
    while since.elapsed() < time {
        black_box(noise(1));
    }
}

/// Runs until this thread has used this much processor time.
pub fn work(time: Duration) {
    let used = || {
        let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts the time of threads");
        let nanos = text.split(' ').next().and_then(|word| word.parse().ok());
        Duration::from_nanos(nanos.expect("a number of nanoseconds"))
    };
    let before = used();
    while used() < before + time {
        (0..1000).for_each(|seed| drop(black_box(noise(seed))));
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

pub fn wait(ms: u64) {
    thread::sleep(Duration::from_millis(ms));
}

pub fn forever() -> ! {
    loop {
        wait(1000);
    }
}
