//! Moves and positions as text.

use crate::{Game, InputError};

/// How a game's moves and positions are written; the same everywhere.
pub trait Notation: Game {
    /// The position as a setup string, which [`Notation::parse_setup`] reads back.
    fn setup(&self, at: &Self::Position) -> String;

    /// Reads a setup string.
    fn parse_setup(&self, text: &str) -> Result<Self::Position, InputError>;

    /// Cuts a move list into move tokens. Blanks and commas separate; `-` is the empty list.
    fn tokens<'a>(&self, list: &'a str) -> Vec<&'a str> {
        split_list(list)
    }

    /// The legal move of `at` that `token` names.
    fn parse_move(&self, at: &Self::Position, token: &str) -> Result<Self::Move, InputError> {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        moves.iter().copied().find(|mv| mv.to_string() == token).ok_or_else(|| illegal(token, &moves))
    }

    /// A move cut into the choices a person makes one after the other, where a whole turn is hard to type at
    /// once: piece, square, kicks. Put together again they are the move's text.
    fn stages(&self, mv: Self::Move) -> Vec<String> {
        vec![mv.to_string()]
    }

    /// What is chosen at each stage; the last one goes for all that follow.
    fn stage_names(&self) -> &'static [&'static str] {
        &["move"]
    }

    /// Plays a move list from `at` and says where it leads, with the moves themselves.
    fn play_list(
        &self,
        at: &Self::Position,
        list: &str,
    ) -> Result<(Self::Position, Vec<Self::Move>), InputError> {
        let mut after = at.clone();
        let mut played = Vec::new();
        for (ply, token) in self.tokens(list).into_iter().enumerate() {
            let mv = self.parse_move(&after, token).map_err(|bad| {
                let place = format!("move {} of \"{list}\"", ply + 1);
                if self.ending(&after).is_some() {
                    InputError::new(place, token, "possible: the game has ended before it")
                } else {
                    InputError { place, ..bad }
                }
            })?;
            self.play(&mut after, mv);
            played.push(mv);
        }
        Ok((after, played))
    }
}

/// Blanks and commas separate; `-` is the empty list.
fn split_list(list: &str) -> Vec<&str> {
    let mut tokens = list.split([' ', ',', '\t', '\n', '\r']).filter(|token| !token.is_empty());
    if list.trim() == "-" { Vec::new() } else { tokens.by_ref().collect() }
}

fn illegal<M: std::fmt::Display>(token: &str, moves: &[M]) -> InputError {
    /// More legal moves than this are counted, not listed.
    const LISTED: usize = 40;
    let names: Vec<String> = moves.iter().map(M::to_string).collect();
    let place = "move";
    if names.len() <= LISTED {
        InputError::unknown(place, token, "a legal move", names.iter().map(String::as_str))
    } else {
        let nearest = crate::nearest_name(token, names.iter().map(String::as_str)).map(str::to_owned);
        let expected = format!("one of the {} legal moves", names.len());
        InputError { nearest, ..InputError::new(place, token, expected) }
    }
}
