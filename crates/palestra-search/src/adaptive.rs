//! The adaptive search of the Ladrillos study: few children, the best by evaluation, within a cost of n^2k per move.
//!
//! With n the breadth of the board, only the n^x best children of each position are searched, 2(k−2)/x plies deep.
//! All children are evaluated for the side that chooses, sorted, and searched best first with shallow cuts. With a
//! fixed width and depth the same algorithm is known as beam search.

use crate::count::{LevelCount, LevelCounter};
use crate::limit::{CancelCheck, Stopwatch};
use crate::search::{ScoredMove, Search, SearchReport, SearchResult};
use crate::spec::{
    GivenParameters, MoveLimits, ParameterWriter, SearchCost, SearchInfo, SearchParameters, TO_THE_END,
    optional, required,
};
use palestra_core::{ChildBuffers, Evaluator, Game, InputError, Side, TerminalValue};

/// Number of children searched per position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum WidthRule {
    /// n^x children, n the breadth of the board; a move may cost n^2k.
    Power {
        /// Exponent of the width, x.
        x: f64,
        /// Half the exponent of the cost, k.
        k: u32,
        /// Whether to search deeper where the root has fewer moves than the width.
        deepen: bool,
    },
    /// A fixed number of children.
    Fixed(usize),
}

/// Width and depth of a beam.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BeamShape {
    /// Number of children searched per position.
    pub width: WidthRule,
    /// Depth in plies; `None` for the depth that follows from x and k.
    pub height: Option<u32>,
}

impl BeamShape {
    fn width(&self, breadth: usize) -> usize {
        match self.width {
            WidthRule::Power { x, .. } => (breadth as f64).powf(x) as usize,
            WidthRule::Fixed(width) => width,
        }
    }

    /// Depth in plies; `None` is to the end of the game.
    fn height(&self, breadth: usize, n_moves: usize) -> Option<u32> {
        let WidthRule::Power { x, k, deepen } = self.width else { return self.height };
        let height = self.height.unwrap_or((2.0 * f64::from(k.saturating_sub(2)) / x) as u32);
        let height = (height > 0).then_some(height)?;
        if !deepen || n_moves >= self.width(breadth) {
            return Some(height);
        }
        // The study's m^(h+4) ≤ n^2k, with m moves. For a single move it is unbounded: search to the end of the game.
        let log = (n_moves as f64).ln() / (breadth as f64).ln();
        let deeper = 2.0 * f64::from(k) / log - 4.0;
        if deeper.is_finite() { Some(height.max(deeper as u32)) } else { None }
    }
}

/// Searches the best few children of each position.
#[derive(Clone, Debug)]
pub struct Adaptive<M> {
    shape: BeamShape,
    /// [`Game::branching_factor`], computed at the first search.
    breadth: Option<usize>,
    width: usize,
    /// Buffers by ply from the root.
    levels: Vec<LevelBuffers<M>>,
    nodes: u64,
    cancel_check: CancelCheck,
    scored: Vec<ScoredMove<M>>,
    report: SearchReport<M>,
    count: LevelCounter,
}

/// Buffers of one ply of the line being searched.
#[derive(Clone, Debug)]
struct LevelBuffers<M> {
    moves: Vec<M>,
    children: ChildBuffers,
    /// Indices of the searched children, best first.
    order: Vec<usize>,
    /// Principal variation of the position last searched at this ply.
    line: Vec<M>,
}

/// What is constant during one search.
struct AdaptiveContext<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    view: Side,
}

impl<M: Copy> Adaptive<M> {
    /// A search of this width and depth.
    pub fn new(shape: BeamShape) -> Adaptive<M> {
        Adaptive {
            shape,
            breadth: None,
            width: 1,
            levels: Vec::new(),
            nodes: 0,
            cancel_check: CancelCheck::default(),
            scored: Vec::new(),
            report: SearchReport::new(),
            count: LevelCounter::default(),
        }
    }

    /// Sets the principal variation to the i-th child in order and the line below it.
    fn set_pv(&mut self, level: usize, i: usize) {
        let (above, below) = self.levels.split_at_mut(level + 1);
        let LevelBuffers { moves, order, line, .. } = &mut above[level];
        line.clear();
        line.push(moves[order[i]]);
        line.extend(below.first().into_iter().flat_map(|level| &level.line));
    }

    /// Lists, evaluates and sorts the children of a position into the buffers of its level. Returns whether the side to
    /// move maximizes.
    fn expand<G, E>(
        &mut self,
        context: &AdaptiveContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
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
        context.game.moves(at, moves);
        context.evaluator.child_values(context.game, at, accumulator, context.view, moves, children);
        score_terminals(context, at, moves, &mut children.values);
        order.clear();
        order.extend(0..moves.len());
        let is_max = context.game.to_move(at) == context.view;
        // Ascending, and reversed where the side to move maximizes: there the last of equals comes first.
        sort_by_value(order, &children.values);
        if is_max {
            order.reverse();
        }
        order.truncate(self.width.max(1));
        is_max
    }

    /// The value of `at`, which has not ended. The window comes from the parent alone; a value outside of it need not
    /// be exact.
    fn value<G, E>(
        &mut self,
        context: &AdaptiveContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
        level: usize,
        height: Option<u32>,
        window: [f64; 2],
    ) -> f64
    where
        G: Game<Move = M>,
        E: Evaluator<G>,
    {
        if self.cancel_check.is_canceled(self.nodes) {
            return 0.0;
        }
        let is_max = self.expand(context, at, accumulator, level);
        let mut best = if is_max { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut n_children = 0;
        for i in 0..self.levels[level].order.len() {
            n_children += 1;
            let child_window = if is_max { [best, f64::INFINITY] } else { [f64::NEG_INFINITY, best] };
            let value = self.child(context, at, accumulator, level, i, height, child_window);
            if is_max && value > best || !is_max && value < best {
                best = value;
                self.set_pv(level, i);
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
    #[expect(clippy::too_many_arguments, reason = "position and search state of the child")]
    fn child<G, E>(
        &mut self,
        context: &AdaptiveContext<'_, G, E>,
        at: &G::Position,
        accumulator: &E::Accumulator,
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
        context.game.play(&mut after, mv);
        if height == Some(1) || context.game.ending(&after).is_some() {
            self.count.visit(level as u32 + 1, 0);
            self.levels.iter_mut().skip(level + 1).take(1).for_each(|below| below.line.clear());
            return value;
        }
        let mut accumulator = accumulator.clone();
        context.evaluator.advance(context.game, &mut accumulator, at, mv);
        self.value(context, &after, &accumulator, level + 1, height.map(|height| height - 1), window)
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> for Adaptive<G::Move> {
    fn find(
        &mut self,
        game: &G,
        evaluator: &E,
        at: &G::Position,
        accumulator: &E::Accumulator,
    ) -> SearchResult<G::Move> {
        let context = AdaptiveContext { game, evaluator, view: game.to_move(at) };
        let breadth = *self.breadth.get_or_insert_with(|| game.branching_factor());
        self.width = self.shape.width(breadth);
        let stopwatch = Stopwatch::start();
        self.nodes = 0;
        self.cancel_check = CancelCheck::default();
        self.scored.clear();
        self.count.clear();
        self.report.depth = 0;
        self.expand(&context, at, accumulator, 0);
        let height = self.shape.height(breadth, self.levels[0].moves.len());
        let mut best: Option<ScoredMove<G::Move>> = None;
        for i in 0..self.levels[0].order.len() {
            let window = [best.map_or(f64::NEG_INFINITY, |best| best.value), f64::INFINITY];
            let value = self.child(&context, at, accumulator, 0, i, height, window);
            let mv = self.levels[0].moves[self.levels[0].order[i]];
            if best.is_none_or(|best| value > best.value) {
                best = Some(ScoredMove { mv, value });
                self.set_pv(0, i);
                self.scored.push(ScoredMove { mv, value });
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

    /// Only the moves that were best when they were searched; the others are known to be no better.
    fn scored_moves(&self) -> Vec<ScoredMove<G::Move>> {
        self.scored.clone()
    }

    fn count_levels(&mut self) {
        self.count = LevelCounter::counting();
    }

    fn levels(&self) -> &[LevelCount] {
        self.count.levels()
    }
}

/// Sorts indices by their values, and equal values by index, so that the result of the unstable sort is defined. No
/// evaluation is NaN. Not generic, because the compiled sort is many times larger than the search around it.
fn sort_by_value(order: &mut [usize], values: &[f64]) {
    order.sort_unstable_by(|&a, &b| values[a].total_cmp(&values[b]).then(a.cmp(&b)));
}

/// Replaces the values of moves that end the game by the value of the ending, unless the convention evaluates them.
fn score_terminals<G: Game, E: Evaluator<G>>(
    context: &AdaptiveContext<'_, G, E>,
    at: &G::Position,
    moves: &[G::Move],
    values: &mut [f64],
) {
    let (TerminalValue::Always(win) | TerminalValue::SearchOnly(win)) =
        context.evaluator.convention().endings
    else {
        return;
    };
    for (value, &mv) in values.iter_mut().zip(moves) {
        let mut after = at.clone();
        context.game.play(&mut after, mv);
        if let Some(ending) = context.game.ending(&after) {
            *value = ending.value(win, context.view);
        }
    }
}

/// Parameters of the Ladrillos study's search.
#[derive(Clone, PartialEq, Debug)]
pub struct AdaptiveSpec {
    /// Whether to search deeper where there are few moves.
    pub deepen: bool,
    /// Depth in plies; `None` for the depth that follows from x and k.
    pub height: Option<u32>,
    /// Half the exponent of the cost.
    pub k: u32,
    /// Exponent of the width.
    pub x: f64,
}

impl SearchParameters for AdaptiveSpec {
    const INFO: SearchInfo = SearchInfo {
        name: "adaptive",
        about: "search of the Ladrillos study: the n^x best children by evaluation, 2(k-2)/x plies deep, n the board's breadth",
        parameters: &[
            optional("deepen", "whether to search deeper where there are few moves: true or false (default)"),
            optional("height", "plies to look ahead, 1 to 1000 (default: 2(k-2)/x, rounded down)"),
            required("k", "cost of a move: the breadth of the board to the power 2k; 1 to 100"),
            required("x", "number of children searched: the breadth of the board to this power; up to 10"),
        ],
    };

    fn read(given: &GivenParameters<'_>) -> Result<AdaptiveSpec, InputError> {
        Ok(AdaptiveSpec {
            deepen: given.word("deepen", &[("false", false), ("true", true)])?.unwrap_or(false),
            height: given.whole("height", TO_THE_END)?,
            k: given.required("k", given.whole("k", 100)?)?,
            x: given.required("x", given.real("x", 10.0)?)?,
        })
    }

    fn write(&self, out: &mut ParameterWriter) {
        out.add_unless("deepen", self.deepen, false);
        out.add_given("height", self.height);
        out.add("k", self.k);
        out.add_real("x", self.x);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        let width = WidthRule::Power { x: self.x, k: self.k, deepen: self.deepen };
        Box::new(Adaptive::new(BeamShape { width, height: self.height }))
    }

    /// The breadth of the board is about the square root of the number of moves.
    fn cost(&self, n_moves: f64) -> SearchCost {
        let default = || (2.0 * (f64::from(self.k) - 2.0) / self.x).floor().max(1.0);
        let height = self.height.map_or_else(default, f64::from);
        let nodes = n_moves * n_moves.sqrt().powf(self.x * height);
        SearchCost::plain(if self.deepen { f64::INFINITY } else { nodes }, None)
    }

    fn is_function_of_position(&self) -> bool {
        true
    }
}

/// Parameters of a beam search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BeamSpec {
    /// Depth in plies.
    pub depth: u32,
    /// Number of children searched.
    pub width: u32,
}

impl SearchParameters for BeamSpec {
    const INFO: SearchInfo = SearchInfo {
        name: "beam",
        about: "alpha-beta over a fixed number of children, the best by evaluation",
        parameters: &[
            required("depth", "plies to look ahead, 1 to 1000"),
            required("width", "number of children searched, 1 to 1000"),
        ],
    };

    fn read(given: &GivenParameters<'_>) -> Result<BeamSpec, InputError> {
        Ok(BeamSpec {
            depth: given.required("depth", given.whole("depth", TO_THE_END)?)?,
            width: given.required("width", given.whole("width", 1000)?)?,
        })
    }

    fn write(&self, out: &mut ParameterWriter) {
        out.add("depth", self.depth);
        out.add("width", self.width);
    }

    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        let width = WidthRule::Fixed(self.width as usize);
        Box::new(Adaptive::new(BeamShape { width, height: Some(self.depth) }))
    }

    fn cost(&self, n_moves: f64) -> SearchCost {
        SearchCost::plain(n_moves * f64::from(self.width).powf(f64::from(self.depth)), None)
    }

    fn is_function_of_position(&self) -> bool {
        true
    }

    fn limited(&self, limits: &MoveLimits) -> BeamSpec {
        BeamSpec { depth: limits.depth.unwrap_or(self.depth), ..self.clone() }
    }
}
