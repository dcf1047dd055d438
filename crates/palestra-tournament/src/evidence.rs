//! What games say about strength: what was played before, move by move, says nothing new.

use crate::results::{PairResult, TournamentResults};
use palestra_core::{InputError, Seed, Side};
use palestra_stats::{Duplicates, PlayedUnit, RatingOptions, Ratings, ResultRow, duplicates, rate};
use std::collections::BTreeMap;

/// Results for ratings. An encounter that repeats another one of the same two, move by move, is left out, unless one of
/// them has dice: players without dice on the same opening would otherwise prove anything.
#[derive(Clone, Debug, Default)]
pub(crate) struct RatingData {
    pub(crate) rows: Vec<ResultRow>,
    pub(crate) duplicates: Duplicates,
}

impl RatingData {
    /// The games that count, of one stage or of all. `dice` says by entrant who decides by chance; nobody where it is empty.
    pub(crate) fn of(results: &TournamentResults, stage: Option<u32>, dice: &[bool]) -> RatingData {
        let is_meant = |meeting: &&PairResult| stage.is_none_or(|stage| meeting.pairing.stage == stage);
        let meetings: Vec<&PairResult> = results.counted().filter(is_meant).collect();
        let played: Vec<PlayedUnit> = meetings.iter().map(|meeting| duplicate_entry(meeting, dice)).collect();
        let duplicates = duplicates(&played);
        let mut rows: BTreeMap<[usize; 2], [f64; 3]> = BTreeMap::new();
        let new = meetings.iter().zip(&duplicates.counts).filter(|(_, counts)| **counts);
        for game in new.flat_map(|(meeting, _)| meeting.played()) {
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

    /// Joint ratings of everybody.
    pub(crate) fn rate(
        &self,
        names: &[String],
        anchors: Vec<(usize, f64)>,
        intervals: bool,
    ) -> Result<Ratings, InputError> {
        rate(names, &self.rows, &RatingOptions { anchors, advantage: true, intervals })
    }
}

/// An encounter as far as repetition is concerned. A forfeit is a result of its own each time: what was played up to it
/// may be nothing.
pub(crate) fn duplicate_entry(meeting: &PairResult, dice: &[bool]) -> PlayedUnit {
    let players = meeting.pairing.players;
    let has_dice = players.iter().any(|&player| dice.get(player).copied().unwrap_or(false));
    let games = || meeting.played();
    // Seats belong to it: the same moves from the other side of the board are another game.
    let mix = |hash: Seed, game: crate::CountedGame<'_>| {
        hash.child(game.seats[0] as u64).child(game.record.fingerprint)
    };
    PlayedUnit {
        players,
        is_stochastic: has_dice || games().any(|game| game.record.forfeit.is_some()),
        fingerprint: games().fold(Seed(0), mix).0,
        games: games().count() as u32,
    }
}
