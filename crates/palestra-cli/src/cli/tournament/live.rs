//! The terminal view of a running event: progress, leaders and failures.

use crate::cli::event::{self, live_standings};
use crate::cli::output::{bar, note};
use indicatif::{ProgressBar, ProgressStyle};
use palestra_arena::GameRecord;
use palestra_core::{Progress, Side};
use palestra_tournament::{
    Entrant, PointSystem, Ranking, RankingCriteria, ScheduledGame, TournamentObserver, TournamentResults,
    TournamentStatus,
};
use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Number of leaders that are shown.
const MAX_LEADERS: usize = 8;

/// Time between two updates of the table.
const REFRESH: Duration = Duration::from_millis(500);
/// Above this many players the table is updated less often, because sorting takes longer.
const MANY_PLAYERS: usize = 1000;
const SLOW_REFRESH: Duration = Duration::from_secs(5);

/// Time between two reports where standard error is not a terminal.
const LOG_INTERVAL: Duration = Duration::from_secs(30);

/// The live view of an event.
pub(super) struct TerminalProgress<'a> {
    entrants: &'a [Entrant],
    points: PointSystem,
    progress: &'a Progress,
    bar: ProgressBar,
    began: Instant,
    refresh: Duration,
    is_terminal: bool,
    /// End of the time budget of the plan.
    deadline: Option<Instant>,
    state: Mutex<State>,
}

struct State {
    last_shown: Instant,
    last_logged: Instant,
    /// Last failure of each player that failed.
    faults: BTreeMap<usize, String>,
    ranking: Ranking,
}

impl<'a> TerminalProgress<'a> {
    pub(super) fn new(
        entrants: &'a [Entrant],
        points: PointSystem,
        progress: &'a Progress,
        deadline: Option<Instant>,
    ) -> TerminalProgress<'a> {
        let template = "{bar:32} {percent} %{msg}";
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let now = Instant::now();
        let (faults, ranking) = (BTreeMap::new(), Ranking::default());
        let state = State { last_shown: now, last_logged: now, faults, ranking };
        let view = TerminalProgress {
            entrants,
            points,
            progress,
            bar: bar(0, "games").with_style(style),
            began: now,
            refresh: if entrants.len() > MANY_PLAYERS { SLOW_REFRESH } else { REFRESH },
            is_terminal: std::io::stderr().is_terminal(),
            deadline,
            state: Mutex::new(state),
        };
        view.check_time();
        view
    }

    /// Ends the event if its time budget is spent.
    fn check_time(&self) {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.progress.end_time();
        }
    }

    /// Removes the bar.
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
            max_leaders: MAX_LEADERS,
        });
        if self.is_terminal {
            self.bar.set_message(format!("\n{}", text.trim_end()));
        } else if state.last_logged.elapsed() > LOG_INTERVAL {
            state.last_logged = Instant::now();
            note(text.trim_end());
        }
    }
}

impl TournamentObserver for TerminalProgress<'_> {
    fn played(&self, order: &ScheduledGame, record: &GameRecord, progress: &TournamentStatus) {
        self.check_time();
        self.bar.set_length(progress.estimate);
        self.bar.set_position(progress.n_done);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(forfeit) = &record.forfeit {
            let culprit = if forfeit.culprit == Side::First { order.first() } else { order.second() };
            state.faults.insert(culprit, format!("{}: {}", forfeit.kind, forfeit.detail));
        }
        if state.last_shown.elapsed() > self.refresh {
            state.last_shown = Instant::now();
            self.show(&mut state, progress);
        }
    }

    fn voided(&self, order: &ScheduledGame, why: &str) {
        let [first, second] = [order.first(), order.second()].map(|player| &self.entrants[player].name);
        self.bar.suspend(|| {
            note(format_args!("the game of {first} and {second} is void and is played again: {why}"));
        });
    }

    fn folded(&self, results: &TournamentResults, progress: &TournamentStatus) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.last_shown.elapsed() <= self.refresh {
            return;
        }
        state.last_shown = Instant::now();
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
