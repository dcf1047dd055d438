//! Games that were played before: players without dice repeat themselves, and a repeated game proves nothing new.

use std::collections::BTreeMap;

/// Games that belong together, usually a pair with sides swapped, as far as repetition is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedUnit {
    /// Who played; the order does not matter.
    pub players: [usize; 2],
    /// Whether any of the two decides by chance: then equal games are equal by chance, and each one counts.
    pub is_stochastic: bool,
    /// What the moves of all games of the unit hash to.
    pub fingerprint: u64,
    /// How many games there are in it.
    pub games: u32,
}

/// How much of what was played is new.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Duplicates {
    /// Units played.
    pub units: u64,
    /// Units that were not there before, whoever played them by whatever means.
    pub distinct: u64,
    /// Units that count as evidence: all with dice, and of those without each one once.
    pub effective: u64,
    /// Games played.
    pub games: u64,
    /// Games that count as evidence.
    pub effective_games: u64,
    /// For each unit in the order given, whether it counts.
    pub counts: Vec<bool>,
}

/// Looks for repetitions between the same two players.
pub fn duplicates(played: &[PlayedUnit]) -> Duplicates {
    let mut seen: BTreeMap<([usize; 2], u64), u64> = BTreeMap::new();
    let mut found = Duplicates::default();
    for unit in played {
        let [a, b] = unit.players;
        let times = seen.entry(([a.min(b), a.max(b)], unit.fingerprint)).or_default();
        *times += 1;
        let is_new = *times == 1;
        let counts = is_new || unit.is_stochastic;
        found.units += 1;
        found.distinct += u64::from(is_new);
        found.effective += u64::from(counts);
        found.games += u64::from(unit.games);
        found.effective_games += if counts { u64::from(unit.games) } else { 0 };
        found.counts.push(counts);
    }
    found
}

impl Duplicates {
    /// What a reader has to know, if anything was repeated without dice.
    pub fn sentence(&self) -> Option<String> {
        (self.effective < self.units).then(|| {
            format!(
                "only {} of {} games count as evidence: players without dice played the others before, move by move",
                self.effective_games, self.games
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: usize, b: usize, has_dice: bool, fingerprint: u64) -> PlayedUnit {
        PlayedUnit { players: [a, b], is_stochastic: has_dice, fingerprint, games: 2 }
    }

    #[test]
    fn repetitions_count_once() {
        let played = [
            pair(0, 1, false, 7),
            pair(0, 1, false, 8),
            // The same again, by whichever name first.
            pair(1, 0, false, 7),
            // Others may play the same game: that is their own evidence.
            pair(0, 2, false, 7),
            // With dice every game counts.
            pair(1, 2, true, 5),
            pair(1, 2, true, 5),
        ];
        let found = duplicates(&played);
        assert_eq!((found.units, found.distinct, found.effective), (6, 4, 5));
        assert_eq!((found.games, found.effective_games), (12, 10));
        assert_eq!(found.counts, [true, true, false, true, true, true]);
        assert_eq!(
            found.sentence().unwrap(),
            "only 10 of 12 games count as evidence: players without dice played the others before, move by move"
        );
        assert_eq!(duplicates(&played[3..]).sentence(), None);
        assert_eq!(duplicates(&[]), Duplicates::default());
    }
}
