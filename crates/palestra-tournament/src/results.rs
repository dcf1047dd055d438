//! The results of an event so far, in the order of the schedule.

use crate::pairing::{Bye, Pairing};
use palestra_arena::{GameRecord, PointSystem};
use palestra_core::{Seed, Side};
use std::sync::Arc;

/// The results of an event, folded in the order of its schedule and not in the order in which games ended.
///
/// Quarantine: an entrant that forfeits `k` games is quarantined by the `k`-th of them *in the order of the schedule*.
/// Its later games are dropped, played or not. Its earlier games are kept and shown, but do not count: points,
/// tie-breaks and ratings ignore them. In a round robin the table of the others is therefore the same with and without
/// that entrant, and it does not depend on which of several concurrent games ended first.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TournamentResults {
    /// Number of forfeits that quarantines an entrant.
    max_forfeits: Option<u32>,
    pair_results: Vec<PairResult>,
    byes: Vec<Bye>,
    /// By entrant: forfeited games that were not dropped.
    failures: Vec<u32>,
    /// By entrant: number of the pairing that quarantined it.
    quarantined: Vec<Option<u64>>,
}

/// A pairing and the records of its games.
#[derive(Clone, PartialEq, Debug)]
pub struct PairResult {
    /// The entrants and their start point.
    pub pairing: Pairing,
    /// Game 0 and game 1; `None` for a game that the pairing does not have or that was dropped.
    pub games: [Option<Arc<GameRecord>>; 2],
    /// Hash of the boards, openings, sides and moves of the games: equal for pairs that repeat each other move by move.
    pub(crate) fingerprint: u64,
}

/// A game that counts.
#[derive(Clone, Copy, Debug)]
pub struct CountedGame<'a> {
    /// The entrants with the first and the second side.
    pub seats: [usize; 2],
    /// Which game of its pairing: 0 or 1.
    pub game_index: usize,
    /// The pairing that it belongs to.
    pub pairing: &'a Pairing,
    /// Its result.
    pub record: &'a GameRecord,
}

impl PairResult {
    /// The games that were played.
    pub fn played(&self) -> impl Iterator<Item = CountedGame<'_>> {
        self.games.iter().enumerate().filter_map(|(game_index, record)| {
            let seats = self.pairing.seats(game_index);
            Some(CountedGame { seats, game_index, pairing: &self.pairing, record: record.as_deref()? })
        })
    }

    /// The sides are part of it: the same moves with sides swapped are another game.
    fn hash(&self) -> u64 {
        let mix = |hash: Seed, game: CountedGame<'_>| {
            let mut hasher = blake3::Hasher::new();
            for text in [&self.pairing.start.game, &game.record.opening, &game.record.moves] {
                hasher.update(text.as_bytes()).update(b"\n");
            }
            let moves = u64::from_le_bytes(hasher.finalize().as_bytes().as_chunks::<8>().0[0]);
            hash.child(game.seats[0] as u64).child(moves)
        };
        self.played().fold(Seed(0), mix).0
    }

    /// The points of both players, in the order of [`Pairing::players`].
    #[must_use]
    pub fn points(&self, points: &PointSystem) -> [f64; 2] {
        let mut sums = [0.0; 2];
        for game in self.played() {
            for side in Side::BOTH {
                let player = usize::from(game.seats[side.index()] != self.pairing.players[0]);
                sums[player] += game.record.points(points, side);
            }
        }
        sums
    }
}

impl TournamentResults {
    /// Empty results. An entrant that forfeits `max_forfeits` games is quarantined; with `None` none ever is.
    #[must_use]
    pub fn new(n_entrants: usize, max_forfeits: Option<u32>) -> TournamentResults {
        TournamentResults {
            max_forfeits,
            pair_results: Vec::new(),
            byes: Vec::new(),
            failures: vec![0; n_entrants],
            quarantined: vec![None; n_entrants],
        }
    }

    /// Number of entrants.
    #[must_use]
    pub fn n_entrants(&self) -> usize {
        self.failures.len()
    }

    /// Adds the next pairing of the schedule with the games that were played of it. Games of an entrant that is
    /// quarantined by then are dropped.
    pub fn add(&mut self, pairing: Pairing, games: [Option<Arc<GameRecord>>; 2]) {
        debug_assert_eq!(pairing.number, self.pair_results.len() as u64);
        let mut pair = PairResult { pairing, games: [None, None], fingerprint: 0 };
        for (game_index, record) in games.into_iter().enumerate() {
            let seats = pair.pairing.seats(game_index);
            let Some(record) = record.filter(|_| !seats.iter().any(|&seat| self.is_quarantined(seat))) else {
                continue;
            };
            if let Some(forfeit) = &record.forfeit {
                let culprit = seats[forfeit.culprit.index()];
                self.failures[culprit] += 1;
                if self.max_forfeits.is_some_and(|max| self.failures[culprit] >= max) {
                    self.quarantined[culprit] = Some(pair.pairing.number);
                }
            }
            pair.games[game_index] = Some(record);
        }
        pair.fingerprint = pair.hash();
        self.pair_results.push(pair);
    }

    /// Adds a bye that the format gave.
    pub fn add_bye(&mut self, bye: Bye) {
        self.byes.push(bye);
    }

    /// All results so far, in the order of the schedule.
    #[must_use]
    pub fn pair_results(&self) -> &[PairResult] {
        &self.pair_results
    }

    /// Entrants that had a pairing or a bye in a stage, in ascending order.
    #[must_use]
    pub fn players_in(&self, stage: u32) -> Vec<usize> {
        let pairs = self.pair_results.iter().filter(|pair| pair.pairing.stage == stage);
        let byes = self.byes.iter().filter(|bye| bye.stage == stage).map(|bye| bye.player);
        let players: std::collections::BTreeSet<usize> =
            pairs.flat_map(|pair| pair.pairing.players).chain(byes).collect();
        players.into_iter().collect()
    }

    /// The stage of the last pairing.
    #[must_use]
    pub fn last_stage(&self) -> u32 {
        self.pair_results.last().map_or(0, |pair| pair.pairing.stage)
    }

    /// The number of the next pairing in the schedule.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.pair_results.len() as u64
    }

    /// Whether an entrant is quarantined for its forfeits.
    #[must_use]
    pub fn is_quarantined(&self, player: usize) -> bool {
        self.quarantined[player].is_some()
    }

    /// Number of the pairing whose forfeit quarantined an entrant.
    #[must_use]
    pub fn quarantined_at(&self, player: usize) -> Option<u64> {
        self.quarantined[player]
    }

    /// Number of games that an entrant forfeited, without dropped games.
    #[must_use]
    pub fn failures(&self, player: usize) -> u32 {
        self.failures[player]
    }

    /// The results that count: those of pairings without a quarantined entrant.
    pub fn counted(&self) -> impl Iterator<Item = &PairResult> {
        self.pair_results.iter().filter(|pair| self.counts(pair))
    }

    /// The games that count.
    pub fn games(&self) -> impl Iterator<Item = CountedGame<'_>> {
        self.counted().flat_map(PairResult::played)
    }

    /// Whether a result counts: none of its two entrants is quarantined.
    #[must_use]
    pub fn counts(&self, pair: &PairResult) -> bool {
        !pair.pairing.players.iter().any(|&player| self.is_quarantined(player))
    }

    /// The byes of entrants that are not quarantined: those that the format gave, and walkovers against quarantined
    /// opponents.
    pub fn byes(&self) -> impl Iterator<Item = Bye> {
        let walkovers = self.pair_results.iter().filter(|pair| pair.pairing.walkover).filter_map(|pair| {
            let Pairing { players: [a, b], stage, round, .. } = pair.pairing;
            let player = match (self.is_quarantined(a), self.is_quarantined(b)) {
                (true, false) => b,
                (false, true) => a,
                _ => return None,
            };
            Some(Bye { player, stage, round, n_games: pair.pairing.n_games() as u32 })
        });
        self.byes.iter().copied().filter(|bye| !self.is_quarantined(bye.player)).chain(walkovers)
    }

    /// The byes that the format gave, in the order in which it gave them.
    #[must_use]
    pub fn given_byes(&self) -> &[Bye] {
        &self.byes
    }

    /// The results of a stage that count.
    pub fn counted_in(&self, stage: u32) -> impl Iterator<Item = &PairResult> {
        self.counted().filter(move |pair| pair.pairing.stage == stage)
    }

    /// By entrant: points in a stage, of counted games and byes.
    #[must_use]
    pub fn points(&self, points: &PointSystem, stage: u32) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_entrants()];
        for pair in self.counted_in(stage) {
            let [a, b] = pair.pairing.players;
            let [of_a, of_b] = pair.points(points);
            sums[a] += of_a;
            sums[b] += of_b;
        }
        for bye in self.byes().filter(|bye| bye.stage == stage) {
            sums[bye.player] += f64::from(bye.n_games) * points.of_bye();
        }
        sums
    }
}
