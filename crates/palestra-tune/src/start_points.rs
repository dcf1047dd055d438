//! Where games are played: boards, openings and dice, drawn from seeds. Training and tests never share an opening.
//!
//! Half of all openings, chosen by their hash, are for training, whatever the seed; the other half is for tests.

use palestra_arena::{AnyGame, Catalog, StartPoint};
use palestra_core::{InputError, Seed};
use std::collections::{BTreeMap, BTreeSet};

/// Which boards there are.
#[derive(Clone, PartialEq, Debug)]
pub enum TuningBoards {
    /// Every one of these games.
    Listed(Vec<String>),
    /// Games of a pool, drawn anew for every scene: `connect/study`.
    Pool(String),
}

/// What scenes are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningSplit {
    /// To find weights.
    Training,
    /// To find out whether they are any good: openings never used in training.
    Test,
}

/// Draws scenes.
pub struct StartPointSampler {
    catalog: &'static Catalog,
    boards: TuningBoards,
    games: BTreeMap<String, Box<dyn AnyGame>>,
}

/// Attempts to draw an opening that fits, before the last one is taken as it is.
const ATTEMPTS: u64 = 40;

impl StartPointSampler {
    /// Draws scenes on these boards.
    pub fn new(catalog: &'static Catalog, boards: TuningBoards) -> Result<StartPointSampler, InputError> {
        let mut stage = StartPointSampler { catalog, boards, games: BTreeMap::new() };
        match stage.boards.clone() {
            TuningBoards::Listed(games) => games.iter().try_for_each(|game| stage.open(game).map(|_| ()))?,
            TuningBoards::Pool(pool) => drop(catalog.pool(&pool)?),
        }
        Ok(stage)
    }

    fn open(&mut self, game: &str) -> Result<&dyn AnyGame, InputError> {
        if !self.games.contains_key(game) {
            self.games.insert(game.to_owned(), self.catalog.open(game)?);
        }
        Ok(&*self.games[game])
    }

    /// Scenes on one board, or on one of the pool, that fit together: `n` for each listed game, or `n` in all.
    /// With openings, none of them is drawn twice as long as there are others; a test stops there, with fewer scenes.
    pub fn draw(
        &mut self,
        purpose: OpeningSplit,
        n: u32,
        opening_plies: u32,
        seed: Seed,
    ) -> Result<Vec<StartPoint>, InputError> {
        let mut scenes = Vec::new();
        match self.boards.clone() {
            TuningBoards::Listed(games) => {
                for (i, game) in games.iter().enumerate() {
                    let mut seen = BTreeSet::new();
                    for k in 0..n {
                        let seed = seed.child(i as u64).child(u64::from(k));
                        scenes.extend(self.draw_one(game, purpose, opening_plies, seed, &mut seen)?);
                    }
                }
            }
            TuningBoards::Pool(name) => {
                let draw = self.catalog.pool(&name)?.draw;
                for k in 0..n {
                    let seed = seed.child(u64::from(k));
                    let game = draw(&mut seed.child(u64::MAX).rng());
                    scenes.extend(self.draw_one(
                        &game,
                        purpose,
                        opening_plies,
                        seed,
                        &mut BTreeSet::new(),
                    )?);
                }
            }
        }
        Ok(scenes)
    }

    fn draw_one(
        &mut self,
        game: &str,
        purpose: OpeningSplit,
        opening_plies: u32,
        seed: Seed,
        seen: &mut BTreeSet<u64>,
    ) -> Result<Option<StartPoint>, InputError> {
        let scene =
            |attempt: u64| StartPoint { game: game.to_owned(), opening_plies, seed: seed.child(attempt).0 };
        if opening_plies == 0 {
            return Ok(Some(scene(0)));
        }
        let opened = self.open(game)?;
        for attempt in 0..ATTEMPTS {
            let scene = scene(attempt);
            let key = opened.opening_key(&scene);
            // Half of all openings are for training, whatever the seed.
            let purpose_of_key = if Seed(key).child(1).0.is_multiple_of(2) {
                OpeningSplit::Training
            } else {
                OpeningSplit::Test
            };
            if purpose_of_key == purpose && seen.insert(key) {
                return Ok(Some(scene));
            }
        }
        // There are fewer openings than scenes. A test would only count the same games twice.
        Ok((purpose == OpeningSplit::Training).then(|| scene(0)))
    }

    /// The games there are, or some that the pool may give.
    pub fn samples(&self) -> Result<Vec<String>, InputError> {
        match &self.boards {
            TuningBoards::Listed(games) => Ok(games.clone()),
            TuningBoards::Pool(name) => {
                let draw = self.catalog.pool(name)?.draw;
                Ok((0..8).map(|i| draw(&mut Seed(0).child(i).rng())).collect())
            }
        }
    }
}
