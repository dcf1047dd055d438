//! What a player may not do: read what is hidden, write outside its scratch folder, speak to the network, leave its
//! group, signal others.
//!
//! Linux enforces all of it in the kernel; elsewhere nothing does, and [`Confinement::missing`] says so.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

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
pub struct MissingProtection {
    /// What is missing.
    pub part: String,
    /// What a player could do without it.
    pub risk: String,
}

impl fmt::Display for MissingProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.risk)
    }
}

impl Confinement {
    /// What this machine lacks; nothing where confinement is whole.
    #[must_use]
    pub fn missing() -> Vec<MissingProtection> {
        crate::system::missing()
    }

    /// Whether a player may be started where so much is missing; otherwise why not.
    pub(crate) fn accepts(&self, missing: &[MissingProtection]) -> Result<(), String> {
        match missing.first() {
            Some(first) if !self.accept_missing => {
                Err(format!("this machine cannot confine a player ({first})"))
            }
            _ => Ok(()),
        }
    }
}
