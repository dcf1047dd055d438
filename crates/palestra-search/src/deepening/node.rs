//! A position being searched.

use crate::table::Bound;

/// The best value so far and the current window.
pub(super) struct Node {
    pub(super) is_max: bool,
    pub(super) best: f64,
    pub(super) window: [f64; 2],
    /// The window at the start.
    initial_window: [f64; 2],
}

impl Node {
    #[inline(always)]
    pub(super) fn new(is_max: bool, window: [f64; 2]) -> Node {
        let best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        Node { is_max, best, window, initial_window: window }
    }

    /// Whether the rest of the children can be cut off.
    #[inline(always)]
    pub(super) fn is_cut(&self) -> bool {
        self.window[0] >= self.window[1]
    }

    /// Takes a child's value into account; returns whether it is the best so far.
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

    /// The window that only decides whether a child is better than the best so far.
    #[inline(always)]
    pub(super) fn null_window(&self) -> [f64; 2] {
        let [alpha, beta] = self.window;
        if self.is_max { [alpha, alpha.next_up()] } else { [beta.next_down(), beta] }
    }

    /// How the best value relates to the true value.
    #[inline(always)]
    pub(super) fn bound(&self) -> Bound {
        match () {
            () if self.best <= self.initial_window[0] => Bound::Upper,
            () if self.best >= self.initial_window[1] => Bound::Lower,
            () => Bound::Exact,
        }
    }
}
