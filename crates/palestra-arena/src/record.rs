//! Records of finished games.

use crate::clock::{AnswerTime, LateMoves};
use crate::points::PointSystem;
use palestra_core::Side;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A finished game: its moves, how it ended, and what is known of its players. Void games have no record.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameRecord {
    /// Random moves before the players took over, separated by blanks.
    pub opening: String,
    /// The players' moves, separated by blanks.
    pub moves: String,
    /// Number of moves, those of the opening included.
    pub plies: u32,
    /// The side that won; `None` is a draw. In a forfeited game, the side that did not forfeit.
    pub winner: Option<Side>,
    /// Margin of the win in the game's unit; 0 where the game did not end by its rules.
    pub margin: u32,
    /// Points of the first side under [`PointSystem::Margin`]; the second side gets the negative. In a forfeited
    /// game, the points that the game defines for a forfeit.
    pub margin_points: f64,
    /// Why the game ended: `line`, `full board`, `resignation`, or the kind of failure.
    pub reason: String,
    /// The failure that ended the game, if it was forfeited.
    pub forfeit: Option<Forfeit>,
    /// Duration in microseconds, if it was measured.
    pub microseconds: Option<u64>,
    /// Thinking time of each side in milliseconds, in games with a program.
    pub milliseconds: [u64; 2],
    /// Late moves of each side, in games with a program; those of a built-in player are not counted.
    pub late: [LateMoves; 2],
    /// Times, values and logs, in games with a program.
    pub evidence: Option<Box<GameEvidence>>,
}

impl GameRecord {
    /// Score of a side: 1 for a win, ½ for a draw, 0 for a loss.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        }
    }

    /// Points of the player on a side.
    #[must_use]
    pub fn points(&self, points: &PointSystem, side: Side) -> f64 {
        match (*points, self.winner) {
            (PointSystem::Margin, _) if side == Side::First => self.margin_points,
            // Subtracted from 0, since a negated 0 prints as -0.
            (PointSystem::Margin, _) => 0.0 - self.margin_points,
            (PointSystem::ByResult { draw, .. }, None) => draw,
            (PointSystem::ByResult { win, .. }, Some(winner)) if winner == side => win,
            (PointSystem::ByResult { loss, .. }, Some(_)) => loss,
        }
    }

    /// The side that forfeited the game.
    #[must_use]
    pub fn culprit(&self) -> Option<Side> {
        self.forfeit.as_ref().map(|forfeit| forfeit.culprit)
    }

    /// Number of moves of the players, those of the opening excluded.
    #[must_use]
    pub fn n_played(&self) -> u32 {
        self.plies.saturating_sub(self.opening.split_whitespace().count() as u32)
    }
}

/// A game lost by a failure of the player, such as a crash or an illegal move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    /// The side that failed.
    pub culprit: Side,
    /// Kind of failure: `crash`, `illegal move`.
    pub kind: String,
    /// Details for a reader: `exit code 3`.
    pub detail: String,
}

/// Times, values and logs of a game with a program.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameEvidence {
    /// The log of the first side, which is empty for a built-in player.
    pub first: EngineLog,
    /// Time of each move of the players, in microseconds.
    pub micros: Vec<Option<u64>>,
    /// The log of the second side.
    pub second: EngineLog,
    /// Value of each move, as its player reported it.
    pub values: Vec<Option<f64>>,
    /// Late moves of each side.
    #[serde(skip_serializing_if = "is_in_time")]
    pub late: [LateMoves; 2],
    /// The content keys of the programs of both sides, in hexadecimal: under these their files are archived.
    #[serde(skip_serializing_if = "is_unknown")]
    pub programs: [Option<String>; 2],
    /// How the time was measured, in a game that was lost on time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<TimeVerdict>,
}

fn is_unknown(programs: &[Option<String>; 2]) -> bool {
    programs.iter().all(Option::is_none)
}

fn is_in_time(late: &[LateMoves; 2]) -> bool {
    late.iter().all(LateMoves::is_none)
}

/// How the time of the move was measured with which a program lost on time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeVerdict {
    /// Time for the move, in microseconds, without the margin.
    pub allowed_us: u64,
    /// The margin.
    pub margin_us: u64,
    /// From the request to the answer, or to the verdict that there was none.
    pub elapsed_us: u64,
    /// Time in which the program was ready to run and waited for a core, as the kernel counted it.
    pub waited_us: u64,
    /// The part of the waiting time that was not charged.
    pub given_back_us: u64,
    /// Time of the answer or the verdict, since the program was started: the scale of [`LogLine::at_us`].
    pub at_us: u64,
}

impl TimeVerdict {
    /// The verdict on an answer, or on a missing one, for which this time was allowed.
    #[must_use]
    pub fn new(allowed: Duration, margin: Duration, time: &AnswerTime) -> TimeVerdict {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        TimeVerdict {
            allowed_us: micros(allowed),
            margin_us: micros(margin),
            elapsed_us: micros(time.elapsed),
            waited_us: micros(time.waited),
            given_back_us: micros(time.given_back()),
            at_us: micros(time.at),
        }
    }
}

impl GameEvidence {
    /// The log of a side.
    #[must_use]
    pub fn log(&self, side: Side) -> &EngineLog {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }

    /// The log of a side, to be changed.
    pub fn log_mut(&mut self, side: Side) -> &mut EngineLog {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}

/// What is kept of an engine after a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EngineLog {
    /// The end of what it wrote to standard error.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
    /// The lines that were sent and received.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialogue: Vec<LogLine>,
    /// Deviations that are not faults, such as a process that had to be killed at its end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A line of a dialogue with an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LogLine {
    /// Sender of the line.
    pub by: Speaker,
    /// Time of the line, in microseconds since the program was started.
    pub at_us: u64,
    /// The line without its end; bytes that are not UTF-8 are written as `\xff`.
    pub text: String,
}

/// Sender of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    /// Palestra; the line went to the program.
    Palestra,
    /// The program; the line came to Palestra.
    Program,
}
