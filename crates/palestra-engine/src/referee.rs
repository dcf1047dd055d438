//! One game between engines of any kind. The referee applies the rules: which side is to move, which moves are legal,
//! when the game is over.
//!
//! A protocol only translates, and a program's statements about the rules are ignored. A fault costs the program the
//! game. A failure of Palestra or of the machine makes the game void, and it is played again.

use crate::clock::{GameClock, TimeControl};
use crate::fault::{Fault, FaultKind};
use crate::process::LogLine;
use crate::protocol::{MoveRequest, NewGame, RESIGN, Reply};
use palestra_arena::{AnyGame, StartPoint};
use palestra_core::{InputError, Seed, Side};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// One side of a refereed game: an external engine, a pooled engine or a built-in player.
pub trait GameSeat: Send {
    /// Starts a new game.
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError>;

    /// Chooses a move; returns it with the time that its clock is charged. `seed` is for random choices of this move.
    fn choose(&mut self, turn: &MoveRequest<'_>, seed: Seed) -> Result<(Reply, Duration), PlayError>;

    /// Takes note of a move, by this engine or its opponent. A protocol that requires an answer waits for it until
    /// `until`.
    fn observe(&mut self, mv: &str, by: Side, until: Instant) -> Result<(), PlayError>;

    /// Ends the game. `is_culprit` means that the game ended because of this engine, whose process is then not kept.
    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog;

    /// Whether the clock is enforced; built-in players limit themselves.
    fn is_timed(&self) -> bool;
}

/// Why an engine cannot continue a game.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayError {
    /// A fault of the engine: it loses the game.
    Fault(Fault),
    /// A failure of Palestra or the machine: the game is void and played again.
    Internal(String),
}

impl From<Fault> for PlayError {
    fn from(fault: Fault) -> PlayError {
        PlayError::Fault(fault)
    }
}

/// A move that a built-in player or the referee made and the rules refuse is an internal error.
impl From<InputError> for PlayError {
    fn from(bad: InputError) -> PlayError {
        PlayError::Internal(bad.to_string())
    }
}

/// What is kept of an engine after a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EngineLog {
    /// The end of what it wrote to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The lines that were sent and received.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<LogLine>,
    /// Deviations that are not faults, such as a process that had to be killed at its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct RefereedGame {
    /// Random moves before the players took over, separated by blanks.
    pub opening: String,
    /// The players' moves, in the notation of the rules.
    pub moves: Vec<String>,
    /// The side that played each move.
    pub movers: Vec<Side>,
    /// The time charged for each move, in microseconds.
    pub micros: Vec<u64>,
    /// The time charged to each side in the whole game, in microseconds.
    pub used: [u64; 2],
    /// The value that the engine reported with each move, where it did.
    pub values: Vec<Option<f64>>,
    /// How the game ended.
    pub finish: Finish,
    /// The engine logs, by side.
    pub logs: [EngineLog; 2],
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Finish {
    /// By the rules of the game.
    Played {
        /// The winner; `None` in a draw.
        winner: Option<Side>,
        /// The winner's margin, in the unit of the game.
        margin: u32,
        /// The reason, in the words of the game: `line`.
        reason: &'static str,
        /// Event points that the game gives for this ending.
        points: f64,
    },
    /// This side resigned.
    Resigned(Side),
    /// This side lost by a fault.
    Forfeited(Side, Fault),
    /// Palestra or the machine failed; the game does not count.
    Void(String),
}

/// Plays one game. `first` (0 or 1) is the player of the pairing that has the first side; the seeds depend on it, as in
/// games between built-in players.
pub fn play(
    game: &dyn AnyGame,
    start: &StartPoint,
    first: usize,
    seats: [&mut dyn GameSeat; 2],
    control: &TimeControl,
) -> RefereedGame {
    let mut state = GameInProgress::new(game, start, control);
    let end = state.play(seats, start.game_seed(first));
    state.finish = match end {
        Ok(finish) => finish,
        Err((side, PlayError::Fault(fault))) => Finish::Forfeited(side, fault),
        Err((_, PlayError::Internal(why))) => Finish::Void(why),
    };
    RefereedGame {
        opening: state.opening,
        moves: state.moves,
        movers: state.movers,
        micros: state.micros,
        used: state.used,
        values: state.values,
        finish: state.finish,
        logs: state.logs,
    }
}

/// A game in progress.
struct GameInProgress<'a> {
    game: &'a dyn AnyGame,
    control: &'a TimeControl,
    opening: String,
    moves: Vec<String>,
    movers: Vec<Side>,
    micros: Vec<u64>,
    used: [u64; 2],
    values: Vec<Option<f64>>,
    finish: Finish,
    logs: [EngineLog; 2],
}

/// A play error with the side that caused it.
type SideError = (Side, PlayError);

impl<'a> GameInProgress<'a> {
    fn new(game: &'a dyn AnyGame, start: &StartPoint, control: &'a TimeControl) -> GameInProgress<'a> {
        GameInProgress {
            game,
            control,
            opening: game.opening(start),
            moves: Vec::new(),
            movers: Vec::new(),
            micros: Vec::new(),
            used: [0; 2],
            values: Vec::new(),
            finish: Finish::Void("not played".to_owned()),
            logs: Default::default(),
        }
    }

    fn play(&mut self, mut seats: [&mut dyn GameSeat; 2], seed: Seed) -> Result<Finish, SideError> {
        let ended = self.play_moves(&mut seats, seed);
        let (winner, culprit) = match &ended {
            Ok(Finish::Played { winner, .. }) => (*winner, None),
            Ok(Finish::Resigned(side)) => (Some(side.other()), None),
            Ok(Finish::Forfeited(side, _)) | Err((side, _)) => (Some(side.other()), Some(*side)),
            Ok(Finish::Void(_)) => (None, None),
        };
        for side in Side::BOTH {
            self.logs[side.index()] = seats[side.index()].end(winner, culprit == Some(side));
        }
        ended
    }

    fn play_moves(&mut self, seats: &mut [&mut dyn GameSeat; 2], seed: Seed) -> Result<Finish, SideError> {
        let internal = |bad: InputError| (Side::First, PlayError::from(bad));
        let mut session = self.game.session(None, "-").map_err(internal)?;
        let mut all: Vec<String> = Vec::new();
        let tokens: Vec<String> = self.opening.split_whitespace().map(str::to_owned).collect();
        let mut opening = Vec::new();
        for token in &tokens {
            opening.push((token.as_str(), session.to_move()));
            session.play(token).map_err(internal)?;
            all.push(token.clone());
        }
        let name = self.game.name();
        for side in Side::BOTH {
            let new_game = NewGame { game: &name, side, opening: &opening, control: self.control };
            seats[side.index()].begin(&new_game).map_err(|error| (side, error))?;
        }
        let mut clocks = [GameClock::new(self.control); 2];
        loop {
            if let Some(ending) = session.ending() {
                let points = self.game.event_points(&ending);
                let (winner, margin, reason) = (ending.winner, ending.margin, ending.reason);
                return Ok(Finish::Played { winner, margin, reason, points });
            }
            let side = session.to_move();
            let blame = |error: PlayError| (side, error);
            let seat = &mut *seats[side.index()];
            let budget = clocks[side.index()].budget();
            let turn = MoveRequest {
                moves: &all,
                side,
                left: [0, 1].map(|i| clocks[i].left()),
                control: self.control,
                until: deadline(budget, self.control),
            };
            let (reply, used) = seat.choose(&turn, seed.child(self.moves.len() as u64)).map_err(blame)?;
            if !clocks[side.index()].charge(used) && seat.is_timed() {
                let detail =
                    format!("{:.3} s for a move, {:.3} s allowed", used.as_secs_f64(), budget.as_secs_f64());
                return Err(blame(Fault::new(FaultKind::Time, detail).into()));
            }
            if reply.mv == RESIGN {
                return Ok(Finish::Resigned(side));
            }
            session.play(&reply.mv).map_err(|bad| {
                let detail = format!("{:?} as move {}: expected {}", reply.mv, all.len() + 1, bad.expected());
                blame(if seat.is_timed() {
                    Fault::new(FaultKind::Illegal, detail).into()
                } else {
                    PlayError::Internal(detail)
                })
            })?;
            // The move in the notation of the rules, which may differ from the engine's.
            let mv = session.played().pop().unwrap_or(reply.mv);
            self.moves.push(mv.clone());
            self.movers.push(side);
            self.micros.push(used.as_micros() as u64);
            self.used[side.index()] += used.as_micros() as u64;
            self.values.push(reply.value);
            all.push(mv.clone());
            if session.ending().is_none() {
                for other in Side::BOTH {
                    let until = deadline(clocks[other.index()].budget(), self.control);
                    let observed = seats[other.index()].observe(&mv, side, until);
                    observed.map_err(|error| (other, error))?;
                }
            }
        }
    }
}

/// The instant at which waiting for an engine with this time budget ends.
fn deadline(budget: Duration, control: &TimeControl) -> Instant {
    Instant::now() + budget.min(MAX_WAIT) + control.margin
}

/// Longest wait for a move: one week. Without a bound, `Instant` would overflow for an engine without a clock.
const MAX_WAIT: Duration = Duration::from_secs(604_800);
