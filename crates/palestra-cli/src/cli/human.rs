//! A human player at the terminal.

use super::show;
use anyhow::Result;
use palestra_arena::{
    AnswerTime, ChoiceText, EngineLog, ExternalPlayer, GameSeat, MoveRequest, NewGame, ObservedMove,
    PlayError, PlayerSpec, RESIGN, Reply, Session, TimeControl,
};
use palestra_core::{InputError, Seed, Side, nearest_name};
use std::fmt;
use std::io::{BufRead, IsTerminal, Write, stderr, stdin, stdout};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the human did in a turn.
#[derive(Clone, Copy)]
pub(super) enum HumanAction {
    Played,
    /// Moves were taken back, so that the position has changed.
    TookBack,
    Resigned,
    Left,
}

const COMMANDS: [&str; 6] = ["undo", "hint", "moves", "resign", "quit", "help"];

/// More choices than this are counted, not listed.
const LISTED: usize = 60;

/// A human as a player of a game, who sees the board in a session of their own.
pub(super) struct HumanPlayer {
    console: HumanConsole,
    hint_player: PlayerSpec,
    session: Mutex<Box<dyn Session>>,
    /// What ended the game other than a move, and the number of moves that are left then.
    action: Mutex<Option<(HumanAction, usize)>>,
}

impl HumanPlayer {
    /// A human at the position of a session.
    pub(super) fn new(
        session: Box<dyn Session>,
        console: HumanConsole,
        hint_player: PlayerSpec,
    ) -> HumanPlayer {
        HumanPlayer { console, hint_player, session: Mutex::new(session), action: Mutex::default() }
    }

    /// What ended the game other than a move, and the number of moves that are left then.
    pub(super) fn action(&self) -> Option<(HumanAction, usize)> {
        *lock(&self.action)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for HumanPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HumanPlayer")
    }
}

impl ExternalPlayer for HumanPlayer {
    fn name(&self) -> String {
        "human".to_owned()
    }

    /// Humans have no clock.
    fn control(&self) -> TimeControl {
        TimeControl { per_move: None, ..TimeControl::default() }
    }

    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError> {
        Ok(Box::new(HumanSeat(self)))
    }
}

struct HumanSeat<'a>(&'a HumanPlayer);

impl GameSeat for HumanSeat<'_> {
    fn begin(&mut self, _game: &NewGame<'_>) -> Result<(), PlayError> {
        Ok(())
    }

    /// What is not a move voids the game, which then goes on from another position, or not at all.
    fn choose(&mut self, _turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        let mut session = lock(&self.0.session);
        let turn = self.0.console.turn(session.as_mut(), &self.0.hint_player);
        let mv = match turn.map_err(|error| PlayError::Internal(format!("{error:#}")))? {
            HumanAction::Played => {
                let mv = session.played().pop().unwrap_or_default();
                session.undo();
                mv
            }
            HumanAction::Resigned => RESIGN.to_owned(),
            action => {
                *lock(&self.0.action) = Some((action, session.played().len()));
                return Err(PlayError::Internal("no move".to_owned()));
            }
        };
        Ok((Reply { mv, ..Reply::default() }, AnswerTime::default()))
    }

    fn observe(&mut self, mv: &ObservedMove<'_>, _within: Duration) -> Result<(), PlayError> {
        match mv.to_move {
            Some(_) => Ok(lock(&self.0.session).play(mv.text)?),
            None => Ok(()),
        }
    }

    fn end(&mut self, _winner: Option<Side>, _is_culprit: bool) -> EngineLog {
        EngineLog::default()
    }
}

/// Prompts and messages: on standard output, or on standard error with `--json`, which keeps the former for the record.
#[derive(Clone, Copy)]
pub(super) struct HumanConsole {
    to_stderr: bool,
    color: bool,
    humans: [bool; 2],
}

impl HumanConsole {
    pub(super) fn new(to_stderr: bool, color: bool, humans: [bool; 2]) -> HumanConsole {
        HumanConsole { to_stderr, color, humans }
    }

    pub(super) fn say(&self, text: &str) -> Result<()> {
        self.write(&format!("{text}\n"))
    }

    fn write(&self, text: &str) -> Result<()> {
        let mut to: Box<dyn Write> = if self.to_stderr { Box::new(stderr()) } else { Box::new(stdout()) };
        to.write_all(text.as_bytes())?;
        Ok(to.flush()?)
    }

    pub(super) fn computer_moved(&self, side: Side, answer: &ChoiceText, player: &str) -> Result<()> {
        if self.to_stderr && !self.humans.contains(&true) {
            return Ok(());
        }
        let value =
            answer.value.map_or(String::new(), |value| format!(", value {}", super::output::number(value)));
        self.say(&format!("{side} ({player}) plays {}{value}", answer.mv))
    }

    /// Prompts until the turn is over. A move is entered as a whole, or stage by stage.
    pub(super) fn turn(&self, session: &mut dyn Session, hint_player: &PlayerSpec) -> Result<HumanAction> {
        let stages = session.stages();
        // The stages of the move so far.
        let mut entered = String::new();
        loop {
            self.ask(session, &stages, &entered)?;
            // Bytes, because input that is not UTF-8 must be an unknown command and not an error.
            let mut line = Vec::new();
            if stdin().lock().read_until(b'\n', &mut line)? == 0 {
                self.say("")?;
                return Ok(HumanAction::Left);
            }
            let line = String::from_utf8_lossy(&line);
            if !stdin().is_terminal() {
                // A terminal echoes the input; other output should show it too.
                self.say(&line.trim().escape_debug().to_string())?;
            }
            let input = line.trim();
            // Within a move a choice takes precedence over a command: `h` may place a horizontal brick.
            let is_choice = !entered.is_empty() && is_one_of(&next_choices(&stages, &entered).1, input);
            match input {
                "" => {}
                token if is_choice => {
                    if let Some(action) = self.enter(session, &stages, &mut entered, token)? {
                        return Ok(action);
                    }
                }
                "undo" | "u" if !entered.is_empty() => entered.clear(),
                "undo" | "u" => {
                    self.undo(session)?;
                    return Ok(HumanAction::TookBack);
                }
                "hint" | "h" => {
                    let answer = session.ask(hint_player, Seed(0))?;
                    self.say(&format!("hint: {} ({hint_player})", answer.mv))?;
                }
                "moves" => {
                    let legal = session.legal();
                    let left: Vec<&str> =
                        legal.iter().map(String::as_str).filter(|mv| mv.starts_with(&entered)).collect();
                    self.say(&left.join(" "))?;
                }
                "resign" => return Ok(HumanAction::Resigned),
                "quit" | "q" => return Ok(HumanAction::Left),
                "help" | "?" => self.help(session, &stages, &entered)?,
                token => {
                    if let Some(action) = self.enter(session, &stages, &mut entered, token)? {
                        return Ok(action);
                    }
                }
            }
        }
    }

    /// Takes the input as a move, or as the next stage of one.
    fn enter(
        &self,
        session: &mut dyn Session,
        stages: &[Vec<String>],
        entered: &mut String,
        token: &str,
    ) -> Result<Option<HumanAction>> {
        let whole = format!("{entered}{}", complete(&next_choices(stages, entered).1, token));
        // A whole move is accepted even after the first stages of another one.
        match session.play(&whole).or_else(|bad| session.play(token).map_err(|_| bad)) {
            Ok(()) => return Ok(Some(HumanAction::Played)),
            Err(_) if is_start_of_move(stages, &whole) => *entered = whole,
            Err(bad) => self.reject(token, &bad.to_string())?,
        }
        Ok(None)
    }

    /// Prompts for the next stage.
    fn ask(&self, session: &dyn Session, stages: &[Vec<String>], entered: &str) -> Result<()> {
        let side = session.to_move();
        let mark = show::mark(&session.grid(), &side.to_string());
        let (stage, choices) = next_choices(stages, entered);
        let names = session.stage_names();
        if entered.is_empty() {
            // A short list of first choices is shown.
            let is_short = names.len() > 1 && choices.len() <= 12;
            let first =
                if is_short { format!(", {} ({})", names[0], choices.join(" ")) } else { String::new() };
            return self.write(&format!("{side} ({mark}), your move{first}: "));
        }
        let name = names.get(stage).or(names.last()).copied().unwrap_or("move");
        let list = listed(&choices, name);
        self.write(&format!("{side} ({mark}), {entered}, {name} ({list}): "))
    }

    fn help(&self, session: &dyn Session, stages: &[Vec<String>], entered: &str) -> Result<()> {
        let (stage, choices) = next_choices(stages, entered);
        let names = session.stage_names();
        let what = if names.len() > 1 {
            let name = names.get(stage).or(names.last()).copied().unwrap_or("move");
            format!("{} one by one, or a whole move; {name}", names.join(", "))
        } else {
            "a move".to_owned()
        };
        self.say(&format!("{what} ({}), or: {}", listed(&choices, "choices"), COMMANDS.join(", ")))
    }

    fn reject(&self, token: &str, bad: &str) -> Result<()> {
        match nearest_name(token, COMMANDS) {
            Some(command) if !token.bytes().all(|b| b.is_ascii_digit()) => self.say(&format!(
                "invalid input {token:?}: expected a move or a command; did you mean \"{command}\"?"
            )),
            _ => self.say(bad),
        }
    }

    /// Takes back to the human's last turn, past the computer's reply. Without such a turn nothing is taken back,
    /// because the human would then move for the computer.
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

/// The choice that a token names, with or without its leading sign: `h9` for `*h9`.
fn named<'a>(choices: &'a [String], token: &str) -> Option<&'a String> {
    let sign = |c: char| !c.is_alphanumeric();
    choices.iter().find(|choice| *choice == token || choice.trim_start_matches(sign) == token)
}

fn is_one_of(choices: &[String], token: &str) -> bool {
    named(choices, token).is_some()
}

fn complete(choices: &[String], token: &str) -> String {
    named(choices, token).cloned().unwrap_or_else(|| token.to_owned())
}

/// Whether the input is the start of a move, up to the end of one of its stages.
fn is_start_of_move(stages: &[Vec<String>], entered: &str) -> bool {
    stages.iter().any(|stages| stage_after(stages, entered).is_some())
}

/// The next stage of a move that starts with the input; `None` if it does not, or is complete.
fn stage_after(stages: &[String], entered: &str) -> Option<usize> {
    let mut length = 0;
    let done = stages.iter().position(|stage| {
        let is_here = length == entered.len();
        length += stage.len();
        is_here
    })?;
    stages.concat().starts_with(entered).then_some(done)
}

/// The next stage and its choices.
fn next_choices(stages: &[Vec<String>], entered: &str) -> (usize, Vec<String>) {
    let mut choices = Vec::new();
    let mut next = 0;
    for stages in stages {
        if let Some(stage) = stage_after(stages, entered) {
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
