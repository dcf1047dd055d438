//! The six features of the Connect-C study: winning lines, threats, longest open lines, open lines.

use super::changes::{HasTables, SizeClass, StoneEffects};
use super::rays::LineAccumulator;
use super::rules::{Column, Connect, Position};
use super::scan::CellState;
use palestra_core::{Convention, Feature, FeatureSet, FeatureTable, LANES, Side, TerminalValue, WIN};

/// How threats are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ThreatCounting {
    /// As the report defines: playable cells where an opponent's stone wins.
    Report,
    /// As the program counted: (cell, direction) pairs, and only in columns whose index is below the number of rows,
    /// because its loop had the wrong bound.
    Program,
}

/// The feature sets `lines` and `lines-coded`.
#[derive(Clone, Debug)]
pub(super) struct LineFeatures<const N: usize, const K: usize> {
    features: [Feature; 6],
    /// Number of threats on a cell of each column, by the directions in which an opponent's stone there would win (one
    /// bit each).
    threat_counts: [[u8; 16]; N],
    blank: Box<LineAccumulator<N, K>>,
    changes: [StoneEffects<N, K>; 2],
    /// Whether all columns count the same.
    is_symmetric: bool,
}

impl<const N: usize, const K: usize> LineFeatures<N, K>
where
    SizeClass<N, K>: HasTables<K>,
{
    pub(super) fn new<const W: usize>(
        game: &Connect<W, N, K>,
        counting: ThreatCounting,
    ) -> LineFeatures<N, K> {
        let changes = StoneEffects::new();
        let max_lines = 4 * game.n_cells() as i32;
        let longest = game.n_columns.max(game.n_rows) as i32;
        let max_threats = match counting {
            ThreatCounting::Report => game.n_columns as i32,
            ThreatCounting::Program => 4 * game.n_columns as i32,
        };
        let feature = |name, meaning, high| Feature::new(name, meaning, 0, high);
        let threats_meaning = match counting {
            ThreatCounting::Report => "cells playable now where an opponent's stone would win",
            ThreatCounting::Program => {
                "directions in which an opponent's stone played now would win, in the first ROWS columns"
            }
        };
        LineFeatures {
            features: [
                feature("wins", "own lines long enough to win", max_lines),
                feature("threats", threats_meaning, max_threats),
                feature("own-longest", "length of the longest own line with an open end", longest),
                feature("rival-longest", "length of the opponent's longest line with an open end", longest),
                feature("own-lines", "own lines with an open end", max_lines),
                feature("rival-lines", "the opponent's lines with an open end", max_lines),
            ],
            threat_counts: std::array::from_fn(|column| {
                std::array::from_fn(|wins| match counting {
                    ThreatCounting::Report => u8::from(wins != 0),
                    ThreatCounting::Program if column < game.n_rows => wins.count_ones() as u8,
                    ThreatCounting::Program => 0,
                })
            }),
            blank: Box::new(LineAccumulator::blank(&changes, [game.n_columns, game.n_rows], game.run)),
            changes,
            is_symmetric: counting == ThreatCounting::Report || game.n_columns <= game.n_rows,
        }
    }

    #[inline]
    fn threats(&self, column: usize, wins: u8) -> i32 {
        i32::from(self.threat_counts[column][usize::from(wins % 16)])
    }

    #[inline]
    fn all_threats(&self, n_columns: usize, accumulator: &LineAccumulator<N, K>, opponent: Side) -> i32 {
        (0..n_columns).map(|column| self.threats(column, accumulator.wins_in(column, opponent))).sum()
    }
}

impl<const W: usize, const N: usize, const K: usize> FeatureSet<Connect<W, N, K>> for LineFeatures<N, K>
where
    SizeClass<N, K>: HasTables<K>,
{
    type Accumulator = LineAccumulator<N, K>;

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Connect<W, N, K>, at: &Position<W>, view: Side, out: &mut [i32]) {
        let (mut wins, mut longest, mut open) = (0, [0; 2], [0; 2]);
        game.scan_runs(at, |run| {
            wins += i32::from(run.side == view && run.length >= game.run);
            if run.ends.iter().any(|&end| game.cell_state(at, end) == CellState::Empty) {
                let side = run.side.index();
                longest[side] = longest[side].max(run.length as i32);
                open[side] += 1;
            }
        });
        let other = view.other();
        let threats = (0..game.n_columns).map(|c| self.threats(c, game.wins_in(at, c, other))).sum();
        let (own, other) = (view.index(), other.index());
        out.copy_from_slice(&[wins, threats, longest[own], longest[other], open[own], open[other]]);
    }

    fn begin(&self, game: &Connect<W, N, K>, at: &Position<W>) -> LineAccumulator<N, K> {
        let mut accumulator = (*self.blank).clone();
        let occupied = at.occupied();
        for column in 0..game.n_columns {
            for row in 0..game.height(&occupied, column) {
                if let Some(side) = game.owner(&at.stones, column, row) {
                    accumulator.drop(&self.changes, column, side);
                }
            }
        }
        accumulator
    }

    #[inline]
    fn advance(
        &self,
        _game: &Connect<W, N, K>,
        accumulator: &mut LineAccumulator<N, K>,
        at: &Position<W>,
        mv: Column,
    ) {
        accumulator.drop(&self.changes, usize::from(mv.0), at.to_move);
    }

    fn extract_incremental(
        &self,
        game: &Connect<W, N, K>,
        _at: &Position<W>,
        accumulator: &LineAccumulator<N, K>,
        view: Side,
        out: &mut [i32],
    ) {
        let (own, opponent) = (accumulator.open(view), accumulator.open(view.other()));
        out.copy_from_slice(&[
            accumulator.won(view),
            self.all_threats(game.n_columns, accumulator, view.other()),
            own.longest(),
            opponent.longest(),
            own.total(),
            opponent.total(),
        ]);
    }

    /// For the side to move, children are computed from the rays; for the other side each stone is placed.
    #[inline]
    fn extract_children(
        &self,
        game: &Connect<W, N, K>,
        at: &Position<W>,
        accumulator: &LineAccumulator<N, K>,
        view: Side,
        moves: &[Column],
        out: &mut FeatureTable,
    ) {
        if view != at.to_move {
            out.reset(6, moves.len());
            let mut row = [0; 6];
            for (child, &Column(column)) in moves.iter().enumerate() {
                let mut after = accumulator.clone();
                after.drop(&self.changes, usize::from(column), at.to_move);
                self.extract_incremental(game, at, &after, view, &mut row);
                out.set_child(child, &row);
            }
            return;
        }
        let blocks = out.fill::<6>(moves.len());
        let mut threats = 0;
        for (block, moves) in blocks.iter_mut().zip(moves.chunks(LANES)) {
            for (lane, &Column(column)) in moves.iter().enumerate() {
                let (column, lane) = (usize::from(column) % N, lane % LANES);
                let effect = accumulator.drop_effect(column, view);
                let gone = self.threats(column, effect.opponent_wins);
                threats += gone;
                block[0][lane] = effect.wins.count_ones() as i32;
                block[1][lane] = self.threats(column, effect.opponent_wins_above) - gone;
                block[2][lane] = effect.open.own.longest();
                block[3][lane] = effect.open.opponent.longest();
                block[4][lane] = effect.open.own.total();
                block[5][lane] = effect.open.opponent.total();
            }
        }
        for block in blocks {
            block[1].iter_mut().for_each(|value| *value = value.wrapping_add(threats));
        }
    }

    fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// The study's greedy players valued a won game by the features alone.
    fn convention(&self) -> Convention {
        Convention { endings: TerminalValue::SearchOnly(WIN), ..Convention::default() }
    }
}
