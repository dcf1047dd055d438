//! Names of players as names of files.

use std::collections::{BTreeMap, BTreeSet};

/// The longest name of a file, its ending left out.
const LONGEST: usize = 60;
/// What no file may be called on some machines.
const TAKEN: [&str; 5] = ["con", "prn", "aux", "nul", "index"];

/// A file for every player, and every player by name.
pub(super) struct PlayerFiles {
    files: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl PlayerFiles {
    /// Files that differ even where large and small letters are the same.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str>) -> PlayerFiles {
        let mut taken: BTreeSet<String> = TAKEN.iter().map(|name| (*name).to_owned()).collect();
        let mut found = PlayerFiles { files: Vec::new(), numbers: BTreeMap::new() };
        for (player, name) in names.enumerate() {
            let stem = stem(name);
            let mut file = stem.clone();
            let mut number = 1;
            while !taken.insert(file.to_lowercase()) {
                number += 1;
                file = format!("{stem}-{number}");
            }
            found.files.push(file);
            found.numbers.insert(name.to_owned(), player);
        }
        found
    }

    /// The file of a player, without its ending.
    pub(super) fn file(&self, player: usize) -> &str {
        &self.files[player]
    }

    /// The player of a name.
    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

/// Letters, digits, `-` and `_` of a name; whatever else it holds is one `-`.
fn stem(name: &str) -> String {
    let mut stem = String::new();
    for letter in name.chars() {
        match letter {
            letter if letter.is_ascii_alphanumeric() || letter == '_' => stem.push(letter),
            _ if !stem.is_empty() && !stem.ends_with('-') => stem.push('-'),
            _ => {}
        }
        if stem.len() >= LONGEST {
            break;
        }
    }
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() { "player".to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_safe_and_unique() {
        let all = ["ana", "Ana", "../../etc/passwd", "<b>", "ñ", "", "con", "a/b", "a b", "a-b-2"];
        let names = PlayerFiles::new(all.into_iter());
        let files: Vec<&str> = (0..all.len()).map(|player| names.file(player)).collect();
        assert_eq!(
            files,
            ["ana", "Ana-2", "etc-passwd", "b", "player", "player-2", "con-2", "a-b", "a-b-2", "a-b-2-2"]
        );
        assert_eq!(names.number("<b>"), Some(3));
        assert_eq!(stem(&"x".repeat(500)).len(), LONGEST);
    }
}
