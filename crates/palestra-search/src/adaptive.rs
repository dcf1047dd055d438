//! The Ladrillos study's search: few children, the best by evaluation, and as deep as a budget of n^2k allows.
//!
//! With n the breadth of the board, each position goes on with its n^x best children only, 2(k−2)/x plies deep.
//! All children are evaluated for the side that chooses, sorted, and searched best first with shallow cuts. With a
//! fixed width and depth the same search is known as a beam.

use crate::count::{LevelCount, LevelCounter};
use crate::limit::Stopwatch;
use crate::search::{ScoredMove, Search, SearchReport, SearchResult};
use palestra_core::{ChildBuffers, Evaluator, Game, Side, TerminalValue};

/// How many children are looked at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WidthRule {
    /// The breadth of the board to a power x, for a move that may cost the breadth to the power 2k.
    Power {
        /// The power.
        x: f64,
        /// Half the power of what a move may cost.
        k: u32,
        /// Whether to look deeper, at every move, where there are fewer moves than that.
        deepen: bool,
    },
    /// So many.
    Fixed(usize),
}

/// How wide and how deep.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeamShape {
    /// How many children are looked at.
    pub width: WidthRule,
    /// Plies; none for what x and k make.
    pub height: Option<u32>,
}

impl BeamShape {
    /// How many children are looked at.
    fn width(&self, breadth: usize) -> usize {
        match self.width {
            WidthRule::Power { x, .. } => (breadth as f64).powf(x) as usize,
            WidthRule::Fixed(width) => width,
        }
    }

    /// How many plies; none means to the end of the game.
    fn height(&self, breadth: usize, n_moves: usize) -> Option<u32> {
        let WidthRule::Power { x, k, deepen } = self.width else { return self.height };
        let height = self.height.unwrap_or((2.0 * f64::from(k.saturating_sub(2)) / x) as u32);
        let height = (height > 0).then_some(height)?;
        if !deepen || n_moves >= self.width(breadth) {
            return Some(height);
        }
        // The study's m^(h+4) ≤ n^2k: a single move goes on to the end.
        let log = (n_moves as f64).ln() / (breadth as f64).ln();
        let deeper = 2.0 * f64::from(k) / log - 4.0;
        if deeper.is_finite() { Some(height.max(deeper as u32)) } else { None }
    }
}

/// Looks at the best few children, deeply.
#[derive(Clone, Debug)]
pub struct Adaptive<M> {
    scope: BeamShape,
    /// The board's, once it is known.
    breadth: Option<usize>,
    width: usize,
    /// Buffers of every level.
    levels: Vec<LevelBuffers<M>>,
    nodes: u64,
    rated: Vec<ScoredMove<M>>,
    report: SearchReport<M>,
    count: LevelCounter,
}

/// What one level of the line being searched needs.
#[derive(Clone, Debug)]
struct LevelBuffers<M> {
    moves: Vec<M>,
    children: ChildBuffers,
    /// The children that are looked at, best first.
    order: Vec<usize>,
    /// The play expected from the position that was last looked at here.
    line: Vec<M>,
}

/// What stays the same throughout one search.
struct AdaptiveContext<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    view: Side,
}

impl<M: Copy> Adaptive<M> {
    /// A search of this width and depth.
    pub fn new(scope: BeamShape) -> Adaptive<M> {
        Adaptive {
            scope,
            breadth: None,
            width: 1,
            levels: Vec::new(),
            nodes: 0,
            rated: Vec::new(),
            report: SearchReport::new(),
            count: LevelCounter::default(),
        }
    }

    /// The i-th child in order is the best so far: the line goes on with it.
    fn expect(&mut self, level: usize, i: usize) {
        let (above, below) = self.levels.split_at_mut(level + 1);
        let LevelBuffers { moves, order, line, .. } = &mut above[level];
        line.clear();
        line.push(moves[order[i]]);
        line.extend(below.first().into_iter().flat_map(|level| &level.line));
    }

    /// Finds, evaluates and sorts the children of a position into the buffers of its level.
    fn expand<G, E>(
        &mut self,
        look: &AdaptiveContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        level: usize,
    ) -> bool
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if self.levels.len() == level {
            let (moves, order, line) = (Vec::new(), Vec::new(), Vec::new());
            self.levels.push(LevelBuffers { moves, children: ChildBuffers::default(), order, line });
        }
        self.report.depth = self.report.depth.max(level as u32 + 1);
        let LevelBuffers { moves, children, order, .. } = &mut self.levels[level];
        moves.clear();
        look.game.moves(at, moves);
        look.evaluator.child_values(look.game, at, memo, look.view, moves, children);
        score_terminals(look, at, moves, &mut children.values);
        order.clear();
        order.extend(0..moves.len());
        let is_max = look.game.to_move(at) == look.view;
        // Ascending, and turned around where the side that chooses moves: then the last of equals comes first.
        sort_by_value(order, &children.values);
        if is_max {
            order.reverse();
        }
        order.truncate(self.width.max(1));
        is_max
    }

    /// The value of `at`, which has not ended. The window is what the position right above leaves of interest: a
    /// value outside need not be exact.
    fn value<G, E>(
        &mut self,
        look: &AdaptiveContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        level: usize,
        height: Option<u32>,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let is_max = self.expand(look, at, memo, level);
        let mut best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut n_children = 0;
        for i in 0..self.levels[level].order.len() {
            n_children += 1;
            let handed_down = if is_max { [best, f64::INFINITY] } else { [f64::NEG_INFINITY, best] };
            let value = self.child(look, at, memo, level, i, height, handed_down);
            if is_max && value > best || !is_max && value < best {
                best = value;
                self.expect(level, i);
            }
            if is_max && best >= window[1] || !is_max && best <= window[0] {
                break;
            }
        }
        self.nodes += n_children;
        self.count.visit(level as u32, n_children);
        best
    }

    /// The value of the i-th child in order; `height` counts its ply.
    #[expect(clippy::too_many_arguments, reason = "where the child is, and what the search knows there")]
    fn child<G, E>(
        &mut self,
        look: &AdaptiveContext<'_, G, E>,
        at: &G::Position,
        memo: &E::Accumulator,
        level: usize,
        i: usize,
        height: Option<u32>,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        let LevelBuffers { moves, children, order, .. } = &self.levels[level];
        let (mv, value) = (moves[order[i]], children.values[order[i]]);
        let mut after = at.clone();
        look.game.play(&mut after, mv);
        if height == Some(1) || look.game.ending(&after).is_some() {
            self.count.visit(level as u32 + 1, 0);
            self.levels.iter_mut().skip(level + 1).take(1).for_each(|below| below.line.clear());
            return value;
        }
        let mut memo = memo.clone();
        look.evaluator.advance(look.game, &mut memo, at, mv);
        self.value(look, &after, &memo, level + 1, height.map(|height| height - 1), window)
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Adaptive<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        memo: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        let look = AdaptiveContext { game, evaluator, view: game.to_move(at) };
        let breadth = *self.breadth.get_or_insert_with(|| game.branching_factor());
        self.width = self.scope.width(breadth);
        let stopwatch = Stopwatch::start();
        self.nodes = 0;
        self.rated.clear();
        self.count.clear();
        self.report.depth = 0;
        self.expand(&look, at, memo, 0);
        let height = self.scope.height(breadth, self.levels[0].moves.len());
        let mut best: Option<ScoredMove<G::Move>> = None;
        for i in 0..self.levels[0].order.len() {
            let window = [best.map_or(f64::NEG_INFINITY, |best| best.value), f64::INFINITY];
            let value = self.child(&look, at, memo, 0, i, height, window);
            let mv = self.levels[0].moves[self.levels[0].order[i]];
            if best.is_none_or(|best| value > best.value) {
                best = Some(ScoredMove { mv, value });
                self.expect(0, i);
                self.rated.push(ScoredMove { mv, value });
            }
        }
        let n_moves = self.levels[0].order.len() as u64;
        self.count.visit(0, n_moves);
        let ScoredMove { mv, value } = best.expect("a position that has not ended has a move");
        self.report.pv.clone_from(&self.levels[0].line);
        self.report.nodes_per_second = stopwatch.rate(self.nodes + n_moves);
        SearchResult { mv, value, nodes: self.nodes, root_moves: n_moves }
    }

    fn report(&self) -> Option<&SearchReport<G::Move>> {
        Some(&self.report)
    }

    /// The moves that were best when they were looked at; of the others it only knows that they are no better.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.rated.clone()
    }

    fn count_levels(&mut self) {
        self.count = LevelCounter::counting();
    }

    fn levels(&self) -> &[LevelCount] {
        self.count.levels()
    }
}

/// Sorts places by their values, equals by place: that makes an unstable sort stable. No evaluation is NaN. Outside of
/// everything generic, because a sort is many times the code of the search around it.
fn sort_by_value(order: &mut [usize], values: &[f64]) {
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
}

/// Gives the moves that end the game what that is worth, where the evaluation does not say so itself.
fn score_terminals<G: Game, E: Evaluator<G>>(
    look: &AdaptiveContext<'_, G, E>,
    at: &G::Position,
    moves: &[G::Move],
    values: &mut [f64],
) {
    let (TerminalValue::Always(win) | TerminalValue::SearchOnly(win)) = look.evaluator.convention().endings
    else {
        return;
    };
    for (value, &mv) in values.iter_mut().zip(moves) {
        let mut after = at.clone();
        look.game.play(&mut after, mv);
        if let Some(ending) = look.game.ending(&after) {
            *value = ending.value(win, look.view);
        }
    }
}
