//! Moves and positions as text.

use crate::{Game, InputError};

/// The text form of a game's moves and positions, used in files, on the command line and by protocols.
pub trait Notation: Game {
    /// The position as a setup string, without its history; [`Notation::parse_setup`] reads it back.
    fn setup(&self, at: &Self::Position) -> String;

    /// Reads a setup string.
    fn parse_setup(&self, text: &str) -> Result<Self::Position, InputError>;

    /// Splits a move list into move tokens. Blanks and commas separate; `-` is the empty list.
    fn tokens<'a>(&self, list: &'a str) -> Vec<&'a str> {
        split_list(list)
    }

    /// The legal move of `at` that `token` names.
    fn parse_move(&self, at: &Self::Position, token: &str) -> Result<Self::Move, InputError> {
        let mut moves = Vec::new();
        self.moves(at, &mut moves);
        moves.iter().copied().find(|mv| mv.to_string() == token).ok_or_else(|| illegal(token, &moves))
    }

    /// The move as a sequence of choices (piece, square, kicks), for games where a whole turn is hard to type at
    /// once. Concatenated, the stages are the move's text.
    fn stages(&self, mv: Self::Move) -> Vec<String> {
        vec![mv.to_string()]
    }

    /// Name of each stage; the last name applies to all further stages. The page has sentences for `move`, `piece`,
    /// `square`, `kick`, `cell` and `direction`, and asks for any other by its name.
    fn stage_names(&self) -> &'static [&'static str] {
        &["move"]
    }

    /// Plays a move list from `at`. Returns the final position and the moves.
    fn play_list(
        &self,
        at: &Self::Position,
        list: &str,
    ) -> Result<(Self::Position, Vec<Self::Move>), InputError> {
        let mut after = at.clone();
        let mut played = Vec::new();
        for (ply, token) in self.tokens(list).into_iter().enumerate() {
            let mv = self.parse_move(&after, token).map_err(|bad| {
                let key = format!("move {} of \"{list}\"", ply + 1);
                if self.ending(&after).is_some() {
                    InputError::new(key, token, "no further move: the game has ended before it")
                } else {
                    bad.map_key(|_| key)
                }
            })?;
            self.play(&mut after, mv);
            played.push(mv);
        }
        Ok((after, played))
    }
}

fn split_list(list: &str) -> Vec<&str> {
    let mut tokens = list.split([' ', ',', '\t', '\n', '\r']).filter(|token| !token.is_empty());
    if list.trim() == "-" { Vec::new() } else { tokens.by_ref().collect() }
}

fn illegal<M: std::fmt::Display>(token: &str, moves: &[M]) -> InputError {
    /// Up to this number the message lists the legal moves; beyond it only counts them.
    const LISTED: usize = 40;
    let names: Vec<String> = moves.iter().map(M::to_string).collect();
    if names.len() <= LISTED {
        InputError::unknown("move", token, "a legal move", names.iter().map(String::as_str))
    } else {
        let nearest = crate::nearest_name(token, names.iter().map(String::as_str));
        let expected = format!("one of the {} legal moves", names.len());
        InputError::new("move", token, expected).with_nearest(nearest)
    }
}
