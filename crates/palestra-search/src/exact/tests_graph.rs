//! Values of games whose positions can recur, checked for consistency, against plain search and on small maps.

use super::{GraphSolver, Solver, Unsolved, WON};
use palestra_core::toys::{RoadNumbers, Roads};
use palestra_core::{
    ExactGraph, ExactTree, ExactVisitor, Family, Game, GameVisitor, Playable, Progress, Seed,
};
use palestra_games::mastergoal::MastergoalFamily;
use rand::RngExt;

type RoadSolver = GraphSolver<Roads, RoadNumbers>;

/// The value of every place.
fn road_values(game: &Roads, solver: &mut RoadSolver) -> Vec<i32> {
    let places = 0..RoadNumbers.n_numbers(game).unwrap();
    let at = |place| RoadNumbers.position(game, place).unwrap();
    places.map(|place| solver.value(game, &at(place), &Progress::default()).unwrap()).collect()
}

#[test]
fn small_maps() {
    let check = |map: &str, expected: &[i32]| {
        let mut solver = GraphSolver::new(RoadNumbers, 1 << 20, 1);
        assert_eq!(road_values(&Roads::parse(map), &mut solver), expected, "{map}");
    };
    check("1, 0", &[0, 0]);
    check("1 0, lost", &[999, -1000]);
    check("1+ 0, won", &[999, 1000]);
    check("1, 2, won", &[998, -999, 1000]);
    check("1, 2, drawn", &[0, 0, 0]);
    // An endless cycle is better than a loss, and a slow loss better than a quick one.
    check("1 2, won, 0", &[0, 1000, 0]);
    check("1 2, won, 3, 4, won", &[-997, 1000, 998, -999, 1000]);
    // Another turn keeps the sign.
    check("1+, 2+, 3, lost", &[997, 998, 999, -1000]);
    check("1+ 2, lost, won", &[-999, -1000, 1000]);
}

fn random_map(seed: Seed) -> Roads {
    let mut rng = seed.rng();
    let n_places = rng.random_range(2..60);
    let ends = ["won", "lost", "drawn"];
    let place = |_| match rng.random_range(0..20) {
        end @ 0..3 => ends[end].to_owned(),
        _ => {
            let roads = (0..rng.random_range(1..4)).map(|_| {
                let again = if rng.random_range(0..5) == 0 { "+" } else { "" };
                format!("{}{again}", rng.random_range(0..n_places))
            });
            roads.collect::<Vec<_>>().join(" ")
        }
    };
    Roads::parse(&(0..n_places).map(place).collect::<Vec<_>>().join(", "))
}

/// The value of a search of `plies` plies, where unfinished games count as draws.
fn plain<G: Game>(solver: &dyn Solver<G>, game: &G, at: &G::Position, plies: u32) -> i32 {
    if let Some(ending) = game.ending(at) {
        return ending.value(f64::from(WON), game.to_move(at)) as i32;
    }
    if plies == 0 {
        return 0;
    }
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut next = at.clone();
        game.play(&mut next, mv);
        solver.backed_up(plain(solver, game, &next, plies - 1), game.to_move(&next) == game.to_move(at))
    });
    values.max().unwrap()
}

/// The value as a search of `plies` plies sees it: 0 for wins further away.
fn visible_value(value: i32, plies: u32) -> i32 {
    if WON - value.abs() <= plies as i32 { value } else { 0 }
}

#[test]
fn maps_equal_plain_search_and_are_consistent() {
    let mut n_decided = 0;
    for i in 0..200 {
        let game = random_map(Seed(11).child(i));
        let mut solver = GraphSolver::new(RoadNumbers, 1 << 20, 1);
        let values = road_values(&game, &mut solver);
        for (place, &value) in values.iter().enumerate() {
            let at = RoadNumbers.position(&game, place).unwrap();
            assert_eq!(plain(&solver, &game, &at, 7), visible_value(value, 7), "place {place} of map {i}");
            check_consistency(&mut solver, &game, &at);
            n_decided += u32::from(value != 0);
        }
    }
    assert!(n_decided > 1000, "{n_decided}");
}

/// Checks that a value is the maximum of the values of the moves.
fn check_consistency<G: Game>(solver: &mut dyn Solver<G>, game: &G, at: &G::Position) {
    let progress = Progress::default();
    let value = solver.value(game, at, &progress).unwrap();
    if game.ending(at).is_none() {
        assert_eq!((progress.fraction(), progress.bounds()), (1.0, (value, value)));
    }
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut next = at.clone();
        game.play(&mut next, mv);
        let after = solver.value(game, &next, &Progress::default()).unwrap();
        solver.backed_up(after, game.to_move(&next) == game.to_move(at))
    });
    let best = values.max();
    assert!(best.is_none_or(|best| best == value), "{value}, but the best move {best:?} at {at:?}");
    for bound in value - 2..value + 3 {
        assert_eq!(solver.reaches(game, at, bound, &Progress::default()), Ok(value >= bound));
    }
}

/// A map of several blocks: a long line of places to the end, with roads back far from the end.
fn long_map(n_places: usize) -> Roads {
    let place = |i: usize| match i {
        0 => "lost".to_owned(),
        _ if i > 600 && i.is_multiple_of(7) => format!("{} {}", i - 1, (i + 5) % n_places),
        _ => (i - 1).to_string(),
    };
    Roads::parse(&(0..n_places).map(place).collect::<Vec<_>>().join(", "))
}

#[test]
fn a_win_beyond_the_limit_is_a_draw() {
    let line: Vec<String> = (0..1100).map(|i: usize| i.saturating_sub(1).to_string()).collect();
    let game = Roads::parse(&format!("lost{}", &line.join(", ")[1..]));
    let values = road_values(&game, &mut GraphSolver::new(RoadNumbers, 1 << 20, 1));
    let expected = |i: i32| if i % 2 == 1 { WON - i } else { i - WON };
    assert_eq!(values, (0..1100).map(|i| if i < WON { expected(i) } else { 0 }).collect::<Vec<_>>());
}

#[test]
fn memory_and_threads_change_nothing() {
    let n_places = 10_000;
    let game = long_map(n_places);
    let solve = |bytes, n_threads| {
        let mut solver = GraphSolver::new(RoadNumbers, bytes, n_threads);
        let progress = Progress::default();
        solver.value(&game, &RoadNumbers.position(&game, 1).unwrap(), &progress).unwrap();
        (road_values(&game, &mut solver), progress.done())
    };
    let (values, nodes) = solve(1 << 20, 1);
    assert!(values.iter().any(|value| value.abs() < WON - 127 && *value != 0), "some are far from the end");
    assert!(values.iter().filter(|value| **value == 0).count() > 100, "and some neither won nor lost");
    // Memory for no list of moves, for those of one block, and for all.
    for bytes in [2 * n_places, 2 * n_places + 40_000, 1 << 20] {
        for n_threads in [1, 3] {
            assert_eq!(solve(bytes, n_threads), (values.clone(), nodes), "{bytes} bytes");
        }
    }
    let mut solver: RoadSolver = GraphSolver::new(RoadNumbers, 2 * n_places - 1, 1);
    let at = RoadNumbers.position(&game, 1).unwrap();
    assert!(!solver.in_reach(&game, &at));
    assert_eq!(solver.value(&game, &at, &Progress::default()), Err(Unsolved::TooLarge));
}

#[test]
fn a_saved_table_is_read_back() {
    let game = long_map(5000);
    let mut first = GraphSolver::new(RoadNumbers, 1 << 20, 1);
    let values = road_values(&game, &mut first);
    let mut saved = Vec::new();
    first.save(&mut saved).unwrap();
    let mut second: RoadSolver = GraphSolver::new(RoadNumbers, 1 << 20, 1);
    second.load(&mut &saved[..]).unwrap();
    let progress = Progress::default();
    assert_eq!(second.value(&game, &RoadNumbers.position(&game, 700).unwrap(), &progress), Ok(values[700]));
    assert_eq!((road_values(&game, &mut second), progress.done()), (values, 0));
    // An empty file changes nothing; a table of another game is not used; invalid data is an error.
    second.load(&mut &[][..]).unwrap();
    assert_eq!(road_values(&game, &mut second).len(), 5000);
    second.load(&mut &[1, 2, 3][..]).unwrap();
    assert_eq!(road_values(&Roads::parse("1, 0"), &mut second), [0, 0]);
    for bad in [&[0x80][..], &[0x80, 1], &[5, 0x80, 0xe8, 3], &[0x80, 0, 0x80]] {
        assert_eq!(second.load(&mut &*bad).unwrap_err().kind(), std::io::ErrorKind::InvalidData, "{bad:?}");
    }
    assert_eq!(road_values(&Roads::parse("1, 0"), &mut second), [0, 0]);
}

#[test]
fn stops_when_cancelled() {
    let progress = Progress::default();
    progress.cancel();
    let game = long_map(5000);
    let mut solver: RoadSolver = GraphSolver::new(RoadNumbers, 1 << 20, 2);
    let at = RoadNumbers.position(&game, 9).unwrap();
    assert_eq!(solver.value(&game, &at, &progress), Err(Unsolved::Stopped));
    assert!(solver.value(&game, &at, &Progress::default()).is_ok());
}

/// Checks a sample of a game's positions.
struct Sample<'a, G>(&'a G);

impl<G: Playable> ExactVisitor<G> for Sample<'_, G> {
    type Out = ();

    fn tree<X: ExactTree<G>>(self, _tree: X) {
        unreachable!("positions can recur");
    }

    fn graph<X: ExactGraph<G>>(self, graph: X) {
        let game = self.0;
        let mut rng = Seed(3).rng();
        let n_numbers = graph.n_numbers(game).unwrap();
        let numbers = (0..20_000).map(|_| rng.random_range(0..n_numbers));
        let sample: Vec<G::Position> = numbers.filter_map(|number| graph.position(game, number)).collect();
        let mut solver = GraphSolver::new(graph, 1 << 27, 2);
        sample.iter().for_each(|at| check_consistency(&mut solver, game, at));
        let mut n_decided = 0;
        for (i, at) in sample.iter().filter(|at| game.ending(at).is_none()).take(1000).enumerate() {
            let plies = if i < 20 { 3 } else { 2 };
            let value = visible_value(solver.value(game, at, &Progress::default()).unwrap(), plies);
            assert_eq!(plain(&solver, game, at, plies), value, "{}", game.setup(at));
            n_decided += u32::from(value != 0);
        }
        assert!(n_decided > 50, "{n_decided}");
        let mut value = |line: &str| {
            let (at, _) = game.play_list(&game.start(), line).unwrap();
            solver.value(game, &at, &Progress::default()).unwrap()
        };
        // Neither side can force a goal from the start position, but a step aside loses.
        assert_eq!(["-", "f4f6*f8", "f4d6", "f4h6", "f4f3"].map(&mut value), [0, 0, 995, 995, 987]);
    }
}

#[test]
fn mastergoal_with_one_piece_a_side() {
    struct Open;
    impl GameVisitor for Open {
        type Out = ();
        fn visit<G: Playable>(self, game: G) {
            game.exact(Sample(&game)).unwrap();
        }
    }
    MastergoalFamily::open("1", Open).unwrap();
}

#[test]
fn mastergoal_in_reach() {
    struct Ask;
    impl GameVisitor for Ask {
        type Out = Option<bool>;
        fn visit<G: Playable>(self, game: G) -> Option<bool> {
            super::solver(&game, 1 << 24, 1).map(|solver| solver.in_reach(&game, &game.start()))
        }
    }
    let ask = |text| MastergoalFamily::open(text, Ask).unwrap();
    assert_eq!(["1", "1,goals=2", "1,limit=7"].map(ask), [Some(true); 3]);
    assert_eq!(["1,goals=3", "2", "2+1", "3"].map(ask), [Some(false), None, None, None]);
}

#[test]
fn what_is_needed_is_what_is_backed_up() {
    let solver: RoadSolver = GraphSolver::new(RoadNumbers, 1 << 20, 1);
    for again in [false, true] {
        for value in [-999, -998, -2, -1, 0, 1, 2, 998] {
            let needed = solver.needed(value, again);
            for next in -WON..=WON {
                let keeps = solver.backed_up(next, again) >= value;
                assert_eq!(keeps, (next >= needed) == again, "{next} for {value}, {again}");
            }
        }
    }
}
