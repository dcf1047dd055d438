//! SKELETON: a turn takes one to three counters from a heap; the player who takes the last one wins.

mod features;
mod rules;
#[cfg(test)]
mod tests;
mod text;

pub use rules::{SkeletonGame, SkeletonMove, SkeletonPosition};

use features::Rest;
use palestra_core::{
    EvaluationInfo, EvaluationVisitor, Family, FamilyInfo, GameVisitor, InputError, Playable, whole_number,
};

/// Largest heap.
const MAX_COUNTERS: u8 = 99;

/// Counters of a game string without parameters.
const DEFAULT_COUNTERS: u8 = 21;

/// Heaps of every size.
#[derive(Debug)]
pub struct SkeletonFamily;

impl Family for SkeletonFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "skeleton",
        title: "SKELETON: take counters, take the last one",
        syntax: "skeleton[:COUNTERS]",
        aliases: &[],
        rules: include_str!("rules.txt"),
        parameters: &[("COUNTERS", "counters at the start, 1 to 99 (default: 21)")],
        notation: include_str!("notation.txt"),
        exact: "",
        players: include_str!("players.txt"),
        pools: &[],
        // The default first, then the special ones: smallest, lost for the first player, largest.
        samples: &["skeleton:21", "skeleton:1", "skeleton:4", "skeleton:99"],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        longest_game: MAX_COUNTERS as u32,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        Ok(visitor.visit(SkeletonGame::parse(parameters)?))
    }
}

impl SkeletonGame {
    fn parse(parameters: &str) -> Result<SkeletonGame, InputError> {
        if parameters.is_empty() {
            return Ok(SkeletonGame { n_counters: DEFAULT_COUNTERS });
        }
        let key = || format!("counters of \"skeleton:{parameters}\"");
        let n_counters = whole_number(parameters, 1..=u32::from(MAX_COUNTERS), key)? as u8;
        Ok(SkeletonGame { n_counters })
    }
}

impl Playable for SkeletonGame {
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        &[EvaluationInfo {
            name: "rest",
            about: "the counters left, and their remainder by four on each side's turn",
        }]
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "rest" => visitor.linear(Rest::new(self)),
            _ => return None,
        })
    }

    fn opponent(&self) -> String {
        "alphabeta:depth=4/rest/0,1,-1".to_owned()
    }
}
