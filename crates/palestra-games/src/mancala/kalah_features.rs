//! The feature set `kalah`: the features of modern Kalah programs.

use super::cups::{CupRow, SowingGain, SowingGame};
use palestra_core::{Feature, FeatureSet, Side};

const N_FEATURES: usize = 10;

/// The feature set `kalah`; *own* is the side that is evaluated for. A won game is better than any other position,
/// whatever its margin.
#[derive(Clone, Debug)]
pub(crate) struct KalahFeatures {
    features: [Feature; N_FEATURES],
}

impl KalahFeatures {
    pub(crate) fn new<G: SowingGame>(game: &G) -> KalahFeatures {
        let (holes, max) = (game.n_holes() as i32, game.n_seeds() as i32);
        let feature = |name, meaning, high| Feature::new(name, meaning, 0, high);
        KalahFeatures {
            features: [
                Feature::new("store", "seeds in the own store minus those in the opponent's", -max, max),
                feature("own-seeds", "seeds in the own holes", max),
                feature("rival-seeds", "seeds in the opponent's holes", max),
                feature("own-capture", "most seeds that one own sowing would capture", max),
                feature("rival-capture", "most seeds that one sowing of the opponent would capture", max),
                feature("own-again", "own holes whose sowing gives an extra turn", holes),
                feature("rival-again", "opponent's holes whose sowing gives it an extra turn", holes),
                feature("own-moves", "own holes that are not empty", holes),
                feature("rival-moves", "opponent's holes that are not empty", holes),
                Feature::new("turn", "1 if the own side sows next, -1 if the opponent does", -1, 1),
            ],
        }
    }
}

/// Counts of one side: seeds in the holes, largest capture, sowings that give an extra turn, and all sowings, as if it
/// were that side's turn.
#[inline]
fn side_counts<G: SowingGame>(game: &G, own: G::Row, other: G::Row) -> [i32; 4] {
    let n_holes = game.n_holes();
    let seeds = (own.total() - own.get(n_holes)) as i32;
    let (mut capture, mut again) = (0, 0);
    let mut filled = own.filled(n_holes);
    let moves = filled.count_ones() as i32;
    while filled != 0 {
        let SowingGain { captured, again: is_again } =
            game.sowing_gain(own, other, filled.trailing_zeros() as usize);
        capture = capture.max(captured as i32);
        again += i32::from(is_again);
        filled &= filled - 1;
    }
    [seeds, capture, again, moves]
}

impl<G: SowingGame> FeatureSet<G> for KalahFeatures {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    #[inline]
    fn extract(&self, game: &G, at: &G::Position, view: Side, out: &mut [i32]) {
        let [own, opponent] = [view, view.other()].map(|side| game.row(at, side));
        let store = game.n_holes();
        let [own_seeds, own_capture, own_again, own_moves] = side_counts(game, own, opponent);
        let [opponent_seeds, opponent_capture, opponent_again, opponent_moves] =
            side_counts(game, opponent, own);
        out.copy_from_slice(&[
            own.get(store) as i32 - opponent.get(store) as i32,
            own_seeds,
            opponent_seeds,
            own_capture,
            opponent_capture,
            own_again,
            opponent_again,
            own_moves,
            opponent_moves,
            if game.sower(at) == view { 1 } else { -1 },
        ]);
    }

    fn begin(&self, _game: &G, _at: &G::Position) {}

    #[inline]
    fn advance(&self, _game: &G, _accumulator: &mut (), _at: &G::Position, _mv: G::Move) {}
}
