//! The page to choose a game, a board, an opponent and a side.

use super::opponents::{OpponentList, OpponentOption};
use super::query::{PlayQuery, address_of};
use crate::app::App;
use crate::board;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::response::{IntoResponse, Response};
use palestra_core::FamilyInfo;

/// Limit on the boards that are suggested per family.
const MAX_SUGGESTIONS: usize = 6;

#[derive(Template)]
#[template(path = "play_chooser.html")]
struct Page {
    frame: PageFrame,
    cards: Vec<FamilyCard>,
    form: Option<NewGameForm>,
}

/// A family of games.
struct FamilyCard {
    title: &'static str,
    picture: String,
    /// Names of boards, and the URLs of their forms.
    boards: Vec<(String, String)>,
}

/// The form of one game.
struct NewGameForm {
    info: &'static FamilyInfo,
    game: String,
    suggestions: Vec<String>,
    picture: String,
    opponents: OpponentList,
    /// Key of the selected opponent.
    opponent: String,
    /// Level of the slider.
    level: usize,
    is_second: bool,
    name: String,
}

impl NewGameForm {
    fn is_chosen(&self, one: &OpponentOption) -> bool {
        one.key == self.opponent
    }
}

pub(super) async fn show(app: &App, viewer: &Viewer, query: PlayQuery) -> Result<Response, HttpError> {
    let frame = viewer.frame(app, "play");
    let app = app.clone();
    let make = move || -> Result<Page, HttpError> {
        let form = query.game.as_deref().map(|game| new_game_form(&app, game, &query)).transpose()?;
        let families = app.config.catalog.families().filter(|_| form.is_none());
        let cards = families.map(|info| card(&app, info)).collect::<Result<_, _>>()?;
        Ok(Page { frame, cards, form })
    };
    Ok(html(&blocking(make).await?)?.into_response())
}

/// Runs a job on a blocking thread, without a search permit: reading the store takes no search.
async fn blocking<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    tokio::task::spawn_blocking(job).await.map_err(|_| HttpError::internal_error())?
}

fn card(app: &App, info: &'static FamilyInfo) -> Result<FamilyCard, HttpError> {
    let suggestions = suggestions(info);
    let game = app.config.catalog.open(suggestions.first().map_or(info.name, String::as_str))?;
    let picture = board::picture(&game.session(None, "")?.grid(), &game.name());
    let link = |name: String| {
        let url = address_of([("choose", "1"), ("game", name.as_str())].into_iter());
        (name, url)
    };
    Ok(FamilyCard { title: info.title, picture, boards: suggestions.into_iter().map(link).collect() })
}

/// Aliases, then samples without an alias.
fn suggestions(info: &FamilyInfo) -> Vec<String> {
    let aliases = info.aliases.iter().map(|(alias, _)| *alias);
    let named: Vec<&str> = info.aliases.iter().map(|(_, game)| *game).collect();
    let samples = info.samples.iter().copied().filter(|sample| !named.contains(sample));
    aliases.chain(samples).take(MAX_SUGGESTIONS).map(str::to_owned).collect()
}

fn new_game_form(app: &App, game: &str, query: &PlayQuery) -> Result<NewGameForm, HttpError> {
    let info = app.config.catalog.family(game)?;
    let suggestions = suggestions(info);
    // The name of a family means its first board.
    let named = if game == info.name { suggestions.first().map_or(game, String::as_str) } else { game };
    let game = app.config.catalog.open(named)?;
    let opponents = OpponentList::of(app, &*game)?;
    let default = opponents.default_key();
    // The opponent of the query may not exist on this board.
    let chosen = query.opponent.as_deref().filter(|key| opponents.find(key).is_ok());
    let opponent = chosen.unwrap_or(&default).to_owned();
    let level = |key: &str| key.strip_prefix("level-").and_then(|level| level.parse().ok());
    Ok(NewGameForm {
        info,
        game: game.name(),
        picture: board::picture(&game.session(None, "")?.grid(), &game.name()),
        level: level(&opponent).or_else(|| level(&default)).unwrap_or_default(),
        opponents,
        opponent,
        suggestions,
        is_second: query.is_second,
        name: query.name.clone().unwrap_or_default(),
    })
}
