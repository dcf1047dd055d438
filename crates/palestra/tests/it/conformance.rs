//! Every registered game has players, an opponent and a ladder. Its rules are tested by `palestra-kit`, which
//! compiles no search.

use palestra_arena::{AnyGame, MatchPlan};
use palestra_core::{FamilyInfo, Progress, Seed, named_players};
use palestra_registry::GAMES;

/// All families, or the one that `PALESTRA_GAME` names.
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

/// Uses the first sample of each family, on which every named player can play.
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
            let plan = MatchPlan::builtin(game.as_ref(), [named.name, "random"], 2, Seed(3)).unwrap();
            let record = game.run_match(&plan, &Progress::default()).unwrap();
            assert_eq!((record.n_games, record.complete), (2, true), "{}", named.name);
        }
    }
}

/// The default opponent of a game can play on every sample board.
#[test]
fn every_game_has_an_opponent() {
    for (name, game) in samples() {
        let text = game.opponent().to_string();
        let spec = game.player(&text).unwrap_or_else(|bad| panic!("{name}: {bad}"));
        assert_eq!(spec.to_string(), text, "{name}");
    }
}

/// Every player of a ladder can play on every sample board.
#[test]
fn every_rung_of_a_ladder_is_a_player() {
    for (name, game) in samples() {
        let ladder = game.ladder();
        assert_eq!(ladder[0].to_string(), "random", "{name}");
        for rung in &ladder {
            let spec = game.player(&rung.to_string()).unwrap_or_else(|bad| panic!("{name}: {bad}"));
            assert_eq!(spec.kind, rung.kind, "{name}");
        }
    }
}
