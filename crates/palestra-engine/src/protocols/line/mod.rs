//! Line protocols, as the judges of courses use them: described by a file instead of code.

mod fields;
mod rules;
mod sections;
mod state;
mod template;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_judges;

pub(crate) use fields::{MoveField, Numeral};
pub use rules::LineRules;
use rules::OutgoingLine;
pub(crate) use rules::ParsedLine;
use sections::{ProcessStart, ProcessUse};
pub(crate) use template::{LineTemplate, PlaceholderKind, PlaceholderValues};

use super::reading::{out_of_turn, quoted, read_pending, read_until, too_late};
use super::{Awaited, ProtocolInfo, ProtocolKind, ProtocolSource};
use crate::process::ExitRequest;
use crate::protocol::Protocol;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, ObservedMove, Reply};
use palestra_core::{InputError, Side};
use std::sync::Arc;
use std::time::Instant;

const LADRILLOS: &str = include_str!("ladrillos.toml");

const CONECTA_C: &str = include_str!("conecta-c.toml");

const COMP2230: &str = include_str!("comp2230.toml");

const MANCHESTER: &str = include_str!("manchester-kalah.toml");

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

/// Entry of the COMP2230 coordinator's protocol in the list of protocols.
pub(super) const COMP2230_INFO: ProtocolInfo = ProtocolInfo {
    name: "comp2230",
    about: "players of the COMP2230 course for its Connect Four coordinator",
    source: ProtocolSource::Lines(COMP2230),
};

/// Entry of the Manchester course's protocol in the list of protocols.
pub(super) const MANCHESTER_INFO: ProtocolInfo = ProtocolInfo {
    name: "manchester-kalah",
    about: "agents for the Kalah engine of the Manchester course",
    source: ProtocolSource::Lines(MANCHESTER),
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

    fn awaited(&self, sent: &str) -> Awaited {
        match self.reply_to(sent) {
            Some(_) => Awaited::ANY,
            None => Awaited { is_recorded: true, ..Awaited::MOVE },
        }
    }

    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        if self.is_fixed_reply(line) {
            return None;
        }
        parse_answer(self, line).transpose()
    }

    fn repeats_game(&self) -> bool {
        self.tells_all()
    }

    fn check(&self, game: &str) -> Result<(), InputError> {
        self.values(game, Side::First).map(drop)
    }

    fn takes_openings(&self) -> bool {
        self.tells_all()
    }

    fn takes_setups(&self) -> bool {
        self.tells_only_state()
    }

    fn starts_late(&self) -> bool {
        self.starts == ProcessStart::FirstTurn
    }

    fn exit_request(&self) -> ExitRequest {
        self.exit
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
    pending: Vec<OutgoingLine>,
    /// The values of the game for the program's side.
    values: PlaceholderValues,
    /// Whether the lines about the game were sent.
    has_started: bool,
    side: Side,
}

impl LineProtocol {
    /// A dialogue by these rules.
    #[must_use]
    pub fn new(rules: &Arc<LineRules>) -> LineProtocol {
        LineProtocol {
            rules: Arc::clone(rules),
            pending: Vec::new(),
            values: PlaceholderValues::new(),
            has_started: false,
            side: Side::First,
        }
    }

    fn send_pending(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        let pending = std::mem::take(&mut self.pending);
        pending.iter().try_for_each(|line| self.send(line, transport, until))
    }

    /// Sends a line, and waits for the fixed answer where it has one.
    fn send(&self, line: &OutgoingLine, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        transport.send(&line.text, until)?;
        let Some(reply) = &line.reply else { return Ok(()) };
        let answer = read_until(transport, until, |answer| match answer.trim() {
            any if reply == "*" && !self.rules.ignores(any) => Ok(Some(())),
            expected if expected == reply => Ok(Some(())),
            other if self.rules.ignores(other) => Ok(None),
            mv if self.rules.parse_move_out(mv) != ParsedLine::NotAMove => Err(out_of_turn(mv)),
            other => {
                let detail =
                    format!("{} as the answer to {}, not {reply}", quoted(other), quoted(&line.text));
                Err(Fault::new(FaultKind::Garbled, detail))
            }
        })?;
        answer.ok_or_else(|| too_late(&format!("{reply} after {}", line.text)))
    }

    /// Every line that was not requested is a fault.
    fn refuse(&self, line: &str) -> Result<(), Fault> {
        if self.rules.ignores(line) { Ok(()) } else { Err(out_of_turn(line)) }
    }

    /// The fault of a protocol that lacks words for a move.
    fn inexpressible(&self, mv: &str) -> Fault {
        let detail = format!("the protocol {} cannot express the move {mv}", self.rules.name);
        Fault::new(FaultKind::Start, detail)
    }
}

/// The move of an answer; `None` for a line that says nothing.
fn parse_answer(rules: &LineRules, line: &str) -> Result<Option<String>, Fault> {
    if let Some(reason) = rules.reason_against(line) {
        return Err(Fault::new(FaultKind::Illegal, format!("{}: {reason}", quoted(line))));
    }
    match rules.parse_move_out(line) {
        ParsedLine::Move(mv) => Ok(Some(mv)),
        ParsedLine::OffBoard => {
            Err(Fault::new(FaultKind::Illegal, format!("{} is not on any board", quoted(line))))
        }
        ParsedLine::NotAMove if rules.ignores(line) => Ok(None),
        ParsedLine::NotAMove => {
            Err(Fault::new(FaultKind::Garbled, format!("{} is not a move", quoted(line))))
        }
    }
}

impl Protocol for LineProtocol {
    fn open(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        let rules = Arc::clone(&self.rules);
        let lines = rules.handshake.iter().map(|line| rules.outgoing(line, &PlaceholderValues::new()));
        let sent = lines.into_iter().try_for_each(|line| self.send(&line, transport, until));
        sent.map_err(|fault| match fault.kind {
            FaultKind::Time => Fault::new(FaultKind::Handshake, fault.detail),
            _ => fault,
        })
    }

    fn begin(
        &mut self,
        _transport: &mut dyn Transport,
        game: &NewGame<'_>,
        _until: Instant,
    ) -> Result<(), Fault> {
        let rules = &self.rules;
        if !game.opening.is_empty() && !rules.tells_all() {
            let detail = format!("the protocol {} cannot send an opening", rules.name);
            return Err(Fault::new(FaultKind::Start, detail));
        }
        let values = rules.values(game.game, game.side);
        let values = values.map_err(|bad| Fault::new(FaultKind::Start, bad.to_string()))?;
        let own = rules.start_of(game.side);
        self.pending = rules.start.iter().chain(own).map(|line| rules.outgoing(line, &values)).collect();
        (self.side, self.has_started, self.values) = (game.side, false, values);
        Ok(())
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        let until = Instant::now() + turn.within;
        read_pending(transport, until, |line| self.refuse(line))?;
        let last = turn.moves.last().map_or("", String::as_str);
        let lines = self.rules.lines_of_turn(turn, self.values.clone());
        self.pending.extend(lines.ok_or_else(|| self.inexpressible(last))?);
        self.has_started = true;
        self.send_pending(transport, until)?;
        let mv = read_until(transport, until, |line| parse_answer(&self.rules, line))?;
        Ok(Reply { mv: mv.ok_or_else(|| too_late("move"))?, ..Reply::default() })
    }

    fn observe(
        &mut self,
        _transport: &mut dyn Transport,
        mv: &ObservedMove<'_>,
        _until: Instant,
    ) -> Result<(), Fault> {
        if self.rules.sends_moves(mv.by == self.side) {
            let line = self.rules.line_in(mv, self.side);
            let text = line.ok_or_else(|| self.inexpressible(mv.text))?;
            self.pending.push(OutgoingLine { text, reply: None });
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
        let of_result = match winner {
            None => &endings.drawn,
            Some(side) if side == self.side => &endings.won,
            Some(_) => &endings.lost,
        };
        let lines = of_result.iter().chain(&endings.always);
        self.pending = lines.map(|text| OutgoingLine { text: text.clone(), reply: None }).collect();
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
