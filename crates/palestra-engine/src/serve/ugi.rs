//! A built-in player as a UGI engine.

use super::limits::GoCommand;
use super::{ServeError, ServedPlayer};
use palestra_arena::{AnyGame, PlayerSpec, Session, TextPlayer};
use palestra_core::{Ending, InputError, Seed, Side};
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

/// The option that names the game.
const VARIANT: &str = "UGI_Variant";

/// Answers in UGI until `quit` or the end of input. The search runs on its own thread, so that `isready`, `stop` and
/// `quit` are read meanwhile. `stop` does not interrupt a search, which ends by its limits.
pub fn serve_ugi<W: Write + Send + 'static>(
    served: &ServedPlayer<'_>,
    game: &str,
    mut input: impl BufRead,
    output: W,
) -> Result<(), ServeError> {
    let game = served.games.open(game)?;
    let player = game.player(served.player)?;
    let position = UgiPosition::open(game.as_ref(), None, Vec::new());
    let output = SharedOutput(Arc::new(Mutex::new(output)));
    let mut engine =
        UgiServer { served, game, player, position, output, state: None, search: None, n_games: 0 };
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            engine.finish();
            return Ok(());
        }
        if !engine.handle(&String::from_utf8_lossy(&line))? {
            return Ok(());
        }
    }
}

struct UgiServer<'a, W> {
    served: &'a ServedPlayer<'a>,
    game: Box<dyn AnyGame>,
    player: PlayerSpec,
    position: Result<UgiPosition, InputError>,
    output: SharedOutput<W>,
    /// The player with its state after the last search.
    state: Option<PlayerState>,
    search: Option<RunningSearch>,
    n_games: u64,
}

/// The position of the last `position` command.
struct UgiPosition {
    setup: Option<String>,
    moves: Vec<String>,
    session: Box<dyn Session>,
}

impl UgiPosition {
    fn open(
        game: &dyn AnyGame,
        setup: Option<String>,
        moves: Vec<String>,
    ) -> Result<UgiPosition, InputError> {
        let session = game.session(setup.as_deref(), &list(&moves))?;
        Ok(UgiPosition { setup, moves, session })
    }
}

/// A move list as sessions read it.
fn list(moves: &[String]) -> String {
    if moves.is_empty() { "-".to_owned() } else { moves.join(" ") }
}

/// A player and the moves that it was given.
struct PlayerState {
    spec: PlayerSpec,
    player: Box<dyn TextPlayer>,
    setup: Option<String>,
    moves: Vec<String>,
}

impl PlayerState {
    /// The player at a position. Where that continues the last one, the player keeps its search tables.
    fn advance(
        last: Option<PlayerState>,
        game: &dyn AnyGame,
        spec: PlayerSpec,
        at: &UgiPosition,
    ) -> Result<PlayerState, InputError> {
        if let Some(mut state) = last
            && state.spec == spec
            && state.setup == at.setup
            && at.moves.starts_with(&state.moves)
        {
            for mv in &at.moves[state.moves.len()..] {
                state.player.observe(mv)?;
            }
            state.moves.clone_from(&at.moves);
            return Ok(state);
        }
        let mut player = game.text_player(&spec);
        player.begin(at.setup.as_deref(), &list(&at.moves))?;
        Ok(PlayerState { spec, player, setup: at.setup.clone(), moves: at.moves.clone() })
    }
}

/// A running search.
struct RunningSearch {
    thread: JoinHandle<PlayerState>,
    stop: Sender<()>,
}

/// The output, shared with the thread of the search.
struct SharedOutput<W>(Arc<Mutex<W>>);

impl<W: Write> SharedOutput<W> {
    /// Writes lines under one lock, so that those of two threads do not mix.
    fn send(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(format!("{text}\n").as_bytes())?;
        output.flush()
    }
}

impl<W: Write + Send + 'static> UgiServer<'_, W> {
    /// Executes a command; returns false at `quit`.
    fn handle(&mut self, line: &str) -> Result<bool, ServeError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !matches!(&words[..], ["isready" | "stop" | "quit", ..] | []) {
            // UGI allows no other command during a search; it waits for the end of the search.
            self.finish();
        }
        match &words[..] {
            [] => {}
            ["ugi", ..] => self.output.send(&self.introduction())?,
            ["isready", ..] => self.output.send("readyok")?,
            ["uginewgame", ..] => {
                (self.state, self.n_games) = (None, self.n_games + 1);
                self.position = UgiPosition::open(self.game.as_ref(), None, Vec::new());
            }
            ["setoption", words @ ..] => self.set_option(words)?,
            ["position", words @ ..] => {
                self.position = position(self.game.as_ref(), words);
                self.report_bad_position()?;
            }
            ["go", words @ ..] => self.go(&GoCommand::read(words))?,
            ["query", what, ..] => self.answer_query(what)?,
            ["describe", "game", ..] => self.output.send(&self.description())?,
            ["stop", ..] => {
                if let Some(search) = &self.search {
                    // The thread may have ended already.
                    let _ = search.stop.send(());
                }
            }
            ["quit", ..] => return Ok(false),
            [word, ..] => self.output.send(&format!("info string unknown command: {word}"))?,
        }
        Ok(true)
    }

    fn introduction(&self) -> String {
        format!(
            "id name Palestra {}\nid author the Palestra developers\noption name {VARIANT} type string default {}\nugiok",
            self.player,
            self.game.name()
        )
    }

    /// The answer to `describe game`: how games, positions and moves are written.
    fn description(&self) -> String {
        let family = self.game.family();
        let mut lines = vec![
            format!("describe game {}", self.game.name()),
            format!("describe title {}", family.title),
            format!("describe syntax {}", family.syntax),
        ];
        lines.extend(family.notation.lines().map(|line| format!("describe notation {}", line.trim())));
        lines.push("describeok".to_owned());
        lines.join("\n")
    }

    fn set_option(&mut self, words: &[&str]) -> Result<(), ServeError> {
        let value = match words {
            ["name", name, "value", value] if name.eq_ignore_ascii_case(VARIANT) => *value,
            _ => return Ok(self.output.send(&format!("info string no such option: {}", words.join(" ")))?),
        };
        let opened = self.served.games.open(value);
        match opened.and_then(|game| game.player(self.served.player).map(|player| (game, player))) {
            Ok((game, player)) => {
                (self.game, self.player, self.state) = (game, player, None);
                self.position = UgiPosition::open(self.game.as_ref(), None, Vec::new());
            }
            Err(bad) => self.output.send(&format!("info string {bad}"))?,
        }
        Ok(())
    }

    fn report_bad_position(&self) -> io::Result<()> {
        match &self.position {
            Ok(_) => Ok(()),
            Err(bad) => self.output.send(&format!("info string {bad}")),
        }
    }

    fn answer_query(&self, what: &str) -> Result<(), ServeError> {
        let Ok(position) = &self.position else { return Ok(self.report_bad_position()?) };
        let ending = position.session.ending();
        let answer = match what {
            "p1turn" => (position.session.to_move() == Side::First).to_string(),
            "gameover" => ending.is_some().to_string(),
            "result" => match ending {
                None => "none",
                Some(Ending { winner: None, .. }) => "draw",
                Some(Ending { winner: Some(Side::First), .. }) => "p1win",
                Some(Ending { winner: Some(Side::Second), .. }) => "p2win",
            }
            .to_owned(),
            _ => return Ok(self.output.send(&format!("info string unknown query: {what}"))?),
        };
        Ok(self.output.send(&format!("response {answer}"))?)
    }

    /// Starts a search.
    fn go(&mut self, go: &GoCommand) -> Result<(), ServeError> {
        let position = match &self.position {
            Ok(position) if position.session.ending().is_none() => position,
            // Every `go` gets exactly one `bestmove`.
            _ => return Ok(self.output.send("bestmove (none)")?),
        };
        let player = self.player.limited(&go.limits(position.session.to_move()));
        let state = PlayerState::advance(self.state.take(), self.game.as_ref(), player, position)?;
        let seed = self.served.seed.child(self.n_games).child(position.moves.len() as u64);
        let (stop, stopped) = channel();
        let output = SharedOutput(Arc::clone(&self.output.0));
        let stopped = go.infinite.then_some(stopped);
        let thread = std::thread::spawn(move || think(state, seed, stopped.as_ref(), &output));
        self.search = Some(RunningSearch { thread, stop });
        Ok(())
    }

    /// Waits for the running search, if there is one.
    fn finish(&mut self) {
        if let Some(RunningSearch { thread, stop }) = self.search.take() {
            drop(stop);
            // A panic has been printed by its thread; the next search starts with a new player.
            self.state = thread.join().ok();
        }
    }
}

/// Searches and sends the move; with `stopped`, not before `stop` arrives or the command input ends.
fn think<W: Write>(
    mut state: PlayerState,
    seed: Seed,
    stopped: Option<&Receiver<()>>,
    output: &SharedOutput<W>,
) -> PlayerState {
    let began = Instant::now();
    let answer = state.player.choose(seed).expect("a game that has not ended has a move");
    if let Some(stopped) = stopped {
        // An error means that the sender is gone, so that no `stop` can arrive any more.
        let _ = stopped.recv();
    }
    let score = answer
        .value
        .filter(|value| value.is_finite())
        .map_or(String::new(), |value| format!(" score cp {}", value.round().clamp(-1e15, 1e15) as i64));
    let text = format!(
        "info time {} nodes {}{score}\nbestmove {}",
        began.elapsed().as_millis(),
        answer.nodes,
        answer.mv
    );
    // Fails only when the runner is gone.
    let _ = output.send(&text);
    state
}

/// The position of a `position` command, from the words after it.
fn position(game: &dyn AnyGame, words: &[&str]) -> Result<UgiPosition, InputError> {
    let cut = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (start, moves) = words.split_at(cut);
    let setup = match start {
        ["startpos"] => None,
        ["fen", setup @ ..] => Some(setup.join(" ")),
        _ => return Err(InputError::new("position", start.join(" "), "startpos, or fen and a setup")),
    };
    let moves = moves.iter().skip(1).map(|mv| (*mv).to_owned()).collect();
    UgiPosition::open(game, setup, moves)
}
