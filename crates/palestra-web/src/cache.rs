//! Pages that were made already: two hundred who look at the same event cost one page.

use crate::http_error::HttpError;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of pages that are kept.
const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Pages that are kept, those among them that could not be made.
const MOST_PAGES: usize = 2000;

/// Pages by what they depend on.
#[derive(Default)]
pub(crate) struct PageCache {
    slots: Mutex<BTreeMap<String, Arc<CachedPage>>>,
    clock: AtomicU64,
    /// Pages made, and pages given again.
    pub(crate) misses: AtomicU64,
    pub(crate) hits: AtomicU64,
}

#[derive(Default)]
struct CachedPage {
    /// Held while the page is made, so that it is made once.
    page: tokio::sync::Mutex<Option<(u64, Bytes)>>,
    used: AtomicU64,
    n_bytes: AtomicUsize,
}

impl PageCache {
    /// The page of a key in a version; made where it is not known.
    pub(crate) async fn page<F: Future<Output = Result<String, HttpError>>>(
        &self,
        key: String,
        version: u64,
        make: impl FnOnce() -> F,
    ) -> Result<Bytes, HttpError> {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(slots.entry(key).or_default())
        };
        slot.used.store(self.clock.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        let mut page = slot.page.lock().await;
        if let Some((known, bytes)) = &*page
            && *known == version
        {
            self.hits.fetch_add(1, Ordering::Relaxed);
            return Ok(bytes.clone());
        }
        let bytes = match make().await {
            Ok(text) => Bytes::from(text),
            Err(refusal) => {
                drop(page);
                // Whoever asks for what does not exist leaves nothing but a place, and there are only so many.
                self.forget();
                return Err(refusal);
            }
        };
        self.misses.fetch_add(1, Ordering::Relaxed);
        slot.n_bytes.store(bytes.len(), Ordering::Relaxed);
        *page = Some((version, bytes.clone()));
        drop(page);
        self.forget();
        Ok(bytes)
    }

    /// Forgets the pages that nobody asked for the longest, until the rest fits.
    fn forget(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut total: usize = slots.values().map(|slot| slot.n_bytes.load(Ordering::Relaxed)).sum();
        while total > MOST_BYTES || slots.len() > MOST_PAGES {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.used.load(Ordering::Relaxed));
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            total -= slots.remove(&key).map_or(0, |slot| slot.n_bytes.load(Ordering::Relaxed));
        }
    }
}
