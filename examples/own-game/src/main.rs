//! Palestra with Breakthrough: all commands, tournaments and the page.

use std::process::ExitCode;

fn main() -> ExitCode {
    palestra::main(&own_game::GAMES)
}
