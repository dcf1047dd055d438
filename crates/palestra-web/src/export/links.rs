//! Links of the pages of an event, from URLs of the server to files of the site.

use super::names::PlayerFiles;
use crate::url::{decoded, encoded};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The files of a site by URL.
pub(super) struct SiteLinks {
    /// URL of the event.
    base: String,
    pub(super) players: PlayerFiles,
    /// The games that have pages: numbers in the store, and by content, which name the files.
    pub(super) games: BTreeMap<i64, i64>,
    /// Names of the style sheets and scripts that pages refer to.
    pub(super) assets: RefCell<BTreeSet<String>>,
}

impl SiteLinks {
    pub(super) fn new(event: &str, players: PlayerFiles, games: BTreeMap<i64, i64>) -> SiteLinks {
        SiteLinks { base: format!("/event/{}", encoded(event)), players, games, assets: RefCell::default() }
    }

    /// A page with links to files. `up` leads from the page to the folder of the site. Links to what the site does not
    /// have lose their target and keep their text.
    pub(super) fn relative(&self, page: &str, up: &str) -> String {
        let mut text = String::with_capacity(page.len());
        let mut rest = page;
        // Templates escape quotes in texts, so that this is always an attribute.
        while let Some((at, name)) =
            [" href=\"/", " src=\"/"].into_iter().filter_map(|name| Some((rest.find(name)?, name))).min()
        {
            let (before, after) = rest.split_at(at);
            let value = &after[name.len() - 1..];
            let (url, after) = value.split_once('"').unwrap_or((value, ""));
            text.push_str(before);
            if let Some(file) = self.file(&url.replace("&#38;", "&").replace("&amp;", "&")) {
                text.push_str(&format!("{}{up}{file}\"", &name[..name.len() - 1]));
            }
            rest = after;
        }
        text + rest
    }

    /// The file of a URL, with its anchor.
    fn file(&self, url: &str) -> Option<String> {
        let (url, anchor) =
            url.split_once('#').map_or((url, String::new()), |(url, id)| (url, format!("#{id}")));
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        if let Some(name) = path.strip_prefix("/assets/") {
            self.assets.borrow_mut().insert(name.to_owned());
            return Some(format!("assets/{name}"));
        }
        if let Some(id) = path.strip_prefix("/game/") {
            let id: i64 = id.parse().ok()?;
            return self.games.get(&id).map(|number| format!("games/{number}.html{anchor}"));
        }
        let query: BTreeMap<&str, String> = query
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(key, value)| (key, name(value)))
            .collect();
        let player =
            |name: &str| Some(format!("players/{}.html", self.players.file(self.players.number(name)?)));
        match path.strip_prefix(&self.base)? {
            "" => Some(format!("index.html{anchor}")),
            "/table.csv" => Some("standings.csv".to_owned()),
            file @ ("/standings.json" | "/games.pgn" | "/games.jsonl" | "/plan.toml") => {
                Some(file[1..].to_owned())
            }
            page @ ("/standings" | "/rounds" | "/crosstable" | "/groups") => {
                Some(format!("{}.html{anchor}", &page[1..]))
            }
            "/games" => {
                let page = player(query.get("player")?)?;
                let opponent = query.get("opponent").and_then(|name| self.players.number(name));
                Some(opponent.map_or(format!("{page}#games"), |number| format!("{page}#vs-{number}")))
            }
            "/player" => Some(player(query.get("name")?)? + &anchor),
            other => Some(player(&name(other.strip_prefix("/player/")?))? + &anchor),
        }
    }
}

/// A name in a URL.
fn name(text: &str) -> String {
    String::from_utf8_lossy(&decoded(text)).into_owned()
}
