//! Line protocols, as the judges of courses use them: described by a file instead of code.

mod fields;
mod rules;
mod template;
#[cfg(test)]
mod tests;

pub use rules::LineRules;
pub(crate) use rules::ParsedLine;
pub(crate) use template::{PlaceholderKind, PlaceholderValues};

use super::reading::{out_of_turn, quoted, read_pending, read_until, too_late};
use crate::fault::{Fault, FaultKind};
use crate::protocol::{MoveRequest, NewGame, Protocol, Reply};
use crate::transport::Transport;
use palestra_core::Side;
use std::sync::Arc;
use std::time::Instant;

/// The file of the Ladrillos course's protocol.
pub const LADRILLOS: &str = include_str!("ladrillos.toml");

/// The file of the Connect-C course's protocol.
pub const CONECTA_C: &str = include_str!("conecta-c.toml");

/// A dialogue in a line protocol. The lines about a game and the opponent's moves are sent at the program's turn and
/// not before, so that its clock runs whenever it can think and it never gets a move that needs no answer.
#[derive(Debug)]
pub struct LineProtocol {
    rules: Arc<LineRules>,
    /// Lines to send at the program's next turn.
    pending: Vec<String>,
    /// Whether the lines about the game were sent.
    has_started: bool,
    side: Side,
}

impl LineProtocol {
    /// A dialogue by these rules.
    #[must_use]
    pub fn new(rules: &Arc<LineRules>) -> LineProtocol {
        LineProtocol { rules: Arc::clone(rules), pending: Vec::new(), has_started: false, side: Side::First }
    }

    fn send_pending(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        for line in self.pending.drain(..) {
            transport.send(&line, until)?;
        }
        Ok(())
    }
}

fn refuse(line: &str) -> Result<(), Fault> {
    if line.trim().is_empty() { Ok(()) } else { Err(out_of_turn(line)) }
}

impl Protocol for LineProtocol {
    fn open(&mut self, _transport: &mut dyn Transport, _until: Instant) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(
        &mut self,
        _transport: &mut dyn Transport,
        game: &NewGame<'_>,
        _until: Instant,
    ) -> Result<(), Fault> {
        if !game.opening.is_empty() {
            let detail = format!("the protocol {} cannot send an opening", self.rules.name);
            return Err(Fault::new(FaultKind::Start, detail));
        }
        let values = self.rules.values(game.game, game.side);
        let values = values.map_err(|bad| Fault::new(FaultKind::Start, bad.to_string()))?;
        let own = &self.rules.start_of[game.side.index()];
        self.pending = self.rules.start.iter().chain(own).map(|template| template.fill(&values)).collect();
        (self.side, self.has_started) = (game.side, false);
        Ok(())
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        read_pending(transport, turn.until, refuse)?;
        self.send_pending(transport, turn.until)?;
        self.has_started = true;
        let mv = read_until(transport, turn.until, |line| match self.rules.parse_move_out(line) {
            ParsedLine::Move(mv) => Ok(Some(mv)),
            ParsedLine::OffBoard => {
                Err(Fault::new(FaultKind::Illegal, format!("{} is not on any board", quoted(line))))
            }
            ParsedLine::NotAMove if line.trim().is_empty() => Ok(None),
            ParsedLine::NotAMove => {
                Err(Fault::new(FaultKind::Garbled, format!("{} is not a move", quoted(line))))
            }
        })?;
        Ok(Reply { mv: mv.ok_or_else(|| too_late("move"))?, ..Reply::default() })
    }

    fn observe(
        &mut self,
        _transport: &mut dyn Transport,
        mv: &str,
        by: Side,
        _until: Instant,
    ) -> Result<(), Fault> {
        if by != self.side {
            let line = self.rules.line_in(mv).ok_or_else(|| {
                let detail = format!("the protocol {} cannot express the move {mv}", self.rules.name);
                Fault::new(FaultKind::Start, detail)
            })?;
            self.pending.push(line);
        }
        Ok(())
    }

    fn end(
        &mut self,
        transport: &mut dyn Transport,
        winner: Option<Side>,
        until: Instant,
    ) -> Result<(), Fault> {
        if !self.has_started {
            // The program was sent nothing about this game.
            self.pending.clear();
            return Ok(());
        }
        if self.rules.tells_last_move {
            self.send_pending(transport, until)?;
        }
        let endings = &self.rules.endings;
        self.pending = match winner {
            None => endings.drawn.clone(),
            Some(side) if side == self.side => endings.won.clone(),
            Some(_) => endings.lost.clone(),
        };
        self.has_started = false;
        self.send_pending(transport, until)
    }

    fn close(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        let Some(goodbye) = &self.rules.goodbye else { return Ok(()) };
        transport.send(goodbye, until)?;
        let Some(farewell) = &self.rules.farewell else { return Ok(()) };
        let answer = read_until(transport, until, |line| Ok((line.trim() == farewell).then_some(())))?;
        answer.ok_or_else(|| Fault::new(FaultKind::Time, format!("no {farewell} after {goodbye}")))
    }

    fn reuses_process(&self) -> bool {
        self.rules.reuses_process
    }
}
