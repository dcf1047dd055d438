//! One word, one concept: the names of types, and words that identifiers do not use (docs/glossary.md).

use crate::support::{names_in, workspace};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names of concepts with several implementations, each in its own module.
const SIDE_BY_SIDE: [&str; 5] = [
    // The position of each game, and the rules and states that its exact solver works on.
    "Position", "Rules", "State", // A program's process and its pipes, under Linux and elsewhere.
    "Pipes", "Process",
];

/// Words that are not terms of the field, and their replacements.
const FORBIDDEN: [(&str, &str); 30] = [
    ("ballot", "child features"),
    ("contestant", "a seat or an engine"),
    ("crowd", "a cohort"),
    ("desk", "a result sink"),
    ("duel", "a greedy match, or head to head"),
    ("echo", "a line update"),
    ("finalists", "recommendations"),
    ("formula", "a tunable player"),
    ("lease", "a pooled engine"),
    ("manner", "run options"),
    ("meeting", "a match or its result"),
    ("memo", "an accumulator"),
    ("outlook", "a drop effect"),
    ("pulse", "a change poller"),
    ("recall", "extract_incremental"),
    ("rival", "an opponent"),
    ("seated", "a text player"),
    ("shelf", "a resolver, a cache or a pool"),
    ("sketch", "a tunable player"),
    ("slip", "a result sink"),
    ("spoken", "a log line"),
    ("story", "a report"),
    ("teller", "a progress reporter"),
    ("telling", "a live status"),
    ("trouble", "an error or a failure"),
    ("venue", "a game runner"),
    ("vitals", "metrics"),
    ("voters", "a cohort splitter"),
    ("warden", "a supervisor"),
    ("witness", "an engine log"),
];

/// The sources of all crates, without tests.
fn sources() -> Vec<(PathBuf, String)> {
    let crates = workspace().join("crates");
    let mut folders: Vec<PathBuf> =
        names_in(&crates).iter().map(|name| crates.join(name).join("src")).collect();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            match path.is_dir() {
                true => folders.push(path),
                false if name.ends_with(".rs") && !name.contains("tests") => {
                    let text = fs::read_to_string(&path).unwrap();
                    sources.push((path, without_tests(&text).to_owned()));
                }
                false => {}
            }
        }
    }
    assert!(sources.len() > 300, "only {} sources were found", sources.len());
    sources
}

/// The text of a file before its `tests` module.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

/// Name of the type with `pub` or `pub(…)` visibility that a line defines.
fn visible_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub")?;
    let rest = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1,
        None => rest,
    };
    let mut words = rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    match words.next()? {
        "struct" | "enum" | "trait" | "type" | "union" => words.next(),
        _ => None,
    }
}

/// The identifiers of a source, without comments, string literals and character literals.
fn identifiers(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if c == '"' {
            string_length(rest)
        } else if c == '\'' {
            // A character literal, or the quote of a lifetime, whose name is an identifier.
            character_length(rest)
        } else if c.is_alphabetic() || c == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            if matches!(word, "r" | "br") && behind.starts_with(['"', '#']) {
                end + raw_string_length(behind)
            } else {
                found.push(word);
                end
            }
        } else {
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    found
}

fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of a raw string literal from its first `#` or quote on, or of the `#` of a raw identifier.
fn raw_string_length(text: &str) -> usize {
    let n_marks = text.chars().take_while(|&c| c == '#').count();
    if !text[n_marks..].starts_with('"') {
        return n_marks;
    }
    let end = format!("\"{}", "#".repeat(n_marks));
    text[n_marks + 1..].find(&end).map_or(text.len(), |at| n_marks + 1 + at + end.len())
}

fn character_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(1, |at| at + 4),
        Some((_, _)) => match chars.next() {
            Some((at, '\'')) => at + 1,
            _ => 1,
        },
        None => 1,
    }
}

/// The words that an identifier is made of, in lower case.
fn words_of(identifier: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    let mut was_lower = false;
    for c in identifier.chars() {
        if c == '_' || c.is_numeric() {
            is_new = true;
            continue;
        }
        if is_new || (c.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        is_new = false;
        was_lower = c.is_lowercase();
        words.last_mut().unwrap().extend(c.to_lowercase());
    }
    words
}

fn shown(path: &Path) -> String {
    path.strip_prefix(workspace()).unwrap().display().to_string()
}

#[test]
fn a_type_name_stands_for_one_concept() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in sources() {
        for name in text.lines().filter_map(visible_type).filter(|name| !SIDE_BY_SIDE.contains(name)) {
            places.entry(name.to_owned()).or_default().push(shown(&path));
        }
    }
    let twice: Vec<String> = places
        .iter()
        .filter(|(_, places)| places.len() > 1)
        .map(|(name, places)| format!("{name}: {}", places.join(", ")))
        .collect();
    assert!(twice.is_empty(), "names that stand for two things:\n{}", twice.join("\n"));
}

#[test]
fn identifiers_use_words_of_the_field() {
    let mut faults = Vec::new();
    for (path, text) in sources() {
        for identifier in identifiers(&text) {
            for (word, instead) in FORBIDDEN {
                if words_of(identifier).iter().any(|found| found == word) {
                    faults.push(format!("{}: {identifier}: use {instead}", shown(&path)));
                }
            }
        }
    }
    faults.dedup();
    assert!(faults.is_empty(), "words that identifiers do not use:\n{}", faults.join("\n"));
}

#[test]
fn names_are_found() {
    assert_eq!(visible_type("pub(super) struct Room<'a> {"), Some("Room"));
    assert_eq!(visible_type("    pub type Key = u64;"), Some("Key"));
    assert_eq!(visible_type("pub(crate) fn room() {"), None);
    assert_eq!(visible_type("struct Private;"), None);
    let text = "let a = \"b \\\" c\"; // d\nlet e: &'f str = r#\"g\"#; 'h'; '\\n'; i.j(\"\")";
    assert_eq!(identifiers(text), ["let", "a", "let", "e", "f", "str", "i", "j"]);
    assert_eq!(words_of("n_FooBar2_BAZ"), ["n", "foo", "bar", "baz"]);
}
