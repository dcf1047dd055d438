//! Who is before whom.

use crate::format::Placing;
use crate::points::PointSystem;
use crate::results::TournamentResults;
use palestra_core::{InputError, Side};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// What decides where points are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// Points of the games among those who are level, where each of them met each other.
    Direct,
    /// Points of the rivals one has beaten, and half of those one has drawn with (Sonneborn and Berger).
    SonnebornBerger,
    /// Points of all rivals (Buchholz).
    Buchholz,
    /// Games won.
    Wins,
    /// The joint rating.
    Rating,
}

impl TieBreak {
    /// All of them, in the usual order.
    pub const ALL: [TieBreak; 5] =
        [TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Buchholz, TieBreak::Wins, TieBreak::Rating];

    /// Its name in plans.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TieBreak::Direct => "direct",
            TieBreak::SonnebornBerger => "sonneborn-berger",
            TieBreak::Buchholz => "buchholz",
            TieBreak::Wins => "wins",
            TieBreak::Rating => "rating",
        }
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TieBreak {
    type Err = InputError;

    fn from_str(text: &str) -> Result<TieBreak, InputError> {
        let found = TieBreak::ALL.into_iter().find(|tie| tie.name() == text);
        found.ok_or_else(|| {
            InputError::unknown("tie-break", text, "a tie-break", TieBreak::ALL.map(TieBreak::name))
        })
    }
}

/// The order of a stage.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranking {
    /// Who is there, the best first; then those without a rank, by number.
    pub order: Vec<usize>,
    /// By entrant: the rank from 1, the same for those who are level. `None` for those who are quarantined, do not take
    /// part, or are only measured by.
    pub ranks: Vec<Option<u32>>,
    /// By entrant: the points.
    pub points: Vec<f64>,
    /// By entrant: Sonneborn and Berger's number. A bye counts as a win against oneself.
    pub sonneborn_berger: Vec<f64>,
    /// By entrant: Buchholz's number. A bye counts as a meeting with oneself.
    pub buchholz: Vec<f64>,
    /// By entrant: games won; byes are none.
    pub wins: Vec<u32>,
}

/// What a ranking is made of.
#[derive(Clone, Copy)]
pub struct RankingCriteria<'a> {
    /// Who is ranked.
    pub field: &'a [usize],
    /// The stage.
    pub stage: u32,
    /// What a game is worth.
    pub points: &'a PointSystem,
    /// What decides where points are equal, in order.
    pub tie_breaks: &'a [TieBreak],
    /// What the format says, where it does not go by points.
    pub placing: Option<&'a [Placing]>,
    /// Joint ratings by entrant, where there are any.
    pub ratings: Option<&'a [Option<f64>]>,
}

impl Ranking {
    /// Ranks a field.
    #[must_use]
    pub fn of(results: &TournamentResults, criteria: &RankingCriteria<'_>) -> Ranking {
        let n = results.n_entrants();
        let stage = criteria.stage;
        let points = results.points(criteria.points, stage);
        let mut ranking = Ranking {
            order: Vec::new(),
            ranks: vec![None; n],
            sonneborn_berger: vec![0.0; n],
            buchholz: vec![0.0; n],
            wins: vec![0; n],
            points,
        };
        for game in results.counted_in(stage).flat_map(|meeting| meeting.played()) {
            for side in Side::BOTH {
                let (player, rival) = (game.seats[side.index()], game.seats[side.other().index()]);
                let score = game.record.score(side);
                ranking.buchholz[player] += ranking.points[rival];
                ranking.sonneborn_berger[player] += score * ranking.points[rival];
                ranking.wins[player] += u32::from(score == 1.0);
            }
        }
        for bye in results.byes().filter(|bye| bye.stage == stage) {
            let own = f64::from(bye.n_games) * ranking.points[bye.player];
            ranking.buchholz[bye.player] += own;
            ranking.sonneborn_berger[bye.player] += own;
        }
        ranking.sort(results, criteria);
        ranking
    }

    fn sort(&mut self, results: &TournamentResults, criteria: &RankingCriteria<'_>) {
        let (mut field, mut rest): (Vec<usize>, Vec<usize>) =
            criteria.field.iter().partition(|player| !results.is_quarantined(**player));
        field.sort_unstable();
        rest.sort_unstable();
        let mut groups = vec![field];
        match criteria.placing {
            Some(placing) => {
                let mut places = vec![u32::MAX; self.ranks.len()];
                placing.iter().for_each(|placing| places[placing.player] = placing.place);
                groups = split(groups, |player| -f64::from(places[player]));
            }
            None => {
                groups = split(groups, |player| self.points[player]);
                for tie_break in criteria.tie_breaks {
                    groups = self.break_ties(groups, *tie_break, results, criteria);
                }
            }
        }
        let mut rank = 1;
        for group in groups {
            group.iter().for_each(|&player| self.ranks[player] = Some(rank));
            rank += group.len() as u32;
            self.order.extend(group);
        }
        self.order.extend(rest);
    }

    fn break_ties(
        &self,
        groups: Vec<Vec<usize>>,
        tie_break: TieBreak,
        results: &TournamentResults,
        criteria: &RankingCriteria<'_>,
    ) -> Vec<Vec<usize>> {
        match tie_break {
            TieBreak::SonnebornBerger => split(groups, |player| self.sonneborn_berger[player]),
            TieBreak::Buchholz => split(groups, |player| self.buchholz[player]),
            TieBreak::Wins => split(groups, |player| f64::from(self.wins[player])),
            TieBreak::Rating => match criteria.ratings {
                None => groups,
                Some(ratings) => split(groups, |player| ratings[player].unwrap_or(f64::NEG_INFINITY)),
            },
            TieBreak::Direct => {
                let direct = direct_points(&groups, results, criteria);
                split(groups, |player| direct[player])
            }
        }
    }
}

/// By entrant: points of the games within its group, where everybody of the group met everybody else of it; else 0.
fn direct_points(
    groups: &[Vec<usize>],
    results: &TournamentResults,
    criteria: &RankingCriteria<'_>,
) -> Vec<f64> {
    let n = results.n_entrants();
    let mut group_of = vec![usize::MAX; n];
    for (i, group) in groups.iter().enumerate().filter(|(_, group)| group.len() > 1) {
        group.iter().for_each(|&player| group_of[player] = i);
    }
    let mut points = vec![0.0; n];
    let mut met: Vec<Vec<[usize; 2]>> = vec![Vec::new(); groups.len()];
    for meeting in results.counted_in(criteria.stage) {
        let [a, b] = meeting.pairing.players;
        if group_of[a] != usize::MAX && group_of[a] == group_of[b] {
            let [of_a, of_b] = meeting.points(criteria.points);
            points[a] += of_a;
            points[b] += of_b;
            met[group_of[a]].push([a.min(b), a.max(b)]);
        }
    }
    for (group, mut met) in groups.iter().zip(met) {
        met.sort_unstable();
        met.dedup();
        if met.len() < group.len() * (group.len() - 1) / 2 {
            group.iter().for_each(|&player| points[player] = 0.0);
        }
    }
    points
}

/// Cuts every group into those with equal keys, the largest first.
fn split(groups: Vec<Vec<usize>>, key: impl Fn(usize) -> f64) -> Vec<Vec<usize>> {
    let mut parts = Vec::with_capacity(groups.len());
    for group in groups {
        if group.len() < 2 {
            parts.push(group);
            continue;
        }
        let mut keyed: Vec<(f64, usize)> = group.iter().map(|&player| (key(player), player)).collect();
        keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
        let equal = |a: &(f64, usize), b: &(f64, usize)| nearly(a.0, b.0) == Ordering::Equal;
        parts.extend(keyed.chunk_by(equal).map(|part| part.iter().map(|(_, player)| *player).collect()));
    }
    parts
}

/// Sums of margins may differ by rounding only: the order of games must not decide.
fn nearly(a: f64, b: f64) -> Ordering {
    if (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0) { Ordering::Equal } else { a.total_cmp(&b) }
}
