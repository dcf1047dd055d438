//! Programs with fixed dialogues, for tests of protocols.

use crate::transport::Transport;
use palestra_arena::{Fault, MoveRequest, NewGame, ObservedMove, OpeningMove, TimeControl};
use palestra_core::Side;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// One line of a script.
enum ScriptLine {
    /// A line that must be sent to the program.
    Sent(String),
    /// A line that the program answers.
    Answer(String),
}

/// A program with a script: it answers the next lines once the lines before them were sent. Where the script has no
/// answer, waiting ends at once, so that these tests take no time.
pub(super) struct Script {
    lines: VecDeque<ScriptLine>,
}

impl Script {
    /// A script, line by line: `> ` is sent to the program, `< ` is its answer; other lines are comments.
    pub(super) fn new(text: &str) -> Script {
        let script_line = |line: &str| {
            let line = line.trim_start();
            let sent = line
                .strip_prefix('>')
                .map(|line| ScriptLine::Sent(line.strip_prefix(' ').unwrap_or(line).to_owned()));
            sent.or_else(|| {
                line.strip_prefix('<')
                    .map(|line| ScriptLine::Answer(line.strip_prefix(' ').unwrap_or(line).to_owned()))
            })
        };
        Script { lines: text.lines().filter_map(script_line).collect() }
    }

    /// Checks that the protocol went through the whole script.
    #[track_caller]
    pub(super) fn finish(&self) {
        match self.lines.front() {
            None => {}
            Some(ScriptLine::Sent(line)) => panic!("never sent {line:?}"),
            Some(ScriptLine::Answer(line)) => panic!("never received {line:?}"),
        }
    }
}

impl Transport for Script {
    fn send(&mut self, line: &str, _until: Instant) -> Result<(), Fault> {
        match self.lines.pop_front() {
            Some(ScriptLine::Sent(expected)) => assert_eq!(line, expected),
            Some(ScriptLine::Answer(answer)) => panic!("sent {line:?} before the answer {answer:?}"),
            None => panic!("sent {line:?} after the end of the script"),
        }
        Ok(())
    }

    fn receive(&mut self, _until: Instant) -> Result<Option<String>, Fault> {
        match self.lines.pop_front() {
            Some(ScriptLine::Answer(line)) => Ok(Some(line.trim_end_matches('\r').to_owned())),
            Some(sent) => {
                self.lines.push_front(sent);
                Ok(None)
            }
            None => Ok(None),
        }
    }
}

/// A program that answers the same lines to any input.
pub(super) struct FixedReplies(pub(super) VecDeque<String>);

impl Transport for FixedReplies {
    fn send(&mut self, _line: &str, _until: Instant) -> Result<(), Fault> {
        Ok(())
    }

    fn receive(&mut self, _until: Instant) -> Result<Option<String>, Fault> {
        Ok(self.0.pop_front())
    }
}

/// A deadline that no test reaches.
pub(super) fn later() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// The start of a game.
pub(super) fn new_game<'a>(
    game: &'a str,
    side: Side,
    opening: &'a [OpeningMove<'a>],
    control: &'a TimeControl,
) -> NewGame<'a> {
    NewGame { game, setup: None, side, opening, control }
}

/// A request for a move with full clocks.
pub(super) fn turn<'a>(moves: &'a [String], side: Side, control: &'a TimeControl) -> MoveRequest<'a> {
    MoveRequest {
        moves,
        position: "",
        side,
        left: [control.game; 2],
        control,
        within: Duration::from_secs(3600),
    }
}

/// A move after which the other side moves.
pub(super) fn played(text: &str, by: Side) -> ObservedMove<'_> {
    ObservedMove { text, by, position: "", to_move: Some(by.other()) }
}

/// The moves of a list.
pub(super) fn moves(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}
