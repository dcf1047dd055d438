//! The limits of a UGI `go` command, applied to a built-in player.

use palestra_arena::MoveLimits;
use palestra_core::Side;
use std::time::Duration;

/// The limits of a `go` command. Times are in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GoCommand {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    left: [Option<u64>; 2],
    increment: [Option<u64>; 2],
    /// No answer before `stop`.
    pub(super) infinite: bool,
}

/// Number of moves that the remaining time of a game is divided by, since the length of the game is unknown.
const MOVES_TO_GO: u64 = 30;

/// Milliseconds reserved for pipes and a busy machine.
const RESERVE_MS: u64 = 20;

/// Longest time for a move that a search takes: a day.
const MAX_TIME: Duration = Duration::from_secs(86_400);

/// The time for a move is rounded down to a multiple of its next power of two divided by this.
const STEPS: u64 = 16;

impl GoCommand {
    /// Reads the words after `go`; unknown ones are ignored.
    pub(super) fn read(words: &[&str]) -> GoCommand {
        let mut go = GoCommand::default();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let slot = match *word {
                "infinite" => {
                    go.infinite = true;
                    continue;
                }
                "depth" => {
                    go.depth = rest.next().and_then(|word| word.parse().ok());
                    continue;
                }
                "nodes" => &mut go.nodes,
                "movetime" => &mut go.movetime,
                "p1time" => &mut go.left[0],
                "p2time" => &mut go.left[1],
                "p1inc" => &mut go.increment[0],
                "p2inc" => &mut go.increment[1],
                _ => continue,
            };
            // Some runners send a negative time when a clock has run out.
            *slot = rest.next().and_then(|word| word.parse::<i64>().ok()).map(|number| number.max(0) as u64);
        }
        go
    }

    /// Time for the next move of a side, where the command has a clock.
    fn time(&self, side: Side) -> Option<Duration> {
        let i = side.index();
        let share = self.left[i].map(|left| {
            let share = left / MOVES_TO_GO + self.increment[i].unwrap_or(0);
            share.min(left / 2)
        });
        let time = [self.movetime, share].into_iter().flatten().min()?;
        let time = time.saturating_sub(RESERVE_MS.min(time / 10)).max(1);
        // Rounded, because a player keeps its search tables only as long as its limits do not change.
        let step = (time.next_power_of_two() / STEPS).max(1);
        Some(Duration::from_millis(time - time % step))
    }

    /// The limits for the next move of a side; those that no search takes are left out.
    pub(super) fn limits(&self, side: Side) -> MoveLimits {
        MoveLimits {
            depth: self.depth.filter(|depth| (1..=1000).contains(depth)),
            nodes: self.nodes.filter(|nodes| (1..=1_000_000_000_000_000).contains(nodes)),
            time: self.time(side).filter(|time| *time <= MAX_TIME),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &str, expected: Option<u64>) {
        let go = GoCommand::read(&words.split(' ').collect::<Vec<_>>());
        assert_eq!(go.time(Side::Second), expected.map(Duration::from_millis), "{words}");
    }

    #[test]
    fn time_for_a_move() {
        check("movetime 1000", Some(960));
        check("movetime 1", Some(1));
        check("p1time 9 p2time 60000", Some(1920));
        check("p1time 60000 p2time 60000 p1inc 0 p2inc 1000", Some(2816));
        // Never more than half of the time left, with any increment.
        check("p1time 9 p2time 100 p1inc 0 p2inc 9000", Some(44));
        check("p1time 9 p2time -20", Some(1));
        check("p1time 60000 p2time 60000 movetime 500", Some(480));
        check("depth 6", None);
        check("p2time", None);
        check("infinite", None);
    }
}
