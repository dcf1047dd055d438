//! Ranking by points and tie-breaks.

use crate::format::Placing;
use crate::results::TournamentResults;
use palestra_arena::PointSystem;
use palestra_core::{InputError, Side};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A criterion that ranks entrants with equal points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieBreak {
    /// Points of the games among the tied entrants, if each two of them have met.
    Direct,
    /// Points of the opponents beaten, and half the points of those drawn with.
    SonnebornBerger,
    /// Points of all opponents.
    Buchholz,
    /// Number of games won.
    Wins,
    /// The joint rating.
    Rating,
}

impl TieBreak {
    /// All tie-breaks, in the usual order.
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
        let known = TieBreak::ALL.into_iter().find(|tie| tie.name() == text);
        known.ok_or_else(|| {
            InputError::unknown("tie_breaks", text, "a tie-break", TieBreak::ALL.map(TieBreak::name))
        })
    }
}

/// The order of a stage.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ranking {
    /// Indices of the entrants of the field, the best first; then those without a rank, by index.
    pub order: Vec<usize>,
    /// By entrant: the rank from 1; tied entrants share a rank. `None` for an entrant that is quarantined or not in the
    /// field.
    pub ranks: Vec<Option<u32>>,
    /// By entrant: points, including byes.
    pub points: Vec<f64>,
    /// By entrant: Sonneborn-Berger score. A bye counts as a win against an opponent with the entrant's own points.
    pub sonneborn_berger: Vec<f64>,
    /// By entrant: Buchholz score. A bye counts as a game against an opponent with the entrant's own points.
    pub buchholz: Vec<f64>,
    /// By entrant: number of games won, without byes.
    pub wins: Vec<u32>,
}

/// The input of a ranking.
#[derive(Clone, Copy)]
pub struct RankingCriteria<'a> {
    /// Indices of the entrants that are ranked.
    pub field: &'a [usize],
    /// The stage that is ranked.
    pub stage: u32,
    /// Points of a game.
    pub points: &'a PointSystem,
    /// Tie-breaks for equal points, in order.
    pub tie_breaks: &'a [TieBreak],
    /// The places that the format decided, if it does not rank by points.
    pub placing: Option<&'a [Placing]>,
    /// Joint ratings by entrant, if they were computed.
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
        for game in results.counted_in(stage).flat_map(|pair| pair.played()) {
            for side in Side::BOTH {
                let (player, opponent) = (game.seats[side.index()], game.seats[side.other().index()]);
                let score = game.record.score(side);
                ranking.buchholz[player] += ranking.points[opponent];
                ranking.sonneborn_berger[player] += score * ranking.points[opponent];
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

/// By entrant: points of the games within its group, if each two of the group have met; else 0.
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
    for pair in results.counted_in(criteria.stage) {
        let [a, b] = pair.pairing.players;
        if group_of[a] != usize::MAX && group_of[a] == group_of[b] {
            let [of_a, of_b] = pair.points(criteria.points);
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

/// Splits every group into groups with equal keys, the largest key first.
fn split(groups: Vec<Vec<usize>>, key: impl Fn(usize) -> f64) -> Vec<Vec<usize>> {
    let mut parts = Vec::with_capacity(groups.len());
    for group in groups {
        if group.len() < 2 {
            parts.push(group);
            continue;
        }
        let mut keyed: Vec<(f64, usize)> = group.iter().map(|&player| (key(player), player)).collect();
        keyed.sort_by(|a, b| b.0.total_cmp(&a.0));
        let equal = |a: &(f64, usize), b: &(f64, usize)| compare(a.0, b.0) == Ordering::Equal;
        parts.extend(keyed.chunk_by(equal).map(|part| part.iter().map(|(_, player)| *player).collect()));
    }
    parts
}

/// Compares with a tolerance: sums of margins can differ by rounding, and the order of games must not decide.
fn compare(a: f64, b: f64) -> Ordering {
    if (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0) { Ordering::Equal } else { a.total_cmp(&b) }
}
