//! Names of runs and champions.

/// Whether a text can name a run, an event or a champion: one word on a command line, and not a number.
#[must_use]
pub fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.len() <= 100
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_not_numbers() {
        for good in ["a", "cmaes-connect4-1", "Best_of.2026"] {
            assert!(is_name(good), "{good}");
        }
        for bad in ["", "17", "-x", "two words", "@a", "a/b", "größe", "a\n"] {
            assert!(!is_name(bad), "{bad:?}");
        }
    }
}
