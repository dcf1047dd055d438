//! Players as text: `search[:key=value,…][/evaluation[/weights]]`, a policy, or a name.

use palestra_core::{
    EvaluationVisitor, ExactGraph, ExactTree, ExactVisitor, FamilyInfo, Feature, FeatureSet, Game,
    InputError, MAX_VALUE, ParametricEvaluator, Playable, named_players, parse_weights, print_weights,
    whole_number,
};
use palestra_search::{MoveLimits, SEARCHES, SearchSpec, search_named};
use std::fmt;

/// Policies that every game has, with their descriptions.
pub const POLICIES: [(&str, &str); 3] = [
    ("random", "any legal move, all equally likely"),
    ("first", "always the first legal move"),
    ("last", "always the last legal move"),
];

/// Deterministic evaluation without weights that every game has.
pub const NOISE: (&str, &str) =
    ("noise", "a pseudo-random value of the position: shows what the search alone can do; no weights");

/// Stochastic evaluation without weights that every game has.
pub const DICE: (&str, &str) =
    ("dice", "like noise, but stochastic: another random value at every evaluation; no weights");

/// A player with all names resolved. `Display` prints the canonical text, which parses to the same player.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayerSpec {
    /// Name in the game's list of players, where it was given by name.
    pub name: Option<&'static str>,
    /// Policy, search or perfect play.
    pub kind: PlayerKind,
}

/// What a player is made of.
#[derive(Clone, PartialEq, Debug)]
pub enum PlayerKind {
    /// A policy, by name.
    Policy(String),
    /// Search × evaluation × weights.
    Search {
        /// The search and its parameters.
        search: SearchSpec,
        /// Name of the evaluation.
        evaluation: String,
        /// Its free weights, one for each.
        weights: Vec<f64>,
    },
    /// Exact play wherever the position can be solved.
    Perfect {
        /// Size of the solver's table in megabytes (2²⁰ bytes).
        memory: u32,
        /// The player that chooses where the position cannot be solved.
        fallback: Box<PlayerSpec>,
    },
}

/// Name and description of the perfect player, in games that can be solved.
pub const PERFECT: (&str, &str) =
    ("perfect", "the best move wherever the position can be solved; memory=N megabytes (default 512)");

/// Default memory of the perfect player, in megabytes.
const PERFECT_MEMORY: u32 = 512;

impl PlayerSpec {
    /// Parses a player string for a game.
    pub fn parse<G: Playable>(text: &str, game: &G, family: &FamilyInfo) -> Result<PlayerSpec, InputError> {
        if let Some(named) = named_players(family.players).find(|named| named.name == text) {
            let kind = PlayerKind::parse(named.player, game, family)?;
            return Ok(PlayerSpec { name: Some(named.name), kind });
        }
        Ok(PlayerSpec { name: None, kind: PlayerKind::parse(text, game, family)? })
    }
}

impl PlayerSpec {
    /// The weights, if the player has any.
    pub fn weights(&self) -> Option<&[f64]> {
        match &self.kind {
            PlayerKind::Search { weights, .. } if !weights.is_empty() => Some(weights),
            _ => None,
        }
    }

    /// Name of its evaluation, if it searches.
    pub fn evaluation(&self) -> Option<&str> {
        match &self.kind {
            PlayerKind::Search { evaluation, .. } => Some(evaluation),
            PlayerKind::Policy(_) | PlayerKind::Perfect { .. } => None,
        }
    }

    /// The same player with these limits on a move, as far as its search has such parameters.
    #[must_use]
    pub fn limited(&self, limits: &MoveLimits) -> PlayerSpec {
        let PlayerKind::Search { search, evaluation, weights } = &self.kind else { return self.clone() };
        let search = search.limited(limits);
        let (evaluation, weights) = (evaluation.clone(), weights.clone());
        PlayerSpec { name: None, kind: PlayerKind::Search { search, evaluation, weights } }
    }

    /// The same player with other weights.
    ///
    /// # Panics
    /// If `other` does not have as many weights as the player.
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
    /// The canonical text without weights: `greedy/lines`.
    #[must_use]
    pub fn without_weights(&self) -> String {
        match self {
            PlayerKind::Search { search, evaluation, .. } => format!("{search}/{evaluation}"),
            other => other.to_string(),
        }
    }

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
        if search_named(search_name).is_none() {
            return Err(unknown_player(text, search_name, game, family));
        }
        let search = SearchSpec::parse(search_text, text)?;
        // A search by random playouts needs no evaluation; `noise` stands in for it.
        let evaluation = evaluation.unwrap_or(if search.needs_evaluation() { "" } else { NOISE.0 });
        let reader = ReadWeights { text: weights.unwrap_or_default(), whole: text };
        let weights = if [NOISE.0, DICE.0].contains(&evaluation) {
            parse_weights(reader.text, &[], MAX_VALUE, text)?
        } else {
            game.evaluation(evaluation, reader).unwrap_or_else(|| {
                let known = game.evaluations().iter().map(|info| info.name).chain([NOISE.0, DICE.0]);
                let key = format!("evaluation of \"{text}\"");
                Err(InputError::unknown(key, evaluation, "an evaluation of this game", known))
            })?
        };
        Ok(PlayerKind::Search { search, evaluation: evaluation.to_owned(), weights })
    }
}

fn parse_perfect<G: Playable>(text: &str, game: &G, family: &FamilyInfo) -> Result<PlayerKind, InputError> {
    if game.exact(IsSolvable).is_none() {
        return Err(InputError::not_allowed(format!("player \"{text}\""), "this game cannot be solved"));
    }
    let expected = "memory=MEGABYTES, the only parameter of perfect";
    let key = || format!("memory of \"{text}\"");
    let memory = match text.strip_prefix(PERFECT.0).unwrap_or_default() {
        "" => PERFECT_MEMORY,
        rest => {
            let megabytes = rest.strip_prefix(":memory=").ok_or_else(|| {
                let found = rest.strip_prefix(':').unwrap_or(rest);
                InputError::new(format!("player \"{text}\""), found, expected)
            })?;
            whole_number(megabytes, 1..=65_536, key)?
        }
    };
    let fallback = Box::new(PlayerSpec::parse(&game.opponent(), game, family)?);
    Ok(PlayerKind::Perfect { memory, fallback })
}

/// Whether a game has a solver.
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
    let program = crate::program_name();
    let expected = format!(
        "a player: search[:key=value,…]/evaluation/weights, or a name that `{program} players` lists"
    );
    let nearest = palestra_core::nearest_name(found, known);
    InputError::new(format!("player \"{text}\""), found, expected).with_nearest(nearest)
}

struct ReadWeights<'a> {
    /// The weights.
    text: &'a str,
    /// The whole player string, for error messages.
    whole: &'a str,
}

impl ReadWeights<'_> {
    fn read(&self, features: &[Feature], max_value: f64) -> Result<Vec<f64>, InputError> {
        parse_weights(self.text, features, max_value, self.whole)
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
                let key = format!("weights of \"{}\"", self.whole);
                Err(InputError::new(key, self.text, "weights with which no position's value can overflow"))
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
            PlayerKind::Search { weights, .. } => {
                f.write_str(&self.without_weights())?;
                if weights.is_empty() { Ok(()) } else { write!(f, "/{}", print_weights(weights)) }
            }
        }
    }
}
