//! Seats of a match: built-in players and external ones, which the referee asks for moves as text.

use crate::clock::{AnswerTime, TimeControl};
use crate::fault::Fault;
use crate::record::EngineLog;
use crate::spec::PlayerSpec;
use palestra_core::{InputError, Side};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Whether a player string names an external program and not a built-in player: `cmd:./bot`, `cmd(protocol=gtp):./bot`.
#[must_use]
pub fn is_program_text(text: &str) -> bool {
    text.strip_prefix("cmd").is_some_and(|rest| rest.starts_with([':', '(']))
}

/// A player of a match.
#[derive(Clone, Debug)]
pub enum MatchPlayer {
    /// A built-in player.
    Builtin(PlayerSpec),
    /// An external program.
    External(Arc<dyn ExternalPlayer>),
}

impl From<PlayerSpec> for MatchPlayer {
    fn from(spec: PlayerSpec) -> MatchPlayer {
        MatchPlayer::Builtin(spec)
    }
}

impl From<&PlayerSpec> for MatchPlayer {
    fn from(spec: &PlayerSpec) -> MatchPlayer {
        MatchPlayer::Builtin(spec.clone())
    }
}

impl fmt::Display for MatchPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchPlayer::Builtin(spec) => spec.fmt(f),
            MatchPlayer::External(player) => f.write_str(&player.name()),
        }
    }
}

/// An external program that can play any number of games, also several at a time.
pub trait ExternalPlayer: Send + Sync + fmt::Debug {
    /// The player as text, in canonical form.
    fn name(&self) -> String;

    /// The limits of its moves, which the referee enforces.
    fn control(&self) -> TimeControl;

    /// Takes a seat for one game.
    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError>;
}

/// An external engine at the referee's board, for one game or more.
pub trait GameSeat: Send {
    /// Starts a new game.
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError>;

    /// Chooses a move; returns it with its time, which the referee charges.
    fn choose(&mut self, turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError>;

    /// Takes note of a move, by this engine or its opponent; the last one of a game included. A protocol that requires
    /// an answer waits for it as long as `within`.
    fn observe(&mut self, mv: &ObservedMove<'_>, within: Duration) -> Result<(), PlayError>;

    /// Ends the game. `is_culprit` means that the game ended because of this engine, whose process is then not kept.
    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog;
}

/// Why an engine cannot continue a game.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayError {
    /// A fault of the engine: it loses the game.
    Fault(Fault),
    /// A failure of Palestra or the machine: the game is void and played again.
    Internal(String),
}

impl PlayError {
    /// The failure of a machine on which an engine waited so long for a core that its lateness says nothing.
    #[must_use]
    pub fn starved(time: &AnswerTime) -> PlayError {
        let (waited, elapsed) = (time.waited.as_secs_f64(), time.elapsed.as_secs_f64());
        PlayError::Internal(format!(
            "the machine is too busy: an engine was late and waited {waited:.1} s of {elapsed:.1} s for a core"
        ))
    }
}

impl From<Fault> for PlayError {
    fn from(fault: Fault) -> PlayError {
        PlayError::Fault(fault)
    }
}

/// A text of Palestra's own that is refused is an internal error.
impl From<InputError> for PlayError {
    fn from(bad: InputError) -> PlayError {
        PlayError::Internal(bad.to_string())
    }
}

/// A game that does not count, because Palestra or the machine failed. It can be played again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct VoidGame(pub String);

/// The start of a game.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The canonical game string: `connect:7x6x4`.
    pub game: &'a str,
    /// The position before the opening, as a setup string; `None` is the game's own start.
    pub setup: Option<&'a str>,
    /// The program's side.
    pub side: Side,
    /// Moves played before the players take over.
    pub opening: &'a [OpeningMove<'a>],
    /// The time control of this game.
    pub control: &'a TimeControl,
}

/// A move of an opening and its side.
pub type OpeningMove<'a> = (&'a str, Side);

/// A move that was played.
#[derive(Clone, Copy, Debug)]
pub struct ObservedMove<'a> {
    /// The move, in the notation of the rules.
    pub text: &'a str,
    /// The side that played it.
    pub by: Side,
    /// The position after it, as a setup string.
    pub position: &'a str,
    /// The side that moves next; `None` where the game has ended.
    pub to_move: Option<Side>,
}

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// All moves played, those of the opening included.
    pub moves: &'a [String],
    /// The position, as a setup string.
    pub position: &'a str,
    /// The program's side.
    pub side: Side,
    /// Time left for the game, by side, where the game has a clock.
    pub left: [Option<Duration>; 2],
    /// Limits on time, depth and nodes.
    pub control: &'a TimeControl,
    /// Longest wait for the answer: the time for the move and its margin.
    pub within: Duration,
}

/// The move of a program that resigns.
pub const RESIGN: &str = "resign";

/// A program's answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reply {
    /// The move, in Palestra's notation as far as the protocol could translate it; or [`RESIGN`].
    pub mv: String,
    /// The program's evaluation of the position, for its own side.
    pub value: Option<f64>,
    /// Its search depth.
    pub depth: Option<u32>,
    /// Number of positions that it searched.
    pub nodes: Option<u64>,
}
