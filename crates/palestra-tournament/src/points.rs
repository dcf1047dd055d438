//! What a game is worth in the table.

use crate::record::GameRecord;
use palestra_core::{InputError, Side};
use std::fmt;
use std::str::FromStr;

/// What a game is worth. Written `1/0.5/0`, `2/1/0`, `3/1/0` or `margin`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PointSystem {
    /// So much for a win, a draw and a loss.
    ByResult {
        /// For a win.
        win: f64,
        /// For a draw.
        draw: f64,
        /// For a loss.
        loss: f64,
    },
    /// What the game itself gives: the margin of its winner, negative for the loser.
    Margin,
}

impl Default for PointSystem {
    fn default() -> PointSystem {
        PointSystem::ByResult { win: 1.0, draw: 0.5, loss: 0.0 }
    }
}

impl PointSystem {
    /// What a game gives the player on a side.
    #[must_use]
    pub fn of(&self, record: &GameRecord, side: Side) -> f64 {
        match (*self, record.winner) {
            (PointSystem::Margin, _) if side == Side::First => record.margin_points,
            (PointSystem::Margin, _) => 0.0 - record.margin_points,
            (PointSystem::ByResult { draw, .. }, None) => draw,
            (PointSystem::ByResult { win, .. }, Some(winner)) if winner == side => win,
            (PointSystem::ByResult { loss, .. }, Some(_)) => loss,
        }
    }

    /// What a game that nobody was there for gives: a win, or 0 where margins are counted.
    #[must_use]
    pub fn of_bye(&self) -> f64 {
        match *self {
            PointSystem::ByResult { win, .. } => win,
            PointSystem::Margin => 0.0,
        }
    }
}

impl fmt::Display for PointSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PointSystem::ByResult { win, draw, loss } => write!(f, "{win}/{draw}/{loss}"),
            PointSystem::Margin => f.write_str("margin"),
        }
    }
}

impl FromStr for PointSystem {
    type Err = InputError;

    fn from_str(text: &str) -> Result<PointSystem, InputError> {
        if text == "margin" {
            return Ok(PointSystem::Margin);
        }
        let number = |part: &str| match part.trim() {
            "½" => Some(0.5),
            part => part.parse().ok().filter(|points: &f64| points.is_finite()),
        };
        match text.split('/').map(number).collect::<Vec<_>>()[..] {
            [Some(win), Some(draw), Some(loss)] if win > loss && (loss..=win).contains(&draw) => {
                Ok(PointSystem::ByResult { win, draw, loss })
            }
            _ => {
                let expected = "win/draw/loss such as \"1/0.5/0\", \"2/1/0\" or \"3/1/0\", or \"margin\"";
                let nearest = palestra_core::nearest_name(text, ["margin"]).map(str::to_owned);
                Err(InputError { nearest, ..InputError::new("points", text, expected) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_read_and_print() {
        for text in ["1/0.5/0", "2/1/0", "3/1/0", "1/0/-1", "margin"] {
            assert_eq!(text.parse::<PointSystem>().unwrap().to_string(), text);
        }
        assert_eq!("1/½/0".parse::<PointSystem>().unwrap(), PointSystem::default());
        for text in ["", "1", "1/2/0", "0/0/0", "1/0", "1/0/-inf", "1/x/0", "3/1/0/0"] {
            assert!(text.parse::<PointSystem>().is_err(), "{text}");
        }
        assert!(
            "margins".parse::<PointSystem>().unwrap_err().to_string().ends_with("did you mean \"margin\"?")
        );
    }
}
