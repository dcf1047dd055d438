//! Kalah with any number of holes and seeds. Kalah(6,4) is `kalah:6x4`.

mod exact;
mod margin;
mod rules;
#[cfg(test)]
mod tests;
mod text;

use crate::mancala::cups::CupRow;
use crate::mancala::evaluators::{FixedEvaluator, RegularEvaluator};
use crate::mancala::kalah_features::KalahFeatures;
use crate::mancala::seeds::{MAX_HOLES, SeedCountFeatures};
use margin::MarginEvaluator;
use palestra_core::{
    BoxedEvaluator, EvaluationInfo, EvaluationVisitor, ExactVisitor, Family, FamilyInfo, GameOptions,
    GameVisitor, InputError, Playable, whole_number,
};
use rules::{Capture, Kalah};

/// Maximum number of seeds in a hole at the start.
const MAX_SEEDS: u32 = 12;

/// The family of Kalah games: 1 to 12 holes a side and 1 to 12 seeds a hole.
#[derive(Debug)]
pub struct KalahFamily;

impl Family for KalahFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "kalah",
        title: "Kalah: sow around the board, fill your store",
        syntax: "kalah:HOLESxSEEDS[,capture=standard|empty]",
        aliases: &[("kalah", "kalah:6x4")],
        rules: include_str!("rules.txt"),
        parameters: &[
            ("HOLES", "holes on each side, 1 to 12"),
            ("SEEDS", "seeds in each hole at the start, 1 to 12"),
            (
                "capture",
                "when a last seed in an empty own hole goes to the store: standard, if seeds face it (default), or empty, always",
            ),
        ],
        notation: include_str!("notation.txt"),
        exact: "the final margin, own seeds minus the opponent's, for the side to move. For any board",
        players: include_str!("players.txt"),
        pools: &[],
        samples: &[
            "kalah:6x4",
            "kalah:6x4,capture=empty",
            "kalah:1x1",
            "kalah:1x12",
            "kalah:2x4,capture=empty",
            "kalah:4x3",
            "kalah:7x5",
            "kalah:8x3",
            "kalah:12x1",
            "kalah:11x11",
            "kalah:11x12",
            "kalah:12x12,capture=empty",
        ],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        longest_game: 2000,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        let size = Size::parse(parameters)?;
        let n_seeds = 2 * size.n_holes as u32 * size.per_hole;
        // One byte per cup while all seeds fit one byte, and a row in one machine word where its cups fit.
        Ok(match () {
            () if n_seeds > 255 => visitor.visit(size.game::<[u16; 13]>()),
            () if size.n_holes > 7 => visitor.visit(size.game::<u128>()),
            () => visitor.visit(size.game::<u64>()),
        })
    }
}

/// The parameters of a game string.
struct Size {
    n_holes: usize,
    per_hole: u32,
    capture: Capture,
}

impl Size {
    fn parse(text: &str) -> Result<Size, InputError> {
        let whole = format!("kalah:{text}");
        let options = GameOptions::parse(text, &["capture"], &whole)?;
        let Some((holes, seeds)) = options.head.split_once('x') else {
            let expected = "HOLESxSEEDS, for example kalah:6x4";
            return Err(InputError::new(format!("size in \"{whole}\""), options.head, expected));
        };
        let number =
            |text, name: &str, max: u32| whole_number(text, 1..=max, || format!("{name} of \"{whole}\""));
        Ok(Size {
            n_holes: number(holes, "holes", MAX_HOLES as u32)? as usize,
            per_hole: number(seeds, "seeds", MAX_SEEDS)?,
            capture: match options.choice("capture", &["standard", "empty"], &whole)? {
                Some(1) => Capture::Empty,
                _ => Capture::Standard,
            },
        })
    }

    fn game<R: CupRow>(&self) -> Kalah<R> {
        Kalah::new(self.n_holes, self.per_hole, self.capture)
    }
}

impl<R: CupRow> Playable for Kalah<R> {
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        &[
            EvaluationInfo {
                name: "kalah",
                about: "the features of modern Kalah programs: stores, seeds, captures, extra turns, moves, side to move",
            },
            EvaluationInfo {
                name: "margin",
                about: "the difference of the stores; in an ended game, the margin; no weights",
            },
            EvaluationInfo {
                name: "regular",
                about: "seeds of the own row minus those of the opponent's, stores included; no weights",
            },
            EvaluationInfo {
                name: "seeds",
                about: "the features of mancala's report for this number of holes: seeds in holes, where sowings would end, difference",
            },
        ]
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "kalah" => visitor.linear(KalahFeatures::new(self)),
            "margin" => visitor.other(FixedEvaluator(BoxedEvaluator::new(MarginEvaluator))),
            "regular" => visitor.other(FixedEvaluator(BoxedEvaluator::new(RegularEvaluator))),
            "seeds" => visitor.linear(SeedCountFeatures::new(self)),
            _ => return None,
        })
    }

    fn exact<V: ExactVisitor<Self>>(&self, visitor: V) -> Option<V::Out> {
        Some(visitor.tree(exact::KalahTree))
    }

    fn opponent(&self) -> String {
        // The weights of the named player `climbed`; a move takes a tenth of a second or less.
        let depth = match self.n_holes {
            ..=6 => 10,
            7..=8 => 8,
            _ => 6,
        };
        format!("alphabeta:depth={depth}/kalah/10,1,0,2,-2,2,0,6,-5,6")
    }
}
