//! The opponents of a game: a ladder of strengths, named players, and champions of the store.
//!
//! Other players are refused: a visitor could write one whose search takes too long.

use crate::app::App;
use crate::http_error::HttpError;
use palestra_arena::{AnyGame, PlayerKind, PlayerSpec};
use palestra_core::{InputError, named_players, nearest_name};
use palestra_search::SearchSpec;
use std::time::Duration;

/// Limit on the positions that an opponent searches per move, by a rough estimate.
const MAX_POSITIONS: f64 = 3e6;
/// Positions per move of a player whose own search would take too long.
const QUICK_NODES: u64 = 100_000;
/// Limit on the time of a search with a time limit.
const MAX_TIME: Duration = Duration::from_secs(2);
/// Limit on the megabytes of a search.
const MAX_MEGABYTES: u32 = 256;

/// An opponent.
#[derive(Clone, Debug)]
pub(super) struct OpponentOption {
    /// Its value of the query parameter `opponent`: `level-3`, `grid-5`, `@ana`.
    pub(super) key: String,
    pub(super) player: PlayerSpec,
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
            let player = quick(game.player(named.name).ok()?, n_moves)?;
            Some(OpponentOption { key: named.name.to_owned(), player, about: named.about.to_owned() })
        });
        let named = named.collect();
        let family = game.family().name;
        let champions = app.stores.read_blocking(|store| Ok(store.champions()?))?.unwrap_or_default();
        let same = |text: &str| app.config.catalog.family(text).is_ok_and(|info| info.name == family);
        let champions =
            champions.into_iter().filter(|champion| same(&champion.game)).filter_map(|champion| {
                let player = quick(game.player(&champion.player).ok()?, n_moves)?;
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
    if player.weights().is_none() {
        let reason = format!("this opponent has no weights to replace by {weights:?}");
        return Err(InputError::not_allowed("weights", reason));
    }
    game.player(&format!("{}/{weights}", player.kind.without_weights()))
}

/// The player itself where its search is quick enough, else its evaluation with [`QUICK_NODES`]; `None` for `perfect`.
fn quick(player: PlayerSpec, n_moves: usize) -> Option<PlayerSpec> {
    let kind = match player.kind {
        PlayerKind::Perfect { .. } => return None,
        PlayerKind::Search { search, evaluation, weights } if !is_quick(&search, n_moves) => {
            PlayerKind::Search { search: SearchSpec::pvs_nodes(QUICK_NODES), evaluation, weights }
        }
        kind => kind,
    };
    Some(PlayerSpec { name: None, kind })
}

/// Whether a search is quick enough on a board with `n_moves` moves at the start.
fn is_quick(search: &SearchSpec, n_moves: usize) -> bool {
    let cost = search.cost(n_moves);
    cost.megabytes <= MAX_MEGABYTES && cost.is_within(MAX_POSITIONS, MAX_TIME)
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
        palestra_search::set_clock(|| Duration::ZERO);
        let is_quick = |text: &str, n_moves| is_quick(&SearchSpec::parse(text, text).unwrap(), n_moves);
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
            assert_eq!(quick(spec, 7).map(|player| player.to_string()).as_deref(), expected);
        };
        check("minimax:depth=30/threes/4,4,1,2", Some("pvs:nodes=100000/threes/4,4,1,2"));
        check("greedy/threes/4,4,1,2", Some("greedy/threes/4,4,1,2"));
        check("perfect", None);
        check("random", Some("random"));
    }
}
