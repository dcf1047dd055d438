//! The home page with an empty store: a game that is ready to play.

use crate::board::picture;
use crate::http_error::HttpError;
use crate::pages::run::formatting::play_address;
use crate::translation;
use crate::viewer::Language;
use palestra_arena::Catalog;

/// The example: a person begins against an opponent of medium strength.
const EXAMPLE: &str = "connect4";
const OPPONENT: &str = "level-3";

/// A few moves, so that the picture shows the game.
const MOVES: &str = "4 4 3 5 3 3 2";

/// Data of an empty home page.
pub(super) struct Welcome {
    /// URL of the example game.
    pub(super) example: String,
    /// Its board as SVG, which the template does not escape.
    pub(super) board: String,
    pub(super) games: Vec<GameCard>,
}

/// A game, with the URL to play it.
pub(super) struct GameCard {
    pub(super) title: String,
    pub(super) name: String,
    pub(super) play: String,
}

impl Welcome {
    pub(super) fn of(catalog: &'static Catalog, language: Language) -> Result<Welcome, HttpError> {
        let session = catalog.open(EXAMPLE)?.session(None, MOVES)?;
        let title = language.pick("A board of Connect 4", "Un tablero de Conecta 4");
        let card = |family: &'static palestra_core::FamilyInfo| {
            let name = family.aliases.first().map(|(alias, _)| *alias).or(family.samples.first().copied());
            let name = name.unwrap_or(family.name).to_owned();
            let title = translation::translate(language, family.title).to_owned();
            GameCard { play: play_address(&name, OPPONENT), title, name }
        };
        Ok(Welcome {
            example: format!("/play?game={EXAMPLE}&side=first&opponent={OPPONENT}"),
            board: picture(&session.grid(), title),
            games: catalog.families().map(card).collect(),
        })
    }
}
