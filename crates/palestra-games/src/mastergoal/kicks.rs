//! The ball's way: every square where a turn may leave it, by the fewest kicks (N12 to N18).

use super::field::{ORDER, RAYS, SQUARES, Square, SquareSet};
use super::rules::{BallHolder, MAX_PIECES};
use super::turn_board::TurnBoard;
use super::turns::MAX_KICKS;
use palestra_core::Side;

/// What becomes of a kick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Landing {
    /// Not allowed.
    Illegal,
    /// The own team has it there and must kick again.
    Pass,
    /// The turn ends: nobody has it there, or it is a goal.
    Rest,
}

/// The ball lies at a square and this piece is about to kick it.
#[derive(Clone, Copy, Debug)]
struct Node {
    ball: Square,
    kicker: u8,
    /// The node whose kick led here; none for the first kick.
    parent: u16,
}

const NO_PARENT: u16 = u16::MAX;

/// Room for a search over ball square and kicker, used again for every move of a piece.
#[derive(Clone, Debug)]
pub(super) struct KickSearch {
    nodes: [Node; SQUARES * MAX_PIECES],
    /// In which search a (square, kicker) was met last.
    met: [[u8; MAX_PIECES]; SQUARES],
    /// In which search a square was found as a place of rest.
    rests: [u8; SQUARES],
    search: u8,
}

impl KickSearch {
    pub(super) fn new() -> KickSearch {
        let nothing = Node { ball: Square::NONE, kicker: 0, parent: NO_PARENT };
        KickSearch {
            nodes: [nothing; SQUARES * MAX_PIECES],
            met: [[0; MAX_PIECES]; SQUARES],
            rests: [0; SQUARES],
            search: 0,
        }
    }

    /// Hands the ways to every place of rest to `take`, one way to each, fewest kicks first, until it answers
    /// `false`; says whether it never did.
    pub(super) fn find(
        &mut self,
        scene: &TurnBoard,
        ball: Square,
        mut take: impl FnMut([Square; MAX_KICKS]) -> bool,
    ) -> bool {
        self.search += 1; // A team has at most 80 moves: no overflow.
        let barriers = barriers(scene);
        let mut n_nodes = 0;
        let mut push = |nodes: &mut [Node], met: &mut [[u8; MAX_PIECES]; SQUARES], node: Node, search: u8| {
            let mark = &mut met[node.ball.index()][usize::from(node.kicker)];
            if *mark != search {
                *mark = search;
                nodes[n_nodes] = node;
                n_nodes += 1;
            }
            n_nodes
        };
        let mut end = 0;
        for kicker in kickers(scene, ball) {
            let node = Node { ball, kicker: kicker as u8, parent: NO_PARENT };
            end = push(&mut self.nodes, &mut self.met, node, self.search);
        }
        let mut begin = 0;
        for n_kicks in 1..=MAX_KICKS {
            let layer = begin..end;
            begin = end;
            for i in layer {
                let Node { ball: from, kicker, .. } = self.nodes[i];
                for direction in ORDER[scene.side.index()] {
                    for &to in &RAYS[from.index()][direction] {
                        if !to.is_some() {
                            break;
                        }
                        match landing(scene, usize::from(kicker), to) {
                            Landing::Illegal => {}
                            Landing::Rest => {
                                if self.rests[to.index()] != self.search {
                                    self.rests[to.index()] = self.search;
                                    if !take(self.way(i, to)) {
                                        return false;
                                    }
                                }
                            }
                            Landing::Pass if n_kicks < MAX_KICKS => {
                                for next in kickers(scene, to).filter(|&next| next != usize::from(kicker)) {
                                    let node = Node { ball: to, kicker: next as u8, parent: i as u16 };
                                    end = push(&mut self.nodes, &mut self.met, node, self.search);
                                }
                            }
                            Landing::Pass => {}
                        }
                        if barriers.has(to) {
                            break; // N13
                        }
                    }
                }
            }
        }
        true
    }

    /// The squares of touch-down on the way to the kick of node `last`, which ends at `rest`.
    fn way(&self, last: usize, rest: Square) -> [Square; MAX_KICKS] {
        let mut way = [Square::NONE; MAX_KICKS];
        way[0] = rest;
        let mut n_kicks = 1;
        let mut node = self.nodes[last];
        while node.parent != NO_PARENT {
            way.copy_within(0..n_kicks, 1);
            way[0] = node.ball;
            n_kicks += 1;
            node = self.nodes[usize::from(node.parent)];
        }
        way
    }
}

/// The pieces that may kick a ball lying there (N12).
#[inline]
pub(super) fn kickers(scene: &TurnBoard, ball: Square) -> impl Iterator<Item = usize> + use<> {
    let (near, n_pieces) = (scene.near(scene.side, ball), scene.n_pieces);
    (0..n_pieces).filter(move |piece| near >> piece & 1 == 1)
}

/// Squares the ball does not fly over (N13).
pub(super) fn barriers(scene: &TurnBoard) -> SquareSet {
    let mut barriers = SquareSet::default();
    if !scene.has_keeper {
        return barriers;
    }
    let rival = scene.side.other();
    for side in Side::BOTH {
        let keeper = scene.keeper(side);
        if keeper.is_in_big_area_of(side) {
            barriers.add(keeper); // (a)
        }
    }
    scene.arms_of(rival).for_each(|arm| barriers.add(arm)); // (b)
    for &piece in &scene.teams[rival.index()][..scene.n_pieces] {
        if piece.is_in_small_area_of(rival) {
            barriers.add(piece); // (c)
        }
    }
    barriers
}

/// What becomes of a kick by `kicker` that comes down on `to`, whatever it flew over.
#[inline]
pub(super) fn landing(scene: &TurnBoard, kicker: usize, to: Square) -> Landing {
    let side = scene.side;
    if let Some(owner) = to.goal_of() {
        return if owner == side { Landing::Illegal } else { Landing::Rest }; // N17
    }
    // N12, N15: onto an empty square, and never into an own corner.
    if scene.occupied.has(to) || to.is_corner_of(side) {
        return Landing::Illegal;
    }
    let near = scene.near(side, to);
    let kicker_is_near = near >> kicker & 1 == 1;
    match scene.holder(to) {
        BallHolder::Team(owner) if owner != side => Landing::Illegal, // N14
        // N16: somebody else must be there to take it.
        BallHolder::Team(_) if near == 1 << kicker => Landing::Illegal,
        BallHolder::Team(_) => Landing::Pass,
        // N15, N16: no stop in the own big area, none where the kicker is next to the ball.
        BallHolder::Neutral | BallHolder::Free if to.is_in_big_area_of(side) || kicker_is_near => {
            Landing::Illegal
        }
        BallHolder::Neutral | BallHolder::Free => Landing::Rest,
    }
}
