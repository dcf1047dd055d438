//! The program: all commands, over the registered games.

#[cfg(target_arch = "x86_64")]
mod processor;

use std::process::ExitCode;

/// Version, commit and target.
const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("PALESTRA_COMMIT"), ", ", env!("PALESTRA_TARGET"), ")");

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    if let Some(code) = processor::check_support() {
        return code;
    }
    run()
}

/// A function of its own, so that nothing of it is done before the processor was looked at.
#[inline(never)]
fn run() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    processor::exec_newer_build();
    palestra_cli::main(&palestra_registry::GAMES, VERSION)
}
