//! A Swiss tournament of the Ladrillos study's genotypes: its games alone, and the whole event with every game stored.
//! The ratio of the two rates is the overhead of an event.

use super::{BenchCase, BenchPass};
use crate::cli::{BenchmarkGame, play_event};
use crate::games;
use palestra_arena::{AnyGame, AnyMatch};
use palestra_core::Seed;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const PLAN: &str = "name = \"bench\"\nseed = 7\nformat = \"swiss\"\nrounds = 4\npoints = \"margin\"\norder = \"random\"\n\
                    boards = [\"ladrillos:9\", \"ladrillos:10\", \"ladrillos:15\", \"ladrillos:14\"]\n\
                    players = [{ template = \"greedy/islands\", grid = [0, 3] }]\n";

pub(super) const RAW: BenchCase = BenchCase {
    name: "event-games",
    about: "the games of event-swiss alone; nothing is stored",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: raw,
};

pub(super) const STORED: BenchCase = BenchCase {
    name: "event-swiss",
    about: "a Swiss of 1,024 genotypes, 4 rounds on ladrillos:9 to 15, every game stored, standings without ratings",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: stored,
};

fn stored() -> BenchPass {
    let played = play();
    let signature =
        played.iter().fold(Seed(0), |seed, game| seed.child(digest(points_of(game), game.record.n_played())));
    BenchPass { units: played.len() as u64, signature: signature.0 }
}

fn play() -> Vec<BenchmarkGame> {
    let folder = std::env::temp_dir().join(format!("palestra-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a store");
    let played = play_event(PLAN, &folder.join("bench.db")).expect("an event");
    // The folder is not needed any more; an error does not matter.
    let _ = std::fs::remove_dir_all(&folder);
    played
}

/// The same games in the same order, without the event. The first pass plays the event once to get them.
fn raw() -> BenchPass {
    static GAMES_OF_EVENT: OnceLock<Vec<BenchmarkGame>> = OnceLock::new();
    let mut boards: BTreeMap<&str, Box<dyn AnyGame>> = BTreeMap::new();
    let mut last_match: Option<(&BenchmarkGame, Box<dyn AnyMatch>)> = None;
    let mut signature = Seed(0);
    let played_games = GAMES_OF_EVENT.get_or_init(play);
    for played in played_games {
        let game = boards
            .entry(&played.start_point.game)
            .or_insert_with(|| games().open(&played.start_point.game).expect("a board of the plan"));
        let kept = last_match
            .take()
            .filter(|(of, _)| of.players == played.players && of.start_point == played.start_point);
        let mut any_match = kept.map_or_else(
            || {
                let [a, b] =
                    played.players.each_ref().map(|text| game.player(text).expect("a player of the plan"));
                game.new_match([a.into(), b.into()])
            },
            |(_, any_match)| any_match,
        );
        let result = super::greedy::play(any_match.as_mut(), &played.start_point, played.game_index);
        signature = signature.child(digest(result.points, result.plies));
        last_match = Some((played, any_match));
    }
    BenchPass { units: played_games.len() as u64, signature: signature.0 }
}

fn digest(points: u8, plies: u32) -> u64 {
    u64::from(points) << 32 | u64::from(plies)
}

/// Points of the first player of a pair in a game: 2 for a win, 1 for a draw, 0 for a loss.
fn points_of(game: &BenchmarkGame) -> u8 {
    match game.record.winner {
        None => 1,
        Some(winner) => 2 * u8::from(winner.index() == game.game_index),
    }
}
