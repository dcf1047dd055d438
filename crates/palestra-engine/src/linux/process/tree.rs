//! A process and its descendants, as `/proc` shows them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// What a set of processes uses now.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    pub(super) processes: u64,
    pub(super) threads: u64,
    pub(super) memory: u64,
    pub(super) cpu: Duration,
}

/// A process and what `/proc` says of it.
pub(super) type ProcessEntry = (i32, Stat);

/// Everything that a process started, directly or not, without itself, and no more than so many. Who ends while we
/// look may be missed.
pub(super) fn descendant_entries(root: i32, most: usize) -> Vec<ProcessEntry> {
    let mut found: Vec<ProcessEntry> = Vec::new();
    let mut known = BTreeSet::from([root]);
    let mut parents = vec![(root, Stat::read(root).map_or(1, |stat| stat.threads))];
    while let Some((parent, threads)) = parents.pop() {
        for child in children(parent, threads) {
            if found.len() == most {
                return found;
            }
            // A process can be handed to another parent between two looks: never twice.
            if let (true, Some(stat)) = (known.insert(child), Stat::read(child)) {
                found.push((child, stat));
                parents.push((child, stat.threads));
            }
        }
    }
    found
}

/// The numbers of everything that a process started.
pub(super) fn descendants(root: i32) -> Vec<i32> {
    descendant_entries(root, usize::MAX).into_iter().map(|(pid, _)| pid).collect()
}

/// The children of a process: of all its threads, since a child belongs to the thread that started it.
fn children(pid: i32, threads: u64) -> Vec<i32> {
    let tasks = if threads == 1 { vec![pid] } else { tasks(pid) };
    let lists = tasks.into_iter().map(|task| text(&format!("/proc/{pid}/task/{task}/children")));
    let lists: Vec<String> = lists.flatten().collect();
    match lists.is_empty() && !supported() {
        true => children_by_parent(pid),
        false => {
            let words = lists.iter().flat_map(|list| list.split_whitespace());
            words.filter_map(|child| child.parse().ok()).collect()
        }
    }
}

/// The text of a small file that does not know its size: the standard library would read it 32 bytes at a time.
fn text(path: &str) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        match file.read(&mut piece).ok()? {
            0 => return String::from_utf8(bytes).ok(),
            n => bytes.extend_from_slice(&piece[..n]),
        }
    }
}

/// Whether this kernel lists children (CONFIG_PROC_CHILDREN).
fn supported() -> bool {
    Path::new("/proc/thread-self/children").exists()
}

/// The same by looking at every process of the machine.
fn children_by_parent(parent: i32) -> Vec<i32> {
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let all = all.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    all.filter(|&pid| Stat::read(pid).is_some_and(|stat| stat.parent == parent)).collect()
}

/// The threads of a process.
fn tasks(pid: i32) -> Vec<i32> {
    let entries = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// What a family uses. Memory is what its members hold for themselves, and shared memory once for each that uses it:
/// the files that they have mapped, programs above all, are not theirs. Since that takes longer to find out, what
/// they have mapped is left in as long as it is not more than `memory_matters`.
pub(super) fn usage(family: &[ProcessEntry], memory_matters: u64) -> Usage {
    let mut sum = Usage::default();
    for (_, stat) in family {
        sum.processes += 1;
        sum.threads += stat.threads;
        sum.cpu += stat.cpu;
        sum.memory += stat.resident;
    }
    if sum.memory > memory_matters {
        sum.memory = family.iter().map(|(pid, _)| memory(*pid)).sum();
    }
    sum
}

/// Resident bytes that belong to the process.
fn memory(pid: i32) -> u64 {
    let status = text(&format!("/proc/{pid}/status")).unwrap_or_default();
    let own = status.lines().filter_map(|line| {
        line.strip_prefix("RssAnon:").or_else(|| line.strip_prefix("RssShmem:"))?.split_whitespace().next()
    });
    own.filter_map(|kibibytes| kibibytes.parse::<u64>().ok()).sum::<u64>() * 1024
}

/// The unit of time in `/proc/PID/stat`: a hundredth of a second on every machine that Palestra runs on.
const TICK_MS: u64 = 10;

/// The line of a process in `/proc/PID/stat`, as far as it matters here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stat {
    /// `R`, `S`, `Z`…
    pub(super) state: char,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// Used by itself and by the children that it has waited for.
    cpu: Duration,
    threads: u64,
    /// Bytes in memory, those of mapped files included.
    resident: u64,
}

impl Stat {
    pub(super) fn read(pid: i32) -> Option<Stat> {
        Stat::parse(&text(&format!("/proc/{pid}/stat"))?)
    }

    fn parse(line: &str) -> Option<Stat> {
        // The second word is a name in brackets, which may hold spaces and brackets of its own.
        let words: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
        let number = |index: usize| words.get(index)?.parse::<i64>().ok();
        let ticks = (11..15).map(number).sum::<Option<i64>>()?;
        Some(Stat {
            state: words.first()?.chars().next()?,
            parent: i32::try_from(number(1)?).ok()?,
            group: i32::try_from(number(2)?).ok()?,
            cpu: Duration::from_millis(u64::try_from(ticks).ok()? * TICK_MS),
            threads: u64::try_from(number(17)?).ok()?,
            resident: u64::try_from(number(21)?).ok()?.saturating_mul(rustix::param::page_size() as u64),
        })
    }
}

/// What the scheduler wrote down about every thread of some processes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct ThreadTimes {
    pub(super) thread: i32,
    /// Time on a processor.
    pub(super) ran: Duration,
    /// Time ready to run, and waiting for a processor.
    pub(super) waited: Duration,
}

/// The scheduler's account of all threads of these processes.
pub(super) fn thread_times(pids: &[i32]) -> Vec<ThreadTimes> {
    let threads = pids.iter().flat_map(|&pid| tasks(pid).into_iter().map(move |thread| (pid, thread)));
    let accounts =
        threads.filter_map(|(pid, thread)| account(thread, &format!("/proc/{pid}/task/{thread}/schedstat")));
    accounts.collect()
}

/// The scheduler's account of the thread that asks.
pub(super) fn own_thread_times() -> ThreadTimes {
    let thread = rustix::thread::gettid().as_raw_pid();
    account(thread, "/proc/thread-self/schedstat").unwrap_or_default()
}

fn account(thread: i32, path: &str) -> Option<ThreadTimes> {
    let text = text(path)?;
    let mut numbers = text.split_whitespace().map(|number| number.parse().map(Duration::from_nanos));
    Some(ThreadTimes { thread, ran: numbers.next()?.ok()?, waited: numbers.next()?.ok()? })
}

/// What lies in a folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FolderUsage {
    /// As the disk counts them: sparse files count what they use.
    pub(super) bytes: u64,
    /// Files and folders.
    pub(super) files: u64,
    /// Whether there is a folder that cannot be looked into.
    pub(super) closed: bool,
}

/// What lies in a folder and all below it.
pub(super) fn folder_usage(folder: &Path) -> FolderUsage {
    let mut stored = FolderUsage::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                stored.closed |= error.kind() != io::ErrorKind::NotFound;
                continue;
            }
        };
        for entry in entries.flatten() {
            // The entry itself and not what a link names.
            let Ok(found) = entry.metadata() else { continue };
            stored.bytes += found.blocks() * 512;
            stored.files += 1;
            if found.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    stored
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_stat_are_read_whatever_the_name() {
        let line = "42 (a) b (c) S 7 6 5 0 -1 4194304 100 0 0 0 150 50 20 30 20 0 3 0 1000 1 2 3";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.state, stat.parent, stat.group, stat.threads), ('S', 7, 6, 3));
        assert_eq!(stat.cpu, Duration::from_millis(2500));
        assert!(Stat::parse("").is_none() && Stat::parse("1 (x) S").is_none());
    }

    #[test]
    fn this_process_uses_something() {
        let own = std::process::id() as i32;
        let family = [(own, Stat::read(own).unwrap())];
        let (whole, own_memory) = (usage(&family, u64::MAX), usage(&family, 0).memory);
        assert!(whole.processes == 1 && whole.threads >= 1, "{whole:?}");
        assert!(own_memory > 100_000 && own_memory < whole.memory, "{own_memory} {whole:?}");
        assert!(thread_times(&[own]).iter().any(|thread| thread.ran > Duration::ZERO));
        assert!(own_thread_times().ran > Duration::ZERO);
    }
}
