//! Cache of rendered pages: any number of viewers of one version of a page costs one rendering.

use crate::http_error::HttpError;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Limit on the bytes of all cached pages.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Limit on the entries, including those whose page could not be rendered.
const MAX_PAGES: usize = 2000;

/// Pages by key; the least recently used ones are evicted.
#[derive(Default)]
pub(crate) struct PageCache {
    slots: Mutex<BTreeMap<String, Arc<CachedPage>>>,
    /// Counts requests: the time stamp of [`CachedPage::used`].
    clock: AtomicU64,
    /// Pages rendered, and pages served from the cache.
    pub(crate) misses: AtomicU64,
    pub(crate) hits: AtomicU64,
}

#[derive(Default)]
struct CachedPage {
    /// Version and page. Locked during rendering, so that a page is rendered once.
    page: tokio::sync::Mutex<Option<(u64, Bytes)>>,
    used: AtomicU64,
    n_bytes: AtomicUsize,
}

impl PageCache {
    /// The page of a key in a version, rendered by `make` where it is not cached.
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
            Err(error) => {
                drop(page);
                // A request for a page that does not exist leaves an empty entry, which must count as well.
                self.evict();
                return Err(error);
            }
        };
        self.misses.fetch_add(1, Ordering::Relaxed);
        slot.n_bytes.store(bytes.len(), Ordering::Relaxed);
        *page = Some((version, bytes.clone()));
        drop(page);
        self.evict();
        Ok(bytes)
    }

    /// Removes the least recently used pages until the rest is within the limits.
    fn evict(&self) {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        let mut total: usize = slots.values().map(|slot| slot.n_bytes.load(Ordering::Relaxed)).sum();
        while total > MAX_BYTES || slots.len() > MAX_PAGES {
            let oldest = slots.iter().min_by_key(|(_, slot)| slot.used.load(Ordering::Relaxed));
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            total -= slots.remove(&key).map_or(0, |slot| slot.n_bytes.load(Ordering::Relaxed));
        }
    }
}
