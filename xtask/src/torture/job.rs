//! One part of the torture: its numbered cases, run on all cores, and what became of them.

use super::Options;
use super::draw::Draw;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What became of a case.
pub(crate) enum Verdict {
    /// As documented, in a few words that cases are counted by.
    Good(String),
    /// A failure, in full.
    Bad(String),
    /// The case needs something that this machine does not have.
    NotTested(String),
}

/// Counts of a part.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) n_cases: usize,
    pub(crate) outcomes: BTreeMap<String, usize>,
    /// Failures by case; those of the part as a whole have no case.
    pub(crate) failures: Vec<(Option<usize>, String)>,
}

impl Tally {
    pub(crate) fn count(&mut self, case: Option<usize>, verdict: Verdict) {
        self.n_cases += usize::from(case.is_some());
        let outcome = match verdict {
            Verdict::Good(outcome) => outcome,
            Verdict::NotTested(needs) => format!("NOT TESTED: {needs}"),
            Verdict::Bad(fault) => {
                println!("FAILED {}: {fault}", case.map_or("at the end".to_owned(), |case| case.to_string()));
                self.failures.push((case, fault));
                "FAILED".to_owned()
            }
        };
        *self.outcomes.entry(outcome).or_default() += 1;
    }
}

/// A part: its name, and the options that it was started with.
pub(crate) struct Job<'a> {
    pub(crate) part: &'static str,
    pub(crate) options: &'a Options,
    /// The program under torture.
    pub(crate) binary: &'a Path,
    /// The folder of the part; each case has one of its own in it.
    pub(crate) folder: PathBuf,
}

impl Job<'_> {
    pub(crate) fn draw(&self, case: usize) -> Draw {
        Draw::new(self.options.seed, self.part, case)
    }

    /// An empty folder in that of the part.
    pub(crate) fn place(&self, name: &str) -> Result<PathBuf> {
        let place = self.folder.join(name);
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::create_dir_all(&place).with_context(|| format!("cannot make {}", place.display()))?;
        Ok(place)
    }

    /// Runs `n` cases, a tenth of them with `--quick`, or the one of `--only`, on this many threads.
    /// The folder of a case is removed unless it fails.
    pub(crate) fn each<F>(&self, n: usize, n_threads: usize, case: F) -> Result<Tally>
    where
        F: Fn(usize, &Path) -> Result<Verdict> + Sync,
    {
        let n = if self.options.quick { n.div_ceil(10) } else { n };
        let (from, to) = self.options.only.map_or((0, n), |case| (case, case + 1));
        let next = AtomicUsize::new(from);
        let tally = Mutex::new(Tally::default());
        let work = || -> Result<()> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= to {
                    return Ok(());
                }
                let place = self.place(&number.to_string())?;
                let verdict = case(number, &place).with_context(|| format!("{} {number}", self.part))?;
                if !matches!(verdict, Verdict::Bad(_)) {
                    fs::remove_dir_all(&place)?;
                }
                let mut tally = tally.lock().expect("no case panics");
                tally.count(Some(number), verdict);
                if tally.n_cases.is_multiple_of((n / 10).max(1)) {
                    println!("{} {}: {} of {}", self.part, number, tally.n_cases, to - from);
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..n_threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no case panics"))
        })?;
        Ok(tally.into_inner().expect("no case panics"))
    }
}
