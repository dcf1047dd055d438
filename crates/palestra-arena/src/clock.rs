//! Time controls and clocks.
//!
//! A clock is charged for thinking: time in which a program was ready to run and waited for a core is given back, up to
//! ten seconds per turn. The referee decides whether a move was late, with the margin, and whether too many were.

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
    /// Share of late moves, in percent, above which a program loses the game; 100 is never.
    pub late_percent: u32,
}

/// Default of [`TimeControl::late_percent`]. A machine that disturbs a program disturbs few of its moves.
pub const LATE_PERCENT: u32 = 20;

/// Number of late moves in a game that cost nothing, whatever their share.
const FREE_LATE_MOVES: u32 = 5;

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
            late_percent: LATE_PERCENT,
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

/// Most time that is given back in one turn: with more waiting, the machine is too busy for any time control.
pub const MAX_GIVEN_BACK: Duration = Duration::from_secs(10);

/// From this waiting time on, a failure to answer in time says nothing about the program. It is a little less than
/// [`MAX_GIVEN_BACK`], because not all waiting is measured.
const STARVED: Duration = Duration::from_secs(9);

/// The time of one answer of an engine, as it was measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnswerTime {
    /// From the request to the answer, or to the verdict that there was none in time.
    pub elapsed: Duration,
    /// The part of it in which the engine was ready to run and waited for a core.
    pub waited: Duration,
    /// Time of the answer or the verdict, since the engine was started.
    pub at: Duration,
}

impl AnswerTime {
    /// The part of the waiting time that is not charged.
    #[must_use]
    pub fn given_back(&self) -> Duration {
        self.waited.min(MAX_GIVEN_BACK)
    }

    /// The time that is charged.
    #[must_use]
    pub fn charged(&self) -> Duration {
        self.elapsed.saturating_sub(self.given_back())
    }

    /// Whether the machine was too busy to tell whether the engine was in time.
    #[must_use]
    pub fn is_starved(&self) -> bool {
        self.waited >= STARVED
    }
}

/// The late moves of a player: those that used more than a quarter of the margin. What is less may be pipes and the
/// resolution of the engine's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LateMoves {
    /// Number of late moves.
    pub moves: u32,
    /// By how much they were late together, in microseconds.
    pub micros: u64,
}

impl LateMoves {
    /// Whether no move was late.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.moves == 0
    }
}

impl std::ops::AddAssign for LateMoves {
    fn add_assign(&mut self, more: LateMoves) {
        self.moves += more.moves;
        self.micros += more.micros;
    }
}

/// The reason of a loss on time with this time for a move.
#[must_use]
pub fn late_detail(used: Duration, allowed: Duration) -> String {
    format!("{:.3} s for a move, {:.3} s allowed", used.as_secs_f64(), allowed.as_secs_f64())
}

/// One player's clock in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    control: TimeControl,
    left: Option<Duration>,
    n_moves: u32,
    late: LateMoves,
}

impl GameClock {
    /// A clock at the beginning of a game.
    #[must_use]
    pub fn new(control: &TimeControl) -> GameClock {
        GameClock { control: *control, left: control.game, n_moves: 0, late: LateMoves::default() }
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
        let (budget, margin) = (self.budget(), self.control.margin);
        let in_time = used <= budget.saturating_add(margin);
        self.n_moves += 1;
        if used > budget.saturating_add(margin / 4) {
            let micros = (used - budget).as_micros() as u64;
            self.late += LateMoves { moves: 1, micros };
        }
        self.left = self.left.map(|left| left.saturating_sub(used) + self.control.increment);
        in_time
    }

    /// The late moves so far.
    #[must_use]
    pub fn late(&self) -> LateMoves {
        self.late
    }

    /// Whether more moves were late than the time control permits, as the reason of a loss: the margin is for a busy
    /// machine, and a program that is late all the time plays with a longer clock than its opponent.
    #[must_use]
    pub fn too_often_late(&self) -> Option<String> {
        let (LateMoves { moves, micros }, percent) = (self.late, self.control.late_percent);
        let is_over = u64::from(moves) * 100 > u64::from(percent) * u64::from(self.n_moves);
        (moves > FREE_LATE_MOVES && is_over).then(|| {
            format!(
                "late in {moves} of {} moves, by {:.3} s in all; {percent} % may be late",
                self.n_moves,
                micros as f64 / 1e6
            )
        })
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

    /// Late moves of one program: one in `every` is late by `late_ms`. Returns the move that costs the game.
    fn costs_at(late_percent: u32, every: u32, late_ms: u64) -> Option<u32> {
        let control = TimeControl { late_percent, ..TimeControl::default() };
        let mut clock = GameClock::new(&control);
        (1..=100).find(|number| {
            let late = if number % every == 0 { late_ms } else { 0 };
            assert!(clock.charge(Duration::from_millis(1000 + late)));
            clock.too_often_late().is_some()
        })
    }

    #[test]
    fn the_margin_is_not_free_time() {
        assert_eq!(costs_at(LATE_PERCENT, 1, 60), Some(6));
        assert_eq!(costs_at(LATE_PERCENT, 3, 60), Some(18));
        assert_eq!(costs_at(LATE_PERCENT, 5, 200), None, "a fifth of the moves may be late");
        assert_eq!(costs_at(LATE_PERCENT, 1, 50), None, "a quarter of the margin does not count");
        assert_eq!(costs_at(100, 1, 200), None);
        assert_eq!(costs_at(0, 10, 200), Some(60), "five late moves are free");
        let mut clock = GameClock::new(&TimeControl::default());
        (0..6).for_each(|_| assert!(clock.charge(Duration::from_millis(1080))));
        assert_eq!(clock.late(), LateMoves { moves: 6, micros: 480_000 });
        let reason = clock.too_often_late().unwrap();
        assert_eq!(reason, "late in 6 of 6 moves, by 0.480 s in all; 20 % may be late");
    }

    #[test]
    fn waiting_is_given_back_up_to_a_limit() {
        let time = |elapsed, waited| AnswerTime {
            elapsed: Duration::from_secs(elapsed),
            waited: Duration::from_secs(waited),
            at: Duration::ZERO,
        };
        assert_eq!(time(7, 3).charged(), Duration::from_secs(4));
        assert_eq!(time(17, 14).charged(), Duration::from_secs(7));
        assert!(time(11, 9).is_starved() && !time(11, 8).is_starved());
    }
}
