//! Failing system calls under the store: the disk, its limits, and files that go away.

use super::draw::Draw;
use super::has;
use super::job::{Job, Tally, Verdict};
use super::program::{Ended, Program, wait};
use super::work::{STORE, Undisturbed, WORK, Work};
use anyhow::Result;
use std::fs;
use std::path::Path;

const N_CASES: usize = 100;

/// System calls that the store stands on.
const CALLS: [&str; 6] = ["pwrite64", "fsync", "fdatasync", "ftruncate", "pread64", "fcntl"];

/// Runs a command in a small file system of its own, in place of its folder, and keeps what it leaves.
/// The folder is gone for all others, so it is saved beside.
const SMALL_DISK: &str = "here=$PWD; size=$1; shift; cp -a \"$here\" \"$here.saved\" && \
    mount -t tmpfs -o size=$size tmpfs \"$here\" && cd \"$here\" && cp -a \"$here.saved/.\" . && \
    rm -r \"$here.saved\" || exit 99; \"$@\"; code=$?; cp -a . \"$here.saved\"; exit $code";

/// Runs a command where its folder cannot be written to.
const READ_ONLY: &str = "mount --bind \"$PWD\" \"$PWD\" && mount -o remount,bind,ro \"$PWD\" && cd \"$PWD\" \
    || exit 99; exec \"$@\"";

/// What this machine has for failures.
struct Tools {
    strace: bool,
    /// The command that gives others a view of the file systems of their own.
    unshare: Option<&'static [&'static str]>,
}

pub(crate) fn run(job: &Job<'_>) -> Result<Tally> {
    let unshares: [&[&str]; 2] = [&["--mount"], &["--user", "--map-root-user", "--mount"]];
    let tools = Tools {
        strace: has("strace", &["-f", "-o", "/dev/null", "true"]),
        unshare: unshares.into_iter().find(|words| has("unshare", &[words, &["true"][..]].concat())),
    };
    let works = WORK.iter().filter(|work| work.name != "programs");
    let whole = works.map(|work| Ok((work, work.undisturbed(job)?))).collect::<Result<Vec<_>>>()?;
    job.each(N_CASES, 2, |number, place| {
        let (work, whole) = &whole[number % whole.len()];
        case(job, &tools, work, whole, number, place)
    })
}

fn case(
    job: &Job<'_>,
    tools: &Tools,
    work: &Work,
    whole: &Undisturbed,
    number: usize,
    place: &Path,
) -> Result<Verdict> {
    let mut draw = job.draw(number);
    work.prepare(place)?;
    let words = work.words(job, 0);
    let program = Program::new(job.binary, place).patient();
    let (what, ended) = match draw.below(10) {
        0 | 1 => {
            let Some(unshare) = tools.unshare else {
                return Ok(not_tested("unshare --mount (Debian: util-linux)"));
            };
            let size = format!("{}k", 4 * draw.between(8, 100));
            let wrapper = [&["unshare"], unshare, &["sh", "-c", SMALL_DISK, "sh", &size]].concat();
            let ended = program.wrapped(wrapper).run(&words)?;
            fs::remove_dir_all(place)?;
            fs::rename(place.with_file_name(format!("{number}.saved")), place)?;
            (format!("disk of {size}"), ended)
        }
        2 => {
            let Some(unshare) = tools.unshare else {
                return Ok(not_tested("unshare --mount (Debian: util-linux)"));
            };
            begin(&program, &words, whole, &mut draw)?;
            let wrapper = [&["unshare"], unshare, &["sh", "-c", READ_ONLY, "sh"]].concat();
            ("read-only folder".to_owned(), program.wrapped(wrapper).run(&words)?)
        }
        3 => {
            let bytes = draw.between(1, 250_000);
            (
                "limit on file sizes".to_owned(),
                program.wrapped(["prlimit", &format!("--fsize={bytes}")]).run(&words)?,
            )
        }
        4 => {
            let mut child = program.start(&words)?;
            let over = wait(&mut child, whole.took.mul_f64(draw.between(20, 80) as f64 / 100.0))?.is_some();
            let what = take_away(&mut draw, place)?;
            let ended = program.finish(child)?;
            if over {
                return Ok(Verdict::Good("over before the store went away".to_owned()));
            }
            (what.to_owned(), ended)
        }
        _ if !tools.strace => return Ok(not_tested("strace (Debian: strace)")),
        _ => {
            let call = CALLS[draw.below(CALLS.len())];
            let error =
                draw.pick(if call == "fcntl" { &["ENOLCK", "EIO"] } else { &["EIO", "ENOSPC", "EDQUOT"] });
            let first = [1, 2, 3, 5, 10, 20, 50, 100, 200][draw.below(9)];
            let again = if draw.one_in(2) { "+" } else { "" };
            let what = format!("inject={call}:error={error}:when={first}{again}");
            let wrapper = ["strace", "-f", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &what];
            (what.clone(), program.wrapped(wrapper).run(&words)?)
        }
    };
    let kind = what.split(':').next().unwrap_or_default().split(" of ").next().unwrap_or_default();
    let bad = |fault: String| Ok(Verdict::Bad(format!("{}, {what}: {fault}", work.name)));
    let outcome = match survived(&ended) {
        Ok(outcome) => outcome,
        Err(fault) => return bad(fault),
    };
    let again = Program::new(job.binary, place).patient().run(&words)?;
    if again.code != Some(0) {
        return bad(format!("after {}, the same command: {}", ended.shown(), again.shown()));
    }
    match work.result(job, place)? {
        Ok(result) if result == whole.result => {
            Ok(Verdict::Good(format!("{kind}: {outcome}, then the same result")))
        }
        Ok(_) => bad("another result".to_owned()),
        Err(ended) => bad(ended.shown()),
    }
}

fn not_tested(needs: &str) -> Verdict {
    Verdict::NotTested(needs.to_owned())
}

/// Whether the failure was survived, or ended the command with one line.
fn survived(ended: &Ended) -> Result<&'static str, String> {
    // The limit on file sizes ends a process by this signal (SIGXFSZ), unless it asks for an error instead.
    if ended.signal == Some(25) {
        return Ok("ended by the signal for it");
    }
    // The error came before the program had begun.
    if ended.code == Some(127) && ended.stderr.contains("shared libraries") {
        return Ok("not started");
    }
    if let Some(fault) = ended.fault() {
        return Err(fault);
    }
    let n_errors = ended.stderr.lines().filter(|line| line.starts_with("error: ")).count();
    match ended.code {
        Some(0) => Ok("survived"),
        Some(1) if n_errors == 1 => Ok("exit code 1"),
        _ => Err(format!("{n_errors} lines of errors, {}", ended.shown())),
    }
}

/// Starts the work and kills it on the way.
fn begin(program: &Program<'_>, words: &[String], whole: &Undisturbed, draw: &mut Draw) -> Result<()> {
    let mut child = program.start(words)?;
    wait(&mut child, whole.took.mul_f64(draw.between(30, 80) as f64 / 100.0))?;
    child.kill()?;
    program.finish(child)?;
    Ok(())
}

/// Removes or replaces the store under the program.
fn take_away(draw: &mut Draw, place: &Path) -> Result<&'static str> {
    let store = place.join(STORE);
    let logs = ["palestra.db-wal", "palestra.db-shm"].map(|name| place.join(name));
    Ok(match draw.below(3) {
        0 => {
            for file in logs.iter().chain([&store]).filter(|file| file.exists()) {
                fs::remove_file(file)?;
            }
            "store removed"
        }
        1 if store.exists() => {
            // The copy is not whole without its log; an empty one is.
            for file in logs.iter().chain([&store]).filter(|file| file.exists()) {
                fs::remove_file(file)?;
            }
            fs::write(&store, "")?;
            "store replaced by an empty file"
        }
        _ => {
            if store.exists() {
                fs::rename(&store, place.join("elsewhere.db"))?;
            }
            for log in logs.iter().filter(|log| log.exists()) {
                fs::rename(log, place.join("elsewhere.db-log"))?;
            }
            "store renamed"
        }
    })
}
