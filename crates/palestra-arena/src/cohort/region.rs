//! Exact maps: a slice through the space of weights, cut into the regions in which every game goes the same way.

use super::gauntlet::{GamePoints, GauntletGame, GauntletSpec, gauntlet_games, greedy_parts, not_linear};
use super::members::MemberSlice;
use super::polygon::{AffineForm, Polygon, SHIFT_BITS, SLOPE_BITS};
use super::scale::lowest_bit;
use super::splitter::{ChildFeatures, CohortPart, CohortSplitter, MemberSet, SignCheckpoint};
use super::walk::walk;
use crate::spec::PlayerSpec;
use palestra_core::{
    EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, InputError, ParametricEvaluator, Playable,
    TerminalValue, TieRule,
};
use std::sync::Arc;

/// A rectangle in which two weights of a player vary while the others stay, cut into regions. Its borders are exact
/// as long as weights are sums of powers of two that are not too far apart, as all numbers of a computer are; no
/// sum is rounded, whatever the evaluation's convention says. On a border itself ties decide.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightMap {
    /// Which weights vary.
    axes: [usize; 2],
    /// All coordinates count by two to this power.
    unit: i32,
    /// The regions, which fill the rectangle without overlap.
    pub regions: Vec<WeightRegion>,
}

/// Weights that play all games alike.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightRegion {
    /// The corners in order, each as the two weights.
    pub polygon: Vec<(f64, f64)>,
    /// The lines `a·x + b·y + c = 0` on which the edges lie, each from its corner to the next.
    pub borders: Vec<[f64; 3]>,
    /// What all games together are worth there.
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

    /// Its area.
    pub fn area(&self) -> f64 {
        let next = self.polygon.iter().cycle().skip(1);
        self.polygon.iter().zip(next).map(|(a, b)| a.0 * b.1 - a.1 * b.0).sum::<f64>() / 2.0
    }
}

impl WeightMap {
    /// One region: the rectangle in which the weights `axes` of a player go from the first to the second value.
    /// `weights` are all weights of the player; those of the axes do not count. None where the rectangle has no
    /// inside, or the numbers are too large or too far apart.
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

/// A number by two to the power `unit`, where that is whole and not too large.
fn whole(number: f64, unit: i32) -> Option<i128> {
    let scaled = number * 2f64.powi(-unit);
    (scaled.fract() == 0.0 && scaled.abs() <= 2f64.powi(SHIFT_BITS)).then_some(scaled as i128)
}

/// Plays the gauntlet everywhere in the map, which is cut further wherever games part, and adds what the games are
/// worth. `player` is greedy over a linear evaluation, and its weights are those the map was made for. Called for
/// several games, one after the other, it maps all of them together. Stops early, with some games not played
/// anywhere, once `stop` says so; says whether it got to the end.
pub(crate) fn refine_map<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    map: &mut WeightMap,
    player: &str,
    gauntlet: &GauntletSpec,
    points: GamePoints,
    stop: &dyn Fn() -> bool,
) -> Result<bool, InputError> {
    let spec = PlayerSpec::parse(player, game, family)?;
    let (search, evaluation, weights) = greedy_parts(&spec)?;
    let fixtures = gauntlet_games(game, family, gauntlet)?;
    let refine =
        RefineMap { game, map, evaluation, weights, ties: search.ties(), fixtures: &fixtures, points, stop };
    let refined = game.evaluation(evaluation, refine).flatten().ok_or_else(|| not_linear(&spec))?;
    refined.ok_or_else(|| {
        InputError::new("player", player, "weights small enough, and not too far apart, for an exact map")
    })
}

struct RefineMap<'a, G: Game> {
    game: &'a G,
    map: &'a mut WeightMap,
    evaluation: &'a str,
    weights: &'a [f64],
    ties: Option<TieRule>,
    fixtures: &'a [GauntletGame<G>],
    points: GamePoints,
    stop: &'a dyn Fn() -> bool,
}

impl<G: Playable> EvaluationVisitor<G> for RefineMap<'_, G> {
    /// None where the evaluation is not linear; none within where it cannot be mapped exactly.
    type Out = Option<Option<bool>>;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> Self::Out {
        let set = Arc::new(set);
        let convention = set.convention();
        let ties = self.ties.unwrap_or(convention.ties);
        let Some(mut pieces) =
            PolygonSplitter::new(set.features(), self.map, self.weights, convention.endings, ties)
        else {
            return Some(None);
        };
        for fixture in self.fixtures {
            let mut regions = Vec::new();
            for region in std::mem::take(&mut self.map.regions) {
                if (self.stop)() {
                    return Some(Some(false));
                }
                pieces.all = vec![region.exact];
                let mut ends = Vec::new();
                let mut leaf = |numbers: &[u32], ending: &_, _| {
                    ends.push((numbers[0], self.points.of(ending, fixture.side)));
                };
                walk(
                    &set,
                    self.evaluation,
                    &mut pieces,
                    &fixture.cohort_game(self.game),
                    &|| false,
                    &mut leaf,
                );
                let piece = |(number, points): (u32, f64)| {
                    WeightRegion::new(
                        pieces.all[number as usize].clone(),
                        self.map.unit,
                        region.score + points,
                    )
                };
                regions.extend(ends.into_iter().map(piece));
            }
            self.map.regions = regions;
        }
        Some(Some(true))
    }

    fn other<T: ParametricEvaluator<G>>(self, _template: T) -> Self::Out {
        None
    }
}

/// Pieces of the slice, which choose and part like members.
struct PolygonSplitter {
    /// What each feature adds to the line of a child: per unit of the axes, and in itself.
    slopes: Vec<[i128; 2]>,
    shifts: Vec<i128>,
    ties: TieRule,
    all: Vec<Polygon>,
    /// The number of the piece being told.
    told: [u32; 1],
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
        // Coordinates are no larger than shifts may be.
        let largest = (slope * 2f64.powi(SHIFT_BITS + 1) + shift) * 2f64.powi(unit_bit + map.unit);
        let wins_count_most = match endings {
            TerminalValue::Always(win) => largest < win,
            TerminalValue::SearchOnly(_) | TerminalValue::AsEvaluated => true,
        };
        let (all, live, parts) = (Vec::new(), Vec::new(), Vec::new());
        let pieces = PolygonSplitter { slopes, shifts, ties, all, told: [0], live, parts };
        (is_small && wins_count_most && n_weights == weights.len()).then_some(pieces)
    }

    /// The children worth looking at, each with its value as a function of the two weights: of those that are
    /// equal everywhere, the one that wins ties.
    fn lines(&self, ballot: &ChildFeatures) -> Vec<(usize, AffineForm)> {
        let mut lines: Vec<(usize, AffineForm)> = Vec::new();
        for &child in &self.live {
            let mut line = AffineForm { a: 0, b: 0, c: 0 };
            for ((value, slope), shift) in ballot.features.child(child).zip(&self.slopes).zip(&self.shifts) {
                let value = i128::from(value);
                line.a += slope[0] * value;
                line.b += slope[1] * value;
                line.c += shift * value;
            }
            match lines.iter_mut().find(|(_, other)| other.minus(&line).is_zero()) {
                Some(equal) if self.ties == TieRule::Last => equal.0 = child,
                Some(_) => {}
                None => lines.push((child, line)),
            }
        }
        lines
    }
}

impl CohortSplitter for PolygonSplitter {
    fn n_members(&self) -> usize {
        self.all.len()
    }

    fn everyone(&mut self) -> MemberSet {
        MemberSet::Slice(MemberSlice::number(0))
    }

    fn choose_child(&mut self, group: MemberSet, ballot: &mut ChildFeatures) -> Option<usize> {
        let MemberSet::Slice(set) = group else { unreachable!("pieces are no crowd") };
        if let Some(child) = ballot.resolve_terminals(self.ties, &mut self.live) {
            return Some(child);
        }
        let lines = self.lines(ballot);
        let piece = &self.all[set.start];
        let (x, y) = piece.middle();
        let value = |line: &AffineForm| line.a as f64 * x + line.b as f64 * y + line.c as f64;
        // A guess, which is then proved or not.
        let best = lines.iter().max_by(|a, b| value(&a.1).total_cmp(&value(&b.1)))?;
        if lines.iter().all(|other| piece.is_not_negative(&best.1.minus(&other.1))) {
            return Some(best.0);
        }
        let part_of = |(child, line): &(usize, AffineForm)| {
            let others = lines.iter().filter(|other| other.0 != *child);
            let cut = |part: Polygon, other: &(usize, AffineForm)| part.positive_part(&line.minus(&other.1));
            others.into_iter().try_fold(piece.clone(), cut).map(|part| (*child, part))
        };
        let parts: Vec<(usize, Polygon)> = lines.iter().filter_map(part_of).collect();
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

    fn enter(&mut self, part: &CohortPart) -> MemberSet {
        part.group
    }

    fn numbers(&mut self, group: MemberSet) -> &[u32] {
        let MemberSet::Slice(set) = group else { unreachable!("pieces are no crowd") };
        self.told = [set.start as u32];
        &self.told
    }
}
