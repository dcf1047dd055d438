//! The site as a value.

use crate::cache::Cache;
use crate::config::Config;
use crate::pages::event::EventShelf;
use crate::pulse::Pulse;
use crate::refusal::Refusal;
use crate::shelf::Shelf;
use crate::work::Work;
use crate::{assets, guard, live, pages};
use axum::Router;
use std::ops::Deref;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The whole site; clones are the same site.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What all requests share.
pub struct Parts {
    pub(crate) config: Config,
    /// The store.
    pub(crate) shelf: Shelf,
    /// Who looks at what, and whether it changed.
    pub(crate) pulse: Pulse,
    /// Pages that were made already.
    pub(crate) pages: Cache,
    /// Events that somebody looked at.
    pub(crate) events: EventShelf,
    /// Runs and events that were started here.
    pub(crate) work: Work,
    pub(crate) guard: guard::Guard,
    /// Ends streams when the server ends.
    pub(crate) closing: CancellationToken,
    thinkers: Semaphore,
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl App {
    /// The site of a configuration.
    pub fn new(config: Config) -> App {
        let closing = CancellationToken::new();
        App(Arc::new(Parts {
            shelf: Shelf::new(config.store.clone()),
            pulse: Pulse::new(config.store.clone(), closing.clone()),
            pages: Cache::default(),
            events: EventShelf::default(),
            work: Work::new(&config),
            guard: guard::Guard::new(&config),
            thinkers: Semaphore::new(config.limits.thinkers),
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
        self.work.stop_all().await;
    }

    /// Does something that takes a while on a thread of its own, a few at a time.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _place = self.guard.queue().ok_or_else(Refusal::busy)?;
        let _turn = self.thinkers.acquire().await.map_err(|_| Refusal::busy())?;
        tokio::task::spawn_blocking(job).await.map_err(|_| Refusal::broken())?
    }
}
