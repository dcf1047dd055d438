//! Whom nobody met in training.

use crate::{StartPointSampler, TuningPlan};
use palestra_arena::{AnyGame, Catalog};
use palestra_core::{named_players, print_weights};

/// Players that training never met, by how long they think.
#[derive(Clone, PartialEq, Debug)]
pub struct UnseenOpponents {
    /// Random moves, one feature at a time, players with names over the same evaluation.
    pub quick: Vec<String>,
    /// A deeper look, and random games.
    pub slow: Vec<String>,
}

impl UnseenOpponents {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.quick.len() + self.slow.len()
    }

    /// Whether there is nobody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Where there are more moves than this, players that look far think too long.
const BROAD: usize = 12;

/// The strangers of a plan. Who can not play on some board is left out.
pub fn unseen_opponents(
    plan: &TuningPlan,
    catalog: &'static Catalog,
    stage: &StartPointSampler,
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
    let games = stage.samples().unwrap_or_default();
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
