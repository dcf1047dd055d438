//! The features that the study only thought about or dropped, for the whole board at once.

use super::bits::LadrillosBitboard;
use super::rules::{Ladrillos, Position, is_of};
use palestra_core::Side;

impl<const W: usize, const C: usize, const L: usize> Ladrillos<W, C, L> {
    /// Rival cells with no free neighbor and at least one own neighbor.
    pub(super) fn enclosed(&self, at: &Position<W, C, L>, view: Side) -> i32 {
        let open = self.around(&self.free(at));
        let touched = self.around(&at.bricks[view.index()]);
        at.bricks[view.other().index()].both(&touched).without(&open).count() as i32
    }

    /// Own cells whose image under a half turn of the board is the rival's.
    pub(super) fn mirror(&self, at: &Position<W, C, L>, view: Side) -> i32 {
        let last = self.place(self.n - 1, self.n - 1);
        let [own, rival] = [view, view.other()].map(|side| &at.bricks[side.index()]);
        own.ones().filter(|place| rival.get(last - place)).count() as i32
    }

    /// Free cells that the rival's largest islands can get to over cells that are not own.
    pub(super) fn closing(&self, at: &Position<W, C, L>, view: Side) -> i32 {
        let rival = view.other().index();
        let labels = (0..=at.next[rival]).filter(|&label| is_of(label, rival));
        let largest = labels.map(|label| at.sizes[usize::from(label)]).max().unwrap_or(0);
        let mut found = LadrillosBitboard::EMPTY;
        for place in at.bricks[rival].ones() {
            if at.sizes[usize::from(at.labels[place + self.stride()])] == largest {
                found.set(place);
            }
        }
        loop {
            let more = found.union(&self.around(&found)).without(&at.bricks[view.index()]);
            if more == found {
                return found.both(&self.free(at)).count() as i32;
            }
            found = more;
        }
    }
}
