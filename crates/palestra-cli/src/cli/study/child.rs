//! A command of a study as a process of its own.

use crate::cli::args::CommonArgs;
use anyhow::{Context, Result, bail};
use palestra_engine::{ask_to_stop, cpu_seconds_of_children, separate_process_group};
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often it is looked whether the command has ended.
const LOOK: Duration = Duration::from_millis(20);

/// The exit code of a command that was interrupted.
const INTERRUPTED: i32 = super::super::INTERRUPTED as i32;

/// What became of a command.
pub(super) enum ChildOutcome {
    /// It printed this.
    Exited { printed: Value, seconds: f64, cpu_seconds: Option<f64> },
    /// Somebody stopped it; it kept what it had.
    Stopped,
}

/// Runs a command in a folder; what it says to people goes to standard error as it comes.
pub(super) fn run(
    words: &[String],
    folder: &Path,
    common: &CommonArgs,
    stop: &AtomicBool,
) -> Result<ChildOutcome> {
    let began = Instant::now();
    let cpu = cpu_seconds_of_children();
    let mut command = Command::new(std::env::current_exe().context("cannot find this program")?);
    command.args(words).args(["--json", "--color", "never", "--store", "store.db"]);
    if let Some(threads) = common.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    // Ctrl-C in a terminal reaches us alone; we ask it once, and it keeps what it has.
    separate_process_group(&mut command);
    let mut child = command
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start this program again, which needs /dev/null")?;
    let mut stdout = child.stdout.take().context("the command has no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let mut is_asked = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stop.load(Ordering::SeqCst) && !is_asked {
            is_asked = true;
            ask_to_stop(&mut child);
        }
        std::thread::sleep(LOOK);
    };
    let text = reader.join().ok().context("the command's output was lost")??;
    match status.code() {
        Some(0) if is_asked && text.trim().is_empty() => Ok(ChildOutcome::Stopped),
        Some(0) => {
            let cpu_seconds = cpu.zip(cpu_seconds_of_children()).map(|(before, after)| after - before);
            Ok(ChildOutcome::Exited {
                printed: printed(&text)?,
                seconds: began.elapsed().as_secs_f64(),
                cpu_seconds,
            })
        }
        Some(INTERRUPTED) => Ok(ChildOutcome::Stopped),
        _ if is_asked => Ok(ChildOutcome::Stopped),
        Some(code) => bail!("it ended with exit code {code}"),
        None => bail!("it was killed"),
    }
}

/// Lines of JSON: one object, or a list of them.
fn printed(text: &str) -> Result<Value> {
    let line = |line: &str| serde_json::from_str(line).with_context(|| format!("it printed {line:.80}"));
    let mut lines =
        text.lines().filter(|line| !line.trim().is_empty()).map(line).collect::<Result<Vec<Value>>>()?;
    Ok(if lines.len() == 1 { lines.swap_remove(0) } else { Value::Array(lines) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_are_taken_together() {
        assert_eq!(printed("{\"a\":1}\n").unwrap(), json!({"a": 1}));
        assert_eq!(printed("{\"a\":1}\n{\"a\":2}\n").unwrap(), json!([{"a": 1}, {"a": 2}]));
        assert_eq!(printed("").unwrap(), json!([]));
        assert!(printed("x").unwrap_err().to_string().contains("it printed x"));
    }

    /// Weights that one command printed are those that the next is given.
    #[test]
    fn numbers_come_back_to_the_last_bit() {
        let numbers = "[0.24041530754584126,-0.000011601688065633808,2.999730545702445]";
        assert_eq!(printed(numbers).unwrap().to_string(), numbers);
    }
}
