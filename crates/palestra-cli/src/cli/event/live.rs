//! The standings of a running event: a few lines that are redrawn repeatedly.

use super::text::{plain, points, short};
use crate::cli::output::{Align, counted, grouped, table};
use palestra_tournament::{Entrant, Ranking, TournamentStatus};
use std::collections::BTreeMap;
use std::time::Duration;

/// Most failing players that are shown.
const MAX_FAILING: usize = 5;

/// Data of the live standings.
pub(crate) struct LiveStandings<'a> {
    /// All players.
    pub(crate) entrants: &'a [Entrant],
    /// Current ranking.
    pub(crate) ranking: &'a Ranking,
    /// Number of games played and estimated.
    pub(crate) progress: &'a TournamentStatus,
    /// Last failure of each player that failed, as text.
    pub(crate) faults: &'a BTreeMap<usize, String>,
    /// Time since this start of the command.
    pub(crate) elapsed: Duration,
    /// Most rows that are shown.
    pub(crate) max_leaders: usize,
}

/// Progress and time left, the leaders, and the failing players with their last failure.
pub(crate) fn live_standings(live: &LiveStandings<'_>) -> String {
    let mut text = format!("{}\n", progress_text(live.progress, live.elapsed));
    let mut cells = Vec::new();
    for &player in live.ranking.order.iter().take(live.max_leaders) {
        let rank = live.ranking.ranks[player].map_or_else(|| "out".to_owned(), |rank| rank.to_string());
        cells.push(vec![rank, short(&live.entrants[player].name), points(live.ranking.points[player])]);
    }
    text.push_str(&table(&cells, &[Align::Right, Align::Left, Align::Right]));
    let mut failing: Vec<(usize, u32)> =
        live.progress.failing.iter().map(|(&player, &n)| (player, n)).collect();
    failing.sort_by_key(|&(player, n)| (std::cmp::Reverse(n), player));
    for (player, n) in failing.iter().take(MAX_FAILING) {
        let name = short(&live.entrants[*player].name);
        let why =
            live.faults.get(player).map_or_else(String::new, |fault| format!(", last: {}", plain(fault)));
        text.push_str(&format!("failing: {name}, {}{why}\n", counted(u64::from(*n), "game")));
    }
    if failing.len() > MAX_FAILING {
        text.push_str(&format!("failing: {} more\n", failing.len() - MAX_FAILING));
    }
    text
}

/// `120 of about 400 games, 12.0 games per second, about 24 s left`.
fn progress_text(progress: &TournamentStatus, elapsed: Duration) -> String {
    let TournamentStatus { n_done, n_played, estimate, .. } = *progress;
    let mut text = format!("{} of about {}", grouped(n_done), counted(estimate.max(n_done), "game"));
    let seconds = elapsed.as_secs_f64();
    // The speed of the first second is not representative.
    if n_played > 0 && seconds >= 1.0 {
        let speed = n_played as f64 / seconds;
        let left = estimate.saturating_sub(n_done) as f64 / speed;
        text.push_str(&format!(", {speed:.1} games per second, about {} left", clock(left)));
    }
    text
}

/// A time in seconds, minutes or hours.
fn clock(seconds: f64) -> String {
    let seconds = seconds.ceil().clamp(0.0, 1e9) as u64;
    match seconds {
        0..90 => format!("{seconds} s"),
        90..5400 => format!("{} min", seconds.div_ceil(60)),
        _ => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_and_failures_are_shown() {
        let entrants =
            ["ana", "b\x1b[2J"].map(|name| Entrant { name: name.to_owned(), ..Entrant::default() });
        let ranking = Ranking {
            order: vec![0, 1],
            ranks: vec![Some(1), None],
            points: vec![3.5, 0.0],
            ..Ranking::default()
        };
        let progress = TournamentStatus {
            n_done: 130,
            n_played: 120,
            estimate: 1400,
            failing: BTreeMap::from([(1, 3)]),
        };
        let faults = BTreeMap::from([(1, "crash: exit code 3\n".to_owned())]);
        let elapsed = Duration::from_secs(10);
        let text = live_standings(&LiveStandings {
            entrants: &entrants,
            ranking: &ranking,
            progress: &progress,
            faults: &faults,
            elapsed,
            max_leaders: 10,
        });
        assert_eq!(
            text,
            "130 of about 1,400 games, 12.0 games per second, about 2 min left\n  1  ana    3.5\nout  b\u{fffd}[2J    0\n\
             failing: b\u{fffd}[2J, 3 games, last: crash: exit code 3\u{fffd}\n"
        );
        let early = TournamentStatus { n_done: 10, n_played: 0, estimate: 5, ..TournamentStatus::default() };
        assert_eq!(progress_text(&early, elapsed), "10 of about 10 games");
        assert_eq!(
            [0.0, 89.0, 91.0, 1e12, 7300.0].map(clock),
            ["0 s", "89 s", "2 min", "277777 h 46 min", "2 h 1 min"]
        );
    }
}
