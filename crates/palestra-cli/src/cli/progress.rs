//! Shows the progress of a command: a bar on standard error, and the live status of a run in the store.

use super::output::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use palestra_core::Progress;
use palestra_review::live::LiveStatus;
use palestra_store::RunLedger;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Time between two looks at the progress.
const REFRESH: Duration = Duration::from_millis(50);

/// Time between two writes of the live status.
const WRITE_INTERVAL: Duration = Duration::from_millis(250);

/// Calls `look` repeatedly on another thread while `work` runs.
pub(super) fn watch<T>(mut look: impl FnMut() + Send, work: impl FnOnce() -> T) -> T {
    std::thread::scope(|scope| {
        // The thread ends when the sender is dropped, even if the work panics.
        let (_working, over) = mpsc::channel::<()>();
        let watch = move || {
            while over.recv_timeout(REFRESH) == Err(RecvTimeoutError::Timeout) {
                look();
            }
        };
        // Where the system has no thread to give, the work goes on without a bar.
        let _ = std::thread::Builder::new().spawn_scoped(scope, watch);
        work()
    })
}

/// Shows a bar of `total` units with the time left while `work` runs.
pub(super) fn with_bar<T>(progress: &Progress, total: u64, unit: &str, work: impl FnOnce() -> T) -> T {
    progress.update(|phase| phase.total = Some(total));
    with_status(progress, unit, None, work)
}

/// Shows a bar of the present phase, or a plain count where its total is unknown, and writes the live status.
pub(super) fn with_status<T>(
    progress: &Progress,
    unit: &str,
    mut status: Option<LiveStatusWriter<'_>>,
    work: impl FnOnce() -> T,
) -> T {
    let phase = progress.phase();
    let (width, message) = if phase.message.is_empty() { (32, "") } else { (24, "; {msg}") };
    let template = match phase.total {
        Some(_) => format!(
            "{{bar:{width}}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left{message}"
        ),
        None => format!("{{spinner}} {{human_pos}} {unit}, {{per_sec}}, {{elapsed}}{message}"),
    };
    let bar = phase.total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    let bar = bar.with_style(style(&template)).with_position(progress.done());
    if let Some(status) = &mut status {
        status.look(progress);
    }
    let look = || {
        let phase = progress.phase();
        phase.total.into_iter().for_each(|total| bar.set_length(total));
        bar.set_message(phase.message);
        bar.set_position(progress.done());
        if let Some(status) = &mut status {
            status.look(progress);
        }
    };
    let result = watch(look, work);
    bar.finish_and_clear();
    result
}

/// Shows the progress of a solver while `work` runs.
pub(super) fn with_solver_bar<T>(progress: &Progress, title: &str, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new(1000);
    bar.set_style(style("{bar:32} {msg}, {elapsed} so far, {eta} left of this step"));
    let look = || {
        let (low, high) = progress.bounds();
        let known = if low == high { String::new() } else { format!(", value from {low} to {high}") };
        bar.set_message(format!("{title}{} positions{known}", grouped(progress.done())));
        bar.set_position((1000.0 * progress.fraction()) as u64);
    };
    let result = watch(look, work);
    bar.finish_and_clear();
    result
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Writes the live status of a run to the store, for the page, and ends its time budget.
pub(super) struct LiveStatusWriter<'a> {
    ledger: &'a RunLedger,
    /// Seconds of work before this start.
    before: f64,
    began: Instant,
    /// Time budget of the run in seconds, if the number of its games follows from it.
    budget: Option<f64>,
    /// Time of the last write, and what was done then.
    written: Option<(Instant, u64)>,
}

impl<'a> LiveStatusWriter<'a> {
    pub(super) fn new(ledger: &'a RunLedger, before: f64, budget: Option<f64>) -> LiveStatusWriter<'a> {
        LiveStatusWriter { ledger, before, began: Instant::now(), budget, written: None }
    }

    fn look(&mut self, progress: &Progress) {
        let elapsed = self.before + self.began.elapsed().as_secs_f64();
        if self.budget.is_some_and(|budget| elapsed >= budget) {
            progress.end_time();
        }
        let done = progress.done();
        let is_due = |(at, before): (Instant, u64)| before != done && at.elapsed() >= WRITE_INTERVAL;
        if self.written.is_none_or(is_due) {
            self.written = Some((Instant::now(), done));
            // Games that fit into the time budget at the speed so far.
            let in_time = |seconds: f64| (done as f64 * (seconds / elapsed).max(1.0)) as u64;
            let mut status = LiveStatus::of(progress, elapsed);
            status.of = status.of.or(self.budget.filter(|_| done > 0 && elapsed > 0.0).map(in_time));
            // A run does not fail because of its status: errors of the store are reported when results are stored.
            drop(self.ledger.set_live_status(status.to_json()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_core::ProgressPhase;
    use palestra_store::{NewRun, Store};

    #[test]
    fn status_is_written_but_not_at_every_look() {
        let file = std::env::temp_dir().join(format!("palestra-status-{}.db", std::process::id()));
        let mut store = Store::open(&file).unwrap();
        let text = || "status".to_owned();
        let new = NewRun {
            stem: text(),
            kind: text(),
            plan: String::new(),
            old_plan: None,
            seed: 1,
            version: text(),
            weights: vec![],
        };
        let run = store.begin_run(&new).unwrap().id;
        let ledger = store.ledger(run).unwrap();
        let progress = Progress::default();
        let (name, total, step) = (LiveStatus::TRAINING, Some(100), Some(3));
        progress.begin(ProgressPhase { name, total, step, ..ProgressPhase::default() });
        let mut writer = LiveStatusWriter::new(&ledger, 9.0, Some(1000.0));
        writer.look(&progress);
        progress.add(4);
        writer.look(&progress);
        assert_eq!(writer.written.unwrap().1, 0, "it is not yet time");
        writer.written = Some((Instant::now() - WRITE_INTERVAL, 0));
        writer.look(&progress);
        let began = Instant::now();
        let now = loop {
            let status = store.live_status(run).unwrap().and_then(|live| LiveStatus::read(&live.what));
            if let Some(status) = status.filter(|status| status.done == 4) {
                break status;
            }
            assert!(began.elapsed().as_secs() < 10, "nothing was written");
            std::thread::yield_now();
        };
        assert!(now.elapsed > 9.0, "{now:?}");
        assert_eq!((now.of, now.generation, &*now.phase), (Some(100), Some(3), LiveStatus::TRAINING));
        assert!(progress.has_time());
        ledger.finish("{}").unwrap();
        // A write after the end fails silently, and a run of more than its budget ends.
        LiveStatusWriter::new(&ledger, 1000.0, Some(1000.0)).look(&progress);
        assert!(!progress.has_time());
        assert_eq!(store.live_status(run).unwrap(), None);
        drop(store);
        std::fs::remove_file(file).unwrap();
    }
}
