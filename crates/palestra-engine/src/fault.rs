//! What a program can do wrong, each with its name.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A program's failure: what a referee writes beside a game that ended off the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of failure.
    pub kind: FaultKind,
    /// What exactly was seen, in words: the illegal move, the exit code, the line nobody understood.
    pub detail: String,
}

impl Fault {
    /// A fault of a kind, seen like this.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
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
    /// It started and did not say what its protocol wants said first.
    Handshake,
    /// Its clock ran out.
    Time,
    /// Its process ended, by itself or by a signal.
    Crash,
    /// It closed its output, or no longer reads its input, and lives on.
    Closed,
    /// It played a move that the rules do not allow.
    Illegal,
    /// It answered something that is not an answer.
    Garbled,
    /// It wrote more than anybody should read.
    Flood,
    /// It moved when nobody had asked.
    OutOfTurn,
    /// It used more memory than it may.
    Memory,
    /// It started more processes than it may.
    Processes,
    /// It wrote more to the disk than it may.
    Disk,
    /// It used more processor time in all than it may.
    Cpu,
    /// It reached for the network, or for another call that players may not make.
    Forbidden,
}

impl FaultKind {
    /// All kinds.
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

    /// The kind as a word or two: how a game ended.
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
