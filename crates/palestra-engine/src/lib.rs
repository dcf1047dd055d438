//! Players that are other programs: protocols, processes, clocks, confinement.
//!
//! A program is started by a [`Wire`], spoken to in a [`Protocol`], timed by a [`Clock`], and judged by the referee,
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

pub use clock::{Clock, TimeControl};
pub use confine::{Confinement, Missing};
pub use fault::{Fault, FaultKind};
pub use house::House;
pub use outside::{Outside, Room, in_words};
pub use pool::{Lease, Pool};
pub use preflight::{Check, Grade, Trial, Untried, advice, examine, glance};
pub use process::{Farewell, Launcher, Left, Limits, Program, Setup, Speaker, Spoken};
pub use program::{DEFAULT_PROTOCOL, PREFIX, ProgramSpec, Start};
pub use protocol::{Beginning, Opening, Protocol, RESIGN, Reply, Thinking};
pub use protocols::{
    CONECTA_C, Dialect, Gtp, KAGGLE_SHIM, LADRILLOS, Language, Line, LineRules, ProtocolSpec, Ugi,
};
pub use referee::{Contestant, Finish, Judged, Trouble, Witness, play};
pub use serve::{ServeError, Served, serve_judge, serve_ugi};
pub use system::{Process, ask_to_stop, cpu_seconds, cpu_seconds_of_children, set_apart, warden};
pub use wire::Wire;
