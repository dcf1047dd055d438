//! Process numbers of its own: what a process starts after [`separate`] neither sees nor reaches other processes.

use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, UnshareFlags, capabilities, configure_capability_in_ambient_set,
    set_capabilities,
};
use std::{fs, io};

/// Gives the processes that this one starts from now on process numbers of their own, and the right to mount; returns
/// whether the kernel permits that. This process must have one thread, and can start no other from now on.
pub(crate) fn separate() -> bool {
    new_numbers().or_else(|_| as_other_user().and_then(|()| new_numbers())).is_ok()
}

fn new_numbers() -> io::Result<()> {
    unshare(UnshareFlags::NEWPID)
}

/// Gives this process namespaces of its own.
pub(super) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    #[expect(deprecated, reason = "only the flag FILES, which nothing here uses, is unsafe")]
    Ok(rustix::thread::unshare(flags)?)
}

/// Enters a user namespace, in which an ordinary user may create the other ones. The user keeps its number.
fn as_other_user() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER)?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))?;
    // Programs of a user other than root lose all capabilities when they start, except ambient ones.
    let own = capabilities(None)?;
    let inheritable = own.inheritable | CapabilitySet::SYS_ADMIN;
    set_capabilities(None, CapabilitySets { inheritable, ..own })?;
    Ok(configure_capability_in_ambient_set(CapabilitySet::SYS_ADMIN, true)?)
}
