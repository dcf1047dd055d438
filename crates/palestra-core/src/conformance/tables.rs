//! Test data of a game in text files: known perft counts and recorded games.

use crate::{InputError, Notation, count_sequences};

/// One line of a perft file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftCase<'a> {
    /// The game string.
    pub game: &'a str,
    /// `start` or a setup string.
    pub setup: &'a str,
    /// The counts of depth 1, 2, …, as text.
    counts: &'a str,
}

/// Reads a perft file: `game | start or setup | counts`, `#` starts a comment line.
pub fn perft_cases(file: &str) -> impl Iterator<Item = PerftCase<'_>> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut parts = line.splitn(3, '|').map(str::trim);
        let mut next = || parts.next().unwrap_or_default();
        PerftCase { game: next(), setup: next(), counts: next() }
    })
}

/// Compares the counts of one case, for depths with at most `max_sequences` sequences. Returns the number of depths
/// compared.
pub fn check_perft<G: Notation>(
    game: &G,
    case: PerftCase<'_>,
    max_sequences: u64,
) -> Result<usize, InputError> {
    let at = if case.setup == "start" { game.start() } else { game.parse_setup(case.setup)? };
    let known: Vec<u64> = case.counts.split_whitespace().map_while(|count| count.parse().ok()).collect();
    let depth = known.iter().take_while(|&&count| count <= max_sequences).count();
    let counted = count_sequences(game, &at, depth as u32);
    if depth > 0 && counted == known[..depth] {
        Ok(depth)
    } else {
        Err(InputError::new(
            format!("perft of {} from {}", case.game, case.setup),
            case.counts,
            format!("{counted:?}"),
        ))
    }
}

/// The recorded game of `game` in a family's playthrough file, if it has one.
pub fn playthrough_of<'a>(file: &'a str, game: &str) -> Option<&'a str> {
    file.split("\n=== ").map(|part| part.trim_start_matches("=== ")).find_map(|part| {
        let (name, text) = part.split_once('\n')?;
        (name.trim() == game).then_some(text)
    })
}
