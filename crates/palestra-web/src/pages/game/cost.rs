//! Limits on the players that explain moves: the page must answer within about a second.

use palestra_arena::{AnyGame, PlayerKind, PlayerSpec};

/// Limits on a search; each takes roughly one second to reach.
const MAX_NODES: f64 = 200_000.0;
const MAX_PLAYOUTS: f64 = 3_000.0;
const MAX_MILLISECONDS: f64 = 1_000.0;
const MAX_MEGABYTES: f64 = 64.0;

/// A player within the limits: the requested one, or one with its evaluation and a smaller search.
pub(super) struct AffordablePlayer {
    pub(super) player: String,
    /// Whether it is not the requested player.
    pub(super) is_reduced: bool,
}

impl AffordablePlayer {
    /// The affordable player for `player` at a position with `n_moves` legal moves.
    pub(super) fn new(game: &dyn AnyGame, player: &PlayerSpec, n_moves: usize) -> AffordablePlayer {
        // A game's own opponent is quick by contract.
        let is_default = game.player(&game.opponent()).is_ok_and(|own| own.kind == player.kind);
        if is_default || is_cheap(&player.kind, n_moves) {
            return AffordablePlayer { player: player.to_string(), is_reduced: false };
        }
        let reduced = match &player.kind {
            PlayerKind::Search { search, evaluation, weights } => {
                let weights: Vec<String> = weights.iter().map(ToString::to_string).collect();
                let search = if search.name() == "mcts" { "mcts:playouts=1000" } else { "pvs:nodes=20000" };
                let mut text = format!("{search}/{evaluation}");
                if !weights.is_empty() {
                    text = format!("{text}/{}", weights.join(","));
                }
                text
            }
            PlayerKind::Policy(_) | PlayerKind::Perfect { .. } => game.opponent(),
        };
        // A player that the game does not accept is replaced by the game's own opponent.
        let player = game.player(&reduced).map_or_else(|_| game.opponent(), |spec| spec.to_string());
        AffordablePlayer { player, is_reduced: true }
    }
}

fn is_cheap(kind: &PlayerKind, n_moves: usize) -> bool {
    let search = match kind {
        PlayerKind::Policy(_) => return true,
        PlayerKind::Perfect { .. } => return false,
        PlayerKind::Search { search, .. } => search,
    };
    let text = search.to_string();
    let parameters = text.split_once(':').map_or("", |(_, parameters)| parameters);
    let value = |key: &str| -> Option<f64> {
        let mut pairs = parameters.split(',').filter_map(|pair| pair.split_once('='));
        pairs.find(|(known, _)| *known == key)?.1.parse().ok()
    };
    let breadth = n_moves.max(2) as f64;
    // Alpha-beta visits about b^(0.65 d) positions: an empirical exponent; 0.5 is perfect move order, 1 no cuts.
    let cut_tree = |depth: f64| breadth.powf(0.65 * depth) <= MAX_NODES;
    let is_within_time = || value("time").is_some_and(|time| time <= MAX_MILLISECONDS);
    let is_small = value("memory").unwrap_or(0.0) <= MAX_MEGABYTES && value("threads").unwrap_or(1.0) <= 1.0;
    match search.name() {
        "greedy" => true,
        "minimax" => value("depth").is_some_and(|depth| breadth.powf(depth) <= MAX_NODES),
        "alphabeta" => is_within_time() || value("depth").is_some_and(cut_tree),
        "pvs" => {
            let is_limited = is_within_time()
                || value("nodes").is_some_and(|nodes| nodes <= MAX_NODES)
                || value("depth").is_some_and(cut_tree);
            is_small && is_limited
        }
        "beam" => {
            let tree = value("width").zip(value("depth")).map(|(width, depth)| width.powf(depth));
            tree.is_some_and(|tree| breadth * tree <= MAX_NODES)
        }
        "adaptive" => {
            let (k, x) = (value("k").unwrap_or(100.0), value("x").unwrap_or(1.0));
            let height = value("height").unwrap_or((2.0 * (k - 2.0) / x).floor().max(1.0));
            // The breadth of the board is about the square root of the number of moves.
            let tree = breadth.sqrt().powf(x * height);
            !text.contains("deepen") && breadth * tree <= MAX_NODES
        }
        "mcts" => is_small && (is_within_time() || value("playouts").is_some_and(|n| n <= MAX_PLAYOUTS)),
        _ => false,
    }
}
