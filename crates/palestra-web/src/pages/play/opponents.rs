//! Who can be played against: a ladder of strengths, the players with names, the champions of the store.
//!
//! Nobody else is let in: a visitor who could write a player could also write one that thinks for a year.

use crate::app::App;
use crate::http_error::HttpError;
use palestra_arena::{AnyGame, PlayerKind, PlayerSpec};
use palestra_core::{InputError, named_players, nearest_name};

/// Positions that an opponent may look at for a move, by a rough guess.
const MOST_POSITIONS: f64 = 3e6;
/// What a champion searches with instead, where its own search would take too long.
const QUICK_SEARCH: &str = "ab:nodes=100000";
/// Milliseconds that a player with a clock may take.
const MOST_TIME: f64 = 2000.0;
/// Megabytes that a player may take.
const MOST_MEMORY: f64 = 256.0;

/// Somebody to play against.
#[derive(Clone, Debug)]
pub(super) struct OpponentOption {
    /// What stands in the address: `level-3`, `grid-5`, `@ana`.
    pub(super) key: String,
    /// The player string.
    pub(super) player: String,
    /// Where it comes from; nothing for rungs of the ladder.
    pub(super) about: String,
}

/// Everybody who can be played against, by kind.
#[derive(Clone, Debug, Default)]
pub(super) struct OpponentList {
    /// From weakest to strongest.
    pub(super) levels: Vec<OpponentOption>,
    pub(super) named: Vec<OpponentOption>,
    pub(super) champions: Vec<OpponentOption>,
}

impl OpponentList {
    /// The opponents in a game; reads the store, so it belongs on a thread that may wait.
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
        let kept = app.stores.read_blocking(|store| Ok(store.champions()?))?.unwrap_or_default();
        let same = |text: &str| app.config.catalog.family(text).is_ok_and(|info| info.name == family);
        let champions = kept.into_iter().filter(|champion| same(&champion.game)).filter_map(|champion| {
            let spec = game.player(&champion.player).ok()?;
            let player = quick(&spec.kind, n_moves)?;
            Some(OpponentOption { key: format!("@{}", champion.name), player, about: champion.game })
        });
        Ok(OpponentList { levels, named, champions: champions.collect() })
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &OpponentOption> {
        self.levels.iter().chain(&self.named).chain(&self.champions)
    }

    /// The one who is asked when nobody was named: in the middle of the ladder.
    pub(super) fn default_key(&self) -> String {
        format!("level-{}", self.levels.len() / 2)
    }

    /// The opponent of a key.
    pub(super) fn find(&self, key: &str) -> Result<&OpponentOption, InputError> {
        self.all().find(|opponent| opponent.key == key).ok_or_else(|| {
            let nearest = nearest_name(key, self.all().map(|one| one.key.as_str())).map(str::to_owned);
            let most = self.levels.len().saturating_sub(1);
            let expected = format!(
                "an opponent here (level-0 to level-{most}, a player with a name, or a stored champion such as @name)"
            );
            InputError { nearest, ..InputError::new("opponent", key, expected) }
        })
    }
}

/// The player with other weights.
pub(super) fn reweighted(
    game: &dyn AnyGame,
    player: &PlayerSpec,
    weights: &str,
) -> Result<PlayerSpec, InputError> {
    let text = player.kind.to_string();
    match (player.weights(), text.rsplit_once('/')) {
        (Some(_), Some((before, _))) => game.player(&format!("{before}/{weights}")),
        _ => Err(InputError::new("weights", weights, "empty: this opponent has no weights")),
    }
}

/// The player as it is let in: itself where it answers soon, its evaluation with a quicker search otherwise.
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

/// Whether a search answers soon on a board with so many moves at the start.
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
        "ab" => match (value("nodes"), value("depth")) {
            (Some(nodes), _) => nodes,
            (None, Some(depth)) => breadth.powf(0.6 * depth),
            (None, None) => 1e6,
        },
        "adaptive" if value("height").is_none() => breadth.powf(value("k").unwrap_or(f64::MAX)),
        "beam" => value("width").unwrap_or(f64::MAX).powf(value("depth").unwrap_or(f64::MAX)) * breadth,
        "mcts" => value("playouts").unwrap_or(10_000.0) * 100.0,
        _ => f64::MAX,
    };
    let is_short = value("time").map_or(positions <= MOST_POSITIONS, |time| time <= MOST_TIME);
    is_short && value("memory").is_none_or(|memory| memory <= MOST_MEMORY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_that_takes_long_is_not_let_in() {
        let quick =
            ["greedy", "minimax:depth=4", "alphabeta:depth=7", "ab:nodes=1000000", "mcts", "ab:time=500"];
        let slow = [
            "minimax",
            "minimax:depth=9",
            "alphabeta:depth=20",
            "ab:depth=30",
            "ab:time=60000",
            "ab:memory=9000",
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
    fn who_takes_long_plays_with_a_quicker_search() {
        let game = palestra_registry::GAMES.open("connect4").unwrap();
        let check = |player: &str, expected: Option<&str>| {
            let spec = game.player(player).unwrap();
            assert_eq!(quick(&spec.kind, 7).as_deref(), expected);
        };
        check("minimax:depth=30/threes/4,4,1,2", Some("ab:nodes=100000/threes/4,4,1,2"));
        check("greedy/threes/4,4,1,2", Some("greedy/threes/4,4,1,2"));
        check("perfect", None);
        check("random", Some("random"));
    }
}
