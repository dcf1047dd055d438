//! The figures of a report, as the studies had them.

use super::{Grid, Story};
use crate::chart::{Cell, CellRow, Cells, Chart, Drawing, Line, Scale};
use crate::number;

/// A figure with what belongs around it.
#[derive(Debug)]
pub struct Figure {
    /// The name of its files, and of its place in the page.
    pub name: String,
    /// The part of the page where it stands.
    pub part: Part,
    /// What to see in it, in a sentence or two.
    pub caption: String,
    /// The picture.
    pub drawing: Drawing,
}

/// The parts of a page that have figures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// How good candidates were.
    Fitness,
    /// What weights became.
    Weights,
    /// The map of a grid.
    Grid,
    /// How far the search still moves.
    Movement,
    /// What the method says of itself.
    Method,
    /// Whether hosts and parasites still teach each other.
    Engagement,
}

/// Things that a method says of itself and that have a figure.
const MOST_VITALS: usize = 6;

/// All figures that the run has data for.
#[must_use]
pub fn figures(story: &Story) -> Vec<Figure> {
    let mut figures = Vec::new();
    figures.extend(fitness(story));
    let trail = story.trail();
    let is_told = trail.iter().zip(&story.best).all(|(a, b)| a.1 == b.1) && trail.len() == story.best.len();
    let best = Weights { name: "weights", of: "the best of each generation", history: &story.best };
    figures.extend(best.figures(story));
    if !is_told {
        let trail =
            Weights { name: "recommended", of: "the recommendation after each generation", history: &trail };
        figures.extend(trail.figures(story));
    }
    if let Some(grid) = story.outcome.as_ref().and_then(|outcome| outcome.grid.as_ref()) {
        figures.push(heat_map(grid, &story.run.weights));
    }
    figures.extend(movement(story));
    figures.extend(vitals(story));
    figures.extend(engagement(story));
    figures
}

/// A chart over generations.
fn chart(title: String, up: &str, scale: Scale, lines: Vec<Line>) -> Drawing {
    Chart { title, across: "generation".to_owned(), up: up.to_owned(), scale, lines }.draw()
}

/// A line over generations.
fn line(label: &str, points: impl Iterator<Item = (u32, f64)>) -> Line {
    Line { label: label.to_owned(), points: points.map(|(x, y)| (f64::from(x), y)).collect() }
}

fn fitness(story: &Story) -> Option<Figure> {
    let all = &story.generations;
    // Generations of self-play have no fitness: theirs is written down as nothing.
    if all.iter().all(|g| [g.best, g.mean, g.worst] == [0.0; 3]) {
        return None;
    }
    let lines = vec![
        line("maximum", all.iter().map(|g| (g.number, g.best))),
        line("mean", all.iter().map(|g| (g.number, g.mean))),
        line("minimum", all.iter().map(|g| (g.number, g.worst))),
    ];
    let caption = "The best, the mean and the worst fitness of each generation. Where candidates meet each other, \
                   fitness compares them with each other only: a curve that stays level is no standstill.";
    Some(Figure {
        name: "fitness".to_owned(),
        part: Part::Fitness,
        caption: caption.to_owned(),
        drawing: chart(format!("Fitness: {}", story.run.name), "fitness", Scale::Linear, lines),
    })
}

/// Weights over generations.
struct Weights<'a> {
    name: &'a str,
    of: &'a str,
    history: &'a [(u32, Vec<f64>)],
}

impl Weights<'_> {
    /// All of them, and a closer look.
    fn figures(&self, story: &Story) -> Vec<Figure> {
        if self.history.is_empty() {
            return Vec::new();
        }
        let names = &story.run.weights;
        let everyone: Vec<usize> = (0..self.history[0].1.len()).collect();
        let scale = if story.is_sphere { ", scaled to length 1: only the direction matters" } else { "" };
        let caption = format!("Every weight of {}{scale}.", self.of);
        let mut figures = vec![self.figure("", &caption, names, &everyone, self.history)];
        let (large, small) = apart(self.history);
        if !large.is_empty() {
            let left_out: Vec<&str> = large.iter().map(|&i| name_of(names, i)).collect();
            let caption =
                format!("The same without {}: on its own scale, the rest can be seen.", left_out.join(", "));
            figures.push(self.figure("-zoomed", &caption, names, &small, self.history));
        } else if self.history.len() >= 4 {
            let share = if self.history.len() >= 40 { 4 } else { 2 };
            let last = &self.history[self.history.len() - self.history.len() / share..];
            let caption = format!("The same from generation {} on.", last[0].0);
            figures.push(self.figure("-zoomed", &caption, names, &everyone, last));
        }
        figures
    }

    fn figure(
        &self,
        suffix: &str,
        caption: &str,
        names: &[String],
        which: &[usize],
        history: &[(u32, Vec<f64>)],
    ) -> Figure {
        let of = |&i: &usize| {
            let points = history.iter().map(move |(x, weights)| (*x, weights.get(i).copied().unwrap_or(0.0)));
            line(name_of(names, i), points)
        };
        let title = format!("Weights of {}{}", self.of, if suffix.is_empty() { "" } else { ", zoomed" });
        Figure {
            name: format!("{}{suffix}", self.name),
            part: Part::Weights,
            caption: caption.to_owned(),
            drawing: chart(title, "weight", Scale::Linear, which.iter().map(of).collect()),
        }
    }
}

fn name_of(names: &[String], i: usize) -> &str {
    names.get(i).map_or("weight", String::as_str)
}

/// The weights that dwarf the others, and the others; nobody dwarfs anybody if no two neighbors in size are twice apart.
pub(super) fn apart(history: &[(u32, Vec<f64>)]) -> (Vec<usize>, Vec<usize>) {
    let n = history.first().map_or(0, |(_, weights)| weights.len());
    let peak =
        |i: usize| history.iter().filter_map(|(_, w)| w.get(i)).fold(0.0, |peak: f64, w| peak.max(w.abs()));
    let peaks: Vec<f64> = (0..n).map(peak).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| peaks[b].total_cmp(&peaks[a]));
    let ratio = |cut: usize| peaks[order[cut - 1]] / peaks[order[cut]];
    // What is 0 all the time has no scale to be seen on.
    let cuts = (1..n).filter(|&cut| peaks[order[cut]] > 0.0 && ratio(cut) >= 2.0);
    let Some(cut) = cuts.max_by(|&a, &b| ratio(a).total_cmp(&ratio(b))) else { return (Vec::new(), order) };
    let (mut large, mut small) = (order[..cut].to_vec(), order[cut..].to_vec());
    large.sort_unstable();
    small.sort_unstable();
    (large, small)
}

fn heat_map(grid: &Grid, names: &[String]) -> Figure {
    let row = |(i, (values, best)): (usize, (&Vec<f64>, &Vec<f64>))| CellRow {
        label: name_of(names, i).to_owned(),
        cells: values.iter().zip(best).map(|(value, &score)| Cell { label: number(*value), score }).collect(),
    };
    let rows = grid.values.iter().zip(&grid.best_by_value).enumerate().map(row).collect();
    let legend = "best score of all players with this value".to_owned();
    let title = "Best score with each value of each weight".to_owned();
    Figure {
        name: "grid".to_owned(),
        part: Part::Grid,
        caption:
            "Small on top: the value of the weight. Large below: the best score of all players that have it."
                .to_owned(),
        drawing: Cells { title, legend, rows }.draw(),
    }
}

/// How far the leader turns, and how far apart the candidates are.
fn movement(story: &Story) -> Option<Figure> {
    let all = &story.generations;
    // A grid has no candidates on record, and a single generation has not moved.
    if story.best.is_empty() || all.len() < 2 {
        return None;
    }
    let lines = vec![
        // The first one turned from nothing.
        line("angle to the leader before", all.iter().skip(1).map(|g| (g.number, g.angle))),
        line(
            "spread: mean angle of the candidates to their middle",
            all.iter().map(|g| (g.number, g.spread)),
        ),
    ];
    let caption = "Angles between sets of weights, in degrees. A search that settles turns less and less; one whose \
                   candidates still lie far apart has not settled.";
    Some(Figure {
        name: "movement".to_owned(),
        part: Part::Movement,
        caption: caption.to_owned(),
        drawing: chart("Turning and spread".to_owned(), "degrees", Scale::Linear, lines),
    })
}

/// A figure for each thing that the method says of itself, if it ever changes.
fn vitals(story: &Story) -> Vec<Figure> {
    let is_grid = story.outcome.as_ref().is_some_and(|outcome| outcome.grid.is_some());
    if is_grid {
        return Vec::new();
    }
    let changes = |points: &[(u32, f64)]| points.iter().any(|(_, value)| *value != points[0].1);
    let changing = story.vitals().into_iter().filter(|(_, points)| changes(points)).take(MOST_VITALS);
    let figure = |(name, points): (String, Vec<(u32, f64)>)| {
        let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|point| point.1).fold(0.0, f64::max);
        let scale = if low > 0.0 && high / low > 20.0 { Scale::Logarithmic } else { Scale::Linear };
        let word: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Figure {
            name: format!("method-{word}"),
            part: Part::Method,
            caption: format!("What the method says of itself: {name}."),
            drawing: chart(
                format!("The method: {name}"),
                &name,
                scale,
                vec![line(&name, points.into_iter())],
            ),
        }
    };
    changing.map(figure).collect()
}

fn engagement(story: &Story) -> Option<Figure> {
    let all = story.engagement();
    if all.is_empty() {
        return None;
    }
    let share = |k: usize| {
        all.iter()
            .filter(|(_, counts)| counts[2] > 0.0)
            .map(move |(x, counts)| (*x, 100.0 * counts[k] / counts[2]))
    };
    let lines = vec![line("beaten by every host", share(0)), line("beaten by no host", share(1))];
    let caption = "Parasites that all hosts beat, or none, teach nothing: they do not tell hosts apart.";
    Some(Figure {
        name: "engagement".to_owned(),
        part: Part::Engagement,
        caption: caption.to_owned(),
        drawing: chart("Parasites that tell nothing".to_owned(), "% of the parasites", Scale::Linear, lines),
    })
}
