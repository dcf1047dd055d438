//! Game strings, setups and board grids of Ladrillos.

use super::rules::{Brick, Ladrillos, Position, column_name};
use palestra_core::{BoardCell, BoardGrid, BoardKind, CellContent, InputError, Notation, Side, View};
use std::fmt;

impl<const W: usize, const C: usize, const L: usize> fmt::Display for Ladrillos<W, C, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ladrillos:{}", self.n)
    }
}

impl<const W: usize, const C: usize, const L: usize> Notation for Ladrillos<W, C, L> {
    fn setup(&self, at: &Position<W, C, L>) -> String {
        let glyph = |row, column| match self.owner(at, row, column) {
            None => '.',
            Some(Side::First) => '1',
            Some(Side::Second) => '2',
        };
        let row = |row| (0..self.n).map(|column| glyph(row, column)).collect::<String>();
        let rows: Vec<String> = (0..self.n).map(row).collect();
        format!("{} {}", rows.join("/"), at.to_move.index() + 1)
    }

    /// Any number of bricks of each side is allowed, but bricks must be able to cover each side's cells.
    fn parse_setup(&self, text: &str) -> Result<Position<W, C, L>, InputError> {
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
        if rows.len() != self.n {
            return Err(InputError::new(key(), board, format!("{} rows separated by /", self.n)));
        }
        let mut owners = vec![None; self.n * self.n];
        for (row, line) in rows.iter().enumerate() {
            if line.chars().count() != self.n {
                return Err(InputError::new(key(), *line, format!("a row of {} cells", self.n)));
            }
            for (column, glyph) in line.chars().enumerate() {
                owners[row * self.n + column] = match glyph {
                    '.' => None,
                    '1' => Some(Side::First),
                    '2' => Some(Side::Second),
                    _ => return Err(InputError::new(key(), glyph, "one of . 1 2")),
                };
            }
        }
        let mut at = Position::empty(to_move);
        for side in Side::BOTH {
            let bricks = self.cover(&owners, side).map_err(|cell| {
                let name = format!("{}{}", column_name(cell % self.n), cell / self.n + 1);
                let expected = format!("an island of {side} that bricks of two cells can cover");
                InputError::new(key(), name, expected)
            })?;
            for cells in bricks {
                let mut places = cells.map(|cell| self.place(cell / self.n, cell % self.n));
                places.sort_unstable();
                at.put(side.index(), places, self.stride());
            }
        }
        Ok(at)
    }

    fn stages(&self, mv: Brick) -> Vec<String> {
        mv.parts().to_vec()
    }

    fn stage_names(&self) -> &'static [&'static str] {
        &["cell", "direction"]
    }
}

impl<const W: usize, const C: usize, const L: usize> Ladrillos<W, C, L> {
    pub(super) fn owner(&self, at: &Position<W, C, L>, row: usize, column: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| at.bricks[side.index()].get(self.place(row, column)))
    }

    /// The number of a cell such as `d3`, counted row by row without padding.
    fn read_cell(&self, name: &str) -> Option<usize> {
        let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
        let column = (0..self.n).find(|&column| column_name(column) == letters)?;
        let row = digits.parse::<usize>().ok().filter(|row| (1..=self.n).contains(row))?;
        Some((row - 1) * self.n + column)
    }

    /// Bricks that cover all cells of a side, or a cell that no arrangement of bricks covers.
    ///
    /// With the colors of a chessboard a brick pairs a light cell with a dark one, so this is a matching in a bipartite
    /// graph, found by augmenting paths (Berge 1957).
    fn cover(&self, owners: &[Option<Side>], side: Side) -> Result<Vec<[usize; 2]>, usize> {
        let own: Vec<usize> = (0..owners.len()).filter(|&cell| owners[cell] == Some(side)).collect();
        let is_light = |cell: &usize| (cell / self.n + cell % self.n).is_multiple_of(2);
        let mut partner = vec![None; owners.len()];
        for &light in own.iter().filter(|cell| is_light(cell)) {
            let mut seen = vec![false; owners.len()];
            if !self.pair(light, owners, side, &mut partner, &mut seen) {
                return Err(light);
            }
        }
        let dark = own.iter().filter(|cell| !is_light(cell));
        dark.map(|&dark| partner[dark].map(|light| [light, dark]).ok_or(dark)).collect()
    }

    fn pair(
        &self,
        light: usize,
        owners: &[Option<Side>],
        side: Side,
        partner: &mut [Option<usize>],
        seen: &mut [bool],
    ) -> bool {
        for dark in neighbors(self.n, light).filter(|&cell| owners[cell] == Some(side)) {
            if std::mem::replace(&mut seen[dark], true) {
                continue;
            }
            let is_open = match partner[dark] {
                None => true,
                Some(other) => self.pair(other, owners, side, partner, seen),
            };
            if is_open {
                partner[dark] = Some(light);
                return true;
            }
        }
        false
    }
}

impl<const W: usize, const C: usize, const L: usize> View for Ladrillos<W, C, L> {
    fn grid(&self, at: &Position<W, C, L>, last: Option<Brick>) -> BoardGrid {
        let marked = last.map(|brick| brick.places(self.stride()));
        let cell = |row: usize, column: usize| {
            let owner = self.owner(at, row, column);
            let content = if owner.is_some() { CellContent::Brick } else { CellContent::Empty };
            let marked = marked.is_some_and(|places| places.contains(&self.place(row, column)));
            BoardCell { content, owner, marked, ..BoardCell::default() }
        };
        BoardGrid {
            board: BoardKind::Squares,
            n_columns: self.n,
            cells: (0..self.n).flat_map(|row| (0..self.n).map(move |column| cell(row, column))).collect(),
            column_labels: (0..self.n).map(column_name).collect(),
            row_labels: (1..=self.n).map(|row| row.to_string()).collect(),
            ..BoardGrid::default()
        }
    }

    fn score(&self, at: &Position<W, C, L>) -> Option<[u32; 2]> {
        Some(at.points)
    }

    /// The first cell of the brick, then the second.
    fn spots(&self, _at: &Position<W, C, L>, stages: &[String]) -> Vec<usize> {
        let Some(first) = stages.first().and_then(|name| self.read_cell(name)) else { return Vec::new() };
        let (row, column) = (first / self.n, first % self.n);
        match stages {
            [_] => vec![first],
            [_, direction] if direction == "h" && column + 1 < self.n => vec![first + 1],
            [_, direction] if direction == "v" && row + 1 < self.n => vec![first + self.n],
            _ => Vec::new(),
        }
    }
}

/// The neighbors of a cell, where cells are numbered row by row without padding.
fn neighbors(n: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / n, cell % n);
    let up = (row > 0).then(|| cell - n);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < n).then(|| cell + 1);
    let down = (row + 1 < n).then(|| cell + n);
    [up, left, right, down].into_iter().flatten()
}
