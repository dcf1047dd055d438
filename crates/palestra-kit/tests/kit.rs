//! Runs the conformance kit on every game folder. With `PALESTRA_GAME` set, on that game only.
#![allow(
    clippy::disallowed_methods,
    reason = "the test reads its environment, and writes recordings if PALESTRA_BLESS is set"
)]

use palestra_core::Family;
use palestra_kit::{
    Law, TestEffort, check_boards, check_counts, check_law, check_recordings, record_playthroughs,
};

fn effort() -> TestEffort {
    if std::env::var_os("RUN_SLOW_TESTS").is_some() { TestEffort::Thorough } else { TestEffort::Usual }
}

fn law<F: Family>(law: Law) {
    check_law::<F>(law, effort()).unwrap_or_else(|violation| panic!("{violation}"));
}

/// Checks the boards of a game's `boards.txt`; the list is empty for a game without one.
fn boards<F: Family>(list: &str) {
    check_boards::<F>(list).unwrap_or_else(|violation| panic!("{violation}"));
}

fn counts<F: Family>() {
    check_counts::<F>(effort()).unwrap_or_else(|difference| panic!("{difference}"));
}

/// With `PALESTRA_BLESS` set, writes new recordings instead; check the difference before you commit it.
fn recordings<F: Family>() {
    if std::env::var_os("PALESTRA_BLESS").is_some() {
        let games = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../palestra-games/src");
        let text = record_playthroughs::<F>().unwrap_or_else(|bad| panic!("{bad}"));
        let file = games.join(F::INFO.name).join("playthroughs.txt");
        std::fs::write(file, text).expect("a file of the source tree");
    } else {
        check_recordings::<F>().unwrap_or_else(|difference| panic!("{difference}"));
    }
}

/// The tests of one game.
macro_rules! kit {
    ($game:ident, $family:path, $boards:expr) => {
        mod $game {
            #[test]
            fn kit_rules() {
                crate::law::<$family>(crate::Law::Rules);
            }

            #[test]
            fn kit_text() {
                crate::law::<$family>(crate::Law::Text);
            }

            #[test]
            fn kit_evaluations() {
                crate::law::<$family>(crate::Law::Evaluations);
            }

            #[test]
            fn kit_symmetries() {
                crate::law::<$family>(crate::Law::Symmetries);
            }

            #[test]
            fn kit_views() {
                crate::law::<$family>(crate::Law::Views);
            }

            #[test]
            fn kit_boards() {
                crate::boards::<$family>($boards);
            }

            #[test]
            fn kit_counts() {
                crate::counts::<$family>();
            }

            #[test]
            fn kit_spanish() {
                assert_eq!(palestra_kit::untranslated::<$family>(), Ok(Vec::new()));
            }

            #[test]
            fn kit_recordings() {
                crate::recordings::<$family>();
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/kit_tests.rs"));
