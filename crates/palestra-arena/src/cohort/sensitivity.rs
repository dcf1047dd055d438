//! How far each weight of a player may move before any decision of its games changes.

use super::gauntlet::{GauntletGame, GauntletSpec, gauntlet_games, greedy_parts, not_linear};
use super::plain::PlainSplitter;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet};
use super::walk::walk;
use crate::build::build;
use crate::player::Player;
use crate::referee::play_builtin;
use crate::spec::PlayerSpec;
use palestra_core::{
    Convention, EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, MAX_VALUE,
    ParametricEvaluator, Playable, Progress, Side, TieRule,
};
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// How far a player's weights may move without changing any decision of its games. Limits hold in exact arithmetic:
/// where the evaluation's convention rounds sums, a weight very close to a limit may already decide differently.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sensitivity {
    /// Range of each weight of the player, in order.
    pub weights: Vec<WeightRange>,
    /// Share of themselves by which all weights may move at once; `None` if there is no limit.
    pub share: Option<WeightLimit>,
    /// Number of games played.
    #[serde(rename = "games")]
    pub n_games: usize,
    /// Number of comparisons of the chosen child with another one whose features differ.
    #[serde(rename = "comparisons")]
    pub n_decisions: u64,
}

/// Range of one weight in which no decision changes while all others stay.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WeightRange {
    /// Name of its feature.
    pub name: &'static str,
    /// The weight itself.
    pub weight: f64,
    /// Lower limit; `None` if there is none.
    pub low: Option<WeightLimit>,
    /// Upper limit; `None` if there is none.
    pub high: Option<WeightLimit>,
}

/// The point at which a decision changes.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WeightLimit {
    /// Value of the weight, or the share.
    pub at: f64,
    /// Whether the decision still holds at that point, because it wins the tie there.
    #[serde(rename = "included")]
    pub is_included: bool,
    /// The decision that changes.
    #[serde(flatten)]
    pub decision: Decision,
}

/// A decision of one game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Decision {
    /// Canonical player string of the opponent.
    pub opponent: String,
    /// The opening; `-` for the start.
    pub opening: String,
    /// Side of the player.
    #[serde(serialize_with = "by_name")]
    pub side: Side,
    /// Plies since the opening.
    pub ply: u32,
    /// The move that was chosen.
    pub played: String,
    /// The move that is chosen beyond the limit.
    pub instead: String,
}

fn by_name<S: Serializer>(side: &Side, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(side)
}

/// Plays the gauntlet and measures every decision of `player`, which is greedy over a linear evaluation.
pub(crate) fn sensitivity<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    player: &PlayerSpec,
    gauntlet: &GauntletSpec,
) -> Result<Sensitivity, InputError> {
    let (search, evaluation, weights) = greedy_parts(player)?;
    let fixtures = gauntlet_games(game, family, gauntlet)?;
    let visitor = MeasureSensitivity {
        game,
        spec: player,
        evaluation,
        weights,
        ties: search.ties(),
        fixtures: &fixtures,
        openings: &gauntlet.openings,
    };
    game.evaluation(evaluation, visitor).flatten().ok_or_else(|| not_linear(player))
}

struct MeasureSensitivity<'a, G: Game> {
    game: &'a G,
    spec: &'a PlayerSpec,
    evaluation: &'a str,
    weights: &'a [f64],
    ties: Option<TieRule>,
    fixtures: &'a [GauntletGame<G>],
    openings: &'a [String],
}

impl<G: Playable> EvaluationVisitor<G> for MeasureSensitivity<'_, G> {
    type Out = Option<Sensitivity>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let set = Arc::new(set);
        let mut recorder = DecisionRecorder::new(set.features(), &set.convention(), self.ties, self.weights);
        for (number, fixture) in self.fixtures.iter().enumerate() {
            recorder.game = number;
            let cohort_game = fixture.cohort_game(self.game);
            walk(&set, self.evaluation, &mut recorder, &cohort_game, &Progress::default(), &mut |_, _, _| {});
        }
        let limit = |bound: Option<DecisionMargin>, at: &dyn Fn(f64) -> f64| {
            bound.map(|bound| WeightLimit {
                at: at(bound.distance),
                is_included: bound.is_included,
                decision: self.decision(&bound),
            })
        };
        let free = set.features().iter().filter(|feature| feature.fixed.is_none());
        let range = |((feature, &weight), [low, high]): ((&Feature, &f64), &[Option<DecisionMargin>; 2])| {
            WeightRange {
                name: feature.name,
                weight,
                low: limit(*low, &|distance| weight - distance),
                high: limit(*high, &|distance| weight + distance),
            }
        };
        Some(Sensitivity {
            weights: free.zip(self.weights).zip(&recorder.bounds).map(range).collect(),
            share: limit(recorder.share, &|share| share),
            n_games: self.fixtures.len(),
            n_decisions: recorder.n_decisions,
        })
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

impl<G: Playable> MeasureSensitivity<'_, G> {
    /// Plays the game again to find the moves' texts.
    fn decision(&self, bound: &DecisionMargin) -> Decision {
        let GauntletGame { opponent, opening, start, side, seed } = &self.fixtures[bound.game];
        let (mut own, mut other) = (build(self.game, self.spec), build(self.game, opponent));
        let seats: [&mut dyn Player<G>; 2] = match side {
            Side::First => [own.as_mut(), other.as_mut()],
            Side::Second => [other.as_mut(), own.as_mut()],
        };
        let played = play_builtin(self.game, start, seats, *seed);
        let mut at = start.clone();
        played[..bound.ply as usize].iter().for_each(|&mv| self.game.play(&mut at, mv));
        let mut moves = Vec::new();
        self.game.moves(&at, &mut moves);
        Decision {
            opponent: opponent.to_string(),
            opening: self.openings[*opening].clone(),
            side: *side,
            ply: bound.ply,
            played: moves[bound.chosen].to_string(),
            instead: moves[bound.other].to_string(),
        }
    }
}

/// Distance by which a weight, or the share of all weights, may move until a decision changes.
#[derive(Clone, Copy, Debug)]
struct DecisionMargin {
    distance: f64,
    is_included: bool,
    game: usize,
    ply: u32,
    chosen: usize,
    other: usize,
}

impl DecisionMargin {
    fn tighten(self, bound: &mut Option<DecisionMargin>) {
        let is_tighter = |old: &DecisionMargin| {
            self.distance < old.distance
                || (self.distance == old.distance && old.is_included && !self.is_included)
        };
        // Weights are never larger than `MAX_VALUE`, so a limit beyond it is none.
        if self.distance <= MAX_VALUE && bound.as_ref().is_none_or(is_tighter) {
            *bound = Some(self);
        }
    }
}

/// A splitter of one member, the player itself, that records its closest decisions.
struct DecisionRecorder {
    member: PlainSplitter,
    ties: TieRule,
    factors: Vec<f64>,
    /// Unit of each feature; `None` where its weight is fixed.
    units: Vec<Option<f64>>,
    game: usize,
    /// Lower and upper margin of each weight.
    bounds: Vec<[Option<DecisionMargin>; 2]>,
    share: Option<DecisionMargin>,
    n_decisions: u64,
}

impl DecisionRecorder {
    fn new(
        features: &[Feature],
        convention: &Convention,
        ties: Option<TieRule>,
        weights: &[f64],
    ) -> DecisionRecorder {
        let factors = super::factors_of_all(features, std::iter::once(weights));
        let ties = ties.unwrap_or(convention.ties);
        DecisionRecorder {
            member: PlainSplitter::new(features.len(), &factors, convention.sum, ties),
            ties,
            factors,
            units: features.iter().map(|feature| feature.fixed.is_none().then_some(feature.unit)).collect(),
            game: 0,
            bounds: vec![[None; 2]; weights.len()],
            share: None,
            n_decisions: 0,
        }
    }

    /// Records the lead of the chosen child over another one, where it is the smallest so far.
    fn compare(&mut self, children: &ChildFeatures, chosen: usize, other: usize) {
        let [(end, row), (other_end, other_row)] = [chosen, other].map(|child| children.counted(child));
        let difference: Vec<f64> = row.zip(other_row).map(|(a, b)| f64::from(a) - f64::from(b)).collect();
        if difference.iter().all(|by| *by == 0.0) {
            return;
        }
        self.n_decisions += 1;
        let terms = self.factors.iter().zip(&difference).map(|(factor, by)| factor * by);
        let lead = terms.sum::<f64>() + end - other_end;
        let bound = |distance: f64| DecisionMargin {
            distance,
            is_included: self.ties.wins_tie(chosen, other),
            game: self.game,
            ply: children.ply,
            chosen,
            other,
        };
        let mut reach = 0.0;
        let free = self.units.iter().zip(&difference).zip(&self.factors);
        let free = free.filter_map(|((unit, by), factor)| unit.map(|unit| (unit * by, (factor * by).abs())));
        for ((by, share), bounds) in free.zip(&mut self.bounds) {
            reach += share;
            if by != 0.0 {
                bound(lead / by.abs()).tighten(&mut bounds[usize::from(by < 0.0)]);
            }
        }
        if reach > 0.0 {
            bound(lead / reach).tighten(&mut self.share);
        }
    }
}

impl CohortSplitter for DecisionRecorder {
    fn n_members(&self) -> usize {
        1
    }

    fn everyone(&mut self) -> MemberSet {
        self.member.everyone()
    }

    fn choose_child(&mut self, group: MemberSet, children: &mut ChildFeatures) -> Option<usize> {
        let chosen = self.member.choose_child(group, children)?;
        for other in (0..children.features.n_children()).filter(|&other| other != chosen) {
            self.compare(children, chosen, other);
        }
        Some(chosen)
    }

    fn parts(&self) -> &[CohortPart] {
        &[]
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        self.member.numbers(group)
    }
}
