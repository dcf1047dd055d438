//! A command of a study as a process of its own.

use crate::cli::args::Common;
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process};
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
pub(super) enum Ended {
    /// It printed this.
    Well { printed: Value, seconds: f64, cpu_seconds: Option<f64> },
    /// Somebody stopped it; it kept what it had.
    Stopped,
}

/// Runs a command in a folder; what it says to people goes to standard error as it comes.
pub(super) fn run(words: &[String], folder: &Path, common: &Common, stop: &AtomicBool) -> Result<Ended> {
    let began = Instant::now();
    let cpu = cpu_seconds();
    let mut command = Command::new(std::env::current_exe().context("cannot find this program")?);
    command.args(words).args(["--json", "--color", "never", "--store", "store.db"]);
    if let Some(threads) = common.threads {
        command.args(["--threads", &threads.to_string()]);
    }
    // Ctrl-C in a terminal reaches us alone; we ask it once, and it keeps what it has.
    let mut child = std::os::unix::process::CommandExt::process_group(&mut command, 0)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start this program again")?;
    let mut stdout = child.stdout.take().context("the command has no output")?;
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let mut is_asked = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if stop.load(Ordering::SeqCst) && !is_asked {
            is_asked = true;
            // It may have ended by itself meanwhile.
            let _ = pid.map(|pid| kill_process(pid, Signal::INT));
        }
        std::thread::sleep(LOOK);
    };
    let text = reader.join().ok().context("the command's output was lost")??;
    match status.code() {
        Some(0) if is_asked && text.trim().is_empty() => Ok(Ended::Stopped),
        Some(0) => {
            let cpu_seconds = cpu.zip(cpu_seconds()).map(|(before, after)| after - before);
            Ok(Ended::Well { printed: printed(&text)?, seconds: began.elapsed().as_secs_f64(), cpu_seconds })
        }
        Some(INTERRUPTED) => Ok(Ended::Stopped),
        _ if is_asked => Ok(Ended::Stopped),
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

/// What all commands so far took of the processors, where the system tells.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold blanks; what is counted comes behind it.
    let behind = stat.rsplit_once(')')?.1;
    let ticks = |place: usize| behind.split_whitespace().nth(place)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / rustix::param::clock_ticks_per_second() as f64)
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

    #[test]
    fn the_system_tells() {
        assert!(cpu_seconds().is_none_or(|seconds| seconds >= 0.0));
    }
}
