//! A position being searched.

use crate::table::Bound;

/// The best value so far, and the window in which values still matter.
pub(super) struct Node {
    pub(super) is_max: bool,
    pub(super) best: f64,
    pub(super) window: [f64; 2],
    /// The window it was asked with.
    asked: [f64; 2],
}

impl Node {
    #[inline(always)]
    pub(super) fn new(is_max: bool, window: [f64; 2]) -> Node {
        let best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        Node { is_max, best, window, asked: window }
    }

    /// Whether its value no longer matters.
    #[inline(always)]
    pub(super) fn is_cut(&self) -> bool {
        self.window[0] >= self.window[1]
    }

    /// Counts a child's value; says whether it is the best so far.
    #[inline(always)]
    pub(super) fn take(&mut self, value: f64) -> bool {
        let is_better = if self.is_max { value > self.best } else { value < self.best };
        if is_better {
            self.best = value;
            let [alpha, beta] = &mut self.window;
            if self.is_max {
                *alpha = if value > *alpha { value } else { *alpha };
            } else {
                *beta = if value < *beta { value } else { *beta };
            }
        }
        is_better
    }

    /// The window that only tells whether a child matters.
    #[inline(always)]
    pub(super) fn null_window(&self) -> [f64; 2] {
        let [alpha, beta] = self.window;
        if self.is_max { [alpha, alpha.next_up()] } else { [beta.next_down(), beta] }
    }

    /// What the best value says of the true one.
    #[inline(always)]
    pub(super) fn bound(&self) -> Bound {
        match () {
            () if self.best <= self.asked[0] => Bound::Upper,
            () if self.best >= self.asked[1] => Bound::Lower,
            () => Bound::Exact,
        }
    }
}
