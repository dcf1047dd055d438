//! Game strings, setups and board grids of Kalah.

use super::rules::{Capture, Kalah, Position, Sowing};
use crate::mancala::cups::{CupRow, SowingGame};
use crate::mancala::steps::{self, hole_spot};
use crate::mancala::text::{draw, read_setup, write_setup};
use palestra_core::{BoardGrid, Game, InputError, Notation, View};
use std::fmt;

impl<R> fmt::Display for Kalah<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kalah:{}x{}", self.n_holes, self.per_hole)?;
        match self.capture {
            Capture::Standard => Ok(()),
            Capture::Empty => f.write_str(",capture=empty"),
        }
    }
}

impl<R: CupRow> Notation for Kalah<R> {
    fn setup(&self, at: &Position<R>) -> String {
        write_setup(at.rows(), self.n_holes, at.to_move)
    }

    fn parse_setup(&self, text: &str) -> Result<Position<R>, InputError> {
        let setup = read_setup(text, self.n_holes, self.total_seeds())?;
        match setup.rest {
            None => Ok(Position::new(setup.rows, setup.to_move)),
            Some(rest) => {
                let expected = "nothing after the side to move, because Kalah has no passes";
                Err(InputError::new(format!("setup \"{text}\""), rest, expected))
            }
        }
    }
}

impl<R: CupRow> View for Kalah<R> {
    fn grid(&self, at: &Position<R>, last: Option<Sowing>) -> BoardGrid {
        draw(at.rows(), self.n_holes, last.map(|mv| (mv.side, usize::from(mv.hole))))
    }

    /// Seeds in the stores; in an ended game, those in the holes as well.
    fn score(&self, at: &Position<R>) -> Option<[u32; 2]> {
        let count = |row: R| if self.is_over(at) { row.total() } else { row.get(self.n_holes) };
        Some(at.rows().map(count))
    }

    fn spots(&self, at: &Position<R>, stages: &[String]) -> Vec<usize> {
        hole_spot(stages, at.to_move, self.n_holes)
    }

    /// Seed by seed, then the capture, then, in an ended game, the rest.
    fn frames(&self, at: &Position<R>, mv: Sowing) -> Vec<BoardGrid> {
        let hole = usize::from(mv.hole);
        let sowing = steps::SowingAnimation { n_holes: self.n_holes, side: mv.side, hole, skips_store: true };
        let (own, other, last) = self.sow(at.own, at.other, hole);
        let mut steps = sowing.steps(at.own, at.other);
        steps.push(self.with_capture(own, other, last));
        let mut after = at.clone();
        self.play(&mut after, mv);
        sowing.frames(&steps, self.grid(&after, Some(mv)))
    }
}
