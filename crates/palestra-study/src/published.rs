//! Files with published numbers.

use crate::study::RowSource;
use palestra_core::InputError;

/// Reads a CSV file: headings first, then in every line the name of a row and its cells.
pub(crate) fn read(name: &str, text: &str) -> Result<RowSource, InputError> {
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let bad = |error: csv::Error| {
        let line = error.position().map_or(0, csv::Position::line);
        let found = text.lines().nth((line as usize).saturating_sub(1)).unwrap_or_default();
        let bad = InputError::new(name, found, "as many values as there are headings");
        if line > 0 { bad.at(format!("line {line}")) } else { bad }
    };
    let headings: Vec<String> = reader.headers().map_err(bad)?.iter().map(str::to_owned).collect();
    let mut lines: Vec<(String, Vec<String>)> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(bad)?;
        let mut cells = record.iter().map(str::to_owned);
        let row = cells.next().unwrap_or_default();
        if lines.iter().any(|(known, _)| *known == row) {
            let line = record.position().map_or(0, csv::Position::line);
            let bad = InputError::new(format!("row name in {name}"), row, "a name that no other row has");
            return Err(bad.at(format!("line {line}")));
        }
        lines.push((row, cells.collect()));
    }
    if headings.len() < 2 && lines.is_empty() {
        return Err(InputError::new(name, text.lines().next().unwrap_or_default(), "headings and rows"));
    }
    Ok(RowSource::Published { headings: headings.into_iter().skip(1).collect(), lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_files_are_read() {
        let rows = read("r.csv", "# from the report\nrow,won, lost\na,1,2\n\"b, c\",3,\n").unwrap();
        let RowSource::Published { headings, lines } = rows else { panic!() };
        assert_eq!(headings, ["won", "lost"]);
        assert_eq!(lines[1], ("b, c".to_owned(), vec!["3".to_owned(), String::new()]));
        let error = read("r.csv", "row,won\na,1\nb,1,2\n").unwrap_err().to_string();
        assert_eq!(
            error,
            "invalid value \"b,1,2\" for r.csv (line 3): expected as many values as there are headings"
        );
        let error = read("r.csv", "row,won\na,1\na,2\n").unwrap_err().to_string();
        assert_eq!(
            error,
            "invalid value \"a\" for row name in r.csv (line 3): expected a name that no other row has"
        );
    }
}
