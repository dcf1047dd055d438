//! Animation of a sowing: seeds are lifted and dropped one by one, then captured. Shared by all sowing games.

use super::cups::CupRow;
use super::text::draw;
use palestra_core::{BoardGrid, MAX_FRAMES, Side};

/// Frames reserved for the lifting before the sowing and for the captures after it.
const OTHER_STEPS: usize = 5;

/// A sowing to show step by step.
pub(crate) struct SowingAnimation {
    pub(crate) n_holes: usize,
    /// The side that sows.
    pub(crate) side: Side,
    pub(crate) hole: usize,
    /// Whether the opponent's store is skipped.
    pub(crate) skips_store: bool,
}

impl SowingAnimation {
    /// The own and the other row after the seeds are lifted, and after each seed, or after every few seeds where there
    /// are more than the frames allow.
    pub(crate) fn steps<R: CupRow>(&self, own: R, other: R) -> Vec<[R; 2]> {
        let n_seeds = own.get(self.hole) as usize;
        let seeds_per_step = n_seeds.div_ceil(MAX_FRAMES - OTHER_STEPS).max(1);
        let n_cups = 2 * (self.n_holes + 1) - usize::from(self.skips_store);
        let mut rows = [own.with(self.hole, 0), other];
        let mut steps = vec![rows];
        for seed in 1..=n_seeds {
            let cup = (self.hole + seed) % n_cups;
            let (row, cup) = (cup / (self.n_holes + 1), cup % (self.n_holes + 1));
            rows[row] = rows[row].with(cup, rows[row].get(cup) + 1);
            if seed % seeds_per_step == 0 || seed == n_seeds {
                steps.push(rows);
            }
        }
        steps
    }

    /// The steps as boards, and the board they lead to.
    pub(crate) fn frames<R: CupRow>(&self, steps: &[[R; 2]], end: BoardGrid) -> Vec<BoardGrid> {
        let board = |&[own, other]: &[R; 2]| {
            let rows = if self.side == Side::First { [own, other] } else { [other, own] };
            draw(rows, self.n_holes, Some((self.side, self.hole)))
        };
        let mut frames: Vec<BoardGrid> = steps.iter().map(board).chain([end]).collect();
        frames.dedup();
        frames
    }
}

/// The cell of the hole with the number of the last stage, counted from 1, in the grid of [`draw`].
pub(crate) fn hole_spot(stages: &[String], side: Side, n_holes: usize) -> Vec<usize> {
    let number = stages.last().and_then(|stage| stage.parse::<usize>().ok());
    let spot = |number| match side {
        Side::First => n_holes + 2 + number,
        Side::Second => n_holes + 1 - number,
    };
    number.filter(|number| (1..=n_holes).contains(number)).map(spot).into_iter().collect()
}
