//! An event as a folder of static pages, for a browser with or without a server.

use super::ExportError;
use super::folder::{FolderKind, FolderWriter, SiteWritten};
use super::links::SiteLinks;
use super::names::PlayerFiles;
use crate::app::App;
use crate::assets;
use crate::config::Config;
use crate::pages::event::{EventSite, EventSummary};
use crate::pages::{PageFrame, PageOutput, game};
use crate::viewer::Language;
use palestra_review::event::{
    Audience, EventReview, end_reasons, event_json, game_json, game_text, gradebook, published_game,
};
use palestra_store::{EventGame, Store};
use std::collections::BTreeSet;
use std::path::Path;

/// Limit on the game pages of a site. With more games, failures and the games of the highest ranked have pages; the
/// files of games have all of them.
const MAX_GAME_PAGES: usize = 10_000;

/// Writes the site of an event atomically. A folder with anything but an older site is an error and stays as it is.
pub fn event_site(
    config: Config,
    store: &Store,
    review: &EventReview,
    folder: &Path,
    language: Language,
) -> Result<SiteWritten, ExportError> {
    write(config, store, review, folder, language, MAX_GAME_PAGES)
}

pub(super) fn write(
    config: Config,
    store: &Store,
    review: &EventReview,
    folder: &Path,
    language: Language,
    max_game_pages: usize,
) -> Result<SiteWritten, ExportError> {
    let mut writer = FolderWriter::begin(FolderKind::SITE, folder)?;
    // Everything below is made from what may be published.
    let review = &review.published();
    let Some(event) = review.report() else {
        return Err(ExportError::Page("the event has no standings yet".to_owned()));
    };
    let catalog = config.catalog;
    let games = review.games(store)?;
    let name = &review.run.name;
    writer.file("plan.toml", review.run.plan.as_bytes())?;
    writer.file("standings.csv", &gradebook(&event))?;
    writer.file("standings.json", format!("{}\n", event_json(&event)).as_bytes())?;
    let texts =
        review.with_evidence(&games, store, |game| game_text(name, &published_game(game), catalog))?;
    writer.file("games.pgn", texts.concat().as_bytes())?;
    let line = |game: &EventGame| format!("{}\n", game_json(name, game, catalog, Audience::Public));
    writer.file("games.jsonl", review.with_evidence(&games, store, line)?.concat().as_bytes())?;
    let games: Vec<EventGame> = games.iter().map(published_game).collect();

    let players = PlayerFiles::new(event.entrants.iter().map(|entrant| entrant.name.as_str()));
    let mut ranks = vec![usize::MAX; event.entrants.len()];
    event.standings().rows.iter().enumerate().for_each(|(rank, row)| ranks[row.player] = rank);
    let rank = |name: &str| players.number(name).map_or(usize::MAX, |player| ranks[player]);
    let is_out = |name: &str| players.number(name).is_some_and(|player| event.results.is_quarantined(player));
    let mut of_player = vec![Vec::new(); event.entrants.len()];
    for (i, game) in games.iter().enumerate() {
        let seats = [&game.place.first, &game.place.second].map(|name| players.number(name));
        seats.into_iter().flatten().for_each(|player| of_player[player].push(i));
    }
    let app = App::new(config);
    let frame = PageFrame::exported(language, PageOutput::Site);
    let shown = shown(&games, &rank, max_game_pages);
    let numbered = games.iter().filter(|game| shown.contains(&game.id));
    let numbers = numbered.map(|game| (game.id, game.number())).collect();
    let voided: BTreeSet<i64> = games
        .iter()
        .filter(|game| is_out(&game.place.first) || is_out(&game.place.second))
        .map(|game| game.id)
        .collect();
    let mut links = SiteLinks::new(name, players, numbers);
    // Pairings of equal players share games; a game has one page.
    let mut known = BTreeSet::new();
    for game in games.iter().filter(|game| shown.contains(&game.id) && known.insert(game.id)) {
        match game::exported(&app, frame.clone(), store, &review.run, game, voided.contains(&game.id)) {
            Ok(page) => {
                writer.file(
                    &format!("games/{}.html", game.number()),
                    links.relative(&page, "../").as_bytes(),
                )?;
            }
            // A game of another version, which this one cannot replay, has no page.
            Err(_) => drop(links.games.remove(&game.id)),
        }
    }
    let reasons = end_reasons(&event);
    let summary = EventSummary::new(review.clone(), reasons);
    let site = EventSite { app: &app, frame, store, summary: &summary, games: &games };
    for player in 0..event.entrants.len() {
        let page = links.relative(&site.player(player, &of_player[player], &ranks)?, "../");
        writer.file(&format!("players/{}.html", links.players.file(player)), page.as_bytes())?;
    }
    let mut page = |file: &str, page: Option<String>| -> Result<(), ExportError> {
        let page = page.map(|page| writer.file(file, links.relative(&page, "").as_bytes()));
        page.transpose().map(drop)
    };
    page("index.html", Some(site.index(links.games.len())?))?;
    page("standings.html", site.standings()?)?;
    page("crosstable.html", site.crosstable()?)?;
    page("groups.html", site.groups()?)?;
    page("rounds.html", Some(site.rounds()?))?;
    for name in links.assets.borrow().iter() {
        writer.file(&format!("assets/{name}"), assets::bytes(name).unwrap_or_default())?;
    }
    writer.finish()
}

/// The games that get pages: all, or failures and those of the highest ranked.
fn shown(games: &[EventGame], rank: &dyn Fn(&str) -> usize, max_pages: usize) -> BTreeSet<i64> {
    let mut order: Vec<(usize, i64)> = games
        .iter()
        .map(|game| match game.game.record.forfeit {
            Some(_) => (0, game.id),
            None => (rank(&game.place.first).min(rank(&game.place.second)).saturating_add(1), game.id),
        })
        .collect();
    order.sort_unstable();
    order.dedup();
    order.into_iter().take(max_pages).map(|(_, id)| id).collect()
}
