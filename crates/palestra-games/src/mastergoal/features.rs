//! The features of the Mastergoal study: eight for one piece a side, twenty-four for five.
//!
//! The evaluation takes the viewpoint of the side to move; `extract` takes that of any side.

use super::field::Square;
use super::rules::{BallHolder, MAX_PIECES, Mastergoal, Position, Turn};
use palestra_core::{Convention, Feature, FeatureSet, Side, Viewpoint};

/// Rows by which a square lies beyond the middle row, for a team.
#[inline]
fn advance(square: Square, side: Side) -> i32 {
    square.own_row(side) as i32 - 7
}

/// The study's convention: a goal is better than any sum, and values are for the side to move.
fn convention() -> Convention {
    Convention { viewpoint: Viewpoint::SideToMove, ..Convention::default() }
}

/// The feature set `level1`. With more than one piece a side, distance, advance and column distance are those of the
/// best piece in each.
#[derive(Clone, Debug)]
pub(super) struct Level1Features {
    features: [Feature; 8],
}

impl Level1Features {
    pub(super) fn new() -> Level1Features {
        let features = [
            Feature::new("ball-advance", "rows of the ball beyond the middle row", -7, 7),
            Feature::new("own-distance", "steps from the nearest own piece to the ball", 0, 14),
            Feature::new("own-advance", "rows of the most advanced own piece beyond the middle row", -6, 6),
            Feature::new("own-column-distance", "columns from the ball to the nearest own piece", 0, 10),
            Feature::new("rival-distance", "steps from the nearest opponent piece to the ball", 0, 14),
            Feature::new(
                "rival-advance",
                "rows of the most advanced opponent piece beyond the middle row",
                -6,
                6,
            ),
            Feature::new(
                "rival-column-distance",
                "columns from the ball to the nearest opponent piece",
                0,
                10,
            ),
            Feature::new("distance-lead", "opponent distance minus own distance", -14, 14),
        ];
        Level1Features { features }
    }
}

/// Smallest distance, largest advance and smallest column distance of a team.
#[inline(always)]
fn best_values(at: &Position, side: Side) -> [i32; 3] {
    let mut best = [i32::MAX, i32::MIN, i32::MAX];
    for piece in at.pieces(side) {
        best[0] = best[0].min(piece.distance(at.ball));
        best[1] = best[1].max(advance(piece, side));
        best[2] = best[2].min(piece.column_distance(at.ball));
    }
    best
}

impl FeatureSet<Mastergoal> for Level1Features {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    #[inline]
    fn extract(&self, _game: &Mastergoal, at: &Position, view: Side, out: &mut [i32]) {
        let (own, opponent) = (best_values(at, view), best_values(at, view.other()));
        out[0] = advance(at.ball, view);
        out[1..4].copy_from_slice(&own);
        out[4..7].copy_from_slice(&opponent);
        out[7] = opponent[0] - own[0];
    }

    fn begin(&self, _game: &Mastergoal, _at: &Position) {}

    #[inline]
    fn advance(&self, _game: &Mastergoal, _accumulator: &mut (), _at: &Position, _mv: Turn) {}

    fn convention(&self) -> Convention {
        convention()
    }
}

/// The feature set `level3`. Features of pieces that a level does not have are 0.
#[derive(Clone, Debug)]
pub(super) struct Level3Features {
    features: [Feature; 24],
}

impl Level3Features {
    pub(super) fn new() -> Level3Features {
        let near = |name, meaning| Feature::new(name, meaning, 0, 14);
        let far = |name, meaning| Feature::new(name, meaning, -6, 6);
        let border = |name, meaning| Feature::new(name, meaning, 0, 10);
        let flag = |name, meaning| Feature::new(name, meaning, 0, 1);
        let pairs = |name, meaning| Feature::new(name, meaning, 0, 10);
        let features = [
            Feature::new("ball-advance", "rows of the ball beyond the middle row", -7, 7),
            near("own-distance-1", "steps from the nearest own piece to the ball"),
            near("own-distance-2", "steps from the second nearest own piece to the ball"),
            near("own-distance-3", "steps from the third nearest own piece to the ball"),
            far("own-advance-1", "rows of the most advanced own piece beyond the middle row"),
            far("own-advance-2", "rows of the second most advanced own piece beyond the middle row"),
            far("own-advance-3", "rows of the third most advanced own piece beyond the middle row"),
            border("own-border", "own pieces on the side lines (2 each) and next to them (1 each)"),
            flag("own-keeper-home", "1 if the own keeper is in its big area"),
            near("rival-distance-1", "steps from the nearest opponent piece to the ball"),
            near("rival-distance-2", "steps from the second nearest opponent piece to the ball"),
            near("rival-distance-3", "steps from the third nearest opponent piece to the ball"),
            far("rival-advance-1", "rows of the most advanced opponent piece beyond the middle row"),
            far("rival-advance-2", "rows of the second most advanced opponent piece beyond the middle row"),
            far("rival-advance-3", "rows of the third most advanced opponent piece beyond the middle row"),
            border("rival-border", "opponent pieces on the side lines (2 each) and next to them (1 each)"),
            flag("rival-keeper-home", "1 if the opponent keeper is in its big area"),
            Feature::new("distance-lead", "smallest opponent distance minus smallest own distance", -14, 14),
            flag("neutral", "1 if both teams have the same number of pieces next to the ball, at least one"),
            flag("special", "1 if the ball is on a square that gives the own team another turn"),
            pairs("own-close-pairs", "own pairs less than 3 steps apart"),
            pairs("own-far-pairs", "own pairs more than 5 steps apart"),
            pairs("rival-close-pairs", "opponent pairs less than 3 steps apart"),
            pairs("rival-far-pairs", "opponent pairs more than 5 steps apart"),
        ];
        Level3Features { features }
    }
}

/// The features of one team.
struct TeamFeatures {
    /// Three smallest distances, three largest advances, border, keeper.
    slots: [i32; 8],
    close_pairs: i32,
    far_pairs: i32,
}

impl TeamFeatures {
    #[inline]
    fn of(game: &Mastergoal, at: &Position, side: Side) -> TeamFeatures {
        let n_pieces = game.level.n_pieces();
        let team = &at.teams[side.index()][..n_pieces];
        let mut distances = [i32::MAX; MAX_PIECES];
        let mut advances = [i32::MIN; MAX_PIECES];
        let (mut border, mut close_pairs, mut far_pairs) = (0, 0, 0);
        for (i, &piece) in team.iter().enumerate() {
            distances[i] = piece.distance(at.ball);
            advances[i] = advance(piece, side);
            border += match piece.column() {
                0 | 10 => 2,
                1 | 9 => 1,
                _ => 0,
            };
            for &other in &team[..i] {
                let apart = piece.distance(other);
                close_pairs += i32::from(apart < 3);
                far_pairs += i32::from(apart > 5);
            }
        }
        distances.sort_unstable();
        advances.sort_unstable_by(|a, b| b.cmp(a));
        let slot = |list: [i32; MAX_PIECES], i: usize| if i < n_pieces { list[i] } else { 0 };
        let keeper_home = game.level.has_keeper() && team[n_pieces - 1].is_in_big_area_of(side);
        let slots = [
            slot(distances, 0),
            slot(distances, 1),
            slot(distances, 2),
            slot(advances, 0),
            slot(advances, 1),
            slot(advances, 2),
            border,
            i32::from(keeper_home),
        ];
        TeamFeatures { slots, close_pairs, far_pairs }
    }
}

impl FeatureSet<Mastergoal> for Level3Features {
    type Accumulator = ();

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Mastergoal, at: &Position, view: Side, out: &mut [i32]) {
        let own = TeamFeatures::of(game, at, view);
        let opponent = TeamFeatures::of(game, at, view.other());
        out[0] = advance(at.ball, view);
        out[1..9].copy_from_slice(&own.slots);
        out[9..17].copy_from_slice(&opponent.slots);
        out[17] = opponent.slots[0] - own.slots[0];
        out[18] = i32::from(game.holder(at) == BallHolder::Neutral);
        out[19] = i32::from(at.ball.is_special_for(view));
        out[20] = own.close_pairs;
        out[21] = own.far_pairs;
        out[22] = opponent.close_pairs;
        out[23] = opponent.far_pairs;
    }

    fn begin(&self, _game: &Mastergoal, _at: &Position) {}

    #[inline]
    fn advance(&self, _game: &Mastergoal, _accumulator: &mut (), _at: &Position, _mv: Turn) {}

    fn convention(&self) -> Convention {
        convention()
    }
}
