//! Everything that a person or a script gets out of an event: data in, text out.

mod crosstable;
mod diagnosis;
mod evidence;
#[cfg(test)]
mod fake;
mod gradebook;
mod json;
mod lines;
mod live;
mod moves;
mod pgn;
mod player;
mod site;
mod table;
#[cfg(test)]
mod tests;
mod text;

pub(super) use crosstable::{crosstable, superiority};
pub(super) use gradebook::gradebook;
pub(super) use json::summary;
pub(super) use lines::game_line;
pub(super) use live::{Live, live};
pub(super) use pgn::game_text;
pub(super) use player::player_page;
pub(super) use site::write_site;
pub(super) use table::{Look, final_table, game_list};

use palestra_review::event::{Event, PAIRWISE, Stage, better, failures, n_forfeits, score_of, sentences};
