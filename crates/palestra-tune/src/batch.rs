//! Games to be played, as plain data: whoever runs a batch, wherever and in whatever order, gets the same result.

use crate::CandidateSet;
use palestra_arena::{GameResult, StartPoint};
use serde::{Deserialize, Serialize};

/// Candidates, whom they meet, and where.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Batch {
    /// The player whose weights the candidates are: `greedy/lines`.
    pub template: String,
    /// The weights.
    pub candidates: CandidateSet,
    /// Who meets whom, and on which scenes.
    pub schedule: Schedule,
    /// Boards, openings and dice. Every scene is played twice, with sides swapped.
    pub scenes: Vec<StartPoint>,
    /// What a game is worth.
    pub points: TuningPoints,
}

/// Who meets whom.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub enum Schedule {
    /// Every candidate meets each of these players on every scene.
    Everyone(Vec<String>),
    /// Every candidate meets every other on every scene.
    League,
    /// Some candidates meet, each time on scenes of their own.
    Matches(Vec<ScheduledMatch>),
}

/// Two candidates, by number, and the numbers of their scenes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ScheduledMatch {
    /// The one whose result is given.
    pub a: u32,
    /// The other one.
    pub b: u32,
    /// The first scene.
    pub from: u32,
    /// The one after the last.
    pub to: u32,
}

/// What a game is worth to a player.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum TuningPoints {
    /// So much for a win, a draw and a loss.
    Table {
        /// Won.
        win: f64,
        /// Drawn.
        draw: f64,
        /// Lost.
        loss: f64,
    },
    /// What the game's own events give: its margin.
    Margin,
}

impl TuningPoints {
    /// The worth of one game.
    pub fn of(self, result: &GameResult) -> f64 {
        match self {
            TuningPoints::Margin => result.margin,
            TuningPoints::Table { win, draw, loss } => [loss, draw, win][usize::from(result.points.min(2))],
        }
    }
}

/// What came of all games between two players, from the first one's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct MatchResult {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Scenes by result of both games: both lost, …, both won.
    pub pairs: [u32; 5],
    /// Points of the first player.
    pub points: f64,
    /// Points of the other one.
    pub other_points: f64,
}

impl MatchResult {
    /// Counts the two games of a scene; they are added to each other first, so that sums do not depend on the engine.
    pub fn add(&mut self, pair: &[GameResult; 2], points: TuningPoints) {
        for result in pair {
            match result.points {
                2 => self.wins += 1,
                1 => self.draws += 1,
                _ => self.losses += 1,
            }
        }
        self.pairs[usize::from(pair[0].points + pair[1].points).min(4)] += 1;
        self.points += points.of(&pair[0]) + points.of(&pair[1]);
        let [a, b] = pair.map(|result| points.of(&reversed(&result)));
        self.other_points += a + b;
    }
}

/// The same game for the other player.
pub(crate) fn reversed(result: &GameResult) -> GameResult {
    // A draw is worth nothing, and not minus nothing.
    GameResult { points: 2 - result.points.min(2), margin: 0.0 - result.margin, plies: result.plies }
}

/// What came of a batch.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct BatchResult {
    /// The points of each candidate, in order.
    pub points: Vec<f64>,
    /// With [`Schedule::Everyone`], candidate by candidate, each rival; with a league, the first candidate against
    /// each later one, then the second, …; with matches, one after the other. Empty where there are more than
    /// [`MAX_MATCH_RESULTS`].
    pub meetings: Vec<MatchResult>,
    /// Games played.
    pub n_games: u64,
}

/// Meetings are told apart up to this number; beyond it, only points count.
pub const MAX_MATCH_RESULTS: usize = 1 << 20;

impl Batch {
    /// How many meetings there are.
    pub fn n_matches(&self) -> usize {
        let n = self.candidates.len();
        match &self.schedule {
            Schedule::Everyone(rivals) => n * rivals.len(),
            Schedule::League => n * n.saturating_sub(1) / 2,
            Schedule::Matches(matches) => matches.len(),
        }
    }

    /// How many games there are.
    pub fn n_games(&self) -> u64 {
        match &self.schedule {
            Schedule::Matches(matches) => {
                matches.iter().map(|meeting| 2 * u64::from(meeting.to - meeting.from)).sum()
            }
            _ => self.n_matches() as u64 * self.scenes.len() as u64 * 2,
        }
    }

    /// What tells it from every other batch, whoever plays it.
    pub fn key(&self) -> [u8; 32] {
        /// Changes whenever the same batch would give another result.
        const ENGINE: &str = "palestra batch 1";
        let bytes = postcard::to_stdvec(&(ENGINE, self)).expect("a batch is plain data");
        *blake3::hash(&bytes).as_bytes()
    }
}

impl BatchResult {
    /// Small enough to be kept: points that are small whole numbers take a byte each.
    pub fn to_bytes(&self) -> Vec<u8> {
        let packed = PackedResult {
            points: PackedNumbers::pack(&self.points),
            meetings: self.meetings.clone(),
            n_games: self.n_games,
        };
        postcard::to_stdvec(&packed).expect("a result is plain data")
    }

    /// Reads back what [`BatchResult::to_bytes`] wrote; `None` if it is something else.
    pub fn from_bytes(bytes: &[u8]) -> Option<BatchResult> {
        let packed: PackedResult = postcard::from_bytes(bytes).ok()?;
        Some(BatchResult {
            points: packed.points.unpack(),
            meetings: packed.meetings,
            n_games: packed.n_games,
        })
    }
}

#[derive(Serialize, Deserialize)]
struct PackedResult {
    points: PackedNumbers,
    meetings: Vec<MatchResult>,
    n_games: u64,
}

/// A finished part of a batch, as the ledger keeps it. A batch that was begun by one engine may be gone on with by the
/// other, which must not take the parts for its own.
#[derive(Serialize, Deserialize)]
pub(crate) enum StoredUnit {
    /// Of games played one by one: pairs of consecutive jobs.
    Jobs(Vec<[GameResult; 2]>),
    /// Of games played together: the pairs of every candidate.
    Pairs(Vec<[GameResult; 2]>),
    /// Likewise: only their points.
    Points(PackedNumbers),
}

#[derive(Serialize, Deserialize)]
pub(crate) enum PackedNumbers {
    Small(Vec<i8>),
    Any(Vec<f64>),
}

impl PackedNumbers {
    pub(crate) fn pack(numbers: &[f64]) -> PackedNumbers {
        let small = |&number: &f64| {
            let small = number as i8;
            (f64::from(small).to_bits() == number.to_bits()).then_some(small)
        };
        match numbers.iter().map(small).collect() {
            Some(small) => PackedNumbers::Small(small),
            None => PackedNumbers::Any(numbers.to_vec()),
        }
    }

    pub(crate) fn unpack(self) -> Vec<f64> {
        match self {
            PackedNumbers::Small(small) => small.into_iter().map(f64::from).collect(),
            PackedNumbers::Any(numbers) => numbers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_read_back() {
        for points in [vec![], vec![1.0, -54.0, 54.0], vec![0.5], vec![1000.0, 2.0], vec![-0.0, 3.0]] {
            let result = BatchResult {
                points,
                meetings: vec![MatchResult { wins: 3, ..MatchResult::default() }],
                n_games: 7,
            };
            let back = BatchResult::from_bytes(&result.to_bytes()).unwrap();
            assert_eq!(back, result);
            let bits = |result: &BatchResult| result.points.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&back), bits(&result));
        }
        assert_eq!(BatchResult::from_bytes(b"nonsense"), None);
    }

    #[test]
    fn a_pair_counts_for_both() {
        let won = GameResult { points: 2, margin: 3.0, plies: 9 };
        let drawn = GameResult { points: 1, margin: 0.0, plies: 9 };
        let mut meeting = MatchResult::default();
        meeting.add(&[won, drawn], TuningPoints::Table { win: 3.0, draw: 1.0, loss: 0.0 });
        assert_eq!((meeting.wins, meeting.draws, meeting.losses), (1, 1, 0));
        assert_eq!((meeting.pairs, meeting.points, meeting.other_points), ([0, 0, 0, 1, 0], 4.0, 1.0));
        let mut meeting = MatchResult::default();
        meeting.add(&[won, reversed(&drawn)], TuningPoints::Margin);
        assert_eq!((meeting.points, meeting.other_points), (3.0, -3.0));
    }
}
