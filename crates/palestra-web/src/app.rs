//! The site as a value, and the state that its requests share.

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

/// State that all requests share.
pub struct AppState {
    pub(crate) config: Config,
    /// Connections to the store.
    pub(crate) stores: StorePool,
    /// Viewers by topic, and the last version of each topic.
    pub(crate) poller: ChangePoller,
    /// Rendered pages.
    pub(crate) pages: PageCache,
    /// Summaries of events that were requested.
    pub(crate) events: EventCache,
    /// Processes of the runs and events that were started from the page.
    pub(crate) processes: RunProcesses,
    pub(crate) guard: guard::Guard,
    /// Cancelled when the server stops: ends the event streams.
    pub(crate) closing: CancellationToken,
    /// Searches that run at the same time; the queue for them is in the guard.
    search_permits: Semaphore,
}

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

impl App {
    /// Makes the site; opens neither a socket nor the store.
    pub fn new(config: Config) -> App {
        crate::translation::add_games(config.catalog);
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

    /// All routes, behind the checks of requests: rate, token, origin, size and time.
    pub fn router(&self) -> Router {
        let routes = Router::new().merge(pages::routes()).merge(live::routes()).merge(assets::routes());
        guard::around(routes, self).with_state(self.clone())
    }

    /// Ends streams and the processes of runs and events; finished games are kept.
    pub async fn close(&self) {
        self.closing.cancel();
        self.processes.stop_all().await;
    }

    /// Runs a job on a blocking thread, at most [`ServerLimits::concurrent_searches`] at a time.
    ///
    /// Fails with 503 where the queue is full.
    ///
    /// [`ServerLimits::concurrent_searches`]: crate::ServerLimits::concurrent_searches
    pub(crate) async fn run_with_permit<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let _queued = self.guard.search_permit().ok_or_else(HttpError::busy)?;
        let _running = self.search_permits.acquire().await.map_err(|_| HttpError::busy())?;
        tokio::task::spawn_blocking(job).await.map_err(|_| HttpError::internal_error())?
    }
}
