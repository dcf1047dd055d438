//! The store: one SQLite file with all runs, plans, players, generations and games.
//!
//! A [`Store`] lists, finds, creates and deletes runs. The process that works on a run opens its [`RunLedger`] and asks
//! it for every batch of games before it plays that batch. A run that was interrupted at any instant is therefore
//! resumed where it was and ends with the same results as one that was not.
//!
//! The store knows no game, player or method: it keeps plain data, such as the arena's records of games. Several processes can use one store at a time; a
//! lock file gives each run to one of them.
//!
//! A run that plays one batch, ends, and is found again by its plan:
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
//!     old_plan: None,
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
#![allow(clippy::disallowed_methods, reason = "a store is a file and records the time of changes")]

mod archive;
mod checksum;
mod claim;
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
mod thinning;
mod upkeep;

pub use archive::{ArchivedContent, ArchivedFile, FileSource, ProgramFile};
pub use blake3::hash;
pub use error::{ForeignFile, Result, StoreError};
pub use event::EVENT;
pub use export::{ExportFormat, ExportOptions};
pub use ledger::RunLedger;
pub use names::is_name;
pub use records::{
    Candidate, Champion, ContentKey, EventFilter, EventGame, EventPlace, GameDetails, NewRun, Run, RunId,
    RunState, RunSummary, StoredGame, StoredGeneration, StoredHallEntry, StoredStatus,
};
pub use store::Store;
pub use thinning::{generation_step, keeps_generation};
pub use upkeep::{Compaction, DamagedEntries};

/// The key by which a run is found again: the hash of its plan and of the version of the program that plays it.
#[must_use]
pub fn plan_key(plan: &str, version: &str) -> String {
    hash_of(&[version, plan])
}

/// The identity of a player: the hash of the game family and of the canonical player string.
#[must_use]
pub fn player_hash(family: &str, player: &str) -> String {
    hash_of(&[family, player])
}

/// The hash of several texts. Each is preceded by its length, so that two different lists cannot give the same bytes.
fn hash_of(texts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}
