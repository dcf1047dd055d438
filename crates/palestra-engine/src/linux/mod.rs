//! Engines on Linux: confined by the kernel and watched by a supervisor.

mod confine;
mod machine;
mod process;

pub(crate) use confine::missing;
pub use machine::{
    ask_to_stop, cpu_seconds, cpu_seconds_of_children, machine_memory, separate_process_group,
};
pub use process::{Process, run_supervisor};
