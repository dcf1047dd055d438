//! Work that is disturbed: commands with a store, and what must come out of them whatever happened.

use super::job::Job;
use super::program::{Ended, Program};
use anyhow::{Result, ensure};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const STORE: &str = "palestra.db";

/// A command that works with a store.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    /// The plan, in `plan.toml`; empty for commands without one.
    plan: &'static str,
    words: &'static str,
    result: Answer,
}

/// Where the result is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answer {
    /// `run export 1`.
    Run,
    /// The games of the event `cup`.
    Event,
}

/// `PROGRAM` in the words stands for the program as an engine, which plays like a built-in player.
pub(crate) const WORK: [Work; 9] = [
    Work {
        name: "cmaes",
        plan: "game = \"connect:7x6x4\"\nplayer = \"greedy/lines\"\nopening_plies = 4\npairs = 2\n\
               [budget]\ngenerations = 40\n[test]\npairs = 100\n",
        words: "tune plan.toml",
        result: Answer::Run,
    },
    Work {
        name: "spsa",
        plan: "game = \"connect:5x4x3\"\nplayer = \"alphabeta:depth=2/lines\"\nopening_plies = 2\n\
               method = { name = \"spsa\", pairs = 2 }\n[budget]\ngames = 3000\n[test]\npairs = 200\n",
        words: "tune plan.toml",
        result: Answer::Run,
    },
    Work {
        name: "coevolution",
        plan: "game = \"mastergoal:1\"\nplayer = \"greedy/level1\"\nlow = -100\nhigh = 100\nsphere = false\n\
               objective = { name = \"parasites\", n = 4 }\nmethod = { name = \"coevolution\", population = 8 }\n\
               [budget]\ngenerations = 8\n[test]\npairs = 12\n",
        words: "tune plan.toml",
        result: Answer::Run,
    },
    Work {
        name: "ga",
        plan: "pool = \"connect/study\"\nplayer = \"greedy/lines-coded\"\nfresh = \"match\"\npoints = \"2/1/0\"\n\
               method = { name = \"ga\", population = 10 }\n[budget]\ngenerations = 12\n[test]\npairs = 20\n",
        words: "tune plan.toml --no-cohort",
        result: Answer::Run,
    },
    Work {
        name: "evolution",
        plan: "game = \"ladrillos:5\"\nplayer = \"greedy/islands\"\npoints = \"margin\"\nopening_plies = 2\n\
               objective = \"ancestors\"\nmethod = { name = \"evolution\", population = 10 }\n\
               [budget]\ngenerations = 20\n[test]\npairs = 100\n",
        words: "tune plan.toml",
        result: Answer::Run,
    },
    Work {
        name: "compare-methods",
        plan: "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\nseeds = 3\n\
               checkpoints = [400, 1200]\n[gauntlet]\nopponents = [\"random\"]\nopening_plies = 3\npairs = 10\n\
               [[methods]]\nname = \"spsa\"\n[[methods]]\nname = \"cmaes\"\nlabel = \"small\"\nlambda = 6\n",
        words: "compare-methods plan.toml",
        result: Answer::Run,
    },
    Work {
        name: "tournament",
        plan: "",
        words: "tournament connect4 a=alphabeta:depth=4/threes/4,4,1,2 b=grid-5 c=random d=mcts:playouts=100 \
                --cycles 8 --opening-plies 4 --name cup",
        result: Answer::Event,
    },
    Work {
        name: "swiss",
        plan: "",
        words: "tournament connect4 a=alphabeta:depth=4/threes/4,4,1,2 b=grid-5 c=first d=random e=rival-4 \
                f=rival-8 --format swiss --rounds 5 --opening-plies 4 --name cup",
        result: Answer::Event,
    },
    Work {
        name: "programs",
        plan: "",
        words: "tournament connect:5x4x3 a=PROGRAM b=grid-5 c=random --cycles 3 --opening-plies 2 --name cup \
                --clock 60+1 --no-preflight",
        result: Answer::Event,
    },
];

impl Work {
    /// Writes the plan into an empty place.
    pub(crate) fn prepare(&self, place: &Path) -> Result<()> {
        if !self.plan.is_empty() {
            fs::write(place.join("plan.toml"), self.plan)?;
        }
        Ok(())
    }

    /// The command line; processes of programs have the mark among their words.
    pub(crate) fn words(&self, job: &Job<'_>, mark: u64) -> Vec<String> {
        let serve = "engine serve connect:5x4x3 grid-5 --seed";
        let program = format!("cmd:{} {serve} {mark}", job.binary.display());
        self.words.split_whitespace().map(|word| word.replace("PROGRAM", &program)).collect()
    }

    /// The result in the store, without times and numbers of runs; or how the command for it ended.
    pub(crate) fn result(&self, job: &Job<'_>, place: &Path) -> Result<Result<String, Ended>> {
        let program = Program::new(job.binary, place).patient();
        let ended = match self.result {
            Answer::Run => program.run(&["run", "export", "1"])?,
            Answer::Event => program.run(&["event", "cup", "--jsonl", "games.jsonl"])?,
        };
        if ended.code != Some(0) {
            return Ok(Err(ended));
        }
        Ok(Ok(match self.result {
            Answer::Run => without_counts(&ended.text()),
            Answer::Event => games(&fs::read_to_string(place.join("games.jsonl"))?)?,
        }))
    }

    /// Runs the command without disturbance; its folder stays.
    pub(crate) fn undisturbed(&self, job: &Job<'_>) -> Result<Undisturbed> {
        let place = job.place(self.name)?;
        self.prepare(&place)?;
        let began = std::time::Instant::now();
        let ended = Program::new(job.binary, &place).patient().run(&self.words(job, 0))?;
        ensure!(ended.code == Some(0), "{}: {}", self.name, ended.shown());
        let took = began.elapsed();
        match self.result(job, &place)? {
            Ok(result) => Ok(Undisturbed { place, result, took }),
            Err(ended) => anyhow::bail!("{}: {}", self.name, ended.shown()),
        }
    }
}

/// A run to compare with.
pub(crate) struct Undisturbed {
    pub(crate) place: PathBuf,
    pub(crate) result: String,
    pub(crate) took: std::time::Duration,
}

/// An export without the number of games of the run, which counts those that were played again.
fn without_counts(export: &str) -> String {
    export.lines().filter(|line| !line.starts_with("\"n_games\":")).collect::<Vec<_>>().join("\n")
}

/// What is the same however often an event was killed: no times, and no numbers by who finished first.
const SAME: [&str; 12] = [
    "event", "round", "game", "first", "second", "setup", "opening", "moves", "result", "end", "points",
    "seed",
];

/// The games of an event, sorted.
fn games(lines: &str) -> Result<String> {
    let mut games = Vec::new();
    for line in lines.lines() {
        let mut game: Value = serde_json::from_str(line)?;
        if let Some(game) = game.as_object_mut() {
            game.retain(|key, _| SAME.contains(&key.as_str()));
        }
        games.push(game.to_string());
    }
    games.sort();
    Ok(games.join("\n"))
}
