//! Everything that was played so far, in the order of the schedule.

use crate::pairing::{Bye, Pairing};
use crate::points::PointSystem;
use crate::record::GameRecord;
use palestra_core::Side;

/// The results of an event, folded in the order of its schedule, whatever finished first.
///
/// Quarantine: whoever forfeits `k` games is quarantined by the `k`-th of them *in the order of the schedule*. Its games
/// from there on are dropped, played or not. All its earlier games are kept and shown, and count for nobody: neither points
/// nor tie-breaks nor ratings know them. So the table of the others is the same with and without it, where everybody meets
/// everybody; and it does not depend on which of several games ended first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TournamentResults {
    patience: Option<u32>,
    meetings: Vec<PairResult>,
    byes: Vec<Bye>,
    failures: Vec<u32>,
    quarantined: Vec<Option<u64>>,
}

/// An encounter and its games.
#[derive(Clone, PartialEq, Debug)]
pub struct PairResult {
    /// Who met whom, and where.
    pub pairing: Pairing,
    /// Game 0 and game 1; `None` where it is not part of the encounter or was dropped.
    pub games: [Option<GameRecord>; 2],
}

/// A game that counts.
#[derive(Clone, Copy, Debug)]
pub struct CountedGame<'a> {
    /// The entrants with the first and the second side.
    pub seats: [usize; 2],
    /// Which game of its encounter.
    pub game_index: usize,
    /// The encounter.
    pub pairing: &'a Pairing,
    /// How it went.
    pub record: &'a GameRecord,
}

impl PairResult {
    /// The games that were played.
    pub fn played(&self) -> impl Iterator<Item = CountedGame<'_>> {
        self.games.iter().enumerate().filter_map(|(half, record)| {
            let seats = self.pairing.seats(half);
            Some(CountedGame { seats, game_index: half, pairing: &self.pairing, record: record.as_ref()? })
        })
    }

    /// The points of both players, in the order of the encounter.
    #[must_use]
    pub fn points(&self, points: &PointSystem) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for game in self.played() {
            for side in Side::BOTH {
                let place = usize::from(game.seats[side.index()] != self.pairing.players[0]);
                sums[place] += points.of(game.record, side);
            }
        }
        sums
    }
}

impl TournamentResults {
    /// No results yet. Whoever forfeits `patience` games is quarantined.
    #[must_use]
    pub fn new(n_entrants: usize, patience: Option<u32>) -> TournamentResults {
        TournamentResults {
            patience,
            meetings: Vec::new(),
            byes: Vec::new(),
            failures: vec![0; n_entrants],
            quarantined: vec![None; n_entrants],
        }
    }

    /// How many entrants there are.
    #[must_use]
    pub fn n_entrants(&self) -> usize {
        self.failures.len()
    }

    /// Adds the next encounter of the schedule with the games that were played of it. Games of somebody who is quarantined
    /// by then are dropped.
    pub fn add(&mut self, encounter: Pairing, games: [Option<GameRecord>; 2]) {
        debug_assert_eq!(encounter.number, self.meetings.len() as u64);
        let mut meeting = PairResult { pairing: encounter, games: [None, None] };
        for (half, record) in games.into_iter().enumerate() {
            let seats = meeting.pairing.seats(half);
            let Some(record) = record.filter(|_| !seats.iter().any(|&seat| self.is_quarantined(seat))) else {
                continue;
            };
            if let Some(forfeit) = &record.forfeit {
                let culprit = seats[forfeit.culprit.index()];
                self.failures[culprit] += 1;
                if self.patience.is_some_and(|patience| self.failures[culprit] >= patience) {
                    self.quarantined[culprit] = Some(meeting.pairing.number);
                }
            }
            meeting.games[half] = Some(record);
        }
        self.meetings.push(meeting);
    }

    /// Adds a bye.
    pub fn add_bye(&mut self, bye: Bye) {
        self.byes.push(bye);
    }

    /// All encounters so far, in the order of the schedule.
    #[must_use]
    pub fn pair_results(&self) -> &[PairResult] {
        &self.meetings
    }

    /// Who has met somebody or sat out in a stage, by number.
    #[must_use]
    pub fn players_in(&self, stage: u32) -> Vec<usize> {
        let meetings = self.meetings.iter().filter(|meeting| meeting.pairing.stage == stage);
        let byes = self.byes.iter().filter(|bye| bye.stage == stage).map(|bye| bye.player);
        let players: std::collections::BTreeSet<usize> =
            meetings.flat_map(|meeting| meeting.pairing.players).chain(byes).collect();
        players.into_iter().collect()
    }

    /// The stage of the last encounter.
    #[must_use]
    pub fn last_stage(&self) -> u32 {
        self.meetings.last().map_or(0, |meeting| meeting.pairing.stage)
    }

    /// The number of the next encounter.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.meetings.len() as u64
    }

    /// Whether somebody has failed too often.
    #[must_use]
    pub fn is_quarantined(&self, player: usize) -> bool {
        self.quarantined[player].is_some()
    }

    /// The encounter in which somebody failed once too often.
    #[must_use]
    pub fn quarantined_at(&self, player: usize) -> Option<u64> {
        self.quarantined[player]
    }

    /// How often somebody forfeited; those that were dropped do not count.
    #[must_use]
    pub fn failures(&self, player: usize) -> u32 {
        self.failures[player]
    }

    /// The encounters that count: those of players who are not quarantined.
    pub fn counted(&self) -> impl Iterator<Item = &PairResult> {
        self.meetings.iter().filter(|meeting| self.counts(meeting))
    }

    /// The games that count.
    pub fn games(&self) -> impl Iterator<Item = CountedGame<'_>> {
        self.counted().flat_map(PairResult::played)
    }

    /// Whether an encounter counts.
    #[must_use]
    pub fn counts(&self, meeting: &PairResult) -> bool {
        !meeting.pairing.players.iter().any(|&player| self.is_quarantined(player))
    }

    /// The byes of players who are not quarantined: those of the format, and those that quarantined rivals left.
    pub fn byes(&self) -> impl Iterator<Item = Bye> {
        let left = self.meetings.iter().filter(|meeting| meeting.pairing.walkover).filter_map(|meeting| {
            let Pairing { players: [a, b], stage, round, .. } = meeting.pairing;
            let player = match (self.is_quarantined(a), self.is_quarantined(b)) {
                (true, false) => b,
                (false, true) => a,
                _ => return None,
            };
            Some(Bye { player, stage, round, n_games: meeting.pairing.n_games() as u32 })
        });
        self.byes.iter().copied().filter(|bye| !self.is_quarantined(bye.player)).chain(left)
    }

    /// The byes that a format gave, in order.
    #[must_use]
    pub fn given_byes(&self) -> &[Bye] {
        &self.byes
    }

    /// The encounters of a stage that count.
    pub fn counted_in(&self, stage: u32) -> impl Iterator<Item = &PairResult> {
        self.counted().filter(move |meeting| meeting.pairing.stage == stage)
    }

    /// Everybody's points in a stage: counted games and byes.
    #[must_use]
    pub fn points(&self, points: &PointSystem, stage: u32) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_entrants()];
        for meeting in self.counted_in(stage) {
            let [a, b] = meeting.pairing.players;
            let [of_a, of_b] = meeting.points(points);
            sums[a] += of_a;
            sums[b] += of_b;
        }
        for bye in self.byes().filter(|bye| bye.stage == stage) {
            sums[bye.player] += f64::from(bye.n_games) * points.of_bye();
        }
        sums
    }
}
