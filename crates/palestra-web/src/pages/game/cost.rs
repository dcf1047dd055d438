//! Limits on the players that explain moves: the page must answer within about a second.

use palestra_arena::{AnyGame, PlayerKind, PlayerSpec};
use palestra_search::SearchSpec;
use std::time::Duration;

/// Limits on a search; each takes roughly one second to reach.
const MAX_NODES: f64 = 200_000.0;
const MAX_TIME: Duration = Duration::from_secs(1);
/// The default tree of `mcts` fits.
const MAX_MEGABYTES: u32 = 256;

/// A player within the limits: the requested one, or one with its evaluation and a smaller search.
pub(super) struct AffordablePlayer {
    pub(super) player: PlayerSpec,
    /// Whether it is not the requested player.
    pub(super) is_reduced: bool,
}

impl AffordablePlayer {
    /// The affordable player for `player` at a position with `n_moves` legal moves.
    pub(super) fn new(game: &dyn AnyGame, player: &PlayerSpec, n_moves: usize) -> AffordablePlayer {
        // A game's own opponent is quick by contract.
        let is_default = game.opponent().kind == player.kind;
        if is_default || is_cheap(&player.kind, n_moves) {
            return AffordablePlayer { player: player.clone(), is_reduced: false };
        }
        let player = match &player.kind {
            PlayerKind::Search { search, evaluation, weights } => {
                let search = match search {
                    SearchSpec::Mcts(_) => SearchSpec::mcts_playouts(1000),
                    _ => SearchSpec::pvs_nodes(20_000),
                };
                let (evaluation, weights) = (evaluation.clone(), weights.clone());
                PlayerSpec { name: None, kind: PlayerKind::Search { search, evaluation, weights } }
            }
            PlayerKind::Policy(_) | PlayerKind::Perfect { .. } => game.opponent(),
        };
        AffordablePlayer { player, is_reduced: true }
    }
}

fn is_cheap(kind: &PlayerKind, n_moves: usize) -> bool {
    match kind {
        PlayerKind::Policy(_) => true,
        PlayerKind::Perfect { .. } => false,
        PlayerKind::Search { search, .. } => {
            let cost = search.cost(n_moves);
            cost.megabytes <= MAX_MEGABYTES && cost.threads <= 1 && cost.is_within(MAX_NODES, MAX_TIME)
        }
    }
}
