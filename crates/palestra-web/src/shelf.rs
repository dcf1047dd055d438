//! The store, shared by all requests: a few connections that only look, and one that writes.

use crate::refusal::Refusal;
use palestra_store::{Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Connections that wait for the next request.
const KEPT: usize = 8;

/// The way to the store.
#[derive(Clone)]
pub(crate) struct Shelf {
    path: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Store>>>,
}

impl Shelf {
    pub(crate) fn new(path: PathBuf) -> Shelf {
        Shelf { path: Arc::new(path), idle: Arc::default() }
    }

    /// Asks the store something, on a thread that may wait; `None` where there is no store yet.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Store) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<Option<T>, Refusal> {
        let shelf = self.clone();
        tokio::task::spawn_blocking(move || shelf.look_now(ask)).await.map_err(|_| Refusal::broken())?
    }

    /// The same from a thread that may wait already.
    pub(crate) fn look_now<T>(
        &self,
        ask: impl FnOnce(&Store) -> Result<T, Refusal>,
    ) -> Result<Option<T>, Refusal> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let store = match idle.map_or_else(|| open(&self.path), Ok) {
            Ok(store) => store,
            Err(StoreError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let answer = ask(&store);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(store);
        }
        drop(idle);
        answer.map(Some)
    }

    /// Changes the store, and makes it where there is none.
    pub(crate) async fn change<T: Send + 'static>(
        &self,
        put: impl FnOnce(&mut Store) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let path = Arc::clone(&self.path);
        let change = move || put(&mut Store::open(path.as_path())?);
        tokio::task::spawn_blocking(change).await.map_err(|_| Refusal::broken())?
    }
}

/// Opens the store to look; one that an earlier version made is brought up to date.
pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
    match Store::open_read_only(path) {
        Err(StoreError::Older { .. }) => Store::open_existing(path),
        opened => opened,
    }
}
