//! Boxes of weights: the score of all weights between two bounds, proved by interval arithmetic.

use super::gauntlet::{GauntletGame, GauntletSpec, gauntlet_games, greedy_parts, not_linear};
use super::members::MemberSlice;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet, SignCheckpoint};
use super::walk::walk;
use crate::match_runner::result_for;
use crate::points::PointSystem;
use crate::spec::PlayerSpec;
use palestra_core::{
    EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, ParametricEvaluator, Playable,
    Progress, TieRule,
};
use std::sync::Arc;

/// All weight vectors between a lower and an upper bound.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightBox {
    /// Lower bound of each weight.
    pub low: Vec<f64>,
    /// Upper bound of each weight.
    pub high: Vec<f64>,
    /// Points of the games, the same for every player in the box; `None` where that was not proved.
    pub score: Option<f64>,
    /// Number of times that it may still be halved.
    pub halvings: u32,
}

impl WeightBox {
    /// A box without games yet, which may be halved `halvings` times; each half has one halving less.
    pub fn new(low: &[f64], high: &[f64], halvings: u32) -> WeightBox {
        WeightBox { low: low.to_vec(), high: high.to_vec(), score: Some(0.0), halvings }
    }
}

/// Plays the gauntlet for boxes of weights and adds the points of the games. A box is halved where its weights decide
/// differently, or where that cannot be excluded; a box without halvings left becomes undecided. Boxes that are
/// undecided already are not changed. `player` is greedy over a linear evaluation; its own weights are ignored. The
/// proofs hold in exact arithmetic.
pub(crate) fn decide_boxes<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    boxes: Vec<WeightBox>,
    player: &str,
    gauntlet: &GauntletSpec,
    points: PointSystem,
) -> Result<Vec<WeightBox>, InputError> {
    let spec = PlayerSpec::parse(player, game, family)?;
    let (search, evaluation, weights) = greedy_parts(&spec)?;
    let bounds = |part: &WeightBox| [part.low.len(), part.high.len()];
    if let Some(n) = boxes.iter().flat_map(bounds).find(|n| *n != weights.len()) {
        let key = format!("number of bounds of a box for \"{player}\"");
        let expected = format!("{}, one for each weight", weights.len());
        return Err(InputError::new(key, n.to_string(), expected));
    }
    let fixtures = gauntlet_games(game, family, gauntlet)?;
    let visitor = DecideBoxes { game, boxes, evaluation, ties: search.ties(), fixtures: &fixtures, points };
    game.evaluation(evaluation, visitor).flatten().ok_or_else(|| not_linear(&spec))
}

struct DecideBoxes<'a, G: Game> {
    game: &'a G,
    boxes: Vec<WeightBox>,
    evaluation: &'a str,
    ties: Option<TieRule>,
    fixtures: &'a [GauntletGame<G>],
    points: PointSystem,
}

impl<G: Playable> EvaluationVisitor<G> for DecideBoxes<'_, G> {
    type Out = Option<Vec<WeightBox>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let set = Arc::new(set);
        let convention = set.convention();
        let ties = self.ties.unwrap_or(convention.ties);
        let mut splitter = BoxSplitter::new(set.features(), ties);
        let mut boxes = self.boxes;
        for fixture in self.fixtures {
            let mut after = Vec::new();
            for part in boxes {
                let Some(score) = part.score else {
                    after.push(part);
                    continue;
                };
                splitter.all = vec![part];
                let mut ends = Vec::new();
                let mut leaf = |numbers: &[u32], ending: &_, _| {
                    ends.push((
                        numbers[0],
                        score + self.points.of(&result_for(self.game, ending, fixture.side, 0)),
                    ));
                };
                walk(
                    &set,
                    self.evaluation,
                    &mut splitter,
                    &fixture.cohort_game(self.game),
                    &Progress::default(),
                    &mut leaf,
                );
                let end = |(number, score): (u32, f64)| WeightBox {
                    score: Some(score),
                    ..splitter.all[number as usize].clone()
                };
                after.extend(ends.into_iter().map(end));
                after.append(&mut splitter.undecided);
            }
            boxes = after;
        }
        Some(boxes)
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

/// Boxes, which choose and are split like members.
struct BoxSplitter {
    /// Unit of each feature, with the index of its weight (`Ok`) or its fixed weight (`Err`).
    units: Vec<(f64, Result<usize, f64>)>,
    ties: TieRule,
    all: Vec<WeightBox>,
    undecided: Vec<WeightBox>,
    number: [u32; 1],
    parts: Vec<CohortPart>,
}

impl BoxSplitter {
    fn new(features: &[Feature], ties: TieRule) -> BoxSplitter {
        let mut n_weights = 0;
        let mut source = |feature: &Feature| match feature.fixed {
            Some(fixed) => (feature.unit, Err(fixed)),
            None => {
                n_weights += 1;
                (feature.unit, Ok(n_weights - 1))
            }
        };
        let units = features.iter().map(&mut source).collect();
        let (all, undecided, parts) = (Vec::new(), Vec::new(), Vec::new());
        BoxSplitter { units, ties, all, undecided, number: [0], parts }
    }

    /// Lower bound of the lead of `child` over `other` in the whole box, and the weight that contributes most to its
    /// uncertainty, if any does.
    fn lead(
        &self,
        part: &WeightBox,
        children: &ChildFeatures,
        child: usize,
        other: usize,
    ) -> (f64, Option<usize>) {
        let [(end, row), (other_end, other_row)] = [child, other].map(|child| children.counted(child));
        let mut lead = end - other_end;
        let (mut size, mut is_whole, mut widest) = (lead.abs(), lead.fract() == 0.0, (0.0, None));
        for ((a, b), &(unit, weight)) in row.zip(other_row).zip(&self.units) {
            let by = unit * f64::from(a - b);
            let (low, high) = match weight {
                Ok(weight) => (by * part.low[weight], by * part.high[weight]),
                Err(fixed) => (by * fixed, by * fixed),
            };
            lead += low.min(high);
            size += low.abs().max(high.abs());
            is_whole &= low.fract() == 0.0 && high.fract() == 0.0;
            if (high - low).abs() > widest.0
                && let Ok(weight) = weight
            {
                widest = ((high - low).abs(), Some(weight));
            }
        }
        // Sums of whole numbers are exact. For others, a sum of n terms has a relative error of at most about n 2⁻⁵³:
        // 2⁻⁴⁶ of the size bounds it up to 64 terms, and more terms get their share.
        let is_exact = is_whole && size < 2f64.powi(52);
        let error = 2f64.powi(-46) * (self.units.len() as f64 / 64.0).max(1.0);
        (if is_exact { lead } else { lead - size * error }, widest.1)
    }

    /// The choice of the weights in the middle of a box.
    fn middle_choice(&self, part: &WeightBox, children: &ChildFeatures) -> usize {
        let middle: Vec<f64> =
            part.low.iter().zip(&part.high).map(|(low, high)| low + (high - low) / 2.0).collect();
        let middle = WeightBox { low: middle.clone(), high: middle, ..*part };
        let mut best = 0;
        for child in 1..children.features.n_children() {
            let (lead, _) = self.lead(&middle, children, child, best);
            if self.ties.prefers(lead, 0.0) {
                best = child;
            }
        }
        best
    }
}

impl CohortSplitter for BoxSplitter {
    fn n_members(&self) -> usize {
        self.all.len()
    }

    fn everyone(&mut self) -> MemberSet {
        MemberSet::Slice(MemberSlice::number(0))
    }

    fn choose_child(&mut self, group: MemberSet, children: &mut ChildFeatures) -> Option<usize> {
        let MemberSet::Slice(set) = group else { unreachable!("boxes are single members") };
        let part = &self.all[set.start];
        let choice = self.middle_choice(part, children);
        let mut doubt: Option<(f64, Option<usize>)> = None;
        for other in (0..children.features.n_children()).filter(|&other| other != choice) {
            let (lead, widest) = self.lead(part, children, choice, other);
            let is_proved = lead > 0.0 || (lead == 0.0 && self.ties.wins_tie(choice, other));
            if !is_proved && doubt.is_none_or(|(min, _)| lead < min) {
                doubt = Some((lead, widest));
            }
        }
        let Some((_, widest)) = doubt else { return Some(choice) };
        self.parts.clear();
        match widest {
            Some(weight) if part.halvings > 0 => {
                let (mut lower, mut upper) = (part.clone(), part.clone());
                let middle = part.low[weight] + (part.high[weight] - part.low[weight]) / 2.0;
                (lower.high[weight], upper.low[weight]) = (middle, middle);
                for half in [lower, upper] {
                    let group = MemberSet::Slice(MemberSlice::number(self.all.len()));
                    self.parts.push(CohortPart { child: None, group, checkpoint: SignCheckpoint::default() });
                    self.all.push(WeightBox { halvings: half.halvings - 1, ..half });
                }
            }
            _ => self.undecided.push(WeightBox { score: None, ..part.clone() }),
        }
        None
    }

    fn parts(&self) -> &[CohortPart] {
        &self.parts
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        let MemberSet::Slice(set) = group else { unreachable!("boxes are single members") };
        self.number = [set.start as u32];
        &self.number
    }
}
