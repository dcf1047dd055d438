//! The capabilities of an engine that root starts.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, capability_is_in_bounding_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// The one capability that an engine keeps: reading files of other users, since the folders of a course belong to its
/// students. Landlock still decides which files can be read.
const KEPT: CapabilitySet = CapabilitySet::DAC_READ_SEARCH;

/// Drops the capabilities of this thread and of every program that it starts. Users other than root have none.
pub(super) fn drop_all() -> Result<(), String> {
    let context = |error| format!("capabilities: {error}");
    let own = capabilities(None).map_err(context)?;
    if own.permitted.is_empty() {
        return Ok(());
    }
    if own.effective.contains(CapabilitySet::SETPCAP) {
        for capability in (0..64).map(|bit| CapabilitySet::from_bits_retain(1 << bit)) {
            // The kernel has fewer than 64 capabilities and returns an error for the rest.
            if capability != KEPT && capability_is_in_bounding_set(capability).unwrap_or(false) {
                remove_capability_from_bounding_set(capability).map_err(context)?;
            }
        }
    }
    let left = CapabilitySets {
        effective: own.effective & KEPT,
        permitted: own.permitted & KEPT,
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, left).map_err(context)
}
