use super::{DrawValue, HostResult, HostTournament, choose_parasites, shared_fitness, shared_sample};
use crate::HallOfFameEntry;
use palestra_core::Seed;
use rand::RngExt;

/// Results from text: a row for each host, a word for each parasite with one letter W, D or L for each game.
fn results(rows: &[&str]) -> Vec<Vec<HostResult>> {
    let result = |word: &str| HostResult {
        wins: word.matches('W').count() as u32,
        draws: word.matches('D').count() as u32,
    };
    rows.iter().map(|row| row.split_whitespace().map(result).collect()).collect()
}

#[track_caller]
fn check_fitness(rows: &[&str], draw_value: DrawValue, expected: &[f64]) {
    let found = shared_fitness(&results(rows), draw_value);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn fitness_by_hand() {
    // One game each; g = 3, e = 1.
    //          p0  p1  p2
    //     h0    W   W   L
    //     h1    W   D   D
    //     h2    L   D   W
    //     Ng    2   1   1
    //     Ne    0   2   1
    // h0: 1/2 + 1/1                                  = 3/2
    // h1: 1/2 + 1/(3·(1+2)) + 1/(3·(1+1)) = 1/2 + 1/9 + 1/6 = 7/9
    // h2: 1/(3·(1+2)) + 1/1               = 1/9 + 1         = 10/9
    let rows = ["W W L", "W D D", "L D W"];
    check_fitness(&rows, DrawValue::default(), &[3.0 / 2.0, 7.0 / 9.0, 10.0 / 9.0]);
    // g = 2, e = 0.5: a draw with p1 is 0.5/(2·3) = 1/12, with p2 0.5/(2·2) = 1/8.
    let draw_value = DrawValue { g: 2.0, e: 0.5 };
    check_fitness(&rows, draw_value, &[1.5, 0.5 + 1.0 / 12.0 + 0.125, 1.0 / 12.0 + 1.0]);
}

#[test]
fn every_game_counts_separately() {
    //          p0  p1        Ng(p0) = 3, Ne(p0) = 1; Ng(p1) = 0, Ne(p1) = 2
    //     h0   WW  LD        2/3 + 1/(3·2)            = 5/6
    //     h1   WD  LL        1/3 + 1/(3·4)            = 5/12
    //     h2   LL  DL        1/(3·2)                  = 1/6
    check_fitness(&["WW LD", "WD LL", "LL DL"], DrawValue::default(), &[5.0 / 6.0, 5.0 / 12.0, 1.0 / 6.0]);
}

#[test]
fn no_win_and_no_draw_give_zero() {
    check_fitness(&["L L", "L L"], DrawValue::default(), &[0.0, 0.0]);
    check_fitness(&[], DrawValue::default(), &[]);
    check_fitness(&["", ""], DrawValue::default(), &[0.0, 0.0]);
}

#[test]
fn sums_equal_the_closed_form() {
    for seed in 0..200 {
        let mut rng = Seed(seed).rng();
        let (n_hosts, n_parasites) = (rng.random_range(1..8), rng.random_range(1..8));
        let mut result = || {
            let wins = rng.random_range(0..=2);
            HostResult { wins, draws: rng.random_range(0..=2 - wins) }
        };
        let all: Vec<Vec<HostResult>> =
            (0..n_hosts).map(|_| (0..n_parasites).map(|_| result()).collect()).collect();
        // Without draws: the number of parasites that were beaten at all.
        let n_beaten = (0..n_parasites).filter(|&p| all.iter().any(|row| row[p].wins > 0)).count() as f64;
        let sum: f64 = shared_fitness(&all, DrawValue { g: 3.0, e: 0.0 }).iter().sum();
        assert!((sum - n_beaten).abs() < 1e-9, "{sum} {n_beaten}");
        // One parasite's draws: (e/g) · Ne/(Ng + Ne).
        let draw_value = DrawValue { g: 3.0, e: 2.0 };
        for p in 0..n_parasites {
            let one: Vec<Vec<HostResult>> = all.iter().map(|row| vec![row[p]]).collect();
            let wins: f64 = one.iter().map(|row| f64::from(row[0].wins)).sum();
            let draws: f64 = one.iter().map(|row| f64::from(row[0].draws)).sum();
            let of_wins = f64::from(u8::from(wins > 0.0));
            let sum = shared_fitness(&one, draw_value).iter().sum::<f64>() - of_wins;
            let expected = if draws > 0.0 { 2.0 / 3.0 * draws / (wins + draws) } else { 0.0 };
            assert!((sum - expected).abs() < 1e-9, "{sum} {expected}");
        }
    }
}

#[track_caller]
fn check_sample(rows: &[&str], n: usize, draws: Option<DrawValue>, expected: &[usize]) {
    assert_eq!(shared_sample(&results(rows), n, draws, |_, _| false), expected);
}

#[test]
fn samples_by_hand() {
    // h0 beats p0, p1, p2; h1 beats p0, p1; h2 beats p3; h3 beats none; h4 beats p2, p3.
    let rows = ["W W W L", "W W L L", "L L L W", "L L L L", "L L W W"];
    // First: s = 3, 2, 1, 0, 2: h0. L = 1 1 1 0.
    // Then:  s(h1) = 1/2 + 1/2 = 1, s(h2) = 1, s(h4) = 1/2 + 1 = 3/2: h4. L = 1 1 2 1.
    // Then:  s(h1) = 1, s(h2) = 1/2: h1. L = 2 2 2 1. Then h2 with 1/2, h3 with 0.
    check_sample(&rows, 5, None, &[0, 4, 1, 2, 3]);
    check_sample(&rows, 2, None, &[0, 4]);
    check_sample(&rows, 0, None, &[]);
    check_sample(&rows, 9, None, &[0, 4, 1, 2, 3]);
    // Of equal hosts the first is chosen.
    check_sample(&["W L", "L W", "W L"], 3, None, &[0, 1, 2]);
    check_sample(&["L", "L"], 1, None, &[0]);
    check_sample(&[], 3, None, &[]);
}

#[test]
fn samples_with_draws_by_hand() {
    // g = 3, e = 1. First: s(h0) = 1 + 0, s(h1) = 1/(1+0) for each of two draws = 2, s(h2) = 1 + 1 = 2: h1.
    // D = 1 1. Then: s(h0) = 1, s(h2) = 1 (won against p0) + 1/(1 + 3·0 + 3·1) = 5/4: h2. L = 1 0, D = 1 2.
    // Then h0: 1/(1 + 1).
    let rows = ["W L", "D D", "W D"];
    check_sample(&rows, 3, Some(DrawValue::default()), &[1, 2, 0]);
    // Without draws: s = 1, 0, 1.
    check_sample(&rows, 3, None, &[0, 2, 1]);
    // h0 first, with 2: L = 1 1 0. Then a draw with p0 counts 1/(1 + 3·1) = 1/4, a win over p1 1/2.
    check_sample(&["W W L", "D L L", "L W L"], 3, Some(DrawValue::default()), &[0, 2, 1]);
    // A draw together with a win adds nothing to D: both remaining hosts have 1/(1 + 3·1 + 3·0); the first is chosen.
    check_sample(&["WD W L", "D L L", "L D L"], 3, Some(DrawValue::default()), &[0, 1, 2]);
    // A win together with a draw is a win.
    check_sample(&["D D", "WD L"], 1, None, &[1]);
}

fn entries(weights: &[f64]) -> Vec<HallOfFameEntry> {
    weights
        .iter()
        .map(|&weight| HallOfFameEntry { generation: 0, weights: vec![weight], fitness: 0.0 })
        .collect()
}

fn chosen(hall_of_fame: &[f64], hosts: &[f64], rows: &[&str], n: usize, seed: u64) -> Vec<f64> {
    let hosts: Vec<Vec<f64>> = hosts.iter().map(|&weight| vec![weight]).collect();
    let last = HostTournament { hosts: &hosts, results: &results(rows) };
    let chosen = choose_parasites(&entries(hall_of_fame), last, n, None, Seed(seed));
    chosen.into_iter().map(|weights| weights[0]).collect()
}

#[test]
fn half_are_from_the_hall_of_fame_and_half_are_hosts() {
    let rows = ["W W W L", "W W L L", "L L L W", "L L L L", "L L W W"];
    let hosts = [10.0, 11.0, 12.0, 13.0, 14.0];
    let mut counts = [0; 4];
    for seed in 0..600 {
        let chosen = chosen(&[1.0, 2.0, 3.0], &hosts, &rows, 4, seed);
        assert_eq!(chosen[2..], [10.0, 14.0]);
        assert_ne!(chosen[0], chosen[1]);
        chosen[..2].iter().for_each(|weight| counts[*weight as usize] += 1);
    }
    // Two of three, uniformly: each in 400 of 600.
    assert!(counts[1..].iter().all(|count| (350..450).contains(count)), "{counts:?}");
    // An odd number: the smaller half is from the hall of fame.
    assert_eq!(chosen(&[1.0, 2.0, 3.0], &hosts, &rows, 5, 0)[2..], [10.0, 14.0, 11.0]);
}

#[test]
fn no_duplicates_and_gaps_are_filled() {
    let rows = ["W W W L", "W W L L", "L L L W", "L L L L", "L L W W"];
    // The hall of fame is too small: more hosts are chosen.
    assert_eq!(chosen(&[1.0], &[10.0, 11.0, 12.0, 13.0, 14.0], &rows, 4, 0), [1.0, 10.0, 14.0, 11.0]);
    assert_eq!(chosen(&[], &[10.0, 11.0, 12.0, 13.0, 14.0], &rows, 2, 0), [10.0, 14.0]);
    // The best host is already chosen from the hall of fame, and h4 equals h1: h1 is first with s = 2, then h2 with 1.
    assert_eq!(chosen(&[10.0], &[10.0, 11.0, 12.0, 13.0, 11.0], &rows, 3, 0), [10.0, 11.0, 12.0]);
    // All hosts are equal: the rest of the hall of fame fills up, and there are fewer than n.
    let mut all = chosen(&[1.0, 2.0, 3.0], &[10.0; 5], &rows, 6, 0);
    all.sort_by(f64::total_cmp);
    assert_eq!(all, [1.0, 2.0, 3.0, 10.0]);
    let mut all = chosen(&[1.0, 2.0, 3.0, 4.0, 4.0], &[10.0; 5], &rows, 4, 0);
    all.sort_by(f64::total_cmp);
    all.dedup();
    assert_eq!(all.len(), 4);
}
