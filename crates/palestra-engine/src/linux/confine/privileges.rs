//! What root can do beyond others: capabilities.

use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, capability_is_in_bounding_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// Root's one right that a player keeps: to read what other users own, since a course's folders belong to its
/// students. Where it may read at all is for Landlock to say.
const KEPT: CapabilitySet = CapabilitySet::DAC_READ_SEARCH;

/// Takes root's rights from this thread, and from every program that it starts. Others have none to lose.
pub(super) fn drop_all() -> Result<(), String> {
    let said = |error| format!("capabilities: {error}");
    let own = capabilities(None).map_err(said)?;
    if own.permitted.is_empty() {
        return Ok(());
    }
    if own.effective.contains(CapabilitySet::SETPCAP) {
        for capability in (0..64).map(|bit| CapabilitySet::from_bits_retain(1 << bit)) {
            // The kernel knows fewer than 64 of them and says so.
            if capability != KEPT && capability_is_in_bounding_set(capability).unwrap_or(false) {
                remove_capability_from_bounding_set(capability).map_err(said)?;
            }
        }
    }
    let left = CapabilitySets {
        effective: own.effective & KEPT,
        permitted: own.permitted & KEPT,
        inheritable: CapabilitySet::empty(),
    };
    set_capabilities(None, left).map_err(said)
}
