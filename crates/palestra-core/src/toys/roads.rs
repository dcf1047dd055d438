//! A token on a graph, whose positions can recur.

use crate::{Ending, ExactGraph, Game, Side};
use std::fmt;
use std::sync::Arc;

/// Both sides move one token along roads, in turn; some roads give another turn, and some places end the game.
///
/// The text form lists the places, separated by commas; the token starts at place 0. A place is a list of the places
/// that its roads lead to, with a `+` for a road that gives another turn, or the result for the side that would move:
/// `won`, `lost` or `drawn`.
///
/// ```
/// use palestra_core::{Game, Side, toys::{Road, Roads}};
/// let game = Roads::parse("1 2+, lost, 0 1");
/// let mut at = game.start();
/// game.play(&mut at, Road { to: 1, again: false });
/// assert_eq!(game.ending(&at).and_then(|ending| ending.winner), Some(Side::First));
/// ```
#[derive(Clone, Debug)]
pub struct Roads {
    places: Arc<Vec<Place>>,
}

#[derive(Clone, Debug)]
enum Place {
    Roads(Vec<Road>),
    /// 1 if the side that would move has won, -1 if it has lost, 0 for a draw.
    End(i8),
}

/// A road from the token's place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Road {
    /// The place that it leads to.
    pub to: usize,
    /// Whether the same side moves again.
    pub again: bool,
}

impl fmt::Display for Road {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.to, if self.again { "+" } else { "" })
    }
}

/// The token's place and the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Token {
    place: usize,
    to_move: Side,
}

impl Roads {
    /// Parses the text form. Panics if it is malformed.
    pub fn parse(text: &str) -> Roads {
        let places: Vec<Place> = text.split(',').map(|place| Place::parse(place.trim())).collect();
        let is_sound = |place: &Place| match place {
            Place::Roads(roads) => !roads.is_empty() && roads.iter().all(|road| road.to < places.len()),
            Place::End(_) => true,
        };
        assert!(places.iter().all(is_sound), "every place has a road or an end, and roads lead to places");
        Roads { places: Arc::new(places) }
    }
}

impl Place {
    fn parse(text: &str) -> Place {
        let road = |word: &str| {
            let to = word.trim_end_matches('+');
            Road { to: to.parse().expect("a road leads to a number"), again: to != word }
        };
        match text {
            "won" => Place::End(1),
            "lost" => Place::End(-1),
            "drawn" => Place::End(0),
            roads => Place::Roads(roads.split_whitespace().map(road).collect()),
        }
    }
}

impl Game for Roads {
    type Position = Token;
    type Move = Road;

    fn start(&self) -> Token {
        Token { place: 0, to_move: Side::First }
    }

    fn to_move(&self, at: &Token) -> Side {
        at.to_move
    }

    fn moves(&self, at: &Token, out: &mut Vec<Road>) {
        if let Place::Roads(roads) = &self.places[at.place] {
            out.extend(roads);
        }
    }

    fn play(&self, at: &mut Token, road: Road) {
        let to_move = if road.again { at.to_move } else { at.to_move.other() };
        *at = Token { place: road.to, to_move };
    }

    fn ending(&self, at: &Token) -> Option<Ending> {
        let Place::End(end) = self.places[at.place] else { return None };
        let winner = match end {
            1 => Some(at.to_move),
            -1 => Some(at.to_move.other()),
            _ => None,
        };
        Some(Ending { winner, margin: u32::from(end.unsigned_abs()), reason: "place" })
    }
}

/// Numbers positions by the index of their place.
#[derive(Clone, Copy, Debug)]
pub struct RoadNumbers;

impl ExactGraph<Roads> for RoadNumbers {
    fn n_numbers(&self, game: &Roads) -> Option<usize> {
        Some(game.places.len())
    }

    fn number(&self, _game: &Roads, at: &Token) -> usize {
        at.place
    }

    fn position(&self, _game: &Roads, number: usize) -> Option<Token> {
        Some(Token { place: number, to_move: Side::First })
    }
}
