//! A file of results: `first,second,wins,draws,losses`.

use anyhow::{Context, Result};
use csv::{ReaderBuilder, StringRecord, Trim};
use palestra_core::InputError;
use palestra_stats::ResultRow;
use std::collections::BTreeMap;
use std::path::Path;

/// The columns that every file must have, in any order and beside any others.
const COLUMNS: [&str; 5] = ["first", "second", "wins", "draws", "losses"];

/// More games than this in one row are a mistake.
const MOST_GAMES: u64 = 1_000_000_000_000_000;

/// Players in the order in which they appear, and all rows.
#[derive(Debug, PartialEq)]
pub(super) struct ResultsFile {
    pub(super) names: Vec<String>,
    pub(super) rows: Vec<ResultRow>,
}

pub(super) fn read(path: &Path) -> Result<ResultsFile> {
    let name = path.display().to_string();
    let bytes = match std::fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(InputError::new("file of results", name, "a file that exists").into());
        }
        read => read.with_context(|| format!("cannot read {name}"))?,
    };
    Ok(parse(&name, &bytes)?)
}

fn parse(name: &str, bytes: &[u8]) -> Result<ResultsFile, InputError> {
    // Spreadsheets begin a file with a mark that is no part of the first name.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = ReaderBuilder::new().flexible(true).trim(Trim::All).from_reader(bytes);
    let broken = |error: &csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        InputError::new(format!("line {line} of {name}"), "text that is not UTF-8", "a line of text")
    };
    let header = reader.headers().map_err(|error| broken(&error))?.clone();
    let columns = find_columns(name, &header)?;
    let mut places = BTreeMap::new();
    let mut found = ResultsFile { names: Vec::new(), rows: Vec::new() };
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cell = |i: usize| record.get(columns[i]).unwrap_or("");
        let place = |i: usize| format!("line {line}, column {} of {name}", COLUMNS[i]);
        if record.len() > header.len() {
            let rest = record.get(header.len()).unwrap_or("");
            let place = format!("line {line}, column {} of {name}", header.len() + 1);
            return Err(InputError::new(
                place,
                rest,
                format!("one of the {} columns of the header", header.len()),
            ));
        }
        let mut player = |i: usize| match cell(i) {
            "" => Err(InputError::new(place(i), "", "the name of a player")),
            text => Ok(*places.entry(text.to_owned()).or_insert_with(|| {
                found.names.push(text.to_owned());
                found.names.len() - 1
            })),
        };
        let (first, second) = (player(0)?, player(1)?);
        if first == second {
            return Err(InputError::new(place(1), cell(1), "another player than the first"));
        }
        let count = |i: usize| {
            let number = cell(i).parse::<u64>().ok().filter(|&number| number <= MOST_GAMES);
            let expected = "a whole number of games from 0 to 1000000000000000";
            number.map(|number| number as f64).ok_or_else(|| InputError::new(place(i), cell(i), expected))
        };
        found.rows.push(ResultRow { first, second, wins: count(2)?, draws: count(3)?, losses: count(4)? });
    }
    if found.rows.is_empty() {
        return Err(InputError::new(format!("the rows of {name}"), "", "results below the header line"));
    }
    Ok(found)
}

/// Where each of the columns stands.
fn find_columns(name: &str, header: &StringRecord) -> Result<[usize; 5], InputError> {
    let mut columns = [0; 5];
    for (place, column) in columns.iter_mut().zip(COLUMNS) {
        let Some(found) = header.iter().position(|cell| cell.eq_ignore_ascii_case(column)) else {
            let text = header.iter().collect::<Vec<_>>().join(",");
            let expected = format!("a header with the column {column} ({})", COLUMNS.join(","));
            return Err(InputError::new(format!("line 1 of {name}"), text, expected));
        };
        *place = found;
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
        let check = |text: &[u8], said: &str| {
            assert_eq!(parse("x.csv", text).unwrap_err().to_string(), said);
        };
        let header = "first,second,wins,draws,losses";
        check(
            b"",
            "line 1 of x.csv: nothing there, expected a header with the column first (first,second,wins,draws,losses)",
        );
        check(header.as_bytes(), "the rows of x.csv: nothing there, expected results below the header line");
        let row = |row: &str, said: &str| check(format!("{header}\nA,B,1,0,0\n{row}\n").as_bytes(), said);
        let number = "a whole number of games from 0 to 1000000000000000";
        row("A,C,x,0,1", &format!("line 3, column wins of x.csv: \"x\" is not {number}"));
        row("A,C,1,-1,1", &format!("line 3, column draws of x.csv: \"-1\" is not {number}"));
        row("A,C,1,0.5,1", &format!("line 3, column draws of x.csv: \"0.5\" is not {number}"));
        row("A,C,1,0", &format!("line 3, column losses of x.csv: nothing there, expected {number}"));
        row("A,,1,0,0", "line 3, column second of x.csv: nothing there, expected the name of a player");
        row("A,A,1,0,0", "line 3, column second of x.csv: \"A\" is not another player than the first");
        row("A,C,1,0,0,7", "line 3, column 6 of x.csv: \"7\" is not one of the 5 columns of the header");
        check(
            b"A,B,18,9,3\n",
            "line 1 of x.csv: \"A,B,18,9,3\" is not a header with the column first (first,second,wins,draws,losses)",
        );
        let said = parse("x.csv", b"first,second,wins,draws,losses\nA,\xff,1,0,0\n").unwrap_err().to_string();
        assert!(said.starts_with("line 2 of x.csv: "), "{said}");
    }
}
