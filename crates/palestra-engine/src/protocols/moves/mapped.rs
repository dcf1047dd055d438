//! A protocol whose program has a notation of its own.

use super::MoveMap;
use crate::protocol::Protocol;
use crate::protocols::reading::quoted;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, ObservedMove, OpeningMove, RESIGN, Reply};
use palestra_core::Side;
use std::sync::Arc;
use std::time::Instant;

/// Another protocol with all moves translated by a map.
pub(crate) struct MappedProtocol {
    map: Arc<MoveMap>,
    inner: Box<dyn Protocol>,
    /// All moves of the game, in Palestra's notation.
    played: Vec<String>,
}

impl MappedProtocol {
    pub(crate) fn new(map: &Arc<MoveMap>, inner: Box<dyn Protocol>) -> MappedProtocol {
        MappedProtocol { map: Arc::clone(map), inner, played: Vec::new() }
    }

    fn written(&self, moves: &[String]) -> Result<Vec<String>, Fault> {
        self.map
            .write(moves.iter().map(String::as_str))
            .map_err(|mv| Fault::new(FaultKind::Start, format!("the move map cannot express the move {mv}")))
    }
}

impl Protocol for MappedProtocol {
    fn open(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        self.inner.open(transport, until)
    }

    fn begin(
        &mut self,
        transport: &mut dyn Transport,
        game: &NewGame<'_>,
        until: Instant,
    ) -> Result<(), Fault> {
        self.played = game.opening.iter().map(|(mv, _)| (*mv).to_owned()).collect();
        let written = self.written(&self.played)?;
        let sides = game.opening.iter().map(|(_, side)| *side);
        let opening: Vec<OpeningMove<'_>> = written.iter().map(String::as_str).zip(sides).collect();
        self.inner.begin(transport, &NewGame { opening: &opening, ..*game }, until)
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        let moves = self.written(turn.moves)?;
        let mut reply = self.inner.choose(transport, &MoveRequest { moves: &moves, ..*turn })?;
        if reply.mv != RESIGN {
            let read = self.map.read_move(&reply.mv, turn.moves);
            let illegal = |why| Fault::new(FaultKind::Illegal, format!("{}: {why}", quoted(&reply.mv)));
            reply.mv = read.map_err(illegal)?;
        }
        Ok(reply)
    }

    fn observe(
        &mut self,
        transport: &mut dyn Transport,
        mv: &ObservedMove<'_>,
        until: Instant,
    ) -> Result<(), Fault> {
        self.played.push(mv.text.to_owned());
        let written = self.written(&self.played)?;
        let text = written.last().map_or(mv.text, String::as_str);
        self.inner.observe(transport, &ObservedMove { text, ..*mv }, until)
    }

    fn end(
        &mut self,
        transport: &mut dyn Transport,
        winner: Option<Side>,
        until: Instant,
    ) -> Result<(), Fault> {
        self.inner.end(transport, winner, until)
    }

    fn close(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        self.inner.close(transport, until)
    }

    fn reuses_process(&self) -> bool {
        self.inner.reuses_process()
    }
}
