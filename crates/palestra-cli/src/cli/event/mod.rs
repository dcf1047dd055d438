//! An event as text. All functions here turn data into text.

mod crosstable;
#[cfg(test)]
mod fake;
mod live;
mod player;
mod table;
#[cfg(test)]
mod tests;

pub(super) use crosstable::{crosstable, superiority};
pub(super) use live::{LiveStandings, live_standings};
pub(super) use palestra_review::event::{event_json as summary, gradebook};
pub(super) use player::{PlayerPageDetail, player_page, stderr_tail};
pub(super) use table::{TerminalStyle, final_table, game_list};

use crate::games;
use palestra_review::event::{
    Audience, EventReport, StageStandings, end_reasons, evidence, failures, groups, has_groups, n_forfeits,
    result, score_of, sentences, text,
};
use palestra_store::EventGame;
use serde_json::Value;

/// A game as one line of JSON.
pub(super) fn game_line(event: &str, game: &EventGame) -> Value {
    palestra_review::event::game_json(event, game, games(), Audience::Staff)
}

/// A game as text in the style of PGN.
pub(super) fn game_text(event: &str, game: &EventGame) -> String {
    palestra_review::event::game_text(event, game, games())
}
