//! Game strings, setups, move lists and board grids of Connect-C.

use super::rules::{Column, Connect, Position};
use crate::bitboard::Bitboard;
use palestra_core::{BoardCell, BoardGrid, CellContent, Game, InputError, Notation, Side, View};
use std::fmt;

impl<const W: usize, const N: usize, const K: usize> fmt::Display for Connect<W, N, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "connect:{}x{}x{}", self.n_columns, self.n_rows, self.run)?;
        if (self.pieces as usize) < self.n_cells().div_ceil(2) {
            write!(f, "x{}", self.pieces)?;
        }
        Ok(())
    }
}

impl<const W: usize, const N: usize, const K: usize> Notation for Connect<W, N, K> {
    fn setup(&self, at: &Position<W>) -> String {
        let row = |row| (0..self.n_columns).map(|column| self.glyph(at, column, row)).collect::<String>();
        let rows: Vec<String> = (0..self.n_rows).rev().map(row).collect();
        format!("{} {}", rows.join("/"), at.to_move.index() + 1)
    }

    fn parse_setup(&self, text: &str) -> Result<Position<W>, InputError> {
        let key = || format!("setup \"{text}\"");
        let (board, turn) = text.trim().rsplit_once(' ').unwrap_or((text.trim(), ""));
        let to_move = match turn {
            "1" => Side::First,
            "2" => Side::Second,
            _ => {
                return Err(InputError::new(key(), turn, "a space and the side to move, 1 or 2, at the end"));
            }
        };
        let rows: Vec<&str> = board.trim().split('/').collect();
        if rows.len() != self.n_rows {
            let expected = format!("{} rows separated by /", self.n_rows);
            return Err(InputError::new(key(), board, expected));
        }
        let mut stones = [Bitboard::EMPTY; 2];
        for (line, row) in rows.iter().zip((0..self.n_rows).rev()) {
            if line.chars().count() != self.n_columns {
                let expected = format!("a row of {} cells", self.n_columns);
                return Err(InputError::new(key(), *line, expected));
            }
            for (column, glyph) in line.chars().enumerate() {
                match glyph {
                    '.' => {}
                    '1' => stones[0].set(self.bit(column, row)),
                    '2' => stones[1].set(self.bit(column, row)),
                    _ => return Err(InputError::new(key(), glyph, "one of . 1 2")),
                }
            }
        }
        self.check_setup(&stones, text)?;
        let winner = self.owner_of_a_run(&stones, text)?;
        let (full, left) = (self.full_columns(&stones), self.moves_left(&stones, to_move));
        Ok(Position { stones, full, left, to_move, winner })
    }

    /// With at most nine columns a list may be written without spaces: `4455`.
    fn tokens<'a>(&self, list: &'a str) -> Vec<&'a str> {
        let compact = self.n_columns <= 9 && list.bytes().all(|byte| byte.is_ascii_digit());
        if compact {
            return (0..list.len()).map(|i| &list[i..=i]).collect();
        }
        if list.trim() == "-" {
            return Vec::new();
        }
        list.split([' ', ',', '\t', '\n', '\r']).filter(|token| !token.is_empty()).collect()
    }
}

impl<const W: usize, const N: usize, const K: usize> Connect<W, N, K> {
    fn glyph(&self, at: &Position<W>, column: usize, row: usize) -> char {
        match self.owner(&at.stones, column, row) {
            None => '.',
            Some(Side::First) => '1',
            Some(Side::Second) => '2',
        }
    }

    /// The owner of the stone on a cell.
    pub(super) fn owner(&self, stones: &[Bitboard<W>; 2], column: usize, row: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| stones[side.index()].get(self.bit(column, row)))
    }

    /// Checks that every stone has a stone below it, and that no side has more stones than allowed.
    fn check_setup(&self, stones: &[Bitboard<W>; 2], text: &str) -> Result<(), InputError> {
        let key = || format!("setup \"{text}\"");
        for column in 0..self.n_columns {
            for row in 1..self.n_rows {
                let here = self.owner(stones, column, row);
                if here.is_some() && self.owner(stones, column, row - 1).is_none() {
                    let found = format!("column {}", column + 1);
                    let expected = "a column filled from the bottom, without gaps";
                    return Err(InputError::new(key(), found, expected));
                }
            }
        }
        for side in Side::BOTH {
            let placed = stones[side.index()].count();
            if placed > self.pieces {
                let expected = format!("at most {} stones of each side", self.pieces);
                return Err(InputError::new(key(), format!("{placed} stones of {side}"), expected));
            }
        }
        Ok(())
    }

    /// The side with a winning line.
    fn owner_of_a_run(&self, stones: &[Bitboard<W>; 2], text: &str) -> Result<Option<Side>, InputError> {
        let has_run = |side: Side| {
            let own = &stones[side.index()];
            (0..self.n_columns * self.stride()).any(|i| own.get(i) && self.completes_run(own, i))
        };
        match Side::BOTH.map(has_run) {
            [true, true] => {
                let key = format!("setup \"{text}\"");
                let expected = "winning lines of one side only, because the first line ends the game";
                Err(InputError::new(key, "a line of each side", expected))
            }
            [true, false] => Ok(Some(Side::First)),
            [false, true] => Ok(Some(Side::Second)),
            [false, false] => Ok(None),
        }
    }
}

impl<const W: usize, const N: usize, const K: usize> View for Connect<W, N, K> {
    fn grid(&self, at: &Position<W>, last: Option<Column>) -> BoardGrid {
        let top = last.map(|Column(column)| {
            let column = usize::from(column);
            (column, self.height(&at.occupied(), column).saturating_sub(1))
        });
        let cell = |column: usize, row: usize| {
            let owner = self.owner(&at.stones, column, row);
            let content = if owner.is_some() { CellContent::Stone } else { CellContent::Empty };
            BoardCell { content, owner, marked: top == Some((column, row)), ..BoardCell::default() }
        };
        let rows = (0..self.n_rows).rev();
        BoardGrid {
            n_columns: self.n_columns,
            cells: rows.flat_map(|row| (0..self.n_columns).map(move |column| cell(column, row))).collect(),
            column_labels: (1..=self.n_columns).map(|column| column.to_string()).collect(),
            ..BoardGrid::default()
        }
    }

    /// All cells of the column.
    fn spots(&self, _at: &Position<W>, stages: &[String]) -> Vec<usize> {
        let number = stages.last().and_then(|stage| stage.parse::<usize>().ok());
        let column = number.filter(|number| (1..=self.n_columns).contains(number));
        column.map_or_else(Vec::new, |number| {
            (0..self.n_rows).map(|row| row * self.n_columns + number - 1).collect()
        })
    }

    /// The stone falls from row to row.
    fn frames(&self, at: &Position<W>, mv: Column) -> Vec<BoardGrid> {
        let column = usize::from(mv.0);
        let stone =
            BoardCell { content: CellContent::Stone, owner: Some(at.to_move), ..BoardCell::default() };
        let n_free = self.n_rows - self.height(&at.occupied(), column);
        let empty = self.grid(at, None);
        let fall = (0..n_free.saturating_sub(1)).map(|row| {
            let mut frame = empty.clone();
            frame.cells[row * self.n_columns + column] = stone;
            frame
        });
        let mut after = at.clone();
        self.play(&mut after, mv);
        fall.chain([self.grid(&after, Some(mv))]).collect()
    }
}
