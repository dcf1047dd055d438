//! Batches whose candidates are greedy players over a weighted sum: they share most of their games, and play them at
//! once. What comes out equals playing them one by one, to the bit.

use crate::batch::{MAX_MATCH_RESULTS, PackedNumbers, StoredUnit};
use crate::executor::{ExecutionContext, ExecutionError};
use crate::local::{LocalExecutor, OpenedGame, fold, lock};
use crate::resolved_batch::ResolvedBatch;
use crate::{Batch, BatchResult, Schedule};
use palestra_arena::{AnyCohort, GameResult, PlayerSpec, StartPoint, can_meet_cohort};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// Every candidate of a part meets one rival on one scene.
struct CohortUnit<'a> {
    room: &'a OpenedGame,
    scene: &'a StartPoint,
    rival: PlayerSpec,
    /// The first candidate who plays; all later ones do too.
    from: usize,
}

/// The two games of each candidate of a unit.
enum UnitResult {
    /// In full.
    Pairs(Vec<[GameResult; 2]>),
    /// Only the points of both together.
    Points(Vec<f64>),
}

impl LocalExecutor {
    /// Plays the batch if its players can play together; `None` if they can not, or if there is little to share.
    pub(crate) fn run_cohorts(
        &self,
        batch: &Batch,
        key: &[u8; 32],
        desk: &ExecutionContext<'_>,
    ) -> Result<Option<BatchResult>, ExecutionError> {
        /// In a league of fewer, hardly anybody shares anything.
        const SMALLEST_LEAGUE: usize = 4;
        let fewest = if batch.schedule == Schedule::League { SMALLEST_LEAGUE } else { 2 };
        let own_scenes = matches!(batch.schedule, Schedule::Matches(_));
        if !self.use_cohorts || own_scenes || desk.game_sink.is_some() || batch.candidates.len() < fewest {
            return Ok(None);
        }
        let n = batch.candidates.len();
        let in_full = batch.n_matches() <= MAX_MATCH_RESULTS;
        let field = ResolvedBatch::of(self, batch)?;
        let Some(units) = units(batch, &field) else { return Ok(None) };
        let weights: Vec<f64> = field.weights().iter().flatten().copied().collect();
        if units.is_empty()
            || units[0].room.game.cohort(&units[0].room.template, &weights[..field.n_weights()]).is_none()
        {
            return Ok(None);
        }
        let known = desk.batch_store.units(key).map_err(ExecutionError::Failed)?;
        let known =
            |unit: usize| known.iter().find(|(number, _)| *number as usize == unit).map(|(_, bytes)| bytes);
        // Whoever plays takes a set of cohorts and gives it back, so that there are no more of them than threads.
        let idle: Mutex<Vec<Cohorts>> = Mutex::default();
        let play = |(number, unit): (usize, &CohortUnit<'_>)| {
            let n_members = n - unit.from;
            let earlier = known(number).and_then(|bytes| UnitResult::from_bytes(bytes, n_members));
            if let Some(found) = earlier {
                desk.progress.advance(2 * n_members as u64);
                return Ok(found);
            }
            let mut cohorts = lock(&idle).pop().unwrap_or_default();
            let found = unit.play(
                &mut cohorts,
                &weights[unit.from * field.n_weights()..],
                n_members,
                in_full,
                batch,
                desk,
            )?;
            lock(&idle).push(cohorts);
            desk.progress.advance(2 * n_members as u64);
            if desk.batch_store.is_due() {
                let kept =
                    desk.batch_store.keep_unit(key, number as u32, found.to_bytes(), 2 * n_members as u64);
                kept.map_err(ExecutionError::Failed)?;
            }
            Ok(found)
        };
        let found =
            units.par_iter().enumerate().map(play).collect::<Result<Vec<UnitResult>, ExecutionError>>()?;
        Ok(Some(if in_full { add_in_full(batch, &found) } else { add_points(batch, &found) }))
    }
}

/// What is to be played, rival by rival and scene by scene; `None` where some rival can not meet a cohort.
fn units<'a>(batch: &'a Batch, field: &'a ResolvedBatch<'_>) -> Option<Vec<CohortUnit<'a>>> {
    let mut units = Vec::new();
    match &batch.schedule {
        Schedule::Matches(_) => return None,
        Schedule::Everyone(rivals) => {
            for rival in 0..rivals.len() {
                for (i, scene) in batch.scenes.iter().enumerate() {
                    let rival = field.rival(i, rival);
                    if !can_meet_cohort(rival) {
                        return None;
                    }
                    units.push(CohortUnit {
                        room: field.opened_game(i),
                        scene,
                        rival: rival.clone(),
                        from: 0,
                    });
                }
            }
        }
        Schedule::League => {
            for a in 0..batch.candidates.len() - 1 {
                for (i, scene) in batch.scenes.iter().enumerate() {
                    let room = field.opened_game(i);
                    let rival = room.template.with_weights(&field.weights()[a]);
                    units.push(CohortUnit { room, scene, rival, from: a + 1 });
                }
            }
        }
    }
    Some(units)
}

/// The members as they sit at each board, by game and first member: made once for all rivals.
type Cohorts = BTreeMap<(String, usize), Box<dyn AnyCohort>>;

impl CohortUnit<'_> {
    /// Plays both games of every member.
    fn play(
        &self,
        cohorts: &mut Cohorts,
        weights: &[f64],
        n_members: usize,
        in_full: bool,
        batch: &Batch,
        desk: &ExecutionContext<'_>,
    ) -> Result<UnitResult, ExecutionError> {
        // In a league everybody meets fewer than the one before: those cohorts are never used again.
        cohorts.retain(|(_, from), _| *from == self.from);
        let cohort = cohorts.entry((self.scene.game.clone(), self.from)).or_insert_with(|| {
            let cohort = self.room.game.cohort(&self.room.template, weights);
            cohort.expect("the same player as the first")
        });
        let stop = || desk.progress.should_stop();
        let mut pairs = vec![[GameResult::default(); 2]; if in_full { n_members } else { 0 }];
        let mut points = vec![0.0; if in_full { 0 } else { n_members }];
        for first in 0..2 {
            let done = cohort.play(self.scene, first, &self.rival, &stop, &mut |members, result| {
                if in_full {
                    members.iter().for_each(|&member| pairs[member as usize][first] = *result);
                } else {
                    let worth = batch.points.of(result);
                    members.iter().for_each(|&member| points[member as usize] += worth);
                }
            });
            if !done {
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

    /// Reads a unit back; `None` if it is one of jobs played one by one.
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

/// Every pair at its place.
fn add_in_full(batch: &Batch, found: &[UnitResult]) -> BatchResult {
    let n_scenes = batch.scenes.len();
    let pairs = |unit: usize| match &found[unit] {
        UnitResult::Pairs(pairs) => pairs.as_slice(),
        UnitResult::Points(_) => unreachable!("all units of a batch are of one kind"),
    };
    match &batch.schedule {
        Schedule::Everyone(rivals) => fold(batch, |job| {
            let (meeting, scene) = (job / n_scenes, job % n_scenes);
            let (candidate, rival) = (meeting / rivals.len(), meeting % rivals.len());
            pairs(rival * n_scenes + scene)[candidate]
        }),
        _ => {
            let n = batch.candidates.len();
            let couples: Vec<(usize, usize)> = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            fold(batch, |job| {
                let (a, b) = couples[job / n_scenes];
                // The later one played together with others: its first game is the earlier one's second.
                let [first, second] = pairs(a * n_scenes + job % n_scenes)[b - a - 1];
                [crate::batch::reversed(&second), crate::batch::reversed(&first)]
            })
        }
    }
}

/// Only points: meeting by meeting, as [`fold`] adds them.
fn add_points(batch: &Batch, found: &[UnitResult]) -> BatchResult {
    let n = batch.candidates.len();
    let mut points = vec![0.0; n];
    for meeting in found.chunks(batch.scenes.len()) {
        let mut sums = vec![0.0; n];
        for unit in meeting {
            if let UnitResult::Points(unit) = unit {
                sums.iter_mut().zip(unit).for_each(|(sum, points)| *sum += points);
            }
        }
        points.iter_mut().zip(&sums).for_each(|(all, sum)| *all += sum);
    }
    BatchResult { points, meetings: Vec::new(), n_games: batch.n_games() }
}
