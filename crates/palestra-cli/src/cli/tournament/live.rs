//! What a person sees while an event is played: how far it is, who leads, who fails and why.

use super::event_status::EventStatusWriter;
use super::game_runner::VoidGameReporter;
use crate::cli::event::{self, live_standings};
use crate::cli::output::{bar, note};
use indicatif::{ProgressBar, ProgressStyle};
use palestra_core::Side;
use palestra_tournament::{
    Entrant, GameRecord, PointSystem, Ranking, RankingCriteria, ScheduledGame, TournamentProgress,
    TournamentResults, TournamentStatus,
};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How many of the leaders are shown.
const LEADERS: usize = 8;

/// How often the live table changes; sorting thousands of players takes a while.
const OFTEN: Duration = Duration::from_millis(500);
const MANY: usize = 1000;
const LESS_OFTEN: Duration = Duration::from_secs(5);

/// How often a line is written where nobody watches a terminal.
const SELDOM: Duration = Duration::from_secs(30);

/// The live view of an event.
pub(super) struct TerminalProgress<'a> {
    entrants: &'a [Entrant],
    points: PointSystem,
    teller: &'a EventStatusWriter<'a>,
    bar: ProgressBar,
    began: Instant,
    often: Duration,
    is_terminal: bool,
    stop: Arc<AtomicBool>,
    /// When the time that the plan gives is over.
    deadline: Option<Instant>,
    state: Mutex<State>,
}

struct State {
    shown: Instant,
    written: Instant,
    /// The last failure of everybody who failed.
    faults: BTreeMap<usize, String>,
    ranking: Ranking,
}

impl<'a> TerminalProgress<'a> {
    pub(super) fn new(
        entrants: &'a [Entrant],
        points: PointSystem,
        teller: &'a EventStatusWriter<'a>,
        stop: Arc<AtomicBool>,
        deadline: Option<Instant>,
    ) -> TerminalProgress<'a> {
        let template = "{bar:32} {percent} %{msg}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let now = Instant::now();
        let state = State { shown: now, written: now, faults: BTreeMap::new(), ranking: Ranking::default() };
        TerminalProgress {
            entrants,
            points,
            teller,
            bar: bar(0, "games").with_style(style),
            began: now,
            often: if entrants.len() > MANY { LESS_OFTEN } else { OFTEN },
            is_terminal: std::io::stderr().is_terminal(),
            stop,
            deadline,
            state: Mutex::new(state),
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, state: &mut State, progress: &TournamentStatus) {
        let (ranking, faults) = (&state.ranking, &state.faults);
        let (elapsed, entrants) = (self.began.elapsed(), self.entrants);
        let text = live_standings(&event::LiveStandings {
            entrants,
            ranking,
            progress,
            faults,
            elapsed,
            max_leaders: LEADERS,
        });
        if self.is_terminal {
            self.bar.set_message(format!("\n{}", text.trim_end()));
        } else if state.written.elapsed() > SELDOM {
            state.written = Instant::now();
            note(text.trim_end());
        }
    }
}

impl TournamentProgress for TerminalProgress<'_> {
    fn go_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    fn has_time(&self) -> bool {
        self.deadline.is_none_or(|deadline| Instant::now() < deadline)
    }

    fn played(&self, order: &ScheduledGame, record: &GameRecord, progress: &TournamentStatus) {
        self.teller.set_progress(progress);
        self.bar.set_length(progress.estimate);
        self.bar.set_position(progress.n_done);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(forfeit) = &record.forfeit {
            let culprit = if forfeit.culprit == Side::First { order.first() } else { order.second() };
            state.faults.insert(culprit, format!("{}: {}", forfeit.kind, forfeit.detail));
        }
        if state.shown.elapsed() > self.often {
            state.shown = Instant::now();
            self.show(&mut state, progress);
        }
    }

    fn folded(&self, results: &TournamentResults, progress: &TournamentStatus) {
        self.teller.set_progress(progress);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.shown.elapsed() <= self.often {
            return;
        }
        state.shown = Instant::now();
        let stage = results.last_stage();
        let field = results.players_in(stage);
        state.ranking = Ranking::of(
            results,
            &RankingCriteria {
                field: &field,
                stage,
                points: &self.points,
                tie_breaks: &[],
                placing: None,
                ratings: None,
            },
        );
        self.show(&mut state, progress);
    }
}

impl VoidGameReporter for TerminalProgress<'_> {
    fn game_voided(&self, order: &ScheduledGame, why: &str) {
        let [first, second] = [order.first(), order.second()].map(|player| &self.entrants[player].name);
        self.bar.suspend(|| {
            note(format_args!("the game of {first} and {second} is void and played again: {why}"));
        });
    }
}
