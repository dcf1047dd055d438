//! Weight vectors that stand for the same player, because they differ only by a scale.

use palestra_arena::{Direction, TunablePlayer};
use std::collections::BTreeMap;

/// Number of different players among weight vectors.
#[must_use]
pub fn n_players<'a>(player: &TunablePlayer, all: impl IntoIterator<Item = &'a [f64]>) -> u64 {
    same_as_earlier(player, all).iter().filter(|earlier| earlier.is_none()).count() as u64
}

/// For each weight vector, the index of the first one that stands for the same player; `None` for the first itself.
///
/// A vector of another length, in a store whose player has other features now, is a player of its own.
#[must_use]
pub fn same_as_earlier<'a>(
    player: &TunablePlayer,
    all: impl IntoIterator<Item = &'a [f64]>,
) -> Vec<Option<usize>> {
    let mut known: BTreeMap<Direction, usize> = BTreeMap::new();
    let mut earlier = Vec::new();
    for (i, weights) in all.into_iter().enumerate() {
        let fits = weights.len() == player.names.len();
        let first = if fits { *known.entry(player.direction(weights)).or_insert(i) } else { i };
        earlier.push((first < i).then_some(first));
    }
    earlier
}
