//! An event as a folder of static pages, for a browser with or without a server.

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

/// Most game pages of a site. With more games, failures and the games of the highest ranked have pages; the files of
/// games have all of them.
const MAX_GAME_PAGES: usize = 10_000;

/// Style of the site, in addition to that of all reports.
const SITE_STYLE: &str = include_str!("site.css");
const SCRIPT: &str = include_str!("step.js");

/// Data that all pages of a site share.
struct EventSite<'a> {
    event: &'a EventReport<'a>,
    games: &'a [EventGame],
    names: PlayerFiles,
    /// Numbers of the games that have pages.
    shown: BTreeSet<i64>,
    /// Indices of the games of each player.
    of_player: Vec<Vec<usize>>,
    /// Row of each player in the final standings; `usize::MAX` if it has none.
    ranks: Vec<usize>,
}

/// Writes the site atomically. A folder with anything but an older site is an error and stays as it is.
pub(crate) fn write_site(event: &EventReport<'_>, games: &[EventGame], folder: &Path) -> Result<SiteWritten> {
    let site = EventSite::new(event, games, MAX_GAME_PAGES);
    let mut writer = SiteWriter::begin(folder)?;
    site.write(&mut writer)?;
    writer.finish()
}

impl<'a> EventSite<'a> {
    fn new(event: &'a EventReport<'a>, games: &'a [EventGame], max_pages: usize) -> EventSite<'a> {
        let names = PlayerFiles::new(event.entrants.iter().map(|entrant| entrant.name.as_str()));
        let mut of_player = vec![Vec::new(); event.entrants.len()];
        for (i, game) in games.iter().enumerate() {
            let players = [&game.first, &game.second].map(|name| names.number(name));
            players.into_iter().flatten().for_each(|player| of_player[player].push(i));
        }
        let mut ranks = vec![usize::MAX; event.entrants.len()];
        event.standings().rows.iter().enumerate().for_each(|(rank, row)| ranks[row.player] = rank);
        let rank = |name: &str| names.number(name).map_or(usize::MAX, |player| ranks[player]);
        let shown = shown(games, &rank, max_pages);
        EventSite { event, games, names, shown, of_player, ranks }
    }

    fn write(&self, writer: &mut SiteWriter) -> Result<()> {
        writer.file("style.css", format!("{STYLE}{SITE_STYLE}").as_bytes())?;
        writer.file("step.js", SCRIPT.as_bytes())?;
        writer.file("plan.toml", self.event.run.plan.as_bytes())?;
        writer.file("standings.csv", &gradebook(self.event))?;
        writer.file("standings.json", format!("{}\n", summary(self.event)).as_bytes())?;
        let name = &self.event.run.name;
        let text: String = self.games.iter().map(|game| game_text(name, game)).collect();
        writer.file("games.pgn", text.as_bytes())?;
        let mut lines = String::new();
        for game in self.games {
            let _ = writeln!(lines, "{}", game_line(name, game));
        }
        writer.file("games.jsonl", lines.as_bytes())?;
        writer.file("index.html", index::page(self).as_bytes())?;
        if !standings::fits(self) {
            writer.file("standings.html", standings::page(self).as_bytes())?;
        }
        if !rounds::fits(self) {
            writer.file("rounds.html", rounds::page(self).as_bytes())?;
        }
        for player in 0..self.event.entrants.len() {
            let address = format!("players/{}.html", self.names.file(player));
            writer.file(&address, player::page(self, player).as_bytes())?;
        }
        for game in self.games.iter().filter(|game| self.shown.contains(&game.id)) {
            writer.file(&format!("games/{}.html", game.id), game::page(self, game).as_bytes())?;
        }
        Ok(())
    }

    /// A link to a player's page; `up` leads to the folder of the site.
    fn player(&self, up: &str, player: usize) -> String {
        let address = format!("{up}players/{}.html", self.names.file(player));
        palestra_review::html::link(&address, self.event.name(player))
    }

    /// The same by name; plain text for a name that is not in the event.
    fn named(&self, up: &str, name: &str) -> String {
        self.names
            .number(name)
            .map_or_else(|| palestra_review::chart::escaped(name), |player| self.player(up, player))
    }

    /// A link to a game, or its number where it has no page.
    fn game(&self, up: &str, game: &EventGame) -> String {
        self.game_as(up, game, &game.id.to_string())
    }

    /// The same with another text for the link.
    fn game_as(&self, up: &str, game: &EventGame, text: &str) -> String {
        match self.shown.contains(&game.id) {
            true => palestra_review::html::link(&format!("{up}games/{}.html", game.id), text),
            false => palestra_review::chart::escaped(text),
        }
    }
}

/// The games that get pages: all, or failures and those of the highest ranked.
fn shown(games: &[EventGame], rank: &dyn Fn(&str) -> usize, max_pages: usize) -> BTreeSet<i64> {
    let mut order: Vec<(usize, i64)> = games
        .iter()
        .map(|game| match game.forfeit {
            Some(_) => (0, game.id),
            None => (rank(&game.first).min(rank(&game.second)), game.id),
        })
        .collect();
    order.sort_unstable();
    order.into_iter().take(max_pages).map(|(_, id)| id).collect()
}
