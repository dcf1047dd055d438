//! `palestra map`.

use super::args::CommonArgs;
use super::args_tune::MapArgs;
use super::output::{Align, Output, counted, grouped, number, table};
use super::{CommandStatus, interrupt, store};
use crate::games;
use anyhow::Result;
use palestra_arena::{GauntletSpec, PointSystem, TunablePlayer, WeightMap, WeightRegion};
use palestra_core::{InputError, Seed, nearest_name};
use palestra_review::chart::RegionChart;
use serde_json::json;

/// A map with its inputs.
struct DrawnMap<'a> {
    args: &'a MapArgs,
    player: String,
    games: Vec<String>,
    names: [&'static str; 2],
    ranges: [[f64; 2]; 2],
    /// The player's weights on the two axes.
    own: (f64, f64),
    n_games: usize,
    map: WeightMap,
}

pub(super) fn run(args: &MapArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let names: Vec<&String> = std::iter::once(&args.game).chain(&args.boards).collect();
    let games = names.into_iter().map(|name| games().open(name)).collect::<Result<Vec<_>, _>>()?;
    let player = store::resolve_player(&args.player, common)?;
    let tunable = games[0].tunable_player(&player)?;
    let weights = weights_of(&tunable, &args.player)?;
    let axes = [axis("--x", &args.x, &tunable)?, axis("--y", &args.y, &tunable)?];
    if axes[0] == axes[1] {
        return Err(InputError::new("--y", &args.y, "a weight other than that of --x").into());
    }
    let own = (weights[axes[0]], weights[axes[1]]);
    let ranges = [
        range("--x-range", args.x_range.as_deref(), own.0, &weights)?,
        range("--y-range", args.y_range.as_deref(), own.1, &weights)?,
    ];
    let map = WeightMap::new(&weights, axes, ranges[0], ranges[1]);
    let mut map = map.ok_or_else(|| {
        let expected = "weights and ranges whose sizes are close enough for exact arithmetic";
        InputError::new("player", &player, expected)
    })?;
    let gauntlet = gauntlet(&args.gauntlet, common)?;
    // Check all players before the first game.
    let mut specs = Vec::new();
    for game in &games {
        specs.push(game.player(&player)?);
        gauntlet.opponents.iter().try_for_each(|opponent| game.player(opponent).map(drop))?;
    }
    let progress = interrupt::progress()?;
    for (game, player) in games.iter().zip(&specs) {
        if !game.refine_map(&mut map, player, &gauntlet, PointSystem::BALANCED, &progress)? {
            return Ok(CommandStatus::Interrupted);
        }
    }
    let n_games = 2 * gauntlet.opponents.len() * gauntlet.openings.len() * games.len();
    let names = axes.map(|i| tunable.names[i]);
    let games = games.iter().map(|game| game.name()).collect();
    let drawn = DrawnMap { args, player, games, names, ranges, own, n_games, map };
    if args.chart.is_wanted() {
        args.chart.write(&drawn.chart().draw())?;
    }
    if output.json {
        output.json(&drawn.to_json())?;
    } else {
        drawn.print(output)?;
    }
    Ok(CommandStatus::Completed)
}

/// The opponents and openings that a player's weights are measured against.
pub(super) fn gauntlet(args: &super::args_tune::GauntletArgs, common: &CommonArgs) -> Result<GauntletSpec> {
    let resolve = |opponent: &String| store::resolve_player(opponent, common);
    let opponents = args.opponents.iter().map(resolve).collect::<Result<_>>()?;
    let openings = if args.openings.is_empty() { vec!["-".to_owned()] } else { args.openings.clone() };
    Ok(GauntletSpec { opponents, openings, seed: Seed(common.seed) })
}

/// The weights of a player, which must be in its string.
fn weights_of(tunable: &TunablePlayer, player: &str) -> Result<Vec<f64>, InputError> {
    let expected = format!("a player with weights ({})", tunable.names.join(", "));
    tunable.weights.clone().ok_or_else(|| InputError::new("player", player, expected))
}

/// Index of a weight, from the name of its feature or its number (from 1).
fn axis(option: &'static str, name: &str, tunable: &TunablePlayer) -> Result<usize, InputError> {
    let by_number = name.parse::<usize>().ok().filter(|number| (1..=tunable.names.len()).contains(number));
    let found =
        by_number.map(|number| number - 1).or_else(|| tunable.names.iter().position(|known| *known == name));
    found.ok_or_else(|| {
        let expected = format!("a weight of the player ({}) or its number", tunable.names.join(", "));
        let nearest = nearest_name(name, tunable.names.iter().copied());
        InputError::new(option, name, expected).with_nearest(nearest)
    })
}

/// Parses `-1..1`. The default is from 0 to twice the weight; for a weight of 0, plus and minus the largest weight.
fn range(
    option: &'static str,
    text: Option<&str>,
    weight: f64,
    weights: &[f64],
) -> Result<[f64; 2], InputError> {
    let Some(text) = text else {
        let largest = weights.iter().fold(0.0, |largest: f64, weight| largest.max(weight.abs()));
        let reach = [weight.abs(), largest, 1.0].into_iter().find(|reach| *reach > 0.0).unwrap_or(1.0);
        return Ok([weight - reach, weight + reach]);
    };
    let ends = text.split_once("..").map(|(low, high)| [low, high].map(|end| end.trim().parse::<f64>()));
    match ends {
        Some([Ok(low), Ok(high)]) if low.is_finite() && high.is_finite() && low < high => Ok([low, high]),
        _ => Err(InputError::new(option, text, "LOW..HIGH with LOW < HIGH, such as -1..1")),
    }
}

impl DrawnMap<'_> {
    fn chart(&self) -> RegionChart {
        let polygons = self.map.regions.iter().map(|region| (region.polygon.clone(), region.score)).collect();
        RegionChart {
            title: format!("{} on {}", self.args.player, self.games.join(", ")),
            across: (self.names[0].to_owned(), self.ranges[0]),
            up: (self.names[1].to_owned(), self.ranges[1]),
            legend: format!("won minus lost, of {}", counted(self.n_games as u64, "game")),
            polygons,
            mark: (self.own, "the player".to_owned()),
        }
    }

    /// The regions with the player's own weights: several, if these are on a border.
    fn own_regions(&self) -> Vec<&WeightRegion> {
        self.map.regions.iter().filter(|region| contains(&region.polygon, self.own)).collect()
    }

    /// Area of the whole map.
    fn area(&self) -> f64 {
        self.ranges.iter().map(|[low, high]| high - low).product()
    }

    /// Score, number of regions and share of the area, by descending score.
    fn by_score(&self) -> Vec<(f64, usize, f64)> {
        let mut scores: Vec<(f64, usize, f64)> = Vec::new();
        for region in &self.map.regions {
            let share = region.area() / self.area();
            match scores.iter_mut().find(|(score, _, _)| *score == region.score) {
                Some((_, n, area)) => (*n, *area) = (*n + 1, *area + share),
                None => scores.push((region.score, 1, share)),
            }
        }
        scores.sort_by(|a, b| b.0.total_cmp(&a.0));
        scores
    }

    fn print(&self, output: &mut Output) -> Result<()> {
        let [x, y] = self.ranges.map(|[low, high]| format!("from {} to {}", number(low), number(high)));
        output.heading(&format!("{} on {}", self.args.player, self.games.join(", ")))?;
        output.line(format_args!("{} {x}, {} {y}", self.names[0], self.names[1]))?;
        output.line(format_args!(
            "{}; {} per point, from both sides\n",
            counted(self.map.regions.len() as u64, "region"),
            counted(self.n_games as u64, "game"),
        ))?;
        let mut rows = vec![["score", "regions", "share of the map"].map(str::to_owned).to_vec()];
        for (score, n_regions, share) in self.by_score() {
            let cells = [number(score), grouped(n_regions as u64), format!("{:.2} %", 100.0 * share)];
            rows.push(cells.to_vec());
        }
        output.line(table(&rows, &[Align::Right; 3]))?;
        match &self.own_regions()[..] {
            [] => output.line("the player is outside the map"),
            [region] => output.line(format_args!(
                "the player scores {}, in a region of {:.2} % of the map",
                number(region.score),
                100.0 * region.area() / self.area()
            )),
            several => {
                let scores: Vec<String> = several.iter().map(|region| number(region.score)).collect();
                let n = several.len();
                output.line(format_args!(
                    "the player is on the border of {n} regions, with scores {}",
                    scores.join(", ")
                ))
            }
        }
    }

    fn to_json(&self) -> serde_json::Value {
        let region = |region: &WeightRegion| {
            json!({
                "score": region.score, "area": region.area(), "polygon": region.polygon, "borders": region.borders,
            })
        };
        let regions: Vec<serde_json::Value> = self.map.regions.iter().map(region).collect();
        let own: Vec<f64> = self.own_regions().iter().map(|region| region.score).collect();
        json!({
            "player": self.player, "on": self.games, "opponents": self.args.gauntlet.opponents, "games": self.n_games,
            "x": { "name": self.names[0], "low": self.ranges[0][0], "high": self.ranges[0][1], "own": self.own.0 },
            "y": { "name": self.names[1], "low": self.ranges[1][0], "high": self.ranges[1][1], "own": self.own.1 },
            "own_scores": own, "regions": regions,
        })
    }
}

/// Whether a convex polygon (counterclockwise) contains a point, border included.
fn contains(polygon: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
    let next = polygon.iter().cycle().skip(1);
    let is_left = |(a, b): (&(f64, f64), &(f64, f64))| {
        let (along, aside) = ((b.0 - a.0) * (y - a.1), (b.1 - a.1) * (x - a.0));
        // Corners are rounded, so that a point on the border may seem to be outside.
        along - aside >= -1e-12 * (along.abs() + aside.abs())
    };
    polygon.iter().zip(next).all(is_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_parsed_or_chosen() {
        let read = |text: &str| range("--x-range", Some(text), 1.0, &[1.0]).ok();
        assert_eq!(read("-8..8"), Some([-8.0, 8.0]));
        assert_eq!(read(" -0.5 .. 1e3 "), Some([-0.5, 1000.0]));
        for bad in ["", "1", "1..", "..1", "2..1", "1..1", "nan..1", "0..inf", "a..b"] {
            assert_eq!(read(bad), None, "{bad}");
        }
        let default = |weight, weights: &[f64]| range("--x-range", None, weight, weights).ok();
        assert_eq!(default(4.0, &[4.0, 9.0]), Some([0.0, 8.0]));
        assert_eq!(default(-4.0, &[-4.0]), Some([-8.0, 0.0]));
        assert_eq!(default(0.0, &[0.0, -9.0]), Some([-9.0, 9.0]));
        assert_eq!(default(0.0, &[0.0]), Some([-1.0, 1.0]));
    }

    #[test]
    fn a_polygon_contains_its_border() {
        let triangle = [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0)];
        for (point, is_inside) in [
            ((1.0, 1.0), true),
            ((0.0, 0.0), true),
            ((2.0, 2.0), true),
            ((2.1, 2.0), false),
            ((-0.1, 1.0), false),
        ] {
            assert_eq!(contains(&triangle, point), is_inside, "{point:?}");
        }
    }
}
