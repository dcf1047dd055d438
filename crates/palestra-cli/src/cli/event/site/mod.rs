//! A whole event as a folder of pages that any browser opens, from a disk or a server.

mod board;
mod folder;
mod game;
mod index;
mod matrix;
mod names;
mod page;
mod player;
mod rounds;
mod standings;
#[cfg(test)]
mod tests;

pub(crate) use folder::SiteWritten;

use super::{EventReport, game_line, game_text, gradebook, summary};
use anyhow::Result;
use folder::SiteWriter;
use names::PlayerFiles;
use palestra_review::html::STYLE;
use palestra_store::EventGame;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Pages of games that a site has at most. Past it, the games of those who stand highest have theirs, and failures;
/// all games are in the files of games anyway.
const MOST_GAME_PAGES: usize = 10_000;

/// What the site has beside the style of all reports.
const MORE_STYLE: &str = include_str!("site.css");
const SCRIPT: &str = include_str!("step.js");

/// Everything that the pages of a site share.
struct EventSite<'a> {
    event: &'a EventReport<'a>,
    games: &'a [EventGame],
    names: PlayerFiles,
    /// The games that have pages.
    shown: BTreeSet<i64>,
    /// The games of each player, as places in the list.
    of_player: Vec<Vec<usize>>,
    /// Everybody's place in the final table; whoever is not in it comes last.
    places: Vec<usize>,
}

/// Writes the site whole or not at all. A folder that holds anything but an older site of ours is left as it is.
pub(crate) fn write_site(event: &EventReport<'_>, games: &[EventGame], folder: &Path) -> Result<SiteWritten> {
    let site = EventSite::new(event, games, MOST_GAME_PAGES);
    let mut draft = SiteWriter::begin(folder)?;
    site.write(&mut draft)?;
    draft.finish()
}

impl<'a> EventSite<'a> {
    fn new(event: &'a EventReport<'a>, games: &'a [EventGame], most: usize) -> EventSite<'a> {
        let names = PlayerFiles::new(event.entrants.iter().map(|entrant| entrant.name.as_str()));
        let mut of_player = vec![Vec::new(); event.entrants.len()];
        for (i, game) in games.iter().enumerate() {
            let players = [&game.first, &game.second].map(|name| names.number(name));
            players.into_iter().flatten().for_each(|player| of_player[player].push(i));
        }
        let mut places = vec![usize::MAX; event.entrants.len()];
        event.standings().rows.iter().enumerate().for_each(|(place, row)| places[row.player] = place);
        let place = |name: &str| names.number(name).map_or(usize::MAX, |player| places[player]);
        let shown = shown(games, &place, most);
        EventSite { event, games, names, shown, of_player, places }
    }

    fn write(&self, draft: &mut SiteWriter) -> Result<()> {
        draft.file("style.css", format!("{STYLE}{MORE_STYLE}").as_bytes())?;
        draft.file("step.js", SCRIPT.as_bytes())?;
        draft.file("plan.toml", self.event.run.plan.as_bytes())?;
        draft.file("standings.csv", &gradebook(self.event))?;
        draft.file("standings.json", format!("{}\n", summary(self.event)).as_bytes())?;
        let name = &self.event.run.name;
        let text: String = self.games.iter().map(|game| game_text(name, game)).collect();
        draft.file("games.pgn", text.as_bytes())?;
        let mut lines = String::new();
        for game in self.games {
            let _ = writeln!(lines, "{}", game_line(name, game));
        }
        draft.file("games.jsonl", lines.as_bytes())?;
        draft.file("index.html", index::page(self).as_bytes())?;
        if !standings::fits(self) {
            draft.file("standings.html", standings::page(self).as_bytes())?;
        }
        if !rounds::fits(self) {
            draft.file("rounds.html", rounds::page(self).as_bytes())?;
        }
        for player in 0..self.event.entrants.len() {
            let address = format!("players/{}.html", self.names.file(player));
            draft.file(&address, player::page(self, player).as_bytes())?;
        }
        for game in self.games.iter().filter(|game| self.shown.contains(&game.id)) {
            draft.file(&format!("games/{}.html", game.id), game::page(self, game).as_bytes())?;
        }
        Ok(())
    }

    /// A link to a player's page; `up` leads to the folder of the site.
    fn player(&self, up: &str, player: usize) -> String {
        let address = format!("{up}players/{}.html", self.names.file(player));
        palestra_review::html::link(&address, self.event.name(player))
    }

    /// The same by name; a name that is not in the event stays a text.
    fn named(&self, up: &str, name: &str) -> String {
        self.names
            .number(name)
            .map_or_else(|| palestra_review::chart::escaped(name), |player| self.player(up, player))
    }

    /// A link to a game, or its number where it has no page.
    fn game(&self, up: &str, game: &EventGame) -> String {
        self.game_as(up, game, &game.id.to_string())
    }

    /// The same with another text.
    fn game_as(&self, up: &str, game: &EventGame, text: &str) -> String {
        match self.shown.contains(&game.id) {
            true => palestra_review::html::link(&format!("{up}games/{}.html", game.id), text),
            false => palestra_review::chart::escaped(text),
        }
    }
}

/// The games that get pages: all, or failures and those of the best.
fn shown(games: &[EventGame], place: &dyn Fn(&str) -> usize, most: usize) -> BTreeSet<i64> {
    let mut order: Vec<(usize, i64)> = games
        .iter()
        .map(|game| match game.forfeit {
            Some(_) => (0, game.id),
            None => (place(&game.first).min(place(&game.second)), game.id),
        })
        .collect();
    order.sort_unstable();
    order.into_iter().take(most).map(|(_, id)| id).collect()
}
