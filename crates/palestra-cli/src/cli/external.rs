//! The tuning method `external`: another program, with lines of JSON over pipes.
//!
//! ```text
//! → {"setup": {"names": ["wins", …], "low": […], "high": […], "sphere": true, "start": null, "seed": 1, "games": 100000}}
//! ← {"ask": [[1.0, -0.5, …], …], "effort": 1, "best": [0.9, …]}
//! → {"tell": [12.0, …], "games": 240}
//! ← {"done": true, "best": [0.9, …]}
//! ```
//!
//! `effort` and `best` are optional: by default every candidate plays the games of the plan, and the best so far is
//! recommended. A run that is continued starts the program again and repeats all replies, so that a program whose
//! randomness comes from `seed` alone gets the result of an uninterrupted run.

use super::interrupt;
use palestra_core::InputError;
use palestra_settings::{Document, one_or_many};
use palestra_tune::methods::MethodInfo;
use palestra_tune::{
    CandidateSet, Optimizer, OptimizerReply, OptimizerRequest, OptimizerSetup, Recommendation, RequestSizes,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Methods that start processes, which `palestra-tune` cannot have.
pub(super) static METHODS: &[MethodInfo] = &[MethodInfo {
    name: "external",
    about: "another program, with lines of JSON over pipes (docs/tuning.md)",
    settings: &[("command", "the program and its arguments: [\"python3\", \"optimizer.py\"]", "none")],
    open,
    sizes: |_, _| Ok(RequestSizes::unknown()),
}];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExternalSettings {
    #[serde(default, deserialize_with = "one_or_many")]
    command: Vec<String>,
}

fn open(setup: &OptimizerSetup, document: &Document) -> Result<Box<dyn Optimizer>, InputError> {
    let ExternalSettings { mut command } = document.read()?;
    if let [line] = &command[..] {
        command = line.split_whitespace().map(str::to_owned).collect();
    }
    if command.is_empty() {
        let expected = "a program and its arguments: command = [\"python3\", \"optimizer.py\"]";
        return Err(document.missing("command", expected));
    }
    Ok(Box::new(ExternalOptimizer { setup: setup.clone(), command, program: None, state: State::default() }))
}

/// The program; it is started at the first request.
struct ExternalOptimizer {
    setup: OptimizerSetup,
    command: Vec<String>,
    program: Option<OptimizerProcess>,
    state: State,
}

#[derive(Default)]
struct State {
    /// The request whose reply is pending.
    pending: Option<OptimizerRequest>,
    done: bool,
    error_message: Option<String>,
    /// The weights that the program recommends.
    best: Option<Vec<f64>>,
    /// The candidate with the highest fitness so far.
    highest: Option<(f64, Vec<f64>)>,
}

/// The running program. Separate threads read and write its lines, so that the run can be canceled while the program
/// sends or reads nothing.
struct OptimizerProcess {
    child: Arc<Mutex<Child>>,
    requests: mpsc::Sender<String>,
    answers: mpsc::Receiver<Result<String, String>>,
}

/// Largest length of an answer in bytes: some hundred thousand weights.
const MAX_ANSWER: u64 = 16 << 20;

/// Time between two looks at the cancel flag.
const POLL: Duration = Duration::from_millis(50);

impl ExternalOptimizer {
    fn start(&self) -> Result<OptimizerProcess, String> {
        let program = &self.command[0];
        let spawned = Command::new(program)
            .args(&self.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = spawned.map_err(|error| format!("cannot start {program}: {error}"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{program} has no pipes"));
        };
        let (requests, lines) = mpsc::channel();
        let (sender, answers) = mpsc::channel();
        let failed = |error: std::io::Error| format!("cannot start a thread for {program}: {error}");
        let child = Arc::new(Mutex::new(child));
        interrupt::end_with_process(&child);
        let process = OptimizerProcess { child, requests, answers };
        thread::Builder::new().spawn(move || write_lines(stdin, &lines)).map_err(failed)?;
        thread::Builder::new().spawn(move || read_lines(stdout, &sender)).map_err(failed)?;
        let space = &self.setup.space;
        process.send(&json!({ "setup": {
            "names": space.names, "low": space.low, "high": space.high, "sphere": space.scale_free,
            "start": self.setup.start, "seed": self.setup.seed.0 >> 11, "games": self.setup.n_games,
        }}))?;
        Ok(process)
    }

    fn next(&mut self) -> Result<Option<OptimizerRequest>, String> {
        if self.program.is_none() {
            self.program = Some(self.start()?);
        }
        let Some(program) = &self.program else { return Ok(None) };
        let line = program.read_line()?;
        let value: Value =
            serde_json::from_str(&line).map_err(|_| invalid_answer(&line, "a line of JSON"))?;
        let n = self.setup.space.n();
        if let Some(best) = value.get("best") {
            let expected = || invalid_answer(&line, &format!("{n} numbers in \"best\""));
            self.state.best = Some(weights(best, n).ok_or_else(expected)?);
        }
        if value.get("done").and_then(Value::as_bool) == Some(true) {
            return Ok(None);
        }
        let ask = value.get("ask").and_then(Value::as_array).filter(|all| !all.is_empty());
        let expected = || {
            invalid_answer(&line, &format!("an object with \"ask\" (lists of {n} numbers) or \"done\": true"))
        };
        let all = ask.ok_or_else(expected)?.iter().map(|candidate| weights(candidate, n));
        let candidates = CandidateSet::Listed(all.collect::<Option<Vec<_>>>().ok_or_else(expected)?);
        let effort = value.get("effort").and_then(Value::as_u64).unwrap_or(1).clamp(1, 1 << 20) as u32;
        Ok(Some(OptimizerRequest::Rate { candidates, effort }))
    }
}

fn weights(value: &Value, n: usize) -> Option<Vec<f64>> {
    let all: Option<Vec<f64>> = value.as_array()?.iter().map(Value::as_f64).collect();
    all.filter(|all| all.len() == n && all.iter().all(|weight| weight.is_finite() && weight.abs() <= 1e100))
}

fn invalid_answer(line: &str, expected: &str) -> String {
    InputError::new("the program's answer", line, expected).to_string()
}

/// Writes lines to the program until it ends or this process lets go of it.
fn write_lines(mut stdin: ChildStdin, lines: &mpsc::Receiver<String>) {
    for line in lines {
        if writeln!(stdin, "{line}").and_then(|()| stdin.flush()).is_err() {
            return; // Its answers end too, with an error that is told.
        }
    }
}

/// Reads lines of the program until it ends or one is invalid.
fn read_lines(stdout: ChildStdout, answers: &mpsc::Sender<Result<String, String>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let answer = match stdout.by_ref().take(MAX_ANSWER + 1).read_until(b'\n', &mut line) {
            Ok(0) => Err("the program ended without {\"done\": true}".to_owned()),
            Ok(_) if line.len() as u64 > MAX_ANSWER => {
                Err(format!("an answer of the program is longer than {} MB", MAX_ANSWER >> 20))
            }
            Ok(_) => String::from_utf8(line)
                .map(|line| line.trim_end().to_owned())
                .map_err(|_| "an answer of the program is not UTF-8".to_owned()),
            Err(error) => Err(format!("cannot read the program's answer: {error}")),
        };
        let is_last = answer.is_err();
        if answers.send(answer).is_err() || is_last {
            return;
        }
    }
}

impl OptimizerProcess {
    fn send(&self, value: &Value) -> Result<(), String> {
        self.requests.send(value.to_string()).map_err(|_| "the program reads nothing any more".to_owned())
    }

    fn read_line(&self) -> Result<String, String> {
        loop {
            match self.answers.recv_timeout(POLL) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) if interrupt::is_canceled() => {
                    return Err("interrupted".to_owned());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("the program's answers have ended".to_owned());
                }
            }
        }
    }
}

impl Drop for OptimizerProcess {
    fn drop(&mut self) {
        interrupt::end(&self.child);
    }
}

impl Optimizer for ExternalOptimizer {
    fn ask(&mut self) -> Option<OptimizerRequest> {
        if self.state.pending.is_none() && !self.state.done {
            match self.next() {
                Ok(request) => self.state.pending = request,
                Err(error_message) => self.state.error_message = Some(error_message),
            }
            self.state.done = self.state.pending.is_none();
        }
        self.state.pending.clone()
    }

    fn tell(&mut self, answer: &OptimizerReply) {
        let (Some(OptimizerRequest::Rate { candidates, .. }), OptimizerReply::Rated(rating)) =
            (self.state.pending.take(), answer)
        else {
            return;
        };
        for (i, &fitness) in rating.fitness.iter().enumerate() {
            if self.state.highest.as_ref().is_none_or(|(highest, _)| fitness > *highest) {
                self.state.highest = Some((fitness, candidates.weights(i)));
            }
        }
        let reply = json!({ "tell": rating.fitness, "games": rating.n_games });
        if let Some(program) = &self.program
            && let Err(error_message) = program.send(&reply)
        {
            (self.state.error_message, self.state.done) = (Some(error_message), true);
        }
    }

    fn recommendations(&self) -> Vec<Recommendation> {
        let recommended = self.state.best.iter().map(|weights| ("recommended by the program", weights));
        let highest = self.state.highest.iter().map(|(_, weights)| ("highest fitness", weights));
        let recommendation = |(label, weights): (&str, &Vec<f64>)| Recommendation {
            label: label.to_owned(),
            weights: weights.clone(),
        };
        recommended.chain(highest).map(recommendation).collect()
    }

    fn failure(&self) -> Option<String> {
        self.state.error_message.clone()
    }
}
