//! Benchmarks: fixed work on one thread, measured in CPU time.
//!
//! Each case returns the amount of work and a signature of its results, so that a faster build that plays differently
//! is noticed. `cargo bench` and `palestra bench` run the same cases; `cargo xtask bench` adds instruction
//! counts and writes `docs/benchmarks.md`.

mod deep;
mod event;
mod greedy;
mod ladrillos;
mod mancala;
mod mastergoal;
mod playouts;
mod search;
mod solve;
mod tune;

use palestra_arena::multiply_chain;
use palestra_engine::cpu_seconds;

/// One benchmark.
#[derive(Debug)]
pub struct BenchCase {
    /// Name of the case, as an argument of `palestra bench`.
    pub name: &'static str,
    /// Description of the work.
    pub about: &'static str,
    /// Unit of work: `games`, `nodes`.
    pub unit: &'static str,
    /// Rate to reach, in units per CPU second.
    pub target: Option<f64>,
    /// Rates of other programs, recorded at [`PEERS_CLOCK`].
    pub peers: &'static [PeerRate],
    /// Whether a pass takes so long that the case only runs by name.
    pub is_long: bool,
    run: fn() -> BenchPass,
}

/// Rate of another program.
#[derive(Debug)]
pub struct PeerRate {
    /// Name of the program.
    pub name: &'static str,
    /// Units per CPU second.
    pub rate: f64,
}

/// Clock, in GHz, at which the rates of other programs were recorded.
pub const PEERS_CLOCK: f64 = 3.6;

/// Work and results of a pass.
struct BenchPass {
    units: u64,
    signature: u64,
}

/// All benchmarks.
pub const CASES: &[BenchCase] = &[
    greedy::GREEDY_SMALL,
    greedy::GREEDY_MIDDLE,
    greedy::GREEDY_LARGE,
    ladrillos::GREEDY,
    playouts::PLAYOUTS,
    playouts::PERFT,
    search::ALPHABETA,
    search::MINIMAX,
    deep::CONNECT,
    deep::CONNECT_DEPTH,
    deep::LADRILLOS,
    deep::MASTERGOAL,
    deep::PLAYOUTS,
    mastergoal::TURNS_1,
    mastergoal::TURNS_2,
    mastergoal::TURNS_2_1,
    mastergoal::TURNS_3,
    mastergoal::GREEDY_1,
    mastergoal::GREEDY_3,
    mancala::MANCALA,
    mancala::KALAH,
    event::RAW,
    event::STORED,
    tune::GRID,
    tune::GA_WEIGHTED,
    tune::GA_DRIFT,
    solve::CONNECT_LATE,
    solve::LADRILLOS_5,
    solve::KALAH_4,
    solve::CONNECT_QUIET,
    solve::CONNECT_EMPTY,
    solve::LADRILLOS_6,
    solve::KALAH_6,
];

/// Measurement of a case.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Measurement {
    /// Units of work in one pass.
    pub units: u64,
    /// CPU seconds of the fastest pass.
    pub seconds: f64,
    /// Digest of the results, the same in every pass.
    pub signature: u64,
}

impl Measurement {
    /// Units per CPU second.
    pub fn rate(&self) -> f64 {
        self.units as f64 / self.seconds
    }
}

/// Runs a case `repeat` times. The fastest pass counts, because noise of the machine only slows passes down.
pub fn measure(case: &BenchCase, repeat: u32) -> Measurement {
    let mut best: Option<Measurement> = None;
    for _ in 0..repeat.max(1) {
        let before = cpu_seconds();
        let BenchPass { units, signature } = (case.run)();
        let seconds = (cpu_seconds() - before).max(1e-9);
        if best.is_none_or(|best| seconds < best.seconds) {
            best = Some(Measurement { units, seconds, signature });
        }
    }
    best.expect("at least one pass")
}

/// The clock that this thread gets, in GHz. Shared machines run well below their nominal clock, and a rate means little
/// without it. Each step of the measured chain takes five cycles on all common processors of the last ten years.
pub fn effective_clock() -> f64 {
    const STEPS: u64 = 20_000_000;
    let pass = || {
        let before = cpu_seconds();
        std::hint::black_box(multiply_chain(STEPS));
        5.0 * STEPS as f64 / (cpu_seconds() - before).max(1e-9) / 1e9
    };
    (0..3).map(|_| pass()).fold(0.0, f64::max)
}
