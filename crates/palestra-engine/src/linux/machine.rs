//! What other crates ask of the system.

use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Processor time of this process so far, in seconds. On systems other than Linux it is the time that has passed since
/// the first call, which is more where the process had to wait.
#[must_use]
pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Processor time of all children that have ended, in seconds, where the system tells.
#[must_use]
pub fn cpu_seconds_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold blanks; what is counted comes behind it.
    let behind = stat.rsplit_once(')')?.1;
    let ticks = |place: usize| behind.split_whitespace().nth(place)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / rustix::param::clock_ticks_per_second() as f64)
}

/// Keeps Ctrl-C in a terminal from a command that is about to be started: it reaches us alone. On systems other than
/// Linux it reaches both.
pub fn separate_process_group(command: &mut Command) {
    command.process_group(0);
}

/// Asks a process to stop, as Ctrl-C does: it keeps what it has. On systems other than Linux it is ended at once.
pub fn ask_to_stop(child: &mut Child) {
    // Once it has ended and was waited for, its number may be somebody else's.
    if let Ok(None) = child.try_wait() {
        let _ = kill_process(Pid::from_child(child), Signal::INT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn the_system_tells() {
        assert!(cpu_seconds() > 0.0);
        assert!(cpu_seconds_of_children().is_some_and(|seconds| seconds >= 0.0));
    }

    #[test]
    fn who_is_asked_stops() {
        let mut command = Command::new("sleep");
        separate_process_group(&mut command);
        let mut child = command.arg("1000").spawn().unwrap();
        ask_to_stop(&mut child);
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
        // Once it was waited for, nobody is asked.
        ask_to_stop(&mut child);
    }
}
