//! Random games on every board: all end, every move is legal, and the statistics match published ones.

use crate::support::slow;
use palestra_arena::MatchPlan;
use palestra_core::{Family, GameVisitor, Playable, Progress, Seed, Side, playout};
use palestra_games::connect::ConnectFamily;

/// Results of random games.
#[derive(Default, Debug)]
struct Outcome {
    wins: [u64; 2],
    draws: u64,
    n_plies: u64,
    longest: u32,
}

/// Plays random games with the game's fast playout.
struct PlayFast {
    n_games: u32,
}

impl GameVisitor for PlayFast {
    type Out = Outcome;

    fn visit<G: Playable>(self, game: G) -> Outcome {
        let mut outcome = Outcome::default();
        let mut rng = Seed(1).rng();
        let mut scratch = Vec::new();
        for _ in 0..self.n_games {
            let mut at = game.start();
            let (ending, plies) = playout(&game, &mut at, &mut rng, &mut scratch);
            match ending.winner {
                Some(side) => outcome.wins[side.index()] += 1,
                None => outcome.draws += 1,
            }
            outcome.n_plies += u64::from(plies);
            outcome.longest = outcome.longest.max(plies);
        }
        outcome
    }
}

/// Plays random games and checks that every move is in the list of legal moves.
struct PlayStrictly {
    n_games: u32,
}

impl GameVisitor for PlayStrictly {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let (mut moves, mut scratch) = (Vec::new(), Vec::new());
        for i in 0..self.n_games {
            let mut rng = Seed(2).child(u64::from(i)).rng();
            let mut at = game.start();
            while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
                moves.clear();
                game.moves(&at, &mut moves);
                assert!(moves.contains(&mv), "{game}: {mv} is not among {moves:?}");
                game.play(&mut at, mv);
            }
            assert!(game.ending(&at).is_some(), "{game}: no move, but no end");
        }
    }
}

/// OpenSpiel's random games of Connect 4 last 21.3 moves on average.
#[test]
fn a_hundred_thousand_games_of_connect_4() {
    let outcome = ConnectFamily::open("7x6x4", PlayFast { n_games: 100_000 }).unwrap();
    let mean = outcome.n_plies as f64 / 1e5;
    assert!((mean - 21.3).abs() < 0.1, "{mean}");
    assert_eq!(outcome.longest, 42);
    let [first, second] = Side::BOTH.map(|side| outcome.wins[side.index()]);
    // The first side wins 55.6 %, the second 44.2 %; five standard deviations are 0.8 %.
    assert!(first.abs_diff(55_600) < 800 && second.abs_diff(44_200) < 800, "{outcome:?}");
    assert_eq!(first + second + outcome.draws, 100_000);
}

#[test]
fn random_moves_are_legal_on_every_board() {
    for sample in ConnectFamily::INFO.samples {
        let (_, size) = sample.split_once(':').unwrap();
        ConnectFamily::open(size, PlayStrictly { n_games: 200 }).unwrap();
    }
}

/// The same for every family through the arena, whose referee checks every move. The slow suite plays 100,000 games of
/// each sample, the quick one 100.
#[test]
fn random_matches_are_complete() {
    for info in palestra_registry::GAMES.families() {
        for sample in info.samples {
            let game = palestra_registry::GAMES.open(sample).unwrap();
            let n_games = if slow() { 100_000 } else { 100 };
            let plan = MatchPlan::builtin(game.as_ref(), ["random", "random"], n_games, Seed(4)).unwrap();
            let record = game.run_match(&plan, &Progress::default()).unwrap();
            assert_eq!((record.n_games, record.complete), (n_games, true), "{sample}");
            assert!(record.n_plies <= n_games * u64::from(info.longest_game), "{sample}");
        }
    }
}
