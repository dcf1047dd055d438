//! What every protocol does, whatever its words.

use crate::clock::TimeControl;
use crate::fault::Fault;
use crate::transport::Transport;
use palestra_core::Side;
use std::time::{Duration, Instant};

/// One program's end of a conversation. Moves go in and come out in Palestra's own notation: a protocol with other
/// words translates. It knows no rules: whether a move is legal is for the referee to say.
pub trait Protocol: Send {
    /// Says hello after the program was started, and waits until it is ready.
    fn open(&mut self, wire: &mut dyn Transport, until: Instant) -> Result<(), Fault>;

    /// A new game begins.
    fn begin(&mut self, wire: &mut dyn Transport, game: &NewGame<'_>, until: Instant) -> Result<(), Fault>;

    /// Asks for a move. Comes back with the move that the program names, or with [`FaultKind::Time`] at the deadline.
    ///
    /// [`FaultKind::Time`]: crate::FaultKind::Time
    fn choose(&mut self, wire: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault>;

    /// A move was played on the board: `by` is its side. Every move comes here, the program's own as well.
    fn observe(&mut self, wire: &mut dyn Transport, mv: &str, by: Side, until: Instant) -> Result<(), Fault>;

    /// The game is over; `winner` is `None` in a draw.
    fn end(&mut self, wire: &mut dyn Transport, winner: Option<Side>, until: Instant) -> Result<(), Fault>;

    /// Asks the program to leave; whether it does is for the process to see.
    fn close(&mut self, wire: &mut dyn Transport, until: Instant) -> Result<(), Fault>;

    /// Whether one process can play one game after the other.
    fn reuses_process(&self) -> bool;
}

/// A game that begins.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The game, canonically: `connect:7x6x4`.
    pub game: &'a str,
    /// The program's side.
    pub side: Side,
    /// Moves played before the players take over; the program may have to be told of them one by one.
    pub opening: &'a [OpeningMove<'a>],
    /// The clocks of this game.
    pub control: &'a TimeControl,
}

/// A move of an opening and whose it was.
pub type OpeningMove<'a> = (&'a str, Side);

/// A program's turn.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// All moves so far, those of the opening included.
    pub moves: &'a [String],
    /// The program's side.
    pub side: Side,
    /// Time left in the game of both sides, where the game has a clock.
    pub left: [Option<Duration>; 2],
    /// What was agreed on time, depth and nodes.
    pub control: &'a TimeControl,
    /// When waiting ends: the clock and its margin.
    pub until: Instant,
}

/// In the place of a move: the program gives the game up.
pub const RESIGN: &str = "resign";

/// A program's answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Reply {
    /// The move, in Palestra's notation as far as the protocol could tell; or [`RESIGN`].
    pub mv: String,
    /// What the program says the position is worth to itself.
    pub value: Option<f64>,
    /// How deep it looked.
    pub depth: Option<u32>,
    /// How many positions it looked at.
    pub nodes: Option<u64>,
}
