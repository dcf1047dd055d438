//! Events that somebody looked at, folded already: all pages of an event in one version share the work.

use super::summary::EventSummary;
use crate::change_poller::TopicVersion;
use crate::http_error::HttpError;
use palestra_arena::Catalog;
use palestra_review::event::{EventReview, record_of};
use palestra_review::{ReviewError, event};
use palestra_store::{Run, RunId, Store};
use palestra_tournament::{GameKey, GameRecord};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Events that are kept.
const MOST: usize = 8;

/// Games that are read at a time.
const CHUNK: usize = 10_000;

/// While an event runs, folding it takes at most one part in so many of the time: its page may be that much behind.
const SHARE: u32 = 10;

/// What folds within this time is always folded again.
const QUICK: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(15);

/// Events by their numbers.
#[derive(Default)]
pub(crate) struct EventCache {
    slots: Mutex<BTreeMap<RunId, Arc<CachedEvent>>>,
    clock: AtomicU64,
    /// How often games were folded.
    pub(super) n_summaries: AtomicU64,
}

#[derive(Default)]
struct CachedEvent {
    used: AtomicU64,
    /// Held while the event is read and folded, so that this is done once.
    kept: Mutex<EventRecords>,
}

/// What is kept of an event.
#[derive(Default)]
struct EventRecords {
    /// When the event was made: another event may get the same number.
    created: String,
    /// The last game that was read.
    last: Option<i64>,
    /// What standings need of all games read so far, as long as more may come.
    records: BTreeMap<GameKey, GameRecord>,
    folded: Option<CachedSummary>,
}

struct CachedSummary {
    version: u64,
    event: Arc<EventSummary>,
    at: Instant,
    took: Duration,
}

impl EventCache {
    /// An event as it is in a version; `store` is asked for games that were not read yet.
    pub(super) fn get(
        &self,
        store: &Store,
        id: RunId,
        version: TopicVersion,
        catalog: &'static Catalog,
    ) -> Result<Arc<EventSummary>, HttpError> {
        let slot = self.slot(id);
        let mut kept = slot.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fold) = &kept.folded {
            let is_young =
                fold.took > QUICK && fold.at.elapsed() < fold.took.saturating_mul(SHARE).min(LONGEST);
            if fold.version == version.number || (version.may_change && is_young) {
                return Ok(Arc::clone(&fold.event));
            }
        }
        let began = Instant::now();
        // Before its games, which may then be newer, but never older.
        let run = store.run_by_id(id)?;
        if kept.created != run.created || (kept.records.len() as u64) > run.n_games {
            *kept = EventRecords { created: run.created.clone(), ..EventRecords::default() };
        }
        kept.read(store, id)?;
        let event = Arc::new(fold(run, &kept.records, catalog)?);
        self.n_summaries.fetch_add(1, Ordering::Relaxed);
        if !version.may_change {
            (kept.last, kept.records) = (None, BTreeMap::new());
        }
        let at = Instant::now();
        kept.folded =
            Some(CachedSummary { version: version.number, event: Arc::clone(&event), at, took: at - began });
        Ok(event)
    }

    fn slot(&self, id: RunId) -> Arc<CachedEvent> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(slots.entry(id).or_default());
        slot.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        while slots.len() > MOST {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.used.load(Ordering::Relaxed));
            let Some(&oldest) = oldest.map(|(id, _)| id) else { break };
            slots.remove(&oldest);
        }
        slot
    }
}

impl EventRecords {
    /// Reads the games that came in since.
    fn read(&mut self, store: &Store, id: RunId) -> Result<(), HttpError> {
        loop {
            let games = store.event_games_since(id, self.last.unwrap_or(i64::MIN), CHUNK)?;
            let Some(last) = games.last() else { return Ok(()) };
            self.last = Some(last.id);
            self.records.extend(games.iter().map(|game| (GameKey(game.key), record_of(game))));
        }
    }
}

fn fold(
    run: Run,
    records: &BTreeMap<GameKey, GameRecord>,
    catalog: &'static Catalog,
) -> Result<EventSummary, HttpError> {
    let review = EventReview::with_records(run, records, catalog).map_err(|error| match error {
        ReviewError::Store(error) => error.into(),
        // A plan that this version cannot read: nothing that the visitor could mend.
        ReviewError::Bad(_) | ReviewError::Failed(_) => HttpError::internal_error(),
    })?;
    let reasons = review.report().map(|event| event::end_reasons(&event)).unwrap_or_default();
    Ok(EventSummary::new(review, reasons))
}
