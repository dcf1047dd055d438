//! The first design of the Connect-C study: every line that can still win counts by a power of its length.
//!
//! value = Σ over own lines of m·a₁·Lᵖ¹ + Σ over opponent lines of m·a₂·Lᵖ² + bonus for a won line + bonus where the
//! opponent can win at once; m is α or β where the line can be lengthened at once at both ends or at one.
//! Lines are counted by side, length and ends, and the sum runs over the counts in one fixed order, so the incremental
//! value equals the one computed from the board to the bit.

use super::rules::{Column, Connect, Position};
use super::scan::{CellState, DIRECTIONS, StoneRun};
use palestra_core::{
    Convention, Evaluator, Feature, Game, MAX_VALUE, ParametricEvaluator, Side, TerminalValue, WIN,
};

/// Length of the longest line, plus one.
const N_LENGTHS: usize = 33;

/// The evaluation `potential` with its ten parameters still free.
#[derive(Clone, Debug)]
pub(super) struct ParametricPotential {
    parameters: [Feature; 10],
    n_cells: usize,
    longest: usize,
}

impl ParametricPotential {
    pub(super) fn new<const W: usize, const N: usize, const K: usize>(
        game: &Connect<W, N, K>,
    ) -> ParametricPotential {
        let parameter = |name, meaning| Feature::new(name, meaning, 0, 1);
        ParametricPotential {
            parameters: [
                parameter("own", "value of an own line of one stone that can still win"),
                parameter("own-power", "exponent of its length"),
                parameter("own-both", "factor where it can be lengthened at once at both ends"),
                parameter("own-one", "factor where it can be lengthened at once at one end"),
                parameter(
                    "rival",
                    "value of an opponent line of one stone that can still win; usually below 0",
                ),
                parameter("rival-power", "exponent of its length"),
                parameter("rival-both", "factor where it can be lengthened at once at both ends"),
                parameter("rival-one", "factor where it can be lengthened at once at one end"),
                parameter("win", "added when an own line is long enough to win"),
                parameter("threat", "added when the opponent can win at once"),
            ],
            n_cells: game.n_cells(),
            longest: game.n_columns.max(game.n_rows),
        }
    }
}

impl<const W: usize, const N: usize, const K: usize> ParametricEvaluator<Connect<W, N, K>>
    for ParametricPotential
{
    type Evaluator = Potential;

    fn parameters(&self) -> &[Feature] {
        &self.parameters
    }

    fn build(&self, weights: &[f64]) -> Option<Potential> {
        let mut values = [[[0.0; N_LENGTHS]; 3]; 2];
        for (side, weights) in weights[..8].chunks(4).enumerate() {
            let factors = [1.0, weights[3], weights[2]];
            for (ends, factor) in factors.into_iter().enumerate() {
                for length in 1..=self.longest {
                    values[side][ends][length] = factor * weights[0] * (length as f64).powf(weights[1]);
                }
            }
        }
        let (win, threat) = (weights[8], weights[9]);
        let max =
            values.as_flattened().as_flattened().iter().fold(0.0, |max: f64, value| max.max(value.abs()));
        let reach = max * 4.0 * self.n_cells as f64 + win.abs() + threat.abs();
        // A NaN anywhere makes `reach` fail this comparison as well.
        let finite = values.as_flattened().as_flattened().iter().all(|value| value.is_finite());
        (finite && reach <= MAX_VALUE).then_some(Potential { values, win, threat })
    }
}

/// The evaluation `potential` with its parameters.
#[derive(Clone, Debug)]
pub(super) struct Potential {
    /// Value of one line: own or the opponent's, by number of ends that can be lengthened at once, by length.
    values: [[[f64; N_LENGTHS]; 3]; 2],
    win: f64,
    threat: f64,
}

/// Numbers of lines that can still win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PotentialAccumulator {
    /// By side, by number of ends that can be lengthened at once, by length.
    lines: [[[i16; N_LENGTHS]; 3]; 2],
    /// Number of lines of each side long enough to win.
    won: [i16; 2],
    /// For each side, the columns where it would win at once.
    winning_columns: [u32; 2],
}

impl PotentialAccumulator {
    fn of<const W: usize, const N: usize, const K: usize>(
        game: &Connect<W, N, K>,
        at: &Position<W>,
    ) -> PotentialAccumulator {
        let mut accumulator =
            PotentialAccumulator { lines: [[[0; N_LENGTHS]; 3]; 2], won: [0; 2], winning_columns: [0; 2] };
        game.scan_runs(at, |run| accumulator.add(game, at, run, 1));
        for column in 0..game.n_columns {
            accumulator.update_win(game, at, column);
        }
        accumulator
    }

    fn add<const W: usize, const N: usize, const K: usize>(
        &mut self,
        game: &Connect<W, N, K>,
        at: &Position<W>,
        run: StoneRun,
        n: i16,
    ) {
        let side = run.side.index();
        if run.length >= game.run {
            self.won[side] += n;
        }
        if game.max_length(at, run) >= game.run {
            let ends = run.ends.iter().filter(|&&end| game.is_playable(at, end)).count();
            self.lines[side][ends][run.length] += n;
        }
    }

    /// Updates whether each side would win at once in a column.
    fn update_win<const W: usize, const N: usize, const K: usize>(
        &mut self,
        game: &Connect<W, N, K>,
        at: &Position<W>,
        column: usize,
    ) {
        for side in Side::BOTH {
            let wins = game.wins_in(at, column, side) != 0;
            let columns = &mut self.winning_columns[side.index()];
            *columns = *columns & !(1 << column) | u32::from(wins) << column;
        }
    }

    /// Removes (`n` = -1) or adds (1) all runs on the lines that a stone on `cell` can change: those through the cell
    /// itself, and those through the cell above it, which becomes playable.
    fn count_around<const W: usize, const N: usize, const K: usize>(
        &mut self,
        game: &Connect<W, N, K>,
        at: &Position<W>,
        cell: (isize, isize),
        n: i16,
    ) {
        let above = (cell.0, cell.1 + 1);
        for direction in DIRECTIONS {
            game.scan_line(at, cell, direction, |run| self.add(game, at, run, n));
            // In the vertical direction both cells lie on the same line.
            if direction != (0, 1) && game.cell_state(at, above) != CellState::Outside {
                game.scan_line(at, above, direction, |run| self.add(game, at, run, n));
            }
        }
    }
}

impl<const W: usize, const N: usize, const K: usize> Connect<W, N, K> {
    /// Whether a stone dropped now would land on this cell.
    fn is_playable(&self, at: &Position<W>, cell: (isize, isize)) -> bool {
        self.cell_state(at, cell) == CellState::Empty
            && (cell.1 == 0 || self.cell_state(at, (cell.0, cell.1 - 1)) != CellState::Empty)
    }

    /// The length that a run could reach: cells around it, in its direction, that are its own or empty.
    fn max_length(&self, at: &Position<W>, run: StoneRun) -> usize {
        let (d_column, d_row) = run.direction;
        let free = |start: (isize, isize), sign: isize| {
            let cells = (0..).map(|k| (start.0 + sign * k * d_column, start.1 + sign * k * d_row));
            let fits = |state| state == CellState::Empty || state == CellState::Stone(run.side);
            cells.take_while(|&cell| fits(self.cell_state(at, cell))).count()
        };
        free(run.ends[0], -1) + run.length + free(run.ends[1], 1)
    }

    /// The runs on the line through `cell` in one direction.
    fn scan_line(
        &self,
        at: &Position<W>,
        cell: (isize, isize),
        direction: (isize, isize),
        mut see: impl FnMut(StoneRun),
    ) {
        let step = |cell: (isize, isize), by: isize| (cell.0 + by * direction.0, cell.1 + by * direction.1);
        let mut here = cell;
        while self.cell_state(at, step(here, -1)) != CellState::Outside {
            here = step(here, -1);
        }
        loop {
            match self.cell_state(at, here) {
                CellState::Outside => return,
                CellState::Empty => here = step(here, 1),
                CellState::Stone(side) => {
                    let length = self.count_from(at, here, direction, side);
                    let after = step(here, length as isize);
                    see(StoneRun { side, length, direction, ends: [step(here, -1), after] });
                    here = after;
                }
            }
        }
    }
}

impl<const W: usize, const N: usize, const K: usize> Evaluator<Connect<W, N, K>> for Potential {
    type Accumulator = PotentialAccumulator;

    fn begin(&self, game: &Connect<W, N, K>, at: &Position<W>) -> PotentialAccumulator {
        PotentialAccumulator::of(game, at)
    }

    fn advance(
        &self,
        game: &Connect<W, N, K>,
        accumulator: &mut PotentialAccumulator,
        at: &Position<W>,
        mv: Column,
    ) {
        let column = usize::from(mv.0);
        let cell = (column as isize, game.height(&at.occupied(), column) as isize);
        let mut after = at.clone();
        game.play(&mut after, mv);
        accumulator.count_around(game, at, cell, -1);
        accumulator.count_around(game, &after, cell, 1);
        for other in 0..game.n_columns {
            let next = (other as isize, game.height(&after.occupied(), other) as isize);
            let (across, up) = (next.0 - cell.0, next.1 - cell.1);
            // Only cells in line with the new stone can have become winning ones.
            if across == 0 || up == 0 || across.abs() == up.abs() {
                accumulator.update_win(game, &after, other);
            }
        }
    }

    fn value(
        &self,
        _game: &Connect<W, N, K>,
        _at: &Position<W>,
        accumulator: &PotentialAccumulator,
        view: Side,
    ) -> f64 {
        let mut sum = 0.0;
        for (values, side) in self.values.iter().zip([view, view.other()]) {
            let counts = accumulator.lines[side.index()].as_flattened();
            for (value, &count) in values.as_flattened().iter().zip(counts) {
                if count != 0 {
                    sum += value * f64::from(count);
                }
            }
        }
        if accumulator.won[view.index()] > 0 {
            sum += self.win;
        }
        if accumulator.winning_columns[view.other().index()] != 0 {
            sum += self.threat;
        }
        sum
    }

    fn is_symmetric(&self) -> bool {
        true
    }

    /// As with the study's other evaluation, a greedy player values a won game by the sum alone.
    fn convention(&self) -> Convention {
        Convention { endings: TerminalValue::SearchOnly(WIN), ..Convention::default() }
    }
}
