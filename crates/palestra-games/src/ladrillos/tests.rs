//! Recorded games and positions, the reference players, and the texts of the family.

use super::players::c_rand;
use super::scan::BoardScan;
use super::*;
use palestra_core::{
    ChildBuffers, Evaluator, FeatureSet, FeatureTable, Game, Linear, Notation, ParametricEvaluator, Seed,
    Side, Transition, View, count_sequences,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

type Small = Ladrillos<1, 72, 34>;

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap()
}

fn numbers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// The text of a move of the data, which has row, column (both from 1) and direction.
fn move_text(mv: &Value) -> String {
    let mv = numbers(mv);
    let column = char::from(b'a' + mv[1] as u8 - 1);
    format!("{column}{}{}", mv[0], if mv[2] == 1 { 'v' } else { 'h' })
}

fn move_texts(moves: &Value) -> Vec<String> {
    moves.as_array().unwrap().iter().map(move_text).collect()
}

/// Reads the features of a position by both methods of a set and checks that they agree.
struct Read<'a, G: Game> {
    game: &'a G,
    at: &'a G::Position,
    view: Side,
}

impl<G: Game> EvaluationVisitor<G> for Read<'_, G> {
    type Out = Vec<i64>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Vec<i64> {
        let mut rows = [vec![0; set.features().len()], vec![0; set.features().len()]];
        set.extract(self.game, self.at, self.view, &mut rows[0]);
        set.extract_incremental(self.game, self.at, &set.begin(self.game, self.at), self.view, &mut rows[1]);
        assert_eq!(rows[0], rows[1]);
        rows[0].iter().map(|&value| i64::from(value)).collect()
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Vec<i64> {
        Vec::new()
    }
}

struct CheckPosition<'a>(&'a Value);

impl GameVisitor for CheckPosition<'_> {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let known = self.0;
        let id = &known["id"];
        let glyph = |c| match c {
            '0' => '1',
            '1' => '2',
            c => c,
        };
        let rows = known["rows"].as_array().unwrap().iter();
        let rows: Vec<String> = rows.map(|row| row.as_str().unwrap().chars().map(glyph).collect()).collect();
        let setup = format!("{} {}", rows.join("/"), number(&known["to_move"]) + 1);
        let (at, _) = game.play_list(&game.start(), &move_texts(&known["moves"]).join(" ")).unwrap();
        assert_eq!(game.setup(&at), setup, "board {id}");
        let read = game.parse_setup(&setup).unwrap();
        assert_eq!(read, at, "setup {id}");

        let mut moves = Vec::new();
        game.moves(&at, &mut moves);
        let flat = moves.iter().filter(|mv| mv.to_string().ends_with('h')).count() as i64;
        let counted = [moves.len() as i64, flat, moves.len() as i64 - flat];
        assert_eq!(counted.to_vec(), ["legal", "legal_h", "legal_v"].map(|key| number(&known[key])), "{id}");
        let view = game.to_move(&at);
        for at in [&at, &read] {
            let scores = game.score(at).unwrap().map(i64::from);
            assert_eq!(scores.to_vec(), numbers(&known["scores"]), "scores {id}");
            let features = |name: &str, view| game.evaluation(name, Read { game: &game, at, view }).unwrap();
            for (view, key) in [(view, "features"), (view.other(), "features_other")] {
                let names = ["score", "exp_own", "exp_opp", "dist", "div"];
                let values = names.map(|name| number(&known[key][name]));
                assert_eq!(features("islands", view), values, "{key} {id}");
            }
            assert_eq!(features("islands-masters", view)[3], number(&known["div_v1"]), "{id}");
            assert_eq!(features("islands-report", view)[4], number(&known["div_v1"]), "{id}");
            assert_eq!(features("islands-report:divisions=2", view)[4], number(&known["features"]["div"]));
            assert_eq!(features("islands-report", view)[2], number(&known["exp_own_report"]), "{id}");
            assert_eq!(features("islands+enclosed", view)[5], number(&known["enclosed"]), "{id}");
        }

        let mut heurb = game.policy("heurb").unwrap();
        let chosen: BTreeSet<String> =
            (0..200).map(|i| heurb.choose(&game, &at, &moves, &mut Seed(i).rng()).to_string()).collect();
        let best: BTreeSet<String> = move_texts(&known["heurb_best"]).into_iter().collect();
        assert!(chosen.is_subset(&best), "{id}: {chosen:?} instead of {best:?}");
        assert!(best.len() > 8 || chosen == best, "{id}: {chosen:?} of {best:?}");
    }
}

/// 150 positions with values computed by an independent program and by the study's functions.
#[test]
fn positions_of_the_study() {
    let lines = include_str!("data/ladrillos_positions.jsonl").lines();
    assert_eq!(lines.clone().count(), 150);
    for line in lines {
        let known: Value = serde_json::from_str(line).unwrap();
        LadrillosFamily::open(&known["n"].to_string(), CheckPosition(&known)).unwrap();
    }
}

/// The value of a position for heurb, computed from the cells and from the labels.
struct Pressure<'a>(&'a Value);

fn check_pressure<const W: usize, const C: usize, const L: usize>(n: usize, known: &Value) {
    let game = Ladrillos::<W, C, L>::new(n);
    let (at, _) = game.play_list(&game.start(), &move_texts(&known["moves"]).join(" ")).unwrap();
    let value = number(&known["heurb"]);
    assert_eq!(game.pressure(&at, at.to_move), value, "{}", known["id"]);
    assert_eq!(BoardScan::new(&game, &at).with_islands().pressure(at.to_move), value, "{}", known["id"]);
}

impl Pressure<'_> {
    fn check(&self) {
        match number(&self.0["n"]) as usize {
            n @ ..=7 => check_pressure::<1, 72, 34>(n, self.0),
            n @ 8..=11 => check_pressure::<3, 160, 74>(n, self.0),
            n => check_pressure::<5, 306, 130>(n, self.0),
        }
    }
}

#[test]
fn values_of_heurb() {
    for line in include_str!("data/ladrillos_positions.jsonl").lines() {
        Pressure(&serde_json::from_str(line).unwrap()).check();
    }
}

/// Replays a recorded game of two greedy players.
struct Replay<'a>(&'a Value);

impl GameVisitor for Replay<'_> {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let evaluation = match self.0["semantics"].as_str().unwrap() {
            "coded" => "islands",
            "masters" => "islands-masters",
            other => panic!("unknown semantics {other}"),
        };
        game.evaluation(evaluation, Play { game: &game, record: self.0 }).unwrap();
    }
}

struct Play<'a, G> {
    game: &'a G,
    record: &'a Value,
}

impl<G: Playable> EvaluationVisitor<G> for Play<'_, G> {
    type Out = ();

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) {
        let (game, record) = (self.game, self.record);
        let set = Arc::new(set);
        let players = ["p0", "p1"].map(|key| {
            let weights: Vec<f64> =
                record[key].as_array().unwrap().iter().map(|weight| weight.as_f64().unwrap()).collect();
            Linear::new::<G>(Arc::clone(&set), &weights)
        });
        let (mut at, mut moves, mut played) = (game.start(), Vec::new(), Vec::new());
        let mut accumulator = set.begin(game, &at);
        let mut buffers = ChildBuffers::default();
        while game.ending(&at).is_none() {
            let side = game.to_move(&at);
            moves.clear();
            game.moves(&at, &mut moves);
            players[side.index()].child_values(game, &at, &accumulator, side, &moves, &mut buffers);
            let values = &buffers.values;
            let best = (1..values.len()).fold(0, |best, i| if values[i] > values[best] { i } else { best });
            set.advance(game, &mut accumulator, &at, moves[best]);
            game.play(&mut at, moves[best]);
            played.push(moves[best].to_string());
        }
        assert_eq!(played, move_texts(&record["moves"]), "moves of game {}", record["id"]);
        let scores = game.score(&at).unwrap().map(i64::from);
        assert_eq!(scores.to_vec(), numbers(&record["scores"]), "scores of game {}", record["id"]);
        let ending = game.ending(&at).unwrap();
        let sign = if ending.winner == Some(Side::First) { 1.0 } else { -1.0 };
        let known = record["game_score"][0].as_f64().unwrap();
        assert!((sign * game.event_points(&ending) - known).abs() < 5e-4, "points of game {}", record["id"]);
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) {
        unreachable!("both sets are linear");
    }
}

#[test]
fn games_of_the_study_replay() {
    let lines = include_str!("data/ladrillos_games.jsonl").lines();
    assert_eq!(lines.clone().count(), 30);
    for line in lines {
        let record: Value = serde_json::from_str(line).unwrap();
        LadrillosFamily::open(&record["n"].to_string(), Replay(&record)).unwrap();
    }
}

#[test]
fn whole_trees() {
    let tree = |n: usize| {
        let game = Small::new(n);
        let counts = count_sequences(&game, &game.start(), (n * n / 2) as u32);
        1 + counts.iter().sum::<u64>()
    };
    assert_eq!([tree(2), tree(3)], [9, 869]);
}

/// Checks that the features of children equal those computed from the board; returns the names of the features.
struct Added<'a, G>(&'a G);

impl<G: Playable> EvaluationVisitor<G> for Added<'_, G> {
    type Out = Vec<String>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Vec<String> {
        let game = self.0;
        let (mut moves, mut scratch, mut table) = (Vec::new(), Vec::new(), FeatureTable::default());
        let mut rng = Seed(7).rng();
        let mut at = game.start();
        let mut accumulator = set.begin(game, &at);
        let mut row = vec![0; set.features().len()];
        let mut single = row.clone();
        while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
            moves.clear();
            game.moves(&at, &mut moves);
            for view in Side::BOTH {
                set.extract_children(game, &at, &accumulator, view, &moves, &mut table);
                for (child, &mv) in moves.iter().enumerate() {
                    let mut after = at.clone();
                    game.play(&mut after, mv);
                    set.extract(game, &after, view, &mut row);
                    assert!(table.child(child).eq(row.iter().copied()), "{mv}: {row:?}");
                    let step = Transition { at: &at, mv, after: &after };
                    set.extract_child(game, &step, &accumulator, view, &mut single);
                    assert_eq!(single, row, "{mv}");
                }
            }
            set.advance(game, &mut accumulator, &at, mv);
            game.play(&mut at, mv);
        }
        set.features().iter().map(|feature| feature.name.to_owned()).collect()
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn features_can_be_added() {
    let game = Ladrillos::<3, 160, 74>::new(8);
    let names = |name: &str| game.evaluation(name, Added(&game));
    let islands = ["score", "own-expansion", "enemy-expansion", "distance", "divisions"];
    assert_eq!(names("islands+enclosed").unwrap(), [&islands[..], &["enclosed"]].concat());
    assert_eq!(
        names("islands-masters+mirror+closing").unwrap(),
        ["score", "own-expansion", "enemy-expansion", "divisions", "p5", "distance", "mirror", "closing"]
    );
    assert_eq!(names("closing+enclosed").unwrap(), ["closing", "enclosed"]);
    assert_eq!(names("islands-report:divisions=2+closing").unwrap().len(), 6);
    assert_eq!(names("islands-masters+enclosed+closing+mirror").unwrap().len(), 9);
    for wrong in [
        "",
        "+",
        "islands+",
        "islands+islands",
        "mirror+mirror",
        "islands:divisions=2",
        "islands-report:divisions=3",
    ] {
        assert!(names(wrong).is_none(), "{wrong}");
    }
}

/// The first moves of a game of a deterministic player against itself.
fn line_of(name: &str, n: usize, n_moves: usize) -> String {
    let game = Ladrillos::<3, 160, 74>::new(n);
    let mut player = game.policy(name).unwrap();
    assert!(!player.is_stochastic());
    let (mut at, mut moves, mut played) = (game.start(), Vec::new(), Vec::new());
    for seed in 0..n_moves {
        moves.clear();
        game.moves(&at, &mut moves);
        let mv = player.choose(&game, &at, &moves, &mut Seed(seed as u64).rng());
        game.play(&mut at, mv);
        played.push(mv.to_string());
    }
    played.join(" ")
}

#[test]
fn deterministic_reference_players() {
    assert_eq!(line_of("fixed", 8, 6), "a1h c1h e1h g1h a2h c2h");
    // Horizontal on row x, column y, then vertical on row y, column x.
    assert_eq!(line_of("wabi", 8, 6), "a1h a2v c1h a4v e1h a6v");
    assert_eq!(c_rand(3), [1_804_289_383, 846_930_886, 1_681_692_777]);
    // 1804289383 mod 112 = 71: x = 5, y = 0, the vertical brick.
    assert_eq!(line_of("labi", 8, 1), "f1v");
}

#[test]
fn stochastic_players_choose_a_best_move() {
    let game = Ladrillos::<3, 160, 74>::new(8);
    let mut rng = Seed(11).rng();
    let mut scratch = Vec::new();
    for (name, value) in [("heur", 0), ("heurb", 1), ("rand", 2)] {
        let mut player = game.policy(name).unwrap();
        assert!(player.is_stochastic());
        let mut at = game.start();
        while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
            let mut moves = Vec::new();
            game.moves(&at, &mut moves);
            let value_of = |mv: Brick| {
                let mut after = at.clone();
                game.play(&mut after, mv);
                [i64::from(after.margin(at.to_move)), game.pressure(&after, at.to_move), 0][value]
            };
            let best = moves.iter().map(|&mv| value_of(mv)).max().unwrap();
            assert_eq!(value_of(player.choose(&game, &at, &moves, &mut rng)), best, "{name}");
            game.play(&mut at, mv);
        }
    }
}

/// All legal moves are chosen about equally often.
#[test]
fn rand_is_uniform() {
    let game = Small::new(3);
    let (at, mut moves) = (game.start(), Vec::new());
    game.moves(&at, &mut moves);
    let mut counts = [0u32; 12];
    let mut player = game.policy("rand").unwrap();
    let mut rng = Seed(1).rng();
    for _ in 0..12_000 {
        let mv = player.choose(&game, &at, &moves, &mut rng);
        counts[moves.iter().position(|other| *other == mv).unwrap()] += 1;
    }
    // The standard deviation is 30.
    assert!(counts.iter().all(|count| count.abs_diff(1000) < 150), "{counts:?}");
}

/// The image of a move under a symmetry of the square: first mirrored if `mirror`, then `turns` quarter turns.
fn image(n: usize, mv: Brick, mirror: bool, turns: u32) -> Brick {
    let mut cells = mv.places(n).map(|cell| (cell / n, cell % n));
    for cell in &mut cells {
        *cell = if mirror { (cell.0, n - 1 - cell.1) } else { *cell };
        (0..turns).for_each(|_| *cell = (cell.1, n - 1 - cell.0));
    }
    let (row, column) = cells[0].min(cells[1]);
    Brick { row: row as u8, column: column as u8, upright: cells[0].1 == cells[1].1 }
}

#[test]
fn symmetric_positions_have_equal_scores_and_counts() {
    for n in 3..=6 {
        let game = Small::new(n);
        let (mut rng, mut scratch) = (Seed(5).rng(), Vec::new());
        for (mirror, turns) in [(true, 0), (false, 1), (false, 2), (true, 3)] {
            let (mut at, mut other) = (game.start(), game.start());
            while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
                game.play(&mut at, mv);
                game.play(&mut other, image(n, mv, mirror, turns));
                assert_eq!(game.ending(&at), game.ending(&other));
                assert_eq!(game.score(&at), game.score(&other));
                assert_eq!(count_sequences(&game, &at, 2), count_sequences(&game, &other, 2));
            }
        }
    }
}

/// On an even board the second player can always draw by symmetry (rules, section 4), and the feature `mirror` alone
/// does so.
#[test]
fn mirror_never_loses_on_even_boards() {
    for n in [2, 4, 6, 8, 10] {
        let game = Ladrillos::<3, 160, 74>::new(n);
        for seed in 0..20 {
            let (mut rng, mut scratch, mut moves) = (Seed(seed).rng(), Vec::new(), Vec::new());
            let mut at = game.start();
            while let Some(mv) = game.random_move(&at, &mut rng, &mut scratch) {
                game.play(&mut at, mv);
                moves.clear();
                game.moves(&at, &mut moves);
                let mirrored = |answer: Brick| {
                    let mut after = at.clone();
                    game.play(&mut after, answer);
                    game.mirror(&after, Side::Second)
                };
                // The first of the best moves, as a greedy player chooses.
                let best = moves.iter().rev().copied().max_by_key(|&mv| mirrored(mv)).unwrap();
                assert_eq!(best, image(n, mv, false, 2));
                game.play(&mut at, best);
            }
            let ending = game.ending(&at).unwrap();
            assert_eq!((ending.winner, ending.margin), (None, 0), "{n}");
        }
    }
}
