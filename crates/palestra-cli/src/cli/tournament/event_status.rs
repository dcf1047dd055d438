//! The live status of an event: progress and the games in play.
//!
//! Every worker records its moves in a slot of its own and never waits; another thread reads the slots a few times per
//! second and writes the status to the store.

use palestra_core::Side;
use palestra_engine::{EngineLog, GameSeat, MoveRequest, NewGame, PlayError, Reply};
use palestra_review::live::{LiveGame, LiveStatus};
use palestra_store::RunLedger;
use palestra_tournament::{Entrant, ScheduledGame, TournamentStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Time between two writes of the status.
const WRITE_INTERVAL: Duration = Duration::from_millis(250);

/// Most games of a status: more than a viewer follows at once.
const MAX_BOARDS: usize = 16;

/// Collects the status of an event and writes it to the store.
pub(super) struct EventStatusWriter<'a> {
    entrants: &'a [Entrant],
    slots: Vec<Mutex<WorkerGame>>,
    done: AtomicU64,
    of: AtomicU64,
    /// Seconds of work on the event before this start.
    seconds: f64,
    began: Instant,
}

/// The game that a worker plays.
#[derive(Default)]
struct WorkerGame {
    seats: Option<[usize; 2]>,
    game: String,
    opening: String,
    moves: String,
    since_ms: u64,
}

impl<'a> EventStatusWriter<'a> {
    /// A writer for `n_workers` workers, after `seconds` of earlier work on the event.
    pub(super) fn new(entrants: &'a [Entrant], n_workers: usize, seconds: f64) -> EventStatusWriter<'a> {
        EventStatusWriter {
            entrants,
            slots: (0..n_workers).map(|_| Mutex::default()).collect(),
            done: AtomicU64::new(0),
            of: AtomicU64::new(0),
            seconds,
            began: Instant::now(),
        }
    }

    /// Sets the number of finished and estimated games.
    pub(super) fn set_progress(&self, progress: &TournamentStatus) {
        self.done.store(progress.n_done, Ordering::Relaxed);
        self.of.store(progress.estimate, Ordering::Relaxed);
    }

    /// Starts the live record of a worker's game; dropping the recorder ends it.
    pub(super) fn begin(&self, worker: usize, order: &ScheduledGame) -> LiveGameRecorder<'_> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let recorder = LiveGameRecorder { slot: &self.slots[worker] };
        let mut slot = recorder.slot();
        slot.seats = Some([order.first(), order.second()]);
        slot.game.clone_from(&order.pairing.start.game);
        slot.opening.clear();
        slot.moves.clear();
        slot.since_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        drop(slot);
        recorder
    }

    /// Writes the status repeatedly while `work` runs.
    pub(super) fn write_during<T>(&self, ledger: &RunLedger, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            // The thread ends when the sender is dropped, even if the work panics.
            let (_working, over) = mpsc::channel::<()>();
            scope.spawn(move || {
                let mut last = None;
                while over.recv_timeout(WRITE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    let status = self.status();
                    if last.as_ref() != Some(&status) {
                        // An error of the store is reported when games are stored.
                        let _ = ledger.set_live_status(status.to_json());
                        last = Some(status);
                    }
                }
            });
            work()
        })
    }

    fn status(&self) -> LiveStatus {
        let boards = self.slots.iter().filter_map(|slot| {
            let slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
            let [first, second] = slot.seats?.map(|player| self.entrants[player].name.clone());
            Some(LiveGame {
                game: slot.game.clone(),
                first,
                second,
                opening: slot.opening.clone(),
                moves: slot.moves.clone(),
                since_ms: slot.since_ms,
            })
        });
        let of = self.of.load(Ordering::Relaxed);
        LiveStatus {
            done: self.done.load(Ordering::Relaxed),
            of: (of > 0).then_some(of),
            // Whole seconds, so that the time alone changes the status only once per second.
            elapsed: (self.seconds + self.began.elapsed().as_secs_f64()).floor(),
            phase: LiveStatus::PLAYING.to_owned(),
            boards: boards.take(MAX_BOARDS).collect(),
            ..LiveStatus::default()
        }
    }
}

/// Records the moves of a game in play.
pub(super) struct LiveGameRecorder<'a> {
    slot: &'a Mutex<WorkerGame>,
}

impl LiveGameRecorder<'_> {
    /// Records a move of a game with this opening.
    pub(super) fn record_move(&self, opening: &str, mv: &str) {
        let mut slot = self.slot();
        if slot.opening.len() != opening.len() {
            slot.opening.replace_range(.., opening);
        }
        slot.push(mv);
    }

    fn slot(&self) -> MutexGuard<'_, WorkerGame> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WorkerGame {
    fn push(&mut self, mv: &str) {
        if !self.moves.is_empty() {
            self.moves.push(' ');
        }
        self.moves.push_str(mv);
    }
}

impl Drop for LiveGameRecorder<'_> {
    fn drop(&mut self) {
        self.slot().seats = None;
    }
}

/// A seat whose game is recorded. One of the two seats is enough, because both get every move.
pub(super) struct RecordingSeat<'a> {
    pub(super) recorder: LiveGameRecorder<'a>,
    pub(super) inner: Box<dyn GameSeat + 'a>,
}

impl GameSeat for RecordingSeat<'_> {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        let opening: Vec<&str> = game.opening.iter().map(|(mv, _)| *mv).collect();
        self.recorder.slot().opening = opening.join(" ");
        self.inner.begin(game)
    }

    fn choose(
        &mut self,
        turn: &MoveRequest<'_>,
        seed: palestra_core::Seed,
    ) -> Result<(Reply, Duration), PlayError> {
        self.inner.choose(turn, seed)
    }

    fn observe(&mut self, mv: &str, by: Side, until: Instant) -> Result<(), PlayError> {
        self.recorder.slot().push(mv);
        self.inner.observe(mv, by, until)
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.inner.end(winner, is_culprit)
    }

    fn is_timed(&self) -> bool {
        self.inner.is_timed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_arena::StartPoint;
    use palestra_tournament::{GameKey, Pairing};

    fn order(game_index: usize) -> ScheduledGame {
        let start = StartPoint { game: "connect4".to_owned(), opening_plies: 2, seed: 1 };
        let players = [0, 1];
        let pairing =
            Pairing { players, start, stage: 0, round: 0, number: 0, single: false, walkover: false };
        ScheduledGame { pairing, game_index, key: GameKey([0; 32]) }
    }

    #[test]
    fn a_game_is_in_the_status_while_it_is_played() {
        let entrants = ["ana", "ben"].map(|name| Entrant { name: name.to_owned(), ..Entrant::default() });
        let writer = EventStatusWriter::new(&entrants, 2, 5.0);
        assert_eq!((writer.status().of, writer.status().boards.len()), (None, 0));
        writer.set_progress(&TournamentStatus { n_done: 3, estimate: 8, ..TournamentStatus::default() });
        let recorder = writer.begin(1, &order(1));
        recorder.record_move("4 4", "3");
        recorder.record_move("4 4", "2");
        let status = writer.status();
        assert_eq!((status.done, status.of, status.phase.as_str()), (3, Some(8), LiveStatus::PLAYING));
        assert!(status.elapsed >= 5.0);
        let [board] = &status.boards[..] else { panic!("{status:?}") };
        assert_eq!([&*board.first, &*board.second], ["ben", "ana"], "sides are swapped in game 1");
        assert_eq!([&*board.game, &*board.opening, &*board.moves], ["connect4", "4 4", "3 2"]);
        drop(recorder);
        assert_eq!(writer.status().boards, []);
        // Nothing is left of the previous game.
        let _recorder = writer.begin(1, &order(0));
        let status = writer.status();
        assert_eq!([&*status.boards[0].opening, &*status.boards[0].moves], ["", ""]);
        assert_eq!(status.boards[0].first, "ana");
    }
}
