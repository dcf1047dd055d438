//! Games as small boards: those in play, or the latest where none is.

use super::address::{self, EventUrls};
use crate::board;
use crate::http_error::HttpError;
use crate::viewer::Language;
use palestra_arena::Catalog;
use palestra_review::event::result;
use palestra_review::live::LiveStatus;
use palestra_store::{EventFilter, EventGame, RunId, Store};

/// Boards that are shown.
const MOST: usize = 8;

/// The longest list of moves that is played through for a picture.
const LONGEST: usize = 100_000;

/// Small boards.
pub(super) struct EventBoards {
    /// Whether these games are being played.
    pub(super) in_play: bool,
    pub(super) cards: Vec<BoardCard>,
}

/// A game.
pub(super) struct BoardCard {
    /// A picture of ours; none of a game that this version cannot follow.
    pub(super) picture: Option<String>,
    pub(super) names: [String; 2],
    pub(super) links: [String; 2],
    /// How far it is, or how it ended.
    pub(super) note: String,
    /// The page of the game, where it is in the store.
    pub(super) game: Option<(i64, String)>,
}

impl EventBoards {
    pub(super) fn of(
        store: &Store,
        run: RunId,
        telling: Option<&LiveStatus>,
        at: &EventUrls,
        catalog: &'static Catalog,
        language: Language,
    ) -> Result<EventBoards, HttpError> {
        let in_play = telling.map_or(&[][..], |telling| &telling.boards);
        if !in_play.is_empty() {
            let card = |game: &palestra_review::live::LiveGame| {
                let n_moves = game.moves.split_whitespace().count();
                let note = match language {
                    Language::English => format!("{}, move {}", game.game, n_moves + 1),
                    Language::Spanish => format!("{}, jugada {}", game.game, n_moves + 1),
                };
                let position = [None, Some(game.opening.as_str()), Some(game.moves.as_str())];
                BoardCard::new(catalog, &game.game, position, [&game.first, &game.second], note, None, at)
            };
            return Ok(EventBoards { in_play: true, cards: in_play.iter().take(MOST).map(card).collect() });
        }
        let games = store.event_games_of(run, &EventFilter::default(), None, MOST)?;
        let card = |kept: &EventGame| {
            let game = &kept.game;
            let note = format!("{} · {}", result(game.winner), game.reason);
            let position = [game.setup.as_deref(), Some(game.opening.as_str()), Some(game.moves.as_str())];
            BoardCard::new(
                catalog,
                &game.game,
                position,
                [&kept.first, &kept.second],
                note,
                Some(kept.id),
                at,
            )
        };
        Ok(EventBoards { in_play: false, cards: games.iter().map(card).collect() })
    }
}

impl BoardCard {
    /// `position` is how it began, the opening and the moves.
    fn new(
        catalog: &'static Catalog,
        game: &str,
        position: [Option<&str>; 3],
        names: [&str; 2],
        note: String,
        id: Option<i64>,
        at: &EventUrls,
    ) -> BoardCard {
        let title = format!("{} – {}: {note}", names[0], names[1]);
        BoardCard {
            picture: picture(catalog, game, position, &title),
            links: names.map(|name| at.player(name)),
            names: names.map(str::to_owned),
            note,
            game: id.map(|id| (id, address::game(id))),
        }
    }
}

fn picture(
    catalog: &'static Catalog,
    game: &str,
    [setup, opening, moves]: [Option<&str>; 3],
    title: &str,
) -> Option<String> {
    let line = format!("{} {}", opening.unwrap_or_default(), moves.unwrap_or_default());
    if line.len() > LONGEST {
        return None;
    }
    let session = catalog.open(game).ok()?.session(setup, line.trim()).ok()?;
    Some(board::picture(&session.grid(), title))
}
