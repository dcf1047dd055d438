//! Kicks: every square where a turn may leave the ball, by a path with the fewest kicks (N12 to N18).

use super::field::{ORDER, RAYS, SQUARES, Square, SquareSet};
use super::rules::{BallHolder, MAX_PIECES};
use super::turn_board::TurnBoard;
use super::turns::MAX_KICKS;
use palestra_core::Side;

/// The result of a kick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Landing {
    /// Not allowed.
    Illegal,
    /// The own team holds the ball there and must kick again.
    Pass,
    /// The turn ends: no team holds the ball there, or it is a goal.
    Rest,
}

/// The ball is on a square and this piece kicks it next.
#[derive(Clone, Copy, Debug)]
struct Node {
    ball: Square,
    kicker: u8,
    /// The node whose kick led here; [`NO_PARENT`] for the first kick.
    parent: u16,
}

const NO_PARENT: u16 = u16::MAX;

/// Buffers of a breadth-first search over ball square and kicker, reused for every move of a piece.
#[derive(Clone, Debug)]
pub(super) struct KickSearch {
    nodes: [Node; SQUARES * MAX_PIECES],
    /// Number of the last search that reached a (square, kicker).
    visited: [[u8; MAX_PIECES]; SQUARES],
    /// Number of the last search that found a square as a place of rest.
    rests: [u8; SQUARES],
    search: u8,
}

impl KickSearch {
    pub(super) fn new() -> KickSearch {
        let empty = Node { ball: Square::NONE, kicker: 0, parent: NO_PARENT };
        KickSearch {
            nodes: [empty; SQUARES * MAX_PIECES],
            visited: [[0; MAX_PIECES]; SQUARES],
            rests: [0; SQUARES],
            search: 0,
        }
    }

    /// Calls `take` with one path to every place of rest, fewest kicks first, until it returns `false`; returns whether
    /// it never did.
    pub(super) fn find(
        &mut self,
        board: &TurnBoard,
        ball: Square,
        mut take: impl FnMut([Square; MAX_KICKS]) -> bool,
    ) -> bool {
        self.search += 1; // A team has at most 80 moves: no overflow.
        let barriers = barriers(board);
        let mut n_nodes = 0;
        let mut push =
            |nodes: &mut [Node], seen: &mut [[u8; MAX_PIECES]; SQUARES], node: Node, search: u8| {
                let mark = &mut seen[node.ball.index()][usize::from(node.kicker)];
                if *mark != search {
                    *mark = search;
                    nodes[n_nodes] = node;
                    n_nodes += 1;
                }
                n_nodes
            };
        let mut end = 0;
        for kicker in kickers(board, ball) {
            let node = Node { ball, kicker: kicker as u8, parent: NO_PARENT };
            end = push(&mut self.nodes, &mut self.visited, node, self.search);
        }
        let mut begin = 0;
        for n_kicks in 1..=MAX_KICKS {
            let layer = begin..end;
            begin = end;
            for i in layer {
                let Node { ball: from, kicker, .. } = self.nodes[i];
                for direction in ORDER[board.side.index()] {
                    for &to in &RAYS[from.index()][direction] {
                        if !to.is_some() {
                            break;
                        }
                        match landing(board, usize::from(kicker), to) {
                            Landing::Illegal => {}
                            Landing::Rest => {
                                if self.rests[to.index()] != self.search {
                                    self.rests[to.index()] = self.search;
                                    if !take(self.path(i, to)) {
                                        return false;
                                    }
                                }
                            }
                            Landing::Pass if n_kicks < MAX_KICKS => {
                                for next in kickers(board, to).filter(|&next| next != usize::from(kicker)) {
                                    let node = Node { ball: to, kicker: next as u8, parent: i as u16 };
                                    end = push(&mut self.nodes, &mut self.visited, node, self.search);
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

    /// The ball's squares on the path to the kick of node `last`, which ends at `rest`.
    fn path(&self, last: usize, rest: Square) -> [Square; MAX_KICKS] {
        let mut path = [Square::NONE; MAX_KICKS];
        path[0] = rest;
        let mut n_kicks = 1;
        let mut node = self.nodes[last];
        while node.parent != NO_PARENT {
            path.copy_within(0..n_kicks, 1);
            path[0] = node.ball;
            n_kicks += 1;
            node = self.nodes[usize::from(node.parent)];
        }
        path
    }
}

/// The pieces that may kick a ball on this square (N12).
#[inline]
pub(super) fn kickers(board: &TurnBoard, ball: Square) -> impl Iterator<Item = usize> + use<> {
    let (near, n_pieces) = (board.near(board.side, ball), board.n_pieces);
    (0..n_pieces).filter(move |piece| near >> piece & 1 == 1)
}

/// Squares that the ball cannot fly over (N13).
pub(super) fn barriers(board: &TurnBoard) -> SquareSet {
    let mut barriers = SquareSet::default();
    if !board.has_keeper {
        return barriers;
    }
    let opponent = board.side.other();
    for side in Side::BOTH {
        let keeper = board.keeper(side);
        if keeper.is_in_big_area_of(side) {
            barriers.add(keeper); // (a)
        }
    }
    board.arms_of(opponent).for_each(|arm| barriers.add(arm)); // (b)
    for &piece in &board.teams[opponent.index()][..board.n_pieces] {
        if piece.is_in_small_area_of(opponent) {
            barriers.add(piece); // (c)
        }
    }
    barriers
}

/// The result of a kick by `kicker` that lands on `to`; barriers are not checked.
#[inline]
pub(super) fn landing(board: &TurnBoard, kicker: usize, to: Square) -> Landing {
    let side = board.side;
    if let Some(owner) = to.goal_of() {
        return if owner == side { Landing::Illegal } else { Landing::Rest }; // N17
    }
    // N12, N15: onto an empty square, and never into an own corner.
    if board.occupied.has(to) || to.is_corner_of(side) {
        return Landing::Illegal;
    }
    let near = board.near(side, to);
    let kicker_is_near = near >> kicker & 1 == 1;
    match board.holder(to) {
        BallHolder::Team(owner) if owner != side => Landing::Illegal, // N14
        // N16: another piece must be next to the ball.
        BallHolder::Team(_) if near == 1 << kicker => Landing::Illegal,
        BallHolder::Team(_) => Landing::Pass,
        // N15, N16: no rest in the own big area, nor next to the kicker.
        BallHolder::Neutral | BallHolder::Free if to.is_in_big_area_of(side) || kicker_is_near => {
            Landing::Illegal
        }
        BallHolder::Neutral | BallHolder::Free => Landing::Rest,
    }
}
