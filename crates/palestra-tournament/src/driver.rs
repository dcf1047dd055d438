//! The loop of an event: ask the format, look games up, play what is missing, fold what came of it.
//!
//! Standings fold complete pairings in the order of the schedule, never in the order in which games ended; so the
//! number of concurrent games and interruptions change nothing, and neither does quarantine, which counts failures in
//! that order. A game is looked up by its key before it is played and is counted only after it is stored. So resuming
//! an event is running it again, and games with the same key are one game.

use crate::entrant::Entrant;
use crate::format::Format;
use crate::key::{GameConditions, GameKey};
use crate::pairing::{Pairing, ScheduledGame};
use crate::record::GameRecord;
use crate::results::TournamentResults;
use crate::runner::{FinishedGame, GameRunner, GameStore, ResultSink, TournamentError};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Runs an event. Results are folded in the order of the schedule, so they are the same however many games are played at a
/// time, and whatever was interrupted.
pub struct TournamentDriver<'a> {
    /// Who takes part.
    pub entrants: &'a [Entrant],
    /// What all games depend on.
    pub conditions: &'a GameConditions,
    /// Who plays games.
    pub runner: &'a dyn GameRunner,
    /// Who keeps them.
    pub store: &'a dyn GameStore,
    /// Who looks on.
    pub progress: &'a dyn TournamentProgress,
}

/// Looks on while an event is run, and may call it off.
pub trait TournamentProgress: Sync {
    /// Whether to start more games. Once it says no, games in flight are finished and kept, and the event can go on later.
    fn go_on(&self) -> bool {
        true
    }

    /// Whether the time that a plan gives is not yet over.
    fn has_time(&self) -> bool {
        true
    }

    /// A format has asked for these encounters; so many of their games were known already.
    fn asked(&self, encounters: &[Pairing], n_known: usize) {
        let _ = (encounters, n_known);
    }

    /// A game was played and kept. Called as games end, which is not the order of the schedule.
    fn played(&self, order: &ScheduledGame, record: &GameRecord, progress: &TournamentStatus) {
        let _ = (order, record, progress);
    }

    /// Results were folded, in the order of the schedule; they may be ranked for a live table.
    fn folded(&self, results: &TournamentResults, progress: &TournamentStatus) {
        let _ = (results, progress);
    }
}

/// How far an event has come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TournamentStatus {
    /// Games that are done, those known before included.
    pub n_done: u64,
    /// Those of them that were played now.
    pub n_played: u64,
    /// About how many games there will be in all.
    pub estimate: u64,
    /// Forfeits of each entrant so far, of those who have any; in the order in which games ended.
    pub failing: BTreeMap<usize, u32>,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TournamentEnd {
    /// The format is through.
    Finished,
    /// Somebody called it off; running again goes on.
    Interrupted,
}

impl TournamentDriver<'_> {
    /// Runs the event to its end, or until it is called off. `results` are empty at the beginning; interrupted or not, they
    /// hold what was folded.
    pub fn run(
        &self,
        format: &mut dyn Format,
        results: &mut TournamentResults,
    ) -> Result<TournamentEnd, TournamentError> {
        let mut progress = TournamentStatus::default();
        loop {
            progress.estimate = format.estimate(results).max(progress.n_done);
            let pairings = format.next(results, self.progress.has_time());
            if pairings.pairings.is_empty() && pairings.byes.is_empty() {
                return Ok(TournamentEnd::Finished);
            }
            pairings.byes.into_iter().for_each(|bye| results.add_bye(bye));
            let desk = GameBatch::open(self, pairings.pairings, results, &mut progress)?;
            if desk.play_all(self.runner)? == TournamentEnd::Interrupted {
                return Ok(TournamentEnd::Interrupted);
            }
        }
    }
}

/// Where the games of one batch are counted.
struct GameBatch<'a> {
    book: &'a dyn GameStore,
    watch: &'a dyn TournamentProgress,
    orders: Vec<ScheduledGame>,
    /// Games with the same key, by it: they are one game.
    twins: BTreeMap<GameKey, Vec<usize>>,
    state: Mutex<State<'a>>,
}

struct State<'a> {
    records: Vec<Option<GameRecord>>,
    /// Encounters that are not folded yet, the next one last, with the place of their first game.
    waiting: Vec<(Pairing, usize)>,
    results: &'a mut TournamentResults,
    progress: &'a mut TournamentStatus,
}

impl<'a> GameBatch<'a> {
    fn open(
        driver: &'a TournamentDriver<'a>,
        encounters: Vec<Pairing>,
        results: &'a mut TournamentResults,
        progress: &'a mut TournamentStatus,
    ) -> Result<GameBatch<'a>, TournamentError> {
        let mut orders = Vec::new();
        let mut waiting = Vec::new();
        for encounter in &encounters {
            waiting.push((encounter.clone(), orders.len()));
            for half in 0..encounter.n_games() {
                let key = GameKey::new(encounter, half, driver.entrants, driver.conditions);
                orders.push(ScheduledGame { pairing: encounter.clone(), game_index: half, key });
            }
        }
        waiting.reverse();
        let mut twins: BTreeMap<GameKey, Vec<usize>> = BTreeMap::new();
        orders.iter().enumerate().for_each(|(i, order)| twins.entry(order.key).or_default().push(i));
        let keys: Vec<GameKey> = orders.iter().map(|order| order.key).collect();
        let records = driver.store.find(&keys)?;
        let n_known = records.iter().flatten().count();
        driver.progress.asked(&encounters, n_known);
        progress.n_done += n_known as u64;
        for (order, record) in orders.iter().zip(&records) {
            progress.note_failure(order, record.as_ref());
        }
        let state = Mutex::new(State { records, waiting, results, progress });
        Ok(GameBatch { book: driver.store, watch: driver.progress, orders, twins, state })
    }

    /// Plays what is missing, until nothing is.
    fn play_all(self, venue: &dyn GameRunner) -> Result<TournamentEnd, TournamentError> {
        let mut n_before = usize::MAX;
        loop {
            self.state().fold(self.watch);
            let (missing, n_missing) = self.missing();
            if missing.is_empty() {
                return Ok(TournamentEnd::Finished);
            }
            if !self.watch.go_on() {
                return Ok(TournamentEnd::Interrupted);
            }
            if n_missing >= n_before {
                return Err(format!("{} games were ordered and none was played", missing.len()).into());
            }
            n_before = n_missing;
            let orders: Vec<ScheduledGame> = missing.iter().map(|&i| self.orders[i].clone()).collect();
            venue.play(&orders, &BatchSink { counter: &self, places: &missing })?;
        }
    }

    /// The games to be played, one of each key, and how many places they fill.
    fn missing(&self) -> (Vec<usize>, usize) {
        let state = self.state();
        let is_missing =
            |i: &usize| state.records[*i].is_none() && !state.is_dropped(&self.orders[*i].pairing);
        let one_of_each = self.twins.values().filter_map(|twins| twins.iter().copied().find(is_missing));
        let mut missing: Vec<usize> = one_of_each.collect();
        missing.sort_unstable();
        (missing, (0..self.orders.len()).filter(is_missing).count())
    }

    fn state(&self) -> MutexGuard<'_, State<'a>> {
        // Whoever panicked while it held the state has ended the event anyway.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State<'_> {
    fn is_dropped(&self, encounter: &Pairing) -> bool {
        encounter.players.iter().any(|&player| self.results.is_quarantined(player))
    }

    /// Folds the encounters that are complete, up to the first that is not.
    fn fold(&mut self, watch: &dyn TournamentProgress) {
        let mut n_folded = 0;
        while let Some((encounter, place)) = self.waiting.last() {
            let n_games = encounter.n_games();
            let records = &self.records[*place..place + n_games];
            if records.iter().any(Option::is_none) && !self.is_dropped(encounter) {
                break;
            }
            let games = [records[0].clone(), records.get(1).cloned().flatten()];
            if let Some((encounter, _)) = self.waiting.pop() {
                self.results.add(encounter, games);
                n_folded += 1;
            }
        }
        if n_folded > 0 {
            watch.folded(self.results, self.progress);
        }
    }
}

/// The list a venue works on.
struct BatchSink<'a, 'b> {
    counter: &'a GameBatch<'b>,
    /// Which orders the list has.
    places: &'a [usize],
}

impl ResultSink for BatchSink<'_, '_> {
    fn wants(&self, game: usize) -> bool {
        let order = &self.counter.orders[self.places[game]];
        self.counter.watch.go_on() && !self.counter.state().is_dropped(&order.pairing)
    }

    fn done(&self, game: usize, finished: FinishedGame) -> Result<(), TournamentError> {
        let GameBatch { book, watch, orders, twins, .. } = self.counter;
        let order = &orders[self.places[game]];
        // Kept before it is counted: what a table shows is never lost.
        book.keep(order, &finished)?;
        let mut state = self.counter.state();
        for &twin in &twins[&order.key] {
            state.records[twin] = Some(finished.record.clone());
            state.progress.n_done += 1;
            state.progress.note_failure(&orders[twin], Some(&finished.record));
        }
        state.progress.n_played += 1;
        watch.played(order, &finished.record, state.progress);
        state.fold(*watch);
        Ok(())
    }
}

impl TournamentStatus {
    fn note_failure(&mut self, order: &ScheduledGame, record: Option<&GameRecord>) {
        if let Some(forfeit) = record.and_then(|record| record.forfeit.as_ref()) {
            let culprit = order.pairing.seats(order.game_index)[forfeit.culprit.index()];
            *self.failing.entry(culprit).or_default() += 1;
        }
    }
}
