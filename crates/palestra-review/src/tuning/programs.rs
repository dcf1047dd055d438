//! External programs among the opponents of a tuning plan.

use crate::event::hex;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_engine::ProgramSpec;
use palestra_tune::{StartPointSampler, TuningPlan};

/// The programs among the opponents of a plan, by their player strings.
pub fn programs_of(plan: &TuningPlan) -> Result<Vec<(String, ProgramSpec)>, InputError> {
    plan.objective.programs().into_iter().map(|text| Ok((text.to_owned(), text.parse()?))).collect()
}

/// Checks that the programs of a plan can play its games, and puts the keys of their content into the plan: a run with
/// other programs is another run.
pub fn identify_programs(plan: &mut TuningPlan, catalog: &'static Catalog) -> Result<(), InputError> {
    plan.programs.control()?;
    let games = StartPointSampler::new(catalog, plan.boards.clone())?.samples()?;
    let programs = programs_of(plan)?;
    plan.programs.keys.clear();
    for (text, program) in programs {
        let protocol = program.load()?;
        for game in &games {
            protocol.check(game, plan.opening_plies > 0, &program.options)?;
        }
        let key = program.content_key().map_err(|error| {
            let expected = format!("a program whose files can be read ({error})");
            InputError::new("player", &text, expected)
        })?;
        plan.programs.keys.insert(text, hex(&key));
    }
    Ok(())
}
