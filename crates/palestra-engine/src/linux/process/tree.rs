//! A process and its descendants, as `/proc` shows them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

/// What a set of processes uses now; memory in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Usage {
    pub(super) processes: u64,
    pub(super) threads: u64,
    pub(super) memory: u64,
    pub(super) cpu: Duration,
}

/// A process number and the process's line in `/proc`.
pub(super) type ProcessEntry = (i32, Stat);

/// The descendants of a process, without itself and at most `max` of them. A process that ends during the call may be
/// missing.
pub(super) fn descendant_entries(root: i32, max: usize) -> Vec<ProcessEntry> {
    let mut entries: Vec<ProcessEntry> = Vec::new();
    let mut known = BTreeSet::from([root]);
    let mut parents = vec![(root, Stat::read(root).map_or(1, |stat| stat.threads))];
    while let Some((parent, threads)) = parents.pop() {
        for child in children(parent, threads) {
            if entries.len() == max {
                return entries;
            }
            // A process can get another parent between two reads, and must not be counted twice.
            if let (true, Some(stat)) = (known.insert(child), Stat::read(child)) {
                entries.push((child, stat));
                parents.push((child, stat.threads));
            }
        }
    }
    entries
}

/// The process numbers of all descendants of a process.
pub(super) fn descendants(root: i32) -> Vec<i32> {
    descendant_entries(root, usize::MAX).into_iter().map(|(pid, _)| pid).collect()
}

/// The children of a process: of all its threads, since a child belongs to the thread that started it.
fn children(pid: i32, threads: u64) -> Vec<i32> {
    let tasks = if threads == 1 { vec![pid] } else { tasks(pid) };
    let lists = tasks.into_iter().map(|task| text(&format!("/proc/{pid}/task/{task}/children")));
    let lists: Vec<String> = lists.flatten().collect();
    match lists.is_empty() && !has_children_files() {
        true => children_by_parent(pid),
        false => {
            let words = lists.iter().flat_map(|list| list.split_whitespace());
            words.filter_map(|child| child.parse().ok()).collect()
        }
    }
}

/// The text of a small file in `/proc`. Such files report size 0, and the standard library would read 32 bytes at a
/// time.
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

/// Whether this kernel lists children (`CONFIG_PROC_CHILDREN`).
fn has_children_files() -> bool {
    Path::new("/proc/thread-self/children").exists()
}

/// The children of a process, found by reading every process of the machine.
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

/// The sums over some processes. Memory is their private memory, plus shared memory once for each process that uses it;
/// mapped files, such as the program itself, do not count. Leaving them out takes longer, so it is only done where
/// resident memory, mapped files included, exceeds `known_memory`.
pub(super) fn usage(entries: &[ProcessEntry], known_memory: u64) -> Usage {
    let mut sum = Usage::default();
    for (_, stat) in entries {
        sum.processes += 1;
        sum.threads += stat.threads;
        sum.cpu += stat.cpu;
        sum.memory += stat.resident;
    }
    if sum.memory > known_memory {
        sum.memory = entries.iter().map(|(pid, _)| memory(*pid)).sum();
    }
    sum
}

/// The largest number of open files of one of some processes.
pub(super) fn open_files(entries: &[ProcessEntry]) -> u64 {
    let of_process = |(pid, _): &ProcessEntry| {
        let folder = format!("/proc/{pid}/fd");
        // Linux 6.2 and later give the number as the size of the folder.
        match fs::metadata(&folder).map_or(0, |metadata| metadata.size()) {
            0 => fs::read_dir(folder).map_or(0, |files| files.count() as u64),
            n => n,
        }
    };
    entries.iter().map(of_process).max().unwrap_or(0)
}

/// Processor time of some processes and of the children that they have waited for. The scheduler's record of the threads
/// that run is exact; that of ended threads is rounded to [`TICK_MS`].
pub(super) fn processor_time(entries: &[ProcessEntry]) -> Duration {
    let of_process = |(pid, stat): &ProcessEntry| {
        let threads: Duration = thread_times(&[*pid]).iter().map(|thread| thread.ran).sum();
        stat.children_cpu + threads.max(stat.cpu - stat.children_cpu)
    };
    entries.iter().map(of_process).sum()
}

/// Resident bytes of a process without mapped files.
fn memory(pid: i32) -> u64 {
    status_bytes(pid, &["RssAnon:", "RssShmem:"])
}

/// The largest number of bytes that one of some processes has allocated, in use or not: what the kernel's limit on data
/// counts. Only processes with an address space of at least `least` bytes are looked at; 0 where there is none.
pub(super) fn allocated(entries: &[ProcessEntry], least: u64) -> u64 {
    let large = entries.iter().filter(|(_, stat)| stat.size >= least);
    large.map(|(pid, _)| status_bytes(*pid, &["VmData:"])).max().unwrap_or(0)
}

/// The sum of some lines of a process's status, which are in kibibytes.
fn status_bytes(pid: i32, names: &[&str]) -> u64 {
    let status = text(&format!("/proc/{pid}/status")).unwrap_or_default();
    let numbers = status.lines().filter_map(|line| {
        names.iter().find_map(|name| line.strip_prefix(name))?.split_whitespace().next()?.parse::<u64>().ok()
    });
    numbers.sum::<u64>() * 1024
}

/// The unit of time in `/proc/PID/stat`: 10 ms on every machine that Palestra runs on.
const TICK_MS: u64 = 10;

/// The fields of `/proc/PID/stat` that are needed here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stat {
    /// `R`, `S`, `Z`…
    pub(super) state: char,
    pub(super) parent: i32,
    pub(super) group: i32,
    /// Processor time of the process and of the children that it has waited for.
    cpu: Duration,
    /// The part of it that those children used.
    children_cpu: Duration,
    threads: u64,
    /// Bytes of the address space.
    size: u64,
    /// Resident bytes, those of mapped files included.
    resident: u64,
}

impl Stat {
    pub(super) fn read(pid: i32) -> Option<Stat> {
        Stat::parse(&text(&format!("/proc/{pid}/stat"))?)
    }

    fn parse(line: &str) -> Option<Stat> {
        // The second field is a name in parentheses, which may itself contain blanks and parentheses.
        let words: Vec<&str> = line.rsplit_once(") ")?.1.split(' ').collect();
        let number = |index: usize| words.get(index)?.parse::<i64>().ok();
        let time = |fields: std::ops::Range<usize>| {
            let ticks = fields.map(number).sum::<Option<i64>>()?;
            Some(Duration::from_millis(u64::try_from(ticks).ok()? * TICK_MS))
        };
        Some(Stat {
            state: words.first()?.chars().next()?,
            parent: i32::try_from(number(1)?).ok()?,
            group: i32::try_from(number(2)?).ok()?,
            cpu: time(11..15)?,
            children_cpu: time(13..15)?,
            threads: u64::try_from(number(17)?).ok()?,
            // It exceeds the range of the other numbers for processes that reserve nearly all addresses.
            size: words.get(20)?.parse().ok()?,
            resident: u64::try_from(number(21)?).ok()?.saturating_mul(rustix::param::page_size() as u64),
        })
    }
}

/// The scheduler's record of a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(super) struct ThreadTimes {
    pub(super) thread: i32,
    /// Time on a processor.
    pub(super) ran: Duration,
    /// Time ready to run and waiting for a processor.
    pub(super) waited: Duration,
}

/// The scheduler's records of all threads of these processes.
pub(super) fn thread_times(pids: &[i32]) -> Vec<ThreadTimes> {
    let threads = pids.iter().flat_map(|&pid| tasks(pid).into_iter().map(move |thread| (pid, thread)));
    let times = threads
        .filter_map(|(pid, thread)| read_schedstat(thread, &format!("/proc/{pid}/task/{thread}/schedstat")));
    times.collect()
}

/// Whether a thread of these processes runs or is ready to run.
pub(super) fn has_runnable_thread(pids: &[i32]) -> bool {
    let mut threads = pids.iter().flat_map(|&pid| tasks(pid).into_iter().map(move |thread| (pid, thread)));
    threads.any(|(pid, thread)| {
        let stat = text(&format!("/proc/{pid}/task/{thread}/stat")).and_then(|line| Stat::parse(&line));
        stat.is_some_and(|stat| stat.state == 'R')
    })
}

/// The scheduler's record of the calling thread.
pub(super) fn own_thread_times() -> ThreadTimes {
    let thread = rustix::thread::gettid().as_raw_pid();
    read_schedstat(thread, "/proc/thread-self/schedstat").unwrap_or_default()
}

fn read_schedstat(thread: i32, path: &str) -> Option<ThreadTimes> {
    let text = text(path)?;
    let mut numbers = text.split_whitespace().map(|number| number.parse().map(Duration::from_nanos));
    Some(ThreadTimes { thread, ran: numbers.next()?.ok()?, waited: numbers.next()?.ok()? })
}

/// The contents of a folder and its subfolders.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FolderUsage {
    /// Bytes on the disk: a sparse file counts the blocks that it uses.
    pub(super) bytes: u64,
    /// Number of files and folders.
    pub(super) files: u64,
    /// Whether a folder cannot be read.
    pub(super) unreadable: bool,
}

/// Measures a folder and its subfolders.
pub(super) fn folder_usage(folder: &Path) -> FolderUsage {
    let mut usage = FolderUsage::default();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) => {
                usage.unreadable |= error.kind() != io::ErrorKind::NotFound;
                continue;
            }
        };
        for entry in entries.flatten() {
            // `DirEntry::metadata` does not follow links.
            let Ok(metadata) = entry.metadata() else { continue };
            usage.bytes += metadata.blocks() * 512;
            usage.files += 1;
            if metadata.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    usage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stat_lines_are_read_with_any_process_name() {
        let line = "42 (a) b (c) S 7 6 5 0 -1 4194304 100 0 0 0 150 50 20 30 20 0 3 0 1000 1 2 3";
        let stat = Stat::parse(line).unwrap();
        assert_eq!((stat.state, stat.parent, stat.group, stat.threads), ('S', 7, 6, 3));
        assert_eq!((stat.cpu, stat.children_cpu), (Duration::from_millis(2500), Duration::from_millis(500)));
        assert!(Stat::parse("").is_none() && Stat::parse("1 (x) S").is_none());
    }

    #[test]
    fn this_process_has_usage() {
        let own = std::process::id() as i32;
        let entries = [(own, Stat::read(own).unwrap())];
        let (whole, own_memory) = (usage(&entries, u64::MAX), usage(&entries, 0).memory);
        assert!(whole.processes == 1 && whole.threads >= 1, "{whole:?}");
        assert!(own_memory > 100_000 && own_memory < whole.memory, "{own_memory} {whole:?}");
        assert!(allocated(&entries, 0) > 100_000 && allocated(&entries, u64::MAX) == 0);
        assert!(open_files(&entries) >= 3);
        assert!(thread_times(&[own]).iter().any(|thread| thread.ran > Duration::ZERO));
        assert!(own_thread_times().ran > Duration::ZERO);
    }
}
