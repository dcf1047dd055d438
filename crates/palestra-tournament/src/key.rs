//! The content key of a game.

use crate::entrant::Entrant;
use crate::pairing::Pairing;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A hash of everything a game depends on: the players of both sides, the start point, which game of the pair it is,
/// and the [`GameConditions`].
///
/// A game is looked up by its key before it is played. Resuming an event is therefore running it again, and a new
/// version of one program replays only the games of that program.
///
/// Entrants with equal player keys share their games: from the same start point they would play the same game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct GameKey(pub [u8; 32]);

/// Conditions that all games of an event share and depend on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct GameConditions {
    /// The clock, as text: `60+0.5`.
    pub clock: String,
    /// Version of the program, and so of the rules and the built-in players.
    pub version: String,
}

impl GameKey {
    /// The key of game 0 or 1 of a pairing.
    #[must_use]
    pub fn new(
        pairing: &Pairing,
        game_index: usize,
        entrants: &[Entrant],
        conditions: &GameConditions,
    ) -> GameKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(b"palestra game 1");
        for entrant in pairing.seats(game_index) {
            hasher.update(&entrants[entrant].key);
        }
        hasher.update(&(game_index as u64).to_le_bytes());
        let start = &pairing.start;
        hasher.update(&start.seed.to_le_bytes());
        hasher.update(&start.opening_plies.to_le_bytes());
        for text in [&start.game, &conditions.clock, &conditions.version] {
            // The length comes first, so that two different lists of texts cannot give the same bytes.
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
    fn the_key_covers_everything_a_game_depends_on() {
        let entrant = |byte| Entrant { key: [byte; 32], ..Entrant::default() };
        let entrants = [entrant(1), entrant(2), entrant(3), entrant(2)];
        let start = StartPoint { game: "toy".to_owned(), opening_plies: 2, seed: 5 };
        let pairing =
            Pairing { players: [0, 1], start, stage: 0, round: 0, number: 0, single: false, walkover: false };
        let conditions = GameConditions { clock: "1/move".to_owned(), version: "1".to_owned() };
        let key = |pairing: &Pairing, game_index, conditions: &GameConditions| {
            GameKey::new(pairing, game_index, &entrants, conditions)
        };
        let plain = key(&pairing, 0, &conditions);
        let changed = |change: &dyn Fn(&mut Pairing)| {
            let mut pairing = pairing.clone();
            change(&mut pairing);
            key(&pairing, 0, &conditions)
        };
        let mut keys = vec![
            plain,
            key(&pairing, 1, &conditions),
            key(&pairing, 0, &GameConditions { clock: "1/mov".to_owned(), version: "e1".to_owned() }),
            key(&pairing, 0, &GameConditions { clock: "2/move".to_owned(), ..conditions.clone() }),
            changed(&|pairing| pairing.players = [1, 0]),
            changed(&|pairing| pairing.players = [0, 2]),
            changed(&|pairing| pairing.start.seed = 6),
            changed(&|pairing| pairing.start.opening_plies = 3),
            changed(&|pairing| pairing.start.game = "toy2".to_owned()),
        ];
        let n = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), n);
        assert_eq!(
            plain,
            changed(&|pairing| pairing.number = 9),
            "the number in the schedule does not count"
        );
        assert_eq!(
            plain,
            changed(&|pairing| pairing.players = [0, 3]),
            "entrants with equal player keys share games"
        );
        assert_eq!(plain.to_string().len(), 64);
    }
}
