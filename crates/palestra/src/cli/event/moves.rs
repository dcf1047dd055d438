//! The moves of a game, one by one.

use crate::GAMES;
use palestra_arena::Session;
use palestra_store::Game;

/// A game's moves from its first position on.
pub(super) struct Line {
    /// All moves, those of the opening first.
    pub(super) tokens: Vec<String>,
    /// How many of them are the opening.
    pub(super) n_opening: usize,
}

impl Line {
    /// The players' moves.
    pub(super) fn played(&self) -> &[String] {
        &self.tokens[self.n_opening..]
    }

    /// The moves of the opening.
    pub(super) fn opening(&self) -> &[String] {
        &self.tokens[..self.n_opening]
    }
}

/// The moves of a game. A game that this version does not know, or whose moves it cannot follow, is cut at blanks.
pub(super) fn line_of(game: &Game) -> Line {
    // Stores hold moves with blanks between them, and then there is nothing to find out.
    let compact = |list: &str| list.len() > 1 && !list.contains(' ');
    if (compact(&game.opening) || compact(&game.moves))
        && let Some(line) = follow(game)
    {
        return line;
    }
    let cut = |list: &str| -> Vec<String> {
        list.split([' ', ',', '\t', '\n']).filter(|token| !token.is_empty()).map(str::to_owned).collect()
    };
    let mut tokens = cut(&game.opening);
    let n_opening = tokens.len();
    tokens.extend(cut(&game.moves));
    Line { tokens, n_opening }
}

fn follow(game: &Game) -> Option<Line> {
    let known = GAMES.open(&game.game).ok()?;
    let n_opening = known.session(game.setup.as_deref(), &game.opening).ok()?.played().len();
    let lists = [format!("{} {}", game.opening, game.moves), format!("{}{}", game.opening, game.moves)];
    let tokens = lists
        .iter()
        .find_map(|list| Some(known.session(game.setup.as_deref(), list.trim()).ok()?.played()))?;
    Some(Line { tokens, n_opening })
}

/// The position a game began with, to be played through; `None` for a game that this version does not know.
pub(super) fn start_of(game: &Game) -> Option<Box<dyn Session>> {
    GAMES.open(&game.game).ok()?.session(game.setup.as_deref(), "").ok()
}
