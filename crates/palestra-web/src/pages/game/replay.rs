//! A game replayed: every position, with the values of players.

use super::subject::ShownGame;
use crate::http_error::HttpError;
use palestra_arena::{AnyGame, Catalog, PlayerSpec, Session};
use palestra_core::{BoardGrid, Ending, Side};
use std::fmt::Write;

/// A replayed game.
pub(super) struct Replay {
    pub(super) game: Box<dyn AnyGame>,
    setup: Option<String>,
    /// All moves, those of the opening first.
    pub(super) moves: Vec<String>,
    pub(super) n_opening: usize,
    /// The positions: one more than moves.
    pub(super) positions: Vec<ReplayPosition>,
    /// For each requested player: its value of each position, for the first side.
    pub(super) values: Vec<Vec<Option<f64>>>,
}

/// One position of a game.
pub(super) struct ReplayPosition {
    pub(super) grid: BoardGrid,
    pub(super) to_move: Side,
    pub(super) ending: Option<Ending>,
    pub(super) score: Option<[u32; 2]>,
}

impl Replay {
    /// Replays a game.
    pub(super) fn new(catalog: &Catalog, subject: &ShownGame) -> Result<Replay, HttpError> {
        Replay::with_values(catalog, subject, |_| Vec::new())
    }

    /// The same with the values of players at each position.
    pub(super) fn with_values(
        catalog: &Catalog,
        subject: &ShownGame,
        players: impl FnOnce(&dyn AnyGame) -> Vec<PlayerSpec>,
    ) -> Result<Replay, HttpError> {
        let game = catalog.open(&subject.game)?;
        let setup = subject.setup.clone();
        let (mut session, n_opening) = open(game.as_ref(), subject)?;
        let moves = session.played();
        let players = players(game.as_ref());
        let mut values = vec![Vec::new(); players.len()];
        let mut positions = Vec::new();
        // From the end to the start: undoing a move is cheap.
        loop {
            for (player, values) in players.iter().zip(&mut values) {
                values.push(session.value(player, Side::First));
            }
            positions.push(ReplayPosition {
                grid: session.grid(),
                to_move: session.to_move(),
                ending: session.ending(),
                score: session.score(),
            });
            if !session.undo() {
                break;
            }
        }
        positions.reverse();
        values.iter_mut().for_each(|values| values.reverse());
        Ok(Replay { game, setup, moves, n_opening, positions, values })
    }

    /// Number of moves.
    pub(super) fn n_plies(&self) -> usize {
        self.moves.len()
    }

    /// The side that made the move with an index, from 0.
    pub(super) fn side_of_move(&self, i: usize) -> Side {
        self.positions[i].to_move
    }

    /// A session at a ply.
    pub(super) fn session_at(&self, ply: usize) -> Result<Box<dyn Session>, HttpError> {
        Ok(self.game.session(self.setup.as_deref(), &self.moves[..ply].join(" "))?)
    }

    /// The game as text.
    pub(super) fn to_text(&self, subject: &ShownGame) -> String {
        let mut text = format!("game: {}\n", self.game.name());
        let mut line = |name: &str, value: &str| {
            let value: String = value.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            let _ = writeln!(text, "{name}: {value}");
        };
        if let Some(setup) = &self.setup {
            line("setup", setup);
        }
        if let Some(stored) = &subject.stored {
            for (side, player) in [("first", &stored.game.first), ("second", &stored.game.second)] {
                let name = stored
                    .event
                    .as_ref()
                    .map(|event| if side == "first" { event.first.as_str() } else { event.second.as_str() });
                // The command of a program contains paths of the server.
                let shown = if super::head::is_program(player) { "program" } else { player };
                line(side, &name.map_or_else(|| shown.to_owned(), |name| format!("{name} ({shown})")));
            }
            let game = &stored.game;
            line("winner", &game.record.winner.map_or("nobody".to_owned(), |side| side.to_string()));
            line("reason", &game.record.reason);
            line("margin", &game.record.margin.to_string());
            line("seed", &game.seed.to_string());
        }
        if self.n_opening > 0 {
            line("opening moves", &self.n_opening.to_string());
        }
        line("moves", &self.moves.join(" "));
        text
    }
}

/// A session after the opening and the moves, and the number of opening moves.
fn open(game: &dyn AnyGame, subject: &ShownGame) -> Result<(Box<dyn Session>, usize), HttpError> {
    let list = |text: &str| if text.trim() == "-" { String::new() } else { text.trim().to_owned() };
    let (setup, moves) = (subject.setup.as_deref(), list(&subject.moves));
    if list(&subject.opening).is_empty() {
        return Ok((game.session(setup, &moves)?, 0));
    }
    let opening = game.session(setup, &subject.opening)?.played();
    let spaced = game.session(setup, &format!("{} {moves}", opening.join(" ")));
    // Games whose moves need no separators may be stored without them.
    let session = match spaced {
        Ok(session) => session,
        Err(bad) => game.session(setup, &format!("{}{moves}", opening.concat())).map_err(|_| bad)?,
    };
    Ok((session, opening.len()))
}
