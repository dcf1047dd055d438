//! What there is to play: games, boards, opponents, sides.

use super::opponents::{Opponent, Opponents};
use super::query::{Wish, address_of};
use crate::app::App;
use crate::board;
use crate::pages::{Frame, html};
use crate::refusal::Refusal;
use crate::visitor::Visitor;
use askama::Template;
use axum::response::{IntoResponse, Response};
use palestra_core::FamilyInfo;

/// Boards that are suggested for a family.
const SUGGESTED: usize = 6;

#[derive(Template)]
#[template(path = "play_chooser.html")]
struct Page {
    frame: Frame,
    cards: Vec<Card>,
    form: Option<Options>,
}

/// A family of games.
struct Card {
    title: &'static str,
    picture: String,
    /// Boards and the addresses where an opponent is chosen for them.
    boards: Vec<(String, String)>,
}

/// What can be chosen in one game.
struct Options {
    info: &'static FamilyInfo,
    game: String,
    suggestions: Vec<String>,
    picture: String,
    opponents: Opponents,
    /// The opponent that is chosen already.
    opponent: String,
    /// The rung that the slider stands on.
    level: usize,
    is_second: bool,
    name: String,
}

impl Options {
    fn is_chosen(&self, one: &Opponent) -> bool {
        one.key == self.opponent
    }
}

pub(super) async fn show(app: &App, visitor: &Visitor, wish: Wish) -> Result<Response, Refusal> {
    let frame = visitor.frame(app, "play");
    let app = app.clone();
    let make = move || -> Result<Page, Refusal> {
        let form = wish.game.as_deref().map(|game| options(&app, game, &wish)).transpose()?;
        let families = app.config.catalog.families().filter(|_| form.is_none());
        let cards = families.map(|info| card(&app, info)).collect::<Result<_, _>>()?;
        Ok(Page { frame, cards, form })
    };
    Ok(html(&waiting(make).await?)?.into_response())
}

/// Reading the store and a ladder takes no search, but may wait.
async fn waiting<T: Send + 'static>(
    job: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(job).await.map_err(|_| Refusal::broken())?
}

fn card(app: &App, info: &'static FamilyInfo) -> Result<Card, Refusal> {
    let suggestions = suggestions(info);
    let game = app.config.catalog.open(suggestions.first().map_or(info.name, String::as_str))?;
    let picture = board::picture(&game.session(None, "")?.grid(), &game.name());
    let link = |name: String| {
        let url = address_of([("choose", "1"), ("game", name.as_str())].into_iter());
        (name, url)
    };
    Ok(Card { title: info.title, picture, boards: suggestions.into_iter().map(link).collect() })
}

/// Names that are short, and boards the tests like best.
fn suggestions(info: &FamilyInfo) -> Vec<String> {
    let aliases = info.aliases.iter().map(|(alias, _)| *alias);
    let named: Vec<&str> = info.aliases.iter().map(|(_, game)| *game).collect();
    let samples = info.samples.iter().copied().filter(|sample| !named.contains(sample));
    aliases.chain(samples).take(SUGGESTED).map(str::to_owned).collect()
}

fn options(app: &App, game: &str, wish: &Wish) -> Result<Options, Refusal> {
    let info = app.config.catalog.family(game)?;
    let suggestions = suggestions(info);
    // A family alone is its first board.
    let named = if game == info.name { suggestions.first().map_or(game, String::as_str) } else { game };
    let game = app.config.catalog.open(named)?;
    let opponents = Opponents::of(app, &*game)?;
    let usual = opponents.usual();
    // Another board has other opponents: whoever is not there is not chosen.
    let wished = wish.opponent.as_deref().filter(|key| opponents.find(key).is_ok());
    let opponent = wished.unwrap_or(&usual).to_owned();
    let rung = |key: &str| key.strip_prefix("level-").and_then(|level| level.parse().ok());
    Ok(Options {
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
