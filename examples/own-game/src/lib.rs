//! Breakthrough: pawns walk ahead and capture diagonally; a pawn on the last row wins.

mod features;
mod rules;
mod text;

pub use rules::{Board, Breakthrough, PawnMove};

use features::{Phases, Progress, Squares};
use palestra::arena::{Catalog, CatalogEntry};
use palestra::core::{
    EvaluationInfo, EvaluationVisitor, Family, FamilyInfo, GameVisitor, InputError, Playable, whole_number,
};

/// The games of this program.
pub static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<BreakthroughFamily>()]);

/// Square boards of every size.
#[derive(Debug)]
pub struct BreakthroughFamily;

impl Family for BreakthroughFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "breakthrough",
        title: "Breakthrough: the first pawn on the last row wins",
        syntax: "breakthrough[:SIDE]",
        aliases: &[],
        rules: include_str!("rules.txt"),
        parameters: &[("SIDE", "squares in a row, 4 to 8 (default: 8)")],
        notation: include_str!("notation.txt"),
        exact: "",
        players: include_str!("players.txt"),
        pools: &[],
        samples: &["breakthrough:8", "breakthrough:4", "breakthrough:5"],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        // Every move brings a pawn one row ahead: 16 pawns of each side, 6 rows before the last.
        longest_game: 2 * 16 * 7,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        let side = match parameters {
            "" => 8,
            text => {
                let key = || format!("side of \"breakthrough:{text}\"");
                whole_number(text, 4..=8, key)? as u8
            }
        };
        Ok(visitor.visit(Breakthrough::new(side)))
    }
}

impl Playable for Breakthrough {
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        &[
            EvaluationInfo { name: "progress", about: "pawns, their rows and those that can be captured" },
            EvaluationInfo { name: "squares", about: "one weight for a pawn on each square" },
            EvaluationInfo { name: "phases", about: "one weight for each square and phase of the game" },
        ]
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "progress" => visitor.linear(Progress::new(self)),
            "squares" => visitor.linear(Squares::new(self)),
            "phases" => visitor.linear(Phases::new(self)),
            _ => return None,
        })
    }

    fn opponent(&self) -> String {
        "alphabeta:depth=3/progress/10,1,-2".to_owned()
    }
}
