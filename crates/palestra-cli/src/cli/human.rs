//! A person at the terminal.

use anyhow::Result;
use palestra_arena::{ChoiceText, Session};
use palestra_core::{Seed, Side, nearest_name};
use std::io::{BufRead, IsTerminal, Write, stderr, stdin, stdout};

/// What a person did with a turn.
pub(super) enum HumanAction {
    Played,
    /// The position is another one now.
    TookBack,
    Resigned,
    Left,
}

const WORDS: [&str; 6] = ["undo", "hint", "moves", "resign", "quit", "help"];

/// Choices beyond this many are counted, not listed.
const LISTED: usize = 60;

/// The conversation: to standard output, or aside where that is kept for the record.
pub(super) struct HumanConsole {
    aside: bool,
    color: bool,
    humans: [bool; 2],
}

impl HumanConsole {
    pub(super) fn new(aside: bool, color: bool, humans: [bool; 2]) -> HumanConsole {
        HumanConsole { aside, color, humans }
    }

    pub(super) fn say(&self, text: &str) -> Result<()> {
        self.write(&format!("{text}\n"))
    }

    fn write(&self, text: &str) -> Result<()> {
        let mut to: Box<dyn Write> = if self.aside { Box::new(stderr()) } else { Box::new(stdout()) };
        to.write_all(text.as_bytes())?;
        Ok(to.flush()?)
    }

    pub(super) fn computer_moved(&self, side: Side, answer: &ChoiceText, player: &str) -> Result<()> {
        if self.aside && !self.humans.contains(&true) {
            return Ok(());
        }
        let value =
            answer.value.map_or(String::new(), |value| format!(", value {}", super::output::number(value)));
        self.say(&format!("{side} ({player}) plays {}{value}", answer.mv))
    }

    /// Asks until the turn is used. A move may be typed whole, or stage by stage.
    pub(super) fn turn(&mut self, session: &mut dyn Session, adviser: &str) -> Result<HumanAction> {
        let stages = session.stages();
        // What has been typed of the move so far.
        let mut typed = String::new();
        loop {
            self.ask(session, &stages, &typed)?;
            // Bytes, not text: whatever a keyboard sends is at worst a word I do not know.
            let mut line = Vec::new();
            if stdin().lock().read_until(b'\n', &mut line)? == 0 {
                self.say("")?;
                return Ok(HumanAction::Left);
            }
            let line = String::from_utf8_lossy(&line);
            if !stdin().is_terminal() {
                // A terminal shows what is typed; a record of the conversation should as well.
                self.say(&line.trim().escape_debug().to_string())?;
            }
            let word = line.trim();
            // In the middle of a move a choice comes before a word: `h` may lay a brick flat.
            let is_choice = !typed.is_empty() && is_one_of(&next_choices(&stages, &typed).1, word);
            match word {
                "" => {}
                token if is_choice => {
                    if let Some(action) = self.go_on(session, &stages, &mut typed, token)? {
                        return Ok(action);
                    }
                }
                "undo" | "u" if !typed.is_empty() => typed.clear(),
                "undo" | "u" => {
                    self.undo(session)?;
                    return Ok(HumanAction::TookBack);
                }
                "hint" | "h" => {
                    let answer = session.ask(adviser, Seed(0))?;
                    self.say(&format!("hint: {} ({adviser})", answer.mv))?;
                }
                "moves" => {
                    let legal = session.legal();
                    let left: Vec<&str> =
                        legal.iter().map(String::as_str).filter(|mv| mv.starts_with(&typed)).collect();
                    self.say(&left.join(" "))?;
                }
                "resign" => return Ok(HumanAction::Resigned),
                "quit" | "q" => return Ok(HumanAction::Left),
                "help" | "?" => self.help(session, &stages, &typed)?,
                token => {
                    if let Some(action) = self.go_on(session, &stages, &mut typed, token)? {
                        return Ok(action);
                    }
                }
            }
        }
    }

    /// Takes what was typed as a move, or as the next part of one.
    fn go_on(
        &self,
        session: &mut dyn Session,
        stages: &[Vec<String>],
        typed: &mut String,
        token: &str,
    ) -> Result<Option<HumanAction>> {
        let whole = format!("{typed}{}", meant(&next_choices(stages, typed).1, token));
        // A whole move counts even in the middle of another one.
        match session.play(&whole).or_else(|bad| session.play(token).map_err(|_| bad)) {
            Ok(()) => return Ok(Some(HumanAction::Played)),
            Err(_) if begins_a_move(stages, &whole) => *typed = whole,
            Err(bad) => self.refuse(token, &bad.to_string())?,
        }
        Ok(None)
    }

    /// Whose turn it is, and what is to be chosen next.
    fn ask(&self, session: &dyn Session, stages: &[Vec<String>], typed: &str) -> Result<()> {
        let side = session.to_move();
        let mark = if side == Side::First { 'X' } else { 'O' };
        let (stage, choices) = next_choices(stages, typed);
        let names = session.stage_names();
        if typed.is_empty() {
            // A handful of pieces to begin with is worth naming.
            let is_short = names.len() > 1 && choices.len() <= 12;
            let first =
                if is_short { format!(", {} ({})", names[0], choices.join(" ")) } else { String::new() };
            return self.write(&format!("{side} ({mark}), your move{first}: "));
        }
        let name = names.get(stage).or(names.last()).copied().unwrap_or("move");
        let list = listed(&choices, name);
        self.write(&format!("{side} ({mark}), {typed}, {name} ({list}): "))
    }

    fn help(&self, session: &dyn Session, stages: &[Vec<String>], typed: &str) -> Result<()> {
        let (stage, choices) = next_choices(stages, typed);
        let names = session.stage_names();
        let what = if names.len() > 1 {
            let name = names.get(stage).or(names.last()).copied().unwrap_or("move");
            format!("{} after the other, or a whole move; {name}", names.join(", "))
        } else {
            "a move".to_owned()
        };
        self.say(&format!("{what} ({}), or: {}", listed(&choices, "choices"), WORDS.join(", ")))
    }

    fn refuse(&self, token: &str, bad: &str) -> Result<()> {
        match nearest_name(token, WORDS) {
            Some(word) if !token.bytes().all(|b| b.is_ascii_digit()) => {
                self.say(&format!("{token:?} is neither a move nor a word I know; did you mean \"{word}\"?"))
            }
            _ => self.say(bad),
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

/// The choice that a token names, with or without the sign it is written with: `h9` for `*h9`.
fn named<'a>(choices: &'a [String], token: &str) -> Option<&'a String> {
    let sign = |c: char| !c.is_alphanumeric();
    choices.iter().find(|choice| *choice == token || choice.trim_start_matches(sign) == token)
}

fn is_one_of(choices: &[String], token: &str) -> bool {
    named(choices, token).is_some()
}

fn meant(choices: &[String], token: &str) -> String {
    named(choices, token).cloned().unwrap_or_else(|| token.to_owned())
}

/// Whether what is typed is the beginning of a move, up to the end of one of its stages.
fn begins_a_move(stages: &[Vec<String>], typed: &str) -> bool {
    stages.iter().any(|stages| stage_after(stages, typed).is_some())
}

/// Which stage comes next in a move that begins with what is typed, if it does and one comes.
fn stage_after(stages: &[String], typed: &str) -> Option<usize> {
    let mut length = 0;
    let done = stages.iter().position(|stage| {
        let is_here = length == typed.len();
        length += stage.len();
        is_here
    })?;
    stages.concat().starts_with(typed).then_some(done)
}

/// The stage that comes next, and what may be chosen there.
fn next_choices(stages: &[Vec<String>], typed: &str) -> (usize, Vec<String>) {
    let mut choices = Vec::new();
    let mut next = 0;
    for stages in stages {
        if let Some(stage) = stage_after(stages, typed) {
            next = stage;
            if !choices.contains(&stages[stage]) {
                choices.push(stages[stage].clone());
            }
        }
    }
    (next, choices)
}

fn listed(choices: &[String], name: &str) -> String {
    match choices.len() {
        n if n > LISTED => format!("one of {n} {name}"),
        _ => choices.join(" "),
    }
}
