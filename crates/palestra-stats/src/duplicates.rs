//! Repeated games: deterministic players repeat themselves, and a repeated game is no new evidence.

use std::collections::BTreeMap;

/// Games that are repeated together, usually a pair with sides swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedUnit {
    /// The two players; the order does not matter.
    pub players: [usize; 2],
    /// Whether either player is stochastic: then equal games are a coincidence, and each one counts.
    pub is_stochastic: bool,
    /// Hash of the moves of all games of the unit.
    pub fingerprint: u64,
    /// Number of games in the unit.
    pub games: u32,
}

/// How many of the games are new evidence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Duplicates {
    /// Number of units played.
    pub units: u64,
    /// Number of units that the same two players had not played before.
    pub distinct: u64,
    /// Number of units that count as evidence: all units of stochastic players, and the distinct ones of the others.
    pub effective: u64,
    /// Number of games played.
    pub games: u64,
    /// Number of games that count as evidence.
    pub effective_games: u64,
    /// For each unit in the order given, whether it counts.
    pub counts: Vec<bool>,
}

/// Finds units that repeat an earlier one of the same two players.
pub fn duplicates(played: &[PlayedUnit]) -> Duplicates {
    let mut seen: BTreeMap<([usize; 2], u64), u64> = BTreeMap::new();
    let mut result = Duplicates::default();
    for unit in played {
        let [a, b] = unit.players;
        let times = seen.entry(([a.min(b), a.max(b)], unit.fingerprint)).or_default();
        *times += 1;
        let is_new = *times == 1;
        let counts = is_new || unit.is_stochastic;
        result.units += 1;
        result.distinct += u64::from(is_new);
        result.effective += u64::from(counts);
        result.games += u64::from(unit.games);
        result.effective_games += if counts { u64::from(unit.games) } else { 0 };
        result.counts.push(counts);
    }
    result
}

impl Duplicates {
    /// A note for readers, if games of deterministic players were repeated.
    pub fn sentence(&self) -> Option<String> {
        (self.effective < self.units).then(|| {
            format!(
                "only {} of {} games count as evidence: deterministic players played the others before, move by move",
                self.effective_games, self.games
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: usize, b: usize, is_stochastic: bool, fingerprint: u64) -> PlayedUnit {
        PlayedUnit { players: [a, b], is_stochastic, fingerprint, games: 2 }
    }

    #[test]
    fn repetitions_count_once() {
        let played = [
            pair(0, 1, false, 7),
            pair(0, 1, false, 8),
            // The same again, with the players named in the other order.
            pair(1, 0, false, 7),
            // The same game of other players is evidence about them.
            pair(0, 2, false, 7),
            // Every game of a stochastic player counts.
            pair(1, 2, true, 5),
            pair(1, 2, true, 5),
        ];
        let result = duplicates(&played);
        assert_eq!((result.units, result.distinct, result.effective), (6, 4, 5));
        assert_eq!((result.games, result.effective_games), (12, 10));
        assert_eq!(result.counts, [true, true, false, true, true, true]);
        assert_eq!(
            result.sentence().unwrap(),
            "only 10 of 12 games count as evidence: deterministic players played the others before, move by move"
        );
        assert_eq!(duplicates(&played[3..]).sentence(), None);
        assert_eq!(duplicates(&[]), Duplicates::default());
    }
}
