//! What was asked for: a game of the store, or a line of play that somebody wrote down.

use super::address::GameUrl;
use crate::app::App;
use crate::http_error::HttpError;
use palestra_store::{EVENT, GameDetails, RunSummary, StoreError};

/// Bounds of what somebody may write down.
const MOST_MOVES: usize = 5000;
const MOST_BYTES: usize = 60_000;

/// What a query may say.
#[derive(Clone, Debug, Default, serde::Deserialize)]
pub(super) struct GameQuery {
    pub(super) game: Option<String>,
    pub(super) setup: Option<String>,
    pub(super) moves: Option<String>,
    /// Which position; the last one if nothing is said.
    pub(super) ply: Option<String>,
    /// Whose reasons.
    #[serde(rename = "as")]
    pub(super) player: Option<String>,
    /// Whether an exact or deep search is to be asked, too.
    pub(super) judge: Option<String>,
}

impl GameQuery {
    /// Whether anybody's reasons are wanted, which takes thought.
    pub(super) fn wants_explanation(&self) -> bool {
        self.player.is_some() || self.wants_oracle()
    }

    pub(super) fn wants_oracle(&self) -> bool {
        self.judge.as_deref().is_some_and(|judge| !judge.is_empty())
    }

    /// The ply that is meant, of so many: what is beyond the end is the end.
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

/// The game that is looked at, as it was written down.
#[derive(Clone, Debug)]
pub(super) struct ShownGame {
    pub(super) address: GameUrl,
    pub(super) game: String,
    pub(super) setup: Option<String>,
    pub(super) opening: String,
    pub(super) moves: String,
    /// What the store knows of it.
    pub(super) stored: Option<Box<GameDetails>>,
    /// The run or event that it belongs to.
    pub(super) run: Option<RunSummary>,
}

impl ShownGame {
    /// A line of play that stands in the query.
    pub(super) fn line(asked: &GameQuery) -> Result<ShownGame, HttpError> {
        let text = |field: &Option<String>| field.as_deref().unwrap_or_default().trim().to_owned();
        let (game, setup, moves) = (text(&asked.game), text(&asked.setup), text(&asked.moves));
        let n_bytes = game.len() + setup.len() + moves.len();
        let n_moves = moves.split([' ', ',', '\t', '\n', '\r']).filter(|token| !token.is_empty()).count();
        if n_moves > MOST_MOVES || n_bytes > MOST_BYTES {
            return Err(HttpError::bad_request(format!(
                "moves: more than {MOST_MOVES} moves or {MOST_BYTES} letters"
            )));
        }
        let setup = (!setup.is_empty()).then_some(setup);
        let mut query = vec![("game", game.clone())];
        query.extend(setup.iter().map(|setup| ("setup", setup.clone())));
        query.push(("moves", moves.clone()));
        let address = GameUrl::Line { query };
        Ok(ShownGame { address, game, setup, opening: String::new(), moves, stored: None, run: None })
    }

    /// A game of the store.
    pub(super) async fn stored(app: &App, id: &str) -> Result<ShownGame, HttpError> {
        let id: i64 = id.parse().map_err(|_| HttpError::not_found())?;
        let found = app.stores.read(move |store| {
            let stored = store.game(id).map_err(|error| match error {
                StoreError::NoGame { .. } => HttpError::not_found(),
                other => other.into(),
            })?;
            let run = stored.run.map(|run| store.run_summary(run)).transpose()?;
            Ok((stored, run))
        });
        let (stored, run) = found.await?.ok_or_else(HttpError::not_found)?;
        let game = stored.game.clone();
        Ok(ShownGame {
            address: GameUrl::Stored(id),
            game: game.game,
            setup: game.setup,
            opening: game.opening,
            moves: game.moves,
            stored: Some(Box::new(stored)),
            run,
        })
    }

    /// Another number for another game: numbers of the store may be given again.
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

    /// What the store says about the player with a side: 0 or 1.
    pub(super) fn player(&self, side: usize) -> Option<&str> {
        let game = &self.stored.as_ref()?.game;
        Some([&game.first, &game.second][side])
    }
}
