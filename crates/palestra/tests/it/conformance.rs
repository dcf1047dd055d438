//! Every registered game passes the conformance kit: it joins by being registered.

use crate::support::{slow, workspace};
use palestra_arena::{AnyGame, MatchPlan};
use palestra_core::conformance::{perft_cases, playthrough_of};
use palestra_core::{FamilyInfo, Seed, named_players};
use palestra_registry::GAMES;

/// Every family there is, or the one that `PALESTRA_GAME` names.
fn families() -> Vec<&'static FamilyInfo> {
    match std::env::var("PALESTRA_GAME") {
        Ok(name) => vec![GAMES.family(&name).unwrap_or_else(|bad| panic!("PALESTRA_GAME: {bad}"))],
        Err(_) => GAMES.families().collect(),
    }
}

/// Every sample of every family, opened.
fn samples() -> impl Iterator<Item = (&'static str, Box<dyn AnyGame>)> {
    families().into_iter().flat_map(|info| info.samples).map(|name| (*name, GAMES.open(name).unwrap()))
}

#[test]
fn every_sample_obeys_the_laws() {
    for (name, game) in samples() {
        assert_eq!(game.name(), name, "a sample is written canonically");
        // Long games are on big boards, where a position costs more: play fewer of them.
        let sample = game.run_match(&MatchPlan::new(["random", "random"], 8, Seed(1)), &()).unwrap();
        let room = if slow() { 40_000 } else { 700 };
        // Every child is compared with a board read afresh: where there are hundreds of moves, fewer still.
        let hundreds = game.session(None, "-").unwrap().legal().len() as u64 / 100;
        let n_games = (room * 8 / sample.n_plies / (1 + hundreds)).clamp(1, 200) as u32;
        let tally = game.check_laws(n_games, Seed(2)).unwrap_or_else(|broken| panic!("{name}: {broken}"));
        assert_eq!(tally.n_games, n_games, "{name}");
        assert!(tally.longest > 0 && tally.n_positions > u64::from(n_games), "{name}: {tally:?}");
    }
}

#[test]
fn every_known_count_is_found() {
    let most = if slow() { 300_000_000 } else { 1_000_000 };
    for info in families() {
        let mut n_depths = 0;
        for case in perft_cases(info.perft) {
            let game = GAMES.open(case.game).unwrap();
            n_depths += game.check_perft(case, most).unwrap_or_else(|bad| panic!("{bad}"));
        }
        assert!(n_depths > 0, "{} has no known counts", info.name);
    }
}

/// The games a playthrough file has headings for; the first sample where it has none yet.
fn recorded(info: &FamilyInfo) -> Vec<String> {
    let headings = info.playthroughs.lines().filter_map(|line| line.strip_prefix("=== "));
    let mut names: Vec<String> = headings.map(|name| name.trim().to_owned()).collect();
    if names.is_empty() {
        names.push(info.samples[0].to_owned());
    }
    names
}

/// With `PALESTRA_BLESS` set the recordings are made anew instead: look at the difference before you keep it.
/// To record one more game, add its heading to the file first.
#[test]
fn recorded_games_replay() {
    let bless = std::env::var_os("PALESTRA_BLESS").is_some();
    for info in families() {
        let mut file = String::new();
        for name in recorded(info) {
            let now = GAMES.open(&name).unwrap().playthrough(Seed(1));
            file.push_str(&format!("=== {name}\n{now}\n"));
            if !bless {
                let before = playthrough_of(info.playthroughs, &name).unwrap_or_default();
                assert_eq!(before.trim_end(), now.trim_end(), "the recorded game of {name}");
            }
        }
        if bless {
            let folder = workspace().join("crates/palestra-games/src").join(info.name);
            std::fs::write(folder.join("playthroughs.txt"), file.trim_end().to_owned() + "\n").unwrap();
        }
    }
}

/// On the first sample, where every named player can play.
#[test]
fn named_players_read_back_and_play() {
    for info in families() {
        let game = GAMES.open(info.samples[0]).unwrap();
        for named in named_players(info.players) {
            let spec = game.player(named.name).unwrap_or_else(|bad| panic!("{bad}"));
            assert_eq!(spec.to_string(), named.name);
            assert_eq!(spec.kind.to_string(), named.player, "{} is written canonically", named.name);
            assert_eq!(game.player(named.player).unwrap().kind, spec.kind, "{}", named.name);
            // The referee refuses a move that is not legal.
            let plan = MatchPlan::new([named.name, "random"], 2, Seed(3));
            let record = game.run_match(&plan, &()).unwrap();
            assert_eq!((record.n_games(), record.complete), (2, true), "{}", named.name);
        }
    }
}

/// What a game offers a person as an opponent can play there, on every board.
#[test]
fn every_game_has_an_opponent() {
    for (name, game) in samples() {
        let spec = game.player(&game.opponent()).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        assert_eq!(spec.to_string(), game.opponent(), "{name}");
    }
}
