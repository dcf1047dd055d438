//! Line protocols, as the judges of courses use them: described by a file instead of code.

mod fields;
mod rules;
mod template;
#[cfg(test)]
mod tests;

pub use rules::LineRules;
pub(crate) use rules::ParsedLine;
use rules::{ProcessStart, ProcessUse};
pub(crate) use template::{PlaceholderKind, PlaceholderValues};

use super::reading::{out_of_turn, quoted, read_pending, read_until, too_late};
use super::{Awaited, ProtocolInfo, ProtocolKind, ProtocolSource};
use crate::protocol::Protocol;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, Reply};
use palestra_core::{InputError, Side};
use std::sync::Arc;
use std::time::Instant;

const LADRILLOS: &str = include_str!("ladrillos.toml");

const CONECTA_C: &str = include_str!("conecta-c.toml");

/// Entry of the Ladrillos course's protocol in the list of protocols.
pub(super) const LADRILLOS_INFO: ProtocolInfo = ProtocolInfo {
    name: "ladrillos",
    about: "players of the Ladrillos course, unchanged",
    source: ProtocolSource::Lines(LADRILLOS),
};

/// Entry of the Connect-C course's protocol in the list of protocols.
pub(super) const CONECTA_C_INFO: ProtocolInfo = ProtocolInfo {
    name: "conecta-c",
    about: "players of the Connect-C course, unchanged",
    source: ProtocolSource::Lines(CONECTA_C),
};

/// Entry of the protocols that a file describes in the list of protocols.
pub(super) const INFO: ProtocolInfo = ProtocolInfo {
    name: "line",
    about: "any other protocol of plain lines, described in a file",
    source: ProtocolSource::File,
};

impl ProtocolKind for Arc<LineRules> {
    fn speak(&self, _options: &[(String, String)]) -> Box<dyn Protocol> {
        Box::new(LineProtocol::new(self))
    }

    fn awaited(&self, _sent: &str) -> Awaited {
        Awaited { is_recorded: true, ..Awaited::MOVE }
    }

    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        parse_answer(self, line).transpose()
    }

    fn check(&self, game: &str) -> Result<(), InputError> {
        self.values(game, Side::First).map(drop)
    }

    fn takes_openings(&self) -> bool {
        false
    }

    fn starts_late(&self) -> bool {
        self.starts == ProcessStart::FirstTurn
    }

    fn line_rules(&self) -> Option<&Arc<LineRules>> {
        Some(self)
    }
}

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

/// The move of an answer; `None` for an empty line.
fn parse_answer(rules: &LineRules, line: &str) -> Result<Option<String>, Fault> {
    match rules.parse_move_out(line) {
        ParsedLine::Move(mv) => Ok(Some(mv)),
        ParsedLine::OffBoard => {
            Err(Fault::new(FaultKind::Illegal, format!("{} is not on any board", quoted(line))))
        }
        ParsedLine::NotAMove if line.trim().is_empty() => Ok(None),
        ParsedLine::NotAMove => {
            Err(Fault::new(FaultKind::Garbled, format!("{} is not a move", quoted(line))))
        }
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
        let own = self.rules.start_of(game.side);
        self.pending = self.rules.start.iter().chain(own).map(|template| template.fill(&values)).collect();
        (self.side, self.has_started) = (game.side, false);
        Ok(())
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        let until = Instant::now() + turn.within;
        read_pending(transport, until, refuse)?;
        self.send_pending(transport, until)?;
        self.has_started = true;
        let mv = read_until(transport, until, |line| parse_answer(&self.rules, line))?;
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
        self.rules.process == ProcessUse::ManyGames
    }
}
