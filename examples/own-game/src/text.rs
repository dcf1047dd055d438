//! Game strings, setups and the board with its pawns.

use crate::rules::{Board, Breakthrough, PawnMove, square_name};
use palestra::core::{
    BoardCell, BoardGrid, BoardKind, CellContent, InputError, Notation, PieceGlyph, Side, View,
};
use std::fmt;

/// A pawn: a head on a body.
static PAWN: PieceGlyph = PieceGlyph {
    name: "pawn",
    letters: ['P', 'p'],
    svg: Some("<circle cx=\"24\" cy=\"17\" r=\"6\"/><path d=\"M15 36c0-8 4-12 9-12s9 4 9 12z\"/>"),
};

impl fmt::Display for Breakthrough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "breakthrough:{}", self.side)
    }
}

impl Notation for Breakthrough {
    /// Rows from the top, as they are drawn: `p` second, `P` first, `.` empty.
    fn setup(&self, at: &Board) -> String {
        let n = self.side;
        let letter = |square: u8| match at.pawns.map(|pawns| pawns >> square & 1) {
            [1, _] => 'P',
            [_, 1] => 'p',
            _ => '.',
        };
        let row = |row: u8| (0..n).map(|column| letter(row * n + column)).collect::<String>();
        let rows: Vec<String> = (0..n).rev().map(row).collect();
        format!("{} {}", rows.join("/"), at.to_move.index() + 1)
    }

    fn parse_setup(&self, text: &str) -> Result<Board, InputError> {
        let n = usize::from(self.side);
        let key = |part: &str| format!("{part} of setup \"{text}\"");
        let (rows, turn) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let to_move = match turn.trim() {
            "1" => Side::First,
            "2" => Side::Second,
            other => {
                let expected = "1 or 2, after the rows and a space";
                return Err(InputError::new(key("side to move"), other, expected));
            }
        };
        let rows: Vec<&str> = rows.split('/').collect();
        if rows.len() != n || rows.iter().any(|row| row.chars().count() != n) {
            let expected = format!("{n} rows of {n} squares, separated by /");
            return Err(InputError::new(key("rows"), rows.join("/"), expected));
        }
        let mut pawns = [0; 2];
        for (row, letters) in rows.iter().rev().enumerate() {
            for (column, letter) in letters.chars().enumerate() {
                let square = 1u64 << (row * n + column);
                match letter {
                    'P' => pawns[0] |= square,
                    'p' => pawns[1] |= square,
                    '.' => {}
                    other => {
                        return Err(InputError::new(key("rows"), other.to_string(), "one of P, p and ."));
                    }
                }
            }
        }
        Ok(Board { pawns, to_move })
    }

    fn stages(&self, mv: PawnMove) -> Vec<String> {
        vec![square_name(mv.from, self.side), square_name(mv.to, self.side)]
    }

    fn stage_names(&self) -> &'static [&'static str] {
        &["pawn", "square"]
    }
}

impl View for Breakthrough {
    fn grid(&self, at: &Board, last: Option<PawnMove>) -> BoardGrid {
        let n = self.side;
        let cell = |square: u8| {
            let owner = Side::BOTH.into_iter().find(|side| at.pawns[side.index()] >> square & 1 == 1);
            let content = owner.map_or(CellContent::Empty, |_| CellContent::Piece(&PAWN));
            let marked = last.is_some_and(|mv| mv.from == square || mv.to == square);
            BoardCell { content, owner, marked, ..BoardCell::default() }
        };
        BoardGrid {
            board: BoardKind::Squares,
            n_columns: usize::from(n),
            cells: (0..n)
                .rev()
                .flat_map(|row| (0..n).map(move |column| row * n + column))
                .map(cell)
                .collect(),
            column_labels: (0..n).map(|column| char::from(b'a' + column).to_string()).collect(),
            row_labels: (0..n).rev().map(|row| (row + 1).to_string()).collect(),
            ..BoardGrid::default()
        }
    }

    /// The pawn, then its target.
    fn spots(&self, _at: &Board, stages: &[String]) -> Vec<usize> {
        let Some([column, row]) =
            stages.last().map(|name| [name.as_bytes()[0] - b'a', name.as_bytes()[1] - b'1'])
        else {
            return Vec::new();
        };
        let n = usize::from(self.side);
        vec![(n - 1 - usize::from(row)) * n + usize::from(column)]
    }
}
