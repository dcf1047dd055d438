//! Plan files as typed structs: TOML read through serde, with errors that name line, column and the nearest known key.
//!
//! [`Document::parse`] keeps the place of every key and value, [`Document::set`] merges the values of `--set`, and
//! [`Document::read`] fills any struct that derives `Deserialize`.
//! A value that fails later, when names are resolved, is read as [`Placed`], which makes the error with its place.
//!
//! ```
//! use palestra_settings::{Count, Document, Placed, whole};
//! use serde::Deserialize;
//!
//! /// The file. `deny_unknown_fields` makes a mistyped key an error; `default` makes keys optional.
//! #[derive(Deserialize)]
//! #[serde(deny_unknown_fields)]
//! struct PlanFile {
//!     player: Placed<String>,
//!     #[serde(default, deserialize_with = "whole::<0, 1000, _, _>")]
//!     opening_plies: u32,
//!     #[serde(default)]
//!     objective: Objective,
//!     games: Option<Count>,
//! }
//!
//! /// `objective = "league"`, or a section `[objective]` with the key `name`. A name with spaces is for messages.
//! #[derive(Deserialize, PartialEq, Debug, Default)]
//! #[serde(rename = "an objective", rename_all = "lowercase", deny_unknown_fields)]
//! enum Objective {
//!     #[default]
//!     League,
//!     Gauntlet { opponents: Vec<Placed<String>> },
//! }
//!
//! let text = "player = \"gready\"\ngames = \"100k\"\n\n[objective]\nname = \"gauntlet\"\nopponents = [\"random\"]\n";
//! let mut document = Document::parse(text, "plan.toml")?;
//! document.set("opening_plies", "6")?;
//! let plan: PlanFile = document.read()?;
//! assert_eq!((plan.opening_plies, plan.games), (6, Some(Count(100_000))));
//! let Objective::Gauntlet { opponents } = &plan.objective else { panic!() };
//! assert_eq!(&*opponents[0], "random");
//!
//! let unknown = plan.player.invalid("a player").with_nearest(Some("greedy"));
//! assert_eq!(
//!     unknown.to_string(),
//!     "invalid value \"gready\" for player in plan.toml (line 1, column 10): expected a player; did you mean \"greedy\"?"
//! );
//! let wrong = Document::parse("player = \"x\"\nopening_plys = 3\n", "plan.toml")?.read::<PlanFile>();
//! assert_eq!(
//!     wrong.err().map(|bad| bad.to_string()).as_deref(),
//!     Some(
//!         "invalid key \"opening_plys\" in plan.toml (line 2, column 1): expected one of player, opening_plies, \
//!          objective, games; did you mean \"opening_plies\"?"
//!     )
//! );
//! # Ok::<(), palestra_core::InputError>(())
//! ```

mod document;
mod error;
mod location_index;
mod old_keys;
mod place;
mod reader;
#[cfg(test)]
mod tests;
mod values;

pub use document::Document;
pub use error::{ReadError, refuse};
pub use old_keys::{KeyRename, old_spelling};
pub use place::{Place, Placed, SourceLocation};
pub use values::{
    Count, Finite, FromNumber, OneOrMany, Parsed, Seconds, TextOrNumber, Whole, Within, count, number,
    one_or_many, pairs, parse_count, parse_seconds, parsed, seconds, whole, within,
};
