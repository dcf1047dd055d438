//! Exact values compared with plain recursion and with published results.

use super::{Solver, solver};
use palestra_core::{Family, Game, GameVisitor, Playable, Progress, Seed};
use palestra_games::connect::ConnectFamily;
use palestra_games::kalah::KalahFamily;
use palestra_games::ladrillos::LadrillosFamily;
use palestra_games::mancala::MancalaFamily;

/// The value by exhaustive search; `None` if that takes more than `budget` positions.
fn plain<G: Game>(solver: &mut dyn Solver<G>, game: &G, at: &G::Position, budget: &mut u32) -> Option<i32> {
    *budget = budget.checked_sub(1)?;
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let mut best = None;
    for mv in moves {
        let mut next = at.clone();
        game.play(&mut next, mv);
        let value = plain(solver, game, &next, budget)?;
        best = best.max(Some(solver.backed_up(value, game.to_move(&next) == game.to_move(at))));
    }
    best.or_else(|| solver.value(game, at, &Progress::default()).ok())
}

/// Compares on positions of random games, at most `plies` before their end.
struct Compare {
    n_positions: u64,
    plies: usize,
    bytes: usize,
    n_threads: usize,
}

impl GameVisitor for Compare {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let mut exact = solver(&game, self.bytes, self.n_threads).unwrap();
        let mut moves = Vec::new();
        for i in 0..self.n_positions {
            let mut rng = Seed(5).child(i).rng();
            // Solvers ignore clocks.
            let mut line = vec![game.unclocked(&game.start()).into_owned()];
            while let Some(mv) = game.random_move(line.last().unwrap(), &mut rng, &mut moves) {
                let mut next = line.last().unwrap().clone();
                game.play(&mut next, mv);
                line.push(next);
            }
            // The earliest of them that exhaustive search can solve.
            let from = line.len().saturating_sub(self.plies + 1);
            let mut solved = line[from..].iter().map(|at| (at, plain(&mut *exact, &game, at, &mut 20_000)));
            let Some((at, Some(expected))) = solved.find(|(_, value)| value.is_some()) else {
                unreachable!()
            };
            let value = exact.value(&game, at, &Progress::default()).unwrap();
            let context = || format!("{game} at {}", game.setup(at));
            assert_eq!(value, expected, "{}", context());
            for bound in value - 5..value + 5 {
                let reaches = exact.reaches(&game, at, bound, &Progress::default());
                assert_eq!(reaches, Ok(value >= bound), "{bound}, {}", context());
            }
        }
    }
}

fn compare<F: Family>(parameters: &str, n_positions: u64, plies: usize) {
    for (bytes, n_threads) in [(1 << 10, 1), (1 << 22, 1), (1 << 22, 3)] {
        F::open(parameters, Compare { n_positions, plies, bytes, n_threads }).unwrap();
    }
}

#[test]
fn connect_equals_plain() {
    compare::<ConnectFamily>("7x6x4", 100, 6);
    compare::<ConnectFamily>("3x3x3", 3, 9);
    compare::<ConnectFamily>("4x4x3", 20, 7);
    compare::<ConnectFamily>("5x5x4", 20, 7);
    compare::<ConnectFamily>("6x3x5", 20, 7);
    compare::<ConnectFamily>("5x4x2", 10, 5);
    compare::<ConnectFamily>("4x4x3x5", 20, 7);
    compare::<ConnectFamily>("8x7x4", 30, 5);
    compare::<ConnectFamily>("32x1x3", 5, 3);
    compare::<ConnectFamily>("2x2x9", 2, 4);
}

#[test]
fn ladrillos_equals_plain() {
    compare::<LadrillosFamily>("2", 2, 4);
    compare::<LadrillosFamily>("3", 4, 5);
    compare::<LadrillosFamily>("4", 20, 5);
    compare::<LadrillosFamily>("5", 30, 6);
    compare::<LadrillosFamily>("8", 10, 6);
    compare::<LadrillosFamily>("11", 10, 6);
    compare::<LadrillosFamily>("20", 5, 5);
}

#[test]
fn kalah_equals_plain() {
    for capture in ["", ",capture=empty"] {
        compare::<KalahFamily>(&format!("2x2{capture}"), 3, 20);
        compare::<KalahFamily>(&format!("3x2{capture}"), 5, 9);
        compare::<KalahFamily>(&format!("6x4{capture}"), 60, 6);
        compare::<KalahFamily>(&format!("9x2{capture}"), 10, 5);
        compare::<KalahFamily>(&format!("12x12{capture}"), 5, 3);
    }
}

/// Late positions of random games, and some with empty stores, where the rule about further turns differs.
#[test]
fn mancala_equals_plain() {
    compare::<MancalaFamily>("uam", 200, 9);
    let at = |setup: &'static str| MancalaFamily::open("uam", Setup(setup)).unwrap();
    // The last seed in an empty store gives no second turn.
    at("0,0,0,0,1,1,0/1,0,0,0,0,1,0 1");
    at("0,0,2,0,1,1,0/1,0,0,2,0,1,0 2");
    at("0,0,2,0,1,1,4/1,0,0,2,0,1,0 2 pass");
    at("0,0,0,0,3,1,1/0,0,1,0,0,0,1 1");
}

/// Compares on one position.
struct Setup(&'static str);

impl GameVisitor for Setup {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let mut exact = solver(&game, 1 << 20, 1).unwrap();
        let at = game.unclocked(&game.parse_setup(self.0).unwrap()).into_owned();
        let expected = plain(&mut *exact, &game, &at, &mut 100_000);
        assert_eq!(exact.value(&game, &at, &Progress::default()).ok(), expected, "{}", self.0);
    }
}

/// Seeds that can leave a store let positions recur.
#[test]
fn mancala_with_a_leak_is_not_solved() {
    struct Ask;
    impl GameVisitor for Ask {
        type Out = bool;
        fn visit<G: Playable>(self, game: G) -> bool {
            solver(&game, 1 << 20, 1).is_some()
        }
    }
    assert!(MancalaFamily::open("uam", Ask).unwrap());
    assert!(!MancalaFamily::open("uam,fuga", Ask).unwrap());
}

/// The values of several positions with one solver.
struct Values<'a> {
    lines: &'a [&'a str],
    n_threads: usize,
}

impl GameVisitor for Values<'_> {
    type Out = Vec<i32>;

    fn visit<G: Playable>(self, game: G) -> Vec<i32> {
        let mut exact = solver(&game, 1 << 24, self.n_threads).unwrap();
        let mut value = |line: &&str| {
            let (at, _) = game.play_list(&game.start(), line).unwrap();
            exact.value(&game, &at, &Progress::default()).unwrap()
        };
        self.lines.iter().map(&mut value).collect()
    }
}

fn start_value<F: Family>(parameters: &str) -> i32 {
    F::open(parameters, Values { lines: &["-"], n_threads: 1 }).unwrap()[0]
}

/// Positions with their values in the usual convention. Positions with ten stones take by far the longest, so only the
/// run with one thread includes them.
#[test]
fn known_positions_of_connect_4() {
    let lines: Vec<&str> = include_str!("connect4_solved.txt").lines().collect();
    assert_eq!(lines.len(), 100);
    for (n_threads, shortest) in [(1, 10), (2, 14)] {
        let known = lines.iter().map(|line| line.split_once(' ').unwrap());
        let known = known.filter(|(line, _)| line.len() >= shortest);
        let (lines, values): (Vec<&str>, Vec<&str>) = known.unzip();
        let solved = ConnectFamily::open("7x6x4", Values { lines: &lines, n_threads }).unwrap();
        assert_eq!(solved.iter().map(i32::to_string).collect::<Vec<_>>(), values);
    }
}

/// Margins of the first player, from "Solving Kalah" and section 4 of the rules.
#[test]
fn known_starts_of_kalah() {
    let standard =
        [("1x3", 6), ("2x4", -10), ("3x6", -8), ("4x3", 6), ("4x4", 2), ("5x2", 2), ("5x3", 6), ("6x2", 6)];
    for (size, value) in standard {
        assert_eq!(start_value::<KalahFamily>(size), value, "{size}");
    }
    let empty = [("2x4", -12), ("3x6", -10), ("4x3", 8), ("4x4", 2), ("5x2", 0), ("5x3", 8), ("6x2", 10)];
    for (size, value) in empty {
        assert_eq!(start_value::<KalahFamily>(&format!("{size},capture=empty")), value, "{size}");
    }
}

#[test]
fn known_starts_of_ladrillos() {
    assert_eq!(["2", "3", "4", "5"].map(start_value::<LadrillosFamily>), [0, 0, 0, 32]);
}

#[test]
fn known_starts_of_connect() {
    // Four in a row on small boards is drawn.
    assert_eq!(start_value::<ConnectFamily>("4x4x4"), 0);
    assert_eq!(start_value::<ConnectFamily>("5x4x4"), 0);
    assert_eq!(start_value::<ConnectFamily>("5x5x4"), 0);
}

/// Saves the table of one solver and loads it into another.
struct Resume;

impl GameVisitor for Resume {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let mut first = solver(&game, 1 << 22, 1).unwrap();
        let progress = Progress::default();
        let value = first.value(&game, &game.start(), &progress).unwrap();
        let mut saved = Vec::new();
        first.save(&mut saved).unwrap();
        let mut second = solver(&game, 1 << 23, 1).unwrap();
        second.load(&mut &saved[..]).unwrap();
        let again = Progress::default();
        assert_eq!(second.value(&game, &game.start(), &again).unwrap(), value);
        assert!(again.done() * 20 < progress.done(), "{} after {}", again.done(), progress.done());
        assert_eq!((progress.fraction(), progress.bounds()), (1.0, (value, value)));
    }
}

#[test]
fn a_saved_table_is_used() {
    KalahFamily::open("4x3", Resume).unwrap();
    LadrillosFamily::open("4", Resume).unwrap();
    ConnectFamily::open("5x4x4", Resume).unwrap();
}

/// Cancels before the search begins.
struct Stopped;

impl GameVisitor for Stopped {
    type Out = ();

    fn visit<G: Playable>(self, game: G) {
        let progress = Progress::default();
        progress.cancel();
        let mut exact = solver(&game, 1 << 22, 2).unwrap();
        assert_eq!(exact.value(&game, &game.start(), &progress), Err(super::Unsolved::Stopped));
    }
}

#[test]
fn stops_when_cancelled() {
    ConnectFamily::open("7x6x4", Stopped).unwrap();
    KalahFamily::open("6x4", Stopped).unwrap();
}

#[test]
fn large_boards_are_too_large() {
    struct Ask;
    impl GameVisitor for Ask {
        type Out = ();
        fn visit<G: Playable>(self, game: G) {
            let mut exact = solver(&game, 1 << 20, 1).unwrap();
            assert!(!exact.in_reach(&game, &game.start()));
            assert_eq!(
                exact.value(&game, &game.start(), &Progress::default()),
                Err(super::Unsolved::TooLarge)
            );
        }
    }
    LadrillosFamily::open("9", Ask).unwrap();
}
