//! The six features of the Connect-C study: winning lines, threats, longest open lines, open lines.

use super::arms::Arms;
use super::rules::{Column, Connect, Position};
use super::scan::Square;
use palestra_core::{Feature, FeatureSet, Side};

/// How threats are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counting {
    /// As the report says: playable cells where a rival stone wins.
    Report,
    /// As the program did: (cell, direction) pairs, and only in columns whose index is below the number of
    /// rows, because its loop ran to the wrong bound.
    Program,
}

/// The feature sets `lines` and `lines-coded`.
#[derive(Clone, Debug)]
pub(super) struct Lines<const N: usize> {
    features: [Feature; 6],
    counting: Counting,
    /// Columns where threats are looked for.
    n_watched: usize,
    blank: Box<Arms<N>>,
}

impl<const N: usize> Lines<N> {
    pub(super) fn new<const W: usize>(game: &Connect<W, N>, counting: Counting) -> Lines<N> {
        let most_lines = 4 * game.n_cells() as i32;
        let longest = game.n_columns.max(game.n_rows) as i32;
        let (n_watched, most_threats) = match counting {
            Counting::Report => (game.n_columns, game.n_columns as i32),
            Counting::Program => (game.n_columns.min(game.n_rows), 4 * game.n_columns as i32),
        };
        let feature = |name, meaning, high| Feature { name, meaning, low: 0, high, unit: 1.0 };
        let threats_meaning = match counting {
            Counting::Report => "cells playable now where a rival stone would win",
            Counting::Program => {
                "directions in which a rival stone played now would win, in columns below the row count"
            }
        };
        Lines {
            features: [
                feature("wins", "own lines long enough to win", most_lines),
                feature("threats", threats_meaning, most_threats),
                feature("own-longest", "length of the longest own line with an open end", longest),
                feature("rival-longest", "length of the rival's longest line with an open end", longest),
                feature("own-lines", "own lines with an open end", most_lines),
                feature("rival-lines", "the rival's lines with an open end", most_lines),
            ],
            counting,
            n_watched,
            blank: Box::new(Arms::blank(game.n_columns, game.n_rows, game.run)),
        }
    }

    #[inline]
    fn threats(&self, column: usize, wins: u8) -> i32 {
        let counted = match self.counting {
            Counting::Report => wins.min(1),
            Counting::Program => wins,
        };
        i32::from(counted) * i32::from(column < self.n_watched)
    }
}

impl<const W: usize, const N: usize> FeatureSet<Connect<W, N>> for Lines<N> {
    type Memo = Arms<N>;

    fn features(&self) -> &[Feature] {
        &self.features
    }

    fn extract(&self, game: &Connect<W, N>, at: &Position<W>, view: Side, out: &mut [i32]) {
        let (mut wins, mut longest, mut open) = (0, [0; 2], [0; 2]);
        game.scan_runs(at, |run| {
            wins += i32::from(run.side == view && run.length >= game.run);
            if run.ends.iter().any(|&end| game.square(at, end) == Square::Empty) {
                let side = run.side.index();
                longest[side] = longest[side].max(run.length as i32);
                open[side] += 1;
            }
        });
        let rival = view.other();
        let threats = (0..game.n_columns).map(|c| self.threats(c, game.wins_in(at, c, rival) as u8)).sum();
        let (own, rival) = (view.index(), rival.index());
        out.copy_from_slice(&[wins, threats, longest[own], longest[rival], open[own], open[rival]]);
    }

    fn begin(&self, game: &Connect<W, N>, at: &Position<W>) -> Arms<N> {
        let mut arms = (*self.blank).clone();
        let occupied = at.occupied();
        for column in 0..game.n_columns {
            for row in 0..game.height(&occupied, column) {
                if let Some(side) = game.owner(&at.stones, column, row) {
                    arms.place(column, side);
                }
            }
        }
        arms.refresh_all();
        arms
    }

    #[inline]
    fn advance(&self, _game: &Connect<W, N>, arms: &mut Arms<N>, at: &Position<W>, Column(column): Column) {
        arms.drop(usize::from(column), at.to_move);
    }

    fn recall(&self, game: &Connect<W, N>, at: &Position<W>, arms: &Arms<N>, view: Side, out: &mut [i32]) {
        let rival = view.other();
        let wins = |column| arms.wins_in(column, rival, at.to_move);
        let threats = (0..game.n_columns).map(|column| self.threats(column, wins(column))).sum();
        let longest = |side| i32::from(arms.longest(side));
        let lines = [arms.n_open(view), arms.n_open(rival)];
        out.copy_from_slice(&[arms.won(view), threats, longest(view), longest(rival), lines[0], lines[1]]);
    }

    /// Children seen by the side that moves are read off the gains; for the other side the stone is placed.
    #[inline]
    fn extract_children(
        &self,
        game: &Connect<W, N>,
        at: &Position<W>,
        arms: &Arms<N>,
        view: Side,
        moves: &[Column],
        out: &mut Vec<i32>,
    ) {
        let n = moves.len();
        out.clear();
        out.resize(6 * n, 0);
        if view != at.to_move {
            let mut row = [0; 6];
            for (child, &Column(column)) in moves.iter().enumerate() {
                let mut after = arms.clone();
                after.drop(usize::from(column), at.to_move);
                let mut next = at.clone();
                next.to_move = at.to_move.other();
                self.recall(game, &next, &after, view, &mut row);
                row.iter().enumerate().for_each(|(f, &value)| out[f * n + child] = value);
            }
            return;
        }
        let gains = arms.gains(view);
        let open = (0..game.n_columns).filter(|&c| arms.is_open_column(c));
        let threats: i32 = open.map(|c| self.threats(c, gains[c].rival_wins)).sum();
        let (own_lines, rival_lines) = (arms.n_open(view), arms.n_open(view.other()));
        for (child, &Column(column)) in moves.iter().enumerate() {
            let column = usize::from(column);
            let gain = gains[column];
            let (own_longest, rival_longest) = arms.longest_after(column, view, gain);
            let values = [
                i32::from(gain.wins),
                threats - self.threats(column, gain.rival_wins) + self.threats(column, gain.rival_wins_above),
                i32::from(own_longest),
                i32::from(rival_longest),
                own_lines + i32::from(gain.own_lines),
                rival_lines + i32::from(gain.rival_lines),
            ];
            for (f, value) in values.into_iter().enumerate() {
                out[f * n + child] = value;
            }
        }
    }
}
