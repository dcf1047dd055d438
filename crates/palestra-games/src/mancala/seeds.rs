//! The feature set `seeds`: the report's evaluation with free weights, for any number of holes.

use super::cups::{CupRow, SowingGame};
use super::evaluators::{COURSE_CONVENTION, ENDED};
use palestra_core::{Convention, Feature, FeatureSet, Side};

/// Maximum number of holes of a side.
pub(crate) const MAX_HOLES: usize = 12;

const OPPONENT_HOLES: [&str; MAX_HOLES] = [
    "rival-1", "rival-2", "rival-3", "rival-4", "rival-5", "rival-6", "rival-7", "rival-8", "rival-9",
    "rival-10", "rival-11", "rival-12",
];
const OWN_HOLES: [&str; MAX_HOLES] = [
    "own-1", "own-2", "own-3", "own-4", "own-5", "own-6", "own-7", "own-8", "own-9", "own-10", "own-11",
    "own-12",
];
/// Where sowings would end, for the own side and for the opponent's.
const OUTCOMES: [[(&str, &str); 4]; 2] = [
    [
        ("own-past", "own holes with more seeds than needed to reach the own store"),
        ("own-short", "own holes with fewer, whose last seed would fall into a filled hole"),
        ("own-exact", "own holes with exactly as many"),
        (
            "own-capture",
            "seeds facing the empty own holes where a last seed would fall; an empty hole counts as falling on itself",
        ),
    ],
    [
        ("rival-past", "the opponent's holes with more seeds than needed to reach its store"),
        ("rival-short", "the opponent's holes with fewer, whose last seed would fall into a filled hole"),
        ("rival-exact", "the opponent's holes with exactly as many"),
        ("rival-capture", "seeds facing the opponent's empty holes where a last seed would fall"),
    ],
];

/// The feature set `seeds`, evaluated from the side to move's viewpoint; *own* is the side that is evaluated for.
#[derive(Clone, Debug)]
pub(crate) struct SeedCountFeatures {
    features: Vec<Feature>,
}

impl SeedCountFeatures {
    pub(crate) fn new<G: SowingGame>(game: &G) -> SeedCountFeatures {
        let (n_holes, max) = (game.n_holes(), game.n_seeds() as i32);
        let mut features = Vec::new();
        for names in [OPPONENT_HOLES, OWN_HOLES] {
            let meaning = "seeds in that hole, numbered in sowing order";
            features.extend(names.iter().take(n_holes).map(|name| Feature::new(name, meaning, 0, max)));
        }
        for side in OUTCOMES {
            for (i, (name, meaning)) in side.into_iter().enumerate() {
                // The sowings of all holes may end opposite the same seeds.
                let high = if i == 3 { n_holes as i32 * max } else { n_holes as i32 };
                features.push(Feature::new(name, meaning, 0, high));
            }
        }
        let meaning = "seeds of the own row minus those of the opponent's, stores included";
        features.push(Feature::new("difference", meaning, -max, max));
        let meaning = "1 in an ended game, -1 if the opponent has more seeds there";
        let ended = Feature::new("ended", meaning, -1, 1);
        features.push(Feature { fixed: Some(f64::from(ENDED)), ..ended });
        SeedCountFeatures { features }
    }
}

/// Where the sowings of `own` would end: number of holes that go past the store, end before it, or exactly in it, and
/// the seeds that captures face. Counts as the study's program did, with its quirks: a hole ends before the store *or*
/// captures, an empty hole falls on itself, and laps and special rules are ignored.
#[inline(always)]
pub(crate) fn outcomes<R: CupRow>(own: R, other: R, n_holes: usize) -> [i32; 4] {
    let mut counts = [0; 4];
    for hole in 0..n_holes {
        let seeds = own.get(hole) as usize;
        let reach = n_holes - hole;
        if seeds < reach && own.get(hole + seeds) == 0 {
            counts[3] += other.get(n_holes - 1 - (hole + seeds)) as i32;
        } else {
            counts[0] += i32::from(seeds > reach);
            counts[1] += i32::from(seeds < reach);
            counts[2] += i32::from(seeds == reach);
        }
    }
    counts
}

impl<G: SowingGame> FeatureSet<G> for SeedCountFeatures {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    #[inline]
    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]) {
        let n_holes = game.n_holes();
        let [own, opponent] = [view, view.other()].map(|side| game.row(at, side));
        let difference = own.total() as i32 - opponent.total() as i32;
        let (holes, rest) = out.split_at_mut(2 * n_holes);
        for hole in 0..n_holes {
            holes[hole] = opponent.get(hole) as i32;
            holes[n_holes + hole] = own.get(hole) as i32;
        }
        rest[..4].copy_from_slice(&outcomes(own, opponent, n_holes));
        rest[4..8].copy_from_slice(&outcomes(opponent, own, n_holes));
        rest[8] = difference;
        rest[9] = match game.is_over(at) {
            false => 0,
            true if difference < 0 => -1,
            true => 1,
        };
    }

    fn begin(&self, _game: &G, _at: &G::Position) {}

    #[inline]
    fn advance(&self, _game: &G, _accumulator: &mut (), _at: &G::Position, _mv: G::Move) {}

    fn convention(&self) -> Convention {
        COURSE_CONVENTION
    }
}
