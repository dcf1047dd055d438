//! Batches whose candidates are greedy players over a weighted sum: they share most of their games and play them
//! together. The result equals that of games played one by one, bit for bit.

use crate::batch::{MAX_MATCH_RESULTS, PackedNumbers, StoredUnit};
use crate::executor::{ExecutionContext, ExecutionError};
use crate::fold::{CohortFold, UnitResult};
use crate::local::{LocalExecutor, OpenedGame, lock};
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
        // A league needs the points of both players.
        let in_full = batch.schedule == Schedule::League || batch.n_matches() <= MAX_MATCH_RESULTS;
        let resolved = ResolvedBatch::of(self, batch)?;
        let weights: Vec<f64> = resolved.weights().iter().flatten().copied().collect();
        let n_units = n_units(batch);
        if n_units == 0 || !can_share(batch, &resolved) {
            return Ok(None);
        }
        let opened = resolved.opened_game(0);
        if opened.game.cohort(&opened.template, &weights[..resolved.n_weights()]).is_none() {
            return Ok(None);
        }
        let known: BTreeMap<u32, Vec<u8>> =
            context.batch_store.units(key).map_err(ExecutionError::Failed)?.into_iter().collect();
        // A thread takes a set of cohorts and gives it back, so that there are no more sets than threads.
        let idle: Mutex<Vec<Cohorts>> = Mutex::default();
        let play = |number: usize| {
            let unit = CohortUnit::of(number, batch, &resolved);
            let n_members = n - unit.from;
            let stored_number = u32::try_from(number).ok();
            let earlier = stored_number
                .and_then(|number| known.get(&number))
                .and_then(|bytes| UnitResult::from_bytes(bytes, n_members, in_full));
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
            if let Some(number) = stored_number.filter(|_| context.batch_store.is_due()) {
                let n_games = 2 * n_members as u64;
                let stored = context.batch_store.keep_unit(key, number, result.to_bytes(), n_games);
                stored.map_err(ExecutionError::Failed)?;
            }
            Ok(result)
        };
        let mut fold = CohortFold::new(batch);
        let per_piece = units_per_piece(n);
        for from in (0..n_units).step_by(per_piece) {
            let piece = (from..n_units.min(from + per_piece)).into_par_iter();
            let results = piece.map(play).collect::<Result<Vec<UnitResult>, ExecutionError>>()?;
            results.iter().for_each(|unit| fold.add(unit));
        }
        Ok(Some(fold.result()))
    }
}

/// Bytes of the results of one unit for one candidate.
pub(crate) const UNIT_BYTES: usize = size_of::<[GameResult; 2]>();

/// Bytes of results that are held at a time, where a batch has more.
pub(crate) const PIECE_BYTES: usize = if cfg!(test) { 64 * UNIT_BYTES } else { 1 << 28 };

/// Number of units of `n` candidates that are played before their results are added: enough for all threads.
fn units_per_piece(n: usize) -> usize {
    (PIECE_BYTES / (n * UNIT_BYTES)).max(rayon::current_num_threads())
}

/// Number of units: each opponent on each start point.
fn n_units(batch: &Batch) -> usize {
    match &batch.schedule {
        Schedule::Matches(_) | Schedule::EveryoneApart { .. } => 0,
        Schedule::Everyone(opponents) => opponents.len() * batch.starts.len(),
        Schedule::League => (batch.candidates.len() - 1) * batch.starts.len(),
    }
}

/// Whether all opponents can play a cohort.
fn can_share(batch: &Batch, resolved: &ResolvedBatch<'_>) -> bool {
    let can_share = |start_point: usize, opponent: usize| match resolved.opponent(start_point, opponent) {
        MatchPlayer::Builtin(opponent) => can_meet_cohort(opponent),
        MatchPlayer::External(_) => false,
    };
    let n_opponents = batch.schedule.opponents().len();
    (0..batch.starts.len()).all(|i| (0..n_opponents).all(|opponent| can_share(i, opponent)))
}

impl<'a> CohortUnit<'a> {
    /// Unit `number` of a batch: opponent by opponent, start point by start point.
    fn of(number: usize, batch: &'a Batch, resolved: &'a ResolvedBatch<'_>) -> CohortUnit<'a> {
        let (opponent, i) = (number / batch.starts.len(), number % batch.starts.len());
        let opened = resolved.opened_game(i);
        let (opponent, from) = match resolved.batch().schedule {
            Schedule::League => (opened.template.with_weights(&resolved.weights()[opponent]), opponent + 1),
            _ => match resolved.opponent(i, opponent) {
                MatchPlayer::Builtin(spec) => (spec.clone(), 0),
                MatchPlayer::External(_) => unreachable!("a program plays no cohort"),
            },
        };
        CohortUnit { opened, start_point: &batch.starts[i], opponent, from }
    }
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

    /// Reads a stored unit; `None` if its games were played one by one, or are not kept as they are needed.
    fn from_bytes(bytes: &[u8], n_members: usize, in_full: bool) -> Option<UnitResult> {
        match postcard::from_bytes(bytes).ok()? {
            StoredUnit::Pairs(pairs) if in_full && pairs.len() == n_members => Some(UnitResult::Pairs(pairs)),
            StoredUnit::Points(points) if !in_full => {
                Some(points.unpack()).filter(|p| p.len() == n_members).map(UnitResult::Points)
            }
            _ => None,
        }
    }
}
