//! Connections to the store: a pool of read-only ones, and a new one for each write.

use crate::http_error::HttpError;
use palestra_store::{Store, StoreError};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Limit on idle connections.
const MAX_IDLE: usize = 8;

/// A pool of read-only connections; clones share it.
#[derive(Clone)]
pub(crate) struct StorePool {
    path: Arc<PathBuf>,
    idle: Arc<Mutex<Vec<Store>>>,
}

impl StorePool {
    pub(crate) fn new(path: PathBuf) -> StorePool {
        StorePool { path: Arc::new(path), idle: Arc::default() }
    }

    /// Runs a query on a blocking thread; `None` where the store does not exist yet.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Store) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<Option<T>, HttpError> {
        let pool = self.clone();
        tokio::task::spawn_blocking(move || pool.read_blocking(query))
            .await
            .map_err(|_| HttpError::internal_error())?
    }

    /// The same on the present thread, which must be a blocking one.
    pub(crate) fn read_blocking<T>(
        &self,
        query: impl FnOnce(&Store) -> Result<T, HttpError>,
    ) -> Result<Option<T>, HttpError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let store = match idle.map_or_else(|| open(&self.path), Ok) {
            Ok(store) => store,
            Err(StoreError::Missing { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let answer = query(&store);
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MAX_IDLE {
            idle.push(store);
        }
        drop(idle);
        answer.map(Some)
    }

    /// Changes the store, which is created where it does not exist.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut Store) -> Result<T, HttpError> + Send + 'static,
    ) -> Result<T, HttpError> {
        let path = Arc::clone(&self.path);
        let write = move || change(&mut Store::open(path.as_path())?);
        tokio::task::spawn_blocking(write).await.map_err(|_| HttpError::internal_error())?
    }
}

/// Opens the store read-only; a store of an earlier version is migrated first.
pub(crate) fn open(path: &Path) -> Result<Store, StoreError> {
    match Store::open_read_only(path) {
        Err(StoreError::Older { .. }) => Store::open_existing(path),
        opened => opened,
    }
}
