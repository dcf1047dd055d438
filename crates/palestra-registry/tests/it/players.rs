//! Player strings round-trip, fast games equal plain ones, matches do not depend on the number of threads.

use crate::plain_game;
use palestra_arena::{MatchPlan, MatchPlayer, MatchRecord, StartPoint};
use palestra_core::{Progress, Seed, Side, print_weights};
use palestra_registry::GAMES;
use proptest::prelude::*;

fn check_player(text: &str, expected: Result<&str, &str>) {
    match (GAMES.open("connect4").unwrap().player(text), expected) {
        (Ok(spec), Ok(expected)) => assert_eq!(spec.to_string(), expected),
        (Err(bad), Err(part)) => assert!(bad.to_string().contains(part), "{bad}"),
        (got, _) => panic!("{text}: {got:?}"),
    }
}

#[test]
fn player_strings() {
    check_player("random", Ok("random"));
    check_player("rival-4", Ok("rival-4"));
    check_player("greedy/lines/1e3,-500.0,80,-2,+2,80", Ok("greedy/lines/1000,-500,80,-2,2,80"));
    check_player(
        "alphabeta:ties=last,depth=6/threes/1,4,2,1",
        Ok("alphabeta:depth=6,ties=last/threes/1,4,2,1"),
    );
    check_player("minimax:depth=2/noise", Ok("minimax:depth=2/noise"));
    check_player("alphabeta:depth=4/dice", Ok("alphabeta:depth=4/dice"));
    check_player(
        "greedy/potential/1,2,3,2,-1,2,3,2,1000,-500",
        Ok("greedy/potential/1,2,3,2,-1,2,3,2,1000,-500"),
    );
    check_player("", Err("missing value"));
    check_player("gredy/lines/1,2,3,4,5,6", Err("did you mean \"greedy\"?"));
    check_player("rival-44", Err("did you mean \"rival-4\"?"));
    check_player("greedy", Err("missing value for evaluation of \"greedy\""));
    check_player("greedy/", Err("missing value"));
    check_player("mcts:playouts=1000", Ok("mcts:playouts=1000/noise"));
    check_player("mcts:leaf=value", Err("missing value"));
    check_player("greedy/lines", Err("6 numbers"));
    check_player("greedy/lines/", Err("6 numbers"));
    check_player(
        "greedy/lines/1,2,3",
        Err("6 numbers (wins,threats,own-longest,rival-longest,own-lines,rival-lines), not 3"),
    );
    check_player("greedy/line/1", Err("did you mean \"lines\"?"));
    check_player("greedy/lines/nan,0,0,0,0,0", Err("finite"));
    check_player("greedy/lines/1e308,0,0,0,0,0", Err("overflow"));
    check_player("greedy/potential/1,400,3,2,-1,2,3,2,1000,-500", Err("overflow"));
    check_player("greedy/noise/1", Err("expected no weights"));
    check_player("greedy/dice/1", Err("expected no weights"));
    check_player("alphabeta:depth=0/threes/1,1,1,1", Err("whole number from 1"));
}

fn check_game(text: &str, expected: Result<&str, &str>) {
    match (GAMES.open(text), expected) {
        (Ok(game), Ok(expected)) => assert_eq!(game.name(), expected),
        (Err(bad), Err(part)) => assert!(bad.to_string().contains(part), "{bad}"),
        (got, _) => panic!("{text}: {:?}", got.map(|game| game.name())),
    }
}

#[test]
fn game_strings() {
    check_game("connect4", Ok("connect:7x6x4"));
    check_game("connect:09x8x5", Ok("connect:9x8x5"));
    check_game("conect4", Err("did you mean \"connect4\"?"));
    check_game("connect", Err("COLUMNSxROWSxRUN"));
    check_game("connect4:7x6x4", Err("a known game"));
    check_game("", Err("missing value"));
}

proptest! {
    #[test]
    fn games_round_trip(columns in 1u32..=32, rows in 1u32..=32, run in 1u32..=32, pieces in 0u32..600) {
        let pieces = if pieces == 0 { String::new() } else { format!("x{pieces}") };
        let name = GAMES.open(&format!("connect:{columns}x{rows}x{run}{pieces}")).unwrap().name();
        prop_assert_eq!(GAMES.open(&name).unwrap().name(), name);
    }

    #[test]
    fn players_round_trip(depth in 1u32..=1000, ties in 0usize..3, weights in prop::array::uniform4(-1e9f64..1e9)) {
        let ties = ["", ",ties=first", ",ties=last"][ties];
        let text = format!("alphabeta:depth={depth}{ties}/threes/{}", print_weights(&weights));
        let game = GAMES.open("connect4").unwrap();
        let spec = game.player(&text).unwrap();
        prop_assert_eq!(game.player(&spec.to_string()).unwrap(), spec);
    }

    /// Any text is a player or an error, never a panic.
    #[test]
    fn no_text_panics(text in "(greedy|alphabeta|x|:|/|=|,|depth|lines|threes|[0-9.-]|\\PC){0,8}") {
        let game = GAMES.open("connect4").unwrap();
        if let Ok(spec) = game.player(&text) {
            prop_assert_eq!(game.player(&spec.to_string()).unwrap(), spec);
        }
        let _ = GAMES.open(&text).map(|game| game.name());
        let _ = game.session(Some(&text), "-").map(|session| session.legal());
        let _ = game.session(None, &text).map(|session| session.legal());
    }
}

/// A match of greedy players that share incremental state plays the same games as players that share nothing.
#[test]
fn greedy_matches_equal_plain_games() {
    let check = |name: &str, players: [&str; 2]| {
        let game = GAMES.open(name).unwrap();
        let specs = players.map(|text| game.player(text).unwrap());
        let mut runner = game.new_match(specs.each_ref().map(MatchPlayer::from));
        assert!(runner.is_quick(), "{name} {players:?}");
        for first in [0, 1] {
            let start = StartPoint { game: game.name(), opening_plies: 0, seed: 0 };
            runner.play(&start, first).unwrap();
            let plain = plain_game(game.as_ref(), [&specs[0], &specs[1]], "-", first, start.game_seed(first));
            assert!(!plain.moves.is_empty());
            assert_eq!(runner.record().moves, plain.moves.join(" "));
            assert_eq!(runner.ending().unwrap(), plain.ending);
        }
    };
    let opponents: Vec<String> = (0..9).map(|i| format!("rival-{i}")).collect();
    for size in ["7x6x4", "9x8x5", "14x14x7", "18x17x9"] {
        for opponent in &opponents {
            check(&format!("connect:{size}"), ["grid-5", opponent]);
        }
    }
    check("connect4", ["greedy:ties=last/threes/4,4,1,2", "greedy:ties=last/threes/1,1,1,1"]);
}

fn plan(players: [&str; 2], n_games: u64, seed: u64) -> MatchPlan {
    let game = GAMES.open("connect:6x5x4").unwrap();
    MatchPlan::builtin(game.as_ref(), players, n_games, Seed(seed)).unwrap()
}

fn on_threads(n: usize, plan: &MatchPlan) -> MatchRecord {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    pool.install(|| GAMES.open("connect:6x5x4").unwrap().run_match(plan, &Progress::default()).unwrap())
}

#[test]
fn results_do_not_depend_on_threads() {
    let plan = MatchPlan { opening_plies: 3, ..plan(["random", "greedy/lines/1,1,1,1,1,1"], 301, 9) };
    let one = on_threads(1, &plan);
    assert_eq!(one.n_games, 301);
    assert_eq!(one.pairs.iter().sum::<u64>(), 150);
    assert_eq!(one, on_threads(3, &plan));
}

#[test]
fn a_match_can_be_split() {
    let plan = plan(["random", "last"], 40, 4);
    let whole = on_threads(1, &plan);
    let rest = on_threads(1, &MatchPlan { skip_pairs: 5, ..plan.clone() });
    let part = on_threads(1, &MatchPlan { n_games: 10, ..plan });
    assert_eq!(part.wins + rest.wins, whole.wins);
    assert_eq!(part.n_plies + rest.n_plies, whole.n_plies);
}

/// Pairs are counted in blocks of 65,536, which must not show.
#[test]
fn long_matches_equal_their_parts() {
    let plan = plan(["random", "last"], 2 * (65_536 + 700) + 1, 4);
    let whole = on_threads(3, &plan);
    let rest = on_threads(2, &MatchPlan { skip_pairs: 65_000, ..plan.clone() });
    let part = on_threads(1, &MatchPlan { n_games: 130_000, ..plan });
    assert_eq!((whole.n_games, whole.pairs_done, whole.complete), (132_473, 66_237, true));
    assert_eq!((rest.n_games, rest.complete), (2473, true));
    assert_eq!(part.wins + rest.wins, whole.wins);
    assert_eq!(part.n_plies + rest.n_plies, whole.n_plies);
    assert!(whole.n_distinct > part.n_distinct && !whole.distinct_is_estimate, "{}", whole.n_distinct);
}

/// Two deterministic players play two different games, in a match of any length.
#[test]
fn repeated_games_are_no_evidence() {
    let often = on_threads(2, &plan(["grid-5", "rival-0"], 100, 1));
    let once = on_threads(2, &plan(["grid-5", "rival-0"], 2, 1));
    assert_eq!((often.n_games, often.n_distinct), (100, 2));
    assert_eq!(often.verdict, once.verdict);
}

/// A game played as text, move by move, is the game that a match plays.
#[test]
fn text_players_play_as_matches_do() {
    let game = GAMES.open("connect4").unwrap();
    for (a, b) in [("random", "grid-5"), ("pvs:depth=3/threes/4,4,1,2", "random"), ("rival-4", "grid-5")] {
        let specs = [a, b].map(|text| game.player(text).unwrap());
        let mut runner = game.new_match(specs.each_ref().map(MatchPlayer::from));
        for seed in 0..4 {
            let start = StartPoint { game: game.name(), opening_plies: 3, seed };
            let first = seed as usize % 2;
            runner.play(&start, first).unwrap();
            let opening = game.opening(&start);
            let plain =
                plain_game(game.as_ref(), [&specs[0], &specs[1]], &opening, first, start.game_seed(first));
            assert_eq!((runner.record().opening, runner.record().moves), (opening, plain.moves.join(" ")));
        }
    }
}

/// An observer does not change games, and sees every move, except in fast greedy matches.
#[test]
fn watched_games_are_the_same_games() {
    let pairs = [
        ("random", "grid-5", false),
        ("pvs:depth=3/threes/4,4,1,2", "random", false),
        ("pvs:nodes=500/threes/4,4,1,2", "alphabeta:depth=3/lines/1,1,1,1,1,1", false),
        ("mcts:playouts=50", "minimax:depth=2/noise", false),
        ("alphabeta:depth=3/dice", "minimax:depth=2/dice", false),
        ("rival-4", "grid-5", true),
    ];
    for name in ["connect4", "connect:5x4x3"] {
        let game = GAMES.open(name).unwrap();
        for (a, b, is_quick) in pairs {
            let specs = [a, b].map(|text| game.player(text).unwrap());
            let [mut plain, mut watched] =
                [0, 1].map(|_| game.new_match(specs.each_ref().map(MatchPlayer::from)));
            assert_eq!(plain.is_quick(), is_quick, "{a} {b}");
            for seed in 0..4 {
                let start = StartPoint { game: game.name(), opening_plies: 2, seed };
                let first = seed as usize % 2;
                let mut seen = Vec::new();
                let result = watched.play_watched(&start, first, &mut |opening, mv| {
                    assert_eq!(opening, game.opening(&start));
                    seen.push(mv.to_owned());
                });
                assert_eq!((plain.play(&start, first), plain.record()), (result, watched.record()));
                let expected = if is_quick { String::new() } else { watched.record().moves };
                assert_eq!(seen.join(" "), expected);
            }
        }
    }
}

/// Random evaluations depend on the seed and on the line of play only, so cutoffs do not change the result.
#[test]
fn random_evaluations_depend_on_the_seed() {
    let game = GAMES.open("connect4").unwrap();
    let answers = |player: &str, seed: u64| {
        let mut session = game.session(None, "44").unwrap();
        let player = game.player(player).unwrap();
        let answers = (0..20).map(|ply| session.ask(&player, Seed(seed).child(ply)).unwrap());
        answers.map(|answer| (answer.mv, answer.value)).collect::<Vec<_>>()
    };
    assert!(game.is_stochastic(&game.player("minimax:depth=3/dice").unwrap()));
    assert!(!game.is_stochastic(&game.player("minimax:depth=3/noise").unwrap()));
    let once = answers("minimax:depth=4/dice", 1);
    assert_eq!(once, answers("minimax:depth=4/dice", 1));
    assert_eq!(once, answers("alphabeta:depth=4/dice", 1));
    assert_ne!(once, answers("minimax:depth=4/dice", 2));
    assert!(once.iter().any(|answer| answer.0 != once[0].0), "{once:?}");
    let values = |moves: &str| {
        let session = game.session(None, moves).unwrap();
        let explained = session.explain(&game.player("minimax:depth=2/dice").unwrap(), Seed(7));
        explained.moves.into_iter().map(|reason| reason.value).collect::<Vec<_>>()
    };
    assert_ne!(values("44"), values("4455"));
    assert!(
        values("-").iter().all(|value| value.is_some_and(|value| (-20_000.0..20_000.0).contains(&value)))
    );
}

#[test]
fn a_session_has_spots_and_frames() {
    let game = GAMES.open("connect4").unwrap();
    let mut session = game.session(None, "-").unwrap();
    assert!(session.frames().is_empty());
    session.play("4").unwrap();
    assert_eq!((session.frames().len(), session.frames().last()), (6, Some(&session.grid())));
    assert_eq!(session.spots(&["3".to_owned()]), [2, 9, 16, 23, 30, 37]);
    assert_eq!(session.setup(), session.show().setup);
    session.undo();
    assert!(session.frames().is_empty());
}

/// The value of a position is the value that a greedy player gives the move to it.
#[test]
fn values_equal_those_of_greedy_players() {
    let game = GAMES.open("connect4").unwrap();
    let players = [
        "greedy/lines/1000,-500,80,-2,2,80",
        "greedy/threes/4,4,1,2",
        "greedy/noise",
        "greedy/potential/1,2,3,2,-1,2,3,2,1000,-500",
    ];
    for player in players.map(|player| game.player(player).unwrap()) {
        // After the last list, some moves end the game.
        for moves in ["-", "44", "44123", "415161"] {
            let mut session = game.session(None, moves).unwrap();
            let side = session.to_move();
            for explained in session.explain(&player, Seed(1)).moves {
                session.play(&explained.mv).unwrap();
                let value = session.value(&player, side);
                assert_eq!(value, explained.value, "{player} {moves} {}", explained.mv);
                session.undo();
            }
        }
    }
    let won = game.session(None, "4151617").unwrap();
    assert!(won.ending().is_some());
    let value = |player: &str, view| won.value(&game.player(player).unwrap(), view);
    let search = "alphabeta:depth=2/threes/4,4,1,2";
    assert_eq!(value(search, Side::First), value(search, Side::Second).map(|value| -value));
    assert!(value(search, Side::First) > Some(1000.0), "{:?}", value(search, Side::First));
    for player in ["random", "perfect", "mcts:playouts=10"] {
        assert_eq!(value(player, Side::First), None);
    }
}

#[test]
fn all_opponents_of_a_ladder_differ() {
    let boards = ["connect4", "connect:1x1x1", "connect:32x32x8", "ladrillos:5", "kalah:6x4", "mancala:uam"];
    for name in boards.into_iter().chain(["mastergoal:1", "mastergoal:3"]) {
        let game = GAMES.open(name).unwrap();
        let ladder = game.ladder();
        assert_eq!(ladder[0], game.player("random").unwrap());
        let players = ladder.iter().map(ToString::to_string);
        assert_eq!(players.collect::<std::collections::BTreeSet<_>>().len(), ladder.len(), "{name}");
    }
}
