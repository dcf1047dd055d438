//! Players as text: `search[:key=value,…][/evaluation[/weights]]`, a policy, or a name.

use palestra_core::{
    EvaluationVisitor, ExactGraph, ExactTree, ExactVisitor, FamilyInfo, Feature, FeatureSet, Game,
    InputError, MAX_VALUE, ParametricEvaluator, Playable, named_players, parse_weights, print_weights,
    whole_number,
};
use palestra_search::{SEARCHES, SearchSpec};
use std::fmt;

/// The policies every game has.
pub const POLICIES: [(&str, &str); 3] = [
    ("random", "any legal move, all equally likely"),
    ("first", "always the first legal move"),
    ("last", "always the last legal move"),
];

/// The evaluation every game has.
pub const NOISE: (&str, &str) =
    ("noise", "a value drawn from the position, without meaning: what a search alone can do; no weights");

/// The evaluation with dice that every game has.
pub const DICE: (&str, &str) = (
    "dice",
    "a value drawn by lot at every look: what a search alone can do, another game each time; no weights",
);

/// A player whose every name is known. Displays canonically; the text reads back as the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    /// The name it was asked for by, if it has one.
    pub name: Option<&'static str>,
    /// What it is.
    pub kind: PlayerKind,
}

/// What a player is made of.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerKind {
    /// A rule of thumb, by name.
    Policy(String),
    /// Search × evaluation × weights.
    Search {
        /// The search and its parameters.
        search: SearchSpec,
        /// The evaluation, by name.
        evaluation: String,
        /// Its weights, as many as it asks for.
        weights: Vec<f64>,
    },
    /// Exact play wherever that is in reach.
    Perfect {
        /// Megabytes for what it knows of positions.
        memory: u32,
        /// Who plays while it is not.
        fallback: Box<PlayerSpec>,
    },
}

/// The player that makes no mistakes, in games that can be solved.
pub const PERFECT: (&str, &str) = (
    "perfect",
    "the best move there is, wherever the position can be solved; memory=N megabytes (default 512)",
);

/// Megabytes of the perfect player, unless it is told otherwise.
const PERFECT_MEMORY: u32 = 512;

impl PlayerSpec {
    /// Reads a player string for a game.
    pub fn parse<G: Playable>(text: &str, game: &G, family: &FamilyInfo) -> Result<PlayerSpec, InputError> {
        if let Some(named) = named_players(family.players).find(|named| named.name == text) {
            let kind = PlayerKind::parse(named.player, game, family)?;
            return Ok(PlayerSpec { name: Some(named.name), kind });
        }
        Ok(PlayerSpec { name: None, kind: PlayerKind::parse(text, game, family)? })
    }
}

impl PlayerSpec {
    /// Its weights, if it has any.
    pub fn weights(&self) -> Option<&[f64]> {
        match &self.kind {
            PlayerKind::Search { weights, .. } if !weights.is_empty() => Some(weights),
            _ => None,
        }
    }

    /// The same player with other weights, as many as it has.
    ///
    /// # Panics
    /// If it has no weights, or another number of them.
    #[must_use]
    pub fn with_weights(&self, other: &[f64]) -> PlayerSpec {
        let mut kind = self.kind.clone();
        match &mut kind {
            PlayerKind::Search { weights, .. } if weights.len() == other.len() => {
                weights.copy_from_slice(other);
            }
            _ => panic!("{self} does not take {} weights", other.len()),
        }
        PlayerSpec { name: None, kind }
    }
}

impl PlayerKind {
    fn parse<G: Playable>(text: &str, game: &G, family: &FamilyInfo) -> Result<PlayerKind, InputError> {
        let is_policy = POLICIES.iter().any(|(name, _)| *name == text)
            || game.policies().iter().any(|info| info.name == text);
        if is_policy {
            return Ok(PlayerKind::Policy(text.to_owned()));
        }
        if text.split([':', '/']).next() == Some(PERFECT.0) {
            return parse_perfect(text, game, family);
        }
        let mut parts = text.splitn(3, '/');
        let search_text = parts.next().unwrap_or_default();
        let (evaluation, weights) = (parts.next(), parts.next());
        let search_name = search_text.split(':').next().unwrap_or_default();
        if !SEARCHES.iter().any(|info| info.name == search_name) {
            return Err(unknown_player(text, search_name, game, family));
        }
        let search = SearchSpec::parse(search_text, text)?;
        // Random games need no evaluation.
        let evaluation = evaluation.unwrap_or(if search.needs_evaluation() { "" } else { NOISE.0 });
        let reading = ReadWeights { text: weights.unwrap_or_default(), whole: text };
        let weights = if [NOISE.0, DICE.0].contains(&evaluation) {
            parse_weights(reading.text, &[], MAX_VALUE, text)?
        } else {
            game.evaluation(evaluation, reading).unwrap_or_else(|| {
                let known = game.evaluations().iter().map(|info| info.name).chain([NOISE.0, DICE.0]);
                let place = format!("evaluation of \"{text}\"");
                Err(InputError::unknown(place, evaluation, "an evaluation of this game", known))
            })?
        };
        Ok(PlayerKind::Search { search, evaluation: evaluation.to_owned(), weights })
    }
}

fn parse_perfect<G: Playable>(text: &str, game: &G, family: &FamilyInfo) -> Result<PlayerKind, InputError> {
    if game.exact(IsSolvable).is_none() {
        let expected = "a player of this game, which cannot be solved";
        return Err(InputError::new(format!("player \"{text}\""), PERFECT.0, expected));
    }
    let parameters = "a parameter of perfect: memory=MEGABYTES, and nothing else";
    let place = || format!("memory of \"{text}\"");
    let memory = match text.strip_prefix(PERFECT.0).unwrap_or_default() {
        "" => PERFECT_MEMORY,
        rest => {
            let megabytes = rest.strip_prefix(":memory=").ok_or_else(|| {
                let found = rest.strip_prefix(':').unwrap_or(rest);
                InputError::new(format!("player \"{text}\""), found, parameters)
            })?;
            whole_number(megabytes, 1..=65_536, place)?
        }
    };
    let before = Box::new(PlayerSpec::parse(&game.opponent(), game, family)?);
    Ok(PlayerKind::Perfect { memory, fallback: before })
}

/// Whether a game can be solved at all.
struct IsSolvable;

impl<G: Game> ExactVisitor<G> for IsSolvable {
    type Out = ();
    fn tree<X: ExactTree<G>>(self, _tree: X) {}
    fn graph<X: ExactGraph<G>>(self, _graph: X) {}
}

fn unknown_player<G: Playable>(text: &str, found: &str, game: &G, family: &FamilyInfo) -> InputError {
    let searches = SEARCHES.iter().map(|info| info.name);
    let policies = POLICIES.iter().map(|(name, _)| *name);
    let own = game.policies().iter().map(|info| info.name);
    let named = named_players(family.players).map(|named| named.name);
    let known: Vec<&str> = searches.chain(policies).chain([PERFECT.0]).chain(own).chain(named).collect();
    let expected =
        "a player: search[:key=value,…]/evaluation/weights, or a name that `palestra players` lists";
    let nearest = palestra_core::nearest_name(found, known.iter().copied()).map(str::to_owned);
    InputError { nearest, ..InputError::new(format!("player \"{text}\""), found, expected) }
}

struct ReadWeights<'a> {
    text: &'a str,
    whole: &'a str,
}

impl ReadWeights<'_> {
    fn read(&self, features: &[Feature], most: f64) -> Result<Vec<f64>, InputError> {
        parse_weights(self.text, features, most, self.whole)
    }
}

impl<G: Game> EvaluationVisitor<G> for ReadWeights<'_> {
    type Out = Result<Vec<f64>, InputError>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        self.read(set.features(), set.convention().sum.max_value())
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> Self::Out {
        let weights = self.read(template.parameters(), MAX_VALUE)?;
        match template.build(&weights) {
            Some(_) => Ok(weights),
            None => {
                let place = format!("weights of \"{}\"", self.whole);
                Err(InputError::new(place, self.text, "small enough: a position's value could overflow"))
            }
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name {
            Some(name) => f.write_str(name),
            None => self.kind.fmt(f),
        }
    }
}

impl fmt::Display for PlayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerKind::Policy(name) => f.write_str(name),
            PlayerKind::Perfect { memory: PERFECT_MEMORY, .. } => f.write_str(PERFECT.0),
            PlayerKind::Perfect { memory, .. } => write!(f, "{}:memory={memory}", PERFECT.0),
            PlayerKind::Search { search, evaluation, weights } => {
                write!(f, "{search}/{evaluation}")?;
                if weights.is_empty() { Ok(()) } else { write!(f, "/{}", print_weights(weights)) }
            }
        }
    }
}
