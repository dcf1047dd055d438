//! Exact maps: a slice of weight space, cut into regions in which all games are the same.

use super::gauntlet::{GauntletGame, GauntletSpec, gauntlet_games, greedy_parts, not_linear};
use super::members::MemberSlice;
use super::polygon::{AffineForm, Polygon, SHIFT_BITS, SLOPE_BITS};
use super::scale::lowest_bit;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet, SignCheckpoint};
use super::walk::walk;
use crate::match_runner::result_for;
use crate::points::PointSystem;
use crate::spec::PlayerSpec;
use palestra_core::{
    EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, ParametricEvaluator, Playable,
    Progress, TerminalValue, TieRule,
};
use std::sync::Arc;

/// A rectangle in which two weights of a player vary while the others stay, cut into regions. The borders are exact:
/// weights are whole multiples of one power of two, and no sum is rounded, whatever the evaluation's convention. On a
/// border itself the tie rule decides.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightMap {
    /// Indexes of the two weights that vary.
    axes: [usize; 2],
    /// Coordinates are whole multiples of two to this power.
    unit: i32,
    /// The regions, which cover the rectangle without overlap.
    pub regions: Vec<WeightRegion>,
}

/// Weights with which all games are the same.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightRegion {
    /// Corners in counterclockwise order, as (x, y) weights.
    pub polygon: Vec<(f64, f64)>,
    /// Lines `a·x + b·y + c = 0` of the edges, as `[a, b, c]`; edge `i` leads from corner `i` to the next.
    pub borders: Vec<[f64; 3]>,
    /// Points of all games together in this region.
    pub score: f64,
    exact: Polygon,
}

impl WeightRegion {
    fn new(exact: Polygon, unit: i32, score: f64) -> WeightRegion {
        let scale = 2f64.powi(unit);
        let polygon = exact.corners().iter().map(|corner| corner.at()).map(|(x, y)| (x * scale, y * scale));
        let border = |line: &AffineForm| [line.a as f64, line.b as f64, line.c as f64 * scale];
        let borders = exact.edges().iter().map(border).collect();
        WeightRegion { polygon: polygon.collect(), borders, score, exact }
    }

    /// Area, in units of the two weights multiplied.
    pub fn area(&self) -> f64 {
        let next = self.polygon.iter().cycle().skip(1);
        self.polygon.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>() / 2.0
    }
}

impl WeightMap {
    /// A map of one region: the rectangle in which the weights `axes` of a player go from the first to the second value
    /// of `x` and `y`. `weights` are all weights of the player; those of the axes are ignored. `None` where the
    /// rectangle is empty, or the numbers are too large or their magnitudes too far apart for exact arithmetic.
    pub fn new(weights: &[f64], axes: [usize; 2], x: [f64; 2], y: [f64; 2]) -> Option<WeightMap> {
        let others = weights.iter().enumerate().filter(|(i, _)| !axes.contains(i)).map(|(_, weight)| weight);
        let numbers = others.chain(&x).chain(&y);
        let is_sound =
            x[0] < x[1] && y[0] < y[1] && axes[0] != axes[1] && axes.iter().all(|&i| i < weights.len());
        let unit =
            numbers.clone().filter(|number| **number != 0.0).map(|&number| lowest_bit(number)).min()?;
        if !is_sound || !numbers.clone().all(|&number| whole(number, unit).is_some()) {
            return None;
        }
        let bounds = |bounds: [f64; 2]| Some([whole(bounds[0], unit)?, whole(bounds[1], unit)?]);
        let region = WeightRegion::new(Polygon::rectangle(bounds(x)?, bounds(y)?), unit, 0.0);
        Some(WeightMap { axes, unit, regions: vec![region] })
    }
}

/// A number as a multiple of two to the power `unit`, where that is whole and not too large.
fn whole(number: f64, unit: i32) -> Option<i128> {
    let scaled = number * 2f64.powi(-unit);
    (scaled.fract() == 0.0 && scaled.abs() <= 2f64.powi(SHIFT_BITS)).then_some(scaled as i128)
}

/// Plays the gauntlet for all weights of the map, cuts regions further where games differ and adds the points of the
/// games. `player` is greedy over a linear evaluation, and its weights are those that the map was made for. Calls for
/// several games accumulate in one map. Stops early, with some games missing everywhere, once `progress` is canceled;
/// returns whether it finished.
pub(crate) fn refine_map<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    map: &mut WeightMap,
    player: &PlayerSpec,
    gauntlet: &GauntletSpec,
    points: PointSystem,
    progress: &Progress,
) -> Result<bool, InputError> {
    let (search, evaluation, weights) = greedy_parts(player)?;
    let fixtures = gauntlet_games(game, family, gauntlet)?;
    let visitor = RefineMap {
        game,
        map,
        evaluation,
        weights,
        ties: search.ties(),
        fixtures: &fixtures,
        points,
        progress,
    };
    let refined = game.evaluation(evaluation, visitor).flatten().ok_or_else(|| not_linear(player))?;
    refined.ok_or_else(|| {
        let expected = "a player whose weights are not too large or too different in size for an exact map";
        InputError::new("player", player.to_string(), expected)
    })
}

struct RefineMap<'a, G: Game> {
    game: &'a G,
    map: &'a mut WeightMap,
    evaluation: &'a str,
    weights: &'a [f64],
    ties: Option<TieRule>,
    fixtures: &'a [GauntletGame<G>],
    points: PointSystem,
    progress: &'a Progress,
}

impl<G: Playable> EvaluationVisitor<G> for RefineMap<'_, G> {
    /// `None` where the evaluation is not linear, `Some(None)` where it cannot be mapped exactly; otherwise whether all
    /// games were played.
    type Out = Option<Option<bool>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let set = Arc::new(set);
        let convention = set.convention();
        let ties = self.ties.unwrap_or(convention.ties);
        let Some(mut splitter) =
            PolygonSplitter::new(set.features(), self.map, self.weights, convention.endings, ties)
        else {
            return Some(None);
        };
        for fixture in self.fixtures {
            let mut regions = Vec::new();
            for region in std::mem::take(&mut self.map.regions) {
                if self.progress.is_stopped() {
                    return Some(Some(false));
                }
                splitter.all = vec![region.exact];
                let mut ends = Vec::new();
                let mut leaf = |numbers: &[u32], ending: &_, _| {
                    ends.push((numbers[0], self.points.of(&result_for(self.game, ending, fixture.side, 0))));
                };
                walk(
                    &set,
                    self.evaluation,
                    &mut splitter,
                    &fixture.cohort_game(self.game),
                    &Progress::default(),
                    &mut leaf,
                );
                let part = |(number, points): (u32, f64)| {
                    WeightRegion::new(
                        splitter.all[number as usize].clone(),
                        self.map.unit,
                        region.score + points,
                    )
                };
                regions.extend(ends.into_iter().map(part));
            }
            self.map.regions = regions;
        }
        Some(Some(true))
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

/// Polygons of the slice, which choose and are split like members.
struct PolygonSplitter {
    /// Contribution of each feature to the value of a child, per unit of each axis.
    slopes: Vec<[i128; 2]>,
    /// Contribution of each feature that does not depend on the axes.
    shifts: Vec<i128>,
    ties: TieRule,
    all: Vec<Polygon>,
    /// Buffer for the number of a polygon.
    number: [u32; 1],
    live: Vec<usize>,
    parts: Vec<CohortPart>,
}

impl PolygonSplitter {
    fn new(
        features: &[Feature],
        map: &WeightMap,
        weights: &[f64],
        endings: TerminalValue,
        ties: TieRule,
    ) -> Option<PolygonSplitter> {
        let units = features.iter().map(|feature| feature.unit).filter(|unit| *unit != 0.0);
        let unit_bit = units.map(lowest_bit).min().unwrap_or(0);
        let (mut slopes, mut shifts) = (vec![[0; 2]; features.len()], vec![0; features.len()]);
        let mut n_weights = 0;
        for (i, feature) in features.iter().enumerate() {
            let unit = whole(feature.unit, unit_bit)?;
            if let Some(fixed) = feature.fixed {
                shifts[i] = whole(fixed * feature.unit, unit_bit + map.unit)?;
                continue;
            }
            match map.axes.iter().position(|&axis| axis == n_weights) {
                Some(axis) => slopes[i][axis] = unit,
                None => shifts[i] = whole(*weights.get(n_weights)?, map.unit)?.checked_mul(unit)?,
            }
            n_weights += 1;
        }
        let extents =
            features.iter().map(|f| i128::from(f.low.unsigned_abs().max(f.high.unsigned_abs()).max(1)));
        let reach = |by: &mut dyn Iterator<Item = i128>| -> f64 {
            by.zip(extents.clone()).map(|(by, extent)| 2.0 * (by.abs() as f64) * extent as f64).sum()
        };
        let slope = reach(&mut slopes.iter().map(|slope| slope[0].abs().max(slope[1].abs())));
        let shift = reach(&mut shifts.iter().copied());
        let is_small = slope <= 2f64.powi(SLOPE_BITS) && shift <= 2f64.powi(SHIFT_BITS);
        // Coordinates have the same bound as shifts.
        let largest = (slope * 2f64.powi(SHIFT_BITS + 1) + shift) * 2f64.powi(unit_bit + map.unit);
        let wins_count_most = match endings {
            TerminalValue::Always(win) => largest < win,
            TerminalValue::SearchOnly(_) | TerminalValue::AsEvaluated => true,
        };
        let (all, live, parts) = (Vec::new(), Vec::new(), Vec::new());
        let splitter = PolygonSplitter { slopes, shifts, ties, all, number: [0], live, parts };
        (is_small && wins_count_most && n_weights == weights.len()).then_some(splitter)
    }

    /// The live children, each with its value as a function of the two weights; of children with equal values
    /// everywhere, only the one that wins ties.
    fn child_values(&self, children: &ChildFeatures) -> Vec<(usize, AffineForm)> {
        let mut values: Vec<(usize, AffineForm)> = Vec::new();
        for &child in &self.live {
            let mut value = AffineForm { a: 0, b: 0, c: 0 };
            let features = children.features.child(child);
            for ((feature, slope), shift) in features.zip(&self.slopes).zip(&self.shifts) {
                let feature = i128::from(feature);
                value.a += slope[0] * feature;
                value.b += slope[1] * feature;
                value.c += shift * feature;
            }
            match values.iter_mut().find(|(_, other)| other.minus(&value).is_zero()) {
                Some(equal) if self.ties == TieRule::Last => equal.0 = child,
                Some(_) => {}
                None => values.push((child, value)),
            }
        }
        values
    }
}

impl CohortSplitter for PolygonSplitter {
    fn n_members(&self) -> usize {
        self.all.len()
    }

    fn everyone(&mut self) -> MemberSet {
        MemberSet::Slice(MemberSlice::number(0))
    }

    fn choose_child(&mut self, group: MemberSet, children: &mut ChildFeatures) -> Option<usize> {
        let MemberSet::Slice(set) = group else { unreachable!("polygons are single members") };
        if let Some(child) = children.resolve_terminals(self.ties, &mut self.live) {
            return Some(child);
        }
        let values = self.child_values(children);
        let polygon = &self.all[set.start];
        let (x, y) = polygon.middle();
        let in_middle = |value: &AffineForm| value.a as f64 * x + value.b as f64 * y + value.c as f64;
        // The best child in the middle is a guess, which the corners confirm or refute.
        let best = values.iter().max_by(|a, b| in_middle(&a.1).total_cmp(&in_middle(&b.1)))?;
        if values.iter().all(|other| polygon.is_not_negative(&best.1.minus(&other.1))) {
            return Some(best.0);
        }
        let part_of = |(child, value): &(usize, AffineForm)| {
            let others = values.iter().filter(|other| other.0 != *child);
            let cut = |part: Polygon, other: &(usize, AffineForm)| part.positive_part(&value.minus(&other.1));
            others.into_iter().try_fold(polygon.clone(), cut).map(|part| (*child, part))
        };
        let parts: Vec<(usize, Polygon)> = values.iter().filter_map(part_of).collect();
        self.parts.clear();
        for (child, part) in parts {
            let group = MemberSet::Slice(MemberSlice::number(self.all.len()));
            self.parts.push(CohortPart { child: Some(child), group, checkpoint: SignCheckpoint::default() });
            self.all.push(part);
        }
        None
    }

    fn parts(&self) -> &[CohortPart] {
        &self.parts
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        let MemberSet::Slice(set) = group else { unreachable!("polygons are single members") };
        self.number = [set.start as u32];
        &self.number
    }
}
