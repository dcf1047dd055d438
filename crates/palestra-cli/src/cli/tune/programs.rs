//! External programs among the opponents of a tuning run.

use crate::cli::args::CommonArgs;
use crate::cli::args_programs::ProgramArgs;
use crate::cli::programs::ProgramHost;
use crate::games;
use anyhow::Result;
use palestra_core::CancelFlag;
use palestra_engine::ProgramSpec;
use palestra_review::tuning::programs_of;
use palestra_tune::{OpponentProgram, ProgramConditions, StartPointSampler, TuningPlan};
use std::collections::BTreeMap;

/// Prepares and checks the programs of a plan, by their player strings.
pub(super) fn open(
    plan: &TuningPlan,
    has_preflight: bool,
    common: &CommonArgs,
    stop: &CancelFlag,
) -> Result<BTreeMap<String, OpponentProgram>> {
    let programs = programs_of(plan)?;
    if programs.is_empty() {
        return Ok(BTreeMap::new());
    }
    let specs: Vec<&ProgramSpec> = programs.iter().map(|(_, program)| program).collect();
    let host = ProgramHost::new(&specs, &ProgramArgs::of_section(&plan.programs), common, stop)?;
    if has_preflight {
        let board = StartPointSampler::new(games(), plan.boards.clone())?.samples()?.swap_remove(0);
        let game = games().open(&board)?;
        programs.iter().try_for_each(|(_, program)| host.preflight(program, game.as_ref()))?;
    }
    // Stored results are those of the same content under the same conditions.
    let conditions = ProgramConditions { keys: BTreeMap::new(), ..plan.programs.clone() }.to_string();
    programs
        .into_iter()
        .map(|(text, program)| {
            let content = program.content_key()?;
            let key = palestra_store::hash(&[&content[..], conditions.as_bytes()].concat());
            Ok((text, OpponentProgram { player: host.player(&program), key: *key.as_bytes() }))
        })
        .collect()
}
