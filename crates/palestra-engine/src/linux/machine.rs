//! Functions of the system that other crates need.

use rustix::process::{Pid, Signal, kill_process};
use rustix::time::{ClockId, clock_gettime};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// Processor time of this process so far, in seconds. On systems other than Linux it is the wall time since the first
/// call.
#[must_use]
pub fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Processor time of all children that have ended, in seconds; `None` where the system does not report it.
#[must_use]
pub fn cpu_seconds_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain blanks, so the fields are counted from its end.
    let fields = stat.rsplit_once(')')?.1;
    let ticks = |index: usize| fields.split_whitespace().nth(index)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / rustix::param::clock_ticks_per_second() as f64)
}

/// Memory of this machine in bytes, or that of its control group where that is less; `None` where the system does not
/// say it.
#[must_use]
pub fn machine_memory() -> Option<u64> {
    let info = std::fs::read_to_string("/proc/meminfo").ok()?;
    let total = info.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let group = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok();
    let limit = group.and_then(|text| text.trim().parse::<u64>().ok());
    Some((kilobytes << 10).min(limit.unwrap_or(u64::MAX)))
}

/// Gives a command its own process group before it is started, so that Ctrl-C in a terminal does not reach it. On
/// systems other than Linux, Ctrl-C reaches both processes.
pub fn separate_process_group(command: &mut Command) {
    command.process_group(0);
}

/// Sends `SIGINT` to a process, as Ctrl-C does, so that it can stop in an orderly manner. On systems other than Linux
/// it is killed.
pub fn ask_to_stop(child: &mut Child) {
    // The number of a process that was waited for may belong to another process.
    if let Ok(None) = child.try_wait() {
        let _ = kill_process(Pid::from_child(child), Signal::INT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    #[test]
    fn processor_time_is_reported() {
        assert!(cpu_seconds() > 0.0);
        assert!(cpu_seconds_of_children().is_some_and(|seconds| seconds >= 0.0));
    }

    #[test]
    fn sigint_stops_a_process() {
        let mut command = Command::new("sleep");
        separate_process_group(&mut command);
        let mut child = command.arg("1000").spawn().unwrap();
        ask_to_stop(&mut child);
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::INT.as_raw()));
        // No signal is sent once the process was waited for.
        ask_to_stop(&mut child);
    }
}
