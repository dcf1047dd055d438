//! Ladrillos: bricks on a square board; an island of `k` cells scores `k²` points.

mod accumulator;
mod exact;
mod images;
mod players;
mod rules;
mod scan;
mod term;
mod terms;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_text;
mod text;
mod values;
mod whole_board;
mod zones;

pub use rules::{Brick, Ladrillos, Position};

use palestra_core::{
    BoardPool, Ending, EvaluationInfo, EvaluationVisitor, ExactVisitor, Family, FamilyInfo, GameVisitor,
    InputError, Playable, Policy, whole_number,
};
use players::{PLAYERS, ReferencePlayer};
use terms::LadrillosFeatures;
use values::PointsEvaluator;

/// Smallest and largest board side.
const SIDES: std::ops::RangeInclusive<u32> = 2..=20;

/// The family of Ladrillos games: square boards of 2 to 20 rows.
#[derive(Debug)]
pub struct LadrillosFamily;

impl Family for LadrillosFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "ladrillos",
        title: "Ladrillos: lay bricks, grow islands",
        syntax: "ladrillos:N",
        aliases: &[],
        rules: include_str!("rules.txt"),
        parameters: &[("N", "rows and columns of the board, 2 to 20; the study played 11")],
        notation: include_str!("notation.txt"),
        exact: "the final margin, own points minus the opponent's, for the side to move. For positions with at most 64 cells where a brick still fits",
        players: include_str!("players.txt"),
        pools: &[BoardPool {
            name: "swiss",
            about: "boards of 7 to 15, all equally likely: the sizes of the study's Swiss tournaments",
            board: |choose| format!("ladrillos:{}", choose(7..=15)),
        }],
        samples: &[
            "ladrillos:9",
            "ladrillos:11",
            "ladrillos:2",
            "ladrillos:3",
            "ladrillos:4",
            "ladrillos:7",
            "ladrillos:8",
            "ladrillos:12",
            "ladrillos:16",
            "ladrillos:17",
            "ladrillos:20",
        ],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        longest_game: 200,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        let n = whole_number(parameters, SIDES, || format!("size of \"ladrillos:{parameters}\""))? as usize;
        // Words, cells with padding and labels for up to 7, 11, 16 and 20 rows. Each triple is one compiled copy.
        Ok(match n {
            ..=7 => visitor.visit(Ladrillos::<1, 72, 34>::new(n)),
            8..=11 => visitor.visit(Ladrillos::<3, 160, 74>::new(n)),
            12..=16 => visitor.visit(Ladrillos::<5, 306, 130>::new(n)),
            _ => visitor.visit(Ladrillos::<7, 462, 202>::new(n)),
        })
    }
}

impl<const W: usize, const C: usize, const L: usize> Playable for Ladrillos<W, C, L> {
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        &[
            EvaluationInfo {
                name: "islands",
                about: "the five features of the study as its program computes them, in the program's order",
            },
            EvaluationInfo {
                name: "islands-masters",
                about: "the evaluation with which the study's Masters was actually played: divisions version 1, distance with fixed weight 1, fifth weight without effect",
            },
            EvaluationInfo {
                name: "islands-report",
                about: "the five features as the report describes them, in its order: own points, distance to minimize, expansion per island, divisions version 1 (islands-report:divisions=2 for version 2)",
            },
            EvaluationInfo {
                name: "enclosed",
                about: "a feature that the study dropped: enclosed opponent cells; alone or added to others: islands+enclosed",
            },
            EvaluationInfo {
                name: "mirror",
                about: "a feature that the study proposed: symmetric replies; alone or added to others: islands+mirror+closing",
            },
            EvaluationInfo {
                name: "closing",
                about: "a feature that the study proposed: free cells that the opponent's largest island can reach; alone or added to others",
            },
            EvaluationInfo {
                name: "margin",
                about: "own points minus the opponent's, for exact searches; no weights",
            },
            EvaluationInfo {
                name: "root",
                about: "sign of the margin times its square root, rounded down: the leaf values of the study's alpha-beta table; no weights",
            },
        ]
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "margin" => visitor.other(PointsEvaluator::Margin),
            "root" => visitor.other(PointsEvaluator::Root),
            name => visitor.linear(LadrillosFeatures::named(self, name)?),
        })
    }

    fn exact<V: ExactVisitor<Self>>(&self, visitor: V) -> Option<V::Out> {
        Some(visitor.tree(exact::LadrillosTree))
    }

    fn opponent(&self) -> String {
        // The largest depths that still move well within a second; the smallest boards are searched to the end.
        let depth = match self.n {
            ..=4 => return "alphabeta:depth=8/margin".to_owned(),
            5 => 5,
            6..=7 => 4,
            8..=11 => 3,
            _ => 2,
        };
        format!("alphabeta:depth={depth}/islands/3,2,5,3,4")
    }

    /// The square root of the margin (rules, section 1).
    fn event_points(&self, ending: &Ending) -> f64 {
        f64::from(ending.margin).sqrt()
    }

    /// The number of cells of the board (rules, section 1).
    fn forfeit_points(&self) -> f64 {
        (self.n * self.n) as f64
    }

    fn policies(&self) -> &'static [EvaluationInfo] {
        PLAYERS
    }

    fn policy(&self, name: &str) -> Option<Box<dyn Policy<Self>>> {
        let player = ReferencePlayer::named(name, self.n * self.n)?;
        Some(Box::new(player))
    }
}
