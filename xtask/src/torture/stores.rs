//! Damaged stores: of work that is done, and of work that was killed and goes on.

use super::draw::Draw;
use super::job::{Job, Tally, Verdict};
use super::program::{Program, wait};
use super::work::{STORE, Undisturbed, WORK, Work};
use anyhow::Result;
use std::fs;
use std::path::Path;

const N_CASES: usize = 80;

/// Bytes of a page of the store.
const PAGE: usize = 4096;

pub(crate) fn run(job: &Job<'_>) -> Result<Tally> {
    // Programs add nothing here: what they play is stored like all else.
    let works = WORK.iter().filter(|work| work.name != "programs");
    let whole = works.map(|work| Ok((work, work.undisturbed(job)?))).collect::<Result<Vec<_>>>()?;
    job.each(N_CASES, 2, |number, place| {
        let (work, whole) = &whole[number % whole.len()];
        case(job, work, whole, number, place)
    })
}

fn case(job: &Job<'_>, work: &Work, whole: &Undisturbed, number: usize, place: &Path) -> Result<Verdict> {
    let mut draw = job.draw(number);
    work.prepare(place)?;
    let words = work.words(job, 0);
    let program = Program::new(job.binary, place).patient();
    let is_done = draw.one_in(2);
    if is_done {
        for name in [STORE, "palestra.db-wal"] {
            if whole.place.join(name).exists() {
                fs::copy(whole.place.join(name), place.join(name))?;
            }
        }
    } else {
        let mut child = program.start(&words)?;
        let instant = whole.took.mul_f64(draw.between(40, 95) as f64 / 100.0);
        wait(&mut child, instant)?;
        child.kill()?;
        program.finish(child)?;
    }
    let Some(how) = damage(&mut draw, place)? else {
        return Ok(Verdict::Good("killed before it had a store".to_owned()));
    };
    let bad = |fault: String| {
        Ok(Verdict::Bad(format!(
            "{} ({}), {how}: {fault}",
            work.name,
            if is_done { "done" } else { "killed" }
        )))
    };

    if is_done {
        return match work.result(job, place)? {
            Ok(result) if result == whole.result => Ok(Verdict::Good("done: the same result".to_owned())),
            // The entries of work that is done are only checked by this command (docs/tuning.md).
            Ok(_) if program.run(&["store", "check"])?.code == Some(1) => {
                Ok(Verdict::Good("done: another result, which `store check` finds".to_owned()))
            }
            Ok(_) => bad("another result".to_owned()),
            Err(ended) => match ended.fault() {
                Some(fault) => bad(fault),
                None if matches!(ended.code, Some(1 | 2)) && ended.stderr.contains("error: ") => {
                    Ok(Verdict::Good("done: refused".to_owned()))
                }
                None => bad(ended.shown()),
            },
        };
    }
    let ended = program.run(&words)?;
    if let Some(fault) = ended.fault() {
        return bad(fault);
    }
    match ended.code {
        Some(0) => {}
        Some(1 | 2) if ended.stderr.contains("error: ") => {
            return Ok(Verdict::Good("killed: refused".to_owned()));
        }
        _ => return bad(ended.shown()),
    }
    let noticed = ended.stderr.contains("damage");
    match work.result(job, place)? {
        Ok(result) if result == whole.result && noticed => {
            Ok(Verdict::Good("killed: found, and played again".to_owned()))
        }
        Ok(result) if result == whole.result => Ok(Verdict::Good("killed: the same result".to_owned())),
        Ok(_) => bad("another result".to_owned()),
        Err(ended) => match ended.fault() {
            None if ended.code == Some(1) => Ok(Verdict::Good("killed: refused at the export".to_owned())),
            fault => bad(fault.unwrap_or_else(|| ended.shown())),
        },
    }
}

/// Damages the store, or its log where that has the pages; says how, unless there is nothing to damage.
fn damage(draw: &mut Draw, place: &Path) -> Result<Option<String>> {
    let mut name = STORE;
    let length = |name: &str| fs::metadata(place.join(name)).map_or(0, |data| data.len());
    if length("palestra.db-wal") > 0 && (length(STORE) == 0 || draw.one_in(2)) {
        name = "palestra.db-wal";
    }
    let mut bytes = fs::read(place.join(name)).unwrap_or_default();
    if bytes.is_empty() {
        return Ok(None);
    }
    let page = draw.below(bytes.len().div_ceil(PAGE)) * PAGE;
    let end = (page + PAGE).min(bytes.len());
    let how = match draw.below(6) {
        0 | 1 => {
            let n = draw.between(1, 24);
            for _ in 0..n {
                let at = draw.below(bytes.len());
                bytes[at] ^= 1 << draw.below(8);
            }
            format!("{n} bits flipped")
        }
        2 => {
            bytes[page..end].fill(0);
            format!("zeros from {page}")
        }
        3 => {
            bytes.truncate(draw.below(bytes.len()));
            format!("cut to {} bytes", bytes.len())
        }
        4 => {
            let n = draw.between(1, end - page);
            bytes[page..page + n].fill_with(|| draw.next() as u8);
            format!("garbage of {n} bytes from {page}")
        }
        _ => {
            let other = draw.below(bytes.len() / PAGE + 1) * PAGE;
            let n = (bytes.len() - page.max(other)).min(PAGE);
            let copy = bytes[other..other + n].to_vec();
            bytes[page..page + n].copy_from_slice(&copy);
            format!("page from {other} also at {page}")
        }
    };
    fs::write(place.join(name), bytes)?;
    Ok(Some(format!("{how} of {name}")))
}
