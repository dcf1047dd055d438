//! The roster of a course: a CSV file that says whose each folder of submissions is.
//!
//! A row is a student. Several rows of one folder are a team, whose player has the name of the folder.

use super::{MAX_NAME, Submission, player_name};
use anyhow::{Context, Result};
use csv::{ReaderBuilder, StringRecord};
use palestra_core::{InputError, nearest_name};
use palestra_review::event::LeftOutPlayer;
use palestra_tournament::Student;
use std::collections::BTreeMap;
use std::path::Path;

/// The columns in any order; others are ignored, and all but the first may be missing.
const COLUMNS: [&str; 4] = ["folder", "name", "group", "identifier"];

/// Why a student of the roster without a folder does not play.
const NO_SUBMISSION: &str = "no submission";

/// Whose a submission is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::cli) struct RosterEntry {
    /// The folder, as the roster has it.
    pub(in crate::cli) folder: String,
    /// Name of the player.
    pub(in crate::cli) name: String,
    /// Class of the course.
    pub(in crate::cli) group: Option<String>,
    /// What a gradebook knows the student by; a team has none.
    pub(in crate::cli) identifier: Option<String>,
    /// The students of a team; empty for a single student.
    pub(in crate::cli) students: Vec<Student>,
    /// Line of its first row.
    line: u64,
}

impl RosterEntry {
    /// A submission that no roster names.
    pub(super) fn of_folder(folder: &str) -> RosterEntry {
        RosterEntry { folder: folder.to_owned(), name: player_name(folder), ..RosterEntry::default() }
    }

    /// The line of a player that does not play.
    pub(in crate::cli) fn left_out(self, reason: String) -> LeftOutPlayer {
        let RosterEntry { name: player, group, identifier, students, .. } = self;
        LeftOutPlayer { player, reason, group, identifier, students }
    }
}

/// The entries of a roster.
#[derive(Debug, PartialEq)]
pub(in crate::cli) struct Roster {
    file: String,
    entries: Vec<RosterEntry>,
}

/// A row of the file.
struct RosterRow {
    line: u64,
    cells: [String; 4],
}

impl Roster {
    /// Reads the file.
    pub(in crate::cli) fn read(path: &Path) -> Result<Roster> {
        let file = path.display().to_string();
        let bytes = match std::fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(InputError::new("roster", file, "an existing CSV file").into());
            }
            read => read.with_context(|| format!("cannot read {file}"))?,
        };
        Ok(Roster::parse(&file, &bytes)?)
    }

    fn parse(file: &str, bytes: &[u8]) -> Result<Roster, InputError> {
        let rows = rows(file, bytes)?;
        let mut entries: Vec<RosterEntry> = Vec::new();
        // Line of each folder's entry, name and identifier.
        let mut known: BTreeMap<(usize, String), u64> = BTreeMap::new();
        for RosterRow { line, cells } in rows {
            let invalid = |column: usize, expected: &str| {
                InputError::new(COLUMNS[column], &cells[column], expected)
                    .at(format!("line {line} of {file}"))
            };
            let [folder, name, group, identifier] = &cells;
            if folder.is_empty() {
                return Err(invalid(0, "the name of a folder of submissions"));
            }
            let is_bad = |text: &str| text.chars().count() > MAX_NAME || text.chars().any(char::is_control);
            if let Some(column) = (1..4).find(|&column| is_bad(&cells[column])) {
                return Err(invalid(column, "at most 100 characters on one line"));
            }
            for (column, cell) in [(1, name), (3, identifier)] {
                let before = (!cell.is_empty()).then(|| known.insert((column, cell.clone()), line)).flatten();
                if let Some(before) = before {
                    let what = if column == 1 { "a name" } else { "an identifier" };
                    let expected = format!("{what} of its own; line {before} has this one");
                    return Err(invalid(column, &expected));
                }
            }
            let optional = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
            let (group, identifier) = (optional(group), optional(identifier));
            let name = optional(name).unwrap_or_else(|| player_name(folder));
            let student = Student { name, identifier };
            let Some(entry) = entries.iter_mut().find(|entry| entry.folder == *folder) else {
                let Student { name, identifier } = student;
                let folder = folder.clone();
                entries.push(RosterEntry { folder, name, group, identifier, students: Vec::new(), line });
                continue;
            };
            if cells[1].is_empty() {
                return Err(invalid(1, &format!("a name: line {} has the same folder", entry.line)));
            }
            if entry.group != group {
                let expected = format!("the group of line {}, which has the same folder", entry.line);
                return Err(invalid(2, &expected));
            }
            entry.add(student);
        }
        let mut names: BTreeMap<&str, u64> = BTreeMap::new();
        for entry in &entries {
            if let Some(before) = names.insert(&entry.name, entry.line) {
                let expected = format!("a name of its own; the player of line {before} has this one");
                let error = InputError::new(COLUMNS[1], &entry.name, expected);
                return Err(error.at(format!("line {} of {file}", entry.line)));
            }
        }
        Ok(Roster { file: file.to_owned(), entries })
    }

    /// Gives each submission its entry. Returns the entries without a folder, as players that are left out, and notices
    /// about them and about folders without an entry.
    pub(in crate::cli) fn assign(
        mut self,
        submissions: &mut [Submission],
    ) -> (Vec<LeftOutPlayer>, Vec<String>) {
        let mut notices = Vec::new();
        for submission in &mut *submissions {
            let folder = submission.folder_name();
            let same = |entry: &RosterEntry| entry.folder == folder;
            let alike = |entry: &RosterEntry| entry.folder.trim() == folder.trim();
            let found = self.entries.iter().position(same).or_else(|| self.entries.iter().position(alike));
            match found {
                Some(found) => submission.entry = self.entries.remove(found),
                None => notices.push(format!("folder {folder} is not in {}: it plays as itself", self.file)),
            }
        }
        let left_out = self.entries.into_iter().map(|entry| {
            let folders: Vec<String> = submissions.iter().map(Submission::folder_name).collect();
            let nearest = nearest_name(&entry.folder, folders.iter().map(String::as_str));
            let nearest = nearest.map_or_else(String::new, |name| format!("; did you mean \"{name}\"?"));
            notices.push(format!(
                "no folder {} (line {} of {}): {} is left out{nearest}",
                entry.folder, entry.line, self.file, entry.name
            ));
            entry.left_out(NO_SUBMISSION.to_owned())
        });
        (left_out.collect(), notices)
    }
}

impl RosterEntry {
    /// Adds another student of the folder, whose player is now a team.
    fn add(&mut self, student: Student) {
        if self.students.is_empty() {
            let name = std::mem::replace(&mut self.name, player_name(&self.folder));
            self.students.push(Student { name, identifier: self.identifier.take() });
        }
        self.students.push(student);
    }
}

/// The rows below the header; blank ones are left out.
fn rows(file: &str, bytes: &[u8]) -> Result<Vec<RosterRow>, InputError> {
    // Spreadsheets start a file with a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let header = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    // Where a comma is the decimal point, spreadsheets separate columns by semicolons.
    let delimiter = if header.contains(&b';') && !header.contains(&b',') { b';' } else { b',' };
    let mut reader = ReaderBuilder::new().flexible(true).delimiter(delimiter).from_reader(bytes);
    let broken = |error: &csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        let expected = "UTF-8 text, which spreadsheets save as \"CSV UTF-8\"";
        InputError::new(file, "bytes that are not UTF-8", expected).at(format!("line {line}"))
    };
    let header = reader.headers().map_err(|error| broken(&error))?.clone();
    let columns = find_columns(file, &header)?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| broken(&error))?;
        let line = record.position().map_or(0, |position| line_of(position, bytes));
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if record.len() != header.len() {
            let expected = format!("the {} columns of the header", header.len());
            let found = format!("{} columns", record.len());
            return Err(InputError::new(file, found, expected).at(format!("line {line}")));
        }
        let cell = |column: Option<usize>| column.and_then(|i| record.get(i)).unwrap_or("").to_owned();
        let [folder, name, group, identifier] = columns.map(cell);
        // The name of a folder may begin or end with a blank.
        let folder = if folder.trim().is_empty() { String::new() } else { folder };
        let [name, group, identifier] = [name, group, identifier].map(|text| text.trim().to_owned());
        rows.push(RosterRow { line, cells: [folder, name, group, identifier] });
    }
    Ok(rows)
}

/// The line in which a record begins; its position is that of blank lines before it.
fn line_of(position: &csv::Position, bytes: &[u8]) -> u64 {
    let rest = usize::try_from(position.byte()).ok().and_then(|start| bytes.get(start..));
    let blank = rest.unwrap_or_default().iter().take_while(|byte| b"\r\n".contains(byte));
    position.line() + blank.filter(|byte| **byte == b'\n').count() as u64
}

/// Index of each column in the file.
fn find_columns(file: &str, header: &StringRecord) -> Result<[Option<usize>; 4], InputError> {
    let cells: Vec<String> = header.iter().map(|cell| cell.trim().to_lowercase()).collect();
    let error = |found: &str, expected: String| {
        InputError::new("the header", found, expected).at(format!("line 1 of {file}"))
    };
    for name in COLUMNS {
        if cells.iter().filter(|cell| *cell == name).count() > 1 {
            return Err(error(name, format!("one column {name}")));
        }
    }
    let columns = COLUMNS.map(|name| cells.iter().position(|cell| cell == name));
    if columns[0].is_none() {
        let text = header.iter().collect::<Vec<_>>().join(",");
        let nearest = cells.iter().find(|cell| nearest_name(cell, [COLUMNS[0]]).is_some());
        let expected = format!("a column folder ({})", COLUMNS.join(","));
        return Err(match nearest {
            Some(cell) => error(cell, expected).with_nearest(Some(COLUMNS[0])),
            None => error(&text, expected),
        });
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<RosterEntry>, String> {
        Roster::parse("r.csv", text.as_bytes()).map(|roster| roster.entries).map_err(|bad| bad.to_string())
    }

    fn student(name: &str, identifier: &str) -> Student {
        Student { name: name.to_owned(), identifier: Some(identifier.to_owned()) }
    }

    #[test]
    fn rosters_are_read() {
        let text = "\u{feff}Identifier,email,name,folder,group\r\n\
                    7,a@x,\"García, Ana\",\"García, Ana_1_file_\",\"1 \"\"A\"\"\"\r\n\
                    ,,,,\r\n\
                    8,,Luis,t,B\r\n9,,Eva,t,B\r\n,,,solo,\r\n";
        let entries = read(text).unwrap();
        let [ana, team, solo] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!((ana.name.as_str(), ana.folder.as_str()), ("García, Ana", "García, Ana_1_file_"));
        assert_eq!((ana.group.as_deref(), ana.identifier.as_deref()), (Some("1 \"A\""), Some("7")));
        assert_eq!((team.name.as_str(), &team.identifier, team.group.as_deref()), ("t", &None, Some("B")));
        assert_eq!(team.students, [student("Luis", "8"), student("Eva", "9")]);
        assert_eq!((solo.name.as_str(), &solo.group, &solo.identifier), ("solo", &None, &None));
        assert_eq!(solo.students, []);
        assert_eq!(read("folder;name\na;Ana\n").unwrap()[0].name, "Ana");
        assert_eq!(read("folder\na \n").unwrap()[0].folder, "a ");
        assert_eq!(read("folder\n").unwrap(), []);
    }

    #[test]
    fn errors_name_line_column_and_the_nearest_name() {
        let check = |text: &str, expected: &str| assert_eq!(read(text).unwrap_err(), expected, "{text}");
        check(
            "name,fodler\n",
            "invalid value \"fodler\" for the header (line 1 of r.csv): expected a column folder \
             (folder,name,group,identifier); did you mean \"folder\"?",
        );
        check(
            "a,b\n",
            "invalid value \"a,b\" for the header (line 1 of r.csv): expected a column folder \
             (folder,name,group,identifier)",
        );
        check(
            "folder,name,Name\n",
            "invalid value \"name\" for the header (line 1 of r.csv): expected one column name",
        );
        check(
            "folder,name\na,Ana\nb,Ana\n",
            "invalid value \"Ana\" for name (line 3 of r.csv): expected a name of its own; line 2 has this one",
        );
        check(
            "folder,identifier\na,7\n\nb,7\n",
            "invalid value \"7\" for identifier (line 4 of r.csv): expected an identifier of its own; line 2 has \
             this one",
        );
        check(
            "folder,name,group\na,Ana,1\na,Eva,2\n",
            "invalid value \"2\" for group (line 3 of r.csv): expected the group of line 2, which has the same folder",
        );
        check(
            "folder,name\na,Ana\na,\n",
            "missing value for name (line 3 of r.csv): expected a name: line 2 has the same folder",
        );
        check(
            "folder,name\nb,a\na,Ana\na,Eva\n",
            "invalid value \"a\" for name (line 3 of r.csv): expected a name of its own; the player of line 2 has \
             this one",
        );
        check(
            "folder,name\n,Ana\n",
            "missing value for folder (line 2 of r.csv): expected the name of a folder of submissions",
        );
        check(
            "folder,name\nana\n",
            "invalid value \"1 columns\" for r.csv (line 2): expected the 2 columns of the header",
        );
        let broken = Roster::parse("r.csv", b"folder\nGarc\xeda\n").unwrap_err().to_string();
        assert!(broken.contains("(line 2): expected UTF-8 text"), "{broken}");
    }
}
