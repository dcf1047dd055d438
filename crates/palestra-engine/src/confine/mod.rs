//! What a player may not do: read what is hidden, write outside its scratch folder, speak to the network, leave its
//! group, signal others.
//!
//! Linux enforces all of it in the kernel: Landlock for files and signals, seccomp for calls, an empty set of
//! capabilities for players started by root. All three hold for a thread and for what it starts from then on, so the
//! warden confines the one thread that starts the player and stays free itself.

mod calls;
mod files;
mod numbers;
mod privileges;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};

/// What a player is kept from, beyond what every confined player is kept from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Confinement {
    /// Files and folders that it cannot read: the store, the folders of other players. They need not exist yet.
    pub hidden: Vec<PathBuf>,
    /// Files and folders that it can read although they lie in a hidden folder: its own.
    pub shown: Vec<PathBuf>,
    /// Whether it is started even where the kernel lacks a part; what the kernel has is used.
    pub accept_missing: bool,
}

/// A part of the confinement that this machine cannot give.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Missing {
    /// What is missing.
    pub part: String,
    /// What a player could do without it.
    pub risk: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.risk)
    }
}

impl Confinement {
    /// What this machine lacks; nothing where confinement is whole.
    #[must_use]
    pub fn missing() -> Vec<Missing> {
        let mut missing = files::missing();
        missing.extend(calls::missing());
        missing
    }

    /// Confines this thread, and whatever it starts from now on. It may write in `scratch` alone.
    pub(crate) fn apply(&self, scratch: &Path) -> Result<(), String> {
        let missing = Confinement::missing();
        if let (false, Some(first)) = (self.accept_missing, missing.first()) {
            return Err(format!("this machine cannot confine a player ({first})"));
        }
        // Files first: listing what may be read needs the rights that go next.
        files::restrict(self, scratch)?;
        privileges::drop_all()?;
        calls::restrict()
    }
}
