//! The opponents of a game: a ladder of strengths, named players, and champions of the store.
//!
//! Other players are refused: a visitor could write one whose search takes too long.

use crate::app::App;
use crate::http_error::HttpError;
use palestra_arena::{AnyGame, PlayerKind, PlayerSpec};
use palestra_core::{InputError, named_players, nearest_name};

/// Limit on the positions that an opponent searches per move, by a rough estimate.
const MAX_POSITIONS: f64 = 3e6;
/// The search of a player whose own search would take too long.
const QUICK_SEARCH: &str = "pvs:nodes=100000";
/// Limit on the milliseconds of a search with a time limit.
const MAX_TIME: f64 = 2000.0;
/// Limit on the megabytes of a search.
const MAX_MEMORY: f64 = 256.0;

/// An opponent.
#[derive(Clone, Debug)]
pub(super) struct OpponentOption {
    /// Its value of the query parameter `opponent`: `level-3`, `grid-5`, `@ana`.
    pub(super) key: String,
    /// The player string.
    pub(super) player: String,
    /// Description of a named player, or the game of a champion; empty for a level of the ladder.
    pub(super) about: String,
}

/// The opponents of a game, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct OpponentList {
    /// The ladder, from the weakest to the strongest.
    pub(super) levels: Vec<OpponentOption>,
    pub(super) named: Vec<OpponentOption>,
    pub(super) champions: Vec<OpponentOption>,
}

impl OpponentList {
    /// The opponents of a game; reads the store, so it must run on a blocking thread.
    pub(super) fn of(app: &App, game: &dyn AnyGame) -> Result<OpponentList, HttpError> {
        let ladder = game.ladder().into_iter().enumerate();
        let levels = ladder
            .map(|(i, player)| OpponentOption { key: format!("level-{i}"), player, about: String::new() })
            .collect();
        let n_moves = game.session(None, "")?.legal().len();
        let named = named_players(game.family().players).filter_map(|named| {
            let spec = game.player(named.name).ok()?;
            let player = quick(&spec.kind, n_moves)?;
            Some(OpponentOption { key: named.name.to_owned(), player, about: named.about.to_owned() })
        });
        let named = named.collect();
        let family = game.family().name;
        let champions = app.stores.read_blocking(|store| Ok(store.champions()?))?.unwrap_or_default();
        let same = |text: &str| app.config.catalog.family(text).is_ok_and(|info| info.name == family);
        let champions =
            champions.into_iter().filter(|champion| same(&champion.game)).filter_map(|champion| {
                let spec = game.player(&champion.player).ok()?;
                let player = quick(&spec.kind, n_moves)?;
                Some(OpponentOption { key: format!("@{}", champion.name), player, about: champion.game })
            });
        Ok(OpponentList { levels, named, champions: champions.collect() })
    }

    /// All opponents.
    pub(super) fn all(&self) -> impl Iterator<Item = &OpponentOption> {
        self.levels.iter().chain(&self.named).chain(&self.champions)
    }

    /// The opponent by default: the middle of the ladder.
    pub(super) fn default_key(&self) -> String {
        format!("level-{}", self.levels.len() / 2)
    }

    /// The opponent with a key.
    pub(super) fn find(&self, key: &str) -> Result<&OpponentOption, InputError> {
        self.all().find(|opponent| opponent.key == key).ok_or_else(|| {
            let nearest = nearest_name(key, self.all().map(|one| one.key.as_str()));
            let last = self.levels.len().saturating_sub(1);
            let expected =
                format!("an opponent: level-0 to level-{last}, a named player, or @NAME of a champion");
            InputError::new("opponent", key, expected).with_nearest(nearest)
        })
    }
}

/// A player with other weights.
pub(super) fn reweighted(
    game: &dyn AnyGame,
    player: &PlayerSpec,
    weights: &str,
) -> Result<PlayerSpec, InputError> {
    let text = player.kind.to_string();
    match (player.weights(), text.rsplit_once('/')) {
        (Some(_), Some((before, _))) => game.player(&format!("{before}/{weights}")),
        _ => {
            let reason = format!("this opponent has no weights to replace by {weights:?}");
            Err(InputError::not_allowed("weights", reason))
        }
    }
}

/// The player itself where its search is quick enough, else its evaluation with [`QUICK_SEARCH`]; `None` for `perfect`.
fn quick(kind: &PlayerKind, n_moves: usize) -> Option<String> {
    match kind {
        PlayerKind::Policy(name) => Some(name.clone()),
        PlayerKind::Perfect { .. } => None,
        PlayerKind::Search { search, .. } => {
            let (text, search) = (kind.to_string(), search.to_string());
            if is_quick(&search, n_moves) {
                return Some(text);
            }
            Some(format!("{QUICK_SEARCH}{}", text.strip_prefix(&search)?))
        }
    }
}

/// Whether a search is quick enough on a board with `n_moves` moves at the start.
fn is_quick(search: &str, n_moves: usize) -> bool {
    let (name, parameters) = search.split_once(':').unwrap_or((search, ""));
    let value = |key: &str| {
        let pairs = parameters.split(',').filter_map(|pair| pair.split_once('='));
        pairs.filter(|(known, _)| *known == key).find_map(|(_, value)| value.parse::<f64>().ok())
    };
    let breadth = n_moves.max(2) as f64;
    let positions = match name {
        "greedy" => breadth,
        "minimax" => breadth.powf(value("depth").unwrap_or(f64::MAX)),
        "alphabeta" => breadth.powf(0.75 * value("depth").unwrap_or(f64::MAX)),
        "pvs" => match (value("nodes"), value("depth")) {
            (Some(nodes), _) => nodes,
            (None, Some(depth)) => breadth.powf(0.6 * depth),
            (None, None) => 1e6,
        },
        "adaptive" if value("height").is_none() => breadth.powf(value("k").unwrap_or(f64::MAX)),
        "beam" => value("width").unwrap_or(f64::MAX).powf(value("depth").unwrap_or(f64::MAX)) * breadth,
        "mcts" => value("playouts").unwrap_or(10_000.0) * 100.0,
        _ => f64::MAX,
    };
    let is_short = value("time").map_or(positions <= MAX_POSITIONS, |time| time <= MAX_TIME);
    is_short && value("memory").is_none_or(|memory| memory <= MAX_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_searches_are_recognized() {
        let quick =
            ["greedy", "minimax:depth=4", "alphabeta:depth=7", "pvs:nodes=1000000", "mcts", "pvs:time=500"];
        let slow = [
            "minimax",
            "minimax:depth=9",
            "alphabeta:depth=20",
            "pvs:depth=30",
            "pvs:time=60000",
            "pvs:memory=9000",
        ];
        for search in quick {
            assert!(is_quick(search, 7), "{search}");
        }
        for search in slow {
            assert!(!is_quick(search, 7), "{search}");
        }
        assert!(!is_quick("minimax:depth=4", 700));
    }

    #[test]
    fn a_slow_player_gets_a_quicker_search() {
        let game = palestra_registry::GAMES.open("connect4").unwrap();
        let check = |player: &str, expected: Option<&str>| {
            let spec = game.player(player).unwrap();
            assert_eq!(quick(&spec.kind, 7).as_deref(), expected);
        };
        check("minimax:depth=30/threes/4,4,1,2", Some("pvs:nodes=100000/threes/4,4,1,2"));
        check("greedy/threes/4,4,1,2", Some("greedy/threes/4,4,1,2"));
        check("perfect", None);
        check("random", Some("random"));
    }
}
