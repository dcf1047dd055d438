//! Compiles submissions: in a copy of their folder, in the sandbox of engines.

mod language;
mod results;
mod toolchain;

use super::player_file::{PLAYER_FILE, read_compile_command};
use super::{Submission, program_of};
use anyhow::Result;
use language::{CompileStep, Detected, Results, detect};
use palestra_core::InputError;
use palestra_engine::{PlayError, ProgramCommand, ResourceLimits, Sandbox, run_command};
use results::bring_back;
use std::path::Path;
use std::time::Duration;
use toolchain::Toolchain;

/// Copies the submission to the scratch folder, the only one that it can write to, and runs the command there.
const SCRIPT: &str = "exec </dev/null
mkdir \"$TMPDIR/copy\" && cp -R \"$1/.\" \"$TMPDIR/copy\" && cd \"$TMPDIR/copy\" || exit 1
shift
exec \"$@\"";

/// The copy in the scratch folder.
const COPY: &str = "copy";

/// Time for a compiler to exit after its output was closed.
const GRACE: Duration = Duration::from_secs(1);

/// How submissions are compiled.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct CompileOptions {
    /// Longest time for a submission.
    pub(in crate::cli) time: Duration,
    /// Memory in MiB.
    pub(in crate::cli) memory_mb: u64,
    /// Whether commands that students wrote are run.
    pub(in crate::cli) runs_student_commands: bool,
}

/// The result of compiling a submission.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct CompileOutcome {
    /// The language; empty where there was nothing to compile.
    pub(in crate::cli) language: &'static str,
    /// The command.
    pub(in crate::cli) command: String,
    /// What the compiler wrote.
    pub(in crate::cli) log: String,
    /// The files that were written.
    pub(in crate::cli) written: Vec<String>,
    /// Why it failed; `None` where it did not.
    pub(in crate::cli) problem: Option<String>,
}

/// Compiles submissions.
pub(in crate::cli) struct Compiler {
    options: CompileOptions,
    sandbox: Sandbox,
    toolchain: Toolchain,
}

impl Compiler {
    /// Compilers run in the sandbox of engines, with limits of their own.
    pub(in crate::cli) fn new(options: CompileOptions, mut sandbox: Sandbox) -> Compiler {
        sandbox.limits = ResourceLimits {
            memory: options.memory_mb << 20,
            processes: 64,
            threads: 512,
            cpu_seconds: 4 * options.time.as_secs(),
            file_bytes: 512 << 20,
            scratch_bytes: 1 << 30,
            files: 50_000,
            open_files: 1024,
        };
        if let Some(confinement) = &mut sandbox.confinement {
            confinement.refuse_sockets_softly = true;
        }
        (sandbox.startup, sandbox.grace) = (options.time, GRACE);
        Compiler { options, sandbox, toolchain: Toolchain::default() }
    }

    /// Compiles a submission, whose program is found again afterwards. An error is one of the machine, or cancellation.
    pub(in crate::cli) fn compile(&self, submission: &mut Submission) -> Result<CompileOutcome> {
        let step = match self.step(&submission.folder) {
            Ok(Some(step)) => step,
            Ok(None) => return Ok(CompileOutcome::default()),
            Err(problem) => {
                return Ok(CompileOutcome {
                    problem: Some(problem.to_string()),
                    ..CompileOutcome::default()
                });
            }
        };
        let outcome = self.run(&step, &submission.folder)?;
        submission.notices.clear();
        submission.program = program_of(&submission.folder, &mut submission.notices);
        Ok(outcome)
    }

    /// How a submission is compiled; `None` where it is not.
    fn step(&self, folder: &Path) -> Result<Option<CompileStep>, InputError> {
        let file = folder.join(PLAYER_FILE);
        let own_command = match file.is_file() {
            true => read_compile_command(&file)?,
            false => None,
        };
        if let Some(words) = own_command.filter(|_| self.options.runs_student_commands) {
            let (language, results) = ("player.toml", Results::Changed);
            return Ok(Some(CompileStep { language, tool: None, words, results }));
        }
        match detect(folder)? {
            Detected::Nothing => Ok(None),
            Detected::Step(step) => Ok(Some(step)),
            // Sources of another language may belong to a program that needs no compiling.
            Detected::Several(_) if program_of(folder, &mut Vec::new()).is_ok() => Ok(None),
            Detected::Several(languages) => {
                let expected = format!(
                    "sources of one language, which are compiled without a command; these are {}",
                    languages.join(" and ")
                );
                Err(InputError::new("submissions", folder.display().to_string(), expected))
            }
        }
    }

    fn run(&self, step: &CompileStep, folder: &Path) -> Result<CompileOutcome> {
        let words: Vec<&str> = step.words.iter().map(String::as_str).collect();
        let shown_words = words.iter().filter(|word| !word.contains('\n'));
        let outcome = CompileOutcome {
            language: step.language,
            command: shown_words.copied().collect::<Vec<_>>().join(" "),
            ..CompileOutcome::default()
        };
        let mut sandbox = self.sandbox.clone();
        let mut environment = Vec::new();
        let mut words = step.words.clone();
        if let Some(tool) = step.tool {
            let Some(found) = self.toolchain.find(tool.name) else {
                let problem =
                    format!("{} is not installed here; staff can install it: {}", tool.name, tool.install);
                return Ok(CompileOutcome { problem: Some(problem), ..outcome });
            };
            if words[0] == tool.name {
                words[0] = found.program.display().to_string();
            }
            environment.extend(found.environment);
            if let Some(confinement) = &mut sandbox.confinement {
                confinement.shown.extend(found.installation);
            }
        }
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if let Some(confinement) = &mut sandbox.confinement {
            confinement.shown.push(absolute.clone());
        }
        let script = ["-c".to_owned(), SCRIPT.to_owned(), "sh".to_owned(), absolute.display().to_string()];
        let command = ProgramCommand {
            program: "sh".into(),
            args: script.into_iter().chain(words).collect(),
            folder: absolute,
            environment,
        };
        let finished = match run_command(command, &sandbox, self.options.time) {
            Ok(finished) => finished,
            Err(PlayError::Fault(fault)) => {
                return Ok(CompileOutcome { problem: Some(fault.to_string()), ..outcome });
            }
            Err(PlayError::Internal(why)) => return Err(anyhow::anyhow!(why)),
        };
        let copy = finished.scratch().join(COPY);
        let log = without_notices(&finished.output.replace(&copy.display().to_string(), "."));
        if let Some(fault) = &finished.fault {
            let names_error = |line: &&str| line.to_lowercase().contains("error");
            let problem = match log.lines().find(names_error).or_else(|| log.lines().next()) {
                Some(line) => format!("{} ({fault})", line.trim()),
                None => fault.to_string(),
            };
            return Ok(CompileOutcome { log, problem: Some(problem), ..outcome });
        }
        match bring_back(step.results, &copy, folder) {
            Ok(written) => Ok(CompileOutcome { log, written, ..outcome }),
            Err(error) => Ok(CompileOutcome { log, problem: Some(format!("{error:#}")), ..outcome }),
        }
    }
}

/// The output without the line in which a Java virtual machine reports its options.
fn without_notices(output: &str) -> String {
    let lines = output.lines().filter(|line| !line.starts_with("Picked up JAVA_TOOL_OPTIONS"));
    lines.map(|line| format!("{line}\n")).collect()
}
