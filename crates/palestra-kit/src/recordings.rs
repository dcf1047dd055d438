//! Recorded games, compared with the same games played now.

use crate::open;
use palestra_core::conformance::{playthrough_of, record_playthrough};
use palestra_core::{Family, FamilyInfo, GameVisitor, InputError, Playable, Seed};

/// Replays the games in a family's `playthroughs.txt` and compares them; returns the number of games.
pub fn check_recordings<F: Family>() -> Result<usize, String> {
    let names = recorded(&F::INFO);
    for name in &names {
        let now = play::<F>(name).map_err(|bad| bad.to_string())?;
        let before = playthrough_of(F::INFO.playthroughs, name).unwrap_or_default();
        if let Some(difference) = first_difference(before.trim_end(), now.trim_end()) {
            return Err(format!("the recorded game of {name}: {difference}"));
        }
    }
    Ok(names.len())
}

/// The text of `playthroughs.txt` as recorded now. To record another game, add its heading (`=== GAME`) to the file
/// first.
pub fn record_playthroughs<F: Family>() -> Result<String, String> {
    let mut file = String::new();
    for name in recorded(&F::INFO) {
        let now = play::<F>(&name).map_err(|bad| bad.to_string())?;
        file.push_str(&format!("=== {name}\n{now}\n"));
    }
    Ok(file.trim_end().to_owned() + "\n")
}

/// The games with a heading in the playthrough file; the first sample if there is none.
fn recorded(info: &FamilyInfo) -> Vec<String> {
    let headings = info.playthroughs.lines().filter_map(|line| line.strip_prefix("=== "));
    let mut names: Vec<String> = headings.map(|name| name.trim().to_owned()).collect();
    if names.is_empty() {
        names.extend(info.samples.first().map(|&sample| sample.to_owned()));
    }
    names
}

fn play<F: Family>(name: &str) -> Result<String, InputError> {
    open::<F, _>(name, PlaythroughRecorder)
}

struct PlaythroughRecorder;

impl GameVisitor for PlaythroughRecorder {
    type Out = String;

    fn visit<G: Playable>(self, game: G) -> String {
        record_playthrough(&game, Seed(1))
    }
}

/// Describes the first line in which two texts differ.
fn first_difference(before: &str, now: &str) -> Option<String> {
    let (mut before, mut now) = (before.lines(), now.lines());
    for line in 1.. {
        match (before.next(), now.next()) {
            (None, None) => return None,
            (was, is) if was == is => {}
            (was, is) => {
                let [was, is] = [was, is].map(|line| line.unwrap_or("(nothing)"));
                return Some(format!("line {line} was {was:?} and is {is:?}"));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::first_difference;

    #[test]
    fn differences_are_named() {
        for (before, now, expected) in [
            ("a\nb", "a\nb", None),
            ("a\nb", "a\nc", Some("line 2 was \"b\" and is \"c\"")),
            ("a", "a\nb", Some("line 2 was \"(nothing)\" and is \"b\"")),
            ("a\nb", "", Some("line 1 was \"a\" and is \"(nothing)\"")),
        ] {
            assert_eq!(first_difference(before, now).as_deref(), expected);
        }
    }
}
