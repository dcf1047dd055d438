//! What a program used at most.

use super::ResourceLimits;
use serde::{Deserialize, Serialize};

/// The most that a program used at a time, all its processes together unless stated otherwise, as its supervisor saw it
/// every 50 ms. The names are those of [`ResourceLimits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PeakUsage {
    /// Memory in bytes, without mapped files.
    pub memory: u64,
    /// Number of processes.
    pub processes: u64,
    /// Number of threads.
    pub threads: u64,
    /// Size of the whole scratch folder, in bytes.
    pub scratch_bytes: u64,
    /// Number of files and folders in the scratch folder.
    pub files: u64,
    /// Number of open files of one process.
    pub open_files: u64,
}

/// A peak beside its limit, in a unit for readers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UsedShare {
    pub(crate) unit: &'static str,
    pub(crate) used: u64,
    pub(crate) limit: u64,
    /// Whether it reached four fifths of the limit.
    pub(crate) is_close: bool,
}

impl PeakUsage {
    /// The larger of each.
    #[must_use]
    pub fn max(self, other: PeakUsage) -> PeakUsage {
        PeakUsage {
            memory: self.memory.max(other.memory),
            processes: self.processes.max(other.processes),
            threads: self.threads.max(other.threads),
            scratch_bytes: self.scratch_bytes.max(other.scratch_bytes),
            files: self.files.max(other.files),
            open_files: self.open_files.max(other.open_files),
        }
    }

    /// The larger of each of those that are known.
    pub(crate) fn max_known(first: Option<PeakUsage>, second: Option<PeakUsage>) -> Option<PeakUsage> {
        first.into_iter().chain(second).reduce(PeakUsage::max)
    }

    /// Every peak beside its limit.
    pub(crate) fn shares(&self, limits: &ResourceLimits) -> [UsedShare; 6] {
        [
            ("MiB of memory", self.memory, limits.memory, 20),
            ("processes", self.processes, limits.processes, 0),
            ("threads", self.threads, limits.threads, 0),
            ("MiB in the scratch folder", self.scratch_bytes, limits.scratch_bytes, 20),
            ("files in it", self.files, limits.files, 0),
            ("open files", self.open_files, limits.open_files, 0),
        ]
        .map(|(unit, used, limit, shift)| UsedShare {
            unit,
            used: used >> shift,
            limit: limit >> shift,
            is_close: u128::from(used) * 5 >= u128::from(limit) * 4,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_fifths_of_a_limit_are_close() {
        let limits = ResourceLimits::default();
        let close = |peak: PeakUsage| {
            let shares = peak.shares(&limits).into_iter().filter(|share| share.is_close);
            shares
                .map(|share| format!("{} of {} {}", share.used, share.limit, share.unit))
                .collect::<Vec<_>>()
        };
        let most = PeakUsage {
            memory: 819 << 20,
            processes: 25,
            threads: 204,
            scratch_bytes: 204 << 20,
            files: 7999,
            open_files: 204,
        };
        assert!(close(most).is_empty());
        assert_eq!(close(PeakUsage { memory: 820 << 20, ..most }), ["820 of 1024 MiB of memory"]);
        assert_eq!(close(PeakUsage { processes: 26, ..most }), ["26 of 32 processes"]);
        assert_eq!(close(PeakUsage { threads: 205, ..most }), ["205 of 256 threads"]);
        assert_eq!(
            close(PeakUsage { scratch_bytes: 205 << 20, ..most }),
            ["205 of 256 MiB in the scratch folder"]
        );
        assert_eq!(close(PeakUsage { files: 8000, ..most }), ["8000 of 10000 files in it"]);
        assert_eq!(close(PeakUsage { open_files: 205, ..most }), ["205 of 256 open files"]);
    }
}
