//! Competitive fitness sharing and shared sampling (Rosin and Belew 1997), with the draws of the Mastergoal study.
//!
//! Hosts play parasites. The fitness of a host depends less on the number of its wins than on wins that few other hosts
//! have, and parasites are chosen to beat different hosts.

use crate::HallOfFameEntry;
use palestra_core::Seed;
use rand::RngExt;

/// Result of a host against one parasite; the other games were lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostResult {
    /// Games the host won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
}

/// The value of a draw compared with a win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawValue {
    /// g of the study: about as many draws count as much as one win.
    pub g: f64,
    /// e of the study: a factor on the value of draws.
    pub e: f64,
}

impl Default for DrawValue {
    fn default() -> DrawValue {
        DrawValue { g: 3.0, e: 1.0 }
    }
}

/// The fitness of each host: 1/Ng(p) for every game won against p, e/(g·(Ng(p) + Ne(p))) for every draw with p, where
/// Ng(p) and Ne(p) are the games that all hosts together won against p and drew with it.
///
/// `results[h][p]` is the result of host h against parasite p.
pub fn shared_fitness(results: &[Vec<HostResult>], draw_value: DrawValue) -> Vec<f64> {
    let n_parasites = results.first().map_or(0, Vec::len);
    let count =
        |p: usize, of: fn(&HostResult) -> u32| results.iter().map(|row| f64::from(of(&row[p]))).sum::<f64>();
    let wins: Vec<f64> = (0..n_parasites).map(|p| count(p, |result| result.wins)).collect();
    let draws: Vec<f64> = (0..n_parasites).map(|p| count(p, |result| result.draws)).collect();
    let of_host = |row: &Vec<HostResult>| {
        let mut fitness = 0.0;
        for (p, result) in row.iter().enumerate() {
            // The host's own games are counted in the divisor, so it is not 0.
            if result.wins > 0 {
                fitness += f64::from(result.wins) / wins[p];
            }
            if result.draws > 0 {
                fitness += f64::from(result.draws) * draw_value.e / (draw_value.g * (wins[p] + draws[p]));
            }
        }
        fitness
    };
    results.iter().map(of_host).collect()
}

/// Indices of at most `n` hosts that together beat many different parasites, in the order of their choice.
///
/// Each time the host with the largest s(i) = Σ 1/(1 + L(q)) over the parasites q it beats is chosen, the first of
/// equals, where L(q) is the number of chosen hosts that beat q. With `draws`, a parasite that it drew with adds
/// e/(1 + g·L(q) + g·D(q)), where D(q) is the number of chosen hosts that drew with q. Of several games, one win is
/// enough to beat, and one draw without a win to draw. Hosts for which `skip` returns true are not chosen; it is called
/// for each remaining host before each choice, with the hosts chosen so far.
pub fn shared_sample(
    results: &[Vec<HostResult>],
    n: usize,
    draws: Option<DrawValue>,
    skip: impl Fn(usize, &[usize]) -> bool,
) -> Vec<usize> {
    let n_parasites = results.first().map_or(0, Vec::len);
    let mut beaten = vec![0.0; n_parasites];
    let mut drawn = vec![0.0; n_parasites];
    let mut chosen: Vec<usize> = Vec::new();
    let mut left: Vec<usize> = (0..results.len()).collect();
    while chosen.len() < n {
        left.retain(|&i| !skip(i, &chosen));
        let score = |i: usize| -> f64 {
            let of = |(q, result): (usize, &HostResult)| match (result, draws) {
                (HostResult { wins: 1.., .. }, _) => 1.0 / (1.0 + beaten[q]),
                (HostResult { draws: 1.., .. }, Some(draw_value)) => {
                    draw_value.e / (1.0 + draw_value.g * beaten[q] + draw_value.g * drawn[q])
                }
                _ => 0.0,
            };
            results[i].iter().enumerate().map(of).sum()
        };
        let scores: Vec<f64> = left.iter().map(|&i| score(i)).collect();
        if scores.is_empty() {
            break;
        }
        let best = left.remove(super::common::best_of(&scores));
        for (q, result) in results[best].iter().enumerate() {
            beaten[q] += f64::from(u8::from(result.wins > 0));
            drawn[q] += f64::from(u8::from(result.wins == 0 && result.draws > 0));
        }
        chosen.push(best);
    }
    chosen
}

/// The last tournament of hosts against parasites.
#[derive(Clone, Copy, Debug)]
pub struct HostTournament<'a> {
    /// The weights of the hosts.
    pub hosts: &'a [Vec<f64>],
    /// The result of each host against each parasite.
    pub results: &'a [Vec<HostResult>],
}

/// The `n` parasites of the next generation.
///
/// Half of them, rounded down, are drawn from the hall of fame, uniformly and without replacement; a smaller hall of
/// fame is used whole. The others are hosts of the last tournament, chosen by [`shared_sample`]. No weights are chosen
/// twice. Where there are too few hosts, more are drawn from the hall of fame, and if that is too small there are fewer
/// than `n`.
pub fn choose_parasites(
    hall_of_fame: &[HallOfFameEntry],
    last: HostTournament<'_>,
    n: usize,
    draws: Option<DrawValue>,
    seed: Seed,
) -> Vec<Vec<f64>> {
    let mut rng = seed.rng();
    let mut order: Vec<&HallOfFameEntry> = hall_of_fame.iter().collect();
    for i in 0..order.len() {
        order.swap(i, rng.random_range(i..hall_of_fame.len()));
    }
    let mut chosen: Vec<Vec<f64>> = Vec::with_capacity(n);
    let mut from_hall = order.into_iter().map(|entry| &entry.weights);
    fill(&mut chosen, &mut from_hall, n / 2);
    let skip = |i: usize, sample: &[usize]| {
        chosen.contains(&last.hosts[i]) || sample.iter().any(|&other| last.hosts[other] == last.hosts[i])
    };
    let sample = shared_sample(last.results, n - chosen.len(), draws, skip);
    chosen.extend(sample.into_iter().map(|i| last.hosts[i].clone()));
    fill(&mut chosen, &mut from_hall, n);
    chosen
}

/// Adds new weights until there are `n`.
fn fill<'a>(chosen: &mut Vec<Vec<f64>>, from: &mut impl Iterator<Item = &'a Vec<f64>>, n: usize) {
    while chosen.len() < n {
        let Some(weights) = from.next() else { return };
        if !chosen.contains(weights) {
            chosen.push(weights.clone());
        }
    }
}

#[cfg(test)]
#[path = "sharing_tests.rs"]
mod tests;
