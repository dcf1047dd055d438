//! The course's reference players (rules, section 2), which have neither search nor weights.

use super::rules::{Brick, Ladrillos, Position, is_of};
use palestra_core::{EvaluationInfo, Game, Policy, Rng, Side};
use rand::RngExt;

pub(super) const PLAYERS: &[EvaluationInfo] = &[
    EvaluationInfo { name: "fixed", about: "the course's player: always the first legal move" },
    EvaluationInfo { name: "rand", about: "the course's player: a random legal move, all equally likely" },
    EvaluationInfo {
        name: "heur",
        about: "the course's player: the largest difference of points after its move, ties at random",
    },
    EvaluationInfo {
        name: "heurb",
        about: "the course's player: the largest sum of island size squared times free cells around, own minus the opponent's, ties at random",
    },
    EvaluationInfo {
        name: "labi",
        about: "the course's player: a legal move by the C library's rand() without a seed, so always the same moves",
    },
    EvaluationInfo {
        name: "wabi",
        about: "the course's player: the first legal move in an order that alternates rows and columns",
    },
];

/// A reference player.
#[derive(Clone, Debug)]
pub(super) enum ReferencePlayer {
    Fixed,
    Rand,
    Heur,
    Heurb,
    /// With its random numbers, one for each of its moves.
    Labi(Vec<u32>),
    Wabi,
}

impl ReferencePlayer {
    /// The player with this name; `n_cells` bounds its number of moves.
    pub(super) fn named(name: &str, n_cells: usize) -> Option<ReferencePlayer> {
        Some(match name {
            "fixed" => ReferencePlayer::Fixed,
            "rand" => ReferencePlayer::Rand,
            "heur" => ReferencePlayer::Heur,
            "heurb" => ReferencePlayer::Heurb,
            "labi" => ReferencePlayer::Labi(c_rand(n_cells / 2)),
            "wabi" => ReferencePlayer::Wabi,
            _ => return None,
        })
    }
}

impl<const W: usize, const C: usize, const L: usize> Policy<Ladrillos<W, C, L>> for ReferencePlayer {
    fn choose(
        &mut self,
        game: &Ladrillos<W, C, L>,
        at: &Position<W, C, L>,
        moves: &[Brick],
        rng: &mut Rng,
    ) -> Brick {
        let view = at.to_move;
        match self {
            ReferencePlayer::Fixed => moves[0],
            ReferencePlayer::Rand => random_best(moves, rng, |_| 0),
            ReferencePlayer::Heur => {
                random_best(moves, rng, |mv| i64::from(after(game, at, mv).margin(view)))
            }
            ReferencePlayer::Heurb => random_best(moves, rng, |mv| game.pressure(&after(game, at, mv), view)),
            ReferencePlayer::Labi(numbers) => {
                let n_own = at.bricks[view.index()].count() / 2;
                let order: Vec<Brick> = interleaved(game.n).filter(|mv| moves.contains(mv)).collect();
                order[numbers[n_own as usize] as usize % order.len()]
            }
            ReferencePlayer::Wabi => interleaved(game.n).find(|mv| moves.contains(mv)).unwrap_or(moves[0]),
        }
    }

    fn is_stochastic(&self) -> bool {
        matches!(self, ReferencePlayer::Rand | ReferencePlayer::Heur | ReferencePlayer::Heurb)
    }
}

fn after<const W: usize, const C: usize, const L: usize>(
    game: &Ladrillos<W, C, L>,
    at: &Position<W, C, L>,
    mv: Brick,
) -> Position<W, C, L> {
    let mut after = at.clone();
    game.play(&mut after, mv);
    after
}

/// One of the moves with the largest value, all equally likely, in one pass: the k-th of equal moves replaces the
/// chosen one with probability 1/k.
fn random_best(moves: &[Brick], rng: &mut Rng, value: impl Fn(Brick) -> i64) -> Brick {
    let (mut chosen, mut best, mut n_equal) = (moves[0], i64::MIN, 0);
    for &mv in moves {
        let value = value(mv);
        if value > best {
            (best, n_equal) = (value, 0);
        }
        if value == best {
            n_equal += 1;
            if rng.random_range(0..n_equal) == 0 {
                chosen = mv;
            }
        }
    }
    chosen
}

/// All bricks of the board in the order of wabi and labi: for x over rows and y over all but the last column, the
/// horizontal brick on row x, column y, then the vertical one on row y, column x.
fn interleaved(n: usize) -> impl Iterator<Item = Brick> {
    let brick = |row: usize, column: usize, upright| Brick { row: row as u8, column: column as u8, upright };
    let cells = (0..n).flat_map(move |x| (0..n - 1).map(move |y| (x, y)));
    cells.flat_map(move |(x, y)| [brick(x, y, false), brick(y, x, true)])
}

/// The first numbers of the C library's `rand()` without a seed: the additive feedback generator of glibc, whose state
/// is filled from seed 1 by a multiplicative generator and whose first 310 numbers are discarded.
pub(super) fn c_rand(n_numbers: usize) -> Vec<u32> {
    const LAG: usize = 31;
    const FIRST: usize = 344;
    let mut state: Vec<u32> = vec![1];
    for i in 1..LAG {
        state.push((16_807 * u64::from(state[i - 1]) % 0x7fff_ffff) as u32);
    }
    for i in LAG..LAG + 3 {
        state.push(state[i - LAG]);
    }
    for i in LAG + 3..FIRST + n_numbers {
        state.push(state[i - LAG].wrapping_add(state[i - 3]));
    }
    state[FIRST..].iter().map(|number| number >> 1).collect()
}

impl<const W: usize, const C: usize, const L: usize> Ladrillos<W, C, L> {
    /// The value that heurb maximizes: a free cell counts for every island it touches, by the square of its size.
    pub(super) fn pressure(&self, at: &Position<W, C, L>, view: Side) -> i64 {
        let stride = self.stride();
        let mut sum = 0;
        for place in self.free(at).both(&self.around(&at.occupied())).ones() {
            let i = place + stride;
            let around = [i - stride, i - 1, i + 1, i + stride].map(|j| at.labels[j]);
            for (k, &label) in around.iter().enumerate() {
                if label != 0 && !around[..k].contains(&label) {
                    let square = i64::from(at.sizes[usize::from(label)]).pow(2);
                    sum += if is_of(label, view.index()) { square } else { -square };
                }
            }
        }
        sum
    }
}
