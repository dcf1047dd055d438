//! The page: one server that shows the store and lets people play.
//!
//! Everything is a view of the store, read again whenever somebody looks: a page that is joined late or opened after a
//! restart shows what it would have shown anyway. Pages are made on the server and work without scripts; a stream of
//! events tells an open page when to read itself again. A game against a player is all in its address, so the server
//! remembers nobody.
//!
//! [`App`] is the whole site as a value: tests call its router without a socket, [`bind`] puts it on one.
#![allow(clippy::disallowed_methods, reason = "a server has a clock, a store and processes")]

mod app;
mod assets;
mod board;
mod cache;
mod change_poller;
mod config;
mod guard;
#[cfg(test)]
mod hostile;
mod http_error;
mod live;
mod pages;
mod server;
mod store_pool;
mod translation;
mod viewer;
mod work;
mod write_timeout;

pub use app::App;
pub use config::{Config, NeedsToken, ServerLimits};
pub use server::{BoundServer, bind};
