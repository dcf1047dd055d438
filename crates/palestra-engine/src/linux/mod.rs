//! Players under Linux, where the kernel confines them and a warden watches.

mod confine;
mod process;

pub(crate) use confine::missing;
pub use process::{Process, warden};
