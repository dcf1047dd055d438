//! The moves of a game, one by one.

use palestra_arena::Catalog;
use palestra_store::StoredGame;

/// A game's moves from its first position.
#[derive(Clone, Debug)]
pub struct GameMoves {
    /// All moves, those of the opening first.
    pub tokens: Vec<String>,
    /// Number of opening moves among them.
    pub n_opening: usize,
}

impl GameMoves {
    /// The players' moves.
    #[must_use]
    pub fn played(&self) -> &[String] {
        &self.tokens[self.n_opening..]
    }

    /// The moves of the opening.
    #[must_use]
    pub fn opening(&self) -> &[String] {
        &self.tokens[..self.n_opening]
    }
}

/// The moves of a stored game. A move list that this version cannot replay is split at blanks.
#[must_use]
pub fn moves_of(game: &StoredGame, catalog: &'static Catalog) -> GameMoves {
    // Stores separate moves by blanks; only a list without blanks has to be replayed.
    let compact = |list: &str| list.len() > 1 && !list.contains(' ');
    if (compact(&game.record.opening) || compact(&game.record.moves))
        && let Some(moves) = replayed(game, catalog)
    {
        return moves;
    }
    let split = |list: &str| -> Vec<String> {
        list.split([' ', ',', '\t', '\n']).filter(|token| !token.is_empty()).map(str::to_owned).collect()
    };
    let mut tokens = split(&game.record.opening);
    let n_opening = tokens.len();
    tokens.extend(split(&game.record.moves));
    GameMoves { tokens, n_opening }
}

fn replayed(game: &StoredGame, catalog: &'static Catalog) -> Option<GameMoves> {
    let known = catalog.open(&game.game).ok()?;
    let n_opening = known.session(game.setup.as_deref(), &game.record.opening).ok()?.played().len();
    let (opening, moves) = (&game.record.opening, &game.record.moves);
    let lists = [format!("{opening} {moves}"), format!("{opening}{moves}")];
    let tokens = lists
        .iter()
        .find_map(|list| Some(known.session(game.setup.as_deref(), list.trim()).ok()?.played()))?;
    Some(GameMoves { tokens, n_opening })
}
