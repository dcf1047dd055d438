//! How long to think: what a runner asks for, laid on a player of ours.

use palestra_arena::{AnyGame, PlayerKind, PlayerSpec};
use palestra_core::Side;
use std::time::Duration;

/// What `go` asks for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct GoCommand {
    depth: Option<u32>,
    nodes: Option<u64>,
    movetime: Option<u64>,
    left: [Option<u64>; 2],
    added: [Option<u64>; 2],
    /// No answer before `stop`.
    pub(super) infinite: bool,
}

/// A game of which nobody knows how long it lasts is expected to last so many more moves.
const MOVES_TO_GO: u64 = 30;

/// Milliseconds that pipes and a machine with other work may take.
const RESERVE: u64 = 20;

/// Up to the next power of two, time comes in half as many steps.
const STEPS: u64 = 16;

impl GoCommand {
    /// Reads the words after `go`; what is not understood is left out.
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
                "p1inc" => &mut go.added[0],
                "p2inc" => &mut go.added[1],
                _ => continue,
            };
            // Some runners count below zero when a clock has run out.
            *slot = rest.next().and_then(|word| word.parse::<i64>().ok()).map(|number| number.max(0) as u64);
        }
        go
    }

    /// How long a side may think, where there is a clock.
    fn time(&self, side: Side) -> Option<Duration> {
        let i = side.index();
        let share = self.left[i].map(|left| {
            let share = left / MOVES_TO_GO + self.added[i].unwrap_or(0);
            share.min(left / 2)
        });
        let time = [self.movetime, share].into_iter().flatten().min()?;
        let time = time.saturating_sub(RESERVE.min(time / 10)).max(1);
        // In steps: a player whose limits are the same as a move ago keeps what it learnt.
        let step = (time.next_power_of_two() / STEPS).max(1);
        Some(Duration::from_millis(time - time % step))
    }

    /// The player that keeps to these limits, as far as its search knows them. Depth and nodes take the place of its own; time
    /// is one more limit.
    pub(super) fn limit(&self, game: &dyn AnyGame, player: &PlayerSpec, side: Side) -> PlayerSpec {
        let time = self.time(side).map(|time| time.as_millis().to_string());
        let depth = self.depth.map(|depth| depth.to_string());
        let nodes = self.nodes.map(|nodes| nodes.to_string());
        let mut limited = player.clone();
        let wanted = [("depth", depth), ("nodes", nodes.clone()), ("playouts", nodes), ("time", time)];
        for (key, value) in wanted {
            if let Some(value) = value {
                limited = with(game, &limited, key, &value).unwrap_or(limited);
            }
        }
        limited
    }
}

/// The player with a parameter of its search set; `None` where the search has none of that name, or not that value.
fn with(game: &dyn AnyGame, player: &PlayerSpec, key: &str, value: &str) -> Option<PlayerSpec> {
    let PlayerKind::Search { search, .. } = &player.kind else { return None };
    let (search, whole) = (search.to_string(), player.kind.to_string());
    let (name, parameters) = search.split_once(':').unwrap_or((&search, ""));
    let others = parameters.split(',').filter(|part| !part.is_empty());
    let others = others.filter(|part| part.split('=').next() != Some(key)).map(str::to_owned);
    let parameters: Vec<String> = others.chain([format!("{key}={value}")]).collect();
    let rest = whole.strip_prefix(search.as_str())?;
    game.player(&format!("{name}:{}{rest}", parameters.join(","))).ok()
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
        // Never more than half of what is left, however much is added.
        check("p1time 9 p2time 100 p1inc 0 p2inc 9000", Some(44));
        check("p1time 9 p2time -20", Some(1));
        check("p1time 60000 p2time 60000 movetime 500", Some(480));
        check("depth 6", None);
        check("p2time", None);
        check("infinite", None);
    }
}
