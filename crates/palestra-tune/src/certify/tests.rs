//! Certificates against random players in real games.

use super::cone::{Cone, Cut};
use super::divide::{Choice, Divider};
use super::games::{GameTreeMove, GameTreeNode};
use super::*;
use crate::plan::TuningResolver;
use palestra_core::Progress;
use palestra_registry::GAMES;
use palestra_settings::Document;

fn plan(text: &str) -> TuningPlan {
    let lookup = |player: &str| Ok(player.to_owned());
    let outside = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    TuningPlan::read(Document::parse(text, "a plan").unwrap(), &outside).unwrap()
}

const TINY: &str = "games = [\"connect:4x4x3\", \"connect:5x4x4\"]\nplayer = \"greedy/lines\"\npoints = \"1/0/-1\"\n\
    objective = { name = \"gauntlet\", rivals = [\"rival-4\", \"rival-5\", \"rival-8\"] }\nmethod = \"random\"\n";

fn certified(text: &str, nodes: u64) -> Certificate {
    certify(
        &plan(text),
        &GAMES,
        &CertifyOptions { nodes, starts: Vec::new(), progress: &Progress::default() },
    )
    .unwrap()
}

/// Scores of random players in real games.
fn drawn(text: &str, n: usize, whole: bool) -> Vec<f64> {
    let plan = plan(text);
    let CertifiedGames { boards, opponents, points } = certified_games(&plan).unwrap();
    let games: Vec<_> = boards.iter().map(|board| GAMES.open(board).unwrap()).collect();
    let mut rng = Seed(3).rng();
    let mut score = || {
        let weight =
            |_| if whole { f64::from(rng.random_range(-2..=2)) } else { rng.random_range(-1.0..1.0) };
        let weights: Vec<f64> = (0..plan.tunable_player.names.len()).map(weight).collect();
        played(&games, opponents, &format!("{}/{}", plan.player, print_weights(&weights)), points).unwrap()
    };
    (0..n).map(|_| score()).collect()
}

#[test]
fn no_player_exceeds_the_bound_and_the_maximum_is_reached() {
    let certificate = certified(TINY, 1_000_000);
    assert!(certificate.is_exact(), "{certificate:?}");
    assert!(certificate.best < certificate.highest, "a total was ruled out: {certificate:?}");
    assert_eq!(certificate.levels[0].answer, Reachability::Unreachable);
    for whole in [false, true] {
        let highest = drawn(TINY, 600, whole).into_iter().fold(f64::NEG_INFINITY, f64::max);
        assert!(highest <= certificate.bound, "{highest} is more than {}", certificate.bound);
    }
}

#[test]
fn fewer_nodes_give_a_looser_bound() {
    let exact = certified(TINY, 1_000_000);
    let mut last = f64::INFINITY;
    for nodes in [0, 10, 300, 3_000, 30_000] {
        let certificate = certified(TINY, nodes);
        assert!(certificate.bound >= exact.best && certificate.best <= exact.best, "{certificate:?}");
        assert!(certificate.bound <= last, "more nodes gave a looser bound");
        assert!(certificate.levels.iter().map(|level| level.nodes).sum::<u64>() <= nodes);
        last = certificate.bound;
    }
}

#[test]
fn the_caller_may_stop_it() {
    let options = CertifyOptions {
        nodes: 1_000_000,
        starts: Vec::new(),
        progress: &Progress::default().with_limit(100),
    };
    let certificate = certify(&plan(TINY), &GAMES, &options).unwrap();
    assert!(certificate.is_stopped && certificate.levels[0].nodes == 100, "{certificate:?}");
    assert_eq!(certificate.bound, certificate.highest);
}

#[test]
fn start_weights_are_tried() {
    let exact = certified(TINY, 1_000_000);
    let options =
        CertifyOptions { nodes: 0, starts: vec![exact.weights.clone()], progress: &Progress::default() };
    assert_eq!(certify(&plan(TINY), &GAMES, &options).unwrap().best, exact.best);
}

/// The plain form: the cones go through the games in the order of the plan, a cone is cut for every pair of moves, and
/// the bound is the best score found so far.
struct Plain {
    best: f64,
    max_points: f64,
}

impl Plain {
    fn search(&mut self, games: &mut [GameTree<'_>], cone: &Cone, (game, node): (usize, usize), points: f64) {
        let left = (games.len() - game) as f64;
        if points + left * self.max_points <= self.best {
            return;
        }
        if game == games.len() {
            self.best = points;
            return;
        }
        let moves = match games[game].at(node).unwrap() {
            GameTreeNode::Unknown => unreachable!("`at` expands the node"),
            GameTreeNode::Over(more) => {
                let more = *more;
                return self.search(games, cone, (game + 1, 0), points + more);
            }
            GameTreeNode::Turn(moves) => moves.clone(),
        };
        for (part, chosen) in plain_parts(cone, &moves) {
            self.search(games, &part, (game, moves[chosen].to), points);
        }
    }
}

fn plain_parts(cone: &Cone, moves: &[GameTreeMove]) -> Vec<(Cone, usize)> {
    let part = |i: usize| {
        let mut part = cone.clone();
        for k in (0..moves.len()).filter(|&k| k != i) {
            let ahead: Vec<i32> =
                moves[i].features.iter().zip(&moves[k].features).map(|(a, b)| a - b).collect();
            match part.cut(&ahead, k < i) {
                Cut::Whole => {}
                Cut::Nothing => return None,
                Cut::Part(smaller) => part = smaller,
            }
        }
        Some((part, i))
    };
    (0..moves.len()).filter_map(part).collect()
}

fn orthants(n_weights: usize) -> impl Iterator<Item = Cone> {
    (0..1u32 << n_weights)
        .map(move |signs| Cone::orthant(&(0..n_weights).map(|i| signs >> i & 1 == 1).collect::<Vec<_>>()))
}

/// The highest score of any weights by the plain form, and of all weights that are whole numbers from -2 to 2.
fn plain_best(text: &str) -> (f64, f64) {
    let plan = plan(text);
    let CertifiedGames { boards, opponents, points } = certified_games(&plan).unwrap();
    let n_weights = plan.tunable_player.names.len();
    let unit_player = format!("{}/{}", plan.player, print_weights(&vec![1.0; n_weights]));
    let rules = CertificationRules { points, last_of_ties: false, seed: Seed(1) };
    let games: Vec<_> = boards.iter().map(|board| GAMES.open(board).unwrap()).collect();
    let mut trees = Vec::new();
    for (game, opponent) in games.iter().flat_map(|game| opponents.iter().map(move |name| (game, name))) {
        trees
            .extend(Side::BOTH.map(|side| {
                GameTree::new(0, game.as_ref(), (opponent, side), &unit_player, &rules).unwrap()
            }));
    }
    let mut score =
        |weights: &[f64]| -> f64 { trees.iter_mut().map(|tree| tree.play(weights).unwrap().points).sum() };
    let at_origin = score(&vec![0.0; n_weights]);
    let mut highest = at_origin;
    for code in 0..5u32.pow(n_weights as u32) {
        let digits = (0..n_weights as u32).map(|i| f64::from(code / 5u32.pow(i) % 5) - 2.0);
        highest = highest.max(score(&digits.collect::<Vec<f64>>()));
    }
    let mut plain = Plain { best: at_origin, max_points: points[0] };
    for cone in orthants(n_weights) {
        plain.search(&mut trees, &cone, (0, 0), 0.0);
    }
    (plain.best, highest)
}

#[test]
fn the_bound_is_that_of_the_plain_form() {
    for (from, to) in [
        ("rivals = [\"rival-4\", \"rival-5\", \"rival-8\"]", "rivals = [\"rival-1\", \"rival-3\"]"),
        ("1/0/-1", "1/0.5/0"),
        ("\"connect:5x4x4\"", "\"connect:4x5x4\""),
        ("games = [\"connect:4x4x3\", \"connect:5x4x4\"]", "games = [\"connect:5x5x4\"]"),
    ] {
        assert!(TINY.contains(from));
        let text = TINY.replace(from, to);
        let certificate = certified(&text, 10_000_000);
        let (best, highest_of_whole) = plain_best(&text);
        assert_eq!((certificate.bound, certificate.best), (best, best), "{text}");
        assert!(highest_of_whole <= best, "{text}");
    }
}

/// Every weight vector, on walls as well, is in the part of the move that it chooses and in no other.
#[test]
fn a_divided_cone_is_the_sum_of_its_parts() {
    let mut rng = Seed(5).rng();
    for _ in 0..200 {
        let n = rng.random_range(2..=4);
        let mut moves: Vec<GameTreeMove> = Vec::new();
        for to in 0..rng.random_range(2..=6) {
            let features: Vec<i32> = (0..n).map(|_| rng.random_range(-2..=2)).collect();
            if moves.iter().all(|mv| mv.features != features) {
                moves.push(GameTreeMove::new(features, moves.first(), to));
            }
        }
        let mut divider = Divider::default();
        for cone in orthants(n) {
            let plain = plain_parts(&cone, &moves);
            let mut parts = match divider.divide(&cone, &moves) {
                Choice::Unanimous(i) => vec![(cone.clone(), i)],
                Choice::Divided(parts) => parts,
            };
            parts.sort_by_key(|(_, i)| *i);
            let chosen = |parts: &[(Cone, usize)]| parts.iter().map(|(_, i)| *i).collect::<Vec<_>>();
            assert_eq!(chosen(&parts), chosen(&plain));
            for ((part, i), (other, _)) in parts.iter().zip(&plain) {
                assert_eq!(directions(part), directions(other));
                let inside: Vec<i128> = (0..n)
                    .map(|w| part.rays().iter().map(|ray| i128::from(ray.along[w])).sum::<i128>())
                    .collect();
                let value = |mv: &GameTreeMove| -> i128 {
                    mv.features
                        .iter()
                        .zip(&inside)
                        .map(|(&feature, weight)| i128::from(feature) * weight)
                        .sum()
                };
                let best = (1..moves.len())
                    .fold(0, |best, k| if value(&moves[k]) > value(&moves[best]) { k } else { best });
                assert_eq!(best, *i, "a point inside chooses the move of its part");
            }
        }
    }
}

fn directions(cone: &Cone) -> BTreeSet<[i64; MAX_WEIGHTS]> {
    cone.rays().iter().map(|ray| ray.along).collect()
}

#[test]
fn weight_vectors_are_told_from_players() {
    let exact = certified(TINY, 1_000_000);
    let doubled: Vec<f64> = exact.weights.iter().map(|weight| weight * 2.0).collect();
    let starts = vec![exact.weights.clone(), doubled];
    let options = CertifyOptions { nodes: 0, starts, progress: &Progress::default() };
    let again = certify(&plan(TINY), &GAMES, &options).unwrap();
    // The origin, two starts and their neighbors; both starts are one player.
    assert!(again.n_players < again.n_tried && again.n_best >= 1, "{again:?}");
    assert!(again.n_best <= again.n_players, "{again:?}");
}

/// An evaluation in 32-bit floats: a cone of exact sums does not say what such a player chooses. In this plan
/// `greedy/mirror+closing/3.3333333,1e-07` scores 1, and exact sums at most 0.
#[test]
fn evaluations_that_round_are_refused() {
    let text = "games = [\"ladrillos:5\", \"ladrillos:7\"]\nplayer = \"greedy/mirror+closing\"\n\
        points = \"1/0/-1\"\nmethod = \"random\"\nobjective = { name = \"gauntlet\", rivals = [\
        \"greedy/closing/1\", \"greedy/enclosed+mirror/1,2\", \"greedy/islands/3,2,5,3,4\"] }\n";
    let options = CertifyOptions { nodes: 10, starts: Vec::new(), progress: &Progress::default() };
    let bad = certify(&plan(text), &GAMES, &options).unwrap_err();
    assert!(bad.key == "player" && bad.to_string().contains("rounds every sum to a 32-bit float"), "{bad}");
    let bad = certify(&plan(&TINY.replace("greedy/lines", "greedy/threes")), &GAMES, &options).unwrap_err();
    assert!(bad.to_string().contains("cuts every sum to a whole number"), "{bad}");
}

/// The check by positions finds what the declaration leaves out.
#[test]
fn evaluations_that_are_no_sums_are_found() {
    let check = |game: &str, player: &str, n_weights: usize| {
        linear::check_linear(GAMES.open(game).unwrap().as_ref(), player, n_weights).is_ok()
    };
    assert!(check("connect:7x6x4", "greedy/lines", 6));
    assert!(check("connect:5x4x3", "greedy/lines-coded", 6));
    assert!(!check("kalah:4x3", "greedy/kalah", 10), "a won game has a fixed value");
    assert!(!check("ladrillos:5", "greedy/mirror+closing", 2), "32-bit sums");
    assert!(!check("connect:7x6x4", "greedy/threes", 4), "whole numbers");
    assert!(!check("connect:7x6x4", "greedy/potential", 10), "not a weighted sum");
}

#[test]
fn plans_that_cannot_be_certified_are_errors() {
    for (from, to, key) in [
        ("greedy/lines", "ab:depth=2/lines", "player"),
        ("greedy/lines", "greedy/potential", "player"),
        ("greedy/lines", "greedy/threes", "player"),
        ("\"rival-5\"", "\"random\"", "opponent"),
        ("1/0/-1", "margin", "points"),
        ("method", "opening_plies = 2\nmethod", "opening_plies"),
        (
            "{ name = \"gauntlet\", rivals = [\"rival-4\", \"rival-5\", \"rival-8\"] }",
            "\"league\"",
            "objective",
        ),
    ] {
        let text = TINY.replace(from, to);
        let options = CertifyOptions { nodes: 10, starts: Vec::new(), progress: &Progress::default() };
        let bad = certify(&plan(&text), &GAMES, &options).unwrap_err();
        assert_eq!(bad.key, key, "{bad}");
    }
}
