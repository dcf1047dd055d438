//! The program: all commands, over the registered games.

use std::process::ExitCode;

/// Version, commit and target.
const VERSION: &str =
    concat!(env!("CARGO_PKG_VERSION"), " (", env!("PALESTRA_COMMIT"), ", ", env!("PALESTRA_TARGET"), ")");

fn main() -> ExitCode {
    palestra_cli::main(&palestra_registry::GAMES, VERSION)
}
