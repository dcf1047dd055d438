//! Protocols of plain lines, as course judges have them: described in a file, not programmed.

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

/// The Ladrillos course's judge, as a file.
pub const LADRILLOS: &str = include_str!("ladrillos.toml");

/// The Connect-C course's judge, as a file.
pub const CONECTA_C: &str = include_str!("conecta-c.toml");

/// A conversation in such a protocol. The program hears of a game and of the rival's moves when its turn comes and not before:
/// so its clock runs whenever it can think, and it never hears of a move that it need not answer.
#[derive(Debug)]
pub struct LineProtocol {
    rules: Arc<LineRules>,
    /// What the program will be told at its next turn.
    waiting: Vec<String>,
    /// Whether it knows of the game.
    knows: bool,
    side: Side,
}

impl LineProtocol {
    /// A conversation by these rules.
    #[must_use]
    pub fn new(rules: &Arc<LineRules>) -> LineProtocol {
        LineProtocol { rules: Arc::clone(rules), waiting: Vec::new(), knows: false, side: Side::First }
    }

    fn tell(&mut self, wire: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        for line in self.waiting.drain(..) {
            wire.send(&line, until)?;
        }
        Ok(())
    }
}

fn refuse(line: &str) -> Result<(), Fault> {
    if line.trim().is_empty() { Ok(()) } else { Err(out_of_turn(line)) }
}

impl Protocol for LineProtocol {
    fn open(&mut self, _wire: &mut dyn Transport, _until: Instant) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(&mut self, _wire: &mut dyn Transport, game: &NewGame<'_>, _until: Instant) -> Result<(), Fault> {
        if !game.opening.is_empty() {
            let detail = format!("the protocol {} cannot tell of an opening", self.rules.name);
            return Err(Fault::new(FaultKind::Start, detail));
        }
        let values = self.rules.values(game.game, game.side);
        let values = values.map_err(|bad| Fault::new(FaultKind::Start, bad.to_string()))?;
        let own = &self.rules.start_of[game.side.index()];
        self.waiting = self.rules.start.iter().chain(own).map(|template| template.fill(&values)).collect();
        (self.side, self.knows) = (game.side, false);
        Ok(())
    }

    fn choose(&mut self, wire: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        read_pending(wire, turn.until, refuse)?;
        self.tell(wire, turn.until)?;
        self.knows = true;
        let heard = read_until(wire, turn.until, |line| match self.rules.move_said(line) {
            ParsedLine::Move(mv) => Ok(Some(mv)),
            ParsedLine::OffBoard => {
                Err(Fault::new(FaultKind::Illegal, format!("{} is not on any board", quoted(line))))
            }
            ParsedLine::NotAMove if line.trim().is_empty() => Ok(None),
            ParsedLine::NotAMove => {
                Err(Fault::new(FaultKind::Garbled, format!("{} is not a move", quoted(line))))
            }
        })?;
        Ok(Reply { mv: heard.ok_or_else(|| too_late("move"))?, ..Reply::default() })
    }

    fn observe(
        &mut self,
        _wire: &mut dyn Transport,
        mv: &str,
        by: Side,
        _until: Instant,
    ) -> Result<(), Fault> {
        if by != self.side {
            let line = self.rules.line_in(mv).ok_or_else(|| {
                let detail = format!("the protocol {} has no words for the move {mv}", self.rules.name);
                Fault::new(FaultKind::Start, detail)
            })?;
            self.waiting.push(line);
        }
        Ok(())
    }

    fn end(&mut self, wire: &mut dyn Transport, winner: Option<Side>, until: Instant) -> Result<(), Fault> {
        if !self.knows {
            // It never heard of the game.
            self.waiting.clear();
            return Ok(());
        }
        if self.rules.tells_last_move {
            self.tell(wire, until)?;
        }
        let endings = &self.rules.endings;
        self.waiting = match winner {
            None => endings.drawn.clone(),
            Some(side) if side == self.side => endings.won.clone(),
            Some(_) => endings.lost.clone(),
        };
        self.knows = false;
        self.tell(wire, until)
    }

    fn close(&mut self, wire: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        let Some(goodbye) = &self.rules.goodbye else { return Ok(()) };
        wire.send(goodbye, until)?;
        let Some(farewell) = &self.rules.farewell else { return Ok(()) };
        let heard = read_until(wire, until, |line| Ok((line.trim() == farewell).then_some(())))?;
        heard.ok_or_else(|| Fault::new(FaultKind::Time, format!("no {farewell} after {goodbye}")))
    }

    fn reuses_process(&self) -> bool {
        self.rules.reuses_process
    }
}
