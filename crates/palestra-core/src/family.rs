//! How a game presents itself: its texts, its evaluations, and the way from a name to a type.
//!
//! `Family::open` and `Playable::evaluation` call a visitor, because the type of the answer depends on the text: a
//! 7x6 board fits one machine word, a larger one does not. Everything behind the visitor is generic again. `Playable`
//! also states what an event gives for a win and for a forfeit. A pool of boards is an entry in the `pools` of
//! `FamilyInfo`; a policy of one game is listed in `Playable::policies` and returned by `Playable::policy`.

use crate::{Ending, Evaluator, ExactVisitor, Feature, FeatureSet, Game, InputError, Notation, Policy, View};
use std::fmt::Display;

/// What a person may read about a family of games, and the data its tests need. One per game folder.
#[derive(Debug)]
pub struct FamilyInfo {
    /// The first word of its game strings: `connect`.
    pub name: &'static str,
    /// A title of a few words.
    pub title: &'static str,
    /// How its game strings are written: `connect:COLUMNSxROWSxRUN[xPIECES]`.
    pub syntax: &'static str,
    /// Other names for particular games: `("connect4", "connect:7x6x4")`.
    pub aliases: &'static [(&'static str, &'static str)],
    /// The rules in words.
    pub rules: &'static str,
    /// Each parameter and what it may be.
    pub parameters: &'static [(&'static str, &'static str)],
    /// How moves and setups are written, and what order moves come in.
    pub notation: &'static str,
    /// What the exact value of a position says; empty where nobody has written down how the game is solved.
    pub exact: &'static str,
    /// Players with names, one a line; see [`named_players`].
    pub players: &'static str,
    /// Collections of boards to draw from.
    pub pools: &'static [BoardPool],
    /// Games the conformance kit tries, as game strings.
    pub samples: &'static [&'static str],
    /// Known counts, one game a line: `connect:7x6x4 | start or setup | 7 49 343`.
    pub perft: &'static str,
    /// A recorded game with all that can be seen at every ply, for each sample that has one.
    pub playthroughs: &'static str,
    /// No random game of a sample lasts longer than this.
    pub longest_game: u32,
}

/// A collection of boards with a name, out of which one is drawn.
#[derive(Clone, Copy, Debug)]
pub struct BoardPool {
    /// Its name; people write it behind the family's: `connect/study`.
    pub name: &'static str,
    /// What boards it has, and how likely each is.
    pub about: &'static str,
    /// Draws one, as a game string.
    pub draw: fn(&mut crate::Rng) -> String,
}

/// Turns the text behind a family's name into a game.
pub trait Family {
    /// What the family says about itself.
    const INFO: FamilyInfo;

    /// Reads the parameters (`7x6x4`; empty where none were given) and hands the game to `visitor`.
    /// A visitor rather than a return value, because the type may depend on the parameters.
    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError>;
}

/// Something to do with a game of whatever type.
pub trait GameVisitor {
    /// What comes of it.
    type Out;

    /// Does it.
    fn visit<G: Playable>(self, game: G) -> Self::Out;
}

/// One evaluation a game offers by name.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationInfo {
    /// Its name in player strings.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
}

/// A game that people can use: written, drawn, and with evaluations to choose from.
/// It displays as its canonical game string.
pub trait Playable: Game + Notation + View + Display {
    /// The evaluations this game offers, the default first.
    fn evaluations(&self) -> &'static [EvaluationInfo];

    /// Hands the evaluation of that name to `visitor`; `None` if there is no such name.
    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out>;

    /// A pleasant opponent for a person on this board, as a player string: good, and quick to answer.
    fn opponent(&self) -> String;

    /// What an event gives the winner of a game that ended like this; the loser gets the negative. 1 where
    /// the game counts no margins.
    fn event_points(&self, ending: &Ending) -> f64 {
        if ending.winner.is_some() { 1.0 } else { 0.0 }
    }

    /// What an event gives the other side when a player forfeits; the culprit gets the negative.
    fn forfeit_points(&self) -> f64 {
        1.0
    }

    /// Reference players of this game that are neither search nor evaluation.
    fn policies(&self) -> &'static [EvaluationInfo] {
        &[]
    }

    /// The policy of that name.
    fn policy(&self, _name: &str) -> Option<Box<dyn Policy<Self>>> {
        None
    }

    /// Hands over what an exact search of this game needs; `None` where nobody has written that down.
    fn exact<V: ExactVisitor<Self>>(&self, _visitor: V) -> Option<V::Out> {
        None
    }
}

/// Something to do with an evaluation of whatever type.
pub trait EvaluationVisitor<G: Game> {
    /// What comes of it.
    type Out;

    /// For a weighted sum of features.
    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out;

    /// For any other evaluation with parameters.
    fn other<T: ParametricEvaluator<G>>(self, template: T) -> Self::Out;
}

/// An evaluation that is not a weighted sum: parameters in, evaluator out.
pub trait ParametricEvaluator<G: Game> {
    /// What it becomes.
    type Evaluator: Evaluator<G> + 'static;

    /// Its parameters, in the order in which they are written.
    fn parameters(&self) -> &[Feature];

    /// The evaluator with these values, one for each parameter; `None` if some position's value could
    /// overflow with them.
    fn build(&self, weights: &[f64]) -> Option<Self::Evaluator>;
}

/// A player with a name, from a family's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedPlayer {
    /// Its name.
    pub name: &'static str,
    /// The player string it stands for.
    pub player: &'static str,
    /// Where it comes from.
    pub about: &'static str,
}

/// Reads a family's list of named players: `name | player | about`, `#` starts a comment line.
pub fn named_players(list: &'static str) -> impl Iterator<Item = NamedPlayer> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let mut parts = line.splitn(3, '|').map(str::trim);
        let mut next = || parts.next().unwrap_or_default();
        NamedPlayer { name: next(), player: next(), about: next() }
    })
}

/// Reads a whole number within bounds; `place` says where it stands, for the message.
pub fn whole_number(
    text: &str,
    bounds: std::ops::RangeInclusive<u32>,
    place: impl FnOnce() -> String,
) -> Result<u32, InputError> {
    let digits_only = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits_only && bounds.contains(&number) => Ok(number),
        _ => {
            let expected = format!("a whole number from {} to {}", bounds.start(), bounds.end());
            Err(InputError::new(place(), text, expected))
        }
    }
}
