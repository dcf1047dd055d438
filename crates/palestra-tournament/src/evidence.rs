//! Games as evidence of strength. A game that repeats another move by move is no new evidence.

use crate::results::{PairResult, TournamentResults};
use palestra_core::{InputError, Side};
use palestra_stats::{Duplicates, PlayedUnit, RatingOptions, Ratings, ResultRow, duplicates, rate};
use std::collections::BTreeMap;

/// Results for ratings. A pair that repeats another pair of the same two players move by move is left out unless one of
/// the players is stochastic: repeats of deterministic games would shrink the error bars without any new information.
#[derive(Clone, Debug, Default)]
pub(crate) struct RatingData {
    pub(crate) rows: Vec<ResultRow>,
    pub(crate) duplicates: Duplicates,
}

impl RatingData {
    /// The games that count, of one stage or of all. `stochastic` says by entrant which players are stochastic; an
    /// empty slice means none.
    pub(crate) fn of(results: &TournamentResults, stage: Option<u32>, stochastic: &[bool]) -> RatingData {
        let is_in_stage = |pair: &&PairResult| stage.is_none_or(|stage| pair.pairing.stage == stage);
        let pairs: Vec<&PairResult> = results.counted().filter(is_in_stage).collect();
        let played: Vec<PlayedUnit> = pairs.iter().map(|pair| duplicate_entry(pair, stochastic)).collect();
        let duplicates = duplicates(&played);
        let mut rows: BTreeMap<[usize; 2], [f64; 3]> = BTreeMap::new();
        let new = pairs.iter().zip(&duplicates.counts).filter(|(_, counts)| **counts);
        for game in new.flat_map(|(pair, _)| pair.played()) {
            let row = rows.entry(game.seats).or_default();
            match game.record.winner {
                Some(Side::First) => row[0] += 1.0,
                None => row[1] += 1.0,
                Some(Side::Second) => row[2] += 1.0,
            }
        }
        let row = |([first, second], [wins, draws, losses]): ([usize; 2], [f64; 3])| ResultRow {
            first,
            second,
            wins,
            draws,
            losses,
        };
        RatingData { rows: rows.into_iter().map(row).collect(), duplicates }
    }

    /// Joint ratings of all entrants.
    pub(crate) fn rate(
        &self,
        names: &[String],
        anchors: Vec<(usize, f64)>,
        intervals: bool,
    ) -> Result<Ratings, InputError> {
        rate(names, &self.rows, &RatingOptions { anchors, advantage: true, intervals })
    }
}

/// A pair of games for the search for duplicates. A pair with a forfeit is never a duplicate: it may have no moves to
/// compare.
pub(crate) fn duplicate_entry(pair: &PairResult, stochastic: &[bool]) -> PlayedUnit {
    let players = pair.pairing.players;
    let is_stochastic = players.iter().any(|&player| stochastic.get(player).copied().unwrap_or(false));
    let games = || pair.played();
    PlayedUnit {
        players,
        is_stochastic: is_stochastic || games().any(|game| game.record.forfeit.is_some()),
        fingerprint: pair.fingerprint,
        games: games().count() as u32,
    }
}
