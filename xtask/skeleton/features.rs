//! The features: a heap that is a multiple of four is lost for the side to move.
//!
//! For any number of counters that this side takes, the opponent can take the rest of four, down to the last counter.

use super::SkeletonGame;
use super::rules::{MAX_TAKEN, SkeletonMove, SkeletonPosition};
use palestra_core::{Feature, FeatureSet, Side};

/// The feature set `rest`.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    features: [Feature; 3],
}

impl Rest {
    pub(super) fn new(game: &SkeletonGame) -> Rest {
        let max_left = i32::from(game.n_counters);
        let max_rest = i32::from(game.n_counters.min(MAX_TAKEN));
        Rest {
            features: [
                Feature::new("left", "counters left", 0, max_left),
                Feature::new("own-rest", "counters beyond a multiple of four, on own turn", 0, max_rest),
                Feature::new(
                    "rival-rest",
                    "counters beyond a multiple of four, on the opponent's turn",
                    0,
                    max_rest,
                ),
            ],
        }
    }
}

impl FeatureSet<SkeletonGame> for Rest {
    /// Extraction is cheap, so that no incremental state is needed.
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, _game: &SkeletonGame, at: &SkeletonPosition, view: Side, out: &mut [i32]) {
        let rest = i32::from(at.left % (MAX_TAKEN + 1));
        let rests = if at.to_move == view { [rest, 0] } else { [0, rest] };
        out.copy_from_slice(&[i32::from(at.left), rests[0], rests[1]]);
    }

    fn begin(&self, _game: &SkeletonGame, _at: &SkeletonPosition) {}

    fn advance(
        &self,
        _game: &SkeletonGame,
        _accumulator: &mut (),
        _at: &SkeletonPosition,
        _mv: SkeletonMove,
    ) {
    }
}
