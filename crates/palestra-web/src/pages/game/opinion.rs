//! Values of all moves by an oracle: exact where the position can be solved in time, else by a deep search.

use palestra_arena::{Oracle, Session};
use palestra_core::Progress;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// Bytes of the exact search's transposition table.
const TABLE_BYTES: usize = 64 * 1024 * 1024;
/// Time limits of the exact and of the deep search.
const EXACT_TIMEOUT: Duration = Duration::from_millis(1200);
const DEEP_TIMEOUT: Duration = Duration::from_millis(1000);
/// Nodes of the deep search: for all moves together, and the bounds for each move.
const TOTAL_NODES: u64 = 300_000;
const MIN_NODES: u64 = 500;
const MAX_NODES: u64 = 20_000;

/// Values of the moves of a position.
pub(super) struct OracleValues {
    pub(super) is_exact: bool,
    /// By index of the move; `None` for those that were not searched in time.
    pub(super) values: Vec<Option<f64>>,
    pub(super) nodes: u64,
}

impl OracleValues {
    /// Values the moves of a position that is not over; the moves of `order` are searched first.
    pub(super) fn compute(session: &dyn Session, n_moves: usize, order: &[usize]) -> OracleValues {
        let exact = session.exact_oracle(TABLE_BYTES, 1).filter(|oracle| oracle.in_reach());
        if let Some(mut oracle) = exact {
            let values = OracleValues::of(oracle.as_mut(), n_moves, order, EXACT_TIMEOUT);
            if values.is_finished() {
                return values;
            }
        }
        let nodes = (TOTAL_NODES / n_moves.max(1) as u64).clamp(MIN_NODES, MAX_NODES);
        OracleValues::of(session.deep_oracle(nodes).as_mut(), n_moves, order, DEEP_TIMEOUT)
    }

    fn of(oracle: &mut dyn Oracle, n_moves: usize, order: &[usize], timeout: Duration) -> OracleValues {
        let progress = Progress::default();
        let rest = (0..n_moves).filter(|i| !order.contains(i));
        let mut values = vec![None; n_moves];
        within(&progress, timeout, || {
            for i in order.iter().copied().chain(rest) {
                match oracle.move_value(i, &progress) {
                    Ok(value) => values[i] = Some(value),
                    Err(_) => break,
                }
            }
        });
        OracleValues { is_exact: oracle.is_exact(), values, nodes: progress.done() }
    }

    pub(super) fn is_finished(&self) -> bool {
        self.values.iter().all(Option::is_some)
    }

    /// Number of moves that were searched.
    pub(super) fn n_looked(&self) -> usize {
        self.values.iter().flatten().count()
    }

    /// The value of the best move that was searched.
    pub(super) fn best(&self) -> Option<f64> {
        self.values.iter().flatten().copied().reduce(f64::max)
    }
}

/// Runs `work`, which `progress` cancels after a time.
fn within(progress: &Progress, timeout: Duration, work: impl FnOnce()) {
    std::thread::scope(|scope| {
        let (done, finished) = channel::<()>();
        scope.spawn(move || {
            if finished.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout) {
                progress.cancel();
            }
        });
        work();
        drop(done);
    });
}
