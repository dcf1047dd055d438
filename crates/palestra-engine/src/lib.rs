//! External programs as players: protocols, processes, clocks and confinement.
//!
//! An [`ExternalEngine`] runs a program as a [`Process`], which is a [`Transport`] for lines of text, and talks to it
//! in a [`Protocol`] such as UGI or GTP. On Linux, a supervisor process enforces [`ResourceLimits`] and
//! [`Confinement`]. [`play`] referees a game between two [`GameSeat`]s, external or built in: it applies the rules and
//! keeps a [`GameClock`] for each side.
//!
//! A program that crashes, hangs, floods its output or plays an illegal move gets a [`Fault`] with its kind, and loses
//! the game. A failure of Palestra or the machine makes the game void instead. [`serve_ugi`] is the other direction: it
//! offers a built-in player to other programs.
//!
//! ```
//! use palestra_arena::StartPoint;
//! use palestra_engine::{BuiltinEngine, Finish, ProgramSpec, TimeControl, play};
//! use palestra_registry::GAMES;
//!
//! // A game between two built-in players, with two random opening moves.
//! let game = GAMES.open("connect4")?;
//! let players = [game.player("first")?, game.player("random")?];
//! let [mut first, mut second] = [0, 1].map(|i| BuiltinEngine::new(game.text_player(&players[i])));
//! let start = StartPoint { game: game.name(), opening_plies: 2, seed: 1 };
//! let control: TimeControl = "60+0.5".parse()?;
//! let result = play(game.as_ref(), &start, 0, [&mut first, &mut second], &control);
//! assert!(matches!(result.finish, Finish::Played { .. }));
//! assert_eq!(result.opening.split_whitespace().count(), 2);
//! assert_eq!(result.moves.len(), result.micros.len());
//!
//! // An external program is a string, from which an `ExternalEngine` is made.
//! let program: ProgramSpec = "cmd(protocol=gtp,start=game):./bot --fast".parse()?;
//! assert_eq!(program.protocol, "gtp");
//! assert_eq!(program.words, ["./bot", "--fast"]);
//! # Ok::<(), palestra_core::InputError>(())
//! ```
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
