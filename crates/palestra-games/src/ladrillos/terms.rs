//! The feature sets: the terms of each evaluation by name, and their order.

use super::accumulator::{BrickEffect, IslandAccumulator};
use super::rules::{Brick, Ladrillos, Position};
use super::scan::BoardScan;
use super::term::{LadrillosTerm, TermUpdate, WHOLE_BOARD_TERMS, change_kind, single_term};
use super::zones::Zones;
use palestra_core::{
    Convention, Feature, FeatureSet, FeatureTable, Game, LANES, Side, SumPrecision, TerminalValue, Transition,
};

/// The order of the study's sum (rules, section 3): score, distance, own expansion, enemy expansion, divisions, then
/// added features; as indexes of the features of `islands`.
const ISLANDS_ORDER: &[usize] = &[0, 3, 1, 2, 4, 5, 6, 7];
/// The same as indexes of the features of `islands-masters`; the fifth weight is without effect.
const MASTERS_ORDER: &[usize] = &[0, 5, 1, 2, 3, 6, 7, 8];
/// For features that are in the order of the sum already.
const PLAIN_ORDER: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];

/// The features of an evaluation, in the order of their weights.
#[derive(Clone, Debug)]
pub(super) struct LadrillosFeatures<const C: usize> {
    terms: Vec<LadrillosTerm>,
    features: Vec<Feature>,
    order: &'static [usize],
    /// Whether some terms are computed from the whole board after the move.
    has_whole_board: bool,
    /// Whether some terms are computed from the parent's totals and the change by the move.
    has_incremental: bool,
    /// Whether some of these are the report's versions.
    has_report: bool,
    zones: Zones<C>,
}

impl<const C: usize> LadrillosFeatures<C> {
    /// Parses a name such as `islands`, `islands-report:divisions=2` or `islands+enclosed+mirror`.
    pub(super) fn named<const W: usize, const L: usize>(
        game: &Ladrillos<W, C, L>,
        name: &str,
    ) -> Option<LadrillosFeatures<C>> {
        let mut parts = name.split('+');
        let first = parts.next()?;
        let (mut terms, order) = match first {
            "islands" => (
                vec![
                    LadrillosTerm::Score,
                    LadrillosTerm::OwnExpansion,
                    LadrillosTerm::OpponentExpansion,
                    LadrillosTerm::Distance,
                    LadrillosTerm::DivisionsTwo,
                ],
                ISLANDS_ORDER,
            ),
            "islands-masters" => (
                vec![
                    LadrillosTerm::Score,
                    LadrillosTerm::OwnExpansion,
                    LadrillosTerm::OpponentExpansion,
                    LadrillosTerm::DivisionsOne,
                    LadrillosTerm::Nothing,
                    LadrillosTerm::Distance,
                ],
                MASTERS_ORDER,
            ),
            "islands-report" | "islands-report:divisions=1" => {
                (report_terms(LadrillosTerm::DivisionsOne), PLAIN_ORDER)
            }
            "islands-report:divisions=2" => (report_terms(LadrillosTerm::DivisionsTwo), PLAIN_ORDER),
            single => (vec![single_term(single)?], PLAIN_ORDER),
        };
        for part in parts {
            let term = single_term(part)?;
            if terms.contains(&term) {
                return None;
            }
            terms.push(term);
        }
        let mut features: Vec<Feature> = terms.iter().map(|term| term.feature(game.n)).collect();
        if first == "islands-masters" {
            features[5].fixed = Some(1.0);
        }
        let n_summed = terms.len() - usize::from(first == "islands-masters");
        let has = |any: &[LadrillosTerm]| terms.iter().any(|term| any.contains(term));
        let has_whole_board = has(WHOLE_BOARD_TERMS);
        let has_incremental = terms.iter().any(|term| !WHOLE_BOARD_TERMS.contains(term));
        let has_report =
            has(&[LadrillosTerm::OwnReach, LadrillosTerm::OpponentReach, LadrillosTerm::FromWalls]);
        Some(LadrillosFeatures {
            terms,
            features,
            order: &order[..n_summed],
            has_whole_board,
            has_incremental,
            has_report,
            zones: Zones::new(game),
        })
    }

    /// How each feature of a child is computed, for `view`.
    fn updates<const W: usize, const L: usize>(
        &self,
        accumulator: &IslandAccumulator<W, C, L>,
        at: &Position<W, C, L>,
        view: Side,
    ) -> [TermUpdate; MAX_TERMS] {
        let mut updates = [TermUpdate { base: 0, change: change_kind::NOTHING, sign: 1 }; MAX_TERMS];
        for (update, term) in updates.iter_mut().zip(&self.terms) {
            *update = term.term_update(&accumulator.totals, view, at.to_move);
        }
        updates
    }

    /// Sets the parts of the accumulator that these terms need.
    fn prepare<const W: usize, const L: usize>(
        &self,
        game: &Ladrillos<W, C, L>,
        accumulator: &mut IslandAccumulator<W, C, L>,
        at: &Position<W, C, L>,
    ) {
        if self.has_incremental {
            accumulator.set(game, &self.zones, at);
        }
        if self.has_report {
            accumulator.set_reach(game, at);
        }
    }

    /// Computes the changes by a move, into one lane.
    #[inline(always)]
    fn change<const W: usize, const L: usize>(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        accumulator: &IslandAccumulator<W, C, L>,
        mv: Brick,
        changes: &mut Changes,
        lane: usize,
    ) {
        let BrickEffect { points, expansion, distance, joined } =
            accumulator.brick_effect(&self.zones, at, mv, game.stride());
        changes[change_kind::POINTS][lane] = points;
        [changes[change_kind::EXPANSION][lane], changes[change_kind::EXPANSION_OTHER][lane]] = expansion;
        changes[change_kind::DISTANCE][lane] = distance;
        let before = accumulator.totals[at.to_move.index()].divisions;
        let after = Zones::<C>::counts(joined).map(|count| game.n as i32 * count);
        changes[change_kind::DIVISIONS_ONE][lane] = after[0] - before[0];
        changes[change_kind::DIVISIONS_TWO][lane] = after[1] - before[1];
        if self.has_report {
            let [a, b] = mv.places(game.stride()).map(|place| self.zones.from_walls[place + game.stride()]);
            changes[change_kind::FROM_WALLS][lane] = i32::from(a) + i32::from(b);
            [changes[change_kind::REACH][lane], changes[change_kind::REACH_OTHER][lane]] =
                accumulator.reach_change(game, at, mv);
        }
    }

    /// Writes the features of all children, where no term needs the whole board; `F` is the number of features.
    #[inline]
    fn fill<const W: usize, const L: usize, const F: usize>(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        accumulator: &IslandAccumulator<W, C, L>,
        view: Side,
        moves: &[Brick],
        out: &mut FeatureTable,
    ) {
        let updates = self.updates(accumulator, at, view);
        let mut changes = [[0; LANES]; change_kind::COUNT];
        for (block, moves) in out.fill::<F>(moves.len()).iter_mut().zip(moves.chunks(LANES)) {
            for (lane, &mv) in moves.iter().enumerate() {
                self.change(game, at, accumulator, mv, &mut changes, lane);
            }
            for (row, update) in block.iter_mut().zip(&updates) {
                let change = &changes[update.change];
                *row = std::array::from_fn(|lane| update.base + update.sign * change[lane]);
            }
        }
    }

    /// Writes the terms that are computed from the whole board.
    fn write_whole_board<const W: usize, const L: usize>(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        view: Side,
        out: &mut [i32],
    ) {
        for (value, term) in out.iter_mut().zip(&self.terms) {
            match term {
                LadrillosTerm::Enclosed => *value = game.enclosed(at, view),
                LadrillosTerm::Mirror => *value = game.mirror(at, view),
                LadrillosTerm::Closing => *value = game.closing(at, view),
                _ => {}
            }
        }
    }
}

/// Maximum number of features of a set: the six of `islands-masters` and three added ones.
const MAX_TERMS: usize = 9;

fn report_terms(divisions: LadrillosTerm) -> Vec<LadrillosTerm> {
    vec![
        LadrillosTerm::OwnPoints,
        LadrillosTerm::FromWalls,
        LadrillosTerm::OwnReach,
        LadrillosTerm::OpponentReach,
        divisions,
    ]
}

/// The changes of up to [`LANES`] children, one row for each kind of change.
type Changes = [[i32; LANES]; change_kind::COUNT];

impl<const W: usize, const C: usize, const L: usize> FeatureSet<Ladrillos<W, C, L>> for LadrillosFeatures<C> {
    type Accumulator = IslandAccumulator<W, C, L>;

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>, view: Side, out: &mut [i32]) {
        let mut scan = BoardScan::new(game, at);
        if self.terms.iter().any(|term| !matches!(term, LadrillosTerm::Enclosed | LadrillosTerm::Mirror)) {
            scan = scan.with_islands();
        }
        for (value, term) in out.iter_mut().zip(&self.terms) {
            *value = term.scan(&scan, view);
        }
    }

    fn begin(&self, game: &Ladrillos<W, C, L>, at: &Position<W, C, L>) -> IslandAccumulator<W, C, L> {
        let mut accumulator = IslandAccumulator::blank();
        self.prepare(game, &mut accumulator, at);
        accumulator
    }

    fn advance(
        &self,
        game: &Ladrillos<W, C, L>,
        accumulator: &mut IslandAccumulator<W, C, L>,
        at: &Position<W, C, L>,
        mv: Brick,
    ) {
        let mut after = at.clone();
        game.play(&mut after, mv);
        self.prepare(game, accumulator, &after);
    }

    fn extract_incremental(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        accumulator: &IslandAccumulator<W, C, L>,
        view: Side,
        out: &mut [i32],
    ) {
        for (value, update) in out.iter_mut().zip(self.updates(accumulator, at, view)) {
            *value = update.base;
        }
        self.write_whole_board(game, at, view, out);
    }

    #[inline]
    fn extract_child(
        &self,
        game: &Ladrillos<W, C, L>,
        step: &Transition<'_, Ladrillos<W, C, L>>,
        accumulator: &IslandAccumulator<W, C, L>,
        view: Side,
        out: &mut [i32],
    ) {
        let mut changes = [[0; LANES]; change_kind::COUNT];
        if self.has_incremental {
            self.change(game, step.at, accumulator, step.mv, &mut changes, 0);
        }
        for (value, update) in out.iter_mut().zip(self.updates(accumulator, step.at, view)) {
            *value = update.base + update.sign * changes[update.change][0];
        }
        self.write_whole_board(game, step.after, view, out);
    }

    #[inline]
    fn extract_children(
        &self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        accumulator: &IslandAccumulator<W, C, L>,
        view: Side,
        moves: &[Brick],
        out: &mut FeatureTable,
    ) {
        match self.terms.len() {
            5 if !self.has_whole_board => {
                return self.fill::<W, L, 5>(game, at, accumulator, view, moves, out);
            }
            6 if !self.has_whole_board => {
                return self.fill::<W, L, 6>(game, at, accumulator, view, moves, out);
            }
            n_features => out.reset(n_features, moves.len()),
        }
        let mut row = [0; MAX_TERMS];
        let row = &mut row[..self.terms.len()];
        for (child, &mv) in moves.iter().enumerate() {
            let mut after = at.clone();
            game.play(&mut after, mv);
            self.extract_child(game, &Transition { at, mv, after: &after }, accumulator, view, row);
            out.set_child(child, row);
        }
    }

    fn is_symmetric(&self) -> bool {
        self.terms.iter().all(|term| term.is_symmetric())
    }

    /// The study's program evaluated ended positions like any other, took the first of equal moves, and summed in
    /// 32-bit floating point.
    fn convention(&self) -> Convention {
        Convention {
            endings: TerminalValue::AsEvaluated,
            sum: SumPrecision::Single(self.order),
            ..Convention::default()
        }
    }
}
