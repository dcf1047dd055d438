//! Why games that an event has in the store do not count when it goes on with another plan.

use crate::games;
use anyhow::Result;
use palestra_review::event::{
    EventEntrants, StoredPlan, board_of, control_of, open_boards, read_stored, terms_of,
};
use palestra_store::{EVENT, Run, Store};
use palestra_tournament::{GameConditions, TournamentPlan};

/// The event of a plan as it is in the store before the plan replaces it.
pub(super) fn before(store: &Store, plan: &TournamentPlan) -> Option<Run> {
    store.run(&plan.name).ok().filter(|run| run.kind == EVENT && run.name == plan.name)
}

/// What is different from the plan with which the games were played, as sentences.
pub(super) fn changes(before: &Run, plan: &TournamentPlan, terms: &GameConditions) -> Vec<String> {
    // A plan that this version cannot read is no reason to stop.
    let Ok((old, old_terms)) = conditions(before) else { return Vec::new() };
    let mut changes = Vec::new();
    if old_terms.version != terms.version {
        changes.push("none of them counts: another version of Palestra played them".to_owned());
    }
    if old_terms.clock != terms.clock {
        let clock = |terms: &GameConditions| match terms.clock.is_empty() {
            true => "none, without programs".to_owned(),
            false => terms.clock.clone(),
        };
        changes.push(format!(
            "none of them counts: the clock was {}, and is {}",
            clock(&old_terms),
            clock(terms)
        ));
    }
    if old.seed != plan.seed {
        changes.push(format!(
            "none of them counts: the seed was {}, and is {}, which draws other openings",
            old.seed, plan.seed
        ));
    }
    let openings =
        |plan: &TournamentPlan| -> Vec<u32> { plan.stages.iter().map(|stage| stage.opening_plies).collect() };
    if openings(&old) != openings(plan) {
        let listed = |plan| openings(plan).iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        changes.push(format!(
            "those with another number of opening plies do not count: it was {}, and is {}",
            listed(&old),
            listed(plan)
        ));
    }
    if old.stages.iter().map(|stage| &stage.boards).ne(plan.stages.iter().map(|stage| &stage.boards)) {
        changes.push("those on boards that the plan no longer has do not count".to_owned());
    }
    changes
}

fn conditions(run: &Run) -> Result<(TournamentPlan, GameConditions)> {
    let StoredPlan { plan, keys, .. } = read_stored(run, games())?;
    let boards = open_boards(&plan, games())?;
    let field = EventEntrants::of(&plan, board_of(&boards)?, Some(&keys))?;
    let terms = terms_of(&field, &control_of(&plan)?);
    Ok((plan, terms))
}
