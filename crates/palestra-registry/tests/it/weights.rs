//! Sensitivity and maps agree with single games.

use crate::plain_game;
use palestra_arena::{AnyGame, GauntletSpec, PointSystem, WeightMap, WeightRegion};
use palestra_core::{Progress, Rng, Seed, Side, print_weights};
use palestra_registry::GAMES;
use rand::RngExt;

/// The moves of every game of a gauntlet, and the sum of their points.
fn play_all(game: &dyn AnyGame, player: &str, gauntlet: &GauntletSpec) -> (Vec<Vec<String>>, f64) {
    let spec = game.player(player).unwrap();
    let (mut games, mut score) = (Vec::new(), 0.0);
    for opponent in &gauntlet.opponents {
        let opponent = game.player(opponent).unwrap();
        for opening in &gauntlet.openings {
            for (first, side) in [(0, Side::First), (1, Side::Second)] {
                let seed = gauntlet.seed.child(games.len() as u64);
                let plain = plain_game(game, [&spec, &opponent], opening, first, seed);
                score += plain.ending.value(1.0, side);
                games.push(plain.moves);
            }
        }
    }
    (games, score)
}

/// Compares a sensitivity with games whose weights are inside and outside its ranges.
struct SensitivityCheck<'a> {
    player: &'a str,
    weights: &'a [f64],
    opponents: &'a [&'a str],
}

impl SensitivityCheck<'_> {
    fn check(&self, game: &str) {
        let game = GAMES.open(game).unwrap();
        let gauntlet = GauntletSpec::new(self.opponents, Seed(3));
        let play = |weights: &[f64]| {
            play_all(game.as_ref(), &format!("{}/{}", self.player, print_weights(weights)), &gauntlet).0
        };
        let whole = format!("{}/{}", self.player, print_weights(self.weights));
        let sensitivity = game.sensitivity(&game.player(&whole).unwrap(), &gauntlet).unwrap();
        let games = play(self.weights);
        assert_eq!((sensitivity.n_games, sensitivity.weights.len()), (games.len(), self.weights.len()));
        let mut n_limits = 0;
        for (i, range) in sensitivity.weights.iter().enumerate() {
            assert_eq!(range.weight, self.weights[i]);
            let moved = |weight: f64| {
                let mut weights = self.weights.to_vec();
                weights[i] = weight;
                play(&weights)
            };
            for (limit, sign) in [(&range.low, -1.0), (&range.high, 1.0)] {
                let Some(limit) = limit else { continue };
                n_limits += 1;
                let distance = limit.at - range.weight;
                assert_eq!(moved(range.weight + 0.999 * distance), games, "{range:?}");
                // At limits that are not whole numbers, rounding of the sums decides.
                if limit.at.fract() == 0.0 {
                    assert_eq!(moved(limit.at) == games, limit.is_included, "{range:?}");
                }
                let beyond = moved(limit.at + 1e-6 * (distance + sign));
                let decision = &limit.decision;
                let (before, after) = games
                    .iter()
                    .zip(&beyond)
                    .find(|(before, after)| before != after)
                    .unwrap_or_else(|| panic!("nothing changes beyond {limit:?}"));
                let ply = before.iter().zip(after).position(|(a, b)| a != b).unwrap();
                if ply == decision.ply as usize && before[ply] == decision.played {
                    assert_ne!(after[ply], decision.played);
                }
            }
        }
        assert!(n_limits >= self.weights.len(), "most weights have limits");
        let share = sensitivity.share.expect("all weights together have a limit").at;
        let mut rng = Seed(1).rng();
        for _ in 0..5 {
            let mut nudged = |weight: &f64| weight * (1.0 + 0.999 * share * rng.random_range(-1.0..=1.0));
            assert_eq!(play(&self.weights.iter().map(&mut nudged).collect::<Vec<_>>()), games);
        }
    }
}

#[test]
fn sensitivities_agree_with_games() {
    let weights = [1000.0, -500.0, 80.0, -2.0, 2.0, 80.0];
    let opponents = &["rival-4", "rival-0", "random"];
    SensitivityCheck { player: "greedy/lines-coded", weights: &weights, opponents }.check("connect4");
    let weights = [3.5, -2.25, 1.1, -0.7, 0.3, 0.2];
    let opponents = &["rival-4", "last"];
    let check = SensitivityCheck { player: "greedy:ties=last/lines", weights: &weights, opponents };
    check.check("connect:6x5x4");
}

/// A point inside a polygon.
fn point_in(region: &WeightRegion, rng: &mut Rng) -> (f64, f64) {
    let shares: Vec<f64> = region.polygon.iter().map(|_| rng.random_range(0.05..1.0)).collect();
    let sum: f64 = shares.iter().sum();
    let corners = region.polygon.iter().zip(&shares);
    corners.fold((0.0, 0.0), |at, (corner, share)| {
        (at.0 + corner.0 * share / sum, at.1 + corner.1 * share / sum)
    })
}

fn is_inside(region: &WeightRegion, at: (f64, f64)) -> bool {
    let corners = region.polygon.iter().zip(region.polygon.iter().cycle().skip(1));
    corners.into_iter().all(|(a, b)| (b.0 - a.0) * (at.1 - a.1) - (b.1 - a.1) * (at.0 - a.0) >= 0.0)
}

fn is_same_line(a: &[f64; 3], b: &[f64; 3]) -> bool {
    a[0] * b[1] == a[1] * b[0] && a[0] * b[2] == a[2] * b[0] && a[1] * b[2] == a[2] * b[1]
}

const X: [f64; 2] = [-120.0, 150.5];
const Y: [f64; 2] = [-100.0, 40.0];

fn check_map(game: &str, player: &str, weights: &[f64], axes: [usize; 2], opponents: &[&str]) {
    let game = GAMES.open(game).unwrap();
    let gauntlet = GauntletSpec::new(opponents, Seed(4));
    let mut map = WeightMap::new(weights, axes, X, Y).unwrap();
    let whole = game.player(&format!("{player}/{}", print_weights(weights))).unwrap();
    assert!(
        game.refine_map(&mut map, &whole, &gauntlet, PointSystem::BALANCED, &Progress::default()).unwrap()
    );
    assert!(map.regions.len() > 3, "{} regions", map.regions.len());
    let area: f64 = map.regions.iter().map(WeightRegion::area).sum();
    let expected = (X[1] - X[0]) * (Y[1] - Y[0]);
    assert!((area / expected - 1.0).abs() < 1e-9, "{area} of {expected}");
    let mut rng = Seed(9).rng();
    for region in &map.regions {
        check_borders(&map, region);
        // In a narrow region even an inner point may be so close to a border that rounded sums are equal.
        if region.area() < 1e-3 {
            continue;
        }
        let at = point_in(region, &mut rng);
        let mut moved = weights.to_vec();
        (moved[axes[0]], moved[axes[1]]) = at;
        let player = format!("{player}/{}", print_weights(&moved));
        assert_eq!(play_all(game.as_ref(), &player, &gauntlet).1, region.score, "{at:?}");
    }
}

/// Each edge of a region is on the edge of the map, or the border of a neighboring region.
fn check_borders(map: &WeightMap, region: &WeightRegion) {
    let ends = region.polygon.iter().zip(region.polygon.iter().cycle().skip(1));
    for ((a, b), border) in ends.zip(&region.borders) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let step = 1e-7 / dx.hypot(dy);
        // The corners are counterclockwise, so the outside is to the right.
        let across = (a.0 + dx / 2.0 + dy * step, a.1 + dy / 2.0 - dx * step);
        let is_in_map = across.0 > X[0] && across.0 < X[1] && across.1 > Y[0] && across.1 < Y[1];
        let neighbor = map.regions.iter().find(|other| is_inside(other, across));
        assert_eq!(neighbor.is_some(), is_in_map);
        if let Some(neighbor) = neighbor
            && region.area().min(neighbor.area()) > 1e-3
            && dx.hypot(dy) > 1e-3
        {
            let shared = neighbor.borders.iter().any(|other| is_same_line(border, other));
            assert!(shared, "{border:?} is not a border of {neighbor:?}");
        }
    }
}

#[test]
fn regions_score_what_their_points_score() {
    let weights = [1000.0, -500.0, 0.0, -2.0, 2.5, 0.0];
    let opponents = ["rival-4", "greedy/threes/4,4,1,2"];
    check_map("connect:6x5x4", "greedy/lines-coded", &weights, [2, 5], &opponents);
    check_map("connect:6x5x4", "greedy:ties=last/lines", &weights, [4, 3], &["rival-6"]);
}

#[test]
fn regions_of_a_game_with_extra_turns() {
    let weights = [10.0, 1.0, 0.0, 2.0, -2.0, 2.0, 0.0, 6.0, -5.0, 6.0];
    check_map("kalah:4x3", "greedy/kalah", &weights, [0, 2], &["greedy/margin"]);
}

#[test]
fn invalid_maps_are_refused() {
    let weights = [1.0, 2.0, 3.0];
    assert!(WeightMap::new(&weights, [0, 1], [0.0, 0.0], [0.0, 1.0]).is_none());
    assert!(WeightMap::new(&weights, [1, 1], [0.0, 1.0], [0.0, 1.0]).is_none());
    assert!(WeightMap::new(&weights, [0, 3], [0.0, 1.0], [0.0, 1.0]).is_none());
    assert!(WeightMap::new(&[1.0, 2.0, 1e40], [0, 1], [0.0, 1.0], [0.0, 1.0]).is_none());
}

/// Players of one direction play the same games; the features, the conventions and the arithmetic are those of games.
#[test]
fn players_of_one_direction_play_the_same_games() {
    let check = |game: &str, template: &str, a: &[f64], b: &[f64], expected: bool| {
        let game = GAMES.open(game).unwrap();
        let tunable = game.tunable_player(template).unwrap();
        assert_eq!(tunable.direction(a) == tunable.direction(b), expected, "{template} {a:?} {b:?}");
        if expected {
            let gauntlet = GauntletSpec::new(&["random"], Seed(3));
            let play = |weights: &[f64]| {
                play_all(game.as_ref(), &format!("{template}/{}", print_weights(weights)), &gauntlet)
            };
            assert_eq!(play(a), play(b), "{template} {a:?} {b:?}");
        }
    };
    let (two, one) = ([4.0, 4.0, 4.0, 2.0], [2.0, 2.0, 2.0, 1.0]);
    check("connect4", "greedy/threes", &two, &one, true);
    check("connect4", "greedy/threes", &two, &[4.0, 4.0, 2.0, 2.0], false);
    // Sums can reach the value of a won game, which only a search uses.
    check("connect4", "minimax:depth=2/threes", &two, &one, false);
    for template in ["minimax:depth=2/lines", "alphabeta:depth=3/lines"] {
        check(
            "connect:5x4x3",
            template,
            &[4.0, 2.0, 0.0, -2.0, 6.0, 2.0],
            &[2.0, 1.0, 0.0, -1.0, 3.0, 1.0],
            true,
        );
    }
    // Truncation makes fractions another player; values of a playout search are compared with results.
    check("connect4", "greedy/threes", &one, &one.map(|weight| weight / 1024.0), false);
    check("connect4", "mcts:playouts=50,leaf=value/threes", &two, &one, false);
    check("connect4", "pvs:depth=3/threes", &two, &one, false);
    let mut rng = Seed(7).rng();
    for (game, template) in [
        ("connect:5x4x3", "greedy/lines"),
        ("ladrillos:5", "greedy/islands"),
        ("mastergoal:1", "greedy/level1"),
    ] {
        let n = GAMES.open(game).unwrap().tunable_player(template).unwrap().names.len();
        for _ in 0..20 {
            let whole: Vec<f64> = (0..n).map(|_| f64::from(rng.random_range(-3..=3))).collect();
            let times = |weights: &[f64], factor: f64| -> Vec<f64> {
                weights.iter().map(|weight| weight * factor).collect()
            };
            check(game, template, &whole, &times(&whole, 3.0), true);
            let real: Vec<f64> = (0..n).map(|_| rng.random_range(-1.0..1.0)).collect();
            check(game, template, &real, &times(&real, 4.0), true);
            check(game, template, &real, &times(&real, 3.0), false);
        }
    }
}
