//! How an event stands while it runs: a few lines that are drawn over and over.

use super::text::{plain, points, short};
use crate::cli::output::{Align, counted, grouped, table};
use palestra_tournament::{Entrant, Ranking, TournamentStatus};
use std::collections::BTreeMap;
use std::time::Duration;

/// Players that are shown failing.
const FAILING: usize = 5;

/// What a live table is made of.
pub(crate) struct LiveStandings<'a> {
    /// Who takes part.
    pub(crate) entrants: &'a [Entrant],
    /// How it stands.
    pub(crate) ranking: &'a Ranking,
    /// How far it is.
    pub(crate) progress: &'a TournamentStatus,
    /// The latest failure of each who failed, in words.
    pub(crate) faults: &'a BTreeMap<usize, String>,
    /// How long this sitting has taken.
    pub(crate) elapsed: Duration,
    /// Rows that are shown.
    pub(crate) max_leaders: usize,
}

/// The lines: how far and how long still, the first of the table, who is failing and why.
pub(crate) fn live_standings(live: &LiveStandings<'_>) -> String {
    let mut text = format!("{}\n", how_far(live.progress, live.elapsed));
    let mut cells = Vec::new();
    for &player in live.ranking.order.iter().take(live.max_leaders) {
        let rank = live.ranking.ranks[player].map_or_else(|| "out".to_owned(), |rank| rank.to_string());
        cells.push(vec![rank, short(&live.entrants[player].name), points(live.ranking.points[player])]);
    }
    text.push_str(&table(&cells, &[Align::Right, Align::Left, Align::Right]));
    let mut failing: Vec<(usize, u32)> =
        live.progress.failing.iter().map(|(&player, &n)| (player, n)).collect();
    failing.sort_by_key(|&(player, n)| (std::cmp::Reverse(n), player));
    for (player, n) in failing.iter().take(FAILING) {
        let name = short(&live.entrants[*player].name);
        let why =
            live.faults.get(player).map_or_else(String::new, |fault| format!(", last by {}", plain(fault)));
        text.push_str(&format!("failing: {name}, {}{why}\n", counted(u64::from(*n), "game")));
    }
    if failing.len() > FAILING {
        text.push_str(&format!("failing: {} more\n", failing.len() - FAILING));
    }
    text
}

/// `120 of about 400 games, 12.0 games a second, about 24 s left`.
fn how_far(progress: &TournamentStatus, elapsed: Duration) -> String {
    let TournamentStatus { n_done, n_played, estimate, .. } = *progress;
    let mut text = format!("{} of about {}", grouped(n_done), counted(estimate.max(n_done), "game"));
    let seconds = elapsed.as_secs_f64();
    // The first seconds say nothing about the rest.
    if n_played > 0 && seconds >= 1.0 {
        let speed = n_played as f64 / seconds;
        let left = estimate.saturating_sub(n_done) as f64 / speed;
        text.push_str(&format!(", {speed:.1} games a second, about {} left", clock(left)));
    }
    text
}

/// Seconds as people say them.
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
    fn lines_say_how_far_it_is_and_who_fails() {
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
            "130 of about 1,400 games, 12.0 games a second, about 2 min left\n  1  ana    3.5\nout  b\u{fffd}[2J    0\n\
             failing: b\u{fffd}[2J, 3 games, last by crash: exit code 3\u{fffd}\n"
        );
        let early = TournamentStatus { n_done: 10, n_played: 0, estimate: 5, ..TournamentStatus::default() };
        assert_eq!(how_far(&early, elapsed), "10 of about 10 games");
        assert_eq!(
            [0.0, 89.0, 91.0, 1e12, 7300.0].map(clock),
            ["0 s", "89 s", "2 min", "277777 h 46 min", "2 h 1 min"]
        );
    }
}
