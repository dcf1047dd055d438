//! The section `[programs]` of a plan: how opponents that are external programs are run.

use crate::keys::keys;
use palestra_arena::TimeControl;
use palestra_core::InputError;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

keys! {
    /// How opponents that are external programs are run. Displays as the section of a plan.
    pub struct ProgramConditions {
        /// Their clock, such as 60+0.5 or 1/move, which is the default.
        clock: Option<String> = None;
        /// Tolerance for late moves in milliseconds, 200 by default.
        margin_ms: Option<u32> = None;
        /// Whether they are started without a sandbox.
        unconfined: bool = false;
        /// Whether they are started where the kernel lacks a part of the sandbox.
        confine_as_possible: bool = false;
        /// Memory limit in megabytes, 1024 by default.
        memory_mb: Option<u32> = None, in 16..=1_048_576;
        /// Start-up limit in seconds, 10 by default.
        startup: Option<u32> = None, in 1..=600;
        /// Files and folders that they can read besides their own.
        read: Vec<String> = Vec::new() => "none";
        /// Content key of each program by its player string; a stored plan has them.
        keys: BTreeMap<String, String> = BTreeMap::new() => "none";
    }
}

impl ProgramConditions {
    /// The time control.
    pub fn control(&self) -> Result<TimeControl, InputError> {
        let mut control: TimeControl =
            self.clock.as_deref().map_or(Ok(TimeControl::default()), str::parse)?;
        if let Some(margin_ms) = self.margin_ms {
            control.margin = Duration::from_millis(u64::from(margin_ms));
        }
        Ok(control)
    }
}

impl fmt::Display for ProgramConditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n[programs]")?;
        if let Some(clock) = &self.clock {
            writeln!(f, "clock = {clock:?}")?;
        }
        for (key, value) in
            [("margin_ms", self.margin_ms), ("memory_mb", self.memory_mb), ("startup", self.startup)]
        {
            if let Some(value) = value {
                writeln!(f, "{key} = {value}")?;
            }
        }
        if !self.read.is_empty() {
            writeln!(f, "read = {:?}", self.read)?;
        }
        for (key, is_set) in
            [("unconfined", self.unconfined), ("confine_as_possible", self.confine_as_possible)]
        {
            if is_set {
                writeln!(f, "{key} = true")?;
            }
        }
        if !self.keys.is_empty() {
            writeln!(f, "\n[programs.keys]")?;
        }
        self.keys.iter().try_for_each(|(program, key)| writeln!(f, "{program:?} = {key:?}"))
    }
}
