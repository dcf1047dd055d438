// The list of games, for build scripts: every folder of palestra-games is a game, and its family is named after it.
// If PALESTRA_GAME is set, the list is only that game, so that work on one game compiles no other.

use std::path::Path;

/// The folders of the games to compile, sorted. Panics if PALESTRA_GAME is not one of them.
fn chosen_games() -> Vec<String> {
    println!("cargo::rerun-if-env-changed=PALESTRA_GAME");
    let folder = Path::new("../palestra-games/src");
    println!("cargo::rerun-if-changed={}/lib.rs", folder.display());
    let entries = std::fs::read_dir(folder).expect("the folder of the games can be read");
    let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
    let mut games: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    games.sort();
    if let Ok(name) = std::env::var("PALESTRA_GAME") {
        let known = games.join(", ");
        assert!(games.contains(&name), "invalid value {name:?} for PALESTRA_GAME: expected one of {known}");
        games.retain(|game| *game == name);
    }
    games
}

/// Path of the family type of a game: `tic_tac` has `palestra_games::tic_tac::TicTacFamily`.
fn family_of(game: &str) -> String {
    let camel: String = game.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    format!("palestra_games::{game}::{camel}Family")
}

/// Writes a file to OUT_DIR, for the crate to include.
fn write(file: &str, text: &str) {
    let folder = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    std::fs::write(Path::new(&folder).join(file), text).expect("a file in OUT_DIR can be written");
}
