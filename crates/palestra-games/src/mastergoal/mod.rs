//! Mastergoal: football on a board. A turn is a move of a piece and the chain of kicks that follows.

mod exact;
mod features;
mod field;
mod kicks;
#[cfg(test)]
mod plain;
mod rules;
#[cfg(test)]
mod tests;
mod text;
mod turn_board;
mod turns;

pub use field::Square;
pub use rules::{Mastergoal, Position, Turn};

use features::{Level1Features, Level3Features};
use palestra_core::{
    EvaluationInfo, EvaluationVisitor, ExactVisitor, Family, FamilyInfo, GameOptions, GameVisitor,
    InputError, Playable, whole_number,
};
use rules::MastergoalLevel;

/// Largest turn limit of a game.
const MAX_TURNS: u16 = 1000;

/// The family of Mastergoal games: four levels with options.
#[derive(Debug)]
pub struct MastergoalFamily;

impl Family for MastergoalFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "mastergoal",
        title: "Mastergoal: football in turns, a move and a chain of kicks",
        syntax: "mastergoal:LEVEL[,goals=N][,limit=TURNS][,keeper=ROW][,claim=no]",
        aliases: &[],
        rules: include_str!("rules.txt"),
        parameters: &[
            ("LEVEL", "1 (one piece a side), 2 (two), 2+1 (two and a keeper) or 3 (four and a keeper)"),
            ("goals", "goals that win, 1 to 9 (default 1, as in the study; the printed game has 2)"),
            (
                "limit",
                "turns of both sides together after which the game ends, 1 to 1000 (default 40; 60 with keepers)",
            ),
            ("keeper", "row of the keepers at kick-off, 2 or 3 (default 3)"),
            (
                "claim",
                "whether a neutral ball in the own half must be taken if possible: yes or no (default yes)",
            ),
        ],
        notation: include_str!("notation.txt"),
        exact: "0 if neither side can force a win, otherwise 1000 minus the plies until the win; positive if the side to move wins, negative if it loses. Level 1 with one or two goals",
        players: include_str!("players.txt"),
        pools: &[],
        samples: &[
            "mastergoal:1",
            "mastergoal:2",
            "mastergoal:2+1",
            "mastergoal:3",
            "mastergoal:1,goals=2,limit=100",
            "mastergoal:3,goals=3,limit=200,keeper=2,claim=no",
            "mastergoal:2+1,limit=1",
        ],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        longest_game: MAX_TURNS as u32,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        Ok(visitor.visit(parse(parameters)?))
    }
}

fn parse(text: &str) -> Result<Mastergoal, InputError> {
    let whole = format!("mastergoal:{text}");
    let options = GameOptions::parse(text, &["goals", "limit", "keeper", "claim"], &whole)?;
    let level = MastergoalLevel::parse(options.head, &whole)?;
    let number = |key: &str, bounds, default| match options.value(key) {
        None => Ok(default),
        Some(value) => whole_number(value, bounds, || format!("{key} of \"{whole}\"")),
    };
    let claim = options.choice("claim", &["yes", "no"], &whole)?;
    let keeper_row = number("keeper", 2..=3, 3)? as u8;
    Ok(Mastergoal {
        level,
        goals: number("goals", 1..=9, 1)? as u8,
        limit: number("limit", 1..=u32::from(MAX_TURNS), u32::from(level.usual_limit()))? as u16,
        // Without keepers the option has no effect, and the canonical game string leaves it out.
        keeper_row: if level.has_keeper() { keeper_row } else { 3 },
        must_claim: claim != Some(1),
    })
}

impl Playable for Mastergoal {
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        const LEVEL_1: EvaluationInfo = EvaluationInfo {
            name: "level1",
            about: "the study's eight features for one piece a side: advances, distances and columns to the ball",
        };
        const LEVEL_3: EvaluationInfo = EvaluationInfo {
            name: "level3",
            about: "the study's twenty-four features for five pieces a side",
        };
        match self.level {
            MastergoalLevel::One | MastergoalLevel::Two => &[LEVEL_1, LEVEL_3],
            MastergoalLevel::TwoPlusOne | MastergoalLevel::Three => &[LEVEL_3, LEVEL_1],
        }
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "level1" => visitor.linear(Level1Features::new()),
            "level3" => visitor.linear(Level3Features::new()),
            _ => return None,
        })
    }

    /// Only level 1, with one piece a side, has few enough positions.
    fn exact<V: ExactVisitor<Self>>(&self, visitor: V) -> Option<V::Out> {
        (self.level == MastergoalLevel::One).then(|| visitor.graph(exact::MastergoalGraph))
    }

    fn opponent(&self) -> String {
        // Moves within a second; the weights are those of the named players `drawn-level1` and `hand-level3`.
        let drawn = "level1/6.8,-5.2,-1.1,-2.9,4.3,-0.8,0.9,0";
        let hand = "level3/10,-2,-1,-1,1,0,0,0,0,2,1,1,-1,0,0,0,0,0,0,5,0,0,0,0";
        match self.level {
            MastergoalLevel::One => format!("alphabeta:depth=4/{drawn}"),
            MastergoalLevel::Two => format!("alphabeta:depth=3/{drawn}"),
            MastergoalLevel::TwoPlusOne | MastergoalLevel::Three => format!("alphabeta:depth=2/{hand}"),
        }
    }
}
