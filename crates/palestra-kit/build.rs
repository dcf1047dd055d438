//! Generates the tests of every game.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads its environment and the source tree, and prints instructions for cargo"
)]

include!("games.rs");

fn main() {
    let tests: String = chosen_games().iter().map(|game| tests_of(game)).collect();
    write("kit_tests.rs", &tests);
}

/// The tests of a game, with those of its `boards.txt` where it has one.
fn tests_of(game: &str) -> String {
    let manifest = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let boards = Path::new(&manifest).join("../palestra-games/src").join(game).join("boards.txt");
    println!("cargo::rerun-if-changed={}", boards.display());
    let list = if boards.is_file() { format!("include_str!({boards:?})") } else { "\"\"".to_owned() };
    format!("kit!({game}, {}, {list});\n", family_of(game))
}
