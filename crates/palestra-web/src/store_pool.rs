//! The store, shared by all requests: a few connections that only look, and one that writes.

use crate::http_error::HttpError;
use palestra_store::{Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Connections that wait for the next request.
const KEPT: usize = 8;

/// The way to the store.
#[derive(Clone)]
pub(crate) struct StorePool {
    path: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Store>>>,
}

impl StorePool {
    pub(crate) fn new(path: PathBuf) -> StorePool {
        StorePool { path: Arc::new(path), idle: Arc::default() }
    }

    /// Asks the store something, on a thread that may wait; `None` where there is no store yet.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Store) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<Option<T>, HttpError> {
        let shelf = self.clone();
        tokio::task::spawn_blocking(move || shelf.read_blocking(ask))
            .await
            .map_err(|_| HttpError::internal_error())?
    }

    /// The same from a thread that may wait already.
    pub(crate) fn read_blocking<T>(
        &self,
        ask: impl FnOnce(&Store) -> Result<T, HttpError>,
    ) -> Result<Option<T>, HttpError> {
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
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        put: impl FnOnce(&mut Store) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let path = Arc::clone(&self.path);
        let change = move || put(&mut Store::open(path.as_path())?);
        tokio::task::spawn_blocking(change).await.map_err(|_| HttpError::internal_error())?
    }
}

/// Opens the store to look; one that an earlier version made is brought up to date.
pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
    match Store::open_read_only(path) {
        Err(StoreError::Older { .. }) => Store::open_existing(path),
        opened => opened,
    }
}
