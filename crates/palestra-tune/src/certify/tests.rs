//! Certificates against random players in real games.

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
