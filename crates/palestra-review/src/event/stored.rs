//! The plan of an event as the store holds it.

use super::LeftOutPlayer;
use super::entrants::EventEntrants;
use crate::ReviewError;
use palestra_arena::Catalog;
use palestra_settings::Document;
use palestra_store::{EVENT, NewRun, Run};
use palestra_tournament::TournamentPlan;
use std::collections::BTreeMap;

/// Version of the rules of play; it changes whenever the same game would be played differently.
pub(super) const ENGINE: &str = "palestra event 1";

/// An event for the store, with the players that were left out of it.
#[must_use]
pub fn new_event(plan: &TournamentPlan, field: &EventEntrants, left_out: &[LeftOutPlayer]) -> NewRun {
    NewRun {
        stem: plan.name.clone(),
        kind: EVENT.to_owned(),
        plan: stored_plan(plan.to_string(), field, left_out),
        old_plan: Some(stored_plan(plan.old_spelling(), field, left_out)),
        seed: plan.seed,
        version: ENGINE.to_owned(),
        weights: Vec::new(),
    }
}

/// The plan with the content keys of its programs, so that the event can be reviewed without their files, and with the
/// players that were left out, so that an interrupted event does not forget them.
fn stored_plan(mut text: String, field: &EventEntrants, left_out: &[LeftOutPlayer]) -> String {
    let programs = field.entrants.iter().zip(&field.programs).filter(|(_, program)| program.is_some());
    let keys: Vec<String> = programs
        .map(|(entrant, _)| {
            format!("{} = \"{}\"\n", serde_json::Value::from(entrant.name.as_str()), hex(&entrant.key))
        })
        .collect();
    if !keys.is_empty() {
        text.push_str(&format!("\n[{KEYS}]\n{}", keys.concat()));
    }
    if !left_out.is_empty() {
        let sections = toml::to_string(&BTreeMap::from([(LEFT_OUT, left_out)]));
        text.push_str(&format!("\n{}", sections.expect("texts can be written as TOML")));
    }
    text
}

/// The section of a stored plan with the content keys of its programs.
const KEYS: &str = "keys";

/// The sections of a stored plan with the players that were left out.
const LEFT_OUT: &str = "left_out";

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The content keys of the programs of an event, by the names of their entrants.
pub type ProgramKeys = Vec<(String, [u8; 32])>;

/// The plan of an event as the store has it.
#[derive(Clone, Debug)]
pub struct StoredPlan {
    /// The plan.
    pub plan: TournamentPlan,
    /// The content keys of its programs.
    pub keys: ProgramKeys,
    /// The players that were left out.
    pub left_out: Vec<LeftOutPlayer>,
}

/// The plan of an event in the store.
pub fn read_stored(run: &Run, catalog: &'static Catalog) -> Result<StoredPlan, ReviewError> {
    let mut plan = Document::parse(&run.plan, &format!("the plan of {}", run.name))?;
    let keys: BTreeMap<String, String> = plan.take(KEYS)?.unwrap_or_default();
    let keys = keys.into_iter().map(|(name, key)| (name, bytes_of(&key))).collect();
    let left_out = plan.take(LEFT_OUT)?.unwrap_or_default();
    Ok(StoredPlan { plan: TournamentPlan::read(plan, catalog)?, keys, left_out })
}

fn bytes_of(hex: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (byte, digits) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)) {
        *byte =
            std::str::from_utf8(digits).ok().and_then(|text| u8::from_str_radix(text, 16).ok()).unwrap_or(0);
    }
    bytes
}
