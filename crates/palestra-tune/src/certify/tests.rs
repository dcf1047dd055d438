//! Certificates against players that are drawn at random and really play.

use super::*;
use crate::Settings;
use crate::plan::TuningResolver;
use palestra_registry::GAMES;

fn plan(text: &str) -> TuningPlan {
    let lookup = |player: &str| Ok(player.to_owned());
    let outside = TuningResolver { catalog: &GAMES, lookup: &lookup, methods: &[] };
    TuningPlan::read(Settings::parse(text, "a plan").unwrap(), &outside).unwrap()
}

const TINY: &str = "games = [\"connect:4x4x3\", \"connect:5x4x4\"]\nplayer = \"greedy/lines\"\npoints = \"1/0/-1\"\n\
    objective = { name = \"gauntlet\", rivals = [\"rival-4\", \"rival-5\", \"rival-8\"] }\nmethod = \"random\"\n";

fn certified(text: &str, nodes: u64) -> Certificate {
    certify(&plan(text), &GAMES, &CertifyOptions { nodes, starts: Vec::new(), stop: &|_| false }).unwrap()
}

/// What drawn players score in real games.
fn drawn(text: &str, n: usize, whole: bool) -> Vec<f64> {
    let plan = plan(text);
    let CertifiedGames { boards, rivals, worth } = what_is_played(&plan).unwrap();
    let games: Vec<_> = boards.iter().map(|board| GAMES.open(board).unwrap()).collect();
    let mut rng = Seed(3).rng();
    let mut score = || {
        let weight =
            |_| if whole { f64::from(rng.random_range(-2..=2)) } else { rng.random_range(-1.0..1.0) };
        let weights: Vec<f64> = (0..plan.tunable_player.names.len()).map(weight).collect();
        played(&games, rivals, &format!("{}/{}", plan.player, print_weights(&weights)), worth).unwrap()
    };
    (0..n).map(|_| score()).collect()
}

#[test]
fn nobody_scores_more_than_is_proved_and_somebody_scores_the_maximum() {
    let certificate = certified(TINY, 1_000_000);
    assert!(certificate.is_exact(), "{certificate:?}");
    assert!(certificate.best < certificate.highest, "a total was ruled out: {certificate:?}");
    assert_eq!(certificate.levels[0].answer, Reachability::Unreachable);
    for whole in [false, true] {
        let most = drawn(TINY, 600, whole).into_iter().fold(f64::NEG_INFINITY, f64::max);
        assert!(most <= certificate.bound, "{most} is more than {}", certificate.bound);
    }
}

#[test]
fn little_effort_proves_less_and_nothing_wrong() {
    let exact = certified(TINY, 1_000_000);
    let mut last = f64::INFINITY;
    for nodes in [0, 10, 300, 3_000, 30_000] {
        let certificate = certified(TINY, nodes);
        assert!(certificate.bound >= exact.best && certificate.best <= exact.best, "{certificate:?}");
        assert!(certificate.bound <= last, "more effort proved less");
        assert!(certificate.levels.iter().map(|level| level.nodes).sum::<u64>() <= nodes);
        last = certificate.bound;
    }
}

#[test]
fn a_person_may_stop_it() {
    let effort = CertifyOptions { nodes: 1_000_000, starts: Vec::new(), stop: &|nodes| nodes >= 100 };
    let certificate = certify(&plan(TINY), &GAMES, &effort).unwrap();
    assert!(certificate.is_stopped && certificate.levels[0].nodes == 100, "{certificate:?}");
    assert_eq!(certificate.bound, certificate.highest);
}

#[test]
fn a_start_is_where_it_begins() {
    let exact = certified(TINY, 1_000_000);
    let effort = CertifyOptions { nodes: 0, starts: vec![exact.weights.clone()], stop: &|_| false };
    assert_eq!(certify(&plan(TINY), &GAMES, &effort).unwrap().best, exact.best);
}

#[test]
fn what_cannot_be_certified_is_refused() {
    for (from, to, place) in [
        ("greedy/lines", "ab:depth=2/lines", "player"),
        ("greedy/lines", "greedy/potential", "player"),
        ("greedy/lines", "greedy/threes", "player"),
        ("\"rival-5\"", "\"random\"", "rival"),
        ("1/0/-1", "margin", "points"),
        ("method", "openings = 2\nmethod", "openings"),
        (
            "{ name = \"gauntlet\", rivals = [\"rival-4\", \"rival-5\", \"rival-8\"] }",
            "\"league\"",
            "objective",
        ),
    ] {
        let text = TINY.replace(from, to);
        let effort = CertifyOptions { nodes: 10, starts: Vec::new(), stop: &|_| false };
        let bad = certify(&plan(&text), &GAMES, &effort).unwrap_err();
        assert_eq!(bad.place, place, "{bad}");
    }
}
