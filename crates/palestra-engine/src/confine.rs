//! Confinement of an engine: it cannot read hidden files, write outside its scratch folder, use the network, leave its
//! process group or signal other processes.
//!
//! The Linux kernel enforces all of it. Other systems enforce nothing, and [`Confinement::missing`] lists that.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// Settings of a confined engine, in addition to what every confined engine is kept from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Confinement {
    /// Files and folders that it cannot read even where they are in a folder that it can read: the store, the folders of
    /// other engines. They need not exist yet.
    pub hidden: Vec<PathBuf>,
    /// Files and folders that it can read besides those of the system and of interpreters: its own.
    pub shown: Vec<PathBuf>,
    /// Other paths of folders that it can read, each with the folder. They exist where the kernel grants namespaces.
    #[serde(default)]
    pub aliases: Vec<(PathBuf, PathBuf)>,
    /// Whether it is started even where the kernel lacks a protection; those that exist are used.
    pub accept_missing: bool,
    /// Whether the network is refused with an error instead of the end of the program: compilers ask for it by
    /// themselves and can do without.
    pub refuse_sockets_softly: bool,
}

/// A protection that this machine lacks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MissingProtection {
    /// Name of the protection.
    pub part: String,
    /// What an engine could do without it.
    pub risk: String,
}

impl fmt::Display for MissingProtection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.part, self.risk)
    }
}

impl Confinement {
    /// The protections that this machine lacks; empty where confinement is complete.
    #[must_use]
    pub fn missing() -> Vec<MissingProtection> {
        crate::system::missing()
    }

    /// Whether an engine may be started without the missing protections; otherwise why not.
    pub(crate) fn accepts(&self, missing: &[MissingProtection]) -> Result<(), String> {
        match missing.first() {
            Some(first) if !self.accept_missing => {
                Err(format!("this machine cannot confine an engine ({first})"))
            }
            _ => Ok(()),
        }
    }
}
