//! Start points of an event: boards and openings drawn from a seed, the same for all pairings of a round.

use palestra_arena::{AnyGame, Catalog, StartPoint};
use palestra_core::{InputError, Seed};
use std::collections::BTreeMap;
use std::fmt;

/// The boards of a stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StageBoards {
    /// These games in turn: the first for round 0, and the first again after the last.
    Listed(Vec<String>),
    /// Games of a pool, one drawn for every start point: `connect/study`.
    Pool(String),
}

/// Draws the start points of a stage. Start point `k` of a round is the same for all pairings of that round and does
/// not depend on the number of entrants.
pub struct StartSchedule {
    boards: StageBoards,
    opening_plies: u32,
    /// Start points that every round has at least.
    per_round: u32,
    seed: Seed,
    openings: Option<Box<dyn Openings>>,
    drawn: Vec<Vec<DrawnStart>>,
}

/// Draws boards of pools and identifies openings.
trait Openings: Send {
    /// Draws a board of a pool.
    fn board(&self, pool: &str, seed: Seed) -> String;

    /// A key that is equal for start points whose openings lead to the same position.
    fn key(&mut self, start: &StartPoint) -> u64;
}

struct DrawnStart {
    start: StartPoint,
    key: u64,
}

/// Attempts to draw an opening that this stage does not have yet; after that the first draw is used again.
const ATTEMPTS: u64 = 40;

impl StartSchedule {
    /// Start points on boards of a catalog. Openings differ as long as the board has others.
    pub fn new(
        catalog: &'static Catalog,
        boards: StageBoards,
        opening_plies: u32,
        per_round: u32,
        seed: Seed,
    ) -> Result<StartSchedule, InputError> {
        match &boards {
            StageBoards::Listed(games) => games.iter().try_for_each(|game| catalog.open(game).map(drop))?,
            StageBoards::Pool(pool) => drop(catalog.pool(pool)?),
        }
        let openings = CatalogOpenings { catalog, opened: BTreeMap::new() };
        let plain = StartSchedule::plain(boards, opening_plies, per_round, seed);
        Ok(StartSchedule { openings: Some(Box::new(openings)), ..plain })
    }

    /// Start points without a catalog: openings are not compared, and pools give an empty board name.
    #[must_use]
    pub fn plain(boards: StageBoards, opening_plies: u32, per_round: u32, seed: Seed) -> StartSchedule {
        StartSchedule {
            boards,
            opening_plies,
            per_round: per_round.max(1),
            seed,
            openings: None,
            drawn: Vec::new(),
        }
    }

    /// Start point `k` of a round, both from 0.
    pub fn start_point(&mut self, round: u32, k: u32) -> StartPoint {
        let (round, k) = (round as usize, k as usize);
        // A draw depends on the draws before it, so these must not depend on the order of calls: they are the first
        // `per_round` start points of all earlier rounds and the earlier start points of this round.
        for earlier in self.drawn.len()..=round {
            self.drawn.push(Vec::new());
            (0..self.per_round as usize).for_each(|k| self.draw(earlier, k));
        }
        for k in self.drawn[round].len()..=k {
            self.draw(round, k);
        }
        self.drawn[round][k].start.clone()
    }

    fn draw(&mut self, round: usize, k: usize) {
        let seed = self.seed.child(round as u64).child(k as u64);
        let game = match &self.boards {
            StageBoards::Listed(games) => games[round % games.len()].clone(),
            StageBoards::Pool(pool) => self
                .openings
                .as_ref()
                .map_or_else(String::new, |openings| openings.board(pool, seed.child(u64::MAX))),
        };
        let start = |attempt: u64| StartPoint {
            game: game.clone(),
            opening_plies: self.opening_plies,
            seed: seed.child(attempt).0,
        };
        let mut drawn = DrawnStart { start: start(0), key: 0 };
        if let Some(openings) = self.openings.as_mut().filter(|_| self.opening_plies > 0) {
            let earlier = self.drawn[..round].iter().flat_map(|row| row.iter().take(self.per_round as usize));
            let of_board = earlier.chain(&self.drawn[round]).filter(|drawn| drawn.start.game == game);
            let taken: Vec<u64> = of_board.map(|drawn| drawn.key).collect();
            drawn.key = openings.key(&drawn.start);
            let mut others =
                (1..ATTEMPTS).map(start).map(|start| DrawnStart { key: openings.key(&start), start });
            if taken.contains(&drawn.key)
                && let Some(other) = others.find(|other| !taken.contains(&other.key))
            {
                drawn = other;
            }
        }
        self.drawn[round].push(drawn);
    }
}

struct CatalogOpenings {
    catalog: &'static Catalog,
    opened: BTreeMap<String, Box<dyn AnyGame>>,
}

impl Openings for CatalogOpenings {
    fn board(&self, pool: &str, seed: Seed) -> String {
        // The pool exists: `StartSchedule::new` looked it up.
        self.catalog.pool(pool).map_or_else(|_| String::new(), |pool| pool.draw(&mut seed.rng()))
    }

    fn key(&mut self, start: &StartPoint) -> u64 {
        if !self.opened.contains_key(&start.game)
            && let Ok(game) = self.catalog.open(&start.game)
        {
            self.opened.insert(start.game.clone(), game);
        }
        self.opened.get(&start.game).map_or(start.seed, |game| game.opening_key(start))
    }
}

impl fmt::Debug for StartSchedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StartSchedule")
            .field("boards", &self.boards)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_points_do_not_depend_on_the_order_of_calls() {
        let boards = StageBoards::Listed(["a", "b", "c"].map(str::to_owned).to_vec());
        let fresh = || StartSchedule::plain(boards.clone(), 2, 2, Seed(5));
        let mut forward = fresh();
        let all: Vec<StartPoint> = (0..6)
            .flat_map(|round| (0..4).map(move |k| (round, k)))
            .map(|(round, k)| forward.start_point(round, k))
            .collect();
        let mut backward = fresh();
        let mut again: Vec<StartPoint> = (0..6)
            .rev()
            .flat_map(|round| (0..4).rev().map(move |k| (round, k)))
            .map(|(round, k)| backward.start_point(round, k))
            .collect();
        again.reverse();
        assert_eq!(all, again);
        let mut seeds: Vec<u64> = all.iter().map(|start| start.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 24);
        assert_eq!([0, 4, 8, 12].map(|i| all[i].game.as_str()), ["a", "b", "c", "a"]);
    }

    /// Six openings for every board.
    struct Six;

    impl Openings for Six {
        fn board(&self, pool: &str, seed: Seed) -> String {
            format!("{pool}{}", seed.0 % 2)
        }

        fn key(&mut self, start: &StartPoint) -> u64 {
            start.seed % 6
        }
    }

    #[test]
    fn openings_differ_as_long_as_there_are_others() {
        let boards = StageBoards::Listed(vec!["a".to_owned(), "b".to_owned()]);
        let plain = StartSchedule::plain(boards, 2, 2, Seed(3));
        let mut starts = StartSchedule { openings: Some(Box::new(Six)), ..plain };
        let mut keys = |board: u32| -> Vec<u64> {
            let rounds = (0..5).map(|i| 2 * i + board);
            rounds.flat_map(|round| [0, 1].map(|k| starts.start_point(round, k).seed % 6)).collect()
        };
        for board in [0, 1] {
            let keys = keys(board);
            let mut first: Vec<u64> = keys[..6].to_vec();
            first.sort_unstable();
            assert_eq!(first, [0, 1, 2, 3, 4, 5], "{keys:?}");
            assert_eq!(keys.len(), 10, "after the sixth, openings repeat");
        }
    }

    #[test]
    fn boards_are_drawn_from_the_pool() {
        let plain = StartSchedule::plain(StageBoards::Pool("x".to_owned()), 0, 1, Seed(3));
        let mut starts = StartSchedule { openings: Some(Box::new(Six)), ..plain };
        let mut games: Vec<String> = (0..20).map(|round| starts.start_point(round, 0).game).collect();
        games.sort_unstable();
        games.dedup();
        assert_eq!(games, ["x0", "x1"]);
    }
}
