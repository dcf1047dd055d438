//! Names of runs and champions.

/// Whether a text can name a run or a champion: one word on a command line, and not a number.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.len() <= 100
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// The nearest name by edit distance, if it is within 1 plus a third of the length.
pub(crate) fn nearest(name: &str, names: impl Iterator<Item = String>) -> Option<String> {
    let distances = names.map(|known| (distance(name, &known), known));
    let (distance, known) = distances.min()?;
    (distance <= 1 + name.chars().count() / 3).then_some(known)
}

/// The Levenshtein distance: number of characters to insert, delete or replace.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, c) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(c != other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_known() {
        let check = |left, right, expected| assert_eq!(distance(left, right), expected, "{left} {right}");
        check("kitten", "sitting", 3);
        check("", "abc", 3);
        check("abc", "", 3);
        check("same", "same", 0);
        check("cmaes-1", "cmaes-11", 1);
    }

    #[test]
    fn the_nearest_name_is_near() {
        let names = || ["cmaes-connect4-1", "spsa-connect4-1"].map(str::to_owned).into_iter();
        assert_eq!(nearest("cmeas-connect4-1", names()).as_deref(), Some("cmaes-connect4-1"));
        assert_eq!(nearest("zebra", names()), None);
        assert_eq!(nearest("zebra", std::iter::empty()), None);
    }

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
