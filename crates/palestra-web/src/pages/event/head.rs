//! The head of the page: format, state, progress, and the buttons to stop or resume the event.

use super::address::EventUrls;
use super::sentences;
use super::summary::EventSummary;
use crate::app::App;
use crate::viewer::Language;
use palestra_review::grouped;
use palestra_review::live::LiveStatus;
use palestra_store::RunState;

/// The head of the page of an event.
pub(super) struct EventHeader {
    pub(super) name: String,
    pub(super) at: EventUrls,
    /// Format and boards.
    pub(super) what: String,
    /// CSS class and name of its state.
    pub(super) state: (&'static str, &'static str),
    pub(super) n_games: String,
    pub(super) n_players: String,
    pub(super) n_forfeits: usize,
    pub(super) time: String,
    pub(super) began: String,
    pub(super) progress: Option<EventProgressBar>,
    pub(super) warnings: Vec<String>,
    pub(super) may_stop: bool,
    pub(super) may_resume: bool,
    /// Why the page cannot resume an unfinished event.
    pub(super) why_not: Option<&'static str>,
    /// The error message of its process.
    pub(super) failure: Option<String>,
}

/// Progress of a running event.
pub(super) struct EventProgressBar {
    pub(super) done: String,
    pub(super) of: Option<String>,
    /// Finished games and all games, for the progress bar.
    pub(super) numbers: Option<[u64; 2]>,
    pub(super) percent: Option<String>,
    pub(super) left: Option<String>,
}

impl EventHeader {
    pub(super) fn of(
        app: &App,
        summary: &EventSummary,
        status: Option<&LiveStatus>,
        language: Language,
    ) -> EventHeader {
        let (run, review) = (&summary.review.run, &summary.review);
        let is_unfinished = matches!(run.state, RunState::Interrupted | RunState::Failed);
        let needs_programs = review.field.has_programs() && !app.config.allow_programs;
        let why_not = match (is_unfinished, app.processes.is_possible(), needs_programs) {
            (true, true, true) => Some(language.pick(
                "External programs take part, and this server was started without --allow-programs: resume the event in a terminal.",
                "Participan programas externos y este servidor se inició sin --allow-programs: reanuda el torneo desde una terminal.",
            )),
            _ => None,
        };
        EventHeader {
            name: run.name.clone(),
            at: EventUrls::of(&run.name),
            what: sentences::format(summary, language),
            state: (run.state.name(), sentences::state(run.state, language)),
            n_games: grouped(summary.n_games),
            n_players: grouped(review.field.entrants.len() as u64),
            n_forfeits: summary.n_forfeits,
            time: sentences::duration(status.map_or(run.seconds, |status| status.elapsed.max(run.seconds))),
            began: run.created.clone(),
            progress: status.filter(|_| run.state == RunState::Running).map(EventProgressBar::of),
            warnings: summary.event().map(|event| event.warnings()).unwrap_or_default(),
            may_stop: run.state == RunState::Running && app.processes.is_ours(run.id),
            may_resume: is_unfinished && app.processes.is_possible() && !needs_programs,
            why_not,
            failure: app.processes.failure_message(run.id),
        }
    }
}

impl EventProgressBar {
    fn of(status: &LiveStatus) -> EventProgressBar {
        EventProgressBar {
            done: grouped(status.done),
            of: status.of.map(grouped),
            numbers: status.of.map(|of| [status.done.min(of), of]),
            percent: status.share().map(|share| format!("{:.0} %", (100.0 * share).floor())),
            left: status.seconds_left().map(sentences::duration),
        }
    }
}
