//! UGI, the Universal Game Interface, and UCI, the chess protocol that it is derived from.

use super::info::{MateUnit, read_info};
use super::reading::{out_of_turn, quoted, read_pending, read_until, too_late};
use super::{Awaited, ProtocolInfo, ProtocolKind, ProtocolSource};
use crate::protocol::Protocol;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, ObservedMove, Reply};
use palestra_core::Side;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Entry of UGI in the list of protocols.
pub(super) const UGI: ProtocolInfo = ProtocolInfo {
    name: "ugi",
    about: "any game; the one to choose for a new program",
    source: ProtocolSource::Code(|| Box::new(Dialect::UGI)),
};

/// Entry of UCI in the list of protocols.
pub(super) const UCI: ProtocolInfo = ProtocolInfo {
    name: "uci",
    about: "the same with the commands of chess engines",
    source: ProtocolSource::Code(|| Box::new(Dialect::UCI)),
};

impl ProtocolKind for Dialect {
    fn speak(&self, options: &[(String, String)]) -> Box<dyn Protocol> {
        Box::new(Ugi::new(*self, options))
    }

    fn awaited(&self, sent: &str) -> Awaited {
        match first_word(sent) {
            "isready" => Awaited::line(&["readyok"]),
            "go" => Awaited::MOVE,
            word if word == self.hello => Awaited::line(self.hello_answers),
            _ => Awaited::NOTHING,
        }
    }

    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        let mut words = line.split_whitespace();
        let is_move = words.next() == Some("bestmove");
        is_move.then(|| words.next().map(str::to_owned).ok_or_else(no_move))
    }

    fn repeats_game(&self) -> bool {
        true
    }

    fn speak_mapped(&self, options: &[(String, String)]) -> Option<Box<dyn Protocol>> {
        Some(self.speak(options))
    }

    fn takes_setups(&self) -> bool {
        true
    }

    fn has_options(&self) -> bool {
        true
    }

    fn has_stop(&self) -> bool {
        true
    }
}

/// The keywords in which UGI and UCI differ.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    hello: &'static str,
    hello_answers: &'static [&'static str; 1],
    new_game: &'static str,
    /// Time left of both sides, then increment of both sides.
    clocks: [&'static str; 4],
    variant: &'static str,
    mate_unit: MateUnit,
}

impl Dialect {
    /// The Universal Game Interface.
    pub const UGI: Dialect = Dialect {
        hello: "ugi",
        hello_answers: &["ugiok"],
        new_game: "uginewgame",
        clocks: ["p1time", "p2time", "p1inc", "p2inc"],
        variant: "UGI_Variant",
        mate_unit: MateUnit::Plies,
    };

    /// The Universal Chess Interface; the first side is white.
    pub const UCI: Dialect = Dialect {
        hello: "uci",
        hello_answers: &["uciok"],
        new_game: "ucinewgame",
        clocks: ["wtime", "btime", "winc", "binc"],
        variant: "UCI_Variant",
        mate_unit: MateUnit::Moves,
    };
}

/// A dialogue in UGI or UCI. All moves are sent at every turn, so openings and extra turns need no special treatment.
/// The program is never asked about the rules.
#[derive(Debug)]
pub struct Ugi {
    dialect: Dialect,
    options: Vec<(String, String)>,
    /// Names of the options that the program has.
    offered: Vec<String>,
    /// The variant that was sent last.
    variant: Option<String>,
    /// The start of the game, as a `position` command has it.
    start: String,
}

impl Ugi {
    /// A dialogue that sets these options, as names and values.
    #[must_use]
    pub fn new(dialect: Dialect, options: &[(String, String)]) -> Ugi {
        Ugi {
            dialect,
            options: options.to_vec(),
            offered: Vec::new(),
            variant: None,
            start: "startpos".to_owned(),
        }
    }

    /// Waits until the program has processed all commands. A move before that is a fault, since none was requested.
    fn wait(&self, transport: &mut dyn Transport, until: Instant) -> Result<bool, Fault> {
        transport.send("isready", until)?;
        let ready = read_until(transport, until, |line| {
            refuse_move(line)?;
            Ok((first_word(line) == "readyok").then_some(()))
        })?;
        Ok(ready.is_some())
    }

    fn ready(&self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        match self.wait(transport, until)? {
            true => Ok(()),
            false => Err(Fault::new(FaultKind::Handshake, "no readyok after isready")),
        }
    }

    /// The `go` command with the limits of the move.
    fn go(&self, turn: &MoveRequest<'_>) -> String {
        let control = turn.control;
        let mut line = "go".to_owned();
        let own = turn.left[turn.side.index()];
        if let Some(own) = own.or(control.game) {
            let left = turn.left.map(|left| milliseconds(left.or(control.game).unwrap_or(own)));
            let added = milliseconds(control.increment);
            for (word, time) in self.dialect.clocks.iter().zip([left[0], left[1], added, added]) {
                let _ = write!(line, " {word} {time}");
            }
        }
        if let Some(depth) = control.depth {
            let _ = write!(line, " depth {depth}");
        }
        if let Some(nodes) = control.nodes {
            let _ = write!(line, " nodes {nodes}");
        }
        if line == "go" {
            match control.per_move {
                Some(time) => drop(write!(line, " movetime {}", milliseconds(time))),
                None => line.push_str(" infinite"),
            }
        }
        line
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

fn refuse_move(line: &str) -> Result<(), Fault> {
    if first_word(line) == "bestmove" { Err(out_of_turn(line)) } else { Ok(()) }
}

fn no_move() -> Fault {
    Fault::new(FaultKind::Garbled, "sent bestmove without a move")
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// The name in `option name Use Book type check default false`.
fn option_name(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    if words.next() != Some("option") || words.next() != Some("name") {
        return None;
    }
    let name: Vec<&str> = words.take_while(|word| *word != "type").collect();
    (!name.is_empty()).then(|| name.join(" "))
}

impl Protocol for Ugi {
    fn open(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        let Dialect { hello, hello_answers: &[hello_back], .. } = self.dialect;
        transport.send(hello, until)?;
        let offered = &mut self.offered;
        let answer = read_until(transport, until, |line| {
            refuse_move(line)?;
            offered.extend(option_name(line));
            Ok((first_word(line) == hello_back).then_some(()))
        })?;
        answer.ok_or_else(|| Fault::new(FaultKind::Handshake, format!("no {hello_back} after {hello}")))?;
        for (name, value) in &self.options {
            if !self.offered.iter().any(|offered| offered.eq_ignore_ascii_case(name)) {
                let offered = match self.offered.len() {
                    0 => "it has none".to_owned(),
                    _ => format!("it has {}", self.offered.join(", ")),
                };
                let detail = format!("has no option {}: {offered}", quoted(name));
                return Err(Fault::new(FaultKind::Handshake, detail));
            }
            transport.send(&format!("setoption name {name} value {value}"), until)?;
        }
        self.ready(transport, until)
    }

    fn begin(
        &mut self,
        transport: &mut dyn Transport,
        game: &NewGame<'_>,
        until: Instant,
    ) -> Result<(), Fault> {
        let variant = self.dialect.variant;
        self.start = game.setup.map_or_else(|| "startpos".to_owned(), |setup| format!("fen {setup}"));
        let is_set = self.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(variant));
        let is_sent = is_set || self.variant.as_deref() == Some(game.game);
        if !is_sent && self.offered.iter().any(|offered| offered.eq_ignore_ascii_case(variant)) {
            transport.send(&format!("setoption name {variant} value {}", game.game), until)?;
            self.variant = Some(game.game.to_owned());
        }
        transport.send(self.dialect.new_game, until)?;
        self.ready(transport, until)
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        let until = Instant::now() + turn.within;
        read_pending(transport, until, refuse_move)?;
        let mut position = format!("position {}", self.start);
        if !turn.moves.is_empty() {
            position.push_str(" moves ");
            position.push_str(&turn.moves.join(" "));
        }
        transport.send(&position, until)?;
        if !self.wait(transport, until)? {
            return Err(too_late("readyok"));
        }
        transport.send(&self.go(turn), until)?;
        let mut reply = Reply::default();
        let unit = self.dialect.mate_unit;
        let mv = read_until(transport, until, |line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match &words[..] {
                ["info", words @ ..] => read_info(&mut reply, words, unit),
                ["bestmove", mv, ..] => return Ok(Some((*mv).to_owned())),
                ["bestmove"] => return Err(no_move()),
                _ => {}
            }
            Ok(None)
        })?;
        reply.mv = mv.ok_or_else(|| too_late("bestmove"))?;
        Ok(reply)
    }

    fn observe(
        &mut self,
        _transport: &mut dyn Transport,
        _mv: &ObservedMove<'_>,
        _until: Instant,
    ) -> Result<(), Fault> {
        Ok(())
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
        transport.send("quit", until)
    }

    fn reuses_process(&self) -> bool {
        true
    }
}
