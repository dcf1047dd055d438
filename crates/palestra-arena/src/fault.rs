//! The faults of a program.

use crate::record::TimeVerdict;
use palestra_core::InputError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A failure of a program that ends its game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of failure.
    pub kind: FaultKind,
    /// What was observed: the illegal move, the exit code, the line that is not an answer.
    pub detail: String,
    /// How the time was measured, where it ran out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Box<TimeVerdict>>,
}

impl Fault {
    /// A fault with its kind and what was observed.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into(), verdict: None }
    }

    /// The fault of a move that the rules refuse, as the move with this number of the game, from 1.
    #[must_use]
    pub fn illegal(mv: &str, number: usize, bad: &InputError) -> Fault {
        Fault::new(FaultKind::Illegal, format!("{mv:?} as move {number}: expected {}", bad.expected()))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// The kinds of failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It could not be started.
    Start,
    /// It started and did not complete the handshake of its protocol.
    Handshake,
    /// Its clock ran out.
    Time,
    /// Its process ended, by itself or by a signal.
    Crash,
    /// It closed its output, or no longer reads its input, and has not ended.
    Closed,
    /// It played a move that the rules do not allow.
    Illegal,
    /// Its answer does not have the form that its protocol requires.
    Garbled,
    /// It wrote more output than allowed.
    Flood,
    /// It sent a move without a request.
    OutOfTurn,
    /// It used more memory than allowed.
    Memory,
    /// It started more processes or threads than allowed.
    Processes,
    /// It wrote more to the disk than allowed.
    Disk,
    /// It used more processor time than allowed.
    Cpu,
    /// It used the network or another forbidden system call.
    Forbidden,
}

impl FaultKind {
    /// All kinds, in the order of the enum.
    pub const ALL: [FaultKind; 14] = [
        FaultKind::Start,
        FaultKind::Handshake,
        FaultKind::Time,
        FaultKind::Crash,
        FaultKind::Closed,
        FaultKind::Illegal,
        FaultKind::Garbled,
        FaultKind::Flood,
        FaultKind::OutOfTurn,
        FaultKind::Memory,
        FaultKind::Processes,
        FaultKind::Disk,
        FaultKind::Cpu,
        FaultKind::Forbidden,
    ];

    /// The kind with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The kind as the reason of a game's end: `illegal move`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Start => "not started",
            FaultKind::Handshake => "no handshake",
            FaultKind::Time => "time",
            FaultKind::Crash => "crash",
            FaultKind::Closed => "closed pipe",
            FaultKind::Illegal => "illegal move",
            FaultKind::Garbled => "garbled answer",
            FaultKind::Flood => "flood",
            FaultKind::OutOfTurn => "out of turn",
            FaultKind::Memory => "memory",
            FaultKind::Processes => "processes",
            FaultKind::Disk => "disk",
            FaultKind::Cpu => "cpu time",
            FaultKind::Forbidden => "forbidden call",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
