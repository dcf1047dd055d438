//! What the kernel enforces: Landlock for files and signals, seccomp for calls, an empty set of capabilities for players
//! started by root. All three hold for a thread and for what it starts from then on, so the warden confines the one
//! thread that starts the player and stays free itself.

mod calls;
mod files;
mod numbers;
mod privileges;

use crate::confine::{Confinement, MissingProtection};
use std::path::Path;

/// What this kernel lacks.
pub(crate) fn missing() -> Vec<MissingProtection> {
    let mut missing = files::missing();
    missing.extend(calls::missing());
    missing
}

/// Confines this thread, and whatever it starts from now on. It may write in `scratch` alone.
pub(super) fn apply(confinement: &Confinement, scratch: &Path) -> Result<(), String> {
    confinement.accepts(&missing())?;
    // Files first: listing what may be read needs the rights that go next.
    files::restrict(confinement, scratch)?;
    privileges::drop_all()?;
    calls::restrict()
}
