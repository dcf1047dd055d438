//! A method that is another program: asked and told by lines of JSON over a pipe.
//!
//! ```text
//! → {"setup": {"names": ["wins", …], "low": […], "high": […], "sphere": true, "start": null, "seed": 1, "games": 100000}}
//! ← {"ask": [[1.0, -0.5, …], …], "effort": 1, "best": [0.9, …]}
//! → {"tell": [12.0, …], "games": 240}
//! ← {"done": true, "best": [0.9, …]}
//! ```
//!
//! `effort` and `best` may be left out: every candidate plays as the plan says, and the best so far is recommended. A
//! run that goes on later starts the program anew and tells it everything again, so a program whose dice come from
//! `seed` alone ends where an uninterrupted one does.

use palestra_core::InputError;
use palestra_tune::methods::MethodInfo;
use palestra_tune::{
    CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, Settings,
};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The methods that only a program with processes has.
pub(super) static METHODS: &[MethodInfo] = &[MethodInfo {
    name: "external",
    about: "another program that is asked and told by lines of JSON (docs/tuning.md)",
    settings: &[("command", "the program and its arguments: [\"python3\", \"optimizer.py\"]", "none")],
    open,
}];

fn open(setup: &OptimizerSetup, settings: &mut Settings) -> Result<Box<dyn Optimizer>, InputError> {
    let words = settings.texts("command")?.unwrap_or_default();
    let words: Vec<String> = match &words[..] {
        [(line, _)] => line.split_whitespace().map(str::to_owned).collect(),
        words => words.iter().map(|(word, _)| word.clone()).collect(),
    };
    if words.is_empty() {
        return Err(
            settings.missing("command", "a program to ask: command = [\"python3\", \"optimizer.py\"]")
        );
    }
    Ok(Box::new(ExternalOptimizer { setup: setup.clone(), words, program: None, state: State::default() }))
}

/// The program, started when it is first asked.
struct ExternalOptimizer {
    setup: OptimizerSetup,
    words: Vec<String>,
    program: Option<OptimizerProcess>,
    state: State,
}

#[derive(Default)]
struct State {
    /// The question that waits for its answer.
    asked: Option<OptimizerRequest>,
    done: bool,
    trouble: Option<String>,
    /// What the program recommends.
    best: Option<Vec<f64>>,
    /// The candidate with the highest fitness so far.
    highest: Option<(f64, Vec<f64>)>,
}

struct OptimizerProcess {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl ExternalOptimizer {
    fn start(&self) -> Result<OptimizerProcess, String> {
        let program = &self.words[0];
        let spawned =
            Command::new(program).args(&self.words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = spawned.map_err(|error| format!("cannot start {program}: {error}"))?;
        let (Some(to), Some(from)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{program} has no pipes"));
        };
        let mut program = OptimizerProcess { child, to, from: BufReader::new(from) };
        let space = &self.setup.space;
        program.say(&json!({ "setup": {
            "names": space.names, "low": space.low, "high": space.high, "sphere": space.scale_free,
            "start": self.setup.start, "seed": self.setup.seed.0 >> 11, "games": self.setup.n_games,
        }}))?;
        Ok(program)
    }

    fn next(&mut self) -> Result<Option<OptimizerRequest>, String> {
        if self.program.is_none() {
            self.program = Some(self.start()?);
        }
        let Some(program) = &mut self.program else { return Ok(None) };
        let line = program.hear()?;
        let value: Value = serde_json::from_str(&line).map_err(|_| complaint(&line, "a line of JSON"))?;
        let n = self.setup.space.n();
        if let Some(best) = value.get("best") {
            self.state.best =
                Some(weights(best, n).ok_or_else(|| complaint(&line, &format!("best: {n} numbers")))?);
        }
        if value.get("done").and_then(Value::as_bool) == Some(true) {
            return Ok(None);
        }
        let asked = value.get("ask").and_then(Value::as_array).filter(|all| !all.is_empty());
        let expected =
            || complaint(&line, &format!("an object with ask (lists of {n} numbers) or \"done\": true"));
        let all = asked.ok_or_else(expected)?.iter().map(|candidate| weights(candidate, n));
        let candidates = CandidateSet::Listed(all.collect::<Option<Vec<_>>>().ok_or_else(expected)?);
        let effort = value.get("effort").and_then(Value::as_u64).unwrap_or(1).clamp(1, 1 << 20) as u32;
        Ok(Some(OptimizerRequest::Rate { candidates, effort }))
    }
}

fn weights(value: &Value, n: usize) -> Option<Vec<f64>> {
    let all: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    all.filter(|all| all.len() == n && all.iter().all(|weight| weight.is_finite() && weight.abs() <= 1e100))
}

fn complaint(line: &str, expected: &str) -> String {
    InputError::new("the program's answer", line, expected).to_string()
}

impl OptimizerProcess {
    fn say(&mut self, value: &Value) -> Result<(), String> {
        let said = writeln!(self.to, "{value}").and_then(|()| self.to.flush());
        said.map_err(|error| format!("the program does not listen any more: {error}"))
    }

    fn hear(&mut self) -> Result<String, String> {
        let mut line = String::new();
        match self.from.read_line(&mut line) {
            Ok(0) => Err("the program ended without {\"done\": true}".to_owned()),
            Ok(_) => Ok(line.trim_end().to_owned()),
            Err(error) => Err(format!("the program's answer can not be read: {error}")),
        }
    }
}

impl Drop for OptimizerProcess {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Optimizer for ExternalOptimizer {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        if self.state.asked.is_none() && !self.state.done {
            match self.next() {
                Ok(question) => self.state.asked = question,
                Err(trouble) => self.state.trouble = Some(trouble),
            }
            self.state.done = self.state.asked.is_none();
        }
        self.state.asked.clone()
    }

    fn tell(&mut self, answer: &OptimizerReply) {
        let (Some(OptimizerRequest::Rate { candidates, .. }), OptimizerReply::Rated(rating)) =
            (self.state.asked.take(), answer)
        else {
            return;
        };
        for (i, &fitness) in rating.fitness.iter().enumerate() {
            if self.state.highest.as_ref().is_none_or(|(highest, _)| fitness > *highest) {
                self.state.highest = Some((fitness, candidates.weights(i)));
            }
        }
        let told = json!({ "tell": rating.fitness, "games": rating.n_games });
        if let Some(program) = &mut self.program
            && let Err(trouble) = program.say(&told)
        {
            (self.state.trouble, self.state.done) = (Some(trouble), true);
        }
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let recommended = self.state.best.iter().map(|weights| ("recommended by the program", weights));
        let highest = self.state.highest.iter().map(|(_, weights)| ("highest fitness", weights));
        let finalist = |(label, weights): (&str, &Vec<f64>)| Recommendation {
            label: label.to_owned(),
            weights: weights.clone(),
        };
        recommended.chain(highest).map(finalist).collect()
    }

    fn failure(&self) -> Option<String> {
        self.state.trouble.clone()
    }
}
