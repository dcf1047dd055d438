//! A player of ours as a UGI engine.

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

/// Answers in UGI until `quit` or the end of input. Thinks on a thread of its own, so that `isready`, `stop` and `quit` are
/// heard meanwhile; a search of ours is not broken off, though: it ends by its limits.
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
        UgiServer { served, game, player, position, output, seat: None, search: None, n_games: 0 };
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            engine.finish();
            return Ok(());
        }
        if !engine.hear(&String::from_utf8_lossy(&line))? {
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
    /// The player along the game that it played last.
    seat: Option<PlayerState>,
    search: Option<RunningSearch>,
    n_games: u64,
}

/// What was told of a game.
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

/// A list of moves as sessions read it.
fn list(moves: &[String]) -> String {
    if moves.is_empty() { "-".to_owned() } else { moves.join(" ") }
}

/// A player with what it has seen.
struct PlayerState {
    player: PlayerSpec,
    mover: Box<dyn TextPlayer>,
    setup: Option<String>,
    moves: Vec<String>,
}

impl PlayerState {
    /// Takes the player along to a position: where that continues the last one it keeps what it learnt.
    fn take(
        seat: Option<PlayerState>,
        game: &dyn AnyGame,
        player: PlayerSpec,
        at: &UgiPosition,
    ) -> Result<PlayerState, InputError> {
        if let Some(mut seat) = seat
            && seat.player == player
            && seat.setup == at.setup
            && at.moves.starts_with(&seat.moves)
        {
            for mv in &at.moves[seat.moves.len()..] {
                seat.mover.observe(mv)?;
            }
            seat.moves.clone_from(&at.moves);
            return Ok(seat);
        }
        let mut mover = game.text_player(&player);
        mover.begin(at.setup.as_deref(), &list(&at.moves))?;
        Ok(PlayerState { player, mover, setup: at.setup.clone(), moves: at.moves.clone() })
    }
}

/// A search at work.
struct RunningSearch {
    thread: JoinHandle<PlayerState>,
    stop: Sender<()>,
}

/// Where answers go: from here, and from the thread that thinks.
struct SharedOutput<W>(Arc<Mutex<W>>);

impl<W: Write> SharedOutput<W> {
    /// Writes lines in one piece.
    fn say(&self, text: &str) -> io::Result<()> {
        let mut output = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        output.write_all(format!("{text}\n").as_bytes())?;
        output.flush()
    }
}

impl<W: Write + Send + 'static> UgiServer<'_, W> {
    /// Does what a line says; false at `quit`.
    fn hear(&mut self, line: &str) -> Result<bool, ServeError> {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !matches!(&words[..], ["isready" | "stop" | "quit", ..] | []) {
            // Nothing else may come during a search; whoever sends it waits.
            self.finish();
        }
        match &words[..] {
            [] => {}
            ["ugi", ..] => self.output.say(&self.introduction())?,
            ["isready", ..] => self.output.say("readyok")?,
            ["uginewgame", ..] => {
                (self.seat, self.n_games) = (None, self.n_games + 1);
                self.position = UgiPosition::open(self.game.as_ref(), None, Vec::new());
            }
            ["setoption", words @ ..] => self.set_option(words)?,
            ["position", words @ ..] => {
                self.position = position(self.game.as_ref(), words);
                self.complain_about_position()?;
            }
            ["go", words @ ..] => self.go(&GoCommand::read(words))?,
            ["query", what, ..] => self.answer(what)?,
            ["describe", "game", ..] => self.output.say(&self.description())?,
            ["stop", ..] => {
                if let Some(search) = &self.search {
                    // The thread may have ended already.
                    let _ = search.stop.send(());
                }
            }
            ["quit", ..] => return Ok(false),
            [word, ..] => self.output.say(&format!("info string unknown command: {word}"))?,
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

    /// How games, positions and moves are written.
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
            _ => return Ok(self.output.say(&format!("info string no such option: {}", words.join(" ")))?),
        };
        let opened = self.served.games.open(value);
        match opened.and_then(|game| game.player(self.served.player).map(|player| (game, player))) {
            Ok((game, player)) => {
                (self.game, self.player, self.seat) = (game, player, None);
                self.position = UgiPosition::open(self.game.as_ref(), None, Vec::new());
            }
            Err(bad) => self.output.say(&format!("info string {bad}"))?,
        }
        Ok(())
    }

    fn complain_about_position(&self) -> io::Result<()> {
        match &self.position {
            Ok(_) => Ok(()),
            Err(bad) => self.output.say(&format!("info string {bad}")),
        }
    }

    fn answer(&self, what: &str) -> Result<(), ServeError> {
        let Ok(position) = &self.position else { return Ok(self.complain_about_position()?) };
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
            _ => return Ok(self.output.say(&format!("info string unknown query: {what}"))?),
        };
        Ok(self.output.say(&format!("response {answer}"))?)
    }

    /// Starts to think.
    fn go(&mut self, go: &GoCommand) -> Result<(), ServeError> {
        let position = match &self.position {
            Ok(position) if position.session.ending().is_none() => position,
            // Every question gets its one answer.
            _ => return Ok(self.output.say("bestmove (none)")?),
        };
        let player = go.limit(self.game.as_ref(), &self.player, position.session.to_move());
        let seat = PlayerState::take(self.seat.take(), self.game.as_ref(), player, position)?;
        let seed = self.served.seed.child(self.n_games).child(position.moves.len() as u64);
        let (stop, stopped) = channel();
        let output = SharedOutput(Arc::clone(&self.output.0));
        let stopped = go.infinite.then_some(stopped);
        let thread = std::thread::spawn(move || think(seat, seed, stopped.as_ref(), &output));
        self.search = Some(RunningSearch { thread, stop });
        Ok(())
    }

    /// Waits for the search at work, if there is one.
    fn finish(&mut self) {
        if let Some(RunningSearch { thread, stop }) = self.search.take() {
            drop(stop);
            // A player of ours that panics has said so; the next game begins anew.
            self.seat = thread.join().ok();
        }
    }
}

/// Thinks and says the move; before the end of waiting only where there is nothing to wait for.
fn think<W: Write>(
    mut seat: PlayerState,
    seed: Seed,
    stopped: Option<&Receiver<()>>,
    output: &SharedOutput<W>,
) -> PlayerState {
    let began = Instant::now();
    let answer = seat.mover.choose(seed).expect("a game that has not ended has a move");
    if let Some(stopped) = stopped {
        // Either somebody says stop, or nobody is there any more to say it.
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
    // Nobody listens any more: nothing is lost.
    let _ = output.say(&text);
    seat
}

/// The position that the words after `position` tell.
fn position(game: &dyn AnyGame, words: &[&str]) -> Result<UgiPosition, InputError> {
    let cut = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(cut);
    let setup = match place {
        ["startpos"] => None,
        ["fen", setup @ ..] => Some(setup.join(" ")),
        _ => return Err(InputError::new("position", place.join(" "), "startpos, or fen and a setup")),
    };
    let moves = moves.iter().skip(1).map(|mv| (*mv).to_owned()).collect();
    UgiPosition::open(game, setup, moves)
}
