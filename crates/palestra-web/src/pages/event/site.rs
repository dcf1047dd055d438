//! The pages of an event as files of a site: those of the server, with all games and rounds in place of pages that a
//! query selects.

use super::address::EventUrls;
use super::failures;
use super::games::EventGameRow;
use super::groups::{self, GroupStandings, GroupsTable};
use super::player::{self, GamesOfOpponent, PlayerGames};
use super::query::EventQuery;
use super::rounds::Rounds;
use super::standings::{self, StandingsTable};
use super::summary::EventSummary;
use super::{CrosstablePage, EventParts, crosstable, render};
use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::PageFrame;
use askama::Template;
use palestra_review::event::{Audience, EventReport};
use palestra_store::{EventGame, Store};
use std::collections::BTreeSet;

/// Limit on the forfeits that the first page lists; the pages of players have them too.
const MAX_FAILURES: usize = 200;

/// Data of all pages of an exported event.
pub(crate) struct EventSite<'a> {
    pub(crate) app: &'a App,
    pub(crate) frame: PageFrame,
    pub(crate) store: &'a Store,
    pub(crate) summary: &'a EventSummary,
    /// The games of the schedule, in its order.
    pub(crate) games: &'a [EventGame],
}

/// A page with all standings, all rounds or all groups.
#[derive(Template)]
#[template(path = "event_all.html")]
pub(super) struct WholePage<'a> {
    pub(super) frame: PageFrame,
    pub(super) title: &'a str,
    pub(super) name: &'a str,
    pub(super) at: EventUrls,
    pub(super) table: Option<StandingsTable>,
    pub(super) rounds: Vec<Rounds>,
    /// The results of the groups, and the standings of each.
    pub(super) groups: Option<(GroupsTable, Vec<GroupStandings>)>,
}

impl EventSite<'_> {
    /// The first page; `n_pages` games have pages.
    pub(crate) fn index(&self, n_pages: usize) -> Result<String, HttpError> {
        let mut known = BTreeSet::new();
        let latest = self.games.iter().rev().filter(|game| known.insert(game.id));
        let latest: Vec<EventGame> = latest.take(super::boards::MAX_BOARDS).cloned().collect();
        let failed = || self.games.iter().filter(|game| game.game.record.forfeit.is_some());
        let parts = EventParts {
            summary: self.summary,
            status: None,
            latest: &latest,
            failures: (
                failures::details(
                    self.store,
                    failed().take(MAX_FAILURES),
                    Audience::Public,
                    self.frame.language,
                )?,
                failed().count() > MAX_FAILURES,
            ),
            n_game_pages: (n_pages < self.games.len()).then_some(n_pages),
        };
        render(self.app, self.frame.clone(), parts, &EventQuery::default())
    }

    /// The page of a player; `own` are the indices of its games, `ranks` the rows of all players in the standings.
    pub(crate) fn player(&self, player: usize, own: &[usize], ranks: &[usize]) -> Result<String, HttpError> {
        let event = self.event()?;
        let (name, at) = (event.name(player), EventUrls::of(&event.run.name));
        let mut by_opponent: Vec<GamesOfOpponent> = Vec::new();
        for game in own.iter().map(|&i| &self.games[i]) {
            let opponent = if game.place.first == name { &game.place.second } else { &game.place.first };
            let known = by_opponent.iter_mut().find(|group| group.name == *opponent);
            let row = EventGameRow { id: game.number(), ..EventGameRow::of(game.clone(), &at) };
            if let Some(group) = known {
                group.games.push(row);
            } else if let Some(number) = event.entrants.iter().position(|entrant| entrant.name == *opponent) {
                let (name, link) = (opponent.clone(), at.player(opponent));
                by_opponent.push(GamesOfOpponent { number, name, link, games: vec![row] });
            }
        }
        by_opponent.sort_by_key(|group| (ranks[group.number], group.number));
        let failed = || own.iter().map(|&i| &self.games[i]).filter(|game| failures::is_culprit(game, name));
        let games = PlayerGames {
            by_opponent,
            failures: failures::details(
                self.store,
                failed().take(player::MAX_FAILURES),
                Audience::Public,
                self.frame.language,
            )?,
            has_more_failures: failed().count() > player::MAX_FAILURES,
            ..PlayerGames::default()
        };
        player::render(self.frame.clone(), &event, player, games)
    }

    /// All standings, where the first page does not have them.
    pub(crate) fn standings(&self) -> Result<Option<String>, HttpError> {
        let (event, language) = (self.event()?, self.frame.language);
        if event.standings().rows.len() <= standings::PAGE_SIZE {
            return Ok(None);
        }
        let at = EventUrls::of(&event.run.name);
        let table = StandingsTable::of(&event, event.last(), &at, (1, usize::MAX), language);
        self.whole(&event, language.pick("Standings", "Clasificación"), table, Vec::new()).map(Some)
    }

    /// The crosstable, where the first page does not have it.
    pub(crate) fn crosstable(&self) -> Result<Option<String>, HttpError> {
        let (event, language) = (self.event()?, self.frame.language);
        let at = EventUrls::of(&event.run.name);
        let crosstable = crosstable::Crosstable::of(&event, &at, crosstable::MAX_PLAYERS, language);
        if crosstable.n_players <= crosstable::MAX_PLAYERS_INLINE {
            return Ok(None);
        }
        let page = CrosstablePage { frame: self.frame.clone(), name: event.run.name.clone(), at, crosstable };
        page.render().map(Some).map_err(|_| HttpError::internal_error())
    }

    /// The groups, where there are any.
    pub(crate) fn groups(&self) -> Result<Option<String>, HttpError> {
        groups::page(self.frame.clone(), &self.event()?)
    }

    /// All rounds.
    pub(crate) fn rounds(&self) -> Result<String, HttpError> {
        let (event, language) = (self.event()?, self.frame.language);
        let at = EventUrls::of(&event.run.name);
        let round = |&(stage, round): &(u32, u32)| {
            let query = EventQuery { stage: Some(stage + 1), round: Some(round + 1), page: None };
            Rounds::of(self.summary, &query, &at, language, usize::MAX)
        };
        let rounds = self.summary.rounds.keys().map(round).collect::<Result<_, _>>()?;
        self.whole(&event, language.pick("Rounds", "Rondas"), None, rounds)
    }

    fn whole(
        &self,
        event: &EventReport<'_>,
        title: &str,
        table: Option<StandingsTable>,
        rounds: Vec<Rounds>,
    ) -> Result<String, HttpError> {
        let at = EventUrls::of(&event.run.name);
        let page = WholePage {
            frame: self.frame.clone(),
            title,
            name: &event.run.name,
            at,
            table,
            rounds,
            groups: None,
        };
        page.render().map_err(|_| HttpError::internal_error())
    }

    fn event(&self) -> Result<EventReport<'_>, HttpError> {
        self.summary.event().ok_or_else(HttpError::not_found)
    }
}
