//! What an evaluation may look at: a heap that is a multiple of four is lost for the side to move.
//!
//! Whatever that side takes, the rival takes the rest of four, down to the last counter.

use super::SkeletonGame;
use super::rules::{Heap, MOST_TAKEN, Take};
use palestra_core::{Feature, FeatureSet, Side};

/// The feature set `rest`.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    features: [Feature; 3],
}

impl Rest {
    pub(super) fn new(game: &SkeletonGame) -> Rest {
        let most = i32::from(game.n_counters);
        let most_rest = i32::from(game.n_counters.min(MOST_TAKEN));
        Rest {
            features: [
                Feature::new("left", "counters left", 0, most),
                Feature::new("own-rest", "counters beyond a multiple of four, on own turn", 0, most_rest),
                Feature::new("rival-rest", "counters beyond a multiple of four, on the rival's turn", 0, most_rest),
            ],
        }
    }
}

impl FeatureSet<SkeletonGame> for Rest {
    /// Reading a heap costs nothing, so nothing is kept along a line of play.
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, _game: &SkeletonGame, at: &Heap, view: Side, out: &mut [i32]) {
        let rest = i32::from(at.left % (MOST_TAKEN + 1));
        let rests = if at.to_move == view { [rest, 0] } else { [0, rest] };
        out.copy_from_slice(&[i32::from(at.left), rests[0], rests[1]]);
    }

    fn begin(&self, _game: &SkeletonGame, _at: &Heap) {}

    fn advance(&self, _game: &SkeletonGame, _memo: &mut (), _at: &Heap, _mv: Take) {}
}
