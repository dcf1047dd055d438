//! Points of a game: `1/0.5/0`, `3/1/0` or `margin`.

use crate::start_point::GameResult;
use palestra_core::{InputError, nearest_name};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Points of a game in a tuning run or a tournament. Written `1/0.5/0`, `2/1/0`, `3/1/0` or `margin`.
///
/// ```
/// use palestra_arena::PointSystem;
///
/// let points: PointSystem = "3/1/0".parse()?;
/// assert_eq!(points, PointSystem::ByResult { win: 3.0, draw: 1.0, loss: 0.0 });
/// assert_eq!(PointSystem::default().to_string(), "1/0.5/0");
/// # Ok::<(), palestra_core::InputError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum PointSystem {
    /// Fixed points for each result.
    ByResult {
        /// Points for a win.
        win: f64,
        /// Points for a draw.
        draw: f64,
        /// Points for a loss.
        loss: f64,
    },
    /// The game's own margin, negative for the loser.
    Margin,
}

impl Default for PointSystem {
    fn default() -> PointSystem {
        PointSystem::ByResult { win: 1.0, draw: 0.5, loss: 0.0 }
    }
}

impl PointSystem {
    /// 1 for a win, 0 for a draw, -1 for a loss.
    pub const BALANCED: PointSystem = PointSystem::ByResult { win: 1.0, draw: 0.0, loss: -1.0 };

    /// Points of a game for the player whose result it is.
    #[must_use]
    pub fn of(self, result: &GameResult) -> f64 {
        match self {
            PointSystem::Margin => result.margin,
            PointSystem::ByResult { win, draw, loss } => [loss, draw, win][usize::from(result.points.min(2))],
        }
    }

    /// Points of a game without an opponent: a win, or 0 where margins are counted.
    #[must_use]
    pub fn of_bye(self) -> f64 {
        match self {
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
                Err(InputError::new("points", text, expected).with_nearest(nearest_name(text, ["margin"])))
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
