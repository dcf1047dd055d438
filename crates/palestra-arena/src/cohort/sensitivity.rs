//! How far each weight of a player may move before any decision of its games changes.

use super::gauntlet::{GauntletGame, GauntletSpec, gauntlet_games, greedy_parts, not_linear};
use super::plain::PlainSplitter;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet};
use super::walk::walk;
use crate::build::build;
use crate::player::Player;
use crate::referee::play_game;
use crate::spec::PlayerSpec;
use palestra_core::{
    Convention, EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, MAX_VALUE,
    ParametricEvaluator, Playable, Side, TieRule,
};
use std::sync::Arc;

/// What the decisions of a player's games say about its weights. In exact arithmetic: where an evaluation's
/// convention rounds its sums, a weight this close to a limit may already decide otherwise.
#[derive(Clone, PartialEq, Debug)]
pub struct Sensitivity {
    /// One for each weight of the player, in order.
    pub weights: Vec<WeightRange>,
    /// All weights may move at once by this share of themselves.
    pub share: Option<WeightLimit>,
    /// Games played.
    pub n_games: usize,
    /// Decisions between children with different features.
    pub n_decisions: u64,
}

/// Where one weight may be while all others stay.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightRange {
    /// The feature it weighs.
    pub name: &'static str,
    /// What it is.
    pub weight: f64,
    /// The smallest it may be; none if it may be any.
    pub low: Option<WeightLimit>,
    /// The largest it may be; none if it may be any.
    pub high: Option<WeightLimit>,
}

/// Where a decision changes.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightLimit {
    /// The weight, or the share.
    pub at: f64,
    /// Whether the decision still holds there: a tie that goes its way.
    pub is_included: bool,
    /// What changes.
    pub decision: Decision,
}

/// A decision of one game.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// The rival.
    pub rival: String,
    /// The number of the opening.
    pub opening: usize,
    /// The player's side.
    pub side: Side,
    /// Plies from the opening.
    pub ply: u32,
    /// The move it chose.
    pub played: String,
    /// The move that takes over.
    pub instead: String,
}

/// Plays the gauntlet and looks at every decision of `player`, which is greedy over a linear evaluation.
pub(crate) fn sensitivity<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    player: &str,
    gauntlet: &GauntletSpec,
) -> Result<Sensitivity, InputError> {
    let spec = PlayerSpec::parse(player, game, family)?;
    let (search, evaluation, weights) = greedy_parts(&spec)?;
    let fixtures = gauntlet_games(game, family, gauntlet)?;
    let study = MeasureSensitivity {
        game,
        spec: &spec,
        evaluation,
        weights,
        ties: search.ties(),
        fixtures: &fixtures,
    };
    game.evaluation(evaluation, study).flatten().ok_or_else(|| not_linear(&spec))
}

struct MeasureSensitivity<'a, G: Game> {
    game: &'a G,
    spec: &'a PlayerSpec,
    evaluation: &'a str,
    weights: &'a [f64],
    ties: Option<TieRule>,
    fixtures: &'a [GauntletGame<G>],
}

impl<G: Playable> EvaluationVisitor<G> for MeasureSensitivity<'_, G> {
    type Out = Option<Sensitivity>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let set = Arc::new(set);
        let mut witness = DecisionRecorder::new(set.features(), &set.convention(), self.ties, self.weights);
        for (number, fixture) in self.fixtures.iter().enumerate() {
            witness.game = number;
            let meeting = fixture.cohort_game(self.game);
            walk(&set, self.evaluation, &mut witness, &meeting, &|| false, &mut |_, _, _| {});
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
            weights: free.zip(self.weights).zip(&witness.bounds).map(range).collect(),
            share: limit(witness.share, &|share| share),
            n_games: self.fixtures.len(),
            n_decisions: witness.n_decisions,
        })
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

impl<G: Playable> MeasureSensitivity<'_, G> {
    /// Plays the game again to name the moves.
    fn decision(&self, bound: &DecisionMargin) -> Decision {
        let GauntletGame { rival, opening, start, side, seed } = &self.fixtures[bound.game];
        let (mut own, mut other) = (build(self.game, self.spec), build(self.game, rival));
        let seats: [&mut dyn Player<G>; 2] = match side {
            Side::First => [own.as_mut(), other.as_mut()],
            Side::Second => [other.as_mut(), own.as_mut()],
        };
        let played = play_game(self.game, start, seats, *seed).moves;
        let mut at = start.clone();
        played[..bound.ply as usize].iter().for_each(|&mv| self.game.play(&mut at, mv));
        let mut moves = Vec::new();
        self.game.moves(&at, &mut moves);
        Decision {
            rival: rival.to_string(),
            opening: *opening,
            side: *side,
            ply: bound.ply,
            played: moves[bound.chosen].to_string(),
            instead: moves[bound.other].to_string(),
        }
    }
}

/// How far something may move until a decision changes.
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
        // Weights beyond that are no weights.
        if self.distance <= MAX_VALUE && bound.as_ref().is_none_or(is_tighter) {
            *bound = Some(self);
        }
    }
}

/// One member who remembers the closest decisions.
struct DecisionRecorder {
    member: PlainSplitter,
    ties: TieRule,
    factors: Vec<f64>,
    /// Each feature's unit; none where its weight is fixed.
    units: Vec<Option<f64>>,
    game: usize,
    /// Below and above each weight.
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

    /// Remembers how much better the chosen child is than another, if that is less than ever.
    fn compare(&mut self, ballot: &ChildFeatures, chosen: usize, other: usize) {
        let worth = |child: usize| ballot.ended.iter().find(|ended| ended.0 == child).map(|ended| ended.1);
        let row = |child: usize| {
            let counts = i32::from(worth(child).is_none());
            ballot.features.child(child).map(move |value| f64::from(value * counts))
        };
        let difference: Vec<f64> = row(chosen).zip(row(other)).map(|(a, b)| a - b).collect();
        if difference.iter().all(|by| *by == 0.0) {
            return;
        }
        self.n_decisions += 1;
        let terms = self.factors.iter().zip(&difference).map(|(factor, by)| factor * by);
        let lead = terms.sum::<f64>() + worth(chosen).unwrap_or(0.0) - worth(other).unwrap_or(0.0);
        let is_included = match self.ties {
            TieRule::First => chosen < other,
            TieRule::Last => chosen > other,
        };
        let bound = |distance: f64| DecisionMargin {
            distance,
            is_included,
            game: self.game,
            ply: ballot.ply,
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

    fn choose_child(&mut self, group: MemberSet, ballot: &mut ChildFeatures) -> Option<usize> {
        let chosen = self.member.choose_child(group, ballot)?;
        for other in (0..ballot.features.n_children()).filter(|&other| other != chosen) {
            self.compare(ballot, chosen, other);
        }
        Some(chosen)
    }

    fn parts(&self) -> &[CohortPart] {
        &[]
    }

    fn enter(&mut self, part: &CohortPart) -> MemberSet {
        part.group
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        self.member.numbers(group)
    }
}
