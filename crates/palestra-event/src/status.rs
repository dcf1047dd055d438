//! The live status of an event: progress and the games in play.
//!
//! Every worker records its moves in a slot of its own and never waits; another thread reads the slots a few times per
//! second and writes the status to the store.

use palestra_core::{Progress, ProgressPhase};
use palestra_review::live::{LiveGame, LiveStatus};
use palestra_store::RunLedger;
use palestra_tournament::{Entrant, ScheduledGame};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// Time between two writes of the status.
const WRITE_INTERVAL: Duration = Duration::from_millis(250);

/// Most games of a status: more than a viewer follows at once.
const MAX_BOARDS: usize = 16;

/// Collects the status of an event and writes it to the store.
pub struct EventStatusWriter<'a> {
    entrants: &'a [Entrant],
    slots: Vec<Mutex<WorkerGame>>,
    progress: &'a Progress,
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
    pub fn new(
        entrants: &'a [Entrant],
        progress: &'a Progress,
        n_workers: usize,
        seconds: f64,
    ) -> EventStatusWriter<'a> {
        progress.begin(ProgressPhase { name: LiveStatus::PLAYING, ..ProgressPhase::default() });
        EventStatusWriter {
            entrants,
            slots: (0..n_workers).map(|_| Mutex::default()).collect(),
            progress,
            seconds,
            began: Instant::now(),
        }
    }

    /// Starts the live record of a worker's game; dropping the recorder ends it.
    pub(crate) fn begin(
        &self,
        worker: usize,
        order: &ScheduledGame,
        opening: String,
    ) -> LiveGameRecorder<'_> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let recorder = LiveGameRecorder { slot: &self.slots[worker] };
        let mut slot = recorder.slot();
        slot.seats = Some([order.first(), order.second()]);
        slot.game.clone_from(&order.pairing.start.game);
        slot.opening = opening;
        slot.moves.clear();
        slot.since_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        drop(slot);
        recorder
    }

    /// Writes the status repeatedly while `work` runs.
    pub fn write_during<T>(&self, ledger: &RunLedger, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            // The thread ends when the sender is dropped, even if the work panics.
            let (_working, over) = mpsc::channel::<()>();
            let write = move || {
                let mut last = None;
                while over.recv_timeout(WRITE_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    let status = self.status();
                    if last.as_ref() != Some(&status) {
                        // An error of the store is reported when games are stored.
                        let _ = ledger.set_live_status(status.to_json());
                        last = Some(status);
                    }
                }
            };
            // Where the system has no thread to give, viewers see only what is kept.
            let _ = std::thread::Builder::new().spawn_scoped(scope, write);
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
        // Whole seconds, so that the time alone changes the status only once per second.
        let elapsed = (self.seconds + self.began.elapsed().as_secs_f64()).floor();
        LiveStatus { boards: boards.take(MAX_BOARDS).collect(), ..LiveStatus::of(self.progress, elapsed) }
    }
}

/// Records the moves of a game in play.
pub(crate) struct LiveGameRecorder<'a> {
    slot: &'a Mutex<WorkerGame>,
}

impl LiveGameRecorder<'_> {
    /// Records a move behind the opening.
    pub(crate) fn record_move(&self, mv: &str) {
        let mut slot = self.slot();
        if !slot.moves.is_empty() {
            slot.moves.push(' ');
        }
        slot.moves.push_str(mv);
    }

    fn slot(&self) -> MutexGuard<'_, WorkerGame> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for LiveGameRecorder<'_> {
    fn drop(&mut self) {
        self.slot().seats = None;
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
        let progress = Progress::default();
        let writer = EventStatusWriter::new(&entrants, &progress, 2, 5.0);
        assert_eq!((writer.status().of, writer.status().boards.len()), (None, 0));
        progress.set_done(3);
        progress.update(|phase| phase.total = Some(8));
        let recorder = writer.begin(1, &order(1), "4 4".to_owned());
        recorder.record_move("3");
        recorder.record_move("2");
        let status = writer.status();
        assert_eq!((status.done, status.of, status.phase.as_str()), (3, Some(8), LiveStatus::PLAYING));
        assert!(status.elapsed >= 5.0);
        let [board] = &status.boards[..] else { panic!("{status:?}") };
        assert_eq!([&*board.first, &*board.second], ["ben", "ana"], "sides are swapped in game 1");
        assert_eq!([&*board.game, &*board.opening, &*board.moves], ["connect4", "4 4", "3 2"]);
        drop(recorder);
        assert_eq!(writer.status().boards, []);
        // Nothing is left of the previous game.
        let _recorder = writer.begin(1, &order(0), String::new());
        let status = writer.status();
        assert_eq!([&*status.boards[0].opening, &*status.boards[0].moves], ["", ""]);
        assert_eq!(status.boards[0].first, "ana");
    }
}
