//! The words of the games in Spanish: what features count, what evaluations are, titles, and what criteria ask.
//!
//! Games, plans and outcomes speak English; only what is shown to people is translated. A text that is not here, say
//! from an older version, stays as it is.

mod spanish;

use crate::viewer::Language;
use spanish::TRANSLATIONS;
use std::collections::BTreeMap;
use std::sync::LazyLock;

static SPANISH: LazyLock<BTreeMap<&str, &str>> = LazyLock::new(|| TRANSLATIONS.iter().copied().collect());

/// A text of a game or a criterion in a language: the meaning of a feature, the title of a family, a question.
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
    fn every_word_of_every_game_is_known_in_spanish() {
        let mut missing = BTreeSet::new();
        let mut look = |text: &'static str| {
            if !SPANISH.contains_key(text) {
                missing.insert(text);
            }
        };
        for family in GAMES.families() {
            look(family.title);
            for sample in family.samples {
                for evaluation in GAMES.open(sample).unwrap().evaluations() {
                    look(evaluation.about);
                    evaluation.features.iter().for_each(|feature| look(feature.meaning));
                }
            }
        }
        assert_eq!(missing, BTreeSet::new());
    }

    #[test]
    fn the_words_are_in_order_and_differ() {
        assert!(TRANSLATIONS.is_sorted_by(|a, b| a.0 < b.0), "sorted, each once");
        for (english, spanish) in TRANSLATIONS {
            assert!(english != spanish && !spanish.is_empty(), "{english}");
        }
    }

    #[test]
    fn what_is_unknown_stays_as_it_is() {
        assert_eq!(translate(Language::Spanish, "seeds in the own holes"), "semillas en los hoyos propios");
        assert_eq!(translate(Language::English, "seeds in the own holes"), "seeds in the own holes");
        assert_eq!(translate(Language::Spanish, "no such text"), "no such text");
    }
}
