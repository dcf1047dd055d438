//! A control group of its own for the processes of an engine, so that all of them can be frozen at once. It exists where
//! this process may create one in its own group: as root, or in a group that was delegated to the user.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// A control group (version 2), removed when dropped. Its processes have ended by then.
#[derive(Debug)]
pub(super) struct Cgroup {
    path: PathBuf,
    freeze: File,
}

impl Cgroup {
    /// A new group in that of this process; `None` where the system permits none, or has no freezer.
    pub(super) fn create(name: &str) -> Option<Cgroup> {
        let path = own()?.join(name);
        fs::create_dir(&path).ok()?;
        match File::options().write(true).open(path.join("cgroup.freeze")) {
            Ok(freeze) => Some(Cgroup { path, freeze }),
            Err(_) => {
                remove(&path);
                None
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the engine's first process has joined it.
    pub(super) fn has_processes(&self) -> bool {
        fs::read_to_string(self.path.join(PROCESSES)).is_ok_and(|list| !list.is_empty())
    }

    pub(super) fn set_frozen(&self, is_frozen: bool) -> io::Result<()> {
        self.freeze.write_all_at(if is_frozen { b"1" } else { b"0" }, 0)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

const PROCESSES: &str = "cgroup.procs";

/// Moves this process, and those that it starts from now on, to a group.
pub(super) fn join(group: &Path) -> io::Result<()> {
    fs::write(group.join(PROCESSES), "0")
}

/// Removes a group whose processes were killed, and waits for their end.
pub(super) fn remove(group: &Path) {
    // The kernel needs some microseconds per process, and more on a busy machine.
    for _ in 0..1000 {
        match fs::remove_dir(group) {
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                thread::sleep(Duration::from_millis(1));
            }
            _ => return,
        }
    }
}

/// Removes the groups of a run that was killed together with its supervisors.
pub(super) fn remove_abandoned(prefix: &str) {
    for entry in own().and_then(|own| fs::read_dir(own).ok()).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The folder of the group of this process.
fn own() -> Option<PathBuf> {
    let own = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    own_group(&own, &mounts)
}

/// The folder of the group of version 2 that a process is in, from its `cgroup` and `mountinfo` in `/proc`.
fn own_group(own: &str, mounts: &str) -> Option<PathBuf> {
    let group = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
    // `36 35 0:30 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw`: the fourth word is the group that is mounted.
    let mount = mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        let words: Vec<&str> = mount.split(' ').collect();
        (kind.starts_with("cgroup2 ") && words.get(3) == Some(&"/")).then(|| words.get(4).copied())?
    });
    Some(Path::new(mount?).join(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_a_process_is_found() {
        let check = |own: &str, mounts: &str, expected: Option<&str>| {
            assert_eq!(own_group(own, mounts), expected.map(PathBuf::from), "{own} {mounts}");
        };
        let mounts = "21 1 8:1 / / rw - ext4 /dev/sda rw\n36 35 0:30 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n";
        check("0::/user.slice/a.scope\n", mounts, Some("/sys/fs/cgroup/user.slice/a.scope"));
        check("9:freezer:/\n0::/\n", mounts, Some("/sys/fs/cgroup"));
        check("9:freezer:/\n", mounts, None);
        check("0::/\n", "36 35 0:30 /a /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n", None);
        check("0::/\n", "36 35 0:30 / /sys/fs/cgroup rw - cgroup cgroup rw,cpu\n", None);
    }
}
