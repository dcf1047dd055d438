//! Ratings compared with known numbers, on degenerate results, and for thousands of players.

use super::*;
use palestra_core::Seed;
use rand::RngExt as _;

fn names(n: usize) -> Vec<String> {
    (0..n).map(|i| if n <= 26 { char::from(b'A' + i as u8).to_string() } else { format!("p{i}") }).collect()
}

fn row(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> ResultRow {
    ResultRow { first, second, wins: wins as f64, draws: draws as f64, losses: losses as f64 }
}

fn rated(n: usize, rows: &[ResultRow]) -> Ratings {
    rate(&names(n), rows, &RatingOptions::default()).unwrap()
}

#[track_caller]
fn check(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected} ± {tolerance}");
}

fn chain() -> [ResultRow; 3] {
    [row(0, 1, 18, 9, 3), row(1, 2, 18, 9, 3), row(0, 2, 24, 6, 0)]
}

#[test]
fn three_players_agree_with_ordo() {
    let ratings = rated(3, &chain());
    let expected = [(190.849, 80.02), (0.0, 67.67), (-190.849, 80.02)];
    for (player, (rating, error)) in ratings.players().iter().zip(expected) {
        check(player.rating, rating, 0.000501);
        check(player.error.unwrap(), error, 0.00501);
        assert!(player.low.unwrap() < player.rating && player.rating < player.high.unwrap());
    }
    assert_eq!(ratings.advantage(), None);
    assert_eq!((ratings.n_groups(), ratings.order()), (1, vec![0, 1, 2]));
}

/// The ends from nested searches without derivatives.
#[test]
fn intervals_by_brute_force() {
    let ratings = rated(3, &chain());
    let expected = [(115.785359, 277.310801), (-68.163452, 68.163452), (-277.310801, -115.785359)];
    for (player, (low, high)) in ratings.players().iter().zip(expected) {
        check(player.low.unwrap(), low, 1e-4);
        check(player.high.unwrap(), high, 1e-4);
    }
}

#[test]
fn swapping_sides_changes_nothing() {
    let swapped = [row(1, 0, 3, 9, 18), row(2, 1, 3, 9, 18), row(0, 2, 24, 6, 0)];
    for (one, other) in rated(3, &chain()).players().iter().zip(rated(3, &swapped).players()) {
        check(one.rating, other.rating, 1e-9);
        check(one.error.unwrap(), other.error.unwrap(), 1e-9);
    }
}

#[test]
fn two_players_follow_from_their_score() {
    let ratings = rated(2, &[row(0, 1, 20, 10, 10)]);
    check(ratings.players()[0].rating, 88.7395 / 2.0, 0.00005);
    // 1.96 · 400/ln 10 / √(40 · 0.625 · 0.375), by hand.
    let difference = ratings.difference(0, 1).unwrap();
    check(difference.error, 1.959963984540054 * 173.71779276 / (40.0f64 * 0.625 * 0.375).sqrt(), 1e-6);
    check(difference.elo, 88.7395, 0.00005);
    // At both ends the log-likelihood is 1.92 less than its maximum.
    let loss = |elo: f64| {
        let (here, there) = (0.625f64, 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
        40.0 * (0.625 * (here / there).ln() + 0.375 * ((1.0 - here) / (1.0 - there)).ln())
    };
    for end in [ratings.players()[0].low.unwrap(), ratings.players()[0].high.unwrap()] {
        check(2.0 * loss(2.0 * end), 3.841458820694124, 1e-5);
    }
}

#[test]
fn the_advantage_of_the_first_side() {
    // Both won three of four games with the first side: the players are equal, and the advantage is 400·log10(3).
    let ratings = rated(2, &[row(0, 1, 30, 0, 10), row(1, 0, 30, 0, 10)]);
    let advantage = ratings.advantage().unwrap();
    check(advantage.elo, 400.0 * 3f64.log10(), 1e-6);
    check(advantage.error, 1.959963984540054 * 173.71779276 / (80.0f64 * 0.75 * 0.25).sqrt(), 1e-5);
    check(ratings.players()[0].rating, 0.0, 1e-9);
    let off = RatingOptions { advantage: false, ..RatingOptions::default() };
    assert_eq!(
        rate(&names(2), &[row(0, 1, 30, 0, 10), row(1, 0, 30, 0, 10)], &off).unwrap().advantage(),
        None
    );
    // The log-odds of rating and advantage add up: 3 : 1 with the first side, 1 : 1 without.
    let ratings = rated(2, &[row(0, 1, 30, 0, 10), row(1, 0, 20, 0, 20)]);
    check(ratings.advantage().unwrap().elo, 200.0 * 3f64.log10(), 1e-6);
    check(ratings.difference(0, 1).unwrap().elo, 200.0 * 3f64.log10(), 1e-6);
    // The first side won all games: a virtual draw and a note.
    let ratings = rated(2, &[row(0, 1, 30, 0, 0), row(1, 0, 30, 0, 0)]);
    assert!(ratings.advantage().unwrap().elo > 300.0 && ratings.advantage().unwrap().error.is_finite());
    assert!(ratings.notes()[0].contains("advantage finite"), "{:?}", ratings.notes());
}

#[test]
fn anchors_keep_their_ratings() {
    let options =
        |anchors: &[(usize, f64)]| RatingOptions { anchors: anchors.to_vec(), ..Default::default() };
    let one = rate(&names(3), &chain(), &options(&[(1, 1500.0)])).unwrap();
    for (player, expected) in one.players().iter().zip([1690.849, 1500.0, 1309.151]) {
        check(player.rating, expected, 0.000501);
    }
    assert_eq!(one.players()[1].error, Some(0.0));
    // Errors are those of the differences from the anchor.
    check(one.players()[0].error.unwrap(), rated(3, &chain()).difference(0, 1).unwrap().error, 1e-6);
    let two = rate(&names(3), &chain(), &options(&[(0, 100.0), (2, -100.0)])).unwrap();
    check(two.players()[1].rating, 0.0, 1e-6);
    assert_eq!(two.players()[0].rating, 100.0);
    assert_eq!(two.difference(0, 2).unwrap().error, 0.0);
    // Anchors connect groups that never met.
    let rows = [row(0, 1, 6, 0, 4), row(2, 3, 4, 0, 6)];
    assert_eq!(rated(4, &rows).difference(0, 2), None);
    let joined = rate(&names(4), &rows, &options(&[(0, 0.0), (2, 0.0)])).unwrap();
    check(joined.difference(1, 3).unwrap().elo, -2.0 * 400.0 * 1.5f64.log10(), 1e-6);
}

#[test]
fn perfect_scores_have_finite_ratings_and_a_note() {
    // A won all games; its maximum-likelihood rating would be infinite.
    let ratings = rated(3, &[row(0, 1, 10, 0, 0), row(1, 2, 6, 0, 4), row(0, 2, 10, 0, 0)]);
    let players = ratings.players();
    assert!(players[0].prior && !players[1].prior && !players[2].prior);
    assert_eq!((players[0].high, players[0].low.is_some()), (None, true));
    assert!(ratings.notes()[0].starts_with("A has half a virtual draw"), "{:?}", ratings.notes());
    assert!(ratings.describe(0).starts_with("A is rated more than +"), "{}", ratings.describe(0));
    // A group of players won all games against another one: no player has 100 %, but no rating would be finite.
    let rows = [row(0, 1, 5, 0, 5), row(2, 3, 5, 0, 5), row(0, 2, 3, 0, 0), row(1, 3, 2, 0, 0)];
    let ratings = rated(4, &rows);
    assert!(ratings.players().iter().all(|player| player.prior));
    check(ratings.players()[0].rating, ratings.players()[1].rating, 60.0);
    assert!(ratings.difference(0, 2).unwrap().elo > 100.0);
    // Two players, one of which won all games.
    let ratings = rated(2, &[row(0, 1, 10, 0, 0)]);
    check(ratings.difference(0, 1).unwrap().elo, 400.0 * (10.5f64 / 0.5).log10(), 1e-6);
}

#[test]
fn groups_are_not_compared() {
    let ratings = rated(5, &[row(0, 1, 6, 0, 4), row(2, 3, 4, 2, 6)]);
    assert_eq!(ratings.n_groups(), 3);
    assert!(ratings.difference(0, 1).is_some() && ratings.difference(1, 2).is_none());
    assert_eq!(ratings.sentence(0, 2), "A and C cannot be compared: no games connect them");
    let idle = ratings.players()[4];
    assert_eq!((idle.rating, idle.error, idle.low, idle.high), (0.0, None, None, None));
    assert!(
        ratings.notes().iter().any(|note| note.contains("2 groups that never met")),
        "{:?}",
        ratings.notes()
    );
    assert!(ratings.notes().iter().any(|note| note.contains("E has no games")), "{:?}", ratings.notes());
}

/// Every number is finite for all results.
#[test]
fn random_events_are_finite() {
    for case in 0..300 {
        let mut rng = Seed(11).child(case).rng();
        let n = rng.random_range(1..9usize);
        let max_count = [1, 3, 1_000_000_000_000_000][rng.random_range(0..3usize)];
        let mut rows = Vec::new();
        for _ in 0..rng.random_range(0..12usize) {
            let (i, j) = (rng.random_range(0..n), rng.random_range(0..n));
            let mut count = || if rng.random::<bool>() { 0 } else { rng.random_range(0..=max_count) };
            if i != j {
                rows.push(row(i, j, count(), count(), count()));
            }
        }
        let anchors: Vec<(usize, f64)> = if case % 3 == 0 { vec![(0, 20_000.0)] } else { Vec::new() };
        let ratings = rate(&names(n), &rows, &RatingOptions { anchors, ..Default::default() }).unwrap();
        for (i, player) in ratings.players().iter().enumerate() {
            let ends = [player.low, player.high, player.error].into_iter().flatten();
            assert!(player.rating.is_finite() && ends.clone().all(f64::is_finite), "{rows:?}: {player:?}");
            let holds = player.low.is_none_or(|low| low <= player.rating + 1e-6)
                && player.high.is_none_or(|high| high >= player.rating - 1e-6);
            assert!(holds, "{rows:?}: {player:?}");
            for j in 0..n {
                if let Some(difference) = ratings.difference(i, j) {
                    assert!(
                        difference.error.is_finite() && (0.0..=1.0).contains(&difference.los),
                        "{rows:?}"
                    );
                }
                let sentence = ratings.sentence(i, j);
                assert!(!sentence.contains("inf") && !sentence.contains("NaN"), "{sentence}");
            }
        }
        assert!(ratings.advantage().is_none_or(|side| side.elo.is_finite() && side.error.is_finite()));
    }
}

/// The algorithm for thousands of players agrees with the one for few.
#[test]
fn large_events_agree_with_small_ones() {
    let event = |n: usize, seed: u64, opponent: &dyn Fn(usize, usize) -> usize| -> Vec<ResultRow> {
        let mut rng = Seed(seed).rng();
        let mut play = |first: usize, second: usize| {
            let chance = 1.0 / (1.0 + 10f64.powf((second as f64 - first as f64) * 0.1 / 400.0));
            let won = u64::from(rng.random::<f64>() < chance);
            row(first, second, won, 0, 1 - won)
        };
        let pairs = (0..n).flat_map(|i| (1..=6).map(move |step| (i, opponent(i, step) % n)));
        pairs.filter(|(i, j)| i != j).flat_map(|(i, j)| [play(i, j), play(j, i)]).collect()
    };
    let near = |i: usize, step: usize| i + step * step;
    // 280 players use the dense matrix; the same 280 together with 100 others that never met them do not.
    let off = RatingOptions { advantage: false, ..RatingOptions::default() };
    let small = rate(&names(280), &event(280, 1, &near), &off).unwrap();
    let mut rows = event(280, 1, &near);
    rows.extend(event(100, 2, &near).into_iter().map(|row| ResultRow {
        first: row.first + 280,
        second: row.second + 280,
        ..row
    }));
    let large = rate(&names(380), &rows, &off).unwrap();
    let mut squares = 0.0;
    for i in 0..280 {
        let (one, other) = (small.players()[i], large.players()[i]);
        check(one.rating, other.rating, 1e-4);
        let ratio = other.error.unwrap() / one.error.unwrap();
        assert!((ratio - 1.0).abs() < 0.1, "{i}: {ratio}");
        squares += (ratio - 1.0) * (ratio - 1.0);
        check(one.low.unwrap(), other.low.unwrap(), 0.12 * one.error.unwrap());
    }
    assert!((squares / 280.0).sqrt() < 0.03, "{}", (squares / 280.0).sqrt());
    check(small.difference(3, 200).unwrap().error, large.difference(3, 200).unwrap().error, 1e-3);
    // Thousands of players: fast enough for every test run.
    let rows = event(8000, 3, &|i, step| 17 * i + 1237 * step + 1);
    let huge = rated(8000, &rows);
    assert!(huge.players().iter().all(|player| player.rating.is_finite() && player.error.unwrap() > 10.0));
}

#[test]
fn bootstrap_errors_agree_with_the_covariance() {
    let units: Vec<Vec<ResultRow>> = (0..90)
        .map(|i| {
            let (first, second) = [(0, 1), (1, 2), (0, 2)][i % 3];
            vec![
                row(first, second, u64::from(i % 4 < 2), 0, u64::from(i % 4 >= 2)),
                row(second, first, 0, 1, 0),
            ]
        })
        .collect();
    let options = RatingOptions::default();
    let spread = bootstrap_pairs(&names(3), &units, &options, 200, Seed(1)).unwrap();
    assert_eq!(spread, bootstrap_pairs(&names(3), &units, &options, 200, Seed(1)).unwrap());
    for player in &spread {
        assert!(player.low < player.high && player.error > 10.0, "{player:?}");
    }
    // Without draws the variance of a game is that of the model.
    let rows = [row(0, 1, 60, 0, 40), row(1, 2, 60, 0, 40), row(0, 2, 70, 0, 30)];
    let spread = bootstrap_games(&names(3), &rows, &options, 400, Seed(2)).unwrap();
    for (player, spread) in rated(3, &rows).players().iter().zip(&spread) {
        check(spread.error / player.error.unwrap(), 1.0, 0.15);
        check(spread.low, player.low.unwrap(), 0.25 * player.error.unwrap());
    }
}

#[test]
fn sentences() {
    let ratings = rated(3, &chain());
    assert_eq!(
        ratings.sentence(0, 1),
        "A is better than B: +191 Elo [+66, +316], likelihood of superiority 99.9 %"
    );
    assert!(
        ratings.sentence(2, 0).starts_with("C is weaker than A: -382 Elo ["),
        "{}",
        ratings.sentence(2, 0)
    );
    let open = rated(2, &[row(0, 1, 11, 0, 9)]).sentence(0, 1);
    assert!(open.starts_with("A and B are not distinguishable yet: +35 Elo ["), "{open}");
    assert!(open.ends_with("more games would settle a difference of this size"), "{open}");
    assert!(ratings.describe(1).starts_with("B is rated +0 Elo [-"), "{}", ratings.describe(1));
}

#[test]
fn invalid_rows_are_refused() {
    let refused =
        |rows: &[ResultRow]| rate(&names(2), rows, &RatingOptions::default()).unwrap_err().to_string();
    assert_eq!(
        refused(&[row(0, 0, 1, 0, 0)]),
        "invalid value \"A\" for results of A against A: expected two different players"
    );
    assert_eq!(
        refused(&[row(0, 5, 1, 0, 0)]),
        "invalid value \"5\" for second player of a row of results: expected an index below 2"
    );
    let bad = ResultRow { wins: f64::NAN, ..row(0, 1, 0, 0, 0) };
    assert_eq!(
        refused(&[bad]),
        "invalid value \"NaN\" for results of A against B: expected a number of games from 0 to 1e18"
    );
}
