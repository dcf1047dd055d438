//! Checks that the tests of all games share.

use palestra_core::{Family, GameVisitor, InputError, Playable};

/// Asserts a result: a text, or an error that contains a text.
pub(crate) fn check_result(input: &str, result: Result<String, InputError>, expected: Result<&str, &str>) {
    match (result, expected) {
        (Ok(text), Ok(expected)) => assert_eq!(text, expected, "{input}"),
        (Err(error), Err(part)) => assert!(error.to_string().contains(part), "{error}"),
        (result, _) => panic!("{input}: {result:?}"),
    }
}

/// Asserts the canonical game string of some parameters, or an error.
pub(crate) fn check_name<F: Family>(parameters: &str, expected: Result<&str, &str>) {
    struct Name;
    impl GameVisitor for Name {
        type Out = String;

        fn visit<G: Playable>(self, game: G) -> String {
            game.to_string()
        }
    }
    check_result(parameters, F::open(parameters, Name), expected);
}
