//! Cache of event summaries: all pages of an event in one version share one summary.

use super::summary::EventSummary;
use crate::change_poller::TopicVersion;
use crate::http_error::HttpError;
use palestra_arena::{Catalog, GameRecord};
use palestra_review::event::EventReview;
use palestra_review::{ReviewError, event};
use palestra_store::{Run, RunId, Store};
use palestra_tournament::GameKey;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Limit on the events in the cache.
const MAX_EVENTS: usize = 8;

/// Number of games that are read with one query.
const CHUNK: usize = 10_000;

/// While an event runs, a summary is used for ten times as long as it took to make: making summaries takes at most
/// about 1/10 of the time, and the page may be that much behind.
const AGE_FACTOR: u32 = 10;

/// A summary that takes less time than this is always made again.
const QUICK: Duration = Duration::from_millis(50);
/// Limit on the age of a summary of a running event.
const MAX_AGE: Duration = Duration::from_secs(15);

/// Summaries by event; the least recently used ones are evicted.
#[derive(Default)]
pub(crate) struct EventCache {
    slots: Mutex<BTreeMap<RunId, Arc<CachedEvent>>>,
    clock: AtomicU64,
    /// Number of summaries made, for tests.
    pub(super) n_summaries: AtomicU64,
}

#[derive(Default)]
struct CachedEvent {
    used: AtomicU64,
    /// Locked while the event is read and summarized, so that this is done once.
    kept: Mutex<EventRecords>,
}

/// The games of an event that were read, and its last summary.
#[derive(Default)]
struct EventRecords {
    /// Creation time of the event: after a deletion another event may get the same number.
    created: String,
    /// Number of the last game that was read.
    last: Option<i64>,
    /// Records of all games read so far; empty once the event is over.
    records: BTreeMap<GameKey, Arc<GameRecord>>,
    summary: Option<CachedSummary>,
}

struct CachedSummary {
    version: u64,
    event: Arc<EventSummary>,
    /// When it was made, and the time that took.
    at: Instant,
    took: Duration,
}

impl EventCache {
    /// The summary of an event in a version; games that were not read yet are read from `store`.
    pub(super) fn get(
        &self,
        store: &Store,
        id: RunId,
        version: TopicVersion,
        catalog: &'static Catalog,
    ) -> Result<Arc<EventSummary>, HttpError> {
        let slot = self.slot(id);
        let mut kept = slot.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cached) = &kept.summary {
            let max_age = cached.took.saturating_mul(AGE_FACTOR).min(MAX_AGE);
            let is_young = cached.took > QUICK && cached.at.elapsed() < max_age;
            if cached.version == version.number || (version.may_change && is_young) {
                return Ok(Arc::clone(&cached.event));
            }
        }
        let began = Instant::now();
        // The run is read before its games, so the games may be newer than the run, but never older.
        let run = store.run_by_id(id)?;
        if kept.created != run.created || (kept.records.len() as u64) > run.n_games {
            *kept = EventRecords { created: run.created.clone(), ..EventRecords::default() };
        }
        kept.read(store, id)?;
        let event = Arc::new(summarize(run, &kept.records, catalog)?);
        self.n_summaries.fetch_add(1, Ordering::Relaxed);
        if !version.may_change {
            (kept.last, kept.records) = (None, BTreeMap::new());
        }
        let at = Instant::now();
        kept.summary =
            Some(CachedSummary { version: version.number, event: Arc::clone(&event), at, took: at - began });
        Ok(event)
    }

    fn slot(&self, id: RunId) -> Arc<CachedEvent> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = Arc::clone(slots.entry(id).or_default());
        slot.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        while slots.len() > MAX_EVENTS {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.used.load(Ordering::Relaxed));
            let Some(&oldest) = oldest.map(|(id, _)| id) else { break };
            slots.remove(&oldest);
        }
        slot
    }
}

impl EventRecords {
    /// Reads the games that are new in the store.
    fn read(&mut self, store: &Store, id: RunId) -> Result<(), HttpError> {
        loop {
            let games = store.event_games_since(id, self.last.unwrap_or(i64::MIN), CHUNK)?;
            let Some(last) = games.last() else { return Ok(()) };
            self.last = Some(last.id);
            self.records
                .extend(games.iter().map(|game| (GameKey(game.key), Arc::new(game.game.record.clone()))));
        }
    }
}

fn summarize(
    run: Run,
    records: &BTreeMap<GameKey, Arc<GameRecord>>,
    catalog: &'static Catalog,
) -> Result<EventSummary, HttpError> {
    let review = review(EventReview::with_records(run, records, catalog))?;
    let reasons = review.report().map(|event| event::end_reasons(&event)).unwrap_or_default();
    Ok(EventSummary::new(review, reasons))
}

/// A review, or the error of reading it.
pub(super) fn review(read: Result<EventReview, ReviewError>) -> Result<EventReview, HttpError> {
    read.map_err(|error| match error {
        ReviewError::Store(error) => error.into(),
        // A plan that this version cannot read, which a viewer cannot correct.
        ReviewError::Bad(_) | ReviewError::Failed(_) => HttpError::internal_error(),
    })
}
