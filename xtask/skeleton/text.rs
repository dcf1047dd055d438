//! Game strings, setups and the board as a grid.

use super::SkeletonGame;
use super::rules::{SkeletonMove, SkeletonPosition};
use palestra_core::{
    BoardCell, BoardGrid, CellContent, InputError, Notation, Side, Terrain, View, whole_number,
};
use std::fmt;

/// Counters per row of the grid.
const ROW: usize = 10;

impl fmt::Display for SkeletonGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skeleton:{}", self.n_counters)
    }
}

impl Notation for SkeletonGame {
    fn setup(&self, at: &SkeletonPosition) -> String {
        format!("{} {}", at.left, at.to_move.index() + 1)
    }

    fn parse_setup(&self, text: &str) -> Result<SkeletonPosition, InputError> {
        let (left, turn) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let key = || format!("counters of setup \"{text}\"");
        let left = whole_number(left, 0..=u32::from(self.n_counters), key)? as u8;
        let to_move = match turn.trim_start() {
            "1" => Side::First,
            "2" => Side::Second,
            turn => {
                let expected = "the side to move, 1 or 2, after the counters and a space";
                return Err(InputError::new(format!("side to move of setup \"{text}\""), turn, expected));
            }
        };
        Ok(SkeletonPosition { left, to_move })
    }
}

impl View for SkeletonGame {
    /// The counters that are left, in the color of the side to move; cells of counters just taken are marked.
    fn grid(&self, at: &SkeletonPosition, last: Option<SkeletonMove>) -> BoardGrid {
        let left = usize::from(at.left);
        let just_taken = left..left + last.map_or(0, |SkeletonMove(taken)| usize::from(taken));
        let n_counters = usize::from(self.n_counters);
        let cell = |i: usize| {
            if i < left {
                BoardCell { content: CellContent::Stone, owner: Some(at.to_move), ..BoardCell::default() }
            } else if i < n_counters {
                BoardCell { marked: just_taken.contains(&i), ..BoardCell::default() }
            } else {
                BoardCell { terrain: Terrain::Outside, ..BoardCell::default() }
            }
        };
        let n_columns = n_counters.min(ROW);
        let n_cells = n_counters.next_multiple_of(n_columns);
        BoardGrid { n_columns, cells: (0..n_cells).map(cell).collect(), ..BoardGrid::default() }
    }
}
