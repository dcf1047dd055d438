//! KGP, the Kalah Game Protocol: the server's side of its mode `freeplay`, over pipes.
//!
//! Commands may have a number, and refer to the number of another one: `4 state <…>`, `@4 move 2`, `7@4 yield`. A move
//! of a state stands until the program sends another one, yields, or is told to stop.

use super::reading::{out_of_turn, quoted, read_pending, read_until, too_late};
use super::{Awaited, ProtocolInfo, ProtocolKind, ProtocolSource};
use crate::protocol::Protocol;
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, ObservedMove, Reply};
use palestra_core::{InputError, Side};
use std::time::{Duration, Instant};

/// Entry in the list of protocols.
pub(super) const INFO: ProtocolInfo = ProtocolInfo {
    name: "kgp",
    about: "clients of the Kalah Game Protocol, in its mode freeplay",
    source: ProtocolSource::Code(|| Box::new(KgpKind)),
};

/// Number of moves that the remaining time of a game is divided by: the protocol has no clocks, so each move gets a
/// share.
const MOVES_TO_GO: u32 = 30;

/// Time reserved for the `stop`, so that a program which thinks until then is not late.
const RESERVE: Duration = Duration::from_millis(20);

#[derive(Debug)]
struct KgpKind;

impl ProtocolKind for KgpKind {
    fn speak(&self, _options: &[(String, String)]) -> Box<dyn Protocol> {
        Box::new(Kgp::default())
    }

    fn awaited(&self, sent: &str) -> Awaited {
        match KgpLine::parse(sent).words[..] {
            ["kgp", ..] => Awaited::ANY,
            ["state", ..] => Awaited { end_word: Some("yield"), ..Awaited::MOVE },
            _ => Awaited::NOTHING,
        }
    }

    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        match KgpLine::parse(line).words[..] {
            ["move", hole, ..] => Some(Ok(hole.to_owned())),
            ["move"] => Some(Err(no_hole(line))),
            _ => None,
        }
    }

    fn repeats_game(&self) -> bool {
        true
    }

    fn check(&self, game: &str) -> Result<(), InputError> {
        match game.starts_with("kalah:") && !game.contains("capture=") {
            true => Ok(()),
            false => {
                let expected = "a game of the protocol kgp (kalah:HOLESxSEEDS with the standard capture)";
                Err(InputError::new("game", game, expected))
            }
        }
    }

    fn takes_setups(&self) -> bool {
        true
    }
}

/// A dialogue in KGP.
#[derive(Debug, Default)]
struct Kgp {
    /// The number of the last command that was sent. Those of a server are even.
    id: u64,
}

/// A line of a client.
#[derive(PartialEq, Eq, Debug)]
struct KgpLine<'a> {
    id: Option<u64>,
    reference: Option<u64>,
    words: Vec<&'a str>,
}

impl<'a> KgpLine<'a> {
    fn parse(line: &'a str) -> KgpLine<'a> {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        let mut numbers = (None, None);
        if let Some(first) = words.first() {
            let (id, reference) = first.split_once('@').map_or((*first, None), |(id, to)| (id, Some(to)));
            let reference = reference.map(str::parse::<u64>);
            let has_id = id.bytes().all(|byte| byte.is_ascii_digit());
            if has_id && !first.is_empty() && reference.as_ref().is_none_or(Result::is_ok) {
                numbers = (id.parse().ok(), reference.and_then(Result::ok));
                words.remove(0);
            }
        }
        KgpLine { id: numbers.0, reference: numbers.1, words }
    }
}

impl Kgp {
    fn send(
        &mut self,
        transport: &mut dyn Transport,
        command: &str,
        reference: Option<u64>,
        until: Instant,
    ) -> Result<u64, Fault> {
        self.id += 2;
        let reference = reference.map_or(String::new(), |number| format!("@{number}"));
        transport.send(&format!("{}{reference} {command}", self.id), until)?;
        Ok(self.id)
    }

    /// Takes a line that is no move; pings are answered by the caller, which gets their number.
    fn note(line: &str, parsed: &KgpLine<'_>) -> Result<Option<Ping>, Fault> {
        match parsed.words[..] {
            ["ping", ..] => Ok(Some(Ping(parsed.id))),
            ["goodbye", ..] => Err(Fault::new(FaultKind::Closed, "said goodbye in the middle of an event")),
            // A late answer to an earlier state is no fault: it may have crossed the `stop`.
            ["move" | "yield", ..] if parsed.reference.is_none() => Err(out_of_turn(line)),
            _ => Ok(None),
        }
    }

    fn answer(
        &mut self,
        transport: &mut dyn Transport,
        pings: Vec<Ping>,
        until: Instant,
    ) -> Result<(), Fault> {
        pings.into_iter().try_for_each(|Ping(id)| self.send(transport, "pong", id, until).map(drop))
    }

    /// Reads the answers to a state up to a deadline; returns whether the program yielded, or sent a move after it was
    /// told to stop.
    fn listen(
        &mut self,
        transport: &mut dyn Transport,
        state: u64,
        mv: &mut Option<String>,
        (is_stopped, until): (bool, Instant),
    ) -> Result<bool, Fault> {
        loop {
            let mut ping = None;
            let event = read_until(transport, until, |line| {
                let parsed = KgpLine::parse(line);
                match (&parsed.words[..], parsed.reference) {
                    (["move", hole, ..], reference) if reference.is_none_or(|id| id == state) => {
                        *mv = Some((*hole).to_owned());
                        return Ok(is_stopped.then_some(true));
                    }
                    (["move"], _) => {
                        return Err(no_hole(line));
                    }
                    (["yield", ..], reference) if reference.is_none_or(|id| id == state) => {
                        return Ok(Some(true));
                    }
                    _ => ping = Kgp::note(line, &parsed)?,
                }
                Ok(ping.is_some().then_some(false))
            })?;
            match (event, ping) {
                (_, Some(ping)) => self.answer(transport, vec![ping], until)?,
                (yielded, None) => return Ok(yielded == Some(true)),
            }
        }
    }
}

fn no_hole(line: &str) -> Fault {
    Fault::new(FaultKind::Garbled, format!("{} has no hole", quoted(line)))
}

/// A `ping` with its number.
#[derive(Debug)]
struct Ping(Option<u64>);

/// The time after which the program is told to stop.
fn thinking_time(turn: &MoveRequest<'_>) -> Duration {
    let control = turn.control;
    let share =
        turn.left[turn.side.index()].map(|left| (left / MOVES_TO_GO + control.increment).min(left / 2));
    let time = control.budget(share).unwrap_or(turn.within);
    time - RESERVE.min(time / 10)
}

/// The board of a setup for the program of a side, which is always South: `<6,0,0,4,4,…>`.
fn board(position: &str, side: Side) -> Option<String> {
    let (first, second) = position.split_whitespace().next()?.split_once('/')?;
    let (own, other) = if side == Side::First { (first, second) } else { (second, first) };
    let ((own, own_store), (other, other_store)) = (own.rsplit_once(',')?, other.rsplit_once(',')?);
    Some(format!("<{},{own_store},{other_store},{own},{other}>", own.split(',').count()))
}

impl Protocol for Kgp {
    fn open(&mut self, transport: &mut dyn Transport, until: Instant) -> Result<(), Fault> {
        transport.send("kgp 1 0 0", until)?;
        let mode = read_until(transport, until, |line| {
            let parsed = KgpLine::parse(line);
            match parsed.words[..] {
                ["mode", mode, ..] => Ok(Some((parsed.id, mode.to_owned()))),
                _ => Kgp::note(line, &parsed).map(|_| None),
            }
        })?;
        let (id, mode) = mode.ok_or_else(|| Fault::new(FaultKind::Handshake, "no mode after kgp 1 0 0"))?;
        if mode != "freeplay" {
            let detail = format!("asks for the mode {}, expected freeplay", quoted(&mode));
            return Err(Fault::new(FaultKind::Handshake, detail));
        }
        self.send(transport, "ok", id, until).map(drop)
    }

    fn begin(
        &mut self,
        _transport: &mut dyn Transport,
        _game: &NewGame<'_>,
        _until: Instant,
    ) -> Result<(), Fault> {
        Ok(())
    }

    fn choose(&mut self, transport: &mut dyn Transport, turn: &MoveRequest<'_>) -> Result<Reply, Fault> {
        let now = Instant::now();
        let until = now + turn.within;
        let mut pings = Vec::new();
        read_pending(transport, until, |line| {
            pings.extend(Kgp::note(line, &KgpLine::parse(line))?);
            Ok(())
        })?;
        self.answer(transport, pings, until)?;
        let board = board(turn.position, turn.side).ok_or_else(|| {
            Fault::new(FaultKind::Start, format!("the protocol kgp cannot express {}", turn.position))
        })?;
        let state = self.send(transport, &format!("state {board}"), None, until)?;
        let mut mv = None;
        let stop = until.min(now + thinking_time(turn));
        if !self.listen(transport, state, &mut mv, (false, stop))? {
            self.send(transport, "stop", Some(state), until)?;
            if mv.is_none() {
                self.listen(transport, state, &mut mv, (true, until))?;
            }
        } else if mv.is_none() {
            return Err(Fault::new(FaultKind::Garbled, "yielded without a move"));
        }
        Ok(Reply { mv: mv.ok_or_else(|| too_late("move"))?, ..Reply::default() })
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
        self.send(transport, "goodbye", None, until).map(drop)
    }

    fn reuses_process(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocols::double::{Script, later, new_game, turn};
    use palestra_arena::TimeControl;

    const AT: &str = "4,4,0,5,5,5,1/4,4,4,4,4,4,0 1";

    /// The program's move for both sides of the same position, with this dialogue after the handshake.
    fn choose(script: &str, side: Side) -> Result<String, Fault> {
        let mut transport = Script::new(&format!("> kgp 1 0 0\n< 1 mode freeplay\n> 2@1 ok\n{script}"));
        let mut kgp = Kgp::default();
        let time: TimeControl = "60".parse().unwrap();
        kgp.open(&mut transport, later())?;
        kgp.begin(&mut transport, &new_game("kalah:6x4", side, &[], &time), later())?;
        let chosen = kgp.choose(&mut transport, &MoveRequest { position: AT, ..turn(&[], side, &time) });
        transport.finish();
        chosen.map(|reply| reply.mv)
    }

    #[test]
    fn the_last_move_before_yield_counts() {
        let first = "> 4 state <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>\n< @4 move 2\n< 3@4 move 5\n< 5@4 yield";
        assert_eq!(choose(first, Side::First), Ok("5".to_owned()));
        let second = "> 4 state <6,0,1,4,4,4,4,4,4,4,4,0,5,5,5>\n< 3 ping\n> 6@3 pong\n< @2 move 9\n< @4 move 1\n< @4 yield";
        assert_eq!(choose(second, Side::Second), Ok("1".to_owned()));
        // What was said about the program is not needed.
        let set = "< set info:name \"a b\"\n> 4 state <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>\n< move 3\n< yield";
        assert_eq!(choose(set, Side::First), Ok("3".to_owned()));
    }

    #[test]
    fn a_program_that_does_not_yield_is_stopped() {
        let state = "> 4 state <6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>";
        // A script has no answer: its time is up at once.
        assert_eq!(choose(&format!("{state}\n< @4 move 2\n> 6@4 stop"), Side::First), Ok("2".to_owned()));
        assert_eq!(choose(&format!("{state}\n> 6@4 stop\n< @4 move 6"), Side::First), Ok("6".to_owned()));
        let kind = |script: &str| choose(script, Side::First).unwrap_err().kind;
        assert_eq!(kind(&format!("{state}\n> 6@4 stop")), FaultKind::Time);
        assert_eq!(kind(&format!("{state}\n< @4 yield")), FaultKind::Garbled);
        assert_eq!(kind(&format!("{state}\n< @4 move")), FaultKind::Garbled);
        assert_eq!(kind("< move 3"), FaultKind::OutOfTurn);
        assert_eq!(kind("< goodbye"), FaultKind::Closed);
    }

    #[test]
    fn other_modes_and_games_are_refused() {
        let open = |script: &str| Kgp::default().open(&mut Script::new(script), later()).unwrap_err();
        let fault = open("> kgp 1 0 0\n< mode simple");
        assert!(fault.kind == FaultKind::Handshake && fault.detail.contains("expected freeplay"), "{fault}");
        assert_eq!(open("> kgp 1 0 0\n< hello").kind, FaultKind::Handshake);
        assert!(KgpKind.check("kalah:7x7").is_ok());
        for game in ["kalah:7x7,capture=empty", "mancala:uam", "connect:7x6x4"] {
            assert!(KgpKind.check(game).unwrap_err().to_string().contains("of the protocol kgp"), "{game}");
        }
    }

    #[test]
    fn lines_have_numbers_and_references() {
        let check = |line: &str, id: Option<u64>, reference: Option<u64>, words: &[&str]| {
            assert_eq!(KgpLine::parse(line), KgpLine { id, reference, words: words.to_vec() }, "{line}");
        };
        check("move 3", None, None, &["move", "3"]);
        check("@12 move 3\r", None, Some(12), &["move", "3"]);
        check("3@12 move 3", Some(3), Some(12), &["move", "3"]);
        check("7 ping", Some(7), None, &["ping"]);
        check("3@x move 3", None, None, &["3@x", "move", "3"]);
        check("", None, None, &[]);
    }

    #[test]
    fn a_move_gets_a_share_of_the_clock() {
        let check = |control: &str, ms: u64| {
            let control: TimeControl = control.parse().unwrap();
            assert_eq!(thinking_time(&turn(&[], Side::First, &control)), Duration::from_millis(ms));
        };
        check("60", 1_980);
        check("60+1", 2_980);
        check("60+90,5/move", 4_980);
        check("0.1/move", 90);
    }
}
