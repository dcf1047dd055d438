//! Selects the game that `PALESTRA_GAME` names. Without it the catalog is empty, so that a build of the whole workspace
//! compiles no searches here.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a build script reads its environment and the source tree, and prints instructions for cargo"
)]

include!("../palestra-kit/games.rs");

fn main() {
    let games = if std::env::var_os("PALESTRA_GAME").is_some() { chosen_games() } else { Vec::new() };
    println!("cargo::rerun-if-env-changed=PALESTRA_GAME");
    let entries: String =
        games.iter().map(|game| format!("CatalogEntry::of::<{}>(),", family_of(game))).collect();
    write("games.rs", &format!("&[{entries}]"));
}
