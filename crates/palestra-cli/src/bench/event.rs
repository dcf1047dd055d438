//! A Swiss tournament of the Ladrillos study's genotypes: its games alone, and the whole event with every game stored.
//! The ratio of the two rates is what an event costs.

use super::{Case, Work};
use crate::cli::{PlayedGame, play_event};
use crate::games;
use palestra_arena::{AnyGame, AnyMatch};
use palestra_core::Seed;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const PLAN: &str = "name = \"bench\"\nseed = 7\nformat = \"swiss\"\nrounds = 4\npoints = \"margin\"\norder = \"random\"\n\
                    boards = [\"ladrillos:9\", \"ladrillos:10\", \"ladrillos:15\", \"ladrillos:14\"]\n\
                    players = [{ template = \"greedy/islands\", grid = [0, 3] }]\n";

pub(super) const RAW: Case = Case {
    name: "event-games",
    about: "the games of event-swiss alone, at tables; nothing is kept",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: raw,
};

pub(super) const STORED: Case = Case {
    name: "event-swiss",
    about: "a Swiss of 1,024 genotypes, 4 rounds on ladrillos:9 to 15, every game stored, standings without ratings",
    unit: "games",
    target: None,
    peers: &[],
    is_long: false,
    run: stored,
};

fn stored() -> Work {
    let played = play();
    let signature =
        played.iter().fold(Seed(0), |seed, game| seed.child(digest(points_of(game), game.record.plies)));
    Work { units: played.len() as u64, signature: signature.0 }
}

fn play() -> Vec<PlayedGame> {
    let folder = std::env::temp_dir().join(format!("palestra-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for a store");
    let played = play_event(PLAN, &folder.join("bench.db")).expect("an event");
    // Nothing of it is needed any more.
    let _ = std::fs::remove_dir_all(&folder);
    played
}

/// The same games, in the same order. Which they are is found out once, in the first pass.
fn raw() -> Work {
    static GAMES_OF_EVENT: OnceLock<Vec<PlayedGame>> = OnceLock::new();
    let mut boards: BTreeMap<&str, Box<dyn AnyGame>> = BTreeMap::new();
    let mut table: Option<(&PlayedGame, Box<dyn AnyMatch>)> = None;
    let mut signature = Seed(0);
    let played_games = GAMES_OF_EVENT.get_or_init(play);
    for played in played_games {
        let game = boards
            .entry(&played.scene.game)
            .or_insert_with(|| games().open(&played.scene.game).expect("a board of the plan"));
        let kept = table.take().filter(|(of, _)| of.players == played.players && of.scene == played.scene);
        let mut seats = kept.map_or_else(
            || {
                let [a, b] =
                    played.players.each_ref().map(|text| game.player(text).expect("a player of the plan"));
                game.new_match([&a, &b])
            },
            |(_, seats)| seats,
        );
        let result = seats.play(&played.scene, played.half);
        signature = signature.child(digest(result.points, result.plies));
        table = Some((played, seats));
    }
    Work { units: played_games.len() as u64, signature: signature.0 }
}

fn digest(points: u8, plies: u32) -> u64 {
    u64::from(points) << 32 | u64::from(plies)
}

/// What a game gave the first player of its pair: 2 won, 1 drawn, 0 lost.
fn points_of(game: &PlayedGame) -> u8 {
    match game.record.winner {
        None => 1,
        Some(winner) => 2 * u8::from(winner.index() == game.half),
    }
}
