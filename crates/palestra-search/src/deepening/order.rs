//! Which moves to look at first.

use crate::minimax::SearchContext;
use palestra_core::{ChildBuffers, Evaluator, Game, Side};

/// Positions this close to the root have their children ordered by evaluation.
const EVALUATED_PLIES: u32 = 2;
/// Room for the history of moves, by [`Game::slot`].
const SLOTS: usize = 4096;

/// What the move of the table promises, and the moves that cut other positions of the same ply short; the history
/// of a move never promises as much.
const KNOWN: i64 = 1 << 46;
const KILLER: i64 = 1 << 45;
const MOST_HISTORY: i64 = 1 << 44;

/// A legal move, what it promises, and in the lowest bits its place in the game's order: of equals, the first has
/// the larger number.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateMove<M> {
    pub(super) mv: M,
    promise: i64,
}

impl<M> CandidateMove<M> {
    #[inline(always)]
    fn new(mv: M, promise: i64, place: u16) -> CandidateMove<M> {
        CandidateMove { mv, promise: promise << u16::BITS | i64::from(!place) }
    }

    /// Its place in the game's order.
    #[inline(always)]
    pub(super) fn place(&self) -> u16 {
        !(self.promise as u16)
    }
}

/// The moves of the line being searched, and what has been learnt about moves.
#[derive(Clone, Debug)]
pub(super) struct MoveOrdering<M> {
    /// One stack for the whole line.
    choices: Vec<CandidateMove<M>>,
    moves: Vec<M>,
    children: ChildBuffers,
    /// By ply, the last two moves that cut a position short, the latest first; the same twice if there was one.
    killers: Vec<Option<[M; 2]>>,
    history: Vec<[i64; 2]>,
}

impl<M: Copy + Eq> MoveOrdering<M> {
    pub(super) fn new() -> MoveOrdering<M> {
        MoveOrdering {
            choices: Vec::new(),
            moves: Vec::new(),
            children: ChildBuffers::default(),
            killers: Vec::new(),
            history: vec![[0; 2]; SLOTS],
        }
    }

    /// Forgets the line, and most of the history.
    pub(super) fn begin(&mut self) {
        self.choices.clear();
        self.history.iter_mut().flatten().for_each(|count| *count /= 8);
    }

    /// The legal moves of `at`, in the game's order.
    #[inline(always)]
    pub(super) fn moves<G: Game<Move = M>>(&mut self, game: &G, at: &G::Position) -> &[M] {
        self.moves.clear();
        game.moves(at, &mut self.moves);
        &self.moves
    }

    /// Fills `moves` with the legal moves of the root, and `order` with their places, the most promising first.
    pub(super) fn rank<G, E>(
        &mut self,
        look: &SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        moves: &mut Vec<M>,
        order: &mut Vec<usize>,
    ) where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let (from, to) = self.push(look, at, memo, 0);
        moves.clone_from(&self.moves);
        order.clear();
        order.extend((from..to).map(|i| usize::from(self.pick(i, to).place())));
        self.truncate(from);
    }

    /// Puts the legal moves of `at`, `ply` plies below the root, on the stack; says where they begin and end.
    #[inline]
    pub(super) fn push<G, E>(
        &mut self,
        look: &SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        ply: u32,
    ) -> (usize, usize)
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let game = look.game;
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let from = self.choices.len();
        if ply < EVALUATED_PLIES {
            self.push_evaluated(look, at, memo);
        } else {
            self.push_remembered(game, at, ply);
        }
        (from, self.choices.len())
    }

    /// The moves in the buffer, by what was learnt about them.
    #[inline(always)]
    fn push_remembered<G: Game<Move = M>>(&mut self, game: &G, at: &G::Position, ply: u32) {
        let MoveOrdering { choices, moves, history, killers, .. } = self;
        let side = game.to_move(at).index();
        let usual = |mv| history[game.history_index(mv) % SLOTS][side] + i64::from(game.order_hint(at, mv));
        let moves = moves.iter().enumerate();
        match killers.get(ply as usize) {
            Some(&Some([a, b])) => choices.extend(moves.map(|(i, &mv)| {
                let promise = if mv == a || mv == b { KILLER } else { usual(mv) };
                CandidateMove::new(mv, promise, i as u16)
            })),
            _ => choices.extend(moves.map(|(i, &mv)| CandidateMove::new(mv, usual(mv), i as u16))),
        }
    }

    /// The moves in the buffer, by what the positions behind them are worth to the side that moves.
    fn push_evaluated<G, E>(
        &mut self,
        look: &SearchContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
    ) where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        look.evaluator.child_values(look.game, at, memo, look.view, &self.moves, &mut self.children);
        let sign = if look.game.to_move(at) == look.view { 1.0 } else { -1.0 };
        for (i, (&mv, &value)) in self.moves.iter().zip(&self.children.values).enumerate() {
            self.choices.push(CandidateMove::new(mv, in_order(sign * value), i as u16));
        }
    }

    /// The moves that were put on the stack last, in the game's order.
    #[inline(always)]
    pub(super) fn pushed(&self) -> &[M] {
        &self.moves
    }

    /// Looks first at a choice just put on the stack, which was best before.
    #[inline(always)]
    pub(super) fn favor(&mut self, i: usize) {
        let choice = &mut self.choices[i];
        *choice = CandidateMove::new(choice.mv, KNOWN, choice.place());
    }

    /// Brings the most promising choice of a part of the stack to its front.
    #[inline(always)]
    pub(super) fn pick(&mut self, from: usize, to: usize) -> CandidateMove<M> {
        let choices = &mut self.choices[from..to];
        let mut best = 0;
        let mut most = choices[0].promise;
        for (i, choice) in choices.iter().enumerate().skip(1) {
            (best, most) = if choice.promise > most { (i, choice.promise) } else { (best, most) };
        }
        choices.swap(0, best);
        choices[0]
    }

    /// Takes the choices from `from` on off the stack.
    #[inline(always)]
    pub(super) fn truncate(&mut self, from: usize) {
        self.choices.truncate(from);
    }

    /// A move cut a position short: it may do so again.
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
        let count = &mut self.history[game.history_index(mv) % SLOTS][side.index()];
        *count = (*count + i64::from(depth * depth)).min(MOST_HISTORY);
    }
}

/// A number that is larger for the larger value, less precise, and small enough to promise.
fn in_order(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    (bits ^ ((bits >> 63) as u64 >> 1) as i64) >> 18
}
