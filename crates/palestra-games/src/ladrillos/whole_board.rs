//! The features `enclosed`, `mirror` and `closing`, which the study dropped or only proposed, for the whole board at
//! once.

use super::rules::{Ladrillos, Position, is_of};
use crate::bitboard::Bitboard;
use palestra_core::Side;

impl<const W: usize, const C: usize, const L: usize> Ladrillos<W, C, L> {
    /// Number of opponent cells with no free neighbor and at least one own neighbor.
    pub(super) fn enclosed(&self, at: &Position<W, C, L>, view: Side) -> i32 {
        let open = self.around(&self.free(at));
        let touched = self.around(&at.bricks[view.index()]);
        at.bricks[view.other().index()].both(&touched).without(&open).count() as i32
    }

    /// Number of own cells whose image under a half turn of the board is the opponent's.
    pub(super) fn mirror(&self, at: &Position<W, C, L>, view: Side) -> i32 {
        let last = self.place(self.n - 1, self.n - 1);
        let [own, opponent] = [view, view.other()].map(|side| &at.bricks[side.index()]);
        own.ones().filter(|place| opponent.get(last - place)).count() as i32
    }

    /// Number of free cells that the opponent's largest islands can reach over cells that are not own.
    pub(super) fn closing(&self, at: &Position<W, C, L>, view: Side) -> i32 {
        let opponent = view.other().index();
        let labels = (0..=at.next[opponent]).filter(|&label| is_of(label, opponent));
        let largest = labels.map(|label| at.sizes[usize::from(label)]).max().unwrap_or(0);
        let mut reached = Bitboard::EMPTY;
        for place in at.bricks[opponent].ones() {
            if at.sizes[usize::from(at.labels[place + self.stride()])] == largest {
                reached.set(place);
            }
        }
        loop {
            let more = reached.union(&self.around(&reached)).without(&at.bricks[view.index()]);
            if more == reached {
                return reached.both(&self.free(at)).count() as i32;
            }
            reached = more;
        }
    }
}
