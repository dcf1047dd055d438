//! What somebody who knows better makes of the moves: exactly where the position can be solved soon, else by a deep
//! look at each.

use palestra_arena::{Oracle, Session};
use palestra_search::exact::SolverProgress;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Bytes of what an exact search may remember.
const TABLE_BYTES: usize = 64 * 1024 * 1024;
const EXACT_PATIENCE: Duration = Duration::from_millis(1200);
const DEEP_PATIENCE: Duration = Duration::from_millis(1000);
/// Positions for all moves together, and for each at least and at most.
const ALL_NODES: u64 = 300_000;
const LEAST_NODES: u64 = 500;
const MOST_NODES: u64 = 20_000;

/// What the moves are worth.
pub(super) struct OracleValues {
    pub(super) is_exact: bool,
    /// By the number of the move; none where time was up before.
    pub(super) values: Vec<Option<f64>>,
    pub(super) nodes: u64,
}

impl OracleValues {
    /// Asks about a position that is not over; the moves of `order` are looked at first.
    pub(super) fn compute(session: &dyn Session, n_moves: usize, order: &[usize]) -> OracleValues {
        let exact = session.exact_oracle(TABLE_BYTES, 1).filter(|judge| judge.in_reach());
        if let Some(mut judge) = exact {
            let opinion = OracleValues::of(judge.as_mut(), n_moves, order, EXACT_PATIENCE);
            if opinion.is_finished() {
                return opinion;
            }
        }
        let nodes = (ALL_NODES / n_moves.max(1) as u64).clamp(LEAST_NODES, MOST_NODES);
        OracleValues::of(session.deep_oracle(nodes).as_mut(), n_moves, order, DEEP_PATIENCE)
    }

    fn of(judge: &mut dyn Oracle, n_moves: usize, order: &[usize], patience: Duration) -> OracleValues {
        let course = SolverProgress::default();
        let rest = (0..n_moves).filter(|i| !order.contains(i));
        let mut values = vec![None; n_moves];
        within(&course, patience, || {
            for i in order.iter().copied().chain(rest) {
                match judge.move_value(i, &course) {
                    Ok(value) => values[i] = Some(value),
                    Err(_) => break,
                }
            }
        });
        OracleValues { is_exact: judge.is_exact(), values, nodes: course.nodes() }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.values.iter().all(Option::is_some)
    }

    /// Moves that were looked at.
    pub(super) fn n_looked(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// What the best of the moves that were looked at is worth.
    pub(super) fn best(&self) -> Option<f64> {
        self.values.iter().flatten().copied().reduce(f64::max)
    }
}

/// Does something, and calls it off when it takes too long.
fn within(course: &SolverProgress, patience: Duration, work: impl FnOnce()) {
    std::thread::scope(|scope| {
        let (done, over) = channel::<()>();
        scope.spawn(move || {
            if over.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                course.cancel();
            }
        });
        work();
        drop(done);
    });
}
