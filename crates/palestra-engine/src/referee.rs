//! One game between players of any kind. The referee owns the rules: who is to move, what is legal, when it is over.
//!
//! A protocol only translates, and a program is never asked about the rules. A fault costs the program the game; what
//! the host or the machine spoils makes the game void, and it is played again.

use crate::clock::{GameClock, TimeControl};
use crate::fault::{Fault, FaultKind};
use crate::process::LogLine;
use crate::protocol::{MoveRequest, NewGame, RESIGN, Reply};
use palestra_arena::{AnyGame, StartPoint};
use palestra_core::{InputError, Seed, Side};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// Whoever sits at the board.
pub trait GameSeat: Send {
    /// A new game begins.
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError>;

    /// Chooses a move; says how much time of its clock that took.
    fn choose(&mut self, turn: &MoveRequest<'_>, dice: Seed) -> Result<(Reply, Duration), PlayError>;

    /// A move was played, by this player or the other. Whoever has to answer to that does so until then.
    fn observe(&mut self, mv: &str, by: Side, until: Instant) -> Result<(), PlayError>;

    /// The game is over. `is_culprit` says that it ended because of this player, who is then not kept.
    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog;

    /// Whether the clock binds it: players of ours limit themselves.
    fn is_timed(&self) -> bool;
}

/// Why a player does not go on.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayError {
    /// The player's own fault: it loses the game.
    Fault(Fault),
    /// Ours, or the machine's: the game is void and played again.
    Internal(String),
}

impl From<Fault> for PlayError {
    fn from(fault: Fault) -> PlayError {
        PlayError::Fault(fault)
    }
}

/// A move of ours that the rules do not know is our own mistake.
impl From<InputError> for PlayError {
    fn from(bad: InputError) -> PlayError {
        PlayError::Internal(bad.to_string())
    }
}

/// What is known of a player after a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EngineLog {
    /// The end of what it wrote to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// Everything said, both ways.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<LogLine>,
    /// What was odd without being a fault: it had to be killed in the end, say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A game that is over.
#[derive(Clone, PartialEq, Debug)]
pub struct RefereedGame {
    /// Random moves before the players took over, as a list.
    pub opening: String,
    /// The players' moves, as the rules write them.
    pub moves: Vec<String>,
    /// Whose they are.
    pub movers: Vec<Side>,
    /// What each of them cost its player's clock, in microseconds.
    pub micros: Vec<u64>,
    /// What both sides used in all, in microseconds.
    pub used: [u64; 2],
    /// What each player thought its move was worth, where it said so.
    pub values: Vec<Option<f64>>,
    /// How it ended.
    pub finish: Finish,
    /// What is known of the players, by side.
    pub logs: [EngineLog; 2],
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Finish {
    /// On the board.
    Played {
        /// Who won; nobody in a draw.
        winner: Option<Side>,
        /// By how much.
        margin: u32,
        /// Why.
        reason: &'static str,
        /// What the game itself gives the winner.
        points: f64,
    },
    /// A player gave up.
    Resigned(Side),
    /// A player failed.
    Forfeited(Side, Fault),
    /// We failed, or the machine: it does not count.
    Void(String),
}

/// Plays one game. `first` (0 or 1) says which of the two players of the pairing has the first side: the dice depend
/// on it, as they do in games between players of ours.
pub fn play(
    game: &dyn AnyGame,
    scene: &StartPoint,
    first: usize,
    seats: [&mut dyn GameSeat; 2],
    control: &TimeControl,
) -> RefereedGame {
    let mut board = GameInProgress::new(game, scene, control);
    let end = board.play(seats, scene.game_seed(first));
    board.finish = match end {
        Ok(finish) => finish,
        Err((side, PlayError::Fault(fault))) => Finish::Forfeited(side, fault),
        Err((_, PlayError::Internal(what))) => Finish::Void(what),
    };
    RefereedGame {
        opening: board.opening,
        moves: board.moves,
        movers: board.movers,
        micros: board.micros,
        used: board.used,
        values: board.values,
        finish: board.finish,
        logs: board.witnesses,
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
    witnesses: [EngineLog; 2],
}

/// A player's trouble, and whose it is.
type SideError = (Side, PlayError);

impl<'a> GameInProgress<'a> {
    fn new(game: &'a dyn AnyGame, scene: &StartPoint, control: &'a TimeControl) -> GameInProgress<'a> {
        GameInProgress {
            game,
            control,
            opening: game.opening(scene),
            moves: Vec::new(),
            movers: Vec::new(),
            micros: Vec::new(),
            used: [0; 2],
            values: Vec::new(),
            finish: Finish::Void("not played".to_owned()),
            witnesses: Default::default(),
        }
    }

    fn play(&mut self, mut seats: [&mut dyn GameSeat; 2], dice: Seed) -> Result<Finish, SideError> {
        let ended = self.moves_of(&mut seats, dice);
        let (winner, culprit) = match &ended {
            Ok(Finish::Played { winner, .. }) => (*winner, None),
            Ok(Finish::Resigned(side)) => (Some(side.other()), None),
            Ok(Finish::Forfeited(side, _)) | Err((side, _)) => (Some(side.other()), Some(*side)),
            Ok(Finish::Void(_)) => (None, None),
        };
        for side in Side::BOTH {
            self.witnesses[side.index()] = seats[side.index()].end(winner, culprit == Some(side));
        }
        ended
    }

    fn moves_of(&mut self, seats: &mut [&mut dyn GameSeat; 2], dice: Seed) -> Result<Finish, SideError> {
        let ours = |bad: InputError| (Side::First, PlayError::from(bad));
        let mut line = self.game.session(None, "-").map_err(ours)?;
        let mut all: Vec<String> = Vec::new();
        let tokens: Vec<String> = self.opening.split_whitespace().map(str::to_owned).collect();
        let mut opening = Vec::new();
        for token in &tokens {
            opening.push((token.as_str(), line.to_move()));
            line.play(token).map_err(ours)?;
            all.push(token.clone());
        }
        let name = self.game.name();
        for side in Side::BOTH {
            let beginning = NewGame { game: &name, side, opening: &opening, control: self.control };
            seats[side.index()].begin(&beginning).map_err(|trouble| (side, trouble))?;
        }
        let mut clocks = [GameClock::new(self.control); 2];
        loop {
            if let Some(ending) = line.ending() {
                let points = self.game.event_points(&ending);
                let (winner, margin, reason) = (ending.winner, ending.margin, ending.reason);
                return Ok(Finish::Played { winner, margin, reason, points });
            }
            let side = line.to_move();
            let blame = |trouble: PlayError| (side, trouble);
            let seat = &mut *seats[side.index()];
            let budget = clocks[side.index()].budget();
            let turn = MoveRequest {
                moves: &all,
                side,
                left: [0, 1].map(|i| clocks[i].left()),
                control: self.control,
                until: deadline(budget, self.control),
            };
            let (reply, used) = seat.choose(&turn, dice.child(self.moves.len() as u64)).map_err(blame)?;
            if !clocks[side.index()].charge(used) && seat.is_timed() {
                let detail =
                    format!("{:.3} s for a move that had {:.3} s", used.as_secs_f64(), budget.as_secs_f64());
                return Err(blame(Fault::new(FaultKind::Time, detail).into()));
            }
            if reply.mv == RESIGN {
                return Ok(Finish::Resigned(side));
            }
            line.play(&reply.mv).map_err(|bad| {
                let detail = format!("{:?} as move {}: {}", reply.mv, all.len() + 1, bad.expected);
                blame(if seat.is_timed() {
                    Fault::new(FaultKind::Illegal, detail).into()
                } else {
                    PlayError::Internal(detail)
                })
            })?;
            // The rules may write it differently.
            let mv = line.played().pop().unwrap_or(reply.mv);
            self.moves.push(mv.clone());
            self.movers.push(side);
            self.micros.push(used.as_micros() as u64);
            self.used[side.index()] += used.as_micros() as u64;
            self.values.push(reply.value);
            all.push(mv.clone());
            if line.ending().is_none() {
                for other in Side::BOTH {
                    let until = deadline(clocks[other.index()].budget(), self.control);
                    let heard = seats[other.index()].observe(&mv, side, until);
                    heard.map_err(|trouble| (other, trouble))?;
                }
            }
        }
    }
}

/// When waiting ends for whoever has so much time.
fn deadline(budget: Duration, control: &TimeControl) -> Instant {
    Instant::now() + budget.min(LONGEST) + control.margin
}

/// A week: nobody waits longer for a move.
const LONGEST: Duration = Duration::from_secs(604_800);
