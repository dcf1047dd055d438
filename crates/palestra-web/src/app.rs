//! The site as a value.

use crate::cache::PageCache;
use crate::change_poller::ChangePoller;
use crate::config::Config;
use crate::http_error::HttpError;
use crate::pages::event::EventCache;
use crate::store_pool::StorePool;
use crate::work::RunProcesses;
use crate::{assets, guard, live, pages};
use axum::Router;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The whole site; clones are the same site.
#[derive(Clone)]
pub struct App(Arc<AppState>);

/// What all requests share.
pub struct AppState {
    pub(crate) config: Config,
    /// The store.
    pub(crate) stores: StorePool,
    /// Who looks at what, and whether it changed.
    pub(crate) poller: ChangePoller,
    /// Pages that were made already.
    pub(crate) pages: PageCache,
    /// Events that somebody looked at.
    pub(crate) events: EventCache,
    /// Runs and events that were started here.
    pub(crate) processes: RunProcesses,
    pub(crate) guard: guard::Guard,
    /// Ends streams when the server ends.
    pub(crate) closing: CancellationToken,
    search_permits: Semaphore,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    /// The site of a configuration.
    pub fn new(config: Config) -> App {
        let closing = CancellationToken::new();
        App(Arc::new(AppState {
            stores: StorePool::new(config.store.clone()),
            poller: ChangePoller::new(config.store.clone(), closing.clone()),
            pages: PageCache::default(),
            events: EventCache::default(),
            processes: RunProcesses::new(&config),
            guard: guard::Guard::new(&config),
            search_permits: Semaphore::new(config.limits.concurrent_searches),
            closing,
            config,
        }))
    }

    /// Everything that can be asked for, behind its guards.
    pub fn router(&self) -> Router {
        let routes = Router::new().merge(pages::routes()).merge(live::routes()).merge(assets::routes());
        guard::around(routes, self).with_state(self.clone())
    }

    /// Ends streams and work; what was finished is kept.
    pub async fn close(&self) {
        self.closing.cancel();
        self.processes.stop_all().await;
    }

    /// Does something that takes a while on a thread of its own, a few at a time.
    pub(crate) async fn run_with_permit<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let _place = self.guard.search_permit().ok_or_else(HttpError::busy)?;
        let _turn = self.search_permits.acquire().await.map_err(|_| HttpError::busy())?;
        tokio::task::spawn_blocking(job).await.map_err(|_| HttpError::internal_error())?
    }
}
