//! The game that a page shows: one of the store, or one in the query.

use super::address::GameUrl;
use crate::app::App;
use crate::http_error::HttpError;
use palestra_core::Side;
use palestra_review::event::evidence::StderrSummary;
use palestra_review::event::published_record;
use palestra_store::{EVENT, GameDetails, RunSummary, StoreError};

/// Limits on a game in the query.
const MAX_MOVES: usize = 5000;
const MAX_BYTES: usize = 60_000;

/// Query parameters of the page.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(super) struct GameQuery {
    pub(super) game: Option<String>,
    pub(super) setup: Option<String>,
    pub(super) moves: Option<String>,
    /// The ply to show; the last one by default.
    pub(super) ply: Option<String>,
    /// Code of the player that explains.
    #[serde(rename = "as")]
    pub(super) player: Option<String>,
    /// Not empty: the oracle values the moves as well.
    pub(super) judge: Option<String>,
}

impl GameQuery {
    /// Whether the page needs an explanation, which takes a search.
    pub(super) fn wants_explanation(&self) -> bool {
        self.player.is_some() || self.wants_oracle()
    }

    pub(super) fn wants_oracle(&self) -> bool {
        self.judge.as_deref().is_some_and(|value| !value.is_empty())
    }

    /// The ply to show of a game with `n_plies`; a larger number is the end.
    pub(super) fn ply(&self, n_plies: usize) -> Result<usize, HttpError> {
        let Some(text) = self.ply.as_deref().filter(|text| !text.is_empty()) else { return Ok(n_plies) };
        let is_number = text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<usize>() {
            Ok(ply) if is_number => Ok(ply.min(n_plies)),
            _ => {
                let expected = format!("a whole number from 0 to {n_plies}");
                Err(palestra_core::InputError::new("ply", text, expected).into())
            }
        }
    }
}

/// The game that a page shows, as text.
#[derive(Clone, Debug)]
pub(super) struct ShownGame {
    pub(super) address: GameUrl,
    pub(super) game: String,
    pub(super) setup: Option<String>,
    pub(super) opening: String,
    pub(super) moves: String,
    /// The stored game.
    pub(super) stored: Option<Box<GameDetails>>,
    /// The run or event that it belongs to.
    pub(super) run: Option<RunSummary>,
    /// What each side wrote to standard error, where the text is not published.
    pub(super) stderr: [Option<StderrSummary>; 2],
}

impl ShownGame {
    /// The game in the query.
    pub(super) fn line(query: &GameQuery) -> Result<ShownGame, HttpError> {
        let text = |field: &Option<String>| field.as_deref().unwrap_or_default().trim().to_owned();
        let (game, setup, moves) = (text(&query.game), text(&query.setup), text(&query.moves));
        let n_bytes = game.len() + setup.len() + moves.len();
        let n_moves = moves.split([' ', ',', '\t', '\n', '\r']).filter(|token| !token.is_empty()).count();
        if n_moves > MAX_MOVES || n_bytes > MAX_BYTES {
            return Err(HttpError::bad_request(format!(
                "moves cannot be used here: more than {MAX_MOVES} moves or {MAX_BYTES} bytes"
            )));
        }
        let setup = (!setup.is_empty()).then_some(setup);
        let mut parameters = vec![("game", game.clone())];
        parameters.extend(setup.iter().map(|setup| ("setup", setup.clone())));
        parameters.push(("moves", moves.clone()));
        let address = GameUrl::Line { query: parameters };
        Ok(ShownGame {
            address,
            game,
            setup,
            opening: String::new(),
            moves,
            stored: None,
            run: None,
            stderr: [None; 2],
        })
    }

    /// A game of the store.
    pub(super) async fn stored(app: &App, id: &str) -> Result<ShownGame, HttpError> {
        let id: i64 = id.parse().map_err(|_| HttpError::not_found())?;
        let read = app.stores.read(move |store| {
            let stored = store.game(id).map_err(|error| match error {
                StoreError::NoGame { .. } => HttpError::not_found(),
                other => other.into(),
            })?;
            let run = stored.run.map(|run| store.run_summary(run)).transpose()?;
            Ok((stored, run))
        });
        let (stored, run) = read.await?.ok_or_else(HttpError::not_found)?;
        Ok(ShownGame::of(stored, run, GameUrl::Stored(id)))
    }

    /// A game that was already read.
    pub(super) fn of(stored: GameDetails, run: Option<RunSummary>, address: GameUrl) -> ShownGame {
        let game = stored.game.clone();
        ShownGame {
            address,
            game: game.game,
            setup: game.setup,
            opening: game.record.opening,
            moves: game.record.moves,
            stored: Some(Box::new(stored)),
            run,
            stderr: [None; 2],
        }
    }

    /// The same without the texts of programs.
    pub(super) fn published(mut self) -> ShownGame {
        if let Some(stored) = &mut self.stored {
            if let Some(evidence) = &stored.game.record.evidence {
                self.stderr = Side::BOTH.map(|side| StderrSummary::of(evidence.log(side)));
            }
            stored.game = published_record(&stored.game);
        }
        self
    }

    /// Version for the page cache: after a deletion the store may give the number of a game again.
    pub(super) fn version(&self) -> u64 {
        let run = self.run.as_ref().map(|run| run.name.as_str());
        let text = format!("{:?} {run:?} {:?} {:?}", self.game, self.moves, self.stored);
        let hash = blake3::hash(text.as_bytes());
        u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight bytes"))
    }

    /// The event that it was played in.
    pub(super) fn event(&self) -> Option<&RunSummary> {
        self.run.as_ref().filter(|run| run.kind == EVENT)
    }

    /// The stored player string of a side, 0 or 1.
    pub(super) fn player(&self, side: usize) -> Option<&str> {
        let game = &self.stored.as_ref()?.game;
        Some([&game.first, &game.second][side])
    }
}
