//! Families of games: descriptions, evaluations by name, and the dispatch from a game string to a type.
//!
//! `Family::open` and `Playable::evaluation` call a visitor, because the type of the answer depends on the text: a
//! 7x6 board fits one machine word, a larger one does not. Everything behind the visitor is generic again. `Playable`
//! also states what an event gives for a win and for a forfeit. A pool of boards is an entry in the `pools` of
//! `FamilyInfo`; a policy of one game is listed in `Playable::policies` and returned by `Playable::policy`.

use crate::{
    Ending, Evaluator, ExactVisitor, Feature, FeatureSet, Game, InputError, Notation, Policy, Rng, Seed, View,
};
use rand::RngExt;
use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Descriptions of a family of games for help and docs, and the data that its tests need. One per game folder.
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
    /// The rules, as text.
    pub rules: &'static str,
    /// Each parameter with its valid values.
    pub parameters: &'static [(&'static str, &'static str)],
    /// How moves and setups are written, and the order of moves.
    pub notation: &'static str,
    /// What the exact value of a position means; empty for games without a solver ([`Playable::exact`]).
    pub exact: &'static str,
    /// Named players, one per line; see [`named_players`].
    pub players: &'static str,
    /// Collections of boards to sample from.
    pub pools: &'static [BoardPool],
    /// Game strings that the conformance kit tests.
    pub samples: &'static [&'static str],
    /// Known perft counts, one game per line: `connect:7x6x4 | start or setup | 7 49 343`.
    pub perft: &'static str,
    /// Recorded games with board, setup, key, moves and features at every ply; see [`crate::conformance`].
    pub playthroughs: &'static str,
    /// Upper bound on the plies of a random game on any sample.
    pub longest_game: u32,
    /// Spanish translations of the title, evaluations, features, endings, pieces and stages of moves for the page: lines
    /// of an English text, a tab and the Spanish text. A text without a translation is shown in English; empty for none.
    pub spanish: &'static str,
}

impl FamilyInfo {
    /// The pairs of [`FamilyInfo::spanish`]: English and Spanish.
    pub fn spanish_texts(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.spanish.lines().filter_map(|line| line.split_once('\t'))
    }
}

/// A named collection of boards, sampled at random.
#[derive(Clone, Copy, Debug)]
pub struct BoardPool {
    /// Its name, written after the family's: `connect/study`.
    pub name: &'static str,
    /// The boards and their probabilities, as text.
    pub about: &'static str,
    /// Makes a board, as a game string, from numbers that its argument chooses: each any number of a range.
    pub board: fn(&mut dyn FnMut(RangeInclusive<u32>) -> u32) -> String,
}

impl BoardPool {
    /// Draws a board: all numbers of a range are equally likely.
    pub fn draw(&self, rng: &mut Rng) -> String {
        (self.board)(&mut |range| rng.random_range(range))
    }

    /// Eight drawn boards, always the same.
    pub fn samples(&self) -> Vec<String> {
        (0..8).map(|i| self.draw(&mut Seed(0).child(i).rng())).collect()
    }

    /// All its boards, each once.
    ///
    /// ```
    /// use palestra_core::BoardPool;
    /// let pool = BoardPool {
    ///     name: "small",
    ///     about: "triangular boards",
    ///     board: |choose| {
    ///         let columns = choose(1..=2);
    ///         format!("toy:{columns}x{}", choose(1..=columns))
    ///     },
    /// };
    /// assert_eq!(pool.boards().into_iter().collect::<Vec<_>>(), ["toy:1x1", "toy:2x1", "toy:2x2"]);
    /// ```
    pub fn boards(&self) -> BTreeSet<String> {
        let mut boards = BTreeSet::new();
        // The numbers chosen for a board, each with the last of its range. A later range may depend on earlier numbers.
        let mut chosen: Vec<(u32, u32)> = Vec::new();
        loop {
            let mut n = 0;
            boards.insert((self.board)(&mut |range| {
                if n == chosen.len() {
                    chosen.push(range.into_inner());
                }
                n += 1;
                chosen[n - 1].0
            }));
            while chosen.pop_if(|(number, last)| number == last).is_some() {}
            match chosen.last_mut() {
                Some((number, _)) => *number += 1,
                None => return boards,
            }
        }
    }
}

/// Opens games from the parameters in a game string.
pub trait Family {
    /// Descriptions and test data.
    const INFO: FamilyInfo;

    /// Reads the parameters (`7x6x4`; empty where none were given) and passes the game to `visitor`. The game is not
    /// returned, because its type may depend on the parameters.
    fn open<V: GameVisitor>(parameters: &str, visitor: V) -> Result<V::Out, InputError>;
}

/// An operation on a game of any type.
pub trait GameVisitor {
    /// The result of the operation.
    type Out;

    /// Runs the operation on `game`.
    fn visit<G: Playable>(self, game: G) -> Self::Out;
}

/// Name and description of an evaluation or policy of a game.
#[derive(Clone, Copy, Debug)]
pub struct EvaluationInfo {
    /// Its name in player strings.
    pub name: &'static str,
    /// What it computes, in one sentence.
    pub about: &'static str,
}

/// A game with notation, view and named evaluations.
/// It displays as its canonical game string.
pub trait Playable: Game + Notation + View + Display {
    /// The evaluations of this game, the default first.
    fn evaluations(&self) -> &'static [EvaluationInfo];

    /// Passes the evaluation of that name to `visitor`; `None` if there is no such name.
    fn evaluation<V: EvaluationVisitor<Self>>(&self, name: &str, visitor: V) -> Option<V::Out>;

    /// Player string of the default opponent for a person on this board: strong, and quick to answer.
    fn opponent(&self) -> String;

    /// Points that a tournament gives the winner of a game with this ending; the loser gets the negative. 1 where the
    /// game counts no margins.
    fn event_points(&self, ending: &Ending) -> f64 {
        if ending.winner.is_some() { 1.0 } else { 0.0 }
    }

    /// Points that a tournament gives the opponent of a player that forfeits; the player itself gets the negative.
    fn forfeit_points(&self) -> f64 {
        1.0
    }

    /// Reference players of this game that use neither search nor evaluation.
    fn policies(&self) -> &'static [EvaluationInfo] {
        &[]
    }

    /// The policy of that name.
    fn policy(&self, _name: &str) -> Option<Box<dyn Policy<Self>>> {
        None
    }

    /// Passes what an exact search of this game needs to `visitor`; `None` for games that implement no exact search.
    fn exact<V: ExactVisitor<Self>>(&self, _visitor: V) -> Option<V::Out> {
        None
    }
}

/// An operation on an evaluation of any type.
pub trait EvaluationVisitor<G: Game> {
    /// The result of the operation.
    type Out;

    /// For a weighted sum of features.
    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out;

    /// For any other evaluation with parameters.
    fn other<T: ParametricEvaluator<G>>(self, evaluator: T) -> Self::Out;
}

/// An evaluation that is not a weighted sum: builds an evaluator from parameter values.
pub trait ParametricEvaluator<G: Game> {
    /// The evaluator that it builds.
    type Evaluator: Evaluator<G> + 'static;

    /// Its parameters, in the order in which they are written.
    fn parameters(&self) -> &[Feature];

    /// The evaluator with these values, one for each parameter; `None` if some position's value could
    /// overflow with them.
    fn build(&self, weights: &[f64]) -> Option<Self::Evaluator>;
}

/// A named player of a family's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedPlayer {
    /// Its name.
    pub name: &'static str,
    /// The player string that the name stands for.
    pub player: &'static str,
    /// Its origin.
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

/// Reads a whole number within bounds; `key` names it in the error message.
pub fn whole_number(
    text: &str,
    bounds: std::ops::RangeInclusive<u32>,
    key: impl FnOnce() -> String,
) -> Result<u32, InputError> {
    let digits_only = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits_only && bounds.contains(&number) => Ok(number),
        _ => {
            let expected = format!("a whole number from {} to {}", bounds.start(), bounds.end());
            Err(InputError::new(key(), text, expected))
        }
    }
}
