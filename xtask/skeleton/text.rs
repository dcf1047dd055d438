//! Heaps as text and as a picture.

use super::SkeletonGame;
use super::rules::{Heap, Take};
use palestra_core::{BadText, Cell, Form, Grid, Ground, Notation, Side, View, whole_number};
use std::fmt;

/// Counters in a row of the picture.
const ROW: usize = 10;

impl fmt::Display for SkeletonGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skeleton:{}", self.n_counters)
    }
}

impl Notation for SkeletonGame {
    fn setup(&self, at: &Heap) -> String {
        format!("{} {}", at.left, at.to_move.index() + 1)
    }

    fn parse_setup(&self, text: &str) -> Result<Heap, BadText> {
        let (left, turn) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let place = || format!("counters of setup \"{text}\"");
        let left = whole_number(left, 0..=u32::from(self.n_counters), place)? as u8;
        let to_move = match turn.trim_start() {
            "1" => Side::First,
            "2" => Side::Second,
            turn => {
                let expected = "who moves, 1 or 2, behind the counters and a blank";
                return Err(BadText::new(format!("turn of setup \"{text}\""), turn, expected));
            }
        };
        Ok(Heap { left, to_move })
    }
}

impl View for SkeletonGame {
    /// The counters that are left, in the color of the side to move; the places of those just taken are marked.
    fn grid(&self, at: &Heap, last: Option<Take>) -> Grid {
        let left = usize::from(at.left);
        let just_taken = left..left + last.map_or(0, |Take(taken)| usize::from(taken));
        let n_counters = usize::from(self.n_counters);
        let cell = |i: usize| {
            if i < left {
                Cell { form: Form::Stone, owner: Some(at.to_move), ..Cell::default() }
            } else if i < n_counters {
                Cell { marked: just_taken.contains(&i), ..Cell::default() }
            } else {
                Cell { ground: Ground::Outside, ..Cell::default() }
            }
        };
        let n_columns = n_counters.min(ROW);
        let n_cells = n_counters.next_multiple_of(n_columns);
        Grid { n_columns, cells: (0..n_cells).map(cell).collect(), ..Grid::default() }
    }
}
