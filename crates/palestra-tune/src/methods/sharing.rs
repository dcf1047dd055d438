//! Competitive fitness sharing and shared sampling (Rosin and Belew 1997), with the draws of the Mastergoal study.
//!
//! Hosts meet parasites. A host is not paid for how many games it wins but for winning where others do not, and
//! parasites are chosen to be strong in different ways.

use crate::HallOfFameEntry;
use palestra_core::Seed;
use rand::RngExt;

/// What a host did in its games against one parasite; the rest of them were lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HostResult {
    /// Games the host won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
}

/// What a draw is worth beside a win.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawValue {
    /// g of the study: how many draws make a win, more or less.
    pub g: f64,
    /// e of the study.
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
/// `results[h][p]` is what host h did against parasite p.
pub fn shared_fitness(results: &[Vec<HostResult>], worth: DrawValue) -> Vec<f64> {
    let n_parasites = results.first().map_or(0, Vec::len);
    let count =
        |p: usize, of: fn(&HostResult) -> u32| results.iter().map(|row| f64::from(of(&row[p]))).sum::<f64>();
    let wins: Vec<f64> = (0..n_parasites).map(|p| count(p, |meeting| meeting.wins)).collect();
    let draws: Vec<f64> = (0..n_parasites).map(|p| count(p, |meeting| meeting.draws)).collect();
    let of_host = |row: &Vec<HostResult>| {
        let mut fitness = 0.0;
        for (p, meeting) in row.iter().enumerate() {
            // Whoever won or drew is counted, so no divisor is 0.
            if meeting.wins > 0 {
                fitness += f64::from(meeting.wins) / wins[p];
            }
            if meeting.draws > 0 {
                fitness += f64::from(meeting.draws) * worth.e / (worth.g * (wins[p] + draws[p]));
            }
        }
        fitness
    };
    results.iter().map(of_host).collect()
}

/// The numbers of at most `n` hosts who together beat as many parasites as possible, in the order of their choice.
///
/// Each time the host with the largest s(i) = Σ 1/(1 + L(q)) over the parasites q it beats is chosen, the first of
/// equals, where L(q) is how many chosen ones beat q already. With the worth of draws given, a parasite that it drew
/// with adds e/(1 + g·L(q) + g·D(q)), where D(q) counts the chosen ones that drew with q. Where there are several
/// games, one win is enough to beat, and one draw without a win to draw. Hosts for which `skip` is true are passed over;
/// it is asked about each host, and again after each choice, with those chosen so far.
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
            let of = |(q, meeting): (usize, &HostResult)| match (meeting, draws) {
                (HostResult { wins: 1.., .. }, _) => 1.0 / (1.0 + beaten[q]),
                (HostResult { draws: 1.., .. }, Some(worth)) => {
                    worth.e / (1.0 + worth.g * beaten[q] + worth.g * drawn[q])
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
        for (q, meeting) in results[best].iter().enumerate() {
            beaten[q] += f64::from(u8::from(meeting.wins > 0));
            drawn[q] += f64::from(u8::from(meeting.wins == 0 && meeting.draws > 0));
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
    /// What each host did against each parasite.
    pub results: &'a [Vec<HostResult>],
}

/// The `n` parasites of the next generation.
///
/// Half of them, rounded down, are drawn from the hall of fame, uniformly and without repetition; a smaller hall
/// comes whole. The others are hosts of the last tournament by [`shared_sample`]. Nobody is there twice: equal
/// weights are passed over. Where the hosts do not suffice either, the rest of the hall fills up, and if that is too
/// small there are fewer than `n`.
pub fn choose_parasites(
    hall: &[HallOfFameEntry],
    last: HostTournament<'_>,
    n: usize,
    draws: Option<DrawValue>,
    seed: Seed,
) -> Vec<Vec<f64>> {
    let mut rng = seed.rng();
    let mut order: Vec<&HallOfFameEntry> = hall.iter().collect();
    for i in 0..order.len() {
        order.swap(i, rng.random_range(i..hall.len()));
    }
    let mut chosen: Vec<Vec<f64>> = Vec::with_capacity(n);
    let mut famous = order.into_iter().map(|entry| &entry.weights);
    fill(&mut chosen, &mut famous, n / 2);
    let skip = |i: usize, sample: &[usize]| {
        chosen.contains(&last.hosts[i]) || sample.iter().any(|&other| last.hosts[other] == last.hosts[i])
    };
    let sample = shared_sample(last.results, n - chosen.len(), draws, skip);
    chosen.extend(sample.into_iter().map(|i| last.hosts[i].clone()));
    fill(&mut chosen, &mut famous, n);
    chosen
}

/// Takes what is new until there are `n`.
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
