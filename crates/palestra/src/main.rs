//! The program `palestra`: the command line with all registered games.

#[cfg(target_arch = "x86_64")]
mod processor;

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    if let Some(code) = processor::check_support() {
        return code;
    }
    run()
}

/// A separate function that is not inlined, so that none of its code runs before the processor is checked.
#[inline(never)]
fn run() -> ExitCode {
    #[cfg(target_arch = "x86_64")]
    processor::exec_newer_build();
    palestra::main(&palestra::games::GAMES)
}
