//! What is kept of a game.

use palestra_core::Side;
use serde::{Deserialize, Serialize};

/// How a game went: all that standings need. Void games have no record; a venue plays them again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Who won; `None` is a draw. Where somebody forfeited, the other side.
    #[serde(with = "side")]
    pub winner: Option<Side>,
    /// What the game gives the player with the first side where margins are counted; the other gets the negative.
    /// Where somebody forfeited, what the game gives for that.
    pub margin_points: f64,
    /// Who failed, and how, where the game ended off the board.
    pub forfeit: Option<Forfeit>,
    /// Why it ended, in a word or two: `line`, `full board`, or the kind of failure.
    pub reason: String,
    /// Plies, those of the opening left out.
    pub plies: u32,
    /// Equal for equal openings, seats and moves.
    pub fingerprint: u64,
    /// Milliseconds that each side used.
    pub milliseconds: [u64; 2],
}

/// A game lost by a failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// The side that failed.
    #[serde(with = "culprit")]
    pub culprit: Side,
    /// What kind of failure, in a word or two: `crash`, `illegal move`.
    pub kind: String,
    /// What exactly was seen.
    pub detail: String,
}

/// The game itself: what a book keeps beside the record, and standings do not need.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Transcript {
    /// Random moves before the players took over.
    pub opening: String,
    /// The players' moves.
    pub moves: String,
    /// Whatever else is worth keeping: times, the dialogue with a program, what it wrote elsewhere.
    pub notes: serde_json::Value,
}

impl GameRecord {
    /// 1, ½ or 0 for the player on a side.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        }
    }
}

/// A side, or none, as a word.
mod side {
    use palestra_core::Side;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(side: &Option<Side>, serializer: S) -> Result<S::Ok, S::Error> {
        match side {
            Some(side) => serializer.collect_str(side),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Option<Side>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        match text.as_deref() {
            None => Ok(None),
            Some("first") => Ok(Some(Side::First)),
            Some("second") => Ok(Some(Side::Second)),
            Some(other) => Err(D::Error::custom(format!("\"{other}\" is not first or second"))),
        }
    }
}

/// A side as a word.
mod culprit {
    use palestra_core::Side;
    use serde::{Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(side)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Side, D::Error> {
        super::side::deserialize(deserializer)?.ok_or_else(|| D::Error::custom("nobody is the culprit"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_read_back() {
        let forfeit =
            Forfeit { culprit: Side::Second, kind: "crash".to_owned(), detail: "exit code 3".to_owned() };
        for (winner, forfeit) in
            [(None, None), (Some(Side::Second), None), (Some(Side::First), Some(forfeit))]
        {
            let record = GameRecord {
                winner,
                margin_points: 2.449489742783178,
                forfeit,
                reason: "full board".to_owned(),
                plies: 41,
                fingerprint: u64::MAX - 3,
                milliseconds: [17, 0],
            };
            let text = serde_json::to_string(&record).unwrap();
            assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), record, "{text}");
        }
        let bad = r#"{"culprit":"third","kind":"","detail":""}"#;
        assert!(serde_json::from_str::<Forfeit>(bad).is_err());
    }
}
