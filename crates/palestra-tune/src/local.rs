//! Batches played by the threads of this process.
//!
//! A finished batch is taken from the batch store by its key. Otherwise greedy candidates with weighted sums play
//! together (`cohorts`), all others one by one (`resolved_batch` cuts the batch into jobs), and finished parts are
//! stored as they come. Both ways add results in the same order, so the bytes are the same.

use crate::batch::{MAX_MATCH_RESULTS, StoredUnit};
use crate::executor::{
    ExecutionContext, ExecutionError, Executor, RecordedGame, SelfPlayTask, TestSuiteTask,
};
use crate::resolved_batch::{JobPlayer, PairJob, ResolvedBatch};
use crate::{Batch, BatchResult, MatchResult, Schedule};
use palestra_arena::{
    AnyGame, AnyMatch, Catalog, GameResult, PlayerSpec, SelfPlayGame, StartPoint, TestSuite,
};
use palestra_core::InputError;
use palestra_search::Stopwatch;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The executor of this process. Make it where it will be used: it keeps a shelf of boards for each of rayon's threads.
pub struct LocalExecutor {
    catalog: &'static Catalog,
    /// Whether players that share games may play them together.
    pub(crate) use_cohorts: bool,
    rooms: Mutex<BTreeMap<(String, String), Arc<OpenedGame>>>,
    shelves: Vec<Mutex<MatchCache>>,
    exams: Mutex<BTreeMap<String, Arc<dyn TestSuite>>>,
}

/// A game, and the player whose weights are looked for, on it.
pub(crate) struct OpenedGame {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) template: PlayerSpec,
}

/// Boards with two players each, by game and players.
type MatchCache = BTreeMap<Arc<str>, Box<dyn AnyMatch>>;

/// Jobs that one thread takes at a time.
const CHUNK: usize = 32;

impl LocalExecutor {
    /// Plays the games of this catalog; `together` lets players that share games play them at once.
    pub fn new(catalog: &'static Catalog, together: bool) -> LocalExecutor {
        let shelves = (0..rayon::current_num_threads().max(1)).map(|_| Mutex::default()).collect();
        LocalExecutor {
            catalog,
            use_cohorts: together,
            rooms: Mutex::default(),
            shelves,
            exams: Mutex::default(),
        }
    }

    /// The game of that name with the template on it; opened once.
    pub(crate) fn opened_game(&self, game: &str, template: &str) -> Result<Arc<OpenedGame>, InputError> {
        let key = (game.to_owned(), template.to_owned());
        if let Some(room) = lock(&self.rooms).get(&key) {
            return Ok(Arc::clone(room));
        }
        let opened = self.catalog.open(game)?;
        let template = opened.tunable_player(template)?.spec;
        let room = Arc::new(OpenedGame { game: opened, template });
        lock(&self.rooms).insert(key, Arc::clone(&room));
        Ok(room)
    }

    /// Plays both games of a job on a board of this thread.
    fn play(
        &self,
        (key, number): (&[u8; 32], usize),
        (room, job): (&OpenedGame, PairJob<'_>),
        desk: &ExecutionContext<'_>,
    ) -> Result<[GameResult; 2], ExecutionError> {
        let [a, b] = &job.players;
        let shelf = &self.shelves[rayon::current_thread_index().unwrap_or(0) % self.shelves.len()];
        // Taken off the shelf while it is used: a player may share its work among threads, and this one may be given
        // another game meanwhile.
        let found = lock(shelf).remove(job.board);
        let mut table = found.unwrap_or_else(|| {
            let spec = |seat: &JobPlayer<'_>| match seat {
                JobPlayer::Candidate(_) => room.template.clone(),
                JobPlayer::Rival(spec) => (*spec).clone(),
            };
            room.game.new_match([&spec(a), &spec(b)])
        });
        for (i, seat) in job.players.iter().enumerate() {
            if let JobPlayer::Candidate(weights) = seat {
                table.reweigh(i, weights);
            }
        }
        let mut results = [GameResult::default(); 2];
        for (first, result) in results.iter_mut().enumerate() {
            let watch = desk.game_sink.map(|_| Stopwatch::start());
            *result = table.play(job.start_point, first);
            if let Some(keeper) = desk.game_sink {
                let specs = job.players.map(|seat| match seat {
                    JobPlayer::Candidate(weights) => room.template.with_weights(weights),
                    JobPlayer::Rival(spec) => spec.clone(),
                });
                let game = RecordedGame {
                    number: 2 * number as u64 + first as u64,
                    start_point: job.start_point,
                    players: if first == 0 { [&specs[0], &specs[1]] } else { [&specs[1], &specs[0]] },
                    text: table.last(),
                    time: watch.and_then(|watch| watch.elapsed()),
                };
                keeper.keep(key, &game).map_err(ExecutionError::Failed)?;
            }
        }
        lock(shelf).insert(Arc::clone(job.board), table);
        Ok(results)
    }

    /// One job after the other, shared among threads in chunks; parts that were finished earlier are not played again.
    fn run_one_by_one(
        &self,
        batch: &Batch,
        key: &[u8; 32],
        desk: &ExecutionContext<'_>,
    ) -> Result<BatchResult, ExecutionError> {
        let field = ResolvedBatch::of(self, batch)?;
        let n_jobs = field.n_jobs();
        let mut done: Vec<Option<[GameResult; 2]>> = vec![None; n_jobs];
        for (from, bytes) in desk.batch_store.units(key).map_err(ExecutionError::Failed)? {
            let Ok(StoredUnit::Jobs(results)) = postcard::from_bytes(&bytes) else { continue };
            for (i, result) in results.into_iter().enumerate() {
                if let Some(slot) = done.get_mut(from as usize + i) {
                    *slot = Some(result);
                }
            }
        }
        desk.progress.advance(2 * done.iter().flatten().count() as u64);
        done.par_chunks_mut(CHUNK).enumerate().try_for_each(|(chunk, slots)| {
            let mut kept = 0;
            for i in 0..slots.len() {
                if slots[i].is_none() {
                    if desk.progress.should_stop() {
                        keep_some(desk, key, chunk * CHUNK, slots, kept)?;
                        return Err(ExecutionError::Stopped);
                    }
                    let number = chunk * CHUNK + i;
                    slots[i] = Some(self.play((key, number), field.job(number), desk)?);
                    desk.progress.advance(2);
                }
                if desk.batch_store.is_due() {
                    keep_some(desk, key, chunk * CHUNK, &slots[..=i], kept)?;
                    kept = i + 1;
                }
            }
            // Whoever finishes a chunk while others work leaves it where a later run can find it.
            if n_jobs > CHUNK { keep_some(desk, key, chunk * CHUNK, slots, kept) } else { Ok(()) }
        })?;
        let done: Vec<[GameResult; 2]> = done.into_iter().flatten().collect();
        Ok(fold(batch, |job| done[job]))
    }
}

/// Writes down the results of a chunk from `kept` on, as far as they go.
fn keep_some(
    desk: &ExecutionContext<'_>,
    key: &[u8; 32],
    start: usize,
    slots: &[Option<[GameResult; 2]>],
    kept: usize,
) -> Result<(), ExecutionError> {
    let results: Vec<[GameResult; 2]> = slots[kept..].iter().map_while(|slot| *slot).collect();
    if results.is_empty() {
        return Ok(());
    }
    let n_games = 2 * results.len() as u64;
    let bytes = postcard::to_stdvec(&StoredUnit::Jobs(results)).expect("results are plain data");
    desk.batch_store.keep_unit(key, (start + kept) as u32, bytes, n_games).map_err(ExecutionError::Failed)
}

/// Adds the pairs of games up, in the order of the jobs: meeting by meeting, scene by scene.
pub(crate) fn fold(batch: &Batch, pair: impl Fn(usize) -> [GameResult; 2]) -> BatchResult {
    let n = batch.candidates.len();
    let mut result = BatchResult { points: vec![0.0; n], meetings: Vec::new(), n_games: batch.n_games() };
    let keep = batch.n_matches() <= MAX_MATCH_RESULTS;
    let mut job = 0;
    let mut add = |result: &mut BatchResult, a: usize, b: Option<usize>, n_scenes: usize| {
        let mut meeting = MatchResult::default();
        for _ in 0..n_scenes {
            meeting.add(&pair(job), batch.points);
            job += 1;
        }
        result.points[a] += meeting.points;
        if let Some(b) = b {
            result.points[b] += meeting.other_points;
        }
        if keep {
            result.meetings.push(meeting);
        }
    };
    let n_scenes = batch.scenes.len();
    match &batch.schedule {
        Schedule::Everyone(rivals) => {
            (0..n).for_each(|a| rivals.iter().for_each(|_| add(&mut result, a, None, n_scenes)));
        }
        Schedule::League => {
            (0..n).for_each(|a| (a + 1..n).for_each(|b| add(&mut result, a, Some(b), n_scenes)));
        }
        Schedule::Matches(matches) => {
            for m in matches {
                add(&mut result, m.a as usize, Some(m.b as usize), (m.to - m.from) as usize);
            }
        }
    }
    result
}

impl Executor for LocalExecutor {
    fn run(&self, batch: &Batch, desk: &ExecutionContext<'_>) -> Result<BatchResult, ExecutionError> {
        let key = batch.key();
        let known = desk.batch_store.finished(&key).map_err(ExecutionError::Failed)?;
        if let Some(result) = known.as_deref().and_then(BatchResult::from_bytes) {
            desk.progress.advance(batch.n_games());
            return Ok(result);
        }
        let result = match self.run_cohorts(batch, &key, desk)? {
            Some(result) => result,
            None => self.run_one_by_one(batch, &key, desk)?,
        };
        desk.batch_store.finish(&key, result.to_bytes(), batch.n_games()).map_err(ExecutionError::Failed)?;
        Ok(result)
    }

    fn self_play(
        &self,
        task: &SelfPlayTask,
        desk: &ExecutionContext<'_>,
    ) -> Result<Vec<SelfPlayGame>, ExecutionError> {
        let bytes = postcard::to_stdvec(&("self-play 1", task)).expect("a task is plain data");
        let key = *blake3::hash(&bytes).as_bytes();
        let known = desk.batch_store.finished(&key).map_err(ExecutionError::Failed)?;
        if let Some(traces) = known.and_then(|bytes| postcard::from_bytes::<Vec<SelfPlayGame>>(&bytes).ok()) {
            desk.progress.advance(traces.len() as u64);
            return Ok(traces);
        }
        let play = |scene: &StartPoint| {
            if desk.progress.should_stop() {
                return Err(ExecutionError::Stopped);
            }
            let room = self.opened_game(&scene.game, &task.template)?;
            let player = room.template.with_weights(&task.weights);
            let trace = room.game.self_play(&player, scene).ok_or_else(|| {
                let expected = "a weighted sum of features, which regression needs";
                InputError::new("player", task.template.clone(), expected)
            })?;
            desk.progress.advance(1);
            Ok(trace)
        };
        let traces =
            task.scenes.par_iter().map(play).collect::<Result<Vec<SelfPlayGame>, ExecutionError>>()?;
        let bytes = postcard::to_stdvec(&traces).expect("traces are plain data");
        desk.batch_store.finish(&key, bytes, traces.len() as u64).map_err(ExecutionError::Failed)?;
        Ok(traces)
    }

    fn run_test_suite(
        &self,
        task: &TestSuiteTask,
        desk: &ExecutionContext<'_>,
    ) -> Result<Vec<Vec<(f64, f64)>>, ExecutionError> {
        let room = self.opened_game(&task.game, &task.template)?;
        let key = format!("{} {:?}", task.game, task.plan);
        let known = lock(&self.exams).get(&key).cloned();
        let exam = match known {
            Some(exam) => exam,
            None => {
                let exam: Arc<dyn TestSuite> = room.game.test_suite(&task.plan, desk.progress)?.into();
                if desk.progress.should_stop() {
                    return Err(ExecutionError::Stopped);
                }
                lock(&self.exams).insert(key, Arc::clone(&exam));
                exam
            }
        };
        let mark = |weights: &Vec<f64>| {
            if desk.progress.should_stop() {
                return Err(ExecutionError::Stopped);
            }
            Ok(exam.answers(&room.template.with_weights(weights)))
        };
        task.candidates.par_iter().map(mark).collect()
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A thread that panicked has left nothing half done here: entries are inserted whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
