//! Tells the store how far a run is, for those who watch it in a browser.

use super::progress::TuningProgress;
use palestra_arena::ProgressMonitor;
use palestra_review::live::LiveStatus;
use palestra_store::RunLedger;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Milliseconds between two tellings.
const PAUSE: u64 = 250;

/// Moves the bar like [`TuningProgress`], and tells the store of it a few times a second.
pub(crate) struct TuningStatusWriter<'a> {
    eye: &'a TuningProgress,
    ledger: &'a RunLedger,
    /// What is known beforehand: the phase, the games and generations in all, and the seconds worked before.
    plan: LiveStatus,
    /// Seconds of work after which the run ends, where it ends by the clock.
    seconds: Option<f64>,
    since: Instant,
    /// When to tell next, in milliseconds.
    due: AtomicU64,
}

impl<'a> TuningStatusWriter<'a> {
    pub(crate) fn new(
        eye: &'a TuningProgress,
        ledger: &'a RunLedger,
        plan: LiveStatus,
        seconds: Option<f64>,
    ) -> TuningStatusWriter<'a> {
        let due = AtomicU64::new(PAUSE);
        let teller = TuningStatusWriter { eye, ledger, plan, seconds, since: Instant::now(), due };
        teller.tell();
        teller
    }

    fn tell(&self) {
        let is_training = self.plan.phase == LiveStatus::TRAINING;
        let done = self.eye.bar.position();
        let elapsed = self.plan.elapsed + self.since.elapsed().as_secs_f64();
        // As many games as fit into the time, if all goes on as it went.
        let in_time = |seconds: f64| (done as f64 * (seconds / elapsed).max(1.0)) as u64;
        let telling = LiveStatus {
            done,
            of: self.plan.of.or(self.seconds.filter(|_| done > 0 && elapsed > 0.0).map(in_time)),
            elapsed,
            generation: is_training.then(|| self.eye.generation.load(Ordering::Relaxed)),
            ..self.plan.clone()
        };
        // Whatever is wrong with the store is said when work is to be kept: a run does not fail by what it tells.
        drop(self.ledger.set_live_status(telling.to_json()));
    }
}

impl ProgressMonitor for TuningStatusWriter<'_> {
    fn advance(&self, n_games: u64) {
        self.eye.advance(n_games);
        let now = self.since.elapsed().as_millis() as u64;
        let due = self.due.load(Ordering::Relaxed);
        // Of all threads that find it is time, one tells.
        if now >= due
            && self.due.compare_exchange(due, now + PAUSE, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        {
            self.tell();
        }
    }

    fn should_stop(&self) -> bool {
        self.eye.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_store::{NewRun, Store};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_store_hears_of_progress_but_not_of_every_game() {
        let file = std::env::temp_dir().join(format!("palestra-teller-{}.db", std::process::id()));
        let mut store = Store::open(&file).unwrap();
        let words = || "tell".to_owned();
        let new = NewRun {
            stem: words(),
            kind: words(),
            plan: String::new(),
            seed: 1,
            version: words(),
            weights: vec![],
        };
        let run = store.begin_run(&new).unwrap().id;
        let ledger = store.ledger(run).unwrap();
        let eye = TuningProgress::new(Some(100), Arc::new(AtomicBool::new(false)));
        let phase = LiveStatus::TRAINING.to_owned();
        let plan = LiveStatus { of: Some(100), elapsed: 9.0, phase, ..LiveStatus::default() };
        let teller = TuningStatusWriter::new(&eye, &ledger, plan, None);
        eye.generation.store(3, Ordering::Relaxed);
        teller.due.store(u64::MAX, Ordering::Relaxed);
        teller.advance(2);
        assert_eq!(teller.due.load(Ordering::Relaxed), u64::MAX, "it is not yet time");
        teller.due.store(0, Ordering::Relaxed);
        teller.advance(2);
        let began = Instant::now();
        let now = loop {
            let told = store.live_status(run).unwrap().and_then(|live| LiveStatus::read(&live.what));
            if let Some(told) = told.filter(|told| told.done == 4) {
                break told;
            }
            assert!(began.elapsed().as_secs() < 10, "nothing was told");
            std::thread::yield_now();
        };
        assert!(now.elapsed > 9.0, "{now:?}");
        assert_eq!((now.of, now.generation, &*now.phase), (Some(100), Some(3), LiveStatus::TRAINING));
        ledger.finish("{}").unwrap();
        // Nothing can be told any more, and nobody minds.
        teller.tell();
        assert_eq!(store.live_status(run).unwrap(), None);
        drop(store);
        std::fs::remove_file(file).unwrap();
    }
}
