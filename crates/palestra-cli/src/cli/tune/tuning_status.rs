//! Writes the live status of a run to the store, for the web page.

use super::progress::TuningProgress;
use palestra_arena::ProgressMonitor;
use palestra_review::live::LiveStatus;
use palestra_store::RunLedger;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Milliseconds between two writes.
const PAUSE_MS: u64 = 250;

/// Advances the bar like [`TuningProgress`], and writes the status to the store a few times per second.
pub(crate) struct TuningStatusWriter<'a> {
    progress: &'a TuningProgress,
    ledger: &'a RunLedger,
    /// The constant part: phase, total games and generations, and the seconds of work before this start.
    plan: LiveStatus,
    /// Time budget in seconds.
    seconds: Option<f64>,
    since: Instant,
    /// Time of the next write, in milliseconds since `since`.
    due: AtomicU64,
}

impl<'a> TuningStatusWriter<'a> {
    pub(crate) fn new(
        progress: &'a TuningProgress,
        ledger: &'a RunLedger,
        plan: LiveStatus,
        seconds: Option<f64>,
    ) -> TuningStatusWriter<'a> {
        let due = AtomicU64::new(PAUSE_MS);
        let writer = TuningStatusWriter { progress, ledger, plan, seconds, since: Instant::now(), due };
        writer.write();
        writer
    }

    fn write(&self) {
        let is_training = self.plan.phase == LiveStatus::TRAINING;
        let done = self.progress.bar.position();
        let elapsed = self.plan.elapsed + self.since.elapsed().as_secs_f64();
        // Games that fit into the time budget at the speed so far.
        let in_time = |seconds: f64| (done as f64 * (seconds / elapsed).max(1.0)) as u64;
        let status = LiveStatus {
            done,
            of: self.plan.of.or(self.seconds.filter(|_| done > 0 && elapsed > 0.0).map(in_time)),
            elapsed,
            generation: is_training.then(|| self.progress.generation.load(Ordering::Relaxed)),
            ..self.plan.clone()
        };
        // A run does not fail because of its status: errors of the store are reported when results are stored.
        drop(self.ledger.set_live_status(status.to_json()));
    }
}

impl ProgressMonitor for TuningStatusWriter<'_> {
    fn advance(&self, n_games: u64) {
        self.progress.advance(n_games);
        let now = self.since.elapsed().as_millis() as u64;
        let due = self.due.load(Ordering::Relaxed);
        // Of all threads that find the write due, one does it.
        if now >= due
            && self.due.compare_exchange(due, now + PAUSE_MS, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            self.write();
        }
    }

    fn should_stop(&self) -> bool {
        self.progress.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_store::{NewRun, Store};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn status_is_written_but_not_for_every_game() {
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
        let progress = TuningProgress::new(Some(100), Arc::new(AtomicBool::new(false)));
        let phase = LiveStatus::TRAINING.to_owned();
        let plan = LiveStatus { of: Some(100), elapsed: 9.0, phase, ..LiveStatus::default() };
        let writer = TuningStatusWriter::new(&progress, &ledger, plan, None);
        progress.generation.store(3, Ordering::Relaxed);
        writer.due.store(u64::MAX, Ordering::Relaxed);
        writer.advance(2);
        assert_eq!(writer.due.load(Ordering::Relaxed), u64::MAX, "it is not yet time");
        writer.due.store(0, Ordering::Relaxed);
        writer.advance(2);
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
        ledger.finish("{}").unwrap();
        // A write after the end fails silently.
        writer.write();
        assert_eq!(store.live_status(run).unwrap(), None);
        drop(store);
        std::fs::remove_file(file).unwrap();
    }
}
