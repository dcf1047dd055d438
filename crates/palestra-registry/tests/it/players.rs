//! Specs round-trip, quick games equal plain ones, matches do not depend on threads.

use crate::plain_game;
use palestra_arena::{MatchPlan, MatchRecord, StartPoint};
use palestra_core::{Seed, Side, print_weights};
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
    check_player("", Err("nothing there"));
    check_player("gredy/lines/1,2,3,4,5,6", Err("did you mean \"greedy\"?"));
    check_player("rival-44", Err("did you mean \"rival-4\"?"));
    check_player("greedy", Err("evaluation of \"greedy\": nothing there"));
    check_player("greedy/", Err("nothing there"));
    check_player("mcts:playouts=1000", Ok("mcts:playouts=1000/noise"));
    check_player("mcts:leaf=value", Err("nothing there"));
    check_player("greedy/lines", Err("6 numbers"));
    check_player("greedy/lines/", Err("6 numbers"));
    check_player(
        "greedy/lines/1,2,3",
        Err("6 numbers (wins,threats,own-longest,rival-longest,own-lines,rival-lines), there are 3"),
    );
    check_player("greedy/line/1", Err("did you mean \"lines\"?"));
    check_player("greedy/lines/nan,0,0,0,0,0", Err("finite"));
    check_player("greedy/lines/1e308,0,0,0,0,0", Err("overflow"));
    check_player("greedy/potential/1,400,3,2,-1,2,3,2,1000,-500", Err("overflow"));
    check_player("greedy/noise/1", Err("takes no weights"));
    check_player("greedy/dice/1", Err("takes no weights"));
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
    check_game("", Err("nothing there"));
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

    /// Whatever is typed, the answer is a player or a complaint.
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

/// Greedy players over the same features share their state; games without that are the same.
#[test]
fn duels_equal_plain_games() {
    let check = |name: &str, players: [&str; 2]| {
        let game = GAMES.open(name).unwrap();
        let specs = players.map(|text| game.player(text).unwrap());
        let mut table = game.new_match([&specs[0], &specs[1]]);
        assert!(table.is_quick(), "{name} {players:?}");
        for first in [0, 1] {
            let scene = StartPoint { game: game.name(), opening_plies: 0, seed: 0 };
            table.play(&scene, first);
            let plain = plain_game(game.as_ref(), [&specs[0], &specs[1]], "-", first, scene.game_seed(first));
            assert!(!plain.moves.is_empty());
            assert_eq!((table.last().moves, table.ending().unwrap()), (plain.moves.join(" "), plain.ending));
        }
    };
    let rivals: Vec<String> = (0..9).map(|i| format!("rival-{i}")).collect();
    for size in ["7x6x4", "9x8x5", "14x14x7", "18x17x9"] {
        rivals.iter().for_each(|rival| check(&format!("connect:{size}"), ["grid-5", rival]));
    }
    check("connect4", ["greedy:ties=last/threes/4,4,1,2", "greedy:ties=last/threes/1,1,1,1"]);
}

fn on_threads(n: usize, plan: &MatchPlan) -> MatchRecord {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    pool.install(|| GAMES.open("connect:6x5x4").unwrap().run_match(plan, &()).unwrap())
}

#[test]
fn threads_do_not_matter() {
    let plan = MatchPlan {
        opening_plies: 3,
        ..MatchPlan::new(["random", "greedy/lines/1,1,1,1,1,1"], 301, Seed(9))
    };
    let one = on_threads(1, &plan);
    assert_eq!(one.n_games(), 301);
    assert_eq!(one.pairs.iter().sum::<u64>(), 150);
    assert_eq!(one, on_threads(3, &plan));
}

#[test]
fn a_match_can_be_split() {
    let plan = MatchPlan::new(["random", "last"], 40, Seed(4));
    let whole = on_threads(1, &plan);
    let rest = on_threads(1, &MatchPlan { skip_pairs: 5, ..plan.clone() });
    let part = on_threads(1, &MatchPlan { n_games: 10, ..plan });
    assert_eq!(part.wins + rest.wins, whole.wins);
    assert_eq!(part.n_plies + rest.n_plies, whole.n_plies);
}

/// Two players without dice play two different games, however often they are asked.
#[test]
fn repeated_games_are_no_evidence() {
    let often = on_threads(2, &MatchPlan::new(["grid-5", "rival-0"], 100, Seed(1)));
    let once = on_threads(2, &MatchPlan::new(["grid-5", "rival-0"], 2, Seed(1)));
    assert_eq!((often.n_games(), often.n_distinct), (100, 2));
    assert_eq!(often.verdict, once.verdict);
}

/// A game played as text, move by move, is the game that two players of ours play at a table.
#[test]
fn movers_play_as_tables_do() {
    let game = GAMES.open("connect4").unwrap();
    for (a, b) in [("random", "grid-5"), ("ab:depth=3/threes/4,4,1,2", "random"), ("rival-4", "grid-5")] {
        let specs = [a, b].map(|text| game.player(text).unwrap());
        let mut table = game.new_match([&specs[0], &specs[1]]);
        for seed in 0..4 {
            let scene = StartPoint { game: game.name(), opening_plies: 3, seed };
            let first = seed as usize % 2;
            table.play(&scene, first);
            let opening = game.opening(&scene);
            let plain =
                plain_game(game.as_ref(), [&specs[0], &specs[1]], &opening, first, scene.game_seed(first));
            assert_eq!((table.last().opening, table.last().moves), (opening, plain.moves.join(" ")));
        }
    }
}

/// Whoever looks on changes nothing, and sees every move of a game that takes its time.
#[test]
fn watched_games_are_the_same_games() {
    let pairs = [
        ("random", "grid-5", false),
        ("ab:depth=3/threes/4,4,1,2", "random", false),
        ("ab:nodes=500/threes/4,4,1,2", "alphabeta:depth=3/lines/1,1,1,1,1,1", false),
        ("mcts:playouts=50", "minimax:depth=2/noise", false),
        ("alphabeta:depth=3/dice", "minimax:depth=2/dice", false),
        ("rival-4", "grid-5", true),
    ];
    for name in ["connect4", "connect:5x4x3"] {
        let game = GAMES.open(name).unwrap();
        for (a, b, is_quick) in pairs {
            let specs = [a, b].map(|text| game.player(text).unwrap());
            let [mut plain, mut watched] = [0, 1].map(|_| game.new_match([&specs[0], &specs[1]]));
            assert_eq!(plain.is_quick(), is_quick, "{a} {b}");
            for seed in 0..4 {
                let scene = StartPoint { game: game.name(), opening_plies: 2, seed };
                let first = seed as usize % 2;
                let mut seen = Vec::new();
                let result = watched.play_watched(&scene, first, &mut |opening, mv| {
                    assert_eq!(opening, game.opening(&scene));
                    seen.push(mv.to_owned());
                });
                assert_eq!((plain.play(&scene, first), plain.last()), (result, watched.last()));
                let told = if is_quick { String::new() } else { watched.last().moves };
                assert_eq!(seen.join(" "), told);
            }
        }
    }
}

/// Dice fall anew in every game, and as the seed says; cuts change nothing, because every line has its own number.
#[test]
fn dice_are_dice() {
    let game = GAMES.open("connect4").unwrap();
    let answers = |player: &str, seed: u64| {
        let mut line = game.session(None, "44").unwrap();
        let asked = (0..20).map(|ply| line.ask(player, Seed(seed).child(ply)).unwrap());
        asked.map(|answer| (answer.mv, answer.value)).collect::<Vec<_>>()
    };
    assert!(game.is_stochastic(&game.player("minimax:depth=3/dice").unwrap()));
    assert!(!game.is_stochastic(&game.player("minimax:depth=3/noise").unwrap()));
    let once = answers("minimax:depth=4/dice", 1);
    assert_eq!(once, answers("minimax:depth=4/dice", 1));
    assert_eq!(once, answers("alphabeta:depth=4/dice", 1));
    assert_ne!(once, answers("minimax:depth=4/dice", 2));
    assert!(once.iter().any(|answer| answer.0 != once[0].0), "{once:?}");
    // Two ways to a position draw twice: after 1 and 3 the rival's 2 leads to the same board in either order.
    let values = |moves: &str| {
        let line = game.session(None, moves).unwrap();
        line.explain("minimax:depth=2/dice", Seed(7))
            .unwrap()
            .moves
            .into_iter()
            .map(|m| m.value)
            .collect::<Vec<_>>()
    };
    assert_ne!(values("44"), values("4455"));
    assert!(
        values("-").iter().all(|value| value.is_some_and(|value| (-20_000.0..20_000.0).contains(&value)))
    );
}

#[test]
fn a_session_tells_what_to_click_and_what_was_seen() {
    let game = GAMES.open("connect4").unwrap();
    let mut line = game.session(None, "-").unwrap();
    assert!(line.frames().is_empty());
    line.play("4").unwrap();
    assert_eq!((line.frames().len(), line.frames().last()), (6, Some(&line.grid())));
    assert_eq!(line.spots(&["3".to_owned()]), [2, 9, 16, 23, 30, 37]);
    assert_eq!(line.setup(), line.show().setup);
    line.undo();
    assert!(line.frames().is_empty());
}

/// Without search, what an evaluation makes of the moves is what a greedy player says of them.
#[test]
fn a_value_is_what_a_greedy_player_sees() {
    let game = GAMES.open("connect4").unwrap();
    let players = [
        "greedy/lines/1000,-500,80,-2,2,80",
        "greedy/threes/4,4,1,2",
        "greedy/noise",
        "greedy/potential/1,2,3,2,-1,2,3,2,1000,-500",
    ];
    for player in players {
        // After the last list a move ends the game.
        for moves in ["-", "44", "44123", "415161"] {
            let mut line = game.session(None, moves).unwrap();
            let mover = line.to_move();
            for reason in line.explain(player, Seed(1)).unwrap().moves {
                line.play(&reason.mv).unwrap();
                assert_eq!(
                    line.value(player, mover).unwrap(),
                    reason.value,
                    "{player} {moves} {}",
                    reason.mv
                );
                line.undo();
            }
        }
    }
    let won = game.session(None, "4151617").unwrap();
    assert!(won.ending().is_some());
    let value = |player: &str, view| won.value(player, view).unwrap();
    let ahead = "alphabeta:depth=2/threes/4,4,1,2";
    assert_eq!(value(ahead, Side::First), value(ahead, Side::Second).map(|value| -value));
    assert!(value(ahead, Side::First) > Some(1000.0), "{:?}", value(ahead, Side::First));
    for without in ["random", "perfect", "mcts:playouts=10"] {
        assert_eq!(value(without, Side::First), None);
    }
    assert!(won.value("nobody", Side::First).is_err());
}

#[test]
fn every_rung_of_a_ladder_is_another_player() {
    let boards = ["connect4", "connect:1x1x1", "connect:32x32x8", "ladrillos:5", "kalah:6x4", "mancala:uam"];
    for name in boards.into_iter().chain(["mastergoal:1", "mastergoal:3"]) {
        let game = GAMES.open(name).unwrap();
        let ladder = game.ladder();
        assert_eq!(ladder[0], "random");
        let players = ladder.iter().map(|text| game.player(text).unwrap().to_string());
        assert_eq!(players.collect::<std::collections::BTreeSet<_>>().len(), ladder.len(), "{name}");
    }
}
