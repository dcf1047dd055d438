//! A sowing as people see it: seeds are lifted, dropped one by one, and what they win is taken. Shared by every game of
//! this kind.

use super::cups::CupRow;
use super::text::draw;
use palestra_core::{BoardGrid, MAX_FRAMES, Side};

/// Steps left for what comes after the sowing, and for the lifting before it.
const OTHER_STEPS: usize = 5;

/// A sowing that can be watched.
pub(crate) struct SowingAnimation {
    pub(crate) n_holes: usize,
    /// Who sows.
    pub(crate) side: Side,
    pub(crate) hole: usize,
    /// Whether the rival's store is left out.
    pub(crate) skips_store: bool,
}

impl SowingAnimation {
    /// The own and the other row when the seeds are in the hand, and after each seed; after every few where there are
    /// very many.
    pub(crate) fn steps<R: CupRow>(&self, own: R, other: R) -> Vec<[R; 2]> {
        let n_seeds = own.get(self.hole) as usize;
        let at_once = n_seeds.div_ceil(MAX_FRAMES - OTHER_STEPS).max(1);
        let n_cups = 2 * (self.n_holes + 1) - usize::from(self.skips_store);
        let mut rows = [own.with(self.hole, 0), other];
        let mut steps = vec![rows];
        for seed in 1..=n_seeds {
            let cup = (self.hole + seed) % n_cups;
            let (row, cup) = (cup / (self.n_holes + 1), cup % (self.n_holes + 1));
            rows[row] = rows[row].with(cup, rows[row].get(cup) + 1);
            if seed % at_once == 0 || seed == n_seeds {
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

/// The cell of a hole of that number, counted from 1 as moves are written, in the picture that [`draw`] makes.
pub(crate) fn hole_spot(stages: &[String], side: Side, n_holes: usize) -> Vec<usize> {
    let number = stages.last().and_then(|stage| stage.parse::<usize>().ok());
    let spot = |number| match side {
        Side::First => n_holes + 2 + number,
        Side::Second => n_holes + 1 - number,
    };
    number.filter(|number| (1..=n_holes).contains(number)).map(spot).into_iter().collect()
}
