//! Divides a cone of weights by the move that they choose.

use super::cone::{Cone, Cut};
use super::games::GameTreeMove;

/// How the weights of a cone choose at a turn.
pub(super) enum Choice {
    /// All choose the move with this index.
    Unanimous(usize),
    /// Each part chooses the move with the index beside it; the last part holds the middle of the cone.
    Divided(Vec<(Cone, usize)>),
}

/// Divides cones; keeps its buffers from turn to turn.
#[derive(Default)]
pub(super) struct Divider {
    /// The value of each move on each ray minus that of the first move: one row of rays for each move.
    values: Vec<i128>,
    /// The sum of each row: the value of the sum of all rays, which lies inside the cone.
    sums: Vec<i128>,
    /// The move chosen inside the cone, and those that other weights of the cone might choose, in order.
    candidates: Vec<usize>,
}

impl Divider {
    /// How the weights of a cone choose; of equally good moves the first is played.
    pub(super) fn divide(&mut self, cone: &Cone, moves: &[GameTreeMove]) -> Choice {
        if moves.len() == 1 {
            return Choice::Unanimous(0);
        }
        let leading = self.fill(cone, moves);
        let n_rays = cone.rays().len();
        self.candidates.clear();
        for k in 0..moves.len() {
            if k == leading || !is_ahead(self.row(leading, n_rays), self.row(k, n_rays), k < leading) {
                self.candidates.push(k);
            }
        }
        if self.candidates.len() == 1 {
            return Choice::Unanimous(leading);
        }
        let others = self.candidates.iter().copied().filter(|&k| k != leading);
        let in_order = others.chain(std::iter::once(leading));
        Choice::Divided(in_order.filter_map(|i| Some((self.part(cone, moves, i, leading)?, i))).collect())
    }

    /// Computes the values; returns the move that is chosen inside the cone.
    fn fill(&mut self, cone: &Cone, moves: &[GameTreeMove]) -> usize {
        self.values.clear();
        self.sums.clear();
        for mv in moves {
            let mut sum = 0;
            for ray in cone.rays() {
                let value =
                    mv.ahead.iter().map(|&(i, by)| i128::from(by) * i128::from(ray.along[i])).sum::<i128>();
                sum += value;
                self.values.push(value);
            }
            self.sums.push(sum);
        }
        let better = |best: usize, k: usize| if self.sums[k] > self.sums[best] { k } else { best };
        (1..moves.len()).fold(0, better)
    }

    fn row(&self, mv: usize, n_rays: usize) -> &[i128] {
        &self.values[mv * n_rays..][..n_rays]
    }

    /// The part of the cone that chooses `i`. Moves that no weights choose set no limits: another one is ahead of them
    /// everywhere.
    fn part(&self, cone: &Cone, moves: &[GameTreeMove], i: usize, leading: usize) -> Option<Cone> {
        let n_rays = cone.rays().len();
        let row = self.row(i, n_rays);
        let mut kept: Option<Cone> = None;
        // The leading move takes most away, so it comes first.
        let others = self.candidates.iter().copied().filter(|&k| k != leading);
        for k in std::iter::once(leading).chain(others).filter(|&k| k != i) {
            let other = self.row(k, n_rays);
            if is_ahead(row, other, k < i) {
                continue;
            }
            let cut = match &kept {
                None => cone.cut_at(row.iter().zip(other).map(|(a, b)| a - b).collect(), k < i),
                Some(kept) => {
                    let features = moves[i].features.iter().zip(&moves[k].features);
                    let ahead: Vec<i32> = features.map(|(a, b)| a - b).collect();
                    kept.cut(&ahead, k < i)
                }
            };
            match cut {
                Cut::Whole => {}
                Cut::Part(part) => kept = Some(part),
                Cut::Nothing => return None,
            }
        }
        Some(kept.unwrap_or_else(|| cone.clone()))
    }
}

/// Whether a move is preferred to another one on all rays; if `is_strict`, equal values do not do.
fn is_ahead(row: &[i128], other: &[i128], is_strict: bool) -> bool {
    if is_strict {
        row.iter().zip(other).all(|(a, b)| a > b)
    } else {
        row.iter().zip(other).all(|(a, b)| a >= b)
    }
}
