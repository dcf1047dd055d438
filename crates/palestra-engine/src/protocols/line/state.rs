//! What a judge says about the game at each turn besides the last move: the whole history, the position, the clocks.

use super::fields::MoveField;
use super::rules::translate;
use super::template::{LineTemplate, PlaceholderValues};
use palestra_arena::MoveRequest;
use palestra_core::Side;
use palestra_settings::{pairs, parsed};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// All moves in one line: `[history]`.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryForm {
    /// One move.
    #[serde(rename = "move", deserialize_with = "parsed")]
    pub(crate) token: LineTemplate,
    /// What is between two moves.
    #[serde(default = "blank")]
    separator: String,
    /// What stands for no moves at all.
    #[serde(default)]
    empty: String,
}

fn blank() -> String {
    " ".to_owned()
}

impl HistoryForm {
    /// The moves as text; `None` where one cannot be expressed.
    pub(super) fn write(
        &self,
        moves: &[String],
        token: &LineTemplate,
        fields: &BTreeMap<String, MoveField>,
    ) -> Option<String> {
        if moves.is_empty() {
            return Some(self.empty.clone());
        }
        let written = moves.iter().map(|mv| Some(self.token.fill(&translate(mv, token, fields)?)));
        Some(written.collect::<Option<Vec<String>>>()?.join(&self.separator))
    }
}

/// The position, cell by cell: `[state]`. It is made from the board of a setup, rows of letters or of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StateForm {
    order: CellOrder,
    first_row: FirstRow,
    first_column: FirstColumn,
    between_rows: String,
    between_cells: String,
    /// Palestra's letter of a cell and the program's.
    #[serde(deserialize_with = "pairs")]
    letters: Vec<(String, String)>,
    /// The program's letter for its own stones and for the opponent's, which are 1 and 2 in a setup.
    own: Option<String>,
    other: Option<String>,
}

/// Whether cells are listed row by row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum CellOrder {
    #[default]
    ByRows,
    ByColumns,
}

/// The first row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FirstRow {
    /// As in a setup: the top, or the first player's row of a sowing game.
    #[default]
    Top,
    Bottom,
    /// The program's own row of a sowing game.
    Own,
}

/// The first column.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FirstColumn {
    #[default]
    Left,
    Right,
}

impl StateForm {
    /// The board of a setup, for the program of a side.
    pub(super) fn write(&self, setup: &str, side: Side) -> String {
        let board = setup.split_whitespace().next().unwrap_or_default();
        let cells = |row: &str| -> Vec<String> {
            match board.contains(',') {
                true => row.split(',').map(str::to_owned).collect(),
                false => row.chars().map(String::from).collect(),
            }
        };
        let mut rows: Vec<Vec<String>> = board.split('/').map(cells).collect();
        let is_turned = match self.first_row {
            FirstRow::Top => false,
            FirstRow::Bottom => true,
            FirstRow::Own => side == Side::Second,
        };
        if is_turned {
            rows.reverse();
        }
        if self.first_column == FirstColumn::Right {
            rows.iter_mut().for_each(|row| row.reverse());
        }
        if self.order == CellOrder::ByColumns {
            let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
            let column = |i: usize| rows.iter().filter_map(|row| row.get(i).cloned()).collect();
            rows = (0..n_columns).map(column).collect();
        }
        let letter = |cell: &String| self.letter(cell, side).to_owned();
        let row = |row: &Vec<String>| row.iter().map(letter).collect::<Vec<_>>().join(&self.between_cells);
        rows.iter().map(row).collect::<Vec<_>>().join(&self.between_rows)
    }

    fn letter<'a>(&'a self, cell: &'a str, side: Side) -> &'a str {
        let own = ["1", "2"][side.index()];
        let of_side = match cell {
            "1" | "2" if cell == own => self.own.as_deref(),
            "1" | "2" => self.other.as_deref(),
            _ => None,
        };
        let listed = self.letters.iter().find(|(palestra, _)| palestra == cell);
        of_side.or(listed.map(|(_, program)| program.as_str())).unwrap_or(cell)
    }
}

/// The names of the times that lines can have, before their unit.
const TIMES: [&str; 6] = ["own", "other", "first", "second", "move", "increment"];

/// Units of time, with how many there are in a second.
const UNITS: [(&str, u128); 3] = [("s", 1), ("ms", 1_000), ("us", 1_000_000)];

/// The placeholders of times: `own-ms`, `increment-s`.
pub(super) fn clock_names() -> impl Iterator<Item = String> {
    TIMES.iter().flat_map(|time| UNITS.map(|(unit, _)| format!("{time}-{unit}")))
}

/// The values of these placeholders. Without a clock for the game, the time for the move is what is left, and without a
/// limit for the move it is what is left.
pub(super) fn clock_values(turn: &MoveRequest<'_>) -> PlaceholderValues {
    let control = turn.control;
    let of_move = || control.per_move.unwrap_or(turn.within);
    let own = turn.left[turn.side.index()].or(control.game).unwrap_or_else(of_move);
    let left = turn.left.map(|left| left.unwrap_or(own));
    let other = left[turn.side.other().index()];
    let for_move = control.budget(Some(own)).unwrap_or(own);
    let times: [Duration; 6] = [own, other, left[0], left[1], for_move, control.increment];
    let in_units = |(name, time): (&str, Duration)| {
        let value = |(unit, per_second): (&str, u128)| {
            (format!("{name}-{unit}"), (time.as_nanos() * per_second / 1_000_000_000).to_string())
        };
        UNITS.map(value)
    };
    TIMES.into_iter().zip(times).flat_map(in_units).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(form: &str, setup: &str, side: Side, expected: &str) {
        let form: StateForm = palestra_settings::Document::parse(form, "state.toml").unwrap().read().unwrap();
        assert_eq!(form.write(setup, side), expected, "{form:?}");
    }

    #[test]
    fn positions_are_written_in_many_forms() {
        let connect = "..../.12./2112 1";
        check("", connect, Side::First, ".....12.2112");
        check("first_row = 'bottom'\nbetween_rows = '/'", connect, Side::First, "2112/.12./....");
        check("first_column = 'right'\nbetween_rows = ' '", connect, Side::First, ".... .21. 2112");
        check("order = 'by-columns'\nbetween_rows = '|'", connect, Side::First, "..2|.11|.21|..2");
        check("own = 'X'\nother = 'O'\nletters = { '.' = '_' }", connect, Side::Second, "_____OX_XOOX");
        check("between_cells = ','\nletters = { '.' = '0' }", "./1 2", Side::First, "01");
        let kalah = "4,0,5,1/2,14,4,0 2";
        check("between_cells = ','\nbetween_rows = ';'", kalah, Side::First, "4,0,5,1;2,14,4,0");
        check(
            "first_row = 'own'\nbetween_cells = ' '\nbetween_rows = ' '",
            kalah,
            Side::First,
            "4 0 5 1 2 14 4 0",
        );
        check(
            "first_row = 'own'\nbetween_cells = ' '\nbetween_rows = ' '",
            kalah,
            Side::Second,
            "2 14 4 0 4 0 5 1",
        );
    }

    #[test]
    fn times_have_units() {
        let check = |control: &str, left: [Option<u64>; 2], expected: &str| {
            let control = control.parse().unwrap();
            let turn = MoveRequest {
                moves: &[],
                position: "",
                side: Side::Second,
                left: left.map(|left| left.map(Duration::from_millis)),
                control: &control,
                within: Duration::from_secs(9),
            };
            let line: LineTemplate =
                "{own-ms} {other-s} {first-us} {second-s} {move-ms} {increment-ms}".parse().unwrap();
            assert_eq!(line.fill(&clock_values(&turn)), expected);
        };
        check("60+0.5", [Some(59_999), Some(1_500)], "1500 59 59999000 1 1500 500");
        check("60+0.5,1/move", [Some(59_999), Some(1_500)], "1500 59 59999000 1 1000 500");
        check("0.25/move", [None, None], "250 0 250000 0 250 0");
        assert_eq!(clock_names().count(), 18);
    }
}
