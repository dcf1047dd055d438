//! A game runner and a game store for tests: games are decided by strength and by noise derived from their keys.

use crate::key::GameKey;
use crate::pairing::ScheduledGame;
use crate::runner::{GameRunner, GameStore, ResultSink, TournamentError};
use crate::{Entrant, GameConditions};
use palestra_arena::{Forfeit, GameRecord};
use palestra_core::{Seed, Side};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Entrants `p0`, `p1`, …
pub(crate) fn entrants(n: usize) -> Vec<Entrant> {
    let entrant = |i: usize| Entrant {
        name: format!("p{i}"),
        player: format!("toy:{i}"),
        key: *blake3::hash(&(i as u64).to_le_bytes()).as_bytes(),
        ..Entrant::default()
    };
    (0..n).map(entrant).collect()
}

pub(crate) fn conditions() -> GameConditions {
    GameConditions { clock: "1/move".to_owned(), version: "test".to_owned() }
}

/// Decides games by strength. With `luck` 0 the stronger player always wins, and equal players draw.
pub(crate) struct ToyRunner {
    pub(crate) strengths: Vec<f64>,
    pub(crate) luck: f64,
    /// Entrants that forfeit every game; in a game of two of them the first side forfeits.
    pub(crate) broken: Vec<usize>,
    /// Whether games run in any order on all threads.
    pub(crate) parallel: bool,
}

impl ToyRunner {
    /// The first entrant is the strongest.
    pub(crate) fn by_index(n: usize) -> ToyRunner {
        let strengths = (0..n).map(|i| -(i as f64)).collect();
        ToyRunner { strengths, luck: 0.0, broken: Vec::new(), parallel: true }
    }

    pub(crate) fn game(&self, scheduled: &ScheduledGame) -> GameRecord {
        let (first, second) = (scheduled.first(), scheduled.second());
        let seed = Seed(u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|i| scheduled.key.0[i])));
        let noise = |n: u64| seed.child(n).0 as f64 / u64::MAX as f64 - 0.5;
        let gap =
            self.strengths[first] - self.strengths[second] + self.luck * (noise(1) + noise(2) + noise(3));
        let culprit =
            [first, second].iter().position(|player| self.broken.contains(player)).map(|i| Side::BOTH[i]);
        let winner = match culprit {
            Some(side) => Some(side.other()),
            None if gap.abs() < 0.2 => None,
            None => Some(if gap > 0.0 { Side::First } else { Side::Second }),
        };
        let forfeit =
            culprit.map(|culprit| Forfeit { culprit, kind: "crash".to_owned(), detail: String::new() });
        let sign = winner.map_or(0.0, |side| if side == Side::First { 1.0 } else { -1.0 });
        GameRecord {
            winner,
            margin_points: sign * if forfeit.is_some() { 25.0 } else { gap.abs().sqrt() },
            reason: if forfeit.is_some() { "crash" } else { "end" }.to_owned(),
            forfeit,
            plies: 20 + (seed.child(4).0 % 10) as u32,
            moves: seed.child(5).0.to_string(),
            milliseconds: [1, 1],
            ..GameRecord::default()
        }
    }
}

impl GameRunner for ToyRunner {
    fn play(&self, games: &[ScheduledGame], sink: &dyn ResultSink) -> Result<(), TournamentError> {
        let play = |(i, scheduled): (usize, &ScheduledGame)| match sink.wants(i) {
            true => sink.done(i, self.game(scheduled)),
            false => Ok(()),
        };
        match self.parallel {
            true => games.par_iter().enumerate().try_for_each(play),
            false => games.iter().enumerate().try_for_each(play),
        }
    }
}

/// Keeps games in memory.
#[derive(Default)]
pub(crate) struct ToyStore(pub(crate) Mutex<BTreeMap<GameKey, Arc<GameRecord>>>);

impl GameStore for ToyStore {
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<Arc<GameRecord>>>, TournamentError> {
        let games = self.0.lock().unwrap();
        Ok(keys.iter().map(|key| games.get(key).cloned()).collect())
    }

    fn keep(
        &self,
        scheduled: &ScheduledGame,
        record: GameRecord,
    ) -> Result<Arc<GameRecord>, TournamentError> {
        let record = Arc::new(record);
        let before = self.0.lock().unwrap().insert(scheduled.key, Arc::clone(&record));
        assert!(before.is_none(), "a game was played twice");
        Ok(record)
    }
}
