//! External programs as players: protocols, processes, clocks and confinement.
//!
//! An [`ExternalEngine`] runs a program as a [`Process`], which is a [`Transport`] for lines of text, and talks to it
//! in a [`Protocol`] such as UGI or GTP. On Linux, a supervisor process enforces [`ResourceLimits`] and
//! [`Confinement`]. An [`EnginePlayer`] plays matches with engines of an [`EnginePool`], which are kept between games:
//! the arena's referee asks its [`GameSeat`] for moves and keeps its clock.
//!
//! A program that crashes, hangs, floods its output or plays an illegal move gets a [`Fault`]
//! with its kind, and loses the game. A failure of Palestra or the machine makes the game void instead. [`serve_ugi`] is
//! the other direction: it offers a built-in player to other programs.
//!
//! ```
//! use palestra_engine::{ProgramSpec, TimeControl};
//!
//! // An external program is a string, from which an `ExternalEngine` is made.
//! let program: ProgramSpec = "cmd(protocol=gtp,start=game):./bot --fast".parse()?;
//! assert_eq!(program.protocol.to_string(), "gtp");
//! assert_eq!(program.words, ["./bot", "--fast"]);
//! let control: TimeControl = "60+0.5".parse()?;
//! assert_eq!(control.to_string(), "60+0.5");
//! # Ok::<(), palestra_core::InputError>(())
//! ```
#![allow(clippy::disallowed_methods, reason = "programs are started, timed and watched here")]

mod command_run;
mod confine;
mod connection;
mod external;
mod file_modes;
mod pool;
mod preflight;
mod process;
mod program;
mod program_files;
mod protocol;
mod protocols;
#[cfg(test)]
mod referee_tests;
mod replay;
mod serve;
mod transport;

// `system` is how engines are run: `linux`, or `plain` on other systems. The feature `portable` selects `plain` on
// Linux too, so that it can be tested there.
#[cfg(all(target_os = "linux", not(feature = "portable")))]
mod linux;
#[cfg(all(target_os = "linux", not(feature = "portable")))]
use linux as system;
#[cfg(any(not(target_os = "linux"), feature = "portable", test))]
mod plain;
#[cfg(any(not(target_os = "linux"), feature = "portable"))]
use plain as system;

// Types of the arena that are part of this crate's interface.
pub use palestra_arena::{
    EngineLog, Fault, FaultKind, GameSeat, LogLine, MoveRequest, NewGame, ObservedMove, PlayError, RESIGN,
    Reply, Speaker, TimeControl,
};

pub use command_run::{FinishedCommand, run_command};
pub use confine::{Confinement, MissingProtection};
pub use external::{ExternalEngine, Sandbox, exit_remark};
pub use file_modes::{make_link, private_folder, set_executable};
pub use pool::{EnginePlayer, EnginePool, PooledEngine};
pub use preflight::{
    CheckResult, PreflightCheck, PreflightError, PreflightReport, advice, full_check, quick_check,
};
pub use process::{
    ExitKind, ExitReport, ExitRequest, Launcher, PeakUsage, ProcessSetup, ProgramCommand, ResourceLimits,
};
pub use program::{PROGRAM_PREFIX, ProcessLifetime, ProgramSpec};
pub use program_files::OwnFile;
pub use protocol::Protocol;
pub use protocols::{
    Awaited, Dialect, Gtp, LineProtocol, LineRules, LoadedProtocol, MOVE_MAPS, MoveMap, MoveMapInfo,
    MoveMapSpec, PROTOCOLS, ProtocolInfo, ProtocolKind, ProtocolSource, ProtocolSpec, Ugi,
};
pub use replay::{Departure, RecordedDialogue, ReplayedDialogue};
pub use serve::{ServeError, ServedPlayer, serve_judge, serve_ugi};
pub use system::{
    Process, ask_to_stop, cpu_seconds, cpu_seconds_of_children, machine_memory, run_supervisor,
    separate_process_group,
};
pub use transport::Transport;
