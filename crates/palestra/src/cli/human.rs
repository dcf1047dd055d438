//! A person at the terminal.

use anyhow::Result;
use palestra_arena::{Answer, Session};
use palestra_core::{Seed, Side, nearest_name};
use std::io::{BufRead, IsTerminal, Write, stderr, stdin, stdout};

/// What a person did with a turn.
pub(super) enum Action {
    Played,
    Resigned,
    Left,
}

const WORDS: [&str; 6] = ["undo", "hint", "moves", "resign", "quit", "help"];

/// The conversation: to standard output, or aside where that is kept for the record.
pub(super) struct Talk {
    aside: bool,
    color: bool,
    humans: [bool; 2],
}

impl Talk {
    pub(super) fn new(aside: bool, color: bool, humans: [bool; 2]) -> Talk {
        Talk { aside, color, humans }
    }

    pub(super) fn say(&self, text: &str) -> Result<()> {
        self.write(&format!("{text}\n"))
    }

    fn write(&self, text: &str) -> Result<()> {
        let mut to: Box<dyn Write> = if self.aside { Box::new(stderr()) } else { Box::new(stdout()) };
        to.write_all(text.as_bytes())?;
        Ok(to.flush()?)
    }

    pub(super) fn computer_moved(&self, side: Side, answer: &Answer, player: &str) -> Result<()> {
        if self.aside && !self.humans.contains(&true) {
            return Ok(());
        }
        let value =
            answer.value.map_or(String::new(), |value| format!(", value {}", super::output::number(value)));
        self.say(&format!("{side} ({player}) plays {}{value}", answer.mv))
    }

    /// Asks until the turn is used.
    pub(super) fn turn(&mut self, session: &mut dyn Session, adviser: &str) -> Result<Action> {
        loop {
            let side = session.to_move();
            self.write(&format!("{side} ({}), your move: ", if side == Side::First { 'X' } else { 'O' }))?;
            // Bytes, not text: whatever a keyboard sends is at worst a word I do not know.
            let mut line = Vec::new();
            if stdin().lock().read_until(b'\n', &mut line)? == 0 {
                self.say("")?;
                return Ok(Action::Left);
            }
            let line = String::from_utf8_lossy(&line);
            if !stdin().is_terminal() {
                // A terminal shows what is typed; a record of the conversation should as well.
                self.say(&line.trim().escape_debug().to_string())?;
            }
            match line.trim() {
                "" => {}
                "undo" | "u" => self.undo(session)?,
                "hint" | "h" => {
                    let answer = session.ask(adviser, Seed(0))?;
                    self.say(&format!("hint: {} ({adviser})", answer.mv))?;
                }
                "moves" => self.say(&session.legal().join(" "))?,
                "resign" => return Ok(Action::Resigned),
                "quit" | "q" => return Ok(Action::Left),
                "help" | "?" => {
                    self.say(&format!("a move ({}), or: {}", session.legal().join(" "), WORDS.join(", ")))?;
                }
                token => match session.play(token) {
                    Ok(()) => return Ok(Action::Played),
                    Err(bad) => match nearest_name(token, WORDS) {
                        Some(word) if !token.bytes().all(|b| b.is_ascii_digit()) => {
                            self.say(&format!(
                                "{token:?} is neither a move nor a word I know; did you mean \"{word}\"?"
                            ))?;
                        }
                        _ => self.say(&bad.to_string())?,
                    },
                },
            }
        }
    }

    /// Takes back to the person's own last turn, past the computer's answer. Where there is none, nothing
    /// is taken back: else the person would move for the computer.
    fn undo(&self, session: &mut dyn Session) -> Result<()> {
        let mut taken_back = Vec::new();
        while let Some(mv) = session.played().pop() {
            session.undo();
            taken_back.push(mv);
            if self.humans[session.to_move().index()] {
                return self.say(&session.grid().to_text(self.color));
            }
        }
        for mv in taken_back.iter().rev() {
            session.play(mv)?;
        }
        self.say("nothing to take back")
    }
}
