//! Stops the processes of an engine while it is not to move, and keeps them to the time of one core while it is.
//!
//! Without the first, an engine could think in its opponent's time and take processors from other games; without the
//! second, it could do the latter with children in its own time.

use super::cgroup::Cgroup;
use super::tree::{descendant_entries, processor_time};
use rustix::process::{Pid, Signal, kill_process_group};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Time between two looks at the processor time of an engine that is to move.
const PERIOD: Duration = Duration::from_millis(25);

/// Processor time beyond that of one core that is tolerated, since it is not measured exactly.
const TOLERANCE: Duration = Duration::from_millis(10);

/// Rounds of stopping processes that can leave their group.
const MAX_ROUNDS: usize = 10;

/// Stops and continues the processes of one engine.
#[derive(Debug)]
pub(super) struct Freezer {
    supervisor: i32,
    cgroup: Option<Cgroup>,
    /// Whether it is known that the engine has joined it.
    has_joined: bool,
    /// Whether a process can leave the group of its parent: of an engine that is not confined.
    can_leave_group: bool,
    /// The group of an engine that cannot leave it, once it is known.
    group: Option<Pid>,
    is_frozen: bool,
    share: CoreShare,
}

/// The processor time of an engine since the last line that was sent to it.
#[derive(Debug)]
struct CoreShare {
    /// When to look next.
    due: Instant,
    /// Instant and processor time of the first look.
    first: Option<(Instant, Duration)>,
    /// Whether the engine is stopped until `due` because it has used more than one core.
    is_exceeded: bool,
}

impl CoreShare {
    fn new() -> CoreShare {
        CoreShare { due: Instant::now() + PERIOD, first: None, is_exceeded: false }
    }
}

impl Freezer {
    pub(super) fn new(supervisor: Pid, cgroup: Option<Cgroup>, can_leave_group: bool) -> Freezer {
        let supervisor = supervisor.as_raw_pid();
        let share = CoreShare::new();
        let (group, has_joined, is_frozen) = (None, false, false);
        Freezer { supervisor, cgroup, has_joined, can_leave_group, group, is_frozen, share }
    }

    /// Stops all processes of the engine.
    pub(super) fn freeze(&mut self) {
        if self.is_frozen {
            return;
        }
        if !self.has_joined {
            // A group that the engine could not join is of no use.
            self.cgroup = self.cgroup.take().filter(Cgroup::has_processes);
            self.has_joined = true;
        }
        self.is_frozen = match &self.cgroup {
            Some(cgroup) => cgroup.set_frozen(true).is_ok(),
            None => self.stop_groups(),
        };
    }

    /// Lets them run.
    pub(super) fn thaw(&mut self) {
        self.share.is_exceeded = false;
        if !self.is_frozen {
            return;
        }
        self.is_frozen = false;
        match &self.cgroup {
            Some(cgroup) => drop(cgroup.set_frozen(false)),
            None => self.signal_groups(Signal::CONT, &self.groups()),
        }
    }

    /// A line was sent: the engine is to move, and its share of a core begins anew.
    pub(super) fn restart(&mut self) {
        self.thaw();
        self.share = CoreShare::new();
    }

    /// An answer is waited for.
    pub(super) fn resume(&mut self) {
        if !self.share.is_exceeded {
            self.thaw();
        }
    }

    /// When [`Freezer::check_share`] is to be called next.
    pub(super) fn due(&self) -> Instant {
        self.share.due
    }

    /// Stops the engine for as long as it has run more than one core would have, and lets it run again afterwards.
    pub(super) fn check_share(&mut self) {
        let now = Instant::now();
        if now < self.share.due {
            return;
        }
        self.thaw();
        let used = processor_time(&descendant_entries(self.supervisor, usize::MAX));
        let (since, used_then) = *self.share.first.get_or_insert((now, used));
        let excess = used.saturating_sub(used_then).saturating_sub(now.saturating_duration_since(since));
        self.share.due = now + PERIOD;
        if excess > TOLERANCE {
            self.freeze();
            self.share.is_exceeded = true;
            self.share.due = now + excess;
        }
    }

    /// The groups of the engine's processes that run.
    fn groups(&self) -> BTreeSet<i32> {
        if let Some(group) = self.group {
            return BTreeSet::from([group.as_raw_pid()]);
        }
        let entries = descendant_entries(self.supervisor, usize::MAX);
        entries.iter().map(|(_, stat)| stat.group).filter(|group| *group != self.supervisor).collect()
    }

    fn signal_groups(&self, signal: Signal, groups: &BTreeSet<i32>) {
        for group in groups.iter().copied().filter_map(Pid::from_raw) {
            // It may have ended.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Stops all groups of the engine; returns whether there is one.
    fn stop_groups(&mut self) -> bool {
        let mut stopped = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let groups = self.groups();
            self.signal_groups(Signal::STOP, &groups);
            // One signal stops a whole group, so that no fork escapes; a new group may have been made meanwhile.
            let has_more = !groups.is_subset(&stopped);
            stopped.extend(groups);
            if !self.can_leave_group {
                self.group = stopped.first().copied().and_then(Pid::from_raw);
                break;
            }
            if !has_more {
                break;
            }
        }
        !stopped.is_empty()
    }
}
