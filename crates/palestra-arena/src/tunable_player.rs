//! Players whose weights are to be found.

use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{
    Convention, EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, ParametricEvaluator,
    Playable, SumPrecision, TerminalValue, WIN, named_players,
};

/// A player whose weights are to be found.
#[derive(Clone, PartialEq, Debug)]
pub struct TunablePlayer {
    /// The player; its weights are 0 unless they were given.
    pub spec: PlayerSpec,
    /// The weights that were given.
    pub weights: Option<Vec<f64>>,
    /// The name of each weight.
    pub names: Vec<&'static str>,
    /// What the feature behind it counts.
    pub meanings: Vec<&'static str>,
    /// Whether a player with all weights doubled plays the same games.
    pub scale_free: bool,
    /// Whether the evaluation is a weighted sum.
    pub linear: bool,
}

impl TunablePlayer {
    /// Reads a player string that may leave its weights out, and says which features they go to.
    pub(crate) fn parse<G: Playable>(
        text: &str,
        game: &G,
        family: &FamilyInfo,
    ) -> Result<TunablePlayer, InputError> {
        let named = named_players(family.players).find(|named| named.name == text);
        let text = named.map_or(text, |named| named.player);
        let mut parts = text.splitn(3, '/');
        let (search, evaluation) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let sketch = game.evaluation(evaluation, DescribeWeights);
        let n_weights = sketch.as_ref().map_or(0, |sketch| sketch.names.len());
        let zeros = vec!["0"; n_weights].join(",");
        let has_weights = parts.next().is_some();
        let full = if has_weights || n_weights == 0 { text.to_owned() } else { format!("{text}/{zeros}") };
        let spec = PlayerSpec::parse(&full, game, family)?;
        match (sketch, &spec.kind) {
            (Some(sketch), PlayerKind::Search { search, .. }) if n_weights > 0 => {
                let weights = if has_weights { spec.weights().map(<[f64]>::to_vec) } else { None };
                let greedy = search.name() == "greedy";
                let scale_free = if greedy { sketch.scale_free } else { sketch.scale_free_ahead };
                let linear = sketch.linear;
                Ok(TunablePlayer {
                    names: sketch.names,
                    meanings: sketch.meanings,
                    weights,
                    scale_free,
                    linear,
                    spec,
                })
            }
            _ => {
                let expected =
                    "a search with an evaluation that takes weights: greedy/lines, ab:depth=2/islands";
                Err(InputError::new(format!("player \"{text}\""), search, expected))
            }
        }
    }
}

/// What an evaluation says about its weights.
struct DescribeWeights;

struct WeightInfo {
    names: Vec<&'static str>,
    meanings: Vec<&'static str>,
    scale_free: bool,
    scale_free_ahead: bool,
    linear: bool,
}

impl WeightInfo {
    fn of(features: &[Feature], linear: bool, convention: Option<Convention>) -> WeightInfo {
        let free: Vec<&Feature> = features.iter().filter(|feature| feature.fixed.is_none()).collect();
        // A fixed weight, a value cut to a whole number or a finite value of a won game gives the scale a meaning.
        let sums = convention.filter(|c| c.sum != SumPrecision::Whole && free.len() == features.len());
        let far = |win: f64| win >= WIN;
        let near = sums.is_some_and(|c| !matches!(c.endings, TerminalValue::Always(win) if !far(win)));
        let ahead = sums.is_some_and(|c| far(c.endings.bound()));
        WeightInfo {
            names: free.iter().map(|feature| feature.name).collect(),
            meanings: free.iter().map(|feature| feature.meaning).collect(),
            scale_free: near,
            scale_free_ahead: ahead,
            linear,
        }
    }
}

impl<G: Game> EvaluationVisitor<G> for DescribeWeights {
    type Out = WeightInfo;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> WeightInfo {
        WeightInfo::of(set.features(), true, Some(set.convention()))
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> WeightInfo {
        WeightInfo::of(template.parameters(), false, None)
    }
}
