// Which games there are, for build scripts: every folder of palestra-games is one, and its family is named after it.
// With PALESTRA_GAME set, only that game: working on one game compiles no other.

use std::path::Path;

/// The folders of the games to compile, in order. Sorry where PALESTRA_GAME is none of them.
fn chosen_games() -> Vec<String> {
    println!("cargo::rerun-if-env-changed=PALESTRA_GAME");
    let folder = Path::new("../palestra-games/src");
    println!("cargo::rerun-if-changed={}/lib.rs", folder.display());
    let entries = std::fs::read_dir(folder).expect("the folder of the games");
    let folders = entries.filter_map(Result::ok).filter(|entry| entry.path().is_dir());
    let mut games: Vec<String> = folders.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    games.sort();
    if let Ok(wanted) = std::env::var("PALESTRA_GAME") {
        assert!(games.contains(&wanted), "PALESTRA_GAME: {wanted:?} is not a game ({})", games.join(", "));
        games.retain(|game| *game == wanted);
    }
    games
}

/// The family of a game, as a path: `tic_tac` has `palestra_games::tic_tac::TicTacFamily`.
fn family_of(game: &str) -> String {
    let camel: String = game.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect();
    format!("palestra_games::{game}::{camel}Family")
}

/// Writes a file of Rust for the crate to include.
fn write(file: &str, text: &str) {
    let folder = std::env::var_os("OUT_DIR").expect("cargo says where to write");
    std::fs::write(Path::new(&folder).join(file), text).expect("a file in the build's own folder");
}
