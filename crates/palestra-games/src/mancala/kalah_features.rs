//! The feature set `kalah`: what a player of today counts.

use super::cups::{CupRow, SowingGain, SowingGame};
use palestra_core::{Feature, FeatureSet, Side};

const N_FEATURES: usize = 10;

/// The set; *own* is whoever asks. A won game counts most, by however few seeds.
#[derive(Clone, Debug)]
pub(crate) struct KalahFeatures {
    features: [Feature; N_FEATURES],
}

impl KalahFeatures {
    pub(crate) fn new<G: SowingGame>(game: &G) -> KalahFeatures {
        let (holes, most) = (game.n_holes() as i32, game.n_seeds() as i32);
        let feature = |name, meaning, high| Feature::new(name, meaning, 0, high);
        KalahFeatures {
            features: [
                Feature::new("store", "seeds in the own store minus those in the rival's", -most, most),
                feature("own-seeds", "seeds in the own holes", most),
                feature("rival-seeds", "seeds in the rival's holes", most),
                feature("own-capture", "most seeds that one own sowing would take from the rival", most),
                feature("rival-capture", "most seeds that one sowing of the rival would take", most),
                feature("own-again", "own holes whose sowing gives another turn", holes),
                feature("rival-again", "holes of the rival whose sowing gives it another turn", holes),
                feature("own-moves", "own holes that are not empty", holes),
                feature("rival-moves", "holes of the rival that are not empty", holes),
                Feature::new("turn", "1 if the own side sows next, -1 if the rival does", -1, 1),
            ],
        }
    }
}

/// Of one side: seeds in the holes, the largest capture, sowings that give another turn, sowings in all. Each as
/// if it were that side's turn.
#[inline]
fn chances<G: SowingGame>(game: &G, own: G::Row, other: G::Row) -> [i32; 4] {
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
        let [own, rival] = [view, view.other()].map(|side| game.row(at, side));
        let store = game.n_holes();
        let [own_seeds, own_capture, own_again, own_moves] = chances(game, own, rival);
        let [rival_seeds, rival_capture, rival_again, rival_moves] = chances(game, rival, own);
        out.copy_from_slice(&[
            own.get(store) as i32 - rival.get(store) as i32,
            own_seeds,
            rival_seeds,
            own_capture,
            rival_capture,
            own_again,
            rival_again,
            own_moves,
            rival_moves,
            if game.sower(at) == view { 1 } else { -1 },
        ]);
    }

    fn begin(&self, _game: &G, _at: &G::Position) {}

    #[inline]
    fn advance(&self, _game: &G, _memo: &mut (), _at: &G::Position, _mv: G::Move) {}
}
