//! Opponents that training did not meet.

use crate::{StartPointSampler, TuningPlan};
use palestra_arena::{AnyGame, Catalog};
use palestra_core::{named_players, print_weights};

/// Players that training did not meet, by the time they take.
#[derive(Clone, PartialEq, Debug)]
pub struct UnseenOpponents {
    /// The random player, players with a single weight of 1 or −1, and named players of the same evaluation.
    pub quick: Vec<String>,
    /// Alpha-beta search over a named player's evaluation, and Monte Carlo tree search.
    pub slow: Vec<String>,
}

impl UnseenOpponents {
    /// Number of opponents.
    pub fn len(&self) -> usize {
        self.quick.len() + self.slow.len()
    }

    /// Whether there are no opponents.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// On boards with more first moves than this, deep alpha-beta and MCTS take too long.
const BROAD: usize = 12;

/// The unseen opponents of a plan. A player that cannot play on some board of the plan is left out.
pub fn unseen_opponents(
    plan: &TuningPlan,
    catalog: &'static Catalog,
    sampler: &StartPointSampler,
) -> UnseenOpponents {
    let n = plan.space.n();
    let mut quick = vec!["random".to_owned()];
    for i in 0..n.min(12) {
        for sign in [1.0, -1.0] {
            let mut weights = vec![0.0; n];
            weights[i] = sign;
            quick.push(format!("{}/{}", plan.player, print_weights(&weights)));
        }
    }
    let games = sampler.samples().unwrap_or_default();
    let games: Vec<Box<dyn AnyGame>> = games.iter().filter_map(|game| catalog.open(game).ok()).collect();
    let evaluation = plan.player.split('/').nth(1).unwrap_or_default();
    let is_same = |player: &str| player.split('/').nth(1) == Some(evaluation);
    let family = games.first().map_or("", |game| game.family().players);
    let named: Vec<&str> = named_players(family).map(|named| named.player).filter(|p| is_same(p)).collect();
    quick.extend(named.iter().take(6).map(|player| (*player).to_owned()));
    let breadth = |game: &dyn AnyGame| game.session(None, "-").map_or(0, |session| session.legal().len());
    let broadest = games.iter().map(|game| breadth(game.as_ref())).max().unwrap_or(0);
    let mut slow = Vec::new();
    if let Some((_, rest)) = named.first().and_then(|player| player.split_once('/')) {
        let depths = if broadest <= BROAD { 2..=3 } else { 2..=2 };
        slow.extend(depths.map(|depth| format!("alphabeta:depth={depth}/{rest}")));
    }
    if broadest <= BROAD {
        slow.push("mcts:playouts=100".to_owned());
    }
    let plays = |player: &String| games.iter().all(|game| game.player(player).is_ok());
    quick.retain(plays);
    slow.retain(plays);
    UnseenOpponents { quick, slow }
}
