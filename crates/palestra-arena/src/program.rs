//! The name of the program, for the commands that messages suggest.

use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// The name of Palestra's own program.
const PALESTRA: &str = "palestra";

/// Sets the name of a program with games of its own; only the first call has an effect. A name that begins with
/// `palestra` is a build of Palestra's own program, whose commands are those of the docs.
pub fn set_program_name(name: &str) {
    let _ = NAME.set(if name.is_empty() || name.starts_with(PALESTRA) { PALESTRA } else { name }.to_owned());
}

/// The name by which the program is called in messages: `palestra` unless another one was set.
#[must_use]
pub fn program_name() -> &'static str {
    NAME.get().map_or(PALESTRA, String::as_str)
}
