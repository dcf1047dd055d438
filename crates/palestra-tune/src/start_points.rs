//! Start points of games: boards, openings and seeds, drawn at random. Training and tests never share an opening.
//!
//! Half of all openings, chosen by their hash, are for training, independent of the seed; the other half is for tests.

use palestra_arena::{AnyGame, Catalog, StartPoint};
use palestra_core::{CancelFlag, InputError, Seed};
use std::collections::{BTreeMap, BTreeSet};

/// The boards of a plan.
#[derive(Clone, PartialEq, Debug)]
pub enum TuningBoards {
    /// All of these games.
    Listed(Vec<String>),
    /// Games of a pool such as `connect/study`; a new one is drawn for every start point.
    Pool(String),
}

impl TuningBoards {
    /// Number of listed games; a pool counts as one.
    #[must_use]
    pub fn n_boards(&self) -> usize {
        match self {
            TuningBoards::Listed(games) => games.len(),
            TuningBoards::Pool(_) => 1,
        }
    }
}

/// What an opening may be used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningSplit {
    /// Finding weights.
    Training,
    /// Testing weights: openings that are never used in training.
    Test,
}

/// Draws start points.
pub struct StartPointSampler {
    catalog: &'static Catalog,
    boards: TuningBoards,
    games: BTreeMap<String, Box<dyn AnyGame>>,
    cancel_flag: CancelFlag,
}

/// Draws the start points of one generation of training.
pub struct StartPointDraw<'a> {
    sampler: &'a mut StartPointSampler,
    opening_plies: u32,
    seed: Seed,
}

/// Largest number of start points of a generation whose matches have their own: about a gigabyte.
const MAX_OWN_START_POINTS: usize = 10_000_000;

impl StartPointDraw<'_> {
    /// Draws with this seed.
    pub fn new(sampler: &mut StartPointSampler, opening_plies: u32, seed: Seed) -> StartPointDraw<'_> {
        StartPointDraw { sampler, opening_plies, seed }
    }

    /// `n` start points on each listed board, or of the pool.
    pub(crate) fn shared(&mut self, n: u32) -> Result<Vec<StartPoint>, InputError> {
        self.sampler.draw(OpeningSplit::Training, n, self.opening_plies, self.seed)
    }

    /// Number of start points of a match that has `per_board` on each listed board, or of the pool.
    pub(crate) fn on_all_boards(&self, per_board: u32) -> u32 {
        per_board.saturating_mul(self.sampler.boards.n_boards() as u32)
    }

    /// Start points of `n_matches` matches, `per_board` each on each listed board or of the pool: all of the first
    /// match, then all of the second, …
    pub(crate) fn of_matches(
        &mut self,
        n_matches: usize,
        per_board: u32,
    ) -> Result<Vec<StartPoint>, InputError> {
        let n_boards = self.sampler.boards.n_boards();
        let n_all = n_matches.saturating_mul(per_board as usize).saturating_mul(n_boards);
        if n_all > MAX_OWN_START_POINTS {
            let expected = format!(
                "never or generation: {n_matches} matches would need {n_all} start points, more than \
                 {MAX_OWN_START_POINTS}"
            );
            return Err(InputError::new("fresh", "match", expected));
        }
        // Training repeats openings when there are none left, so that every board has all of its start points.
        let by_board = self.shared(per_board * n_matches as u32)?;
        if self.sampler.cancel_flag.is_canceled() {
            return Ok(Vec::new());
        }
        let (on_board, per_match) = (by_board.len() / n_boards, per_board as usize);
        let of_match = |m: usize| (0..n_boards).map(move |board| board * on_board + m * per_match);
        let parts = (0..n_matches).flat_map(of_match).map(|first| &by_board[first..first + per_match]);
        Ok(parts.flatten().cloned().collect())
    }
}

/// Attempts to draw a new opening of the right split. Half of the openings are of the right split, so that with many
/// openings 40 attempts fail once in 2^40.
const ATTEMPTS: u64 = 40;

impl StartPointSampler {
    /// A sampler for these boards; an error if one of them does not exist.
    pub fn new(catalog: &'static Catalog, boards: TuningBoards) -> Result<StartPointSampler, InputError> {
        let mut sampler =
            StartPointSampler { catalog, boards, games: BTreeMap::new(), cancel_flag: CancelFlag::default() };
        match sampler.boards.clone() {
            TuningBoards::Listed(games) => {
                games.iter().try_for_each(|game| sampler.open(game).map(|_| ()))?;
            }
            TuningBoards::Pool(pool) => drop(catalog.pool(&pool)?),
        }
        Ok(sampler)
    }

    /// From now on this flag ends a draw, with fewer start points: the work that they are for is canceled too.
    pub fn set_cancel_flag(&mut self, cancel_flag: &CancelFlag) {
        self.cancel_flag = cancel_flag.clone();
    }

    fn open(&mut self, game: &str) -> Result<&dyn AnyGame, InputError> {
        if !self.games.contains_key(game) {
            self.games.insert(game.to_owned(), self.catalog.open(game)?);
        }
        Ok(&*self.games[game])
    }

    /// Draws `n` start points for each listed game, or `n` in all from a pool. No opening of a listed game is drawn
    /// twice while there are others; when there are none left, training repeats openings and a test gets fewer start
    /// points.
    pub fn draw(
        &mut self,
        split: OpeningSplit,
        n: u32,
        opening_plies: u32,
        seed: Seed,
    ) -> Result<Vec<StartPoint>, InputError> {
        let mut start_points = Vec::new();
        let cancel_flag = self.cancel_flag.clone();
        match self.boards.clone() {
            TuningBoards::Listed(games) => {
                for (i, game) in games.iter().enumerate() {
                    let mut seen = BTreeSet::new();
                    for k in (0..n).take_while(|_| !cancel_flag.is_canceled()) {
                        let seed = seed.child(i as u64).child(u64::from(k));
                        start_points.extend(self.draw_one(game, split, opening_plies, seed, &mut seen)?);
                    }
                }
            }
            TuningBoards::Pool(name) => {
                let pool = self.catalog.pool(&name)?;
                for k in (0..n).take_while(|_| !cancel_flag.is_canceled()) {
                    let seed = seed.child(u64::from(k));
                    let game = pool.draw(&mut seed.child(u64::MAX).rng());
                    start_points.extend(self.draw_one(
                        &game,
                        split,
                        opening_plies,
                        seed,
                        &mut BTreeSet::new(),
                    )?);
                }
            }
        }
        Ok(start_points)
    }

    fn draw_one(
        &mut self,
        game: &str,
        split: OpeningSplit,
        opening_plies: u32,
        seed: Seed,
        seen: &mut BTreeSet<u64>,
    ) -> Result<Option<StartPoint>, InputError> {
        let start_point =
            |attempt: u64| StartPoint { game: game.to_owned(), opening_plies, seed: seed.child(attempt).0 };
        if opening_plies == 0 {
            return Ok(Some(start_point(0)));
        }
        let opened = self.open(game)?;
        for attempt in 0..ATTEMPTS {
            let start_point = start_point(attempt);
            let key = opened.opening_key(&start_point);
            // Half of all openings are for training, independent of the seed.
            let split_of_key = if Seed(key).child(1).0.is_multiple_of(2) {
                OpeningSplit::Training
            } else {
                OpeningSplit::Test
            };
            if split_of_key == split && seen.insert(key) {
                return Ok(Some(start_point));
            }
        }
        // There are fewer openings than start points. A test would only count the same games twice.
        Ok((split == OpeningSplit::Training).then(|| start_point(0)))
    }

    /// The listed games, or eight random games of the pool.
    pub fn samples(&self) -> Result<Vec<String>, InputError> {
        match &self.boards {
            TuningBoards::Listed(games) => Ok(games.clone()),
            TuningBoards::Pool(name) => Ok(self.catalog.pool(name)?.samples()),
        }
    }
}
