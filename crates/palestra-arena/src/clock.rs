//! Time controls and clocks.
//!
//! A clock is charged for thinking: time in which a program was ready to run and waited for a core is given back, up to
//! ten seconds per turn. The referee decides whether a move was late, with the margin.

use palestra_core::InputError;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The limits of a program's moves. Written `60+0.5` (seconds for the game and added after every move), `1/move`
/// (seconds for each move), both together as `60+0.5,5/move`, and `depth=6` or `nodes=10000`, which are passed to the
/// program and not enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for the whole game.
    pub game: Option<Duration>,
    /// Time added after every move.
    pub increment: Duration,
    /// Maximum time for each move.
    pub per_move: Option<Duration>,
    /// Search depth, passed to the program.
    pub depth: Option<u32>,
    /// Number of positions to search, passed to the program.
    pub nodes: Option<u64>,
    /// How much later than its time a move may come, to allow for pipes and a busy machine.
    pub margin: Duration,
}

/// Default of [`TimeControl::margin`].
const MARGIN: Duration = Duration::from_millis(200);

/// Largest number of seconds in a time control: one week. More is taken for a typing error.
const MAX_SECONDS: f64 = 604_800.0;

impl Default for TimeControl {
    /// One second per move.
    fn default() -> TimeControl {
        TimeControl {
            game: None,
            increment: Duration::ZERO,
            per_move: Some(Duration::from_secs(1)),
            depth: None,
            nodes: None,
            margin: MARGIN,
        }
    }
}

impl FromStr for TimeControl {
    type Err = InputError;

    fn from_str(text: &str) -> Result<TimeControl, InputError> {
        let bad = |found: &str| {
            let expected = "a time control such as 60+0.5 (seconds per game and added per move), 1/move, \
                depth=6, nodes=10000, or several separated by commas";
            InputError::new(format!("time control \"{text}\""), found, expected)
        };
        let seconds = |part: &str| -> Result<Duration, InputError> {
            let number =
                part.parse::<f64>().ok().filter(|s| s.is_finite() && (0.0..=MAX_SECONDS).contains(s));
            number.map(Duration::from_secs_f64).ok_or_else(|| bad(part))
        };
        let mut control = TimeControl { per_move: None, ..TimeControl::default() };
        for part in text.split(',').map(str::trim) {
            if let Some(number) = part.strip_suffix("/move") {
                control.per_move = Some(seconds(number)?).filter(|time| !time.is_zero());
                control.per_move.ok_or_else(|| bad(part))?;
            } else if let Some(number) = part.strip_prefix("depth=") {
                control.depth = Some(number.parse().map_err(|_| bad(part))?);
            } else if let Some(number) = part.strip_prefix("nodes=") {
                control.nodes = Some(number.parse().map_err(|_| bad(part))?);
            } else {
                let (game, increment) = part.split_once('+').unwrap_or((part, "0"));
                control.game = Some(seconds(game)?);
                control.increment = seconds(increment)?;
            }
        }
        let has_clock = control.game.is_some() || control.per_move.is_some();
        if !has_clock {
            // A program that hangs is not stopped by depth or nodes, so each move gets 60 s.
            control.per_move = TimeControl::default().per_move.map(|second| second * 60);
        }
        if control.budget(control.game).is_none_or(|budget| budget.is_zero()) {
            return Err(bad(text));
        }
        Ok(control)
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(game) = self.game {
            parts.push(match self.increment.is_zero() {
                true => format!("{}", game.as_secs_f64()),
                false => format!("{}+{}", game.as_secs_f64(), self.increment.as_secs_f64()),
            });
        }
        parts.extend(self.per_move.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.depth.map(|depth| format!("depth={depth}")));
        parts.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        f.write_str(&parts.join(","))
    }
}

impl TimeControl {
    /// Time for the next move with `left` on the clock of the game, without the margin.
    #[must_use]
    pub fn budget(&self, left: Option<Duration>) -> Option<Duration> {
        match (left, self.per_move) {
            (Some(left), Some(cap)) => Some(left.min(cap)),
            (left, cap) => left.or(cap),
        }
    }
}

/// One player's clock in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Option<Duration>,
}

impl GameClock {
    /// A clock at the beginning of a game.
    #[must_use]
    pub fn new(control: &TimeControl) -> GameClock {
        GameClock { control: *control, left: control.game }
    }

    /// Time left for the game, where it has a clock.
    #[must_use]
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// Time for the next move, without the margin.
    #[must_use]
    pub fn budget(&self) -> Duration {
        self.control.budget(self.left).unwrap_or(Duration::MAX)
    }

    /// Charges a move; returns whether it was in time. The margin excuses a late move and adds no time.
    pub fn charge(&mut self, used: Duration) -> bool {
        let in_time = used <= self.budget().saturating_add(self.control.margin);
        self.left = self.left.map(|left| left.saturating_sub(used) + self.control.increment);
        in_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_and_print() {
        for text in ["60+0.5", "60", "1/move", "60+0.5,5/move", "1/move,depth=6", "0.25/move,nodes=10000"] {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), text);
        }
        assert_eq!("depth=6".parse::<TimeControl>().unwrap().to_string(), "60/move,depth=6");
        for text in ["", "x", "1/mov", "-1", "nan", "0/move", "0", "1e99", "60+", "depth=-1", "60+0.5;5/move"]
        {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn clocks_are_charged_and_incremented() {
        let seconds = Duration::from_secs;
        let mut clock = GameClock::new(&"10+1,5/move".parse().unwrap());
        assert_eq!(clock.budget(), seconds(5));
        assert!(clock.charge(seconds(5)));
        assert_eq!(clock.left(), Some(seconds(6)));
        assert!(clock.charge(seconds(4)));
        assert_eq!(clock.budget(), seconds(3));
        assert!(clock.charge(seconds(3) + Duration::from_millis(200)));
        assert!(!clock.charge(seconds(3)), "only the increment and the margin were left");
        let mut clock = GameClock::new(&"1/move".parse().unwrap());
        assert!(clock.charge(seconds(1)) && clock.charge(seconds(1)) && !clock.charge(seconds(2)));
    }
}
