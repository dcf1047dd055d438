//! Published and independently computed values, degenerate counts, and properties that hold for all counts.

use statrs::distribution::{ContinuousCDF, Normal};

use super::elo::{CHI_SQUARE_QUANTILE, NORMAL_QUANTILE};
use super::*;

#[track_caller]
fn check(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} ± {tolerance}");
}

#[track_caller]
fn check_maybe(found: Option<f64>, expected: Option<f64>, tolerance: f64) {
    match (found, expected) {
        (Some(found), Some(expected)) => check(found, expected, tolerance),
        _ => assert_eq!(found, expected),
    }
}

/// Elo, its error, normalized Elo, its error, and LOS in percent, as fastchess prints them.
#[track_caller]
fn check_fastchess(verdict: Verdict, expected: [f64; 5]) {
    let found = [verdict.elo, verdict.elo_error, verdict.nelo, verdict.nelo_error, Some(100.0 * verdict.los)];
    for (found, expected) in found.into_iter().zip(expected) {
        check_maybe(found, Some(expected), 0.00005001);
    }
}

#[track_caller]
fn check_interval(outcomes: Outcomes, expected: (f64, f64), tolerance: f64) {
    let interval = score_interval(&outcomes);
    check(interval.low, expected.0, tolerance);
    check(interval.high, expected.1, tolerance);
}

/// Combinations of small counts, including zeros.
fn small_counts() -> impl Iterator<Item = (u64, u64, u64)> {
    const COUNTS: [u64; 7] = [0, 1, 2, 3, 7, 20, 1000];
    COUNTS.into_iter().flat_map(|wins| {
        COUNTS.into_iter().flat_map(move |draws| COUNTS.into_iter().map(move |losses| (wins, draws, losses)))
    })
}

#[test]
fn quantiles_are_those_of_the_normal() {
    check(Normal::standard().inverse_cdf(0.975), NORMAL_QUANTILE, 1e-12);
    check(NORMAL_QUANTILE * NORMAL_QUANTILE, CHI_SQUARE_QUANTILE, 1e-12);
}

#[test]
fn games_agree_with_fastchess() {
    let vectors = [
        ((5, 1, 2), [136.9691, 398.7334, 152.0361, 240.7562, 89.2087]),
        ((20, 10, 10), [88.7395, 98.2503, 104.7558, 107.6694, 97.1735]),
        ((60, 0, 40), [70.4365, 70.5712, 70.9200, 68.0961, 97.9387]),
        ((10, 20, 10), [0.0, 77.3887, 0.0, 107.6694, 50.0]),
    ];
    for ((wins, draws, losses), expected) in vectors {
        check_fastchess(Verdict::of_games(wins, draws, losses), expected);
    }
}

#[test]
fn pairs_agree_with_fastchess() {
    let expected = [23.7256, 37.3261, 29.3870, 45.9104, 89.5181];
    // Any split of the even pairs into one win each and two draws gives the same verdict; here half and half.
    check_fastchess(Verdict::of_pairs([10, 20, 40, 25, 15], 75, 85, 60), expected);
}

#[test]
fn errors_near_equality() {
    let rows = [
        ((5, 0, 5), 252.0),
        ((2, 6, 2), 144.0),
        ((10, 0, 10), 163.0),
        ((7, 6, 7), 134.0),
        ((50, 0, 50), 69.0),
        ((20, 60, 20), 43.0),
        ((350, 300, 350), 18.0),
    ];
    for ((wins, draws, losses), expected) in rows {
        check_maybe(elo_error(&Outcomes::games(wins, draws, losses)), Some(expected), 0.5);
    }
}

#[test]
fn moments_of_the_score() {
    let games = Outcomes::games(5, 1, 2);
    check(games.mean(), 0.6875, 0.0);
    check(games.variance(), 1.46875 / 8.0, 1e-15);
    check(games.standard_error(), (1.46875f64 / 64.0).sqrt(), 1e-15);
    assert_eq!((games.total(), Outcomes::games(0, 0, 0).total()), (8, 0));
    check(Outcomes::pairs([1, 0, 0, 0, 1]).variance_per_game(), 0.5, 0.0);
    check(Outcomes::games(u64::MAX, u64::MAX, u64::MAX).mean(), 0.5, 0.0);
}

#[test]
fn elo_and_score_are_inverse() {
    for (score, elo) in
        [(0.5, Some(0.0)), (0.0, None), (1.0, None), (-0.1, None), (1.1, None), (f64::NAN, None)]
    {
        assert_eq!(elo_of_score(score), elo);
    }
    for elo in [-1200.0, -400.0, -1.5, 0.0, 10.0, 190.849, 800.0] {
        check_maybe(elo_of_score(score_of_elo(elo)), Some(elo), 1e-9);
    }
    check(score_of_elo(400.0), 10.0 / 11.0, 1e-15);
    assert_eq!((score_of_elo(f64::INFINITY), score_of_elo(f64::NEG_INFINITY)), (1.0, 0.0));
}

#[test]
fn profile_intervals_of_games() {
    // Losses, draws, wins.
    let vectors = [
        ((2, 1, 5), (0.367201, 0.911997), (Some(-94.54), Some(406.20))),
        ((10, 10, 20), (0.491938, 0.745250), (Some(-5.60), Some(186.48))),
        ((40, 0, 60), (0.502348, 0.692589), (Some(1.63), Some(141.10))),
        ((33, 12, 123), (0.703698, 0.824359), (Some(150.26), Some(268.60))),
        ((0, 0, 10), (0.825247, 1.0), (Some(269.66), None)),
        ((10, 0, 0), (0.0, 0.174753), (None, Some(-269.66))),
        ((0, 10, 0), (0.412623, 0.587377), (Some(-61.35), Some(61.35))),
        ((0, 0, 0), (0.0, 1.0), (None, None)),
    ];
    for ((losses, draws, wins), scores, (elo_low, elo_high)) in vectors {
        check_interval(Outcomes::games(wins, draws, losses), scores, 5.01e-7);
        let verdict = Verdict::of_games(wins, draws, losses);
        check_maybe(verdict.elo_low, elo_low, 0.00501);
        check_maybe(verdict.elo_high, elo_high, 0.00501);
    }
}

#[test]
fn profile_intervals_by_brute_force() {
    // Computed by nested ternary search over the free probabilities, without Lagrange multipliers.
    let vectors = [
        ([2, 0, 1, 0, 5], (0.367201, 0.911997)),
        ([0, 0, 5, 0, 3], (0.510019, 0.854861)),
        ([1, 0, 0, 0, 9], (0.628364, 0.994009)),
        ([0, 3, 5, 0, 0], (0.303259, 0.542139)),
        ([0, 0, 5, 4, 0], (0.483669, 0.703179)),
        ([0, 1, 2, 0, 4], (0.511466, 0.926053)),
        ([10, 20, 40, 25, 15], (0.480389, 0.587214)),
    ];
    for (pairs, expected) in vectors {
        check_interval(Outcomes::pairs(pairs), expected, 2e-6);
    }
}

#[test]
fn profile_intervals_of_equal_results_have_closed_forms() {
    for n in [1, 2, 10, 1000, 1_000_000_000] {
        let kept = (-CHI_SQUARE_QUANTILE / (2 * n) as f64).exp();
        check_interval(Outcomes::games(n, 0, 0), (kept, 1.0), 1e-14);
        check_interval(Outcomes::games(0, 0, n), (0.0, 1.0 - kept), 1e-14);
        check_interval(Outcomes::games(0, n, 0), (0.5 * kept, 1.0 - 0.5 * kept), 1e-14);
        check_interval(Outcomes::pairs([0, 0, 0, n, 0]), (0.75 * kept, 1.0 - 0.25 * kept), 1e-14);
    }
}

#[test]
fn profile_interval_of_many_games_is_the_normal_one() {
    let outcomes = Outcomes::games(400_000_000, 300_000_000, 300_000_000);
    let reach = NORMAL_QUANTILE * outcomes.standard_error();
    check_interval(outcomes, (outcomes.mean() - reach, outcomes.mean() + reach), reach * 1e-4);
}

#[test]
fn superiority_by_score_and_by_posterior() {
    let vectors = [
        ((5, 1, 2), 0.892087, 0.855469),
        ((20, 10, 10), 0.971735, 0.964622),
        ((60, 0, 40), 0.979387, 0.976978),
    ];
    for ((wins, draws, losses), by_score, posterior) in vectors {
        check(likelihood_of_superiority(&Outcomes::games(wins, draws, losses)), by_score, 5.01e-7);
        check(posterior_of_superiority(wins, losses), posterior, 5.01e-7);
    }
}

#[test]
fn superiority_of_equal_results() {
    let cases = [
        (Outcomes::games(10, 0, 0), 0.999512),
        (Outcomes::games(0, 0, 10), 0.000488),
        (Outcomes::games(1, 0, 0), 0.75),
        (Outcomes::games(0, 10, 0), 0.5),
        (Outcomes::games(0, 0, 0), 0.5),
        (Outcomes::pairs([0, 0, 20, 0, 0]), 0.5),
        (Outcomes::pairs([0, 0, 0, 1, 0]), 0.75),
        (Outcomes::pairs([1, 0, 0, 0, 0]), 0.25),
        (Outcomes::games(u64::MAX, 0, 0), 1.0),
    ];
    for (outcomes, expected) in cases {
        check(likelihood_of_superiority(&outcomes), expected, 5.01e-7);
    }
}

#[test]
fn posterior_passes_smoothly_into_its_limit() {
    // The last count with an exact value, compared with the first that uses the limit.
    check(posterior_of_superiority(50_100, 49_900), posterior_of_superiority(50_101, 49_900), 0.003);
    check(posterior_of_superiority(50_100, 49_900), 0.736454235, 1e-8);
    check(posterior_of_superiority(1_001_000, 1_000_000), 0.760195, 1e-6);
    check(posterior_of_superiority(u64::MAX, u64::MAX - 1), 0.5, 1e-6);
}

#[test]
fn sentences() {
    let cases = [
        (Verdict::of_games(0, 0, 0), "A and B have not played yet"),
        (
            Verdict::of_games(60, 0, 40),
            "A is better than B: +70 Elo [+2, +141], likelihood of superiority 97.9 %",
        ),
        (
            Verdict::of_games(40, 0, 60),
            "A is weaker than B: -70 Elo [-141, -2], likelihood of superiority 2.1 %",
        ),
        (
            Verdict::of_games(10, 0, 0),
            "A is better than B: more than +270 Elo (all 10 games won), likelihood of superiority > 99.9 %",
        ),
        (
            Verdict::of_games(0, 0, 10),
            "A is weaker than B: less than -270 Elo (all 10 games lost), likelihood of superiority < 0.1 %",
        ),
        (
            Verdict::of_games(1, 0, 0),
            "A and B are not distinguishable yet: more than -306 Elo (the only game won), \
             likelihood of superiority 75.0 %; a few more games would settle a difference of this size",
        ),
        (
            Verdict::of_games(0, 0, 2),
            "A and B are not distinguishable yet: less than +83 Elo (both games lost), \
             likelihood of superiority 12.5 %; a few more games would settle a difference of this size",
        ),
        (
            Verdict::of_games(0, 10, 0),
            "A and B are not distinguishable yet: +0 Elo [-61, +61], likelihood of superiority 50.0 %; \
             no difference seen",
        ),
        (
            // 0.25 · (1.959964 / 0.01)² = 9603.2 minus the 1000 played, to two digits.
            Verdict::of_games(510, 0, 490),
            "A and B are not distinguishable yet: +7 Elo [-15, +29], likelihood of superiority 73.6 %; \
             about 8600 more games would settle a difference of this size",
        ),
        (
            Verdict::of_games(10_100, 20_000, 9_900),
            "A and B are not distinguishable yet: +1.7 Elo [-0.7, +4.1], likelihood of superiority 92.1 %; \
             about 37000 more games would settle a difference of this size",
        ),
        (
            Verdict::of_games(1_000_001, 0, 1_000_000),
            "A and B are not distinguishable yet: +0.0 Elo [-0.5, +0.5], likelihood of superiority 50.0 %; \
             no difference seen",
        ),
        (
            Verdict::of_pairs([10, 20, 40, 25, 15], 75, 85, 60),
            "A and B are not distinguishable yet: +24 Elo [-14, +61], likelihood of superiority 89.5 %; \
             about 320 more games would settle a difference of this size",
        ),
        (
            // A seventh game, lost, is not in a pair yet: it counts for the score but not for the interval.
            Verdict::of_pairs([0, 0, 0, 0, 3], 6, 0, 1),
            "A and B are not distinguishable yet: +311 Elo (more than +19), likelihood of superiority 93.7 %; \
             a few more games would settle a difference of this size",
        ),
        (
            // Equal pairs have no variance, so that of the games is used.
            Verdict::of_pairs([0, 0, 100, 0, 0], 101, 0, 100),
            "A and B are not distinguishable yet: +1.7 Elo [-6.6, +6.6], likelihood of superiority 50.0 %; \
             about 150000 more games would settle a difference of this size",
        ),
        (
            // The one loss is lost in rounding: there is a lower bound, and no claim that all games were won.
            Verdict::of_games(u64::MAX, 0, 1),
            "A is better than B: more than +6382 Elo, likelihood of superiority > 99.9 %",
        ),
    ];
    for (verdict, expected) in cases {
        assert_eq!(verdict.sentence("A", "B"), expected);
    }
}

#[test]
fn verdict_without_a_complete_pair_is_that_of_the_games() {
    assert_eq!(Verdict::of_pairs([0; 5], 1, 0, 0), Verdict::of_games(1, 0, 0));
}

#[test]
fn verdict_without_games_has_no_elo() {
    let verdict = Verdict::of_games(0, 0, 0);
    assert_eq!((verdict.score, verdict.los), (0.5, 0.5));
    assert_eq!((verdict.elo, verdict.elo_low, verdict.elo_high), (None, None, None));
    assert_eq!((verdict.elo_error, verdict.nelo, verdict.nelo_error), (None, None, None));
}

#[test]
fn the_interval_of_a_verdict_contains_its_estimate() {
    // Many games outside pairs, all lost after ten won pairs, and the reverse.
    let verdict = Verdict::of_pairs([0, 0, 0, 0, 10], 20, 0, 20);
    assert_eq!((verdict.elo, verdict.elo_low, verdict.elo_high), (Some(0.0), Some(0.0), None));
    let verdict = Verdict::of_pairs([10, 0, 0, 0, 0], 20, 0, 20);
    assert_eq!((verdict.elo, verdict.elo_low, verdict.elo_high), (Some(0.0), None, Some(0.0)));
}

#[test]
fn interval_contains_the_score() {
    for (wins, draws, losses) in small_counts() {
        let pairs = [losses, draws, 0, draws, wins];
        for outcomes in [Outcomes::games(wins, draws, losses), Outcomes::pairs(pairs)] {
            let (interval, mean) = (score_interval(&outcomes), outcomes.mean());
            assert!(0.0 <= interval.low && interval.low <= mean, "{outcomes:?}: {interval:?}");
            assert!(mean <= interval.high && interval.high <= 1.0, "{outcomes:?}: {interval:?}");
            assert!(interval.low < interval.high, "{outcomes:?}: {interval:?}");
        }
    }
}

#[test]
fn swapping_players_negates_the_verdict() {
    let negated = |elo: Option<f64>| elo.map(|elo| -elo);
    for (wins, draws, losses) in small_counts() {
        let (one, other) = (Verdict::of_games(wins, draws, losses), Verdict::of_games(losses, draws, wins));
        check(one.score, 1.0 - other.score, 1e-12);
        check(one.los, 1.0 - other.los, 1e-12);
        check_maybe(one.elo, negated(other.elo), 1e-9);
        check_maybe(one.elo_low, negated(other.elo_high), 1e-6);
        check_maybe(one.elo_high, negated(other.elo_low), 1e-6);
        check_maybe(one.elo_error, other.elo_error, 1e-6);
        check_maybe(one.nelo, negated(other.nelo), 1e-9);
    }
}

#[test]
fn more_games_narrow_the_interval() {
    for (wins, draws, losses) in small_counts().filter(|&counts| counts != (0, 0, 0)) {
        let width = |times: u64| {
            let interval = score_interval(&Outcomes::games(times * wins, times * draws, times * losses));
            interval.high - interval.low
        };
        assert!(width(1) > width(2) && width(2) > width(10), "{wins} {draws} {losses}");
    }
}

#[test]
fn all_numbers_are_finite() {
    const COUNTS: [u64; 6] = [0, 1, 17, 1 << 40, u64::MAX - 1, u64::MAX];
    for (wins, draws, losses, pairs) in COUNTS.into_iter().flat_map(|wins| {
        COUNTS.into_iter().flat_map(move |draws| {
            COUNTS.into_iter().flat_map(move |losses| {
                [[0; 5], [losses, draws, 0, 1, wins], [draws, 0, wins, losses, 0], [0, 0, 0, 0, wins]]
                    .map(|pairs| (wins, draws, losses, pairs))
            })
        })
    }) {
        let verdict = Verdict::of_pairs(pairs, wins, draws, losses);
        let maybe = [
            verdict.elo,
            verdict.elo_low,
            verdict.elo_high,
            verdict.elo_error,
            verdict.nelo,
            verdict.nelo_error,
        ];
        assert!(maybe.into_iter().flatten().all(f64::is_finite), "{verdict:?}");
        assert!((0.0..=1.0).contains(&verdict.score) && (0.0..=1.0).contains(&verdict.los), "{verdict:?}");
        let sentence = verdict.sentence("A", "B");
        let banned = ["inf", "NaN", " 100.0 %", " 0.0 %", "-0 ", "-0,", "-0.0"];
        assert!(!banned.iter().any(|text| sentence.contains(text)), "{sentence}");
    }
}

/// The documentation says how many wins without a loss are enough.
#[test]
fn five_wins_of_five_are_enough_and_three_are_not() {
    let better = |wins| Verdict::of_games(wins, 0, 0).sentence("A", "B").starts_with("A is better than B");
    assert_eq!([3, 4, 5, 6].map(better), [false, false, true, true]);
}

#[test]
fn three_conventions_of_superiority() {
    let vectors = [
        ((5, 1, 2), [0.892087, 0.871580, 0.855469]),
        ((20, 10, 10), [0.971735, 0.966055, 0.964622]),
        ((60, 0, 40), [0.979387, 0.977250, 0.976978]),
        // Where all results are equal, the first convention uses the exact posterior.
        ((10, 0, 0), [0.999512, 0.999217, 0.999512]),
        ((0, 0, 10), [0.000488, 0.000783, 0.000488]),
        ((0, 10, 0), [0.5; 3]),
        ((0, 0, 0), [0.5; 3]),
    ];
    for ((wins, draws, losses), expected) in vectors {
        let outcomes = Outcomes::games(wins, draws, losses);
        for (name, expected) in LosConvention::NAMES.into_iter().zip(expected) {
            let convention: LosConvention = name.parse().unwrap();
            assert_eq!(convention.to_string(), name);
            check(convention.of(&outcomes), expected, 5.01e-7);
        }
    }
    for convention in [LosConvention::Score, LosConvention::Decisive, LosConvention::Exact] {
        let large = convention.of(&Outcomes::games(u64::MAX, u64::MAX, 1_000_000_000_000_000));
        assert!((0.0..=1.0).contains(&large), "{convention}: {large}");
    }
    assert!("elo".parse::<LosConvention>().unwrap_err().to_string().contains("score, decisive, exact"));
}
