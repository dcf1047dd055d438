//! The home page with an empty store: a game that is ready to play.

use crate::board::picture;
use crate::http_error::HttpError;
use crate::pages::run::formatting::play_address;
use crate::translation;
use crate::viewer::Language;
use palestra_arena::Catalog;

/// The opponent of the example: medium strength in games with a ladder of seven.
const OPPONENT: &str = "level-3";

/// A few moves of Connect 4, so that the picture shows the game; other games are shown at their start.
const MOVES: &str = "4 4 3 5 3 3 2";

/// Data of an empty home page.
pub(super) struct Welcome {
    /// URL of the example game.
    pub(super) example: String,
    /// Its title.
    pub(super) title: String,
    /// Commands that fill the page.
    pub(super) commands: Vec<String>,
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
        let name = catalog.default_game();
        let game = catalog.open(name)?;
        let session = game.session(None, MOVES).or_else(|_| game.session(None, ""))?;
        let title = match name {
            "connect4" => language.pick("Connect 4", "Conecta 4").to_owned(),
            _ => translation::translate(language, game.family().title).to_owned(),
        };
        let levels: Vec<String> = game.ladder().iter().map(ToString::to_string).collect();
        let opponent = if levels.len() > 3 { OPPONENT } else { "level-0" };
        let program = palestra_arena::program_name();
        let commands = vec![
            format!("{program} tune {name} --budget 20s"),
            format!("{program} tournament {name} {}", levels.join(" ")),
        ];
        let card = |family: &'static palestra_core::FamilyInfo| {
            let name = family.aliases.first().map(|(alias, _)| *alias).or(family.samples.first().copied());
            let name = name.unwrap_or(family.name).to_owned();
            let title = translation::translate(language, family.title).to_owned();
            GameCard { play: play_address(&name, OPPONENT), title, name }
        };
        Ok(Welcome {
            example: format!("/play?game={name}&side=first&opponent={opponent}"),
            board: picture(&session.grid(), &title),
            title,
            commands,
            games: catalog.families().map(card).collect(),
        })
    }
}
