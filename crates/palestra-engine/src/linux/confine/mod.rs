//! Confinement by the kernel: Landlock for files and signals, seccomp for system calls, and almost no capabilities for
//! engines started by root. All three hold for a thread and for what it starts from then on, so the supervisor confines
//! the one thread that starts the engine and stays unconfined itself.

mod calls;
mod files;
mod numbers;
mod privileges;

use crate::confine::{Confinement, MissingProtection};
use std::path::Path;

/// The protections that this kernel lacks.
pub(crate) fn missing() -> Vec<MissingProtection> {
    let mut missing = files::missing();
    missing.extend(calls::missing());
    missing
}

/// Confines this thread and the processes that it starts from now on. They can only write in `scratch`.
pub(super) fn apply(confinement: &Confinement, scratch: &Path) -> Result<(), String> {
    confinement.accepts(&missing())?;
    // Files first: listing the readable paths needs the rights that the next two steps remove.
    files::restrict(confinement, scratch)?;
    privileges::drop_all()?;
    calls::restrict()
}
