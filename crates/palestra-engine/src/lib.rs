//! Players that are other programs: protocols, processes, clocks, confinement.
//!
//! A program is started by a [`Transport`], spoken to in a [`Protocol`], timed by a [`GameClock`], and judged by the referee,
//! who owns the rules. Whatever it does wrong becomes a [`Fault`] of a stated kind, and never an error of ours.
#![allow(clippy::disallowed_methods, reason = "programs are started, timed and watched here")]

mod builtin;
mod clock;
mod confine;
mod connection;
mod external;
mod fault;
mod pool;
mod preflight;
mod process;
mod program;
mod protocol;
mod protocols;
mod referee;
#[cfg(test)]
mod referee_tests;
mod serve;
mod transport;

// The boundary between Linux and other systems, for all that players are held by. With the feature `portable` Linux gets
// what the others get, so that it can be checked there.
#[cfg(all(target_os = "linux", not(feature = "portable")))]
mod linux;
#[cfg(all(target_os = "linux", not(feature = "portable")))]
use linux as system;
#[cfg(any(not(target_os = "linux"), feature = "portable", test))]
mod plain;
#[cfg(any(not(target_os = "linux"), feature = "portable"))]
use plain as system;

pub use builtin::BuiltinEngine;
pub use clock::{GameClock, TimeControl};
pub use confine::{Confinement, MissingProtection};
pub use external::{ExternalEngine, Sandbox, exit_remark};
pub use fault::{Fault, FaultKind};
pub use pool::{EnginePool, PooledEngine};
pub use preflight::{
    CheckResult, PreflightCheck, PreflightError, PreflightReport, advice, full_check, quick_check,
};
pub use process::{
    ExitKind, ExitReport, Launcher, LogLine, ProcessSetup, ProgramCommand, ResourceLimits, Speaker,
};
pub use program::{DEFAULT_PROTOCOL, PROGRAM_PREFIX, ProcessLifetime, ProgramSpec};
pub use protocol::{MoveRequest, NewGame, OpeningMove, Protocol, RESIGN, Reply};
pub use protocols::{
    CONECTA_C, Dialect, Gtp, KAGGLE_SHIM, LADRILLOS, LineProtocol, LineRules, LoadedProtocol, ProtocolSpec,
    Ugi,
};
pub use referee::{EngineLog, Finish, GameSeat, PlayError, RefereedGame, play};
pub use serve::{ServeError, ServedPlayer, serve_judge, serve_ugi};
pub use system::{
    Process, ask_to_stop, cpu_seconds, cpu_seconds_of_children, run_supervisor, separate_process_group,
};
pub use transport::Transport;
