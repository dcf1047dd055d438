//! Records of played games.

use palestra_arena::PointSystem;
use palestra_core::Side;
use serde::{Deserialize, Serialize};

/// The result of a game: all that standings need. Void games have no record; the game runner plays them again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The side that won; `None` is a draw. In a forfeited game, the side that did not forfeit.
    #[serde(with = "side")]
    pub winner: Option<Side>,
    /// Points of the first side under [`PointSystem::Margin`]; the second side gets the negative. In a forfeited game,
    /// the margin that the game defines for a forfeit.
    pub margin_points: f64,
    /// The failure that ended the game, if it was forfeited.
    pub forfeit: Option<Forfeit>,
    /// Why the game ended: `line`, `full board`, or the kind of failure.
    pub reason: String,
    /// Number of plies, without those of the opening.
    pub plies: u32,
    /// A hash of the opening, the sides and the moves: equal for games that repeat each other move by move.
    pub fingerprint: u64,
    /// Thinking time of each side in milliseconds.
    pub milliseconds: [u64; 2],
}

impl GameRecord {
    /// Points of the player on a side.
    #[must_use]
    pub fn points(&self, points: &PointSystem, side: Side) -> f64 {
        match (*points, self.winner) {
            (PointSystem::Margin, _) if side == Side::First => self.margin_points,
            // Subtracted from 0, since a negated 0 prints as -0.
            (PointSystem::Margin, _) => 0.0 - self.margin_points,
            (PointSystem::ByResult { draw, .. }, None) => draw,
            (PointSystem::ByResult { win, .. }, Some(winner)) if winner == side => win,
            (PointSystem::ByResult { loss, .. }, Some(_)) => loss,
        }
    }
}

/// A game lost by a failure of the player, such as a crash or an illegal move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Forfeit {
    /// The side that failed.
    #[serde(with = "culprit")]
    pub culprit: Side,
    /// Kind of failure: `crash`, `illegal move`.
    pub kind: String,
    /// Details for a reader: `exit code 3`.
    pub detail: String,
}

/// The moves of a game and notes on it, which are stored with the record and which standings do not need.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Transcript {
    /// The random moves before the players took over, in the game's notation.
    pub opening: String,
    /// The players' moves, in the game's notation.
    pub moves: String,
    /// Other evidence: time per move, the dialogue with a program, its standard error.
    pub notes: serde_json::Value,
}

impl GameRecord {
    /// Score of a side: 1 for a win, ½ for a draw, 0 for a loss.
    #[must_use]
    pub fn score(&self, side: Side) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == side => 1.0,
            Some(_) => 0.0,
        }
    }
}

/// A side as `first` or `second`, or nothing for a draw.
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
            Some(other) => {
                Err(D::Error::custom(format!("invalid side \"{other}\": expected first or second")))
            }
        }
    }
}

/// A side as `first` or `second`.
mod culprit {
    use palestra_core::Side;
    use serde::{Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(side)
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Side, D::Error> {
        super::side::deserialize(deserializer)?
            .ok_or_else(|| D::Error::custom("missing culprit: expected first or second"))
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
