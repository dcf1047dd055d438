//! Results of a batch from those of its games, added as they come: no more games are held than are being played.

use crate::batch::{MAX_MATCH_RESULTS, reversed};
use crate::{Batch, BatchResult, MatchResult, Schedule};
use palestra_arena::GameResult;

/// The result of a batch whose pairs of games come in the order of the jobs: match by match, start point by start point.
pub(crate) struct JobFold<'a> {
    batch: &'a Batch,
    n_matches: usize,
    /// The match that is being added, by index, and its pairs so far.
    number: usize,
    n_added: usize,
    current: MatchResult,
    result: BatchResult,
}

/// A result without games.
fn empty(batch: &Batch) -> BatchResult {
    BatchResult {
        points: vec![0.0; batch.candidates.len()],
        match_results: Vec::new(),
        n_games: batch.n_games(),
    }
}

impl<'a> JobFold<'a> {
    pub(crate) fn new(batch: &'a Batch) -> JobFold<'a> {
        let mut fold = JobFold {
            batch,
            n_matches: batch.n_matches(),
            number: 0,
            n_added: 0,
            current: MatchResult::default(),
            result: empty(batch),
        };
        fold.close_matches();
        fold
    }

    /// Adds the two games of the next job.
    pub(crate) fn add(&mut self, pair: &[GameResult; 2]) {
        self.current.add(pair, self.batch.points);
        self.n_added += 1;
        self.close_matches();
    }

    /// The result after the last job.
    pub(crate) fn result(self) -> BatchResult {
        debug_assert_eq!(self.number, self.n_matches);
        self.result
    }

    /// Number of start points of the present match.
    fn n_start_points(&self) -> usize {
        match &self.batch.schedule {
            Schedule::Everyone(_) | Schedule::League => self.batch.starts.len(),
            Schedule::EveryoneApart { per_match, .. } => *per_match as usize,
            Schedule::Matches(matches) => {
                let scheduled = &matches[self.number];
                (scheduled.to - scheduled.from) as usize
            }
        }
    }

    fn close_matches(&mut self) {
        while self.number < self.n_matches && self.n_added == self.n_start_points() {
            let (a, b) = self.batch.schedule.candidates_of(self.number, self.batch.candidates.len());
            let done = std::mem::take(&mut self.current);
            self.result.points[a] += done.points;
            if let Some(b) = b {
                self.result.points[b] += done.other_points;
            }
            if self.n_matches <= MAX_MATCH_RESULTS {
                self.result.match_results.push(done);
            }
            self.number += 1;
            self.n_added = 0;
        }
    }
}

/// The games of all members of a cohort against one opponent on one start point.
pub(crate) enum UnitResult {
    /// The results of both games of each member.
    Pairs(Vec<[GameResult; 2]>),
    /// The sum of the points of both games of each member.
    Points(Vec<f64>),
}

/// The result of a batch that cohorts play: opponent by opponent, start point by start point. Every candidate's points
/// are added in the order of [`JobFold`], so that the sums have the same bits.
pub(crate) struct CohortFold<'a> {
    batch: &'a Batch,
    /// Index of the opponent whose games are being added, and its start points so far.
    opponent: usize,
    n_added: usize,
    /// The match of each member against this opponent.
    matches: Vec<MatchResult>,
    result: BatchResult,
}

impl<'a> CohortFold<'a> {
    pub(crate) fn new(batch: &'a Batch) -> CohortFold<'a> {
        let n = batch.candidates.len();
        let mut result = empty(batch);
        if batch.n_matches() <= MAX_MATCH_RESULTS {
            result.match_results = vec![MatchResult::default(); batch.n_matches()];
        }
        CohortFold { batch, opponent: 0, n_added: 0, matches: vec![MatchResult::default(); n], result }
    }

    /// Adds the next unit.
    pub(crate) fn add(&mut self, unit: &UnitResult) {
        let is_league = self.batch.schedule == Schedule::League;
        match unit {
            // In a league the later candidate is the cohort's member: its first game is the second game of the earlier
            // candidate.
            UnitResult::Pairs(pairs) if is_league => {
                for (sum, [first, second]) in self.matches.iter_mut().zip(pairs) {
                    sum.add(&[reversed(second), reversed(first)], self.batch.points);
                }
            }
            UnitResult::Pairs(pairs) => {
                self.matches.iter_mut().zip(pairs).for_each(|(sum, pair)| sum.add(pair, self.batch.points));
            }
            UnitResult::Points(points) => {
                self.matches.iter_mut().zip(points).for_each(|(sum, points)| sum.points += points);
            }
        }
        self.n_added += 1;
        if self.n_added == self.batch.starts.len() {
            self.close_opponent(is_league);
        }
    }

    /// The result after the last unit.
    pub(crate) fn result(self) -> BatchResult {
        self.result
    }

    fn close_opponent(&mut self, is_league: bool) {
        let n = self.batch.candidates.len();
        let (points, kept) = (&mut self.result.points, &mut self.result.match_results);
        if is_league {
            let a = self.opponent;
            let first = league_matches_before(a, n);
            for (k, done) in self.matches[..n - a - 1].iter().enumerate() {
                points[a] += done.points;
                points[a + 1 + k] += done.other_points;
                if let Some(slot) = kept.get_mut(first + k) {
                    *slot = *done;
                }
            }
        } else {
            let n_opponents = self.batch.schedule.opponents().len();
            for (a, done) in self.matches.iter().enumerate() {
                points[a] += done.points;
                if let Some(slot) = kept.get_mut(a * n_opponents + self.opponent) {
                    *slot = *done;
                }
            }
        }
        self.matches.fill(MatchResult::default());
        self.opponent += 1;
        self.n_added = 0;
    }
}

/// Number of matches of a league of `n` candidates before the first one of candidate `a` against a later one.
fn league_matches_before(a: usize, n: usize) -> usize {
    a * (2 * n - a - 1) / 2
}

/// The candidates of match `number` of a league of `n`: the first against each later one, then the second, …
pub(crate) fn league_match(number: usize, n: usize) -> (usize, usize) {
    let (mut a, mut after) = (0, n);
    while after - a > 1 {
        let middle = a + (after - a) / 2;
        if league_matches_before(middle, n) <= number { a = middle } else { after = middle }
    }
    (a, a + 1 + number - league_matches_before(a, n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_of_a_league_are_numbered_by_their_candidates() {
        for n in [2, 3, 4, 7, 50] {
            let pairings = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
            for (number, pairing) in pairings.enumerate() {
                assert_eq!(league_match(number, n), pairing, "match {number} of {n}");
            }
        }
        assert_eq!(league_match(499_999_499_999, 1_000_000), (999_998, 999_999));
    }
}
