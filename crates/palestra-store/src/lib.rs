//! The store: one SQLite file with every run, plan, player, generation and game.
//!
//! A [`Store`] is opened, asked and told about runs as a whole. Whoever works on a run opens its [`RunLedger`]: a run
//! asks there for every batch of games before it plays it, so that one that was interrupted at any instant goes on
//! where it was, and ends as if nothing had happened. The store knows no game, no player and no method: all it
//! keeps is plain data.
//!
//! ```
//! use palestra_store::{NewRun, RunState, Store};
//!
//! let folder = std::env::temp_dir().join(format!("palestra-store-example-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let mut store = Store::open(folder.join("palestra.db"))?;
//! let new = NewRun {
//!     stem: "cmaes-connect4".into(),
//!     kind: "tune".into(),
//!     plan: "game = \"connect4\"\n".into(),
//!     seed: 1,
//!     version: "0.0.0".into(),
//!     weights: vec!["twos".into(), "threes".into()],
//! };
//! let (run, is_new) = store.find_or_begin_run(&new)?;
//! assert!(is_new && run.name == "cmaes-connect4-1");
//!
//! let ledger = store.ledger(run.id)?;
//! let key = *palestra_store::hash(b"all that the games depend on").as_bytes();
//! if ledger.finished(&key)?.is_none() {
//!     ledger.finish_batch(&key, b"the results".to_vec(), 200)?;
//! }
//! ledger.finish(r#"{"champion": "greedy/lines/1,2"}"#)?;
//!
//! // The same command finds the same run.
//! let (again, is_new) = store.find_or_begin_run(&new)?;
//! assert!(!is_new && again.state == RunState::Done && again.n_games == 200);
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "a store is a file, and says when things happened")]

mod claim;
mod clock;
mod error;
mod event;
mod export;
mod ledger;
mod live;
mod names;
mod open;
mod pages;
mod records;
mod results;
mod rows;
mod store;

pub use blake3::hash;
pub use error::{ForeignFile, Result, StoreError};
pub use event::EVENT;
pub use export::{ExportFormat, ExportOptions};
pub use ledger::RunLedger;
pub use records::{
    Candidate, Champion, ContentKey, EventFilter, EventGame, EventGameDetails, GameDetails, NewRun, Run,
    RunId, RunState, RunSummary, StoredGame, StoredGeneration, StoredHallEntry, StoredStatus, Winner,
};
pub use store::Store;

/// What finds a run again: the hash of its plan and of the version of the engine that plays it.
#[must_use]
pub fn plan_key(plan: &str, version: &str) -> String {
    hash_of(&[version, plan])
}

/// Who a player is: the hash of a family of games and of a player of it, as written canonically.
#[must_use]
pub fn player_hash(family: &str, player: &str) -> String {
    hash_of(&[family, player])
}

/// The hash of texts, each with its length, so that none can be taken for a part of another.
fn hash_of(texts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
