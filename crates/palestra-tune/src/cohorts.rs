//! Batches whose candidates are greedy players over a weighted sum: they share most of their games and play them
//! together. The result equals that of games played one by one, bit for bit.

use crate::batch::{MAX_MATCH_RESULTS, PackedNumbers, StoredUnit};
use crate::executor::{ExecutionContext, ExecutionError};
use crate::local::{LocalExecutor, OpenedGame, fold, lock};
use crate::resolved_batch::ResolvedBatch;
use crate::{Batch, BatchResult, Schedule};
use palestra_arena::{AnyCohort, GameResult, MatchPlayer, PlayerSpec, StartPoint, can_meet_cohort};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The games of all candidates from `from` on against one opponent on one start point.
struct CohortUnit<'a> {
    opened: &'a OpenedGame,
    start_point: &'a StartPoint,
    opponent: PlayerSpec,
    /// The first candidate that plays; all later candidates play too.
    from: usize,
}

/// The two games of each candidate of a unit.
enum UnitResult {
    /// The results of both games.
    Pairs(Vec<[GameResult; 2]>),
    /// The sum of the points of both games.
    Points(Vec<f64>),
}

impl LocalExecutor {
    /// Plays the batch if its players can form a cohort; `None` if they cannot, or if they would share few games.
    pub(crate) fn run_cohorts(
        &self,
        batch: &Batch,
        key: &[u8; 32],
        context: &ExecutionContext<'_>,
    ) -> Result<Option<BatchResult>, ExecutionError> {
        /// In a league of fewer candidates, hardly any games are shared.
        const MIN_LEAGUE: usize = 4;
        let min_candidates = if batch.schedule == Schedule::League { MIN_LEAGUE } else { 2 };
        let n = batch.candidates.len();
        if !self.use_cohorts || batch.schedule.is_apart() || context.game_sink.is_some() || n < min_candidates
        {
            return Ok(None);
        }
        let in_full = batch.n_matches() <= MAX_MATCH_RESULTS;
        let resolved = ResolvedBatch::of(self, batch)?;
        let Some(units) = units(batch, &resolved) else { return Ok(None) };
        let weights: Vec<f64> = resolved.weights().iter().flatten().copied().collect();
        let Some(CohortUnit { opened, .. }) = units.first() else { return Ok(None) };
        if opened.game.cohort(&opened.template, &weights[..resolved.n_weights()]).is_none() {
            return Ok(None);
        }
        let known = context.batch_store.units(key).map_err(ExecutionError::Failed)?;
        let known =
            |unit: usize| known.iter().find(|(number, _)| *number as usize == unit).map(|(_, bytes)| bytes);
        // A thread takes a set of cohorts and gives it back, so that there are no more sets than threads.
        let idle: Mutex<Vec<Cohorts>> = Mutex::default();
        let play = |(number, unit): (usize, &CohortUnit<'_>)| {
            let n_members = n - unit.from;
            let earlier = known(number).and_then(|bytes| UnitResult::from_bytes(bytes, n_members));
            if let Some(result) = earlier {
                context.progress.add(2 * n_members as u64);
                return Ok(result);
            }
            let mut cohorts = lock(&idle).pop().unwrap_or_default();
            let result = unit.play(
                &mut cohorts,
                &weights[unit.from * resolved.n_weights()..],
                n_members,
                in_full,
                batch,
                context,
            )?;
            lock(&idle).push(cohorts);
            context.progress.add(2 * n_members as u64);
            if context.batch_store.is_due() {
                let n_games = 2 * n_members as u64;
                let stored = context.batch_store.keep_unit(key, number as u32, result.to_bytes(), n_games);
                stored.map_err(ExecutionError::Failed)?;
            }
            Ok(result)
        };
        let results =
            units.par_iter().enumerate().map(play).collect::<Result<Vec<UnitResult>, ExecutionError>>()?;
        Ok(Some(if in_full { add_in_full(batch, &results) } else { add_points(batch, &results) }))
    }
}

/// The units, opponent by opponent and start point by start point; `None` where an opponent cannot play a cohort.
fn units<'a>(batch: &'a Batch, resolved: &'a ResolvedBatch<'_>) -> Option<Vec<CohortUnit<'a>>> {
    let mut units = Vec::new();
    match &batch.schedule {
        Schedule::Matches(_) | Schedule::EveryoneApart { .. } => return None,
        Schedule::Everyone(opponents) => {
            for opponent in 0..opponents.len() {
                for (i, start_point) in batch.starts.iter().enumerate() {
                    let MatchPlayer::Builtin(opponent) = resolved.opponent(i, opponent) else { return None };
                    if !can_meet_cohort(opponent) {
                        return None;
                    }
                    units.push(CohortUnit {
                        opened: resolved.opened_game(i),
                        start_point,
                        opponent: opponent.clone(),
                        from: 0,
                    });
                }
            }
        }
        Schedule::League => {
            for a in 0..batch.candidates.len() - 1 {
                for (i, start_point) in batch.starts.iter().enumerate() {
                    let opened = resolved.opened_game(i);
                    let opponent = opened.template.with_weights(&resolved.weights()[a]);
                    units.push(CohortUnit { opened, start_point, opponent, from: a + 1 });
                }
            }
        }
    }
    Some(units)
}

/// Cohorts by game and first member; each is made once and plays all opponents.
type Cohorts = BTreeMap<(String, usize), Box<dyn AnyCohort>>;

impl CohortUnit<'_> {
    /// Plays both games of every member of the cohort.
    fn play(
        &self,
        cohorts: &mut Cohorts,
        weights: &[f64],
        n_members: usize,
        in_full: bool,
        batch: &Batch,
        context: &ExecutionContext<'_>,
    ) -> Result<UnitResult, ExecutionError> {
        // In a league each opponent plays a smaller cohort than the one before: larger cohorts are not used again.
        cohorts.retain(|(_, from), _| *from == self.from);
        let cohort = cohorts.entry((self.start_point.game.clone(), self.from)).or_insert_with(|| {
            let cohort = self.opened.game.cohort(&self.opened.template, weights);
            cohort.expect("the first unit has made a cohort of the same player")
        });
        let mut pairs = vec![[GameResult::default(); 2]; if in_full { n_members } else { 0 }];
        let mut points = vec![0.0; if in_full { 0 } else { n_members }];
        for first in 0..2 {
            let done = cohort.play(
                self.start_point,
                first,
                &self.opponent,
                context.progress,
                &mut |members, result| {
                    if in_full {
                        members.iter().for_each(|&member| pairs[member as usize][first] = *result);
                    } else {
                        let value = batch.points.of(result);
                        members.iter().for_each(|&member| points[member as usize] += value);
                    }
                },
            );
            // A search that was canceled has not chosen its move: the games do not count.
            if !done || context.progress.is_stopped() {
                return Err(ExecutionError::Stopped);
            }
        }
        Ok(if in_full { UnitResult::Pairs(pairs) } else { UnitResult::Points(points) })
    }
}

impl UnitResult {
    fn to_bytes(&self) -> Vec<u8> {
        let unit = match self {
            UnitResult::Pairs(pairs) => StoredUnit::Pairs(pairs.clone()),
            UnitResult::Points(points) => StoredUnit::Points(PackedNumbers::pack(points)),
        };
        postcard::to_stdvec(&unit).expect("results are plain data")
    }

    /// Reads a stored unit; `None` if its games were played one by one.
    fn from_bytes(bytes: &[u8], n_members: usize) -> Option<UnitResult> {
        match postcard::from_bytes(bytes).ok()? {
            StoredUnit::Pairs(pairs) if pairs.len() == n_members => Some(UnitResult::Pairs(pairs)),
            StoredUnit::Points(points) => {
                Some(points.unpack()).filter(|p| p.len() == n_members).map(UnitResult::Points)
            }
            _ => None,
        }
    }
}

/// Sums the full results of all games.
fn add_in_full(batch: &Batch, results: &[UnitResult]) -> BatchResult {
    let n_start_points = batch.starts.len();
    let pairs = |unit: usize| match &results[unit] {
        UnitResult::Pairs(pairs) => pairs.as_slice(),
        UnitResult::Points(_) => unreachable!("all units of a batch are of one kind"),
    };
    match &batch.schedule {
        Schedule::Everyone(opponents) => fold(batch, |job| {
            let (i, start_point) = (job / n_start_points, job % n_start_points);
            let (candidate, opponent) = (i / opponents.len(), i % opponents.len());
            pairs(opponent * n_start_points + start_point)[candidate]
        }),
        _ => {
            let n = batch.candidates.len();
            let pairings: Vec<(usize, usize)> =
                (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            fold(batch, |job| {
                let (a, b) = pairings[job / n_start_points];
                // The later candidate is the cohort's member: its first game is the second game of the earlier
                // candidate.
                let [first, second] = pairs(a * n_start_points + job % n_start_points)[b - a - 1];
                [crate::batch::reversed(&second), crate::batch::reversed(&first)]
            })
        }
    }
}

/// Sums points only, match by match, in the order of [`fold`].
fn add_points(batch: &Batch, results: &[UnitResult]) -> BatchResult {
    let n = batch.candidates.len();
    let mut points = vec![0.0; n];
    for match_units in results.chunks(batch.starts.len()) {
        let mut sums = vec![0.0; n];
        for unit in match_units {
            if let UnitResult::Points(unit) = unit {
                sums.iter_mut().zip(unit).for_each(|(sum, points)| *sum += points);
            }
        }
        points.iter_mut().zip(&sums).for_each(|(all, sum)| *all += sum);
    }
    BatchResult { points, match_results: Vec::new(), n_games: batch.n_games() }
}
