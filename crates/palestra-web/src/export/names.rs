//! File names for players.

use std::collections::{BTreeMap, BTreeSet};

/// Maximum length of a file name without its extension.
const MAX_LENGTH: usize = 60;
/// Names that some systems reserve, and the index page.
const RESERVED: [&str; 5] = ["con", "prn", "aux", "nul", "index"];

/// The file name of each player, and the players by name.
pub struct PlayerFiles {
    files: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl PlayerFiles {
    /// File names that differ even on file systems that ignore case.
    #[must_use]
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> PlayerFiles {
        let mut taken: BTreeSet<String> = RESERVED.iter().map(|name| (*name).to_owned()).collect();
        let mut player_files = PlayerFiles { files: Vec::new(), numbers: BTreeMap::new() };
        for (player, name) in names.enumerate() {
            let stem = stem(name);
            let mut file = stem.clone();
            let mut number = 1;
            while !taken.insert(file.to_lowercase()) {
                number += 1;
                file = format!("{stem}-{number}");
            }
            player_files.files.push(file);
            player_files.numbers.insert(name.to_owned(), player);
        }
        player_files
    }

    /// The file name of a player, without its extension.
    #[must_use]
    pub fn file(&self, player: usize) -> &str {
        &self.files[player]
    }

    /// The player with a name.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

/// ASCII letters, digits and `_` of a name; each run of other characters becomes one `-`.
fn stem(name: &str) -> String {
    let mut stem = String::new();
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() || c == '_' => stem.push(c),
            _ if !stem.is_empty() && !stem.ends_with('-') => stem.push('-'),
            _ => {}
        }
        if stem.len() >= MAX_LENGTH {
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
        assert_eq!(stem(&"x".repeat(500)).len(), MAX_LENGTH);
    }
}
