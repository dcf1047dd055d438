//! Players that are other programs: protocols, processes, clocks, confinement.
//!
//! A program is started by a [`Transport`], spoken to in a [`Protocol`], timed by a [`GameClock`], and judged by the referee,
//! who owns the rules. Whatever it does wrong becomes a [`Fault`] of a stated kind, and never an error of ours.
#![allow(clippy::disallowed_methods, reason = "programs are started, timed and watched here")]

mod clock;
mod confine;
mod fault;
mod house;
mod line;
mod outside;
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
mod wire;

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

pub use clock::{GameClock, TimeControl};
pub use confine::{Confinement, MissingProtection};
pub use fault::{Fault, FaultKind};
pub use house::BuiltinEngine;
pub use outside::{ExternalEngine, Sandbox, exit_remark};
pub use pool::{PooledEngine, EnginePool};
pub use preflight::{PreflightCheck, CheckResult, PreflightReport, PreflightError, advice, full_check, quick_check};
pub use process::{ExitReport, Launcher, ExitKind, ResourceLimits, ProgramCommand, ProcessSetup, Speaker, LogLine};
pub use program::{DEFAULT_PROTOCOL, PROGRAM_PREFIX, ProgramSpec, ProcessLifetime};
pub use protocol::{NewGame, OpeningMove, Protocol, RESIGN, Reply, MoveRequest};
pub use protocols::{
    CONECTA_C, Dialect, Gtp, KAGGLE_SHIM, LADRILLOS, LoadedProtocol, LineProtocol, LineRules, ProtocolSpec, Ugi,
};
pub use referee::{GameSeat, Finish, RefereedGame, PlayError, EngineLog, play};
pub use serve::{ServeError, ServedPlayer, serve_judge, serve_ugi};
pub use system::{Process, ask_to_stop, cpu_seconds, cpu_seconds_of_children, separate_process_group, run_supervisor};
pub use wire::Transport;
