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
mod linux;
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

use linux as system;

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
pub use system::{Process, warden};
pub use wire::Wire;
