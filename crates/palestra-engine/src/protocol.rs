//! The interface of all protocols.

use crate::clock::TimeControl;
use crate::fault::Fault;
use crate::transport::Transport;
use palestra_core::Side;
use std::time::{Duration, Instant};

/// The dialogue with one program. Moves go in and come out in Palestra's notation; a protocol with another notation
/// translates. A protocol does not know the rules: the referee decides whether a move is legal.
pub trait Protocol: Send {
    /// Makes the handshake after the program was started, and waits until it is ready.
    fn open(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault>;

    /// Starts a new game.
    fn begin(
        &mut self,
        transport: &mut dyn Transport,
        game: &NewGame<'_>,
        until: Instant,
    ) -> Result<(), Fault>;

    /// Requests a move. Returns the program's answer, or [`FaultKind::Time`] at the deadline.
    ///
    /// [`FaultKind::Time`]: crate::FaultKind::Time
    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault>;

    /// Takes note of a move of side `by`. It is called for every move, the program's own included.
    fn observe(
        &mut self,
        transport: &mut dyn Transport,
        mv: &str,
        by: Side,
        until: Instant,
    ) -> Result<(), Fault>;

    /// Ends the game; `winner` is `None` in a draw.
    fn end(
        &mut self,
        transport: &mut dyn Transport,
        winner: Option<Side>,
        until: Instant,
    ) -> Result<(), Fault>;

    /// Requests the program to exit. Whether it does is checked with its process.
    fn close(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault>;

    /// Whether one process can play several games.
    fn reuses_process(&self) -> bool;
}

/// The start of a game.
#[derive(Clone, Copy, Debug)]
pub struct NewGame<'a> {
    /// The canonical game string: `connect:7x6x4`.
    pub game: &'a str,
    /// The program's side.
    pub side: Side,
    /// Moves played before the players take over.
    pub opening: &'a [OpeningMove<'a>],
    /// The time control of this game.
    pub control: &'a TimeControl,
}

/// A move of an opening and its side.
pub type OpeningMove<'a> = (&'a str, Side);

/// A request for a move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest<'a> {
    /// All moves played, those of the opening included.
    pub moves: &'a [String],
    /// The program's side.
    pub side: Side,
    /// Time left for the game, by side, where the game has a clock.
    pub left: [Option<Duration>; 2],
    /// Limits on time, depth and nodes.
    pub control: &'a TimeControl,
    /// When waiting ends: the time for the move and its margin.
    pub until: Instant,
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
