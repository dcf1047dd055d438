//! GTP, the Go Text Protocol, version 2, with moves in Palestra's notation.

use super::reading::{out_of_turn, quoted, read_pending, read_until, too_late};
use super::{Awaited, ProtocolInfo, ProtocolKind, ProtocolSource};
use crate::protocol::Protocol;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, ObservedMove, RESIGN, Reply, TimeControl};
use palestra_core::Side;
use std::time::{Duration, Instant};

/// Entry of GTP in the list of protocols.
pub(super) const INFO: ProtocolInfo = ProtocolInfo {
    name: "gtp",
    about: "programs that use the Go Text Protocol, version 2",
    source: ProtocolSource::Code(|| Box::new(GtpKind)),
};

#[derive(Debug)]
struct GtpKind;

impl ProtocolKind for GtpKind {
    fn speak(&self, _options: &[(String, String)]) -> Box<dyn Protocol> {
        Box::new(Gtp::new())
    }

    fn awaited(&self, sent: &str) -> Awaited {
        let is_move = sent.split_whitespace().nth(1) == Some("genmove");
        Awaited { is_move, has_end_line: true, ..Awaited::line(&["=", "?"]) }
    }

    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        read_response(line, false)
    }

    fn read_mapped_move(&self, line: &str) -> Option<Result<String, Fault>> {
        read_response(line, true)
    }

    fn speak_mapped(&self, _options: &[(String, String)]) -> Option<Box<dyn Protocol>> {
        Some(Box::new(Gtp { keeps_case: true, ..Gtp::new() }))
    }
}

/// A command of Palestra's own, for programs that list it: a canonical game string says more than `boardsize` can.
const GAME_COMMAND: &str = "palestra-game";

/// A dialogue in GTP. The first side is black.
#[derive(Debug, Default)]
pub struct Gtp {
    /// The number of the last command.
    id: u32,
    commands: Vec<String>,
    /// The program's last move, as long as it was not observed: `genmove` has already played it on the program's board.
    own: Option<String>,
    side: Option<Side>,
    /// Whether moves are in a notation of the program in which capital letters differ from small ones.
    keeps_case: bool,
}

impl Gtp {
    /// A dialogue that has not begun.
    #[must_use]
    pub fn new() -> Gtp {
        Gtp::default()
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Sends a command and waits for the response, with its lines joined; `None` at the deadline.
    fn request(
        &mut self,
        transport: &mut dyn Transport,
        command: &str,
        until: Instant,
    ) -> Result<Option<GtpResponse>, Fault> {
        read_pending(transport, until, |line| match is_response(line) {
            true => Err(out_of_turn(line)),
            false => Ok(()),
        })?;
        self.id += 1;
        transport.send(&format!("{} {command}", self.id), until)?;
        let id = self.id;
        let mut response: Option<GtpResponse> = None;
        read_until(transport, until, |line| {
            let line = clean(line);
            match &mut response {
                None => response = GtpResponse::begin(&line, id)?,
                Some(_) if line.trim().is_empty() => return Ok(response.take()),
                Some(response) => {
                    response.text.push('\n');
                    response.text.push_str(line.trim());
                }
            }
            Ok(None)
        })
    }

    /// Sends a command; a failure is a fault of this kind.
    fn require(
        &mut self,
        transport: &mut dyn Transport,
        command: &str,
        until: Instant,
        kind: FaultKind,
    ) -> Result<String, Fault> {
        match self.request(transport, command, until)? {
            Some(GtpResponse { is_success: true, text }) => Ok(text),
            Some(GtpResponse { text, .. }) => Err(refusal(command, &text, kind)),
            None if kind == FaultKind::Handshake => {
                Err(Fault::new(kind, format!("no answer to {}", quoted(command))))
            }
            None => Err(too_late(&format!("answer to {}", quoted(command)))),
        }
    }
}

/// A response of a program.
#[derive(Debug)]
struct GtpResponse {
    is_success: bool,
    text: String,
}

impl GtpResponse {
    /// Reads the first line of a response; `None` for another line.
    fn begin(line: &str, id: u32) -> Result<Option<GtpResponse>, Fault> {
        if !is_response(line) {
            return Ok(None);
        }
        let digits = line[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (number, text) = line[1..].split_at(digits);
        if !number.is_empty() && number.parse() != Ok(id) {
            return Err(out_of_turn(line));
        }
        Ok(Some(GtpResponse { is_success: line.starts_with('='), text: text.trim().to_owned() }))
    }
}

/// The move in a line of a response to `genmove`.
fn read_response(line: &str, keeps_case: bool) -> Option<Result<String, Fault>> {
    is_response(line).then(|| {
        let text = line[1..].trim_start_matches(|c: char| c.is_ascii_digit()).trim();
        match line.starts_with('=') {
            true => move_of(text, keeps_case),
            false => Err(refusal("genmove", text, FaultKind::Garbled)),
        }
    })
}

/// The move in the text of a response to `genmove`, in small letters unless a move map translates it.
fn move_of(text: &str, keeps_case: bool) -> Result<String, Fault> {
    let word = text.split_whitespace().next();
    let word = word.ok_or_else(|| Fault::new(FaultKind::Garbled, "answered genmove without a move"))?;
    let is_kept = keeps_case && !word.eq_ignore_ascii_case(RESIGN);
    Ok(if is_kept { word.to_owned() } else { word.to_lowercase() })
}

fn refusal(command: &str, text: &str, kind: FaultKind) -> Fault {
    Fault::new(kind, format!("answered {} with the failure {}", quoted(command), quoted(text)))
}

fn is_response(line: &str) -> bool {
    line.starts_with(['=', '?'])
}

/// A line as GTP 2 requires: control characters are discarded, and tabs count as blanks.
fn clean(line: &str) -> String {
    let visible = line.chars().filter(|c| *c == '\t' || !c.is_control());
    visible.map(|c| if c == '\t' { ' ' } else { c }).collect()
}

fn color(side: Side) -> &'static str {
    ["b", "w"][side.index()]
}

/// Whole seconds, as in GTP; at least 1, because 0 would mean that there is no time limit.
fn seconds(time: Duration) -> u64 {
    time.as_secs().max(1)
}

fn time_settings(control: &TimeControl) -> Option<String> {
    match (control.game, control.per_move) {
        (Some(game), _) => Some(format!("time_settings {} 0 0", seconds(game))),
        (None, Some(time)) => Some(format!("time_settings 0 {} 1", seconds(time))),
        (None, None) => None,
    }
}

/// The size of the board: the first number of a game string.
fn board_size(game: &str) -> Option<u32> {
    let parameters = game.split_once(':')?.1;
    parameters.split(|c: char| !c.is_ascii_digit()).find(|digits| !digits.is_empty())?.parse().ok()
}

impl Protocol for Gtp {
    fn open(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        let version = self.require(transport, "protocol_version", until, FaultKind::Handshake)?;
        if version != "2" {
            let detail = format!("speaks version {} of GTP, expected 2", quoted(&version));
            return Err(Fault::new(FaultKind::Handshake, detail));
        }
        let commands = self.require(transport, "list_commands", until, FaultKind::Handshake)?;
        self.commands = commands.split_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    fn begin(
        &mut self,
        transport: &mut dyn Transport,
        game: &NewGame<'_>,
        until: Instant,
    ) -> Result<(), Fault> {
        if self.knows(GAME_COMMAND) {
            self.require(transport, &format!("{GAME_COMMAND} {}", game.game), until, FaultKind::Handshake)?;
        } else if let Some(size) = board_size(game.game) {
            self.require(transport, &format!("boardsize {size}"), until, FaultKind::Handshake)?;
        }
        self.require(transport, "clear_board", until, FaultKind::Handshake)?;
        if let Some(settings) = time_settings(game.control).filter(|_| self.knows("time_settings")) {
            self.require(transport, &settings, until, FaultKind::Handshake)?;
        }
        (self.side, self.own) = (Some(game.side), None);
        for (mv, by) in game.opening {
            self.require(transport, &format!("play {} {mv}", color(*by)), until, FaultKind::Garbled)?;
        }
        Ok(())
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        let until = Instant::now() + turn.within;
        let color = color(turn.side);
        if let Some(left) = turn.left[turn.side.index()].filter(|_| self.knows("time_left")) {
            let command = format!("time_left {color} {} 0", seconds(left));
            self.require(transport, &command, until, FaultKind::Garbled)?;
        }
        let text = self.require(transport, &format!("genmove {color}"), until, FaultKind::Garbled)?;
        let mv = move_of(&text, self.keeps_case)?;
        self.own = Some(mv.clone());
        Ok(Reply { mv, ..Reply::default() })
    }

    fn observe(
        &mut self,
        transport: &mut dyn Transport,
        mv: &ObservedMove<'_>,
        until: Instant,
    ) -> Result<(), Fault> {
        let is_played = self.side == Some(mv.by) && self.own.take().is_some();
        // `genmove` has already played it, or no position follows in which it matters.
        if is_played || mv.to_move.is_none() {
            return Ok(());
        }
        let command = format!("play {} {}", color(mv.by), mv.text);
        self.require(transport, &command, until, FaultKind::Garbled).map(drop)
    }

    fn end(
        &mut self,
        _transport: &mut dyn Transport,
        _winner: Option<Side>,
        _until: Instant,
    ) -> Result<(), Fault> {
        Ok(())
    }

    fn close(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        self.id += 1;
        transport.send(&format!("{} quit", self.id), until)
    }

    fn reuses_process(&self) -> bool {
        true
    }
}
