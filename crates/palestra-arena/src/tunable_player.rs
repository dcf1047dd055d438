//! Players with free weights, the subject of tuning.

use crate::direction::{Direction, ScaleRule};
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{
    Convention, EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, ParametricEvaluator,
    Playable, SumPrecision, TerminalValue, WIN, named_players,
};

/// A player whose weights are free, for an optimizer to choose.
#[derive(Clone, PartialEq, Debug)]
pub struct TunablePlayer {
    /// The player; its weights are 0 unless they were given.
    pub spec: PlayerSpec,
    /// The weights of the player string, where it has any.
    pub weights: Option<Vec<f64>>,
    /// Name of each free weight.
    pub names: Vec<&'static str>,
    /// Meaning of the feature behind each weight.
    pub meanings: Vec<&'static str>,
    /// Whether a player with all weights doubled plays the same games.
    pub scale_free: bool,
    /// The arithmetic of the weighted sum; none where the evaluation is no weighted sum.
    pub sum: Option<SumPrecision>,
    /// Which weights are the same player.
    scale: ScaleRule,
}

impl TunablePlayer {
    /// Parses a player string whose weights may be missing, and lists the features they belong to.
    pub(crate) fn parse<G: Playable>(
        text: &str,
        game: &G,
        family: &FamilyInfo,
    ) -> Result<TunablePlayer, InputError> {
        let named = named_players(family.players).find(|named| named.name == text);
        let text = named.map_or(text, |named| named.player);
        let mut parts = text.splitn(3, '/');
        let (search, evaluation) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let info = game.evaluation(evaluation, DescribeWeights);
        let n_weights = info.as_ref().map_or(0, |info| info.names.len());
        let zeros = vec!["0"; n_weights].join(",");
        let has_weights = parts.next().is_some();
        let full = if has_weights || n_weights == 0 { text.to_owned() } else { format!("{text}/{zeros}") };
        let spec = PlayerSpec::parse(&full, game, family)?;
        match (info, &spec.kind) {
            (Some(info), PlayerKind::Search { search, .. }) if n_weights > 0 => {
                let weights = if has_weights { spec.weights().map(<[f64]>::to_vec) } else { None };
                let greedy = search.is_greedy();
                let scale_free = if greedy { info.scale_free } else { info.scale_free_in_search };
                let sum = info.sums.as_ref().map(|(_, convention)| convention.sum);
                let scale = match info.sums {
                    // Other searches keep values between moves, or use the values themselves.
                    Some((features, convention)) if search.is_function_of_position() => {
                        ScaleRule::of_sums(&features, convention, greedy, scale_free)
                    }
                    _ => ScaleRule::Matters,
                };
                Ok(TunablePlayer {
                    names: info.names,
                    meanings: info.meanings,
                    weights,
                    scale_free,
                    sum,
                    scale,
                    spec,
                })
            }
            _ => {
                let expected = "a search with an evaluation that takes weights, such as greedy/lines";
                Err(InputError::new(format!("player \"{text}\""), search, expected))
            }
        }
    }
}

impl TunablePlayer {
    /// The player with these weights as a direction: equal for weights that certainly play the same games because they
    /// differ only by a positive factor.
    ///
    /// # Panics
    /// If there is not one weight for each free weight.
    #[must_use]
    pub fn direction(&self, weights: &[f64]) -> Direction {
        assert_eq!(weights.len(), self.names.len(), "one weight for each name");
        self.scale.direction(weights)
    }

    /// The same player on this board and on that of `other`: directions are equal only where they are on both.
    #[must_use]
    pub fn also_on(self, other: &TunablePlayer) -> TunablePlayer {
        TunablePlayer { scale: self.scale.join(&other.scale), ..self }
    }
}

/// Reads the [`WeightInfo`] of an evaluation.
struct DescribeWeights;

struct WeightInfo {
    names: Vec<&'static str>,
    meanings: Vec<&'static str>,
    /// Whether scaling all weights changes no choice of a greedy player.
    scale_free: bool,
    /// The same for a search, which always gives ended games their own value.
    scale_free_in_search: bool,
    /// The features and the convention of a weighted sum.
    sums: Option<(Vec<Feature>, Convention)>,
}

impl WeightInfo {
    fn of(features: &[Feature], convention: Option<Convention>) -> WeightInfo {
        let free: Vec<&Feature> = features.iter().filter(|feature| feature.fixed.is_none()).collect();
        // Scaling all weights changes choices where a weight is fixed, where values are truncated to whole numbers and
        // where a won game has a value that a sum can reach.
        let sums = convention.filter(|c| c.sum != SumPrecision::Whole && free.len() == features.len());
        let far = |win: f64| win >= WIN;
        let greedy = sums.is_some_and(|c| !matches!(c.endings, TerminalValue::Always(win) if !far(win)));
        let in_search = sums.is_some_and(|c| far(c.endings.bound()));
        WeightInfo {
            names: free.iter().map(|feature| feature.name).collect(),
            meanings: free.iter().map(|feature| feature.meaning).collect(),
            scale_free: greedy,
            scale_free_in_search: in_search,
            sums: convention.map(|convention| (features.to_vec(), convention)),
        }
    }
}

impl<G: Game> EvaluationVisitor<G> for DescribeWeights {
    type Out = WeightInfo;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> WeightInfo {
        WeightInfo::of(set.features(), Some(set.convention()))
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> WeightInfo {
        WeightInfo::of(template.parameters(), None)
    }
}
