//! Batches played by the threads of this process.
//!
//! A finished batch is taken from the batch store by its key. Otherwise greedy candidates with weighted sums play
//! together (`cohorts`), all others one by one (`resolved_batch` divides the batch into jobs), and finished parts are
//! stored as they come. Both add results in the same order, so the bytes are the same.

use crate::batch::StoredUnit;
use crate::executor::{
    ExecutionContext, ExecutionError, Executor, RecordedGame, SelfPlayTask, TestSuiteTask,
};
use crate::fold::JobFold;
use crate::resolved_batch::{JobPlayer, PairJob, ResolvedBatch};
use crate::{Batch, BatchResult};
use palestra_arena::{
    AnyGame, AnyMatch, Catalog, Forfeit, GameRecord, GameResult, MatchPlayer, PlayerSpec, SelfPlayGame,
    StartPoint, TestSuite, VoidGame, play_until_it_counts, run_jobs,
};
use palestra_core::InputError;
use palestra_search::Stopwatch;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex, PoisonError};

/// Plays batches on the threads of this process. Create it inside the rayon pool that runs it: it keeps one cache of
/// matches for each thread of the current pool.
pub struct LocalExecutor {
    catalog: &'static Catalog,
    /// Whether candidates that share games may play them together, as a cohort.
    pub(crate) use_cohorts: bool,
    opened_games: Mutex<BTreeMap<(String, String), Arc<OpenedGame>>>,
    match_caches: Vec<Mutex<MatchCache>>,
    test_suites: Mutex<BTreeMap<String, Arc<dyn TestSuite>>>,
    programs: BTreeMap<String, OpponentProgram>,
}

/// An external program that candidates play against.
#[derive(Clone, Debug)]
pub struct OpponentProgram {
    /// The program as a player.
    pub player: MatchPlayer,
    /// Hash of its content, its clock and its limits: stored results are those of this program.
    pub key: [u8; 32],
}

/// A game, and the player without weights as that game parses it.
pub(crate) struct OpenedGame {
    pub(crate) game: Box<dyn AnyGame>,
    pub(crate) template: PlayerSpec,
}

/// Matches between two players, by game and players.
type MatchCache = BTreeMap<Arc<str>, Box<dyn AnyMatch>>;

/// Number of jobs that one thread takes at a time.
const CHUNK: usize = 32;

/// Number of jobs whose results are held at a time: about 150 MB. A multiple of [`CHUNK`], so that no stored part has
/// jobs of two pieces.
pub(crate) const JOBS_PER_PIECE: usize = if cfg!(test) { 2 * CHUNK } else { 1 << 20 };

impl LocalExecutor {
    /// An executor for the games of `catalog`; `use_cohorts` lets candidates that share games play them together.
    pub fn new(catalog: &'static Catalog, use_cohorts: bool) -> LocalExecutor {
        let match_caches = (0..rayon::current_num_threads().max(1)).map(|_| Mutex::default()).collect();
        LocalExecutor {
            catalog,
            use_cohorts,
            opened_games: Mutex::default(),
            match_caches,
            test_suites: Mutex::default(),
            programs: BTreeMap::new(),
        }
    }

    /// The same executor for opponents that are external programs, by their player strings.
    #[must_use]
    pub fn with_programs(self, programs: BTreeMap<String, OpponentProgram>) -> LocalExecutor {
        LocalExecutor { programs, ..self }
    }

    /// Number of matches that are kept for later jobs.
    #[cfg(test)]
    pub(crate) fn n_cached_matches(&self) -> usize {
        self.match_caches.iter().map(|cache| lock(cache).len()).sum()
    }

    /// The opponent with this player string on a game.
    pub(crate) fn opponent(&self, game: &dyn AnyGame, text: &str) -> Result<MatchPlayer, InputError> {
        match self.programs.get(text) {
            Some(program) => Ok(program.player.clone()),
            None => Ok(game.player(text)?.into()),
        }
    }

    /// The external programs that a batch needs.
    fn programs_of(&self, batch: &Batch) -> Vec<&OpponentProgram> {
        batch.schedule.opponents().iter().filter_map(|name| self.programs.get(name)).collect()
    }

    /// The key of a batch: with programs also of their content, because the batch has only their commands.
    fn key(&self, batch: &Batch) -> [u8; 32] {
        let programs = self.programs_of(batch);
        if programs.is_empty() {
            return batch.key();
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&batch.key());
        for program in programs {
            hasher.update(&program.key);
        }
        *hasher.finalize().as_bytes()
    }

    /// The game `game` with the player `template`; opened once, then cached.
    pub(crate) fn opened_game(&self, game: &str, template: &str) -> Result<Arc<OpenedGame>, InputError> {
        let key = (game.to_owned(), template.to_owned());
        if let Some(opened) = lock(&self.opened_games).get(&key) {
            return Ok(Arc::clone(opened));
        }
        let game = self.catalog.open(game)?;
        let template = game.tunable_player(template)?.spec;
        let opened = Arc::new(OpenedGame { game, template });
        lock(&self.opened_games).insert(key, Arc::clone(&opened));
        Ok(opened)
    }

    /// Plays both games of a job with a cached match of this thread.
    fn play(
        &self,
        (key, number): (&[u8; 32], usize),
        (opened, job): (&OpenedGame, PairJob<'_>),
        context: &ExecutionContext<'_>,
    ) -> Result<[GameResult; 2], ExecutionError> {
        let cache = &self.match_caches[rayon::current_thread_index().unwrap_or(0) % self.match_caches.len()];
        // The match is taken out of the cache while it is used: a player may divide its work among threads, and rayon
        // may then give this thread another job with the same key.
        let cached = lock(cache).remove(job.match_key);
        let mut open_match = cached.unwrap_or_else(|| {
            opened.game.new_match(job.players.map(|player| match player {
                JobPlayer::Candidate(_) => MatchPlayer::from(&opened.template),
                JobPlayer::Opponent(opponent) => opponent.clone(),
            }))
        });
        for (i, player) in job.players.iter().enumerate() {
            if let JobPlayer::Candidate(weights) = player {
                open_match.reweigh(i, weights);
            }
        }
        let voided = |_: &VoidGame| match context.progress.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let mut results = [GameResult::default(); 2];
        for (first, result) in results.iter_mut().enumerate() {
            let stopwatch = context.game_sink.map(|_| Stopwatch::start());
            let play = || {
                let result = open_match.play(job.start_point, first)?;
                match job.players {
                    [_, JobPlayer::Opponent(opponent @ MatchPlayer::External(_))] => {
                        refuse_forfeit(opponent, open_match.record()).map(|()| result)
                    }
                    _ => Ok(result),
                }
            };
            let played = play_until_it_counts(play, voided)?;
            // A search that was canceled has not chosen its move: the game does not count.
            *result = played.filter(|_| !context.progress.is_stopped()).ok_or(ExecutionError::Stopped)?;
            if let Some(sink) = context.game_sink {
                let time = stopwatch.and_then(|stopwatch| stopwatch.elapsed());
                let players = job.players.map(|player| match player {
                    JobPlayer::Candidate(weights) => opened.template.with_weights(weights).into(),
                    JobPlayer::Opponent(opponent) => opponent.clone(),
                });
                let game = RecordedGame {
                    number: 2 * number as u64 + first as u64,
                    start_point: job.start_point,
                    players: [&players[first], &players[1 - first]],
                    record: GameRecord {
                        microseconds: time.map(|time| time.as_micros() as u64),
                        ..open_match.record()
                    },
                };
                sink.keep(key, &game).map_err(ExecutionError::Failed)?;
            }
        }
        lock(cache).insert(Arc::clone(job.match_key), open_match);
        Ok(results)
    }

    /// Plays one job after the other, divided among threads in chunks; stored parts are not played again.
    fn run_one_by_one(
        &self,
        batch: &Batch,
        key: &[u8; 32],
        context: &ExecutionContext<'_>,
    ) -> Result<BatchResult, ExecutionError> {
        let resolved = ResolvedBatch::of(self, batch)?;
        let n_jobs = resolved.n_jobs();
        let known: BTreeMap<u32, Vec<u8>> =
            context.batch_store.units(key).map_err(ExecutionError::Failed)?.into_iter().collect();
        let mut fold = JobFold::new(batch);
        for from in (0..n_jobs).step_by(JOBS_PER_PIECE) {
            let jobs = from..n_jobs.min(from + JOBS_PER_PIECE);
            for pair in self.run_jobs_of(&resolved, jobs, (key, &known), context)? {
                fold.add(&pair);
            }
        }
        Ok(fold.result())
    }

    /// Plays these jobs of a batch with this key, of which some are `known` by the number of their first job.
    fn run_jobs_of(
        &self,
        resolved: &ResolvedBatch<'_>,
        jobs: Range<usize>,
        (key, known): (&[u8; 32], &BTreeMap<u32, Vec<u8>>),
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<[GameResult; 2]>, ExecutionError> {
        let (from, n_jobs) = (jobs.start, jobs.len());
        let mut done: Vec<Option<[GameResult; 2]>> = vec![None; n_jobs];
        let numbers =
            u32::try_from(jobs.start).ok().map(|start| start..=u32::try_from(jobs.end).unwrap_or(u32::MAX));
        for (&number, bytes) in numbers.into_iter().flat_map(|numbers| known.range(numbers)) {
            let Ok(StoredUnit::Jobs(results)) = postcard::from_bytes(bytes) else { continue };
            for (i, result) in results.into_iter().enumerate() {
                if let Some(slot) = done.get_mut(number as usize - from + i) {
                    *slot = Some(result);
                }
            }
        }
        context.progress.add(2 * done.iter().flatten().count() as u64);
        // Games with a program take long: each is stored, and threads share them one by one.
        let chunk_length = if self.programs_of(resolved.batch()).is_empty() { CHUNK } else { 1 };
        let is_one_chunk = resolved.n_jobs() <= chunk_length;
        let chunks = run_jobs(
            n_jobs.div_ceil(chunk_length),
            |_| (),
            |(), chunk| {
                let start = chunk * chunk_length;
                let known = &done[start..n_jobs.min(start + chunk_length)];
                let mut results = Vec::with_capacity(chunk_length);
                let mut kept = 0;
                for (i, known) in known.iter().enumerate() {
                    let number = from + start + i;
                    let played = match known {
                        Some(result) => Ok(*result),
                        None if context.progress.is_stopped() => Err(ExecutionError::Stopped),
                        None => self.play((key, number), resolved.job(number), context),
                    };
                    if let Err(ExecutionError::Stopped) = played {
                        store_results(context, key, from + start + kept, &results[kept..])?;
                    }
                    results.push(played?);
                    context.progress.add(if known.is_none() { 2 } else { 0 });
                    if context.batch_store.is_due() {
                        store_results(context, key, from + start + kept, &results[kept..])?;
                        kept = results.len();
                    }
                }
                // A finished chunk is stored while other chunks are played, so that a later run finds it. A batch of
                // one chunk is stored as a whole a moment later.
                if !is_one_chunk {
                    store_results(context, key, from + start + kept, &results[kept..])?;
                }
                Ok::<_, ExecutionError>(Some(results))
            },
        )?;
        Ok(chunks.into_iter().flatten().flatten().collect())
    }
}

/// A game that the opponent lost by a failure counts as void: a program that crashes is no measure of a candidate.
fn refuse_forfeit(opponent: &MatchPlayer, record: GameRecord) -> Result<(), VoidGame> {
    match record.forfeit {
        Some(Forfeit { kind, detail, .. }) => {
            Err(VoidGame(format!("the opponent {opponent} failed: {kind}: {detail}")))
        }
        None => Ok(()),
    }
}

/// Stores the results of consecutive jobs.
fn store_results(
    context: &ExecutionContext<'_>,
    key: &[u8; 32],
    first_job: usize,
    results: &[[GameResult; 2]],
) -> Result<(), ExecutionError> {
    if results.is_empty() {
        return Ok(());
    }
    // The store numbers parts with 32 bits: later ones of larger batches are played again after an interruption.
    let Ok(number) = u32::try_from(first_job) else { return Ok(()) };
    let bytes = postcard::to_stdvec(&StoredUnit::Jobs(results.to_vec())).expect("results are plain data");
    let stored = context.batch_store.keep_unit(key, number, bytes, 2 * results.len() as u64);
    stored.map_err(ExecutionError::Failed)
}

impl Executor for LocalExecutor {
    fn run(&self, batch: &Batch, context: &ExecutionContext<'_>) -> Result<BatchResult, ExecutionError> {
        let key = self.key(batch);
        if context.progress.is_stopped() {
            return Err(ExecutionError::Stopped);
        }
        let known = context.batch_store.finished(&key).map_err(ExecutionError::Failed)?;
        if let Some(result) =
            known.as_deref().and_then(BatchResult::from_bytes).filter(|result| result.fits(batch))
        {
            context.progress.add(batch.n_games());
            return Ok(result);
        }
        let result = match self.run_cohorts(batch, &key, context)? {
            Some(result) => result,
            None => self.run_one_by_one(batch, &key, context)?,
        };
        let stored = context.batch_store.finish(&key, result.to_bytes(), batch.n_games());
        stored.map_err(ExecutionError::Failed)?;
        Ok(result)
    }

    fn self_play(
        &self,
        task: &SelfPlayTask,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<SelfPlayGame>, ExecutionError> {
        let bytes = postcard::to_stdvec(&("self-play 1", task)).expect("a task is plain data");
        let key = *blake3::hash(&bytes).as_bytes();
        let known = context.batch_store.finished(&key).map_err(ExecutionError::Failed)?;
        let known = known.and_then(|bytes| postcard::from_bytes::<Vec<SelfPlayGame>>(&bytes).ok());
        if let Some(games) = known.filter(|games| games.len() == task.starts.len()) {
            context.progress.add(games.len() as u64);
            return Ok(games);
        }
        let play = |start_point: &StartPoint| {
            if context.progress.is_stopped() {
                return Err(ExecutionError::Stopped);
            }
            let opened = self.opened_game(&start_point.game, &task.template)?;
            let player = opened.template.with_weights(&task.weights);
            let game = opened.game.self_play(&player, start_point).ok_or_else(|| {
                let expected = "a player that weighs features, for the method regression";
                InputError::new("player", task.template.clone(), expected)
            })?;
            if context.progress.is_stopped() {
                return Err(ExecutionError::Stopped);
            }
            context.progress.add(1);
            Ok(game)
        };
        let games =
            task.starts.par_iter().map(play).collect::<Result<Vec<SelfPlayGame>, ExecutionError>>()?;
        let bytes = postcard::to_stdvec(&games).expect("games are plain data");
        context.batch_store.finish(&key, bytes, games.len() as u64).map_err(ExecutionError::Failed)?;
        Ok(games)
    }

    fn run_test_suite(
        &self,
        task: &TestSuiteTask,
        context: &ExecutionContext<'_>,
    ) -> Result<Vec<Vec<(f64, f64)>>, ExecutionError> {
        let opened = self.opened_game(&task.game, &task.template)?;
        let key = format!("{} {:?}", task.game, task.plan);
        let known = lock(&self.test_suites).get(&key).cloned();
        let suite = match known {
            Some(suite) => suite,
            None => {
                // Positions are no games, which the progress counts.
                let positions = context.progress.part();
                let suite: Arc<dyn TestSuite> = opened.game.test_suite(&task.plan, &positions)?.into();
                if context.progress.is_stopped() {
                    return Err(ExecutionError::Stopped);
                }
                lock(&self.test_suites).insert(key, Arc::clone(&suite));
                suite
            }
        };
        let answer = |weights: &Vec<f64>| {
            if context.progress.is_stopped() {
                return Err(ExecutionError::Stopped);
            }
            let answers = suite.answers(&opened.template.with_weights(weights), context.progress);
            if context.progress.is_stopped() { Err(ExecutionError::Stopped) } else { Ok(answers) }
        };
        task.candidates.par_iter().map(answer).collect()
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A panic cannot leave a map half changed here: entries are inserted and removed whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
