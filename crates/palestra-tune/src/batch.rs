//! Games to be played, as plain data: the result of a batch does not depend on the executor or the order of its games.

use crate::fold::league_match;
use crate::{CandidateFitness, CandidateSet};
use palestra_arena::{GameResult, PointSystem, StartPoint, key_spelling};
use serde::{Deserialize, Serialize};

/// Candidates, their opponents and the start points of their games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Batch {
    /// The player without weights: `greedy/lines`. Each candidate is a set of weights for it.
    pub template: String,
    /// The weights of each candidate.
    pub candidates: CandidateSet,
    /// The matches, each between two players on some of the start points.
    pub schedule: Schedule,
    /// Boards, openings and seeds. Every start point is played twice, with sides swapped.
    pub starts: Vec<StartPoint>,
    /// Points for the result of a game.
    pub points: PointSystem,
}

/// The matches of a batch.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub enum Schedule {
    /// Every candidate plays each of these players, as player strings, on every start point.
    Everyone(Vec<String>),
    /// Every candidate plays every other candidate on every start point.
    League,
    /// Some pairs of candidates play, each pair on its own start points.
    Matches(Vec<ScheduledMatch>),
    /// Every candidate plays each of these players, as player strings, and each match has its own start points: those
    /// of the first candidate against each player come first, then those of the second, …
    EveryoneApart {
        /// The players.
        opponents: Vec<String>,
        /// Number of start points of each match.
        per_match: u32,
    },
}

impl Schedule {
    /// The fixed opponents.
    pub(crate) fn opponents(&self) -> &[String] {
        match self {
            Schedule::Everyone(opponents) | Schedule::EveryoneApart { opponents, .. } => opponents,
            Schedule::League | Schedule::Matches(_) => &[],
        }
    }

    /// Number of matches of `n_candidates` candidates.
    pub(crate) fn n_matches(&self, n_candidates: usize) -> usize {
        match self {
            Schedule::League => n_candidates * n_candidates.saturating_sub(1) / 2,
            Schedule::Matches(matches) => matches.len(),
            Schedule::Everyone(_) | Schedule::EveryoneApart { .. } => n_candidates * self.opponents().len(),
        }
    }

    /// The candidate of match `number`, and its opponent where that is a candidate too.
    pub(crate) fn candidates_of(&self, number: usize, n_candidates: usize) -> (usize, Option<usize>) {
        match self {
            Schedule::Everyone(opponents) | Schedule::EveryoneApart { opponents, .. } => {
                (number / opponents.len(), None)
            }
            Schedule::League => {
                let (a, b) = league_match(number, n_candidates);
                (a, Some(b))
            }
            Schedule::Matches(matches) => (matches[number].a as usize, Some(matches[number].b as usize)),
        }
    }

    /// Whether every match has its own start points.
    pub(crate) fn is_apart(&self) -> bool {
        matches!(self, Schedule::Matches(_) | Schedule::EveryoneApart { .. })
    }
}

/// Two candidates, by index, and the range of their start points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ScheduledMatch {
    /// The candidate from whose point of view the result is given.
    pub a: u32,
    /// The other candidate.
    pub b: u32,
    /// Index of the first start point.
    pub from: u32,
    /// Index after the last start point.
    pub to: u32,
}

/// Result of all games between two players, from the first player's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchResult {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Number of pairs of games by their result: both lost, …, both won.
    pub pairs: [u32; 5],
    /// Points of the first player.
    pub points: f64,
    /// Points of the other player.
    pub other_points: f64,
}

impl MatchResult {
    /// Adds the two games of a start point. Their points are added to each other first, so that rounding of the sums
    /// is the same for cohorts and for games played one by one.
    pub fn add(&mut self, pair: &[GameResult; 2], points: PointSystem) {
        for result in pair {
            match result.points {
                2 => self.wins += 1,
                1 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        self.pairs[usize::from(pair[0].points + pair[1].points).min(4)] += 1;
        self.points += points.of(&pair[0]) + points.of(&pair[1]);
        let [a, b] = pair.map(|result| points.of(&reversed(&result)));
        self.other_points += a + b;
    }
}

/// The same game for the other player.
pub(crate) fn reversed(result: &GameResult) -> GameResult {
    // 0.0 - x instead of -x: a margin of 0 must not become -0.0, which has other bytes.
    GameResult { points: 2 - result.points.min(2), margin: 0.0 - result.margin, plies: result.plies }
}

/// Result of a batch.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BatchResult {
    /// The points of each candidate, in order.
    pub points: Vec<f64>,
    /// Match results. With fixed opponents: for each candidate, each opponent; with a league: the first candidate
    /// against each later one, then the second, …; with matches: in the order of the list. Empty where there are more
    /// than [`MAX_MATCH_RESULTS`].
    pub match_results: Vec<MatchResult>,
    /// Games played.
    pub n_games: u64,
}

/// Largest number of matches whose results are kept one by one; larger batches keep only the points.
pub const MAX_MATCH_RESULTS: usize = 1 << 20;

impl Batch {
    /// Number of matches.
    pub fn n_matches(&self) -> usize {
        self.schedule.n_matches(self.candidates.len())
    }

    /// Number of games.
    pub fn n_games(&self) -> u64 {
        match &self.schedule {
            Schedule::Matches(matches) => {
                matches.iter().map(|scheduled| 2 * u64::from(scheduled.to - scheduled.from)).sum()
            }
            Schedule::EveryoneApart { per_match, .. } => self.n_matches() as u64 * u64::from(*per_match) * 2,
            _ => self.n_matches() as u64 * self.starts.len() as u64 * 2,
        }
    }

    /// Hash of the contents. Equal keys mean equal results, on any executor.
    pub fn key(&self) -> [u8; 32] {
        /// Must change whenever the same batch would give another result: stored results are found by the key.
        const VERSION: &str = "palestra batch 1";
        let spelled =
            |players: &[String]| players.iter().map(|name| key_spelling(name).into_owned()).collect();
        let schedule = match &self.schedule {
            Schedule::Everyone(players) => &Schedule::Everyone(spelled(players)),
            Schedule::EveryoneApart { opponents, per_match } => {
                &Schedule::EveryoneApart { opponents: spelled(opponents), per_match: *per_match }
            }
            other => other,
        };
        // The fields in their order: the bytes of the struct itself.
        let contents = (key_spelling(&self.template), &self.candidates, schedule, &self.starts, &self.points);
        let bytes = postcard::to_stdvec(&(VERSION, contents)).expect("a batch is plain data");
        *blake3::hash(&bytes).as_bytes()
    }
}

impl BatchResult {
    /// Compact bytes for the store: points that are whole numbers from -128 to 127 take one byte each.
    pub fn to_bytes(&self) -> Vec<u8> {
        let packed = PackedResult {
            points: PackedNumbers::pack(&self.points),
            match_results: self.match_results.clone(),
            n_games: self.n_games,
        };
        postcard::to_stdvec(&packed).expect("a result is plain data")
    }

    /// Whether it has as many numbers as a result of the batch has.
    pub(crate) fn fits(&self, batch: &Batch) -> bool {
        let n_matches = batch.n_matches();
        let n_listed = if n_matches <= MAX_MATCH_RESULTS { n_matches } else { 0 };
        self.points.len() == batch.candidates.len() && self.match_results.len() == n_listed
    }

    /// Reads what [`BatchResult::to_bytes`] wrote; `None` for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<BatchResult> {
        let packed: PackedResult = postcard::from_bytes(bytes).ok()?;
        Some(BatchResult {
            points: packed.points.unpack(),
            match_results: packed.match_results,
            n_games: packed.n_games,
        })
    }
}

impl CandidateFitness {
    /// Compact bytes for the store.
    pub fn to_bytes(&self) -> Vec<u8> {
        let packed = (PackedNumbers::pack_halves(&self.fitness), self.n_games, self.head_to_head);
        postcard::to_stdvec(&packed).expect("fitness is plain data")
    }

    /// Reads what [`CandidateFitness::to_bytes`] wrote; `None` for other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<CandidateFitness> {
        let (fitness, n_games, head_to_head): (PackedNumbers, _, _) = postcard::from_bytes(bytes).ok()?;
        Some(CandidateFitness { fitness: fitness.unpack(), n_games, head_to_head })
    }
}

#[derive(Serialize, Deserialize)]
struct PackedResult {
    points: PackedNumbers,
    match_results: Vec<MatchResult>,
    n_games: u64,
}

/// A finished part of a batch, as the store keeps it. A batch may be started one by one and continued with cohorts, or
/// the reverse; the variant says which of the two wrote the part, because they number their parts differently.
#[derive(Serialize, Deserialize)]
pub(crate) enum StoredUnit {
    /// Games played one by one: the pairs of consecutive jobs.
    Jobs(Vec<[GameResult; 2]>),
    /// Games of a cohort: one pair for every candidate.
    Pairs(Vec<[GameResult; 2]>),
    /// Games of a cohort: only the points of every candidate.
    Points(PackedNumbers),
}

#[derive(Serialize, Deserialize)]
pub(crate) enum PackedNumbers {
    Small(Vec<i8>),
    Any(Vec<f64>),
    /// Twice the numbers, which is whole where a draw is half a point.
    Halves(Vec<i16>),
}

impl PackedNumbers {
    pub(crate) fn pack(numbers: &[f64]) -> PackedNumbers {
        let small = |&number: &f64| {
            let small = number as i8;
            (f64::from(small).to_bits() == number.to_bits()).then_some(small)
        };
        match numbers.iter().map(small).collect() {
            Some(small) => PackedNumbers::Small(small),
            None => PackedNumbers::Any(numbers.to_vec()),
        }
    }

    /// As [`PackedNumbers::pack`], with halves.
    pub(crate) fn pack_halves(numbers: &[f64]) -> PackedNumbers {
        let half = |&number: &f64| {
            let half = (2.0 * number) as i16;
            ((f64::from(half) / 2.0).to_bits() == number.to_bits()).then_some(half)
        };
        match PackedNumbers::pack(numbers) {
            PackedNumbers::Any(numbers) => match numbers.iter().map(half).collect() {
                Some(halves) => PackedNumbers::Halves(halves),
                None => PackedNumbers::Any(numbers),
            },
            packed => packed,
        }
    }

    pub(crate) fn unpack(self) -> Vec<f64> {
        match self {
            PackedNumbers::Halves(halves) => halves.into_iter().map(|half| f64::from(half) / 2.0).collect(),
            PackedNumbers::Small(small) => small.into_iter().map(f64::from).collect(),
            PackedNumbers::Any(numbers) => numbers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_round_trip() {
        for points in [vec![], vec![1.0, -54.0, 54.0], vec![0.5], vec![1000.0, 2.0], vec![-0.0, 3.0]] {
            let result = BatchResult {
                points,
                match_results: vec![MatchResult { wins: 3, ..MatchResult::default() }],
                n_games: 7,
            };
            let back = BatchResult::from_bytes(&result.to_bytes()).unwrap();
            assert_eq!(back, result);
            let bits = |result: &BatchResult| result.points.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&back), bits(&result));
        }
        assert_eq!(BatchResult::from_bytes(b"nonsense"), None);
    }

    #[test]
    fn fitness_round_trips() {
        for fitness in
            [vec![], vec![1.0, -54.0], vec![0.5, 46.0, -3.5], vec![1000.5], vec![0.1, -0.0], vec![1e300]]
        {
            for head_to_head in [None, Some([1, 2, 3, 4, 5])] {
                let rating = CandidateFitness { fitness: fitness.clone(), n_games: 552, head_to_head };
                let back = CandidateFitness::from_bytes(&rating.to_bytes()).unwrap();
                assert_eq!(back, rating);
                assert!(back.fitness.iter().zip(&fitness).all(|(a, b)| a.to_bits() == b.to_bits()));
            }
        }
        let league = CandidateFitness { fitness: vec![22.5; 24], n_games: 552, head_to_head: None };
        assert!(league.to_bytes().len() <= 30, "{}", league.to_bytes().len());
        assert_eq!(CandidateFitness::from_bytes(b"nonsense"), None);
    }

    #[test]
    fn a_pair_counts_for_both_players() {
        let won = GameResult { points: 2, margin: 3.0, plies: 9 };
        let drawn = GameResult { points: 1, margin: 0.0, plies: 9 };
        let mut result = MatchResult::default();
        result.add(&[won, drawn], PointSystem::ByResult { win: 3.0, draw: 1.0, loss: 0.0 });
        assert_eq!((result.wins, result.draws, result.losses), (1, 1, 0));
        assert_eq!((result.pairs, result.points, result.other_points), ([0, 0, 0, 1, 0], 4.0, 1.0));
        let mut result = MatchResult::default();
        result.add(&[won, reversed(&drawn)], PointSystem::Margin);
        assert_eq!((result.points, result.other_points), (3.0, -3.0));
    }
}
