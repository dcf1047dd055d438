//! The features of the Mastergoal study: eight for one piece a side, twenty-four for five.
//!
//! The evaluation looks with the eyes of the side to move; `extract` sees any position with the eyes of the side
//! it is asked for.

use super::field::Square;
use super::rules::{BallHolder, MAX_PIECES, Mastergoal, Position, Turn};
use palestra_core::{Convention, Feature, FeatureSet, Side, Viewpoint};

/// How far up the field a square lies for a team; the middle line is 0.
#[inline]
fn advance(square: Square, side: Side) -> i32 {
    square.own_row(side) as i32 - 7
}

/// The study's convention: a goal beats everything, and the side to move is the one who looks.
fn convention() -> Convention {
    Convention { viewpoint: Viewpoint::SideToMove, ..Convention::default() }
}

/// The feature set `level1`. With more than one piece a side the nearest, the most advanced and the one closest
/// to the ball's column stand for the team.
#[derive(Clone, Debug)]
pub(super) struct Level1Features {
    features: [Feature; 8],
}

impl Level1Features {
    pub(super) fn new() -> Level1Features {
        let features = [
            Feature::new("ball-advance", "how far up the field the ball is", -7, 7),
            Feature::new("own-distance", "steps from the nearest own piece to the ball", 0, 14),
            Feature::new("own-advance", "how far up the field the foremost own piece is", -6, 6),
            Feature::new("own-column-distance", "columns between the ball and the nearest own piece", 0, 10),
            Feature::new("rival-distance", "steps from the nearest rival piece to the ball", 0, 14),
            Feature::new("rival-advance", "how far up its field the foremost rival piece is", -6, 6),
            Feature::new(
                "rival-column-distance",
                "columns between the ball and the nearest rival piece",
                0,
                10,
            ),
            Feature::new("distance-lead", "rival distance minus own distance", -14, 14),
        ];
        Level1Features { features }
    }
}

/// Nearest distance, foremost advance, nearest column distance.
#[inline(always)]
fn stand_in(at: &Position, side: Side) -> [i32; 3] {
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
        let (own, rival) = (stand_in(at, view), stand_in(at, view.other()));
        out[0] = advance(at.ball, view);
        out[1..4].copy_from_slice(&own);
        out[4..7].copy_from_slice(&rival);
        out[7] = rival[0] - own[0];
    }

    fn begin(&self, _game: &Mastergoal, _at: &Position) {}

    #[inline]
    fn advance(&self, _game: &Mastergoal, _memo: &mut (), _at: &Position, _mv: Turn) {}

    fn convention(&self) -> Convention {
        convention()
    }
}

/// The feature set `level3`. Slots for pieces that a level does not have are 0.
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
            Feature::new("ball-advance", "how far up the field the ball is", -7, 7),
            near("own-distance-1", "steps from the nearest own piece to the ball"),
            near("own-distance-2", "steps from the second nearest own piece to the ball"),
            near("own-distance-3", "steps from the third nearest own piece to the ball"),
            far("own-advance-1", "how far up the field the foremost own piece is"),
            far("own-advance-2", "how far up the field the second own piece is"),
            far("own-advance-3", "how far up the field the third own piece is"),
            border("own-border", "own pieces on the border, each 2, and next to it, each 1"),
            flag("own-keeper-home", "whether the own keeper is in its big area"),
            near("rival-distance-1", "steps from the nearest rival piece to the ball"),
            near("rival-distance-2", "steps from the second nearest rival piece to the ball"),
            near("rival-distance-3", "steps from the third nearest rival piece to the ball"),
            far("rival-advance-1", "how far up its field the foremost rival piece is"),
            far("rival-advance-2", "how far up its field the second rival piece is"),
            far("rival-advance-3", "how far up its field the third rival piece is"),
            border("rival-border", "rival pieces on the border, each 2, and next to it, each 1"),
            flag("rival-keeper-home", "whether the rival keeper is in its big area"),
            Feature::new("distance-lead", "nearest rival distance minus nearest own distance", -14, 14),
            flag("neutral", "whether both teams are next to the ball in equal numbers"),
            flag("special", "whether the ball is on a square that gives me another turn"),
            pairs("own-close-pairs", "own pairs less than 3 steps apart"),
            pairs("own-far-pairs", "own pairs more than 5 steps apart"),
            pairs("rival-close-pairs", "rival pairs less than 3 steps apart"),
            pairs("rival-far-pairs", "rival pairs more than 5 steps apart"),
        ];
        Level3Features { features }
    }
}

/// What one team adds to the features.
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
        let (own, rival) = (TeamFeatures::of(game, at, view), TeamFeatures::of(game, at, view.other()));
        out[0] = advance(at.ball, view);
        out[1..9].copy_from_slice(&own.slots);
        out[9..17].copy_from_slice(&rival.slots);
        out[17] = rival.slots[0] - own.slots[0];
        out[18] = i32::from(game.holder(at) == BallHolder::Neutral);
        out[19] = i32::from(at.ball.is_special_for(view));
        out[20] = own.close_pairs;
        out[21] = own.far_pairs;
        out[22] = rival.close_pairs;
        out[23] = rival.far_pairs;
    }

    fn begin(&self, _game: &Mastergoal, _at: &Position) {}

    #[inline]
    fn advance(&self, _game: &Mastergoal, _memo: &mut (), _at: &Position, _mv: Turn) {}

    fn convention(&self) -> Convention {
        convention()
    }
}
