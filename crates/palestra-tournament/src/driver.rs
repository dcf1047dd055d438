//! The loop of an event: ask the format for pairings, look games up, play the missing ones, fold the results.
//!
//! Standings fold complete pairings in the order of the schedule, never in the order in which games ended; so the
//! number of concurrent games and interruptions change nothing, and neither does quarantine, which counts forfeits in
//! that order. A game is looked up by its key before it is played and is counted only after it is stored. So resuming
//! an event is running it again, and games with the same key are played once.

use crate::entrant::Entrant;
use crate::format::Format;
use crate::key::{GameConditions, GameKey};
use crate::pairing::{Pairing, ScheduledGame};
use crate::results::TournamentResults;
use crate::runner::{GameRunner, GameStore, ResultSink, TournamentError};
use palestra_arena::GameRecord;
use palestra_core::Progress;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs an event. Results are folded in the order of the schedule, so they do not depend on the number of concurrent
/// games or on interruptions.
pub struct TournamentDriver<'a> {
    /// All entrants; pairings refer to them by index.
    pub entrants: &'a [Entrant],
    /// Conditions that all games depend on.
    pub conditions: &'a GameConditions,
    /// Plays the games.
    pub runner: &'a dyn GameRunner,
    /// Keeps the records of played games.
    pub store: &'a dyn GameStore,
    /// Counts games, and can cancel or end the event: games in flight are then finished and kept.
    pub progress: &'a Progress,
    /// Receives results as they come in.
    pub observer: &'a dyn TournamentObserver,
}

/// Receives the results of an event as they come in. All methods have defaults that do nothing.
pub trait TournamentObserver: Sync {
    /// A game was played and kept. Called as games end, which is not the order of the schedule.
    fn played(&self, scheduled: &ScheduledGame, record: &GameRecord, status: &TournamentStatus) {
        let _ = (scheduled, record, status);
    }

    /// A game is void, because Palestra or the machine failed, and is played again.
    fn voided(&self, scheduled: &ScheduledGame, why: &str) {
        let _ = (scheduled, why);
    }

    /// Results were folded, in the order of the schedule; they can be ranked for a live table.
    fn folded(&self, results: &TournamentResults, status: &TournamentStatus) {
        let _ = (results, status);
    }
}

impl TournamentObserver for () {}

/// Counts of an event in progress.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TournamentStatus {
    /// Games that are done, including those that were in the store before.
    pub n_done: u64,
    /// Games that were played by this run.
    pub n_played: u64,
    /// Estimated number of games of the whole event.
    pub estimate: u64,
    /// Number of forfeits by entrant, for entrants that have any. Counts games as they end, not in the order of the
    /// schedule.
    pub failing: BTreeMap<usize, u32>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentEnd {
    /// The format has no more pairings.
    Finished,
    /// The run was cancelled; running it again resumes it.
    Interrupted,
}

impl TournamentDriver<'_> {
    /// Runs the event to its end, or until it is cancelled. The caller passes empty `results`; afterwards, interrupted
    /// or not, they hold what was folded.
    pub fn run(
        &self,
        format: &mut dyn Format,
        results: &mut TournamentResults,
    ) -> Result<TournamentEnd, TournamentError> {
        let mut status = TournamentStatus::default();
        loop {
            status.estimate = format.estimate(results).max(status.n_done);
            self.progress.update(|phase| phase.total = Some(status.estimate));
            let pairings = format.next(results, self.progress.has_time());
            if pairings.pairings.is_empty() && pairings.byes.is_empty() {
                return Ok(TournamentEnd::Finished);
            }
            pairings.byes.into_iter().for_each(|bye| results.add_bye(bye));
            let batch = GameBatch::open(self, pairings.pairings, results, &mut status)?;
            if batch.play_all(self.runner)? == TournamentEnd::Interrupted {
                return Ok(TournamentEnd::Interrupted);
            }
        }
    }
}

/// The games of one batch of pairings, and the records that have come in.
struct GameBatch<'a> {
    store: &'a dyn GameStore,
    progress: &'a Progress,
    observer: &'a dyn TournamentObserver,
    scheduled: Vec<ScheduledGame>,
    /// Indices of scheduled games by key: games with the same key are played once.
    by_key: BTreeMap<GameKey, Vec<usize>>,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    /// By index of the scheduled game.
    records: Vec<Option<Arc<GameRecord>>>,
    /// Pairings that are not folded yet, the next one last, with the index of their first game.
    waiting: Vec<(Pairing, usize)>,
    results: &'a mut TournamentResults,
    status: &'a mut TournamentStatus,
}

impl<'a> GameBatch<'a> {
    fn open(
        driver: &'a TournamentDriver<'a>,
        pairings: Vec<Pairing>,
        results: &'a mut TournamentResults,
        status: &'a mut TournamentStatus,
    ) -> Result<GameBatch<'a>, TournamentError> {
        let mut scheduled = Vec::new();
        let mut waiting = Vec::new();
        for pairing in &pairings {
            waiting.push((pairing.clone(), scheduled.len()));
            for game_index in 0..pairing.n_games() {
                let key = GameKey::new(pairing, game_index, driver.entrants, driver.conditions);
                scheduled.push(ScheduledGame { pairing: pairing.clone(), game_index, key });
            }
        }
        waiting.reverse();
        let mut by_key: BTreeMap<GameKey, Vec<usize>> = BTreeMap::new();
        scheduled.iter().enumerate().for_each(|(i, game)| by_key.entry(game.key).or_default().push(i));
        let keys: Vec<GameKey> = scheduled.iter().map(|game| game.key).collect();
        let records = driver.store.find(&keys)?;
        let n_known = records.iter().flatten().count();
        status.n_done += n_known as u64;
        driver.progress.set_done(status.n_done);
        for (game, record) in scheduled.iter().zip(&records) {
            status.note_forfeit(game, record.as_deref());
        }
        let state = Mutex::new(State { records, waiting, results, status });
        let TournamentDriver { store, progress, observer, .. } = *driver;
        Ok(GameBatch { store, progress, observer, scheduled, by_key, state })
    }

    /// Plays the missing games until none is missing or the run is cancelled.
    fn play_all(self, runner: &dyn GameRunner) -> Result<TournamentEnd, TournamentError> {
        let mut n_before = usize::MAX;
        loop {
            self.state().fold(self.observer);
            let (missing, n_missing) = self.missing();
            if missing.is_empty() {
                return Ok(TournamentEnd::Finished);
            }
            if self.progress.is_stopped() {
                return Ok(TournamentEnd::Interrupted);
            }
            // A runner that reports nothing would keep this loop going for ever.
            if n_missing >= n_before {
                return Err(format!("{} games were scheduled and none was played", missing.len()).into());
            }
            n_before = n_missing;
            let games: Vec<ScheduledGame> = missing.iter().map(|&i| self.scheduled[i].clone()).collect();
            runner.play(&games, &BatchSink { batch: &self, indices: &missing })?;
        }
    }

    /// Indices of the games to be played, one for each key, and how many scheduled games they stand for.
    fn missing(&self) -> (Vec<usize>, usize) {
        let state = self.state();
        let is_missing =
            |i: &usize| state.records[*i].is_none() && !state.is_dropped(&self.scheduled[*i].pairing);
        let one_of_each = self.by_key.values().filter_map(|same| same.iter().copied().find(is_missing));
        let mut missing: Vec<usize> = one_of_each.collect();
        missing.sort_unstable();
        (missing, (0..self.scheduled.len()).filter(is_missing).count())
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        // The panic that poisoned the lock ends the event anyway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State<'_> {
    fn is_dropped(&self, pairing: &Pairing) -> bool {
        pairing.players.iter().any(|&player| self.results.is_quarantined(player))
    }

    /// Folds complete pairings, up to the first that is not complete.
    fn fold(&mut self, observer: &dyn TournamentObserver) {
        let mut n_folded = 0;
        while let Some((pairing, first)) = self.waiting.last() {
            let n_games = pairing.n_games();
            let records = &self.records[*first..first + n_games];
            if records.iter().any(Option::is_none) && !self.is_dropped(pairing) {
                break;
            }
            let games = [records[0].clone(), records.get(1).cloned().flatten()];
            if let Some((pairing, _)) = self.waiting.pop() {
                self.results.add(pairing, games);
                n_folded += 1;
            }
        }
        if n_folded > 0 {
            observer.folded(self.results, self.status);
        }
    }
}

/// Takes the results of the list of games that a runner was given.
struct BatchSink<'a, 'b> {
    batch: &'a GameBatch<'b>,
    /// Index in the batch of each game of the list.
    indices: &'a [usize],
}

impl ResultSink for BatchSink<'_, '_> {
    fn wants(&self, game: usize) -> bool {
        let scheduled = &self.batch.scheduled[self.indices[game]];
        !self.batch.progress.is_stopped() && !self.batch.state().is_dropped(&scheduled.pairing)
    }

    fn done(&self, game: usize, record: GameRecord) -> Result<(), TournamentError> {
        let GameBatch { store, progress, observer, scheduled, by_key, .. } = self.batch;
        let played = &scheduled[self.indices[game]];
        // Kept before it is counted: what a table shows is never lost.
        let record = store.keep(played, record)?;
        let mut state = self.batch.state();
        for &same in &by_key[&played.key] {
            state.records[same] = Some(Arc::clone(&record));
            state.status.n_done += 1;
            state.status.note_forfeit(&scheduled[same], Some(&record));
        }
        state.status.n_played += 1;
        progress.set_done(state.status.n_done);
        observer.played(played, &record, state.status);
        state.fold(*observer);
        Ok(())
    }
}

impl TournamentStatus {
    fn note_forfeit(&mut self, scheduled: &ScheduledGame, record: Option<&GameRecord>) {
        if let Some(forfeit) = record.and_then(|record| record.forfeit.as_ref()) {
            let culprit = scheduled.pairing.seats(scheduled.game_index)[forfeit.culprit.index()];
            *self.failing.entry(culprit).or_default() += 1;
        }
    }
}
