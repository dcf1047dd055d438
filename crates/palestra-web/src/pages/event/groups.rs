//! The groups of an event: their results, and the standings of each.

use super::address::EventUrls;
use super::site::WholePage;
use super::standings::StandingsTable;
use crate::app::App;
use crate::change_poller::Topic;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, live_page};
use crate::viewer::{Language, Viewer};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use palestra_review::event::text::points;
use palestra_review::event::{EventReport, groups};
use palestra_store::Store;

/// The results of all groups.
pub(super) struct GroupsTable {
    pub(super) has_marks: bool,
    pub(super) rows: Vec<GroupsTableRow>,
}

/// The results of a group.
pub(super) struct GroupsTableRow {
    pub(super) name: String,
    /// URL of its standings.
    pub(super) link: String,
    pub(super) n_students: usize,
    /// Mean score with its interval.
    pub(super) score: String,
    /// Names and URLs of the best players.
    pub(super) best: Vec<(String, String)>,
    /// Their score.
    pub(super) best_score: String,
    pub(super) n_failed: usize,
    pub(super) grade: String,
    pub(super) passed: String,
}

/// The standings of a group: element id, name, table.
pub(super) type GroupStandings = (String, String, StandingsTable);

fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

fn name(group: Option<&String>, language: Language) -> String {
    group.cloned().unwrap_or_else(|| language.pick("without a group", "sin grupo").to_owned())
}

impl GroupsTable {
    /// `None` where no player has a group.
    pub(super) fn of(event: &EventReport<'_>, at: &EventUrls, language: Language) -> Option<GroupsTable> {
        let row = |(i, group): (usize, palestra_review::event::GroupResult)| GroupsTableRow {
            name: name(group.group.as_ref(), language),
            link: at.page(&format!("/groups#group-{}", i + 1)),
            n_students: group.students,
            score: match (group.score, group.score_low, group.score_high) {
                (Some(mean), Some(low), Some(high)) => {
                    format!("{:.1} % [{:.1}, {:.1}]", 100.0 * mean, 100.0 * low, 100.0 * high)
                }
                (mean, ..) => percent(mean),
            },
            best: group.best.iter().map(|name| (name.clone(), at.player(name))).collect(),
            best_score: percent(group.best_score),
            n_failed: group.failed,
            grade: group.grade.map_or("–".to_owned(), points),
            passed: group.passed.map_or_else(String::new, |passed| passed.to_string()),
        };
        let rows: Vec<GroupsTableRow> = groups(event).into_iter().enumerate().map(row).collect();
        (!rows.is_empty()).then_some(GroupsTable { has_marks: !event.marks.is_empty(), rows })
    }
}

/// The page with the results of all groups and the standings of each; `None` where no player has a group.
pub(super) fn page(frame: PageFrame, event: &EventReport<'_>) -> Result<Option<String>, HttpError> {
    let (at, language) = (EventUrls::of(&event.run.name), frame.language);
    let Some(table) = GroupsTable::of(event, &at, language) else { return Ok(None) };
    let standings = groups(event).into_iter().enumerate().map(|(i, group)| {
        let table = StandingsTable::of_players(event, &group.entrants, &at, language);
        (format!("group-{}", i + 1), name(group.group.as_ref(), language), table)
    });
    let page = WholePage {
        title: language.pick("Groups", "Grupos"),
        name: &event.run.name,
        table: None,
        rounds: Vec::new(),
        groups: Some((table, standings.collect())),
        at,
        frame,
    };
    page.render().map(Some).map_err(|_| HttpError::internal_error())
}

pub(super) async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Response, HttpError> {
    let id = super::find(&app, name).await?;
    let (site, by) = (app.clone(), viewer.clone());
    let make = move |store: &Store, version| {
        let summary = super::event_summary(&site, store, id, version)?;
        let event = summary.event().ok_or_else(HttpError::not_found)?;
        let frame = by.frame(&site, "").following(Topic::Run(id), version);
        page(frame, &event)?.ok_or_else(HttpError::not_found)
    };
    live_page(&app, &viewer, Topic::Run(id), None, make).await
}
