//! The sequential test compared with published numbers, on degenerate counts, and in simulated matches.

use super::{Sprt, SprtDecision, SprtModel};
use palestra_core::Seed;
use rand::RngExt;

fn test(model: SprtModel, elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(model, elo0, elo1, 0.05, 0.05).unwrap()
}

#[track_caller]
fn check(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} ± {tolerance}");
}

#[test]
fn games_agree_with_fastchess() {
    use SprtModel::Logistic;
    let vectors = [
        ([2, 1, 5], 100.0, 0.6176),
        ([10, 10, 20], 50.0, 1.3774),
        ([40, 0, 60], 50.0, 1.8463),
        ([10, 20, 10], 20.0, -0.1323),
        ([0, 0, 10], 50.0, 1.3359),
    ];
    for (counts, elo1, expected) in vectors {
        check(test(Logistic, 0.0, elo1).llr_games(counts), expected, 0.00005001);
    }
    // The search of fastchess stops a little early here: its last digit is off by one.
    check(test(Logistic, 0.0, 50.0).llr_games([0, 10, 0]), -1.5348, 0.00015);
}

#[test]
fn pairs_agree_with_fastchess() {
    let counts = [10, 20, 40, 25, 15];
    check(test(SprtModel::Normalized, 0.0, 20.0).llr_pairs(counts), 0.7005, 0.00005001);
    check(test(SprtModel::Logistic, 0.0, 20.0).llr_pairs(counts), 0.7605, 0.00005001);
    check(test(SprtModel::Normalized, 0.0, 100.0).llr_pairs([0, 0, 0, 0, 20]), 6.3982, 0.0002);
    let extreme = test(SprtModel::Normalized, -1500.0, -500.0);
    check(extreme.llr_pairs([20, 0, 0, 0, 0]), -0.9181, 0.00005001);
}

/// Wins, draws and losses, and pairs, of long tests, with the numbers of fastchess's own tests, to 1 %.
#[test]
fn long_tests_agree_with_fastchess() {
    use SprtModel::{Bayesian, Logistic, Normalized};
    let games: [(SprtModel, f64, f64, [u64; 3], f64); 6] = [
        (Normalized, 0.0, 2.0, [36_027, 68_692, 36_433], 0.92),
        (Normalized, -1.75, 0.25, [10_650, 20_431, 10_871], 2.30),
        (Logistic, 0.5, 2.5, [21_184, 40_708, 21_404], -1.57),
        (Logistic, 0.0, 2.0, [57_030, 106_593, 57_433], -2.59),
        (Bayesian, 0.0, 2.0, [68_526, 128_429, 68_965], -1.26),
        (Bayesian, 0.5, 2.5, [21_484, 41_111, 21_629], -1.13),
    ];
    for (model, elo0, elo1, counts, expected) in games {
        check(test(model, elo0, elo1).llr_games(counts), expected, 0.01 * f64::abs(expected) + 0.005);
    }
    let pairs: [(SprtModel, f64, f64, [u64; 5], f64); 4] = [
        (Normalized, 0.0, 2.0, [365, 16_618, 36_229, 16_974, 390], 2.25),
        (Normalized, -1.75, 0.25, [127, 4883, 10_712, 5150, 104], 3.01),
        (Logistic, 0.5, 2.5, [223, 9863, 21_279, 10_037, 246], -3.07),
        (Logistic, 0.0, 2.0, [871, 26_175, 55_983, 26_678, 821], -4.98),
    ];
    for (model, elo0, elo1, counts, expected) in pairs {
        check(test(model, elo0, elo1).llr_pairs(counts), expected, 0.01 * f64::abs(expected) + 0.005);
    }
}

/// Only draws. A lead of t standard deviations needs a variance of at least t², hence decisive games: the expected loss
/// is n·t² = 16,700 · (5 ln 10/800)² = 3.459, a little less because of the counts of unseen results.
#[test]
fn draws_alone_are_evidence_against_a_lead() {
    check(test(SprtModel::Normalized, 0.0, 5.0).llr_games([0, 16_700, 0]), -3.45, 0.01);
}

#[test]
fn bounds_are_walds() {
    let (low, high) = test(SprtModel::Normalized, 0.0, 5.0).bounds();
    check(low, -2.9444, 0.00005);
    check(high, 2.9444, 0.00005);
    let (low, high) = Sprt::new(SprtModel::Logistic, 0.0, 5.0, 0.01, 0.1).unwrap().bounds();
    check(low, (0.1f64 / 0.99).ln(), 1e-12);
    check(high, (0.9f64 / 0.01).ln(), 1e-12);
}

#[test]
fn any_counts_give_a_number() {
    let values = [0, 1, 3, 1_000_000_000_000_000, u64::MAX];
    for model in [SprtModel::Logistic, SprtModel::Normalized, SprtModel::Bayesian] {
        for (elo0, elo1) in [(0.0, 5.0), (-4000.0, 4000.0), (1500.0, 1500.5), (-1500.0, -500.0), (-3.0, 1.0)]
        {
            let test = test(model, elo0, elo1);
            for i in 0..5usize.pow(5) {
                let counts = [1, 5, 25, 125, 625].map(|power| values[i / power % 5]);
                let llr = test.llr_pairs(counts);
                assert!(llr.is_finite(), "{test:?} {counts:?}: {llr}");
                let games = [counts[0], counts[1], counts[2]];
                let llr = test.llr_games(games);
                assert!(llr.is_finite(), "{test:?} {games:?}: {llr}");
            }
        }
        assert_eq!(test(model, 0.0, 5.0).llr_games([0, 0, 0]), 0.0);
        assert_eq!(test(model, 0.0, 5.0).llr_pairs([0; 5]), 0.0);
    }
}

#[test]
fn swapping_players_negates_the_ratio() {
    for model in [SprtModel::Logistic, SprtModel::Normalized, SprtModel::Bayesian] {
        let subject = test(model, 0.0, 20.0).llr_pairs([3, 20, 40, 25, 15]);
        let opponent = test(model, -20.0, 0.0).llr_pairs([15, 25, 40, 20, 3]);
        check(subject, -opponent, 1e-6);
        assert!(subject > 0.5, "{subject}");
    }
}

#[test]
fn error_rates_are_kept() {
    // Matches of pairs between players with a difference of 0 or 50 Elo: at most about one decision in twenty is wrong.
    for (shares, right) in [
        ([0.1, 0.2, 0.4, 0.2, 0.1], SprtDecision::AcceptElo0),
        ([0.05, 0.15, 0.397, 0.242, 0.161], SprtDecision::AcceptElo1),
    ] {
        let test = test(SprtModel::Logistic, 0.0, 50.0);
        let mut n_right = 0;
        for run in 0..400 {
            let mut rng = Seed(5).child(run).rng();
            let mut counts = [0; 5];
            let decision = loop {
                let mut left = rng.random::<f64>();
                let result = shares.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                counts[result.unwrap_or(4)] += 1;
                if let Some(decision) = test.decide(test.llr_pairs(counts)) {
                    break decision;
                }
            };
            n_right += usize::from(decision == right);
        }
        assert!(n_right >= 370, "{right:?} in {n_right} of 400");
    }
}

#[test]
fn invalid_tests_are_refused() {
    let refused = |elo0, elo1, alpha, beta| {
        Sprt::new(SprtModel::Logistic, elo0, elo1, alpha, beta).unwrap_err().to_string()
    };
    assert_eq!(
        refused(5.0, 5.0, 0.05, 0.05),
        "invalid value \"5\" for elo1 of a sequential test: expected a number greater than elo0"
    );
    assert_eq!(
        refused(0.0, 5.0, 0.0, 0.05),
        "invalid value \"0\" for alpha of a sequential test: expected a number from 0.000000001 to 0.49"
    );
    assert_eq!(
        refused(f64::NAN, 5.0, 0.05, 0.05),
        "invalid value \"NaN\" for elo0 of a sequential test: expected a number from -4000 to 4000"
    );
    assert_eq!(
        "normalised".parse::<SprtModel>().unwrap_err().to_string(),
        "invalid value \"normalised\" for model of a sequential test: expected a model \
         (logistic, normalized, bayesian); did you mean \"normalized\"?"
    );
    for name in SprtModel::NAMES {
        assert_eq!(name.parse::<SprtModel>().unwrap().to_string(), name);
    }
}
