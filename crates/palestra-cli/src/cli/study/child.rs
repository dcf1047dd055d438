//! Runs a command of a study as a child process.

use crate::cli::args::CommonArgs;
use anyhow::{Context, Result, bail};
use palestra_core::CancelFlag;
use palestra_engine::{ask_to_stop, cpu_seconds_of_children, separate_process_group};
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time between two checks whether the command has ended.
const POLL: Duration = Duration::from_millis(20);

/// Exit code of an interrupted command.
const INTERRUPTED: i32 = super::super::INTERRUPTED as i32;

/// How a command ended.
pub(super) enum ChildOutcome {
    /// It exited with code 0 and printed this JSON.
    Exited { printed: Value, seconds: f64, cpu_seconds: Option<f64> },
    /// It was interrupted; its results so far are in its store.
    Stopped,
}

/// Runs a command in a folder. Its standard error is inherited, its standard output is returned.
pub(super) fn run(
    args: &[String],
    folder: &Path,
    common: &CommonArgs,
    stop: &CancelFlag,
) -> Result<ChildOutcome> {
    let began = Instant::now();
    let cpu = cpu_seconds_of_children();
    let mut command = Command::new(std::env::current_exe().context("cannot find this program")?);
    command.args(args).args(["--json", "--color", "never", "--store", "store.db", "--tied"]);
    if let Some(threads) = common.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    // Ctrl-C in a terminal then reaches only this process, which sends one stop request: a second one would make the
    // command exit without storing its results.
    separate_process_group(&mut command);
    let mut child = command
        .current_dir(folder)
        // It stops when this end of the pipe closes, whatever ends this process.
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start this program again")?;
    // `try_wait` leaves it open, as `wait` would not.
    let _leash = child.stdin.take();
    let mut stdout = child.stdout.take().context("the command has no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let mut stop_sent = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stop.is_canceled() && !stop_sent {
            stop_sent = true;
            ask_to_stop(&mut child);
        }
        std::thread::sleep(POLL);
    };
    let text = reader.join().ok().context("the command's output was lost")??;
    match status.code() {
        Some(0) if stop_sent && text.trim().is_empty() => Ok(ChildOutcome::Stopped),
        Some(0) => {
            let cpu_seconds = cpu.zip(cpu_seconds_of_children()).map(|(before, after)| after - before);
            Ok(ChildOutcome::Exited {
                printed: parse_output(&text)?,
                seconds: began.elapsed().as_secs_f64(),
                cpu_seconds,
            })
        }
        Some(INTERRUPTED) => Ok(ChildOutcome::Stopped),
        _ if stop_sent => Ok(ChildOutcome::Stopped),
        Some(code) => bail!("the command ended with exit code {code}"),
        None => bail!("the command was killed by a signal"),
    }
}

/// Parses lines of JSON: one object as it is, several as a list.
fn parse_output(text: &str) -> Result<Value> {
    let line = |line: &str| {
        serde_json::from_str(line)
            .with_context(|| format!("the command printed {line:.80}, which is not JSON"))
    };
    let mut lines =
        text.lines().filter(|line| !line.trim().is_empty()).map(line).collect::<Result<Vec<Value>>>()?;
    Ok(if lines.len() == 1 { lines.swap_remove(0) } else { Value::Array(lines) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_become_a_list() {
        assert_eq!(parse_output("{\"a\":1}\n").unwrap(), json!({"a": 1}));
        assert_eq!(parse_output("{\"a\":1}\n{\"a\":2}\n").unwrap(), json!([{"a": 1}, {"a": 2}]));
        assert_eq!(parse_output("").unwrap(), json!([]));
        assert!(parse_output("x").unwrap_err().to_string().contains("the command printed x"));
    }

    /// Weights that one command prints are arguments of the next.
    #[test]
    fn numbers_round_trip_exactly() {
        let numbers = "[0.24041530754584126,-0.000011601688065633808,2.999730545702445]";
        assert_eq!(parse_output(numbers).unwrap().to_string(), numbers);
    }
}
