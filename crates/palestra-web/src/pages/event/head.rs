//! What stands above everything: what the event is, how far it is, and what can be done about it.

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
    pub(super) what: String,
    /// The class of its state, and the word for it.
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
    /// Why it cannot go on from here, although it is not done.
    pub(super) why_not: Option<&'static str>,
    /// What its process said when it failed.
    pub(super) trouble: Option<String>,
}

/// How far a running event is.
pub(super) struct EventProgressBar {
    pub(super) done: String,
    pub(super) of: Option<String>,
    /// For a bar.
    pub(super) numbers: Option<[u64; 2]>,
    pub(super) percent: Option<String>,
    pub(super) left: Option<String>,
}

impl EventHeader {
    pub(super) fn of(
        app: &App,
        folded: &EventSummary,
        telling: Option<&LiveStatus>,
        language: Language,
    ) -> EventHeader {
        let (run, review) = (&folded.review.run, &folded.review);
        let is_open = matches!(run.state, RunState::Interrupted | RunState::Failed);
        let needs_programs = review.field.has_programs() && !app.config.allow_programs;
        let why_not = match (is_open, app.processes.is_possible(), needs_programs) {
            (true, true, true) => Some(language.pick(
                "Outside programs take part, and this server was started without --allow-programs: resume it in a terminal.",
                "Participan programas externos y este servidor se inició sin --allow-programs: reanúdalo desde una terminal.",
            )),
            _ => None,
        };
        EventHeader {
            name: run.name.clone(),
            at: EventUrls::of(&run.name),
            what: sentences::format(folded, language),
            state: (run.state.name(), sentences::state(run.state, language)),
            n_games: grouped(folded.n_games),
            n_players: grouped(review.field.entrants.len() as u64),
            n_forfeits: folded.n_forfeits,
            time: sentences::duration(
                telling.map_or(run.seconds, |telling| telling.elapsed.max(run.seconds)),
            ),
            began: run.created.clone(),
            progress: telling.filter(|_| run.state == RunState::Running).map(EventProgressBar::of),
            warnings: folded.event().map(|event| event.warnings()).unwrap_or_default(),
            may_stop: run.state == RunState::Running && app.processes.is_ours(run.id),
            may_resume: is_open && app.processes.is_possible() && !needs_programs,
            why_not,
            trouble: app.processes.failure_message(run.id),
        }
    }
}

impl EventProgressBar {
    fn of(telling: &LiveStatus) -> EventProgressBar {
        EventProgressBar {
            done: grouped(telling.done),
            of: telling.of.map(grouped),
            numbers: telling.of.map(|of| [telling.done.min(of), of]),
            percent: telling.share().map(|share| format!("{:.0} %", (100.0 * share).floor())),
            left: telling.seconds_left().map(sentences::duration),
        }
    }
}
