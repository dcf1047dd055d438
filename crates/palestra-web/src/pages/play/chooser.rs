//! What there is to play: games, boards, opponents, sides.

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

/// Boards that are suggested for a family.
const SUGGESTED: usize = 6;

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
    /// Boards and the addresses where an opponent is chosen for them.
    boards: Vec<(String, String)>,
}

/// What can be chosen in one game.
struct NewGameForm {
    info: &'static FamilyInfo,
    game: String,
    suggestions: Vec<String>,
    picture: String,
    opponents: OpponentList,
    /// The opponent that is chosen already.
    opponent: String,
    /// The rung that the slider stands on.
    level: usize,
    is_second: bool,
    name: String,
}

impl NewGameForm {
    fn is_chosen(&self, one: &OpponentOption) -> bool {
        one.key == self.opponent
    }
}

pub(super) async fn show(app: &App, visitor: &Viewer, wish: PlayQuery) -> Result<Response, HttpError> {
    let frame = visitor.frame(app, "play");
    let app = app.clone();
    let make = move || -> Result<Page, HttpError> {
        let form = wish.game.as_deref().map(|game| options(&app, game, &wish)).transpose()?;
        let families = app.config.catalog.families().filter(|_| form.is_none());
        let cards = families.map(|info| card(&app, info)).collect::<Result<_, _>>()?;
        Ok(Page { frame, cards, form })
    };
    Ok(html(&waiting(make).await?)?.into_response())
}

/// Reading the store and a ladder takes no search, but may wait.
async fn waiting<T: Send + 'static>(
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

/// Names that are short, and boards the tests like best.
fn suggestions(info: &FamilyInfo) -> Vec<String> {
    let aliases = info.aliases.iter().map(|(alias, _)| *alias);
    let named: Vec<&str> = info.aliases.iter().map(|(_, game)| *game).collect();
    let samples = info.samples.iter().copied().filter(|sample| !named.contains(sample));
    aliases.chain(samples).take(SUGGESTED).map(str::to_owned).collect()
}

fn options(app: &App, game: &str, wish: &PlayQuery) -> Result<NewGameForm, HttpError> {
    let info = app.config.catalog.family(game)?;
    let suggestions = suggestions(info);
    // A family alone is its first board.
    let named = if game == info.name { suggestions.first().map_or(game, String::as_str) } else { game };
    let game = app.config.catalog.open(named)?;
    let opponents = OpponentList::of(app, &*game)?;
    let usual = opponents.default_key();
    // Another board has other opponents: whoever is not there is not chosen.
    let wished = wish.opponent.as_deref().filter(|key| opponents.find(key).is_ok());
    let opponent = wished.unwrap_or(&usual).to_owned();
    let rung = |key: &str| key.strip_prefix("level-").and_then(|level| level.parse().ok());
    Ok(NewGameForm {
        info,
        game: game.name(),
        picture: board::picture(&game.session(None, "")?.grid(), &game.name()),
        level: rung(&opponent).or_else(|| rung(&usual)).unwrap_or_default(),
        opponents,
        opponent,
        suggestions,
        is_second: wish.is_second,
        name: wish.name.clone().unwrap_or_default(),
    })
}
