//! Options for external engines, the same in every command that plays with them.

use super::output::quoted;
use palestra_arena::TimeControl;
use palestra_core::InputError;
use palestra_tournament::{ProgramLimits, TournamentPlan};
use palestra_tune::ProgramConditions;

/// Heading of [`ProgramArgs`] in the help. It is set on each argument, as that of the common options is.
const HEADING: &str = "External engines";

/// Clock and limits of external engines.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct ProgramArgs {
    /// Clock of external engines [default: 1/move]
    #[arg(long, value_name = "CLOCK", help_heading = HEADING)]
    pub(crate) clock: Option<String>,
    /// Tolerance for late moves in milliseconds [default: 200]
    #[arg(long, value_name = "N", help_heading = HEADING)]
    pub(crate) margin_ms: Option<u32>,
    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,
}

/// Limits of external engines.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct SandboxArgs {
    /// Start engines without a sandbox: only for programs you trust
    #[arg(long, help_heading = HEADING)]
    pub(crate) unconfined: bool,
    /// Start engines with the parts of the sandbox that this kernel has, where it lacks others
    #[arg(long, help_heading = HEADING, conflicts_with = "unconfined")]
    pub(crate) confine_as_possible: bool,
    /// Memory limit of an engine, in megabytes [default: 1024]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(16..=1_048_576),
        help_heading = HEADING
    )]
    pub(crate) memory_mb: Option<u32>,
    /// Start-up limit of an engine, in seconds [default: 10]
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=600),
        help_heading = HEADING
    )]
    pub(crate) startup: Option<u32>,
    /// A file or folder that engines can read besides their own; may be repeated
    #[arg(long, value_name = "PATH", help_heading = HEADING)]
    pub(crate) read: Vec<String>,
}

impl ProgramArgs {
    /// The same as the section of a tuning plan, whose other keys stay.
    pub(crate) fn override_section(&self, section: &mut ProgramConditions) {
        let SandboxArgs { unconfined, confine_as_possible, memory_mb, startup, read } = &self.sandbox;
        section.clock = self.clock.clone().or_else(|| section.clock.take());
        section.margin_ms = self.margin_ms.or(section.margin_ms);
        section.unconfined |= *unconfined;
        section.confine_as_possible |= *confine_as_possible;
        section.memory_mb = memory_mb.or(section.memory_mb);
        section.startup = startup.or(section.startup);
        add_missing(&mut section.read, read);
    }

    /// The same for the plan of an event.
    pub(crate) fn override_plan(&self, plan: &mut TournamentPlan) {
        plan.clock = self.clock.clone().or_else(|| plan.clock.take());
        plan.margin_ms = self.margin_ms.map_or(plan.margin_ms, u64::from);
        self.sandbox.override_limits(&mut plan.program_limits);
    }

    /// The options of a section.
    pub(crate) fn of_section(section: &ProgramConditions) -> ProgramArgs {
        let ProgramConditions {
            clock,
            margin_ms,
            unconfined,
            confine_as_possible,
            memory_mb,
            startup,
            read,
            keys: _,
        } = section.clone();
        let sandbox = SandboxArgs { unconfined, confine_as_possible, memory_mb, startup, read };
        ProgramArgs { clock, margin_ms, sandbox }
    }

    /// The options that were given, each after a blank: for the command that continues.
    pub(crate) fn given(&self) -> String {
        let option = |name: &str, value: Option<String>| {
            value.map_or_else(String::new, |value| format!(" --{name} {}", quoted(&value)))
        };
        let SandboxArgs { unconfined, confine_as_possible, memory_mb, startup, read } = &self.sandbox;
        let flag = |name: &str, is_given: bool| if is_given { format!(" --{name}") } else { String::new() };
        let read = read.iter().map(|path| option("read", Some(path.clone()))).collect();
        [
            option("clock", self.clock.clone()),
            option("margin-ms", self.margin_ms.map(|n| n.to_string())),
            flag("unconfined", *unconfined),
            flag("confine-as-possible", *confine_as_possible),
            option("memory-mb", memory_mb.map(|n| n.to_string())),
            option("startup", startup.map(|n| n.to_string())),
            read,
        ]
        .concat()
    }

    /// The time control of a command without a plan.
    pub(crate) fn control(&self) -> Result<TimeControl, InputError> {
        ProgramConditions { clock: self.clock.clone(), margin_ms: self.margin_ms, ..Default::default() }
            .control()
    }
}

impl SandboxArgs {
    /// Replaces the limits of a plan for which there is an option.
    pub(crate) fn override_limits(&self, limits: &mut ProgramLimits) {
        limits.unconfined |= self.unconfined;
        limits.confine_as_possible |= self.confine_as_possible;
        limits.memory_mb = self.memory_mb.map_or(limits.memory_mb, u64::from);
        add_missing(&mut limits.read, &self.read);
    }
}

/// Adds the texts that are not in a list yet.
pub(crate) fn add_missing(list: &mut Vec<String>, more: &[String]) {
    for text in more {
        if !list.contains(text) {
            list.push(text.clone());
        }
    }
}
