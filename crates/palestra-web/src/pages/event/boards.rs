//! Small boards: the games in play, or the latest games where none is in play.

use super::address::{self, EventUrls};
use crate::board;
use crate::translation;
use crate::viewer::Language;
use palestra_arena::Catalog;
use palestra_review::event::result;
use palestra_review::live::LiveStatus;
use palestra_store::EventGame;

/// Limit on the boards that are shown.
pub(super) const MAX_BOARDS: usize = 8;

/// Limit on the bytes of a move list that is replayed for a picture.
const MAX_LINE_BYTES: usize = 100_000;

/// The boards of an event.
pub(super) struct EventBoards {
    /// Whether these games are being played.
    pub(super) in_play: bool,
    pub(super) cards: Vec<BoardCard>,
}

/// The board of a game.
pub(super) struct BoardCard {
    /// SVG, which the template does not escape; `None` for moves that this version cannot replay.
    pub(super) picture: Option<String>,
    pub(super) names: [String; 2],
    pub(super) links: [String; 2],
    /// The number of the move, or the result.
    pub(super) note: String,
    /// Number and URL of the game, where it is in the store.
    pub(super) game: Option<(i64, String)>,
}

impl EventBoards {
    /// The games of the status, or the first of `latest`.
    pub(super) fn of(
        status: Option<&LiveStatus>,
        latest: &[EventGame],
        at: &EventUrls,
        catalog: &'static Catalog,
        language: Language,
    ) -> EventBoards {
        let in_play = status.map_or(&[][..], |status| &status.boards);
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
            let cards = in_play.iter().take(MAX_BOARDS).map(card).collect();
            return EventBoards { in_play: true, cards };
        }
        let card = |kept: &EventGame| {
            let game = &kept.game;
            let record = &game.record;
            let note =
                format!("{} · {}", result(record.winner), translation::translate(language, &record.reason));
            let position =
                [game.setup.as_deref(), Some(record.opening.as_str()), Some(record.moves.as_str())];
            BoardCard::new(
                catalog,
                &game.game,
                position,
                [&kept.place.first, &kept.place.second],
                note,
                Some(kept.id),
                at,
            )
        };
        EventBoards { in_play: false, cards: latest.iter().take(MAX_BOARDS).map(card).collect() }
    }
}

impl BoardCard {
    /// `position` is the setup, the opening and the moves.
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
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    let session = catalog.open(game).ok()?.session(setup, line.trim()).ok()?;
    Some(board::picture(&session.grid(), title))
}
