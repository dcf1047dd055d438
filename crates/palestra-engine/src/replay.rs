//! Replays the dialogue with a program that failed.
//!
//! The lines that were sent are sent again, each request only when the request before it was answered: a dialogue is
//! matched by what the protocol waits for, not line by line, because a program may write any number of other lines.
//! The clock of the failed game runs as in the event.

use crate::connection::Connection;
use crate::protocols::{Awaited, ProtocolKind};
use crate::transport::Transport;
use palestra_arena::{AnswerTime, EngineLog, Fault, FaultKind, GameClock, LogLine, Speaker, TimeControl};
use std::time::{Duration, Instant};

/// What is replayed.
#[derive(Clone, Copy, Debug)]
pub struct RecordedDialogue<'a> {
    /// The dialogue, from the start of the process.
    pub lines: &'a [LogLine],
    /// The failure at its end.
    pub kind: FaultKind,
    /// Number of moves of the program in the game that it lost. Requests before them belong to earlier games.
    pub n_moves: usize,
    /// The time control of the event.
    pub control: TimeControl,
    /// The moves of the game that it lost, where it has a notation of its own.
    pub moves: Option<&'a [String]>,
}

/// A move that differs from the recorded one.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Departure {
    /// Number of the program's move in the game, from 1; `None` is a move of an earlier game of the process.
    pub number: Option<usize>,
    /// The recorded move.
    pub recorded: String,
    /// The move of the replay.
    pub played: String,
}

/// A replayed dialogue.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReplayedDialogue {
    /// The fault of the program, if there was one.
    pub fault: Option<Fault>,
    /// The program's answer to the last request, as a move in Palestra's notation; `None` where it was none.
    pub last_move: Option<String>,
    /// Moves that differ from the recorded ones.
    pub departures: Vec<Departure>,
    /// Whether the replay ended at a departure, since the program keeps the position itself.
    pub is_cut_off: bool,
    /// The new dialogue and standard error.
    pub log: EngineLog,
}

/// A line that was sent, and the lines that were received before the next one was.
struct Exchange<'a> {
    sent: &'a str,
    received: Vec<&'a str>,
}

fn exchanges(lines: &[LogLine]) -> Vec<Exchange<'_>> {
    let mut all: Vec<Exchange<'_>> = Vec::new();
    for line in lines {
        match (line.by, all.last_mut()) {
            (Speaker::Palestra, _) => all.push(Exchange { sent: &line.text, received: Vec::new() }),
            (Speaker::Program, Some(last)) => last.received.push(&line.text),
            // Before the first request there is nothing to match.
            (Speaker::Program, None) => {}
        }
    }
    all
}

/// A replay in progress.
pub(crate) struct DialogueReplay<'a> {
    kind: &'a dyn ProtocolKind,
    recorded: &'a RecordedDialogue<'a>,
    /// Maximum time for answers that are not moves.
    startup: Duration,
    clock: GameClock,
    pub(crate) result: ReplayedDialogue,
}

/// An answer to a request.
struct Answered {
    /// The move, if one was requested.
    mv: Option<String>,
}

impl<'a> DialogueReplay<'a> {
    pub(crate) fn new(
        kind: &'a dyn ProtocolKind,
        recorded: &'a RecordedDialogue<'a>,
        startup: Duration,
    ) -> DialogueReplay<'a> {
        let clock = GameClock::new(&recorded.control);
        DialogueReplay { kind, recorded, startup, clock, result: ReplayedDialogue::default() }
    }

    /// Replays the whole dialogue.
    pub(crate) fn run(&mut self, transport: &mut Connection<'_>) -> Result<(), Fault> {
        let exchanges = exchanges(self.recorded.lines);
        let last = exchanges.len().saturating_sub(1);
        let awaited: Vec<Awaited> =
            exchanges.iter().enumerate().map(|(i, exchange)| self.awaited(exchange, i == last)).collect();
        let n_requests = awaited.iter().filter(|awaited| awaited.is_move).count();
        // The request that failed left no move in the record; a crash after an answer had none.
        let failed_at_request = awaited.last().is_some_and(|awaited| awaited.is_move);
        let n_earlier = n_requests.saturating_sub(self.recorded.n_moves + usize::from(failed_at_request));
        let mut n_moves = 0;
        for (exchange, awaited) in exchanges.iter().zip(&awaited) {
            self.refuse_pending(transport)?;
            let began = Instant::now();
            if awaited.is_move {
                n_moves += 1;
                if n_moves == n_earlier + 1 {
                    self.clock = GameClock::new(&self.recorded.control);
                }
            }
            let within = match awaited.is_move {
                true => self.clock.budget().saturating_add(self.recorded.control.margin).min(MAX_WAIT),
                false => self.startup,
            };
            let until = began + within;
            transport.send(exchange.sent, until)?;
            let answered = self.answer(transport, *awaited, until)?;
            let Some(Answered { mv }) = answered else {
                if awaited.is_awaited() {
                    return Err(self.silence(awaited.is_move));
                }
                continue;
            };
            let Some(mv) = mv else { continue };
            let elapsed = began.elapsed();
            self.charge(AnswerTime {
                elapsed,
                waited: transport.waited_for_core(),
                ..AnswerTime::default()
            })?;
            let number = n_moves.checked_sub(n_earlier).filter(|number| *number > 0);
            // The answer that failed in the event is judged, and not compared.
            let is_failed = failed_at_request && n_moves == n_requests;
            if !is_failed && self.departs(exchange, &mv, number) {
                return Ok(());
            }
            self.result.last_move = Some(mv);
        }
        self.wait_for_the_fault(transport)
    }

    fn awaited(&self, exchange: &Exchange<'_>, is_last: bool) -> Awaited {
        let awaited = self.kind.awaited(exchange.sent);
        let is_answered = exchange.received.iter().any(|line| !line.trim().is_empty());
        match awaited.is_recorded && !is_answered && !is_last {
            true => Awaited::NOTHING,
            false => awaited,
        }
    }

    /// A move that has arrived without a request is a fault.
    fn refuse_pending(&self, transport: &mut dyn Transport) -> Result<(), Fault> {
        while let Some(line) = transport.pending()? {
            self.refuse_move(&line)?;
        }
        Ok(())
    }

    /// The move in a line, in the notation of the program.
    fn read_move(&self, line: &str) -> Option<Result<String, Fault>> {
        match self.recorded.moves {
            Some(_) => self.kind.read_mapped_move(line),
            None => self.kind.read_move(line),
        }
    }

    fn refuse_move(&self, line: &str) -> Result<(), Fault> {
        match self.read_move(line) {
            Some(_) => Err(crate::protocols::out_of_turn(line)),
            None => Ok(()),
        }
    }

    /// Waits for an answer; `None` where none came in time, or none is awaited.
    fn answer(
        &self,
        transport: &mut dyn Transport,
        awaited: Awaited,
        until: Instant,
    ) -> Result<Option<Answered>, Fault> {
        if !awaited.is_awaited() {
            return Ok(None);
        }
        let mut answered = None;
        while let Some(line) = transport.receive(until)? {
            if awaited.end_word.is_some_and(|end| line.split_whitespace().any(|word| word == end)) {
                return Ok(answered);
            }
            match (&answered, awaited.has_end_line) {
                (Some(_), true) if line.trim().is_empty() => return Ok(answered),
                (Some(_), _) if awaited.end_word.is_none() => continue,
                _ => {}
            }
            if awaited.is_move {
                if let Some(mv) = self.read_move(&line) {
                    answered = Some(Answered { mv: Some(mv?) });
                }
            } else if awaited.is_answer(&line) {
                answered = Some(Answered { mv: None });
            } else if !awaited.has_end_line {
                self.refuse_move(&line)?;
            }
            if answered.is_some() && !awaited.has_end_line && awaited.end_word.is_none() {
                return Ok(answered);
            }
            if transport.is_over(until) {
                break;
            }
        }
        // Without the last word, what was answered in time counts.
        Ok(answered.filter(|_| awaited.end_word.is_some()))
    }

    /// The fault of a program that did not answer. A protocol calls it by the moment at which it happens.
    fn silence(&self, is_move: bool) -> Fault {
        let kind = if is_move || self.recorded.kind == FaultKind::Time {
            FaultKind::Time
        } else {
            FaultKind::Handshake
        };
        Fault::new(kind, "no answer within the time limit")
    }

    fn charge(&mut self, time: AnswerTime) -> Result<(), Fault> {
        let (used, budget) = (time.charged(), self.clock.budget());
        let lost = match self.clock.charge(used) {
            true => self.clock.too_often_late(),
            false => Some(palestra_arena::late_detail(used, budget)),
        };
        lost.map_or(Ok(()), |detail| Err(Fault::new(FaultKind::Time, detail)))
    }

    /// Compares a move with the recorded one. Returns whether the replay ends here.
    fn departs(&mut self, exchange: &Exchange<'_>, played: &str, number: Option<usize>) -> bool {
        let mut moves = exchange.received.iter().filter_map(|line| self.read_move(line)?.ok());
        let recorded = match self.kind.awaited(exchange.sent).end_word {
            Some(_) => moves.next_back(),
            None => moves.next(),
        };
        let Some(recorded) = recorded.filter(|recorded| recorded != played) else { return false };
        self.result.departures.push(Departure { number, recorded, played: played.to_owned() });
        self.result.is_cut_off = !self.kind.repeats_game();
        self.result.is_cut_off
    }

    /// After the last answer: the recorded program failed later, or by what it answered.
    fn wait_for_the_fault(&self, transport: &mut dyn Transport) -> Result<(), Fault> {
        let in_answer = [FaultKind::Illegal, FaultKind::Garbled, FaultKind::Handshake, FaultKind::Time];
        if in_answer.contains(&self.recorded.kind) {
            return self.refuse_pending(transport);
        }
        let until = Instant::now() + self.startup;
        while let Some(line) = transport.receive(until)? {
            self.refuse_move(&line)?;
        }
        Ok(())
    }
}

/// One week: a deadline without a bound would overflow.
const MAX_WAIT: Duration = Duration::from_secs(604_800);
