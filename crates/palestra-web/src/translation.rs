//! Spanish translations of texts from other crates: titles of games, evaluations, features, endings, criteria of progress.
//!
//! Games, plans and outcomes are in English; the page translates what it shows, by the English text. A game brings its
//! own translations ([`palestra_core::FamilyInfo::spanish`]). A text without a translation, for example from an outcome
//! of another version, stays in English.

mod spanish;

use crate::viewer::Language;
use palestra_arena::Catalog;
use spanish::TRANSLATIONS;
use std::collections::BTreeMap;
use std::sync::OnceLock;

static SPANISH: OnceLock<BTreeMap<&str, &str>> = OnceLock::new();

/// Adds the translations of the games. A process has one catalog; later calls have no effect.
pub(crate) fn add_games(catalog: &Catalog) {
    SPANISH.get_or_init(|| {
        let of_games = catalog.families().flat_map(|family| family.spanish_texts());
        TRANSLATIONS.iter().copied().chain(of_games).collect()
    });
}

/// `text` in a language; English where it has no translation.
pub(crate) fn translate(language: Language, text: &str) -> &str {
    match language {
        Language::English => text,
        Language::Spanish => SPANISH.get().and_then(|texts| texts.get(text).copied()).unwrap_or(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn translations_are_sorted_and_differ() {
        assert!(TRANSLATIONS.is_sorted_by(|a, b| a.0 < b.0), "sorted, each once");
        for (english, spanish) in TRANSLATIONS {
            assert!(english != spanish && !spanish.is_empty(), "{english}");
        }
    }

    #[test]
    fn unknown_texts_stay_in_english() {
        add_games(&palestra_registry::GAMES);
        assert_eq!(translate(Language::Spanish, "seeds in the own holes"), "semillas en los hoyos propios");
        assert_eq!(translate(Language::English, "seeds in the own holes"), "seeds in the own holes");
        assert_eq!(translate(Language::Spanish, "holds"), "se cumple");
        assert_eq!(translate(Language::Spanish, "no such text"), "no such text");
    }
}
