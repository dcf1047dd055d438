//! Lists the games that the kit's tests look at.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads its environment and the source tree, and talks to cargo"
)]

include!("games.rs");

fn main() {
    let tests: String =
        chosen_games().iter().map(|game| format!("kit!({game}, {});\n", family_of(game))).collect();
    write("kit_tests.rs", &tests);
}
