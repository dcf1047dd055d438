//! The memory that commands and the page may use.

use palestra_core::MemoryLimit;
use palestra_engine::machine_memory;

/// The memory of a machine that does not say how much it has.
const USUAL_MEMORY: u64 = 4 << 30;

/// The limit of the option `--memory`; by default half of the memory of this machine.
#[must_use]
pub fn memory_limit(asked: Option<usize>) -> MemoryLimit {
    let half = || machine_memory().unwrap_or(USUAL_MEMORY) / 2;
    MemoryLimit { bytes: asked.map_or_else(half, |bytes| bytes as u64) }
}
