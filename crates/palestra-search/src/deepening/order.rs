//! Move ordering: table move, killer moves, history heuristic, and evaluation near the root.

use crate::minimax::SearchContext;
use palestra_core::{ChildBuffers, Evaluator, Game, Side};

/// Children of positions less than this number of plies from the root are ordered by evaluation.
const EVALUATED_PLIES: u32 = 2;
/// Size of the history table, indexed by [`Game::history_index`].
const HISTORY_SIZE: usize = 4096;

/// Scores of the table's move and of killer moves, the latest moves that caused a cutoff at the same ply. History
/// scores are smaller.
const TABLE_MOVE: i64 = 1 << 46;
const KILLER: i64 = 1 << 45;
const MAX_HISTORY: i64 = 1 << 44;

/// A legal move with its score. The lowest bits of the score are the complement of the move's index in the game's
/// order, so that among equals the first has the larger score.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateMove<M> {
    pub(super) mv: M,
    score: i64,
}

impl<M> CandidateMove<M> {
    #[inline(always)]
    fn new(mv: M, score: i64, index: u16) -> CandidateMove<M> {
        CandidateMove { mv, score: score << u16::BITS | i64::from(!index) }
    }

    /// Its index in the game's order.
    #[inline(always)]
    pub(super) fn index(&self) -> u16 {
        !(self.score as u16)
    }
}

/// The moves of the current line, and statistics about moves.
#[derive(Clone, Debug)]
pub(super) struct MoveOrdering<M> {
    /// The moves of all positions of the current line, as one stack.
    candidates: Vec<CandidateMove<M>>,
    moves: Vec<M>,
    children: ChildBuffers,
    /// By ply, the last two moves that caused a cutoff, the latest first; the same twice if there was one.
    killers: Vec<Option<[M; 2]>>,
    history: Vec<[i64; 2]>,
}

impl<M: Copy + Eq> MoveOrdering<M> {
    pub(super) fn new() -> MoveOrdering<M> {
        MoveOrdering {
            candidates: Vec::new(),
            moves: Vec::new(),
            children: ChildBuffers::default(),
            killers: Vec::new(),
            history: vec![[0; 2]; HISTORY_SIZE],
        }
    }

    /// Clears the stack and scales the history down.
    pub(super) fn begin(&mut self) {
        self.candidates.clear();
        self.history.iter_mut().flatten().for_each(|count| *count /= 8);
    }

    /// The legal moves of `at`, in the game's order.
    #[inline(always)]
    pub(super) fn moves<G: Game<Move = M>>(&mut self, game: &G, at: &G::Position) -> &[M] {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        &self.moves
    }

    /// Fills `moves` with the legal moves of the root, and `order` with their indices, best score first.
    pub(super) fn rank<G, E>(
        &mut self,
        context: &SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        moves: &mut Vec<M>,
        order: &mut Vec<usize>,
    ) where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let (from, to) = self.push(context, at, accumulator, 0);
        moves.clone_from(&self.moves);
        order.clear();
        order.extend((from..to).map(|i| usize::from(self.pick(i, to).index())));
        self.truncate(from);
    }

    /// Pushes the legal moves of `at`, `ply` plies below the root, on the stack; returns where they begin and end.
    #[inline]
    pub(super) fn push<G, E>(
        &mut self,
        context: &SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        ply: u32,
    ) -> (usize, usize)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let game = context.game;
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let from = self.candidates.len();
        if ply < EVALUATED_PLIES {
            self.push_by_value(context, at, accumulator);
        } else {
            self.push_by_history(game, at, ply);
        }
        (from, self.candidates.len())
    }

    /// Pushes the moves in the buffer, scored by killers and history.
    #[inline(always)]
    fn push_by_history<G: Game<Move = M>>(&mut self, game: &G, at: &G::Position, ply: u32) {
        let MoveOrdering { candidates, moves, history, killers, .. } = self;
        let side = game.to_move(at).index();
        let history_score =
            |mv| history[game.history_index(mv) % HISTORY_SIZE][side] + i64::from(game.order_hint(at, mv));
        let moves = moves.iter().enumerate();
        match killers.get(ply as usize) {
            Some(&Some([a, b])) => candidates.extend(moves.map(|(i, &mv)| {
                let score = if mv == a || mv == b { KILLER } else { history_score(mv) };
                CandidateMove::new(mv, score, i as u16)
            })),
            _ => candidates.extend(moves.map(|(i, &mv)| CandidateMove::new(mv, history_score(mv), i as u16))),
        }
    }

    /// Pushes the moves in the buffer, scored by the evaluation of the children for the side to move.
    fn push_by_value<G, E>(
        &mut self,
        context: &SearchContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let SearchContext { game, evaluator, view, .. } = *context;
        evaluator.child_values(game, at, accumulator, view, &self.moves, &mut self.children);
        let sign = if game.to_move(at) == view { 1.0 } else { -1.0 };
        for (i, (&mv, &value)) in self.moves.iter().zip(&self.children.values).enumerate() {
            self.candidates.push(CandidateMove::new(mv, sort_key(sign * value), i as u16));
        }
    }

    /// The moves that were pushed last, in the game's order.
    #[inline(always)]
    pub(super) fn pushed(&self) -> &[M] {
        &self.moves
    }

    /// Gives a candidate just pushed the score of the table's move.
    #[inline(always)]
    pub(super) fn promote(&mut self, i: usize) {
        let candidate = &mut self.candidates[i];
        *candidate = CandidateMove::new(candidate.mv, TABLE_MOVE, candidate.index());
    }

    /// Swaps the candidate with the best score in a part of the stack to its front.
    #[inline(always)]
    pub(super) fn pick(&mut self, from: usize, to: usize) -> CandidateMove<M> {
        let candidates = &mut self.candidates[from..to];
        let mut best = 0;
        let mut max = candidates[0].score;
        for (i, candidate) in candidates.iter().enumerate().skip(1) {
            (best, max) = if candidate.score > max { (i, candidate.score) } else { (best, max) };
        }
        candidates.swap(0, best);
        candidates[0]
    }

    /// Removes the candidates from `from` on.
    #[inline(always)]
    pub(super) fn truncate(&mut self, from: usize) {
        self.candidates.truncate(from);
    }

    /// Records a move that caused a cutoff as killer and in the history.
    #[inline]
    pub(super) fn record_cutoff<G: Game<Move = M>>(
        &mut self,
        game: &G,
        mv: M,
        side: Side,
        depth: u32,
        ply: u32,
    ) {
        if self.killers.len() <= ply as usize {
            self.killers.resize(ply as usize + 1, None);
        }
        let killers = &mut self.killers[ply as usize];
        match killers {
            Some([latest, _]) if *latest == mv => {}
            Some([latest, _]) => *killers = Some([mv, *latest]),
            None => *killers = Some([mv, mv]),
        }
        let count = &mut self.history[game.history_index(mv) % HISTORY_SIZE][side.index()];
        *count = (*count + i64::from(depth * depth)).min(MAX_HISTORY);
    }
}

/// Maps values to whole numbers in the same order, with reduced precision so that they fit a score.
fn sort_key(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    (bits ^ ((bits >> 63) as u64 >> 1) as i64) >> 18
}
