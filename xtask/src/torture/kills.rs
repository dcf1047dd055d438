//! Work that is killed at random instants, again and again, and then left to end.

use super::job::{Job, Tally, Verdict};
use super::program::{Program, wait};
use super::work::{Undisturbed, WORK, Work};
use anyhow::Result;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// Trials, each of up to [`KILLS`] kills.
const N_CASES: usize = 60;
const KILLS: usize = 4;

/// How long processes of a killed program may take to end: they notice that their pipes are closed.
const LEAVING: Duration = Duration::from_secs(20);

pub(crate) fn run(job: &Job<'_>) -> Result<Tally> {
    let whole = WORK.iter().map(|work| Ok((work, work.undisturbed(job)?))).collect::<Result<Vec<_>>>()?;
    // One at a time, so that instants are spread over the work.
    let n_kills = std::sync::atomic::AtomicUsize::new(0);
    let mut tally = job.each(N_CASES, 1, |number, place| {
        // The last kind of work keeps nothing: a match.
        match whole.get(number % (WORK.len() + 1)) {
            Some((work, whole)) => {
                let (verdict, kills) = case(job, work, whole, number, place)?;
                n_kills.fetch_add(kills, std::sync::atomic::Ordering::Relaxed);
                Ok(verdict)
            }
            None => {
                n_kills.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                a_match(job, number, place)
            }
        }
    })?;
    *tally.outcomes.entry("(kill -9 in all)".to_owned()).or_default() += n_kills.into_inner();
    Ok(tally)
}

fn case(
    job: &Job<'_>,
    work: &Work,
    whole: &Undisturbed,
    number: usize,
    place: &Path,
) -> Result<(Verdict, usize)> {
    let mut draw = job.draw(number);
    work.prepare(place)?;
    // No other process has this number among its words.
    let mark = 1_000_000_000_000 + draw.next() % 1_000_000_000_000;
    let words = work.words(job, mark);
    let program = Program::new(job.binary, place).patient();
    let mut kills = 0;
    for _ in 0..KILLS {
        let mut child = program.start(&words)?;
        let patience = whole.took.mul_f64(draw.between(1, 70) as f64 / 100.0);
        if wait(&mut child, patience)?.is_some() {
            program.finish(child)?;
            break;
        }
        child.kill()?;
        program.finish(child)?;
        kills += 1;
    }
    let bad =
        |fault: String| Ok((Verdict::Bad(format!("{} after {kills} kills: {fault}", work.name)), kills));
    let ended = program.run(&words)?;
    if ended.code != Some(0) {
        return bad(ended.fault().unwrap_or_else(|| ended.shown()));
    }
    match work.result(job, place)? {
        Ok(result) if result == whole.result => {}
        Ok(_) => return bad("another result".to_owned()),
        Err(ended) => return bad(ended.shown()),
    }
    if let Some(process) = left(mark)? {
        return bad(format!("process {process} is left"));
    }
    Ok((Verdict::Good(format!("{}: the same result", work.name)), kills))
}

/// A match keeps nothing: after the kill, the same command plays it all, and nothing is left behind.
fn a_match(job: &Job<'_>, number: usize, place: &Path) -> Result<Verdict> {
    let mut draw = job.draw(number);
    let mark = 1_000_000_000_000 + draw.next() % 1_000_000_000_000;
    let engine = format!("cmd:{} engine serve connect4 grid-5 --seed {mark}", job.binary.display());
    let words = ["match", "connect4", &engine, "random", "--games", "60", "--clock", "60+1", "--json"];
    let program = Program::new(job.binary, place).patient();
    let mut child = program.start(&words)?;
    wait(&mut child, Duration::from_millis(draw.between(1, 900) as u64))?;
    child.kill()?;
    program.finish(child)?;
    if let Some(process) = left(mark)? {
        return Ok(Verdict::Bad(format!("match, killed: process {process} is left")));
    }
    let ended = program.run(&words)?;
    if ended.code != Some(0) {
        return Ok(Verdict::Bad(format!("match, after a kill: {}", ended.shown())));
    }
    Ok(Verdict::Good("match: played again".to_owned()))
}

/// A process with the mark among its words that does not go away.
fn left(mark: u64) -> Result<Option<String>> {
    let mark = mark.to_string();
    let began = Instant::now();
    loop {
        let found = marked(&mark)?;
        if found.is_none() || began.elapsed() > LEAVING {
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn marked(mark: &str) -> Result<Option<String>> {
    for entry in fs::read_dir("/proc")? {
        // A process may end while it is looked at.
        let Ok(words) = entry.as_ref().map_or(Ok(Vec::new()), |entry| fs::read(entry.path().join("cmdline")))
        else {
            continue;
        };
        if String::from_utf8_lossy(&words).contains(mark) {
            return Ok(Some(entry?.file_name().to_string_lossy().into_owned()));
        }
    }
    Ok(None)
}
