//! The results of groups of players, such as the classes of a course.

use super::{EventReport, grades, score_of};
use palestra_stats::mean_interval;
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of a group. Staff players belong to none.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupResult {
    /// Its name; `None` for the players without a group.
    pub group: Option<String>,
    /// Number of students: those of a team one by one, and those of players that were left out.
    pub students: usize,
    /// Number of players.
    pub players: usize,
    /// Mean score of the players whose games count, from 0 to 1.
    pub score: Option<f64>,
    /// Ends of the 95 % interval of the mean score, by the spread among the players; `None` for fewer than two.
    pub score_low: Option<f64>,
    /// The upper end.
    pub score_high: Option<f64>,
    /// The players with the highest score.
    pub best: Vec<String>,
    /// Their score.
    pub best_score: Option<f64>,
    /// Number of players that were disqualified or left out.
    pub failed: usize,
    /// Mean grade of the players, 0 for those that failed; `None` without marks.
    pub grade: Option<f64>,
    /// Number of players with a grade above 0; `None` without marks.
    pub passed: Option<usize>,
    /// The indices of its entrants, in the order of the standings.
    #[serde(skip)]
    pub entrants: Vec<usize>,
}

#[derive(Default)]
struct Members {
    entrants: Vec<usize>,
    n_students: usize,
    n_left_out: usize,
}

/// The results of all groups by name, the players without a group last; empty where no player has a group.
#[must_use]
pub fn groups(event: &EventReport<'_>) -> Vec<GroupResult> {
    if !has_groups(event) {
        return Vec::new();
    }
    let mut rank = vec![usize::MAX; event.entrants.len()];
    event.standings().rows.iter().enumerate().for_each(|(i, row)| rank[row.player] = i);
    let mut order: Vec<usize> = (0..event.entrants.len()).collect();
    order.sort_by_key(|&player| (rank[player], player));
    // The players without a group come last.
    let of = |group: Option<&String>| (group.is_none(), group.cloned());
    let mut by_group: BTreeMap<(bool, Option<String>), Members> = BTreeMap::new();
    for player in order.into_iter().filter(|&player| !event.entrants[player].staff) {
        let entrant = &event.entrants[player];
        let group = by_group.entry(of(entrant.group.as_ref())).or_default();
        group.entrants.push(player);
        group.n_students += entrant.students.len().max(1);
    }
    for left_out in &event.noted.left_out {
        let group = by_group.entry(of(left_out.group.as_ref())).or_default();
        group.n_left_out += 1;
        group.n_students += left_out.students.len().max(1);
    }
    by_group.into_iter().map(|((_, name), members)| result(event, name, members)).collect()
}

/// Whether any player but the staff has a group.
#[must_use]
pub fn has_groups(event: &EventReport<'_>) -> bool {
    event.entrants.iter().any(|entrant| !entrant.staff && entrant.group.is_some())
}

fn result(event: &EventReport<'_>, group: Option<String>, members: Members) -> GroupResult {
    let Members { entrants, n_students, n_left_out } = members;
    let rows: Vec<_> = entrants.iter().map(|&player| event.last_standing(player).1).collect();
    let counted = rows.iter().filter(|row| row.quarantined_at.is_none());
    let scores: Vec<(usize, f64)> = counted.filter_map(|row| Some((row.player, score_of(row)?))).collect();
    let values: Vec<f64> = scores.iter().map(|(_, score)| *score).collect();
    let best_score = values.iter().copied().reduce(f64::max);
    let best = scores.iter().filter(|(_, score)| Some(*score) == best_score);
    let interval = mean_interval(&values);
    let n_players = entrants.len() + n_left_out;
    let has_marks = !event.marks.is_empty();
    let grades: Vec<f64> = rows.iter().map(|row| grades::grade(event, row)).collect();
    GroupResult {
        group,
        students: n_students,
        players: n_players,
        score: (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
        // Scores have no values beyond these.
        score_low: interval.map(|[low, _]| low.max(0.0)),
        score_high: interval.map(|[_, high]| high.min(1.0)),
        best: best.map(|(player, _)| event.name(*player).to_owned()).collect(),
        best_score,
        failed: n_left_out + rows.iter().filter(|row| row.quarantined_at.is_some()).count(),
        grade: (has_marks && n_players > 0).then(|| grades.iter().sum::<f64>() / n_players as f64),
        passed: has_marks.then(|| grades.iter().filter(|grade| **grade > 0.0).count()),
        entrants,
    }
}
