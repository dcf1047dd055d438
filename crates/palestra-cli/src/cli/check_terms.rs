//! The clock and the limits that engines are checked with: those of the plan of an event, and the options.

use super::args_programs::ProgramArgs;
use super::plan_file;
use super::tournament::{find_beside, limits_text};
use crate::games;
use palestra_arena::TimeControl;
use palestra_core::InputError;
use palestra_engine::ResourceLimits;
use palestra_review::event::control_of;
use palestra_tournament::{OLD_KEYS, ProgramLimits, TournamentPlan};
use serde_json::{Value, json};
use std::path::Path;

/// Reads them. Options replace what the plan says.
pub(super) fn read(
    plan: Option<&Path>,
    args: &ProgramArgs,
) -> Result<(TimeControl, ProgramLimits), InputError> {
    let mut plan = match plan {
        None => TournamentPlan::default(),
        Some(path) => {
            let mut plan = TournamentPlan::read(plan_file::read(path, &OLD_KEYS, &[])?, games())?;
            plan.program_limits.read.iter_mut().for_each(|read| find_beside(path, read));
            plan
        }
    };
    args.override_plan(&mut plan);
    Ok((control_of(&plan)?, plan.program_limits))
}

/// What engines were checked with, for the report.
pub(super) struct CheckTerms {
    pub(super) control: TimeControl,
    pub(super) limits: ResourceLimits,
}

impl CheckTerms {
    /// For a reader.
    pub(super) fn text(&self) -> String {
        let margin_ms = self.control.margin.as_millis();
        format!("clock {}, margin {margin_ms} ms; limits: {}", self.control, limits_text(&self.limits))
    }

    /// Adds them to the object of a check.
    pub(super) fn add_to(&self, object: &mut Value) {
        object["clock"] = json!(self.control.to_string());
        object["margin_ms"] = json!(self.control.margin.as_millis() as u64);
        object["limits"] = json!(self.limits);
    }
}
