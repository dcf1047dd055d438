//! Connect-C: drop stones into columns and make a line of RUN stones. Connect 4 is `connect:7x6x4`.

mod changes;
mod exact;
mod lines;
mod pools;
mod potential;
mod rays;
mod rules;
mod scan;
mod tally;
#[cfg(test)]
mod tests;
mod text;
mod threes;

pub use rules::{Column, Connect, Position};

use changes::{HasTables, SizeClass};
use lines::{LineFeatures, ThreatCounting};
use palestra_core::{
    EvaluationInfo, EvaluationVisitor, ExactVisitor, Family, FamilyInfo, GameVisitor, InputError, Playable,
    whole_number,
};
use potential::ParametricPotential;
use threes::ThreesFeatures;

/// Largest number of columns, rows and stones of a winning line.
const MAX_SIDE: usize = 32;

/// The family of Connect-C games: any board up to 32 × 32 and any run.
#[derive(Debug)]
pub struct ConnectFamily;

impl Family for ConnectFamily {
    const INFO: FamilyInfo = FamilyInfo {
        name: "connect",
        title: "Connect-C: drop stones, make a line",
        syntax: "connect:COLUMNSxROWSxRUN[xPIECES]",
        aliases: &[("connect4", "connect:7x6x4")],
        rules: include_str!("rules.txt"),
        parameters: &[
            ("COLUMNS", "columns of the board, 1 to 32"),
            ("ROWS", "rows of the board, 1 to 32"),
            ("RUN", "stones in a line that win, 1 to 32; if longer than the board, every game is a draw"),
            ("PIECES", "stones each player has (default: enough to fill the board)"),
        ],
        notation: include_str!("notation.txt"),
        exact: "the number of stones the winner has left when the game ends, the winning one included (on 7x6, 22 minus the winner's stones on the board): positive if the side to move wins, negative if it loses, 0 for a draw. For boards with COLUMNS x (ROWS + 1) of at most 64",
        players: include_str!("players.txt"),
        pools: pools::POOLS,
        samples: &[
            "connect:7x6x4",
            "connect:6x7x4",
            "connect:9x8x5",
            "connect:14x14x7",
            "connect:18x17x9",
            "connect:1x1x1",
            "connect:1x1x2",
            "connect:3x3x3",
            "connect:8x8x4",
            "connect:8x7x8",
            "connect:5x4x3x6",
            "connect:3x3x3x4",
            "connect:12x1x3",
            "connect:1x12x3",
            "connect:4x4x9",
            "connect:32x2x4",
            "connect:2x32x4",
            "connect:24x13x5",
            "connect:32x32x6",
        ],
        perft: include_str!("perft.txt"),
        playthroughs: include_str!("playthroughs.txt"),
        longest_game: (MAX_SIDE * MAX_SIDE) as u32,
        spanish: include_str!("spanish.txt"),
    };

    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError> {
        let size = Size::parse(parameters)?;
        let bits = size.n_columns * (size.n_rows + 1);
        let side = size.n_columns.max(size.n_rows + 1);
        // Words of a bitboard, side of the ray tables and words of the line counts. Each triple is one compiled copy of
        // the game; the smaller ones are the sizes that are played most.
        Ok(match () {
            () if bits <= 64 && side <= 8 => visitor.visit(size.game::<1, 8, 1>()),
            () if bits <= 128 && side <= 16 => visitor.visit(size.game::<2, 16, 2>()),
            () if bits <= 256 && side <= 16 => visitor.visit(size.game::<4, 16, 2>()),
            () if bits <= 384 => visitor.visit(size.game::<6, 33, 8>()),
            () => visitor.visit(size.game::<17, 33, 8>()),
        })
    }
}

/// The parameters of a game string.
struct Size {
    n_columns: usize,
    n_rows: usize,
    run: usize,
    pieces: Option<u32>,
}

impl Size {
    fn parse(text: &str) -> Result<Size, InputError> {
        let whole = format!("connect:{text}");
        let parts: Vec<&str> = text.split('x').collect();
        if text.is_empty() || !(3..=4).contains(&parts.len()) {
            let expected = "COLUMNSxROWSxRUN or COLUMNSxROWSxRUNxPIECES, for example connect:7x6x4";
            return Err(InputError::new(format!("size in \"{whole}\""), text, expected));
        }
        let number = |i: usize, name: &str, max: usize| {
            whole_number(parts[i], 1..=max as u32, || format!("{name} of \"{whole}\""))
        };
        Ok(Size {
            n_columns: number(0, "columns", MAX_SIDE)? as usize,
            n_rows: number(1, "rows", MAX_SIDE)? as usize,
            run: number(2, "run", MAX_SIDE)? as usize,
            pieces: if parts.len() == 4 { Some(number(3, "pieces", MAX_SIDE * MAX_SIDE)?) } else { None },
        })
    }

    fn game<const W: usize, const N: usize, const K: usize>(&self) -> Connect<W, N, K> {
        let enough = (self.n_columns * self.n_rows).div_ceil(2) as u32;
        let pieces = self.pieces.map_or(enough, |pieces| pieces.min(enough));
        Connect::new([self.n_columns, self.n_rows], self.run, pieces)
    }
}

impl<const W: usize, const N: usize, const K: usize> Playable for Connect<W, N, K>
where
    SizeClass<N, K>: HasTables<K>,
{
    fn evaluations(&self) -> &'static [EvaluationInfo] {
        &[
            EvaluationInfo {
                name: "lines",
                about: "the six features of the Connect-C study as its report defines them: won lines, threats, longest and open lines",
            },
            EvaluationInfo {
                name: "lines-coded",
                about: "the same six features as the study's program counted them: a threat for each direction, and only in the first ROWS columns",
            },
            EvaluationInfo {
                name: "threes",
                about: "the four features of the Connect-4 study, in hundreds: lines one stone short, blocks needed, stones in middle columns and in low rows",
            },
            EvaluationInfo {
                name: "potential",
                about: "the first design of the Connect-C study: each line that can still win counts by a power of its length; not linear",
            },
        ]
    }

    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out> {
        Some(match name {
            "lines" => visitor.linear(LineFeatures::<N, K>::new(self, ThreatCounting::Report)),
            "lines-coded" => visitor.linear(LineFeatures::<N, K>::new(self, ThreatCounting::Program)),
            "threes" => visitor.linear(ThreesFeatures::new(self)),
            "potential" => visitor.other(ParametricPotential::new(self)),
            _ => return None,
        })
    }

    fn exact<V: ExactVisitor<Self>>(&self, visitor: V) -> Option<V::Out> {
        match (self.n_columns, self.n_rows, self.run) {
            (columns, rows, _) if columns * (rows + 1) > 64 => None,
            (7, 6, 4) => Some(visitor.tree(exact::ConnectTree::<7, 6, 4>)),
            _ => Some(visitor.tree(exact::ConnectTree::<0, 0, 0>)),
        }
    }

    fn opponent(&self) -> String {
        // The largest depths that still move well within a second.
        let depth = match self.n_columns {
            ..=8 => 7,
            9..=12 => 5,
            13..=20 => 4,
            _ => 3,
        };
        format!("alphabeta:depth={depth}/threes/4,4,1,2")
    }
}
