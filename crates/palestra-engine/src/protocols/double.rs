//! A program that is a script, for tests of protocols.

use crate::clock::TimeControl;
use crate::fault::Fault;
use crate::protocol::{MoveRequest, NewGame, OpeningMove};
use crate::transport::Transport;
use palestra_core::Side;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// One act of a script.
enum ScriptLine {
    /// The program is to be told exactly this.
    Told(String),
    /// It says this.
    Says(String),
}

/// A program that says what its script has, when it has been told what the script has before. Where nothing is to be
/// said, waiting ends at once: no time passes in these tests.
pub(super) struct Script {
    acts: VecDeque<ScriptLine>,
}

impl Script {
    /// A script, line by line: `> ` is what the program is told, `< ` what it says; other lines are comments.
    pub(super) fn new(text: &str) -> Script {
        let act = |line: &str| {
            let line = line.trim_start();
            let told = line
                .strip_prefix('>')
                .map(|line| ScriptLine::Told(line.strip_prefix(' ').unwrap_or(line).to_owned()));
            told.or_else(|| {
                line.strip_prefix('<')
                    .map(|line| ScriptLine::Says(line.strip_prefix(' ').unwrap_or(line).to_owned()))
            })
        };
        Script { acts: text.lines().filter_map(act).collect() }
    }

    /// Holds the protocol to the end of the script.
    #[track_caller]
    pub(super) fn finish(&self) {
        match self.acts.front() {
            None => {}
            Some(ScriptLine::Told(line)) => panic!("never told {line:?}"),
            Some(ScriptLine::Says(line)) => panic!("never listened to {line:?}"),
        }
    }
}

impl Transport for Script {
    fn send(&mut self, line: &str, _until: Instant) -> Result<(), Fault> {
        match self.acts.pop_front() {
            Some(ScriptLine::Told(expected)) => assert_eq!(line, expected),
            Some(ScriptLine::Says(said)) => panic!("told {line:?} before it could say {said:?}"),
            None => panic!("told {line:?} after the end of the script"),
        }
        Ok(())
    }

    fn receive(&mut self, _until: Instant) -> Result<Option<String>, Fault> {
        match self.acts.pop_front() {
            Some(ScriptLine::Says(line)) => Ok(Some(line.trim_end_matches('\r').to_owned())),
            Some(told) => {
                self.acts.push_front(told);
                Ok(None)
            }
            None => Ok(None),
        }
    }
}

/// A program that says the same lines whatever it is told.
pub(super) struct FixedReplies(pub(super) VecDeque<String>);

impl Transport for FixedReplies {
    fn send(&mut self, _line: &str, _until: Instant) -> Result<(), Fault> {
        Ok(())
    }

    fn receive(&mut self, _until: Instant) -> Result<Option<String>, Fault> {
        Ok(self.0.pop_front())
    }
}

/// An instant that no test lives to see.
pub(super) fn later() -> Instant {
    Instant::now() + Duration::from_secs(3600)
}

/// A game that begins.
pub(super) fn beginning<'a>(
    game: &'a str,
    side: Side,
    opening: &'a [OpeningMove<'a>],
    control: &'a TimeControl,
) -> NewGame<'a> {
    NewGame { game, side, opening, control }
}

/// A turn with full clocks.
pub(super) fn turn<'a>(moves: &'a [String], side: Side, control: &'a TimeControl) -> MoveRequest<'a> {
    MoveRequest { moves, side, left: [control.game; 2], control, until: later() }
}

/// Moves out of a list.
pub(super) fn moves(list: &str) -> Vec<String> {
    list.split_whitespace().map(str::to_owned).collect()
}
