//! What a game is looked up by.

use crate::entrant::Entrant;
use crate::pairing::Pairing;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A hash of everything a game depends on: who sits where, the scene, which game of the pair it is, and the [`GameConditions`].
/// A game is looked up by it before it is played. So going on after an interruption is running again, and whoever hands in
/// another program replays only its own games.
///
/// Entrants that are the same player share their games: on the same scene they would play the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameKey(pub [u8; 32]);

/// What all games of an event have in common and depend on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameConditions {
    /// The clock, as text.
    pub clock: String,
    /// Which rules and players these are: a version of the program.
    pub version: String,
}

impl GameKey {
    /// The key of game 0 or 1 of an encounter.
    #[must_use]
    pub fn new(encounter: &Pairing, half: usize, entrants: &[Entrant], terms: &GameConditions) -> GameKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"palestra game 1");
        for seat in encounter.seats(half) {
            hasher.update(&entrants[seat].key);
        }
        hasher.update(&(half as u64).to_le_bytes());
        let scene = &encounter.scene;
        hasher.update(&scene.seed.to_le_bytes());
        hasher.update(&scene.opening_plies.to_le_bytes());
        for text in [&scene.game, &terms.clock, &terms.version] {
            // The length first, so that no text can run into the next one.
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
        GameKey(*hasher.finalize().as_bytes())
    }
}

impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palestra_arena::StartPoint;

    #[test]
    fn everything_counts() {
        let entrant = |byte| Entrant { key: [byte; 32], ..Entrant::default() };
        let entrants = [entrant(1), entrant(2), entrant(3), entrant(2)];
        let scene = StartPoint { game: "toy".to_owned(), opening_plies: 2, seed: 5 };
        let encounter =
            Pairing { players: [0, 1], scene, stage: 0, round: 0, number: 0, single: false, walkover: false };
        let terms = GameConditions { clock: "1/move".to_owned(), version: "1".to_owned() };
        let key = |encounter: &Pairing, half, terms: &GameConditions| {
            GameKey::new(encounter, half, &entrants, terms)
        };
        let plain = key(&encounter, 0, &terms);
        let changed = |change: &dyn Fn(&mut Pairing)| {
            let mut encounter = encounter.clone();
            change(&mut encounter);
            key(&encounter, 0, &terms)
        };
        let mut keys = vec![
            plain,
            key(&encounter, 1, &terms),
            key(&encounter, 0, &GameConditions { clock: "1/mov".to_owned(), version: "e1".to_owned() }),
            key(&encounter, 0, &GameConditions { clock: "2/move".to_owned(), ..terms.clone() }),
            changed(&|encounter| encounter.players = [1, 0]),
            changed(&|encounter| encounter.players = [0, 2]),
            changed(&|encounter| encounter.scene.seed = 6),
            changed(&|encounter| encounter.scene.opening_plies = 3),
            changed(&|encounter| encounter.scene.game = "toy2".to_owned()),
        ];
        let n = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), n);
        assert_eq!(plain, changed(&|encounter| encounter.number = 9), "the place in a schedule is no matter");
        assert_eq!(plain, changed(&|encounter| encounter.players = [0, 3]), "nor is the name");
        assert_eq!(plain.to_string().len(), 64);
    }
}
