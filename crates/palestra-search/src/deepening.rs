//! `ab`: alpha-beta as an expert runs it today. Iterative deepening, a table of positions, ordered moves,
//! null windows behind the first move, a narrow window around the last value.
//!
//! At a fixed depth its value is plain minimax's, and so is its move while the game is not decided; a won game is
//! won as soon as one is seen, and in a lost one it plays what held longest. Entries of the table count only at
//! the very depth they were made for, which keeps this so.

use crate::limit::{Budget, Limit};
use crate::minimax::Look;
use crate::search::{Found, Rated, Report, Search};
use crate::table::{Bound, Entry, Table};
use palestra_core::{Children, Evaluator, Game, Side, Step, Ties};
use std::sync::Arc;

/// Positions this close to the root have their children ordered by evaluation.
const EVALUATED_PLIES: u32 = 2;
/// Room for the history of moves, by [`Game::slot`].
const SLOTS: usize = 4096;
/// Below this depth a position is not worth a place in the table.
const LEAST_DEPTH: u32 = 2;

/// A legal move, its place in the game's order, and what it promises.
#[derive(Clone, Copy, Debug)]
struct Choice<M> {
    mv: M,
    place: u16,
    promise: f64,
}

/// Looks as deep as its limits allow.
#[derive(Clone, Debug)]
pub struct Deepening<M> {
    limit: Limit,
    ties: Option<Ties>,
    table: Arc<Table>,
    /// One stack for the moves of the whole line.
    choices: Vec<Choice<M>>,
    moves: Vec<M>,
    /// The root's moves, and the order in which they are looked at.
    root_moves: Vec<M>,
    order: Vec<usize>,
    children: Children,
    killers: Vec<[Option<M>; 2]>,
    history: Vec<[f64; 2]>,
    budget: Option<Budget>,
    stopped: bool,
    /// Whether some position since was valued although its game goes on: then looking deeper may change things.
    horizon: bool,
    nodes: u64,
    rated: Vec<Rated<M>>,
    report: Report<M>,
}

impl<M: Copy + Eq> Deepening<M> {
    /// A search within limits, with a table of at most so many bytes.
    pub fn new(limit: Limit, table_bytes: usize, ties: Option<Ties>) -> Deepening<M> {
        Deepening {
            limit,
            ties,
            table: Arc::new(Table::new(table_bytes)),
            choices: Vec::new(),
            moves: Vec::new(),
            root_moves: Vec::new(),
            order: Vec::new(),
            children: Children::default(),
            killers: Vec::new(),
            history: vec![[0.0; 2]; SLOTS],
            budget: None,
            stopped: false,
            horizon: false,
            nodes: 0,
            rated: Vec::new(),
            report: Report { depth: 0, line: Vec::new() },
        }
    }

    /// Whether the limits are used up; from then on everything returns at once, and no value counts.
    #[inline]
    fn is_stopped(&mut self) -> bool {
        let nodes = self.nodes;
        self.stopped = self.stopped || self.budget.as_mut().is_some_and(|budget| budget.is_spent(nodes));
        self.stopped
    }

    /// Puts the legal moves of `at` on the stack; says where they begin.
    fn push_choices<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        ply: u32,
        known: Option<u16>,
    ) -> usize
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let Look { game, evaluator, view, .. } = look;
        let side = game.to_move(at);
        self.moves.clear();
        game.moves(at, &mut self.moves);
        let from = self.choices.len();
        let sign = if side == view { 1.0 } else { -1.0 };
        let by_evaluation = ply < EVALUATED_PLIES;
        if by_evaluation {
            evaluator.child_values(game, at, memo, view, &self.moves, &mut self.children);
        }
        if self.killers.len() <= ply as usize {
            self.killers.resize(ply as usize + 1, [None; 2]);
        }
        let killers = self.killers[ply as usize];
        for (i, &mv) in self.moves.iter().enumerate() {
            let place = i as u16;
            let promise = if known == Some(place) {
                f64::INFINITY
            } else if by_evaluation {
                sign * self.children.values[i]
            } else if killers.contains(&Some(mv)) {
                f64::MAX
            } else {
                self.history[game.slot(mv) % SLOTS][side.index()] + f64::from(game.hint(at, mv))
            };
            self.choices.push(Choice { mv, place, promise });
        }
        from
    }

    /// Brings the most promising choice from `i` on to place `i`; the others keep their order.
    #[inline]
    fn pick(&mut self, i: usize) -> Choice<M> {
        let mut best = i;
        for j in i + 1..self.choices.len() {
            if self.choices[j].promise > self.choices[best].promise {
                best = j;
            }
        }
        self.choices[i..=best].rotate_right(1);
        self.choices[i]
    }

    /// The value of `at`, which has not ended, looking `depth` plies ahead: exact inside the window, else a bound.
    fn value<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        (depth, ply): (u32, u32),
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let Look { game, view, .. } = look;
        let side = game.to_move(at);
        if depth < LEAST_DEPTH {
            return self.leaves(look, at, memo, side == view, window);
        }
        if self.is_stopped() {
            return 0.0;
        }
        let key = key_for(game.key(at), view);
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| entry.counts_at(depth)) {
            let is_enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= window[1],
                Bound::Upper => entry.value <= window[0],
            };
            if is_enough {
                self.horizon |= !entry.is_final;
                return entry.value;
            }
        }
        let horizon_before = std::mem::take(&mut self.horizon);
        let from = self.push_choices(look, at, memo, ply, entry.map(|entry| entry.best));
        let mut node = Node::new(side == view, window);
        let mut best = u16::MAX;
        for i in from..self.choices.len() {
            let Choice { mv, place, .. } = self.pick(i);
            self.nodes += 1;
            let mut after = at.clone();
            game.play(&mut after, mv);
            let step = Step { at, mv, after: &after };
            let value = match look.ended(&step, memo) {
                Some(value) => value,
                None => {
                    let memo = look.advanced(at, memo, mv);
                    self.behind(look, &after, &memo, (depth - 1, ply + 1), &node, i == from)
                }
            };
            if self.stopped {
                break;
            }
            if node.take(value) {
                best = place;
            }
            if node.is_cut() {
                self.remember(game.slot(mv), mv, side, (depth, ply));
                break;
            }
        }
        self.choices.truncate(from);
        if !self.stopped {
            let is_final = !self.horizon;
            let (value, bound) = (node.best, node.bound());
            self.table.put(key, Entry { value, bound, depth: depth as u16, best, is_final });
        }
        self.horizon |= horizon_before;
        node.best
    }

    /// The value of a child: the first one with the whole window, any other with an empty one, and again only
    /// where that shows that it matters.
    fn behind<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        place: (u32, u32),
        parent: &Node,
        is_first: bool,
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let [alpha, beta] = parent.window;
        if !is_first {
            let null = if parent.is_max { [alpha, alpha.next_up()] } else { [beta.next_down(), beta] };
            let value = self.value(look, at, memo, place, null);
            if self.stopped || value <= alpha || value >= beta {
                return value;
            }
        }
        self.value(look, at, memo, place, parent.window)
    }

    /// The value of a position whose children are not looked behind.
    fn leaves<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        at: &G::Position,
        memo: &E::Memo,
        is_max: bool,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        self.moves.clear();
        look.game.moves(at, &mut self.moves);
        let mut node = Node::new(is_max, window);
        for i in 0..self.moves.len() {
            self.nodes += 1;
            let value = self.leaf(look, at, memo, self.moves[i]);
            node.take(value);
            if node.is_cut() {
                break;
            }
        }
        node.best
    }

    #[inline(always)]
    fn leaf<G, E>(&mut self, look: Look<'_, G, E>, at: &G::Position, memo: &E::Memo, mv: M) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let mut after = at.clone();
        look.game.play(&mut after, mv);
        let step = Step { at, mv, after: &after };
        look.ended(&step, memo).unwrap_or_else(|| {
            self.horizon = true;
            look.evaluator.child_value(look.game, &step, memo, look.view)
        })
    }

    /// A move cut a position short: it may do so again.
    fn remember(&mut self, slot: usize, mv: M, side: Side, (depth, ply): (u32, u32)) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.history[slot % SLOTS][side.index()] += f64::from(depth * depth);
    }

    /// One look at all root moves, `depth` plies deep, in the order given; the best one's place in the game's
    /// order and its value, or nothing where the value lies outside the window or time ran out.
    fn pass<G, E>(
        &mut self,
        look: Look<'_, G, E>,
        root: &Root<'_, G, E>,
        order: &[usize],
        depth: u32,
        window: [f64; 2],
    ) -> Pass
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let mut best: Option<(usize, f64)> = None;
        for &place in order {
            // What it takes to become the best: as much, if it comes first where that decides.
            let floor = best.map_or(window[0], |(other, value)| {
                let wins_ties = (place < other) == (root.ties == Ties::First);
                if wins_ties { value.next_down() } else { value }
            });
            let parent = Node { is_max: true, best: floor, window: [floor, window[1]], asked: window };
            let mv = root.moves[place];
            let mut after = root.at.clone();
            look.game.play(&mut after, mv);
            let step = Step { at: root.at, mv, after: &after };
            let value = match look.ended(&step, root.memo) {
                Some(value) => value,
                None if depth == 1 => {
                    self.horizon = true;
                    look.evaluator.child_value(look.game, &step, root.memo, look.view)
                }
                None => {
                    let memo = look.advanced(root.at, root.memo, mv);
                    self.behind(look, &after, &memo, (depth - 1, 1), &parent, best.is_none())
                }
            };
            if self.stopped {
                return best.map_or(Pass::Stopped, |(place, value)| Pass::StoppedAt(place, value));
            }
            if value > floor {
                best = Some((place, value));
            }
            if value >= window[1] && window[1] < f64::INFINITY {
                return Pass::Outside;
            }
        }
        best.map_or(Pass::Outside, |(place, value)| Pass::Done(place, value))
    }

    /// Adds what the table remembers from a position on to the expected line.
    fn follow<G: Game<Move = M>>(&mut self, game: &G, mut at: G::Position, view: Side) {
        while (self.report.line.len() as u32) < self.report.depth && game.ending(&at).is_none() {
            let Some(entry) = self.table.get(key_for(game.key(&at), view)) else { break };
            self.moves.clear();
            game.moves(&at, &mut self.moves);
            let Some(&mv) = self.moves.get(usize::from(entry.best)) else { break };
            self.report.line.push(mv);
            game.play(&mut at, mv);
        }
    }
}

/// What came of a look at all root moves.
enum Pass {
    /// The best move's place and its value.
    Done(usize, f64),
    /// The value lies outside the window.
    Outside,
    /// Time ran out before the first move was through.
    Stopped,
    /// Time ran out; the best so far.
    StoppedAt(usize, f64),
}

/// Where a search begins.
struct Root<'a, G: Game, E: Evaluator<G>> {
    at: &'a G::Position,
    memo: &'a E::Memo,
    moves: &'a [G::Move],
    ties: Ties,
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Deepening<G::Move> {
    fn find(&mut self, game: &G, evaluator: &E, at: &G::Position, memo: &E::Memo) -> Found<G::Move> {
        let look = Look::new(game, evaluator, at);
        let convention = evaluator.convention();
        self.budget = Some(Budget::start(&self.limit));
        self.stopped = false;
        self.nodes = 0;
        self.choices.clear();
        self.history.iter_mut().flatten().for_each(|count| *count /= 8.0);
        let from = self.push_choices(look, at, memo, 0, None);
        let mut moves = std::mem::take(&mut self.root_moves);
        let mut order = std::mem::take(&mut self.order);
        moves.clear();
        moves.extend(self.choices[from..].iter().map(|choice| choice.mv));
        order.clear();
        order.extend(0..moves.len());
        let promise = |place: usize| self.choices[from + place].promise;
        order.sort_unstable_by(|&a, &b| promise(b).total_cmp(&promise(a)).then(a.cmp(&b)));
        self.choices.truncate(from);
        let root = Root { at, memo, moves: &moves, ties: self.ties.unwrap_or(convention.ties) };
        let win = convention.endings.bound();
        let mut best = (order[0], f64::NEG_INFINITY);
        let mut spread = f64::INFINITY;
        self.report.depth = 0;
        for depth in 1..=self.limit.depth {
            self.horizon = false;
            let narrow = [best.1 - spread, best.1 + spread];
            let mut pass = if spread.is_finite() {
                self.pass(look, &root, &order, depth, narrow)
            } else {
                Pass::Outside
            };
            if matches!(pass, Pass::Outside) {
                pass = self.pass(look, &root, &order, depth, [f64::NEG_INFINITY, f64::INFINITY]);
            }
            let (place, value) = match pass {
                Pass::Done(place, value) => (place, value),
                Pass::StoppedAt(place, value) => {
                    best = (place, value);
                    break;
                }
                Pass::Stopped | Pass::Outside => break,
            };
            spread = if depth < 3 {
                f64::INFINITY
            } else {
                2.0 * (value - best.1).abs() + value.abs() / 64.0 + 1e-9
            };
            self.report.depth = depth;
            if value <= -win && best.1 > -win && depth > 1 {
                // Lost whatever happens: what looked best before holds longest.
                best.1 = value;
                break;
            }
            best = (place, value);
            let front = order.iter().position(|&other| other == place).unwrap_or(0);
            order[..=front].rotate_right(1);
            if value.abs() >= win || !self.horizon {
                break;
            }
        }
        let mv = moves[best.0];
        let mut after = at.clone();
        game.play(&mut after, mv);
        self.report.line.clear();
        self.report.line.push(mv);
        self.follow(game, after, look.view);
        self.rated.clear();
        self.rated.push(Rated { mv, value: best.1 });
        let root_moves = moves.len() as u64;
        (self.root_moves, self.order) = (moves, order);
        Found { mv, value: best.1, nodes: self.nodes, root_moves }
    }

    /// The chosen move alone: of the others it only knows that they are no better.
    fn rated(&self) -> Vec<Rated<G::Move>> {
        self.rated.clone()
    }

    fn report(&self) -> Option<&Report<G::Move>> {
        Some(&self.report)
    }
}

/// Positions are valued for one side; the other side's values are other entries.
#[inline]
fn key_for(key: u64, view: Side) -> u64 {
    match view {
        Side::First => key,
        Side::Second => key ^ 0x9e37_79b9_7f4a_7c15,
    }
}

/// A position being searched: the best value so far, and the window in which values still matter.
struct Node {
    is_max: bool,
    best: f64,
    window: [f64; 2],
    /// The window it was asked with.
    asked: [f64; 2],
}

impl Node {
    fn new(is_max: bool, window: [f64; 2]) -> Node {
        let best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        Node { is_max, best, window, asked: window }
    }

    #[inline(always)]
    fn is_cut(&self) -> bool {
        self.window[0] >= self.window[1]
    }

    /// Counts a child's value; says whether it is the best so far.
    #[inline(always)]
    fn take(&mut self, value: f64) -> bool {
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

    /// What the best value says of the true one.
    fn bound(&self) -> Bound {
        match () {
            () if self.best <= self.asked[0] => Bound::Upper,
            () if self.best >= self.asked[1] => Bound::Lower,
            () => Bound::Exact,
        }
    }
}
