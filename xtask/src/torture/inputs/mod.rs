//! Bad input: command lines, files and typed lines, made from valid ones by mutation.

mod lines;
mod mutate;

use super::draw::Draw;
use super::job::{Job, Tally, Verdict};
use super::program::{Ended, Program, names_in};
use anyhow::{Result, ensure};
use lines::{FILES, LINES, TYPED};
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

const N_CASES: usize = 3_000;

const STORE: &str = "palestra.db";

/// Commands that only make sense with a store.
const WITH_STORE: [&str; 5] = ["event", "report", "run", "runs", "store"];

/// Exit codes of docs/json.md.
const DOCUMENTED: [i32; 6] = [0, 1, 2, 3, 4, 130];

pub(crate) fn run(job: &Job<'_>) -> Result<Tally> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let store = store(job)?;
    job.each(N_CASES, cores, |number, place| case(job, &store, number, place))
}

/// A store with a run and an event.
fn store(job: &Job<'_>) -> Result<PathBuf> {
    let place = job.place("store")?;
    for (name, content) in FILES {
        fs::write(place.join(name), content)?;
    }
    for words in [["tune", "plan.toml"], ["tournament", "cup.toml"]] {
        let ended = Program::new(job.binary, &place).patient().run(&words)?;
        ensure!(ended.code == Some(0), "{words:?}: {}", ended.shown());
    }
    Ok(place.join(STORE))
}

fn case(job: &Job<'_>, store: &Path, number: usize, place: &Path) -> Result<Verdict> {
    let mut draw = job.draw(number);
    let mut words = words_of(LINES[draw.below(LINES.len())]);
    let mut typed = words.first().and_then(|word| TYPED.iter().find(|pair| pair.0.as_bytes() == *word));
    if draw.one_in(4) {
        // A command that reads lines gets them half of the time that one is drawn.
        typed = Some(&TYPED[draw.below(TYPED.len())]);
        words = words_of(typed.expect("just drawn").1);
    }
    let mut text = typed.map_or(Vec::new(), |typed| typed.2.as_bytes().to_vec());
    let file = FILES.iter().find(|file| words.iter().any(|word| *word == file.0.as_bytes()));
    // A line with a file or with typed lines has mostly those mutated.
    let mutates_words = (file.is_none() && typed.is_none()) || draw.one_in(3);
    if mutates_words {
        mutate_line(&mut words, &mut draw);
    } else if typed.is_some() {
        mutate::text(&mut text, &mut draw);
    }
    for (name, content) in FILES {
        let mut content = content.as_bytes().to_vec();
        if !mutates_words && file.is_some_and(|file| file.0 == name) {
            mutate::text(&mut content, &mut draw);
        }
        fs::write(place.join(name), content)?;
    }
    let words: Vec<OsString> = words.into_iter().map(harmless).map(OsString::from_vec).collect();
    if words.first().is_some_and(|word| WITH_STORE.iter().any(|command| word == command)) {
        fs::copy(store, place.join(STORE))?;
    }
    let before = names_in(place)?;
    let mut program = Program::new(job.binary, place);
    program.stdin = Some(&text);
    let ended = program.run(&words)?;
    let after = names_in(place)?;
    let shown: String = format!("{words:?}").chars().take(400).collect();
    Ok(judge(&ended, &before, &after).unwrap_or_else(|fault| Verdict::Bad(format!("{fault}; {shown}"))))
}

/// The words of a line; `~` is a space within a word.
fn words_of(line: &str) -> Vec<Vec<u8>> {
    line.split(' ').map(|word| word.replace('~', " ").into_bytes()).collect()
}

/// One to three mutations of words, seldom of the command itself.
fn mutate_line(words: &mut Vec<Vec<u8>>, draw: &mut Draw) {
    for _ in 0..draw.between(1, 3) {
        let first = usize::from(words.len() > 1 && !draw.one_in(8));
        let at = first + draw.below(words.len() - first);
        match draw.below(10) {
            0 if words.len() > 1 => drop(words.remove(at)),
            1 => words.insert(at, words[at].clone()),
            2 => {
                let other = first + draw.below(words.len() - first);
                words.swap(at, other);
            }
            3 => {
                let other = words_of(LINES[draw.below(LINES.len())]);
                words.insert(at + 1, other[draw.below(other.len())].clone());
            }
            _ => mutate::word(&mut words[at], draw),
        }
    }
}

/// The word without paths out of the folder of the case, and without what a program argument cannot hold.
fn harmless(mut word: Vec<u8>) -> Vec<u8> {
    word.retain(|byte| *byte != 0);
    let climbs = word.split(|byte| *byte == b'/').any(|part| part == b"..");
    let starts = word.first() == Some(&b'/') || word.windows(2).any(|pair| matches!(pair, b"=/" | b":/"));
    if climbs || starts {
        word.iter_mut().filter(|byte| **byte == b'/').for_each(|byte| *byte = b'_');
    }
    word
}

fn judge(ended: &Ended, before: &[String], after: &[String]) -> Result<Verdict, String> {
    if let Some(fault) = ended.fault() {
        return Err(fault);
    }
    // Commands that keep nothing end by the signal itself, which shells show as 130.
    let code = ended.code.or(ended.signal.map(|signal| 128 + signal));
    let code = code.filter(|code| DOCUMENTED.contains(code)).ok_or_else(|| ended.shown())?;
    if let Some(part) = after.iter().find(|name| name.contains(".part") || name.contains(".tmp")) {
        return Err(format!("left {part}: {}", ended.shown()));
    }
    if code == 2 {
        if !ended.stderr.lines().any(|line| line.starts_with("error: ")) {
            return Err(format!("no line of an error: {}", ended.shown()));
        }
        // Readers of a store leave its log behind.
        let is_log = |name: &&String| name.ends_with("-wal") || name.ends_with("-shm");
        if !after.iter().filter(|name| !is_log(name)).eq(before) {
            return Err(format!("refused, and left {after:?}: {}", ended.shown()));
        }
    }
    if code == 1 && ended.stderr.is_empty() && ended.stdout.is_empty() {
        return Err("exit code 1 without a word".to_owned());
    }
    Ok(Verdict::Good(match code {
        0 => "accepted".to_owned(),
        1 => "file or system error, exit code 1".to_owned(),
        2 => "refused, exit code 2".to_owned(),
        130 if ended.stopped => "accepted, and stopped when asked to after 10 s".to_owned(),
        _ => format!("exit code {code}"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_do_not_lead_out_of_the_folder() {
        for (word, expected) in [
            ("../x", ".._x"),
            ("a/../../x", "a_.._.._x"),
            ("/etc/x", "_etc_x"),
            ("--svg=/etc/x", "--svg=_etc_x"),
            ("......./......./..12...", "......./......./..12..."),
            ("greedy/lines", "greedy/lines"),
        ] {
            assert_eq!(harmless(word.as_bytes().to_vec()), expected.as_bytes());
        }
    }
}
