//! Spanish translations of texts from other crates: titles of games, evaluations, features, criteria of progress.
//!
//! Games, plans and outcomes are in English; the page translates what it shows, by the English text. A text without a
//! translation, for example from an outcome of another version, stays in English.

mod spanish;

use crate::viewer::Language;
use spanish::TRANSLATIONS;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SPANISH: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| TRANSLATIONS.iter().copied().collect());

/// `text` in a language; English where it has no translation.
pub(crate) fn translate(language: Language, text: &str) -> &str {
    match language {
        Language::English => text,
        Language::Spanish => SPANISH.get(text).copied().unwrap_or(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_registry::GAMES;
    use std::collections::BTreeSet;

    #[test]
    fn every_text_of_every_game_is_translated() {
        let mut missing = BTreeSet::new();
        let mut check = |text: &'static str| {
            if !SPANISH.contains_key(text) {
                missing.insert(text);
            }
        };
        for family in GAMES.families() {
            check(family.title);
            for sample in family.samples {
                for evaluation in GAMES.open(sample).unwrap().evaluations() {
                    check(evaluation.about);
                    evaluation.features.iter().for_each(|feature| check(feature.meaning));
                }
            }
        }
        assert_eq!(missing, BTreeSet::new());
    }

    #[test]
    fn translations_are_sorted_and_differ() {
        assert!(TRANSLATIONS.is_sorted_by(|a, b| a.0 < b.0), "sorted, each once");
        for (english, spanish) in TRANSLATIONS {
            assert!(english != spanish && !spanish.is_empty(), "{english}");
        }
    }

    #[test]
    fn unknown_texts_stay_in_english() {
        assert_eq!(translate(Language::Spanish, "seeds in the own holes"), "semillas en los hoyos propios");
        assert_eq!(translate(Language::English, "seeds in the own holes"), "seeds in the own holes");
        assert_eq!(translate(Language::Spanish, "no such text"), "no such text");
    }
}
