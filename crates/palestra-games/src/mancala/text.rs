//! Setups and board grids of sowing games in general, and of the course's game.

use super::cups::{CupRow, row_of};
use super::rules::{Mancala, Ply, Position};
use super::sowing::{N_HOLES, N_SEEDS};
use super::steps::{SowingAnimation, hole_spot};
use palestra_core::{
    BoardCell, BoardGrid, BoardKind, CellContent, Game, InputError, Notation, Side, Terrain, View,
    whole_number,
};
use std::fmt;

/// A parsed setup.
pub(crate) struct SowingSetup<R> {
    /// The first side's row, then the second's.
    pub(crate) rows: [R; 2],
    pub(crate) to_move: Side,
    /// Text after the side to move.
    pub(crate) rest: Option<String>,
}

/// Both rows and the side to move: `3,3,3,0,4,4,1/3,3,3,3,3,3,0 2`.
pub(crate) fn write_setup<R: CupRow>(rows: [R; 2], n_holes: usize, to_move: Side) -> String {
    let row = |row: R| (0..=n_holes).map(|cup| row.get(cup).to_string()).collect::<Vec<_>>().join(",");
    let [first, second] = rows.map(row);
    format!("{first}/{second} {}", to_move.index() + 1)
}

/// Parses the text of [`write_setup`]. There may be fewer seeds than at the start, but not more than `max_seeds`.
pub(crate) fn read_setup<R: CupRow>(
    text: &str,
    n_holes: usize,
    max_seeds: u32,
) -> Result<SowingSetup<R>, InputError> {
    let key = || format!("setup \"{text}\"");
    let mut fields = text.split_whitespace();
    let board = fields.next().unwrap_or_default();
    let rows: Vec<&str> = board.split('/').collect();
    let &[first, second] = rows.as_slice() else {
        return Err(InputError::new(key(), board, "two rows separated by /, the first player's first"));
    };
    let read = |row: &str| {
        let cups: Vec<&str> = row.split(',').collect();
        if cups.len() != n_holes + 1 {
            let expected = format!("{} numbers separated by commas, the store last", n_holes + 1);
            return Err(InputError::new(key(), row, expected));
        }
        cups.into_iter()
            .map(|cup| whole_number(cup, 0..=max_seeds, key))
            .collect::<Result<Vec<u32>, InputError>>()
    };
    let [first, second] = [read(first)?, read(second)?];
    let total: u32 = first.iter().chain(&second).sum();
    if total > max_seeds {
        let expected = format!("at most {max_seeds} seeds");
        return Err(InputError::new(key(), format!("{total} seeds"), expected));
    }
    let to_move = match fields.next() {
        Some("1") => Side::First,
        Some("2") => Side::Second,
        other => {
            let found = other.unwrap_or_default();
            return Err(InputError::new(
                key(),
                found,
                "a space and the side to move, 1 or 2, after the rows",
            ));
        }
    };
    let rest: Vec<&str> = fields.collect();
    let rest = (!rest.is_empty()).then(|| rest.join(" "));
    Ok(SowingSetup { rows: [row_of(&first), row_of(&second)], to_move, rest })
}

/// The board as it lies between two players: the second player's row on top, from right to left, stores at the ends.
/// Each row has its own numbers.
pub(crate) fn draw<R: CupRow>(rows: [R; 2], n_holes: usize, last: Option<(Side, usize)>) -> BoardGrid {
    let hole = |side: Side, hole: usize| BoardCell {
        content: CellContent::Seeds(rows[side.index()].get(hole) as u16),
        owner: Some(side),
        marked: last == Some((side, hole)),
        ..BoardCell::default()
    };
    let store = |side: Side| BoardCell {
        content: CellContent::Store(rows[side.index()].get(n_holes) as u16),
        owner: Some(side),
        ..BoardCell::default()
    };
    let outside = BoardCell { terrain: Terrain::Outside, ..BoardCell::default() };
    let mut cells = vec![store(Side::Second)];
    cells.extend((0..n_holes).rev().map(|i| hole(Side::Second, i)));
    cells.extend([outside, outside]);
    cells.extend((0..n_holes).map(|i| hole(Side::First, i)));
    cells.push(store(Side::First));
    let labels = |holes: &mut dyn Iterator<Item = usize>| {
        // Two characters wide, so that columns keep their width when a store has two digits.
        let numbers = holes.map(|hole| format!("{hole:>2}"));
        std::iter::once(String::new()).chain(numbers).chain([String::new()]).collect()
    };
    BoardGrid {
        board: BoardKind::Pits,
        n_columns: n_holes + 2,
        cells,
        top_labels: labels(&mut (1..=n_holes).rev()),
        column_labels: labels(&mut (1..=n_holes)),
        ..BoardGrid::default()
    }
}

impl fmt::Display for Mancala {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.fuga { "mancala:uam,fuga" } else { "mancala:uam" })
    }
}

impl Notation for Mancala {
    fn setup(&self, at: &Position) -> String {
        let setup = write_setup(at.rows(), N_HOLES, at.to_move);
        if at.must_pass { format!("{setup} pass") } else { setup }
    }

    /// The referee starts to count here.
    fn parse_setup(&self, text: &str) -> Result<Position, InputError> {
        let setup = read_setup::<u64>(text, N_HOLES, N_SEEDS as u32)?;
        let must_pass = match setup.rest.as_deref() {
            None => false,
            Some("pass") => true,
            Some(rest) => {
                let expected = "pass, if the side to move must pass, or nothing";
                return Err(InputError::new(format!("setup \"{text}\""), rest, expected));
            }
        };
        Ok(Position::new(setup.rows, setup.to_move, must_pass))
    }
}

impl View for Mancala {
    fn grid(&self, at: &Position, last: Option<Ply>) -> BoardGrid {
        let sown = match last {
            Some(Ply::Sow(hole)) => Some((at.to_move.other(), usize::from(hole))),
            Some(Ply::Pass) | None => None,
        };
        draw(at.rows(), N_HOLES, sown)
    }

    /// Seeds of whole rows (rule 7).
    fn score(&self, at: &Position) -> Option<[u32; 2]> {
        Some(at.rows().map(CupRow::total))
    }

    fn spots(&self, at: &Position, stages: &[String]) -> Vec<usize> {
        hole_spot(stages, at.to_move, N_HOLES)
    }

    /// Seed by seed, then the capture.
    fn frames(&self, at: &Position, mv: Ply) -> Vec<BoardGrid> {
        let mut after = at.clone();
        self.play(&mut after, mv);
        let end = self.grid(&after, Some(mv));
        let Ply::Sow(hole) = mv else { return vec![end] };
        let sowing = SowingAnimation {
            n_holes: N_HOLES,
            side: at.to_move,
            hole: usize::from(hole),
            skips_store: false,
        };
        sowing.frames(&sowing.steps(at.own, at.other), end)
    }
}
