//! What an event tells of itself while it is played: how far it is, and the games in play.
//!
//! Whoever plays notes moves in a slot of its own and never waits for anybody; a few times a second somebody else goes
//! through the slots and hands the store what is in them.

use palestra_core::Side;
use palestra_engine::{EngineLog, GameSeat, MoveRequest, NewGame, PlayError, Reply};
use palestra_review::live::{LiveGame, LiveStatus};
use palestra_store::RunLedger;
use palestra_tournament::{Entrant, ScheduledGame, TournamentStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// How often the store is told.
const OFTEN: Duration = Duration::from_millis(250);

/// Games that are told of: as many as anybody looks at.
const MOST_BOARDS: usize = 16;

/// What is going on in an event.
pub(super) struct EventStatusWriter<'a> {
    entrants: &'a [Entrant],
    slots: Vec<Mutex<WorkerGame>>,
    done: AtomicU64,
    of: AtomicU64,
    /// What was worked on it before.
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
    /// For so many workers; `seconds` were worked before.
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

    /// How far it is.
    pub(super) fn set_progress(&self, progress: &TournamentStatus) {
        self.done.store(progress.n_done, Ordering::Relaxed);
        self.of.store(progress.estimate, Ordering::Relaxed);
    }

    /// A worker begins a game that can be watched; it is over when what comes back is dropped.
    pub(super) fn begin(&self, worker: usize, order: &ScheduledGame) -> LiveGameRecorder<'_> {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let seat = LiveGameRecorder { slot: &self.slots[worker] };
        let mut slot = seat.slot();
        slot.seats = Some([order.first(), order.second()]);
        slot.game.clone_from(&order.pairing.scene.game);
        slot.opening.clear();
        slot.moves.clear();
        slot.since_ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
        drop(slot);
        seat
    }

    /// Tells the store over and over while the work is done.
    pub(super) fn write_during<T>(&self, ledger: &RunLedger, work: impl FnOnce() -> T) -> T {
        std::thread::scope(|scope| {
            // Ends with the work, however that ends.
            let (_working, over) = mpsc::channel::<()>();
            scope.spawn(move || {
                let mut told = None;
                while over.recv_timeout(OFTEN) == Err(RecvTimeoutError::Timeout) {
                    let telling = self.telling();
                    if told.as_ref() != Some(&telling) {
                        // Where the store cannot be written, the games will say so.
                        let _ = ledger.set_live_status(telling.to_json());
                        told = Some(telling);
                    }
                }
            });
            work()
        })
    }

    fn telling(&self) -> LiveStatus {
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
            // Whole seconds: time alone is news once in a second.
            elapsed: (self.seconds + self.began.elapsed().as_secs_f64()).floor(),
            phase: LiveStatus::PLAYING.to_owned(),
            boards: boards.take(MOST_BOARDS).collect(),
            ..LiveStatus::default()
        }
    }
}

/// Where the moves of a game in play are noted.
pub(super) struct LiveGameRecorder<'a> {
    slot: &'a Mutex<WorkerGame>,
}

impl LiveGameRecorder<'_> {
    /// A move was played, after these random moves.
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

/// A contestant whose game is noted as it hears of it; one of the two is enough, for both hear of every move.
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
        dice: palestra_core::Seed,
    ) -> Result<(Reply, Duration), PlayError> {
        self.inner.choose(turn, dice)
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

    fn order(half: usize) -> ScheduledGame {
        let scene = StartPoint { game: "connect4".to_owned(), opening_plies: 2, seed: 1 };
        let players = [0, 1];
        let encounter =
            Pairing { players, scene, stage: 0, round: 0, number: 0, single: false, walkover: false };
        ScheduledGame { pairing: encounter, game_index: half, key: GameKey([0; 32]) }
    }

    #[test]
    fn a_game_is_told_of_while_it_is_played() {
        let entrants = ["ana", "ben"].map(|name| Entrant { name: name.to_owned(), ..Entrant::default() });
        let teller = EventStatusWriter::new(&entrants, 2, 5.0);
        assert_eq!((teller.telling().of, teller.telling().boards.len()), (None, 0));
        teller.set_progress(&TournamentStatus { n_done: 3, estimate: 8, ..TournamentStatus::default() });
        let seat = teller.begin(1, &order(1));
        seat.record_move("4 4", "3");
        seat.record_move("4 4", "2");
        let telling = teller.telling();
        assert_eq!((telling.done, telling.of, telling.phase.as_str()), (3, Some(8), LiveStatus::PLAYING));
        assert!(telling.elapsed >= 5.0);
        let [board] = &telling.boards[..] else { panic!("{telling:?}") };
        assert_eq!([&*board.first, &*board.second], ["ben", "ana"], "sides are swapped in game 1");
        assert_eq!([&*board.game, &*board.opening, &*board.moves], ["connect4", "4 4", "3 2"]);
        drop(seat);
        assert_eq!(teller.telling().boards, []);
        // Nothing is left of the game before.
        let _seat = teller.begin(1, &order(0));
        let telling = teller.telling();
        assert_eq!([&*telling.boards[0].opening, &*telling.boards[0].moves], ["", ""]);
        assert_eq!(telling.boards[0].first, "ana");
    }
}
