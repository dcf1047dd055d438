//! The web page: one server that shows a store's runs, events and games, and lets people play against the players.
//!
//! Every page is a view of the store and is read from it on each request, so a page that is opened late or after a
//! restart shows the same as one that was open all the time. Pages are rendered on the server and work without
//! scripts; a stream of events notifies an open page when to load itself again. The state of a game between a person
//! and a player is in its URL, so the server keeps no sessions. Runs and events that are started from the page are
//! separate processes ([`Config::program`]).
//!
//! [`export`] writes the same pages to files.
//!
//! [`App`] is the whole site as a value: tests call its router without a socket, and [`bind`] serves it on one. A
//! server that other machines can reach needs a token, or [`bind`] refuses it.
//!
//! ```
//! use axum::body::{Body, to_bytes};
//! use axum::http::{Request, StatusCode};
//! use palestra_registry::GAMES;
//! use palestra_web::{App, Config};
//! use tower::ServiceExt;
//!
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! # runtime.block_on(async {
//! // The store need not exist: the home page then offers a game to play.
//! let mut config = Config::new(&GAMES, std::env::temp_dir().join("palestra-web-example.db"));
//! config.limits.body_bytes = 64 * 1024;
//! assert!(config.check().is_ok(), "it listens on this machine only");
//!
//! let app = App::new(config);
//! let request = Request::builder().uri("/").header("host", "localhost").body(Body::empty())?;
//! let response = app.router().oneshot(request).await?;
//! assert_eq!(response.status(), StatusCode::OK);
//! let page = to_bytes(response.into_body(), 1 << 20).await?;
//! assert!(String::from_utf8_lossy(&page).contains("<h1>Palestra</h1>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "a server has a clock, a store and processes")]

mod app;
mod assets;
mod board;
mod cache;
mod change_poller;
mod config;
pub mod export;
mod guard;
#[cfg(test)]
mod hostile;
mod http_error;
mod live;
mod pages;
mod server;
mod store_pool;
mod translation;
mod url;
mod viewer;
mod work;
mod write_timeout;

pub use app::App;
pub use config::{Config, NeedsToken, ServerLimits};
pub use server::{BoundServer, bind};
pub use viewer::Language;
