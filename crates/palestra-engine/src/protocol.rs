//! The interface of all protocols.

use crate::transport::Transport;
use palestra_arena::{Fault, MoveRequest, NewGame, ObservedMove, Reply};
use palestra_core::Side;
use std::time::Instant;

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
    /// [`FaultKind::Time`]: palestra_arena::FaultKind::Time
    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault>;

    /// Takes note of a move. It is called for every move, the program's own and the last one included.
    fn observe(
        &mut self,
        transport: &mut dyn Transport,
        mv: &ObservedMove<'_>,
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
