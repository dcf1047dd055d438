//! The file of results: CSV with the columns `first,second,wins,draws,losses`.

use anyhow::{Context, Result};
use csv::{ReaderBuilder, StringRecord, Trim};
use palestra_core::InputError;
use palestra_stats::ResultRow;
use std::collections::BTreeMap;
use std::path::Path;

/// The required columns, in any order; others are ignored.
const COLUMNS: [&str; 5] = ["first", "second", "wins", "draws", "losses"];

/// Limit on a count of games; more are a mistake.
const MAX_GAMES: u64 = 1_000_000_000_000_000;

/// Players in order of appearance, and all rows.
#[derive(Debug, PartialEq)]
pub(super) struct ResultsFile {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<ResultRow>,
}

pub(super) fn read(path: &Path) -> Result<ResultsFile> {
    let name = path.display().to_string();
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(InputError::new("the file of results", name, "an existing file").into());
        }
        read => read.with_context(|| format!("cannot read {name}"))?,
    };
    Ok(parse(&name, &bytes)?)
}

fn parse(name: &str, bytes: &[u8]) -> Result<ResultsFile, InputError> {
    // Spreadsheets start a file with a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(bytes);
    let broken = |error: &csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        InputError::new(name, "bytes that are not UTF-8", "UTF-8 text").at(format!("line {line}"))
    };
    let header = reader.headers().map_err(|error| broken(&error))?.clone();
    let columns = find_columns(name, &header)?;
    let mut numbers = BTreeMap::new();
    let mut found = ResultsFile { names: Vec::new(), rows: Vec::new() };
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |i: usize| record.get(columns[i]).unwrap_or("");
        let invalid = |i: usize, expected: &str| {
            InputError::new(COLUMNS[i], cell(i), expected).at(format!("line {line} of {name}"))
        };
        if record.len() > header.len() {
            let (n, extra) = (header.len(), record.get(header.len()).unwrap_or(""));
            let expected = format!("the {n} columns of the header");
            let error = InputError::new(format!("column {}", n + 1), extra, expected);
            return Err(error.at(format!("line {line} of {name}")));
        }
        let mut player = |i: usize| match cell(i) {
            "" => Err(invalid(i, "the name of a player")),
            text => Ok(*numbers.entry(text.to_owned()).or_insert_with(|| {
                found.names.push(text.to_owned());
                found.names.len() - 1
            })),
        };
        let (first, second) = (player(0)?, player(1)?);
        if first == second {
            return Err(invalid(1, "a player other than the first"));
        }
        let count = |i: usize| {
            let number = cell(i).parse::<u64>().ok().filter(|&number| number <= MAX_GAMES);
            let expected = "a whole number of games from 0 to 1000000000000000";
            number.map(|number| number as f64).ok_or_else(|| invalid(i, expected))
        };
        found.rows.push(ResultRow { first, second, wins: count(2)?, draws: count(3)?, losses: count(4)? });
    }
    if found.rows.is_empty() {
        return Err(InputError::new(format!("the rows of {name}"), "", "results below the header line"));
    }
    Ok(found)
}

/// Index of each required column.
fn find_columns(name: &str, header: &StringRecord) -> Result<[usize; 5], InputError> {
    let mut columns = [0; 5];
    for (index, column) in columns.iter_mut().zip(COLUMNS) {
        let Some(found) = header.iter().position(|cell| cell.eq_ignore_ascii_case(column)) else {
            let text = header.iter().collect::<Vec<_>>().join(",");
            let expected = format!("a header with the column {column} ({})", COLUMNS.join(","));
            return Err(InputError::new("the header", text, expected).at(format!("line 1 of {name}")));
        };
        *index = found;
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_files() {
        let check = |text: &str, names: &[&str]| {
            let found = parse("x.csv", text.as_bytes()).unwrap();
            assert_eq!(found.names, names, "{text}");
            let row = found.rows[0];
            assert_eq!((row.wins, row.draws, row.losses), (18.0, 9.0, 3.0), "{text}");
        };
        check("first,second,wins,draws,losses\nA,B,18,9,3\n", &["A", "B"]);
        check("\u{feff}first,second,wins,draws,losses\r\nA,B,18,9,3\r\n\r\n", &["A", "B"]);
        check(
            " First , second ,wins,draws,losses\n\"A, \"\"new\"\"\", B b ,18, 9 ,3",
            &["A, \"new\"", "B b"],
        );
        check("losses,note,wins,draws,second,first\n3,hm,18,9,B,A", &["A", "B"]);
    }

    #[test]
    fn bad_files() {
        let check = |text: &[u8], expected: &str| {
            assert_eq!(parse("x.csv", text).unwrap_err().to_string(), expected);
        };
        let header = "first,second,wins,draws,losses";
        check(
            b"",
            "missing value for the header (line 1 of x.csv): expected a header with the column first (first,second,wins,draws,losses)",
        );
        check(
            header.as_bytes(),
            "missing value for the rows of x.csv: expected results below the header line",
        );
        let row =
            |row: &str, expected: &str| check(format!("{header}\nA,B,1,0,0\n{row}\n").as_bytes(), expected);
        let number = "a whole number of games from 0 to 1000000000000000";
        let value = |found: &str, column: &str, expected: &str| {
            format!("invalid value \"{found}\" for {column} (line 3 of x.csv): expected {expected}")
        };
        row("A,C,x,0,1", &value("x", "wins", number));
        row("A,C,1,-1,1", &value("-1", "draws", number));
        row("A,C,1,0.5,1", &value("0.5", "draws", number));
        row("A,C,1,0", &format!("missing value for losses (line 3 of x.csv): expected {number}"));
        row("A,,1,0,0", "missing value for second (line 3 of x.csv): expected the name of a player");
        row("A,A,1,0,0", &value("A", "second", "a player other than the first"));
        row("A,C,1,0,0,7", &value("7", "column 6", "the 5 columns of the header"));
        check(
            b"A,B,18,9,3\n",
            "invalid value \"A,B,18,9,3\" for the header (line 1 of x.csv): expected a header with the column first (first,second,wins,draws,losses)",
        );
        check(
            b"first,second,wins,draws,losses\nA,\xff,1,0,0\n",
            "invalid value \"bytes that are not UTF-8\" for x.csv (line 2): expected UTF-8 text",
        );
    }
}
