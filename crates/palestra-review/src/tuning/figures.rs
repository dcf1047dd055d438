//! The figures of a report, with the same contents as those of the studies.

use super::{GridOutcome, RunReport};
use crate::chart::{AxisScale, Chart, ChartLine, Figure, HeatMap, HeatMapCell, HeatMapRow, LineChart};
use crate::number;

/// Maximum number of metrics that have a figure.
const MAX_METRICS: usize = 6;

/// Chooses between an English and a Spanish text.
pub type Translate = fn(&'static str, &'static str) -> &'static str;

/// All figures that the run has data for, in the language of `pick`.
#[must_use]
pub fn figures(report: &RunReport, pick: Translate) -> Vec<Figure> {
    let mut figures = Vec::new();
    figures.extend(fitness(report, pick));
    let trail = report.recommendation_history();
    let is_same = trail.iter().zip(&report.best).all(|(a, b)| a.1 == b.1) && trail.len() == report.best.len();
    let best = WeightHistory {
        name: "weights",
        of: pick("the best of each generation", "lo mejor de cada generación"),
        history: &report.best,
        pick,
    };
    figures.extend(best.figures(report));
    if !is_same {
        let trail = WeightHistory {
            name: "recommended",
            of: pick("the recommendation after each generation", "la recomendación tras cada generación"),
            history: &trail,
            pick,
        };
        figures.extend(trail.figures(report));
    }
    if let Some(grid) = report.outcome.as_ref().and_then(|outcome| outcome.grid.as_ref()) {
        figures.push(heat_map(grid, &report.run.weights, pick));
    }
    figures.extend(movement(report, pick));
    figures.extend(metrics(report, pick));
    figures.extend(engagement(report, pick));
    figures
}

/// A chart over generations.
fn chart(title: String, up: &str, scale: AxisScale, lines: Vec<ChartLine>, pick: Translate) -> Chart {
    let across = pick("generation", "generación").to_owned();
    Chart::Lines(LineChart { title, across, up: up.to_owned(), scale, lines })
}

/// A line over generations.
fn line(label: &str, points: impl Iterator<Item = (u32, f64)>) -> ChartLine {
    ChartLine { label: label.to_owned(), points: points.map(|(x, y)| (f64::from(x), y)).collect() }
}

fn fitness(report: &RunReport, pick: Translate) -> Option<Figure> {
    let all = &report.generations;
    // Generations of self-play have no fitness: theirs is stored as 0.
    if all.iter().all(|g| [g.best, g.mean, g.worst] == [0.0; 3]) {
        return None;
    }
    let lines = vec![
        line(pick("maximum", "máximo"), all.iter().map(|g| (g.number, g.best))),
        line(pick("mean", "media"), all.iter().map(|g| (g.number, g.mean))),
        line(pick("minimum", "mínimo"), all.iter().map(|g| (g.number, g.worst))),
    ];
    let caption = pick(
        "The best, the mean and the worst fitness of each generation. Where candidates play each other, fitness \
         only compares them with each other: a level curve does not mean that the search has stopped improving.",
        "La mejor aptitud, la media y la peor de cada generación. Cuando los candidatos se enfrentan entre sí, la \
         aptitud solo los compara entre ellos: una curva plana no significa estancamiento.",
    );
    Some(Figure {
        name: "fitness".to_owned(),
        caption: caption.to_owned(),
        chart: chart(
            format!("{}: {}", pick("Fitness", "Aptitud"), report.run.name),
            pick("fitness", "aptitud"),
            AxisScale::Linear,
            lines,
            pick,
        ),
    })
}

/// Weights over generations.
struct WeightHistory<'a> {
    name: &'a str,
    of: &'a str,
    history: &'a [(u32, Vec<f64>)],
    pick: Translate,
}

impl WeightHistory<'_> {
    /// A figure of all weights, and a zoomed one.
    fn figures(&self, report: &RunReport) -> Vec<Figure> {
        if self.history.is_empty() {
            return Vec::new();
        }
        let names = &report.run.weights;
        let all: Vec<usize> = (0..self.history[0].1.len()).collect();
        let pick = self.pick;
        let scale = match report.is_sphere {
            true => pick(
                ", scaled to length 1: only the direction matters",
                ", con longitud 1: solo importa la dirección",
            ),
            false => "",
        };
        let caption = format!("{} {}{scale}.", pick("Every weight of", "Cada peso de"), self.of);
        let mut figures = vec![self.figure("", &caption, names, &all, self.history)];
        let (large, small) = split_by_size(self.history);
        if !large.is_empty() {
            let left_out: Vec<&str> = large.iter().map(|&i| name_of(names, i)).collect();
            let (lead, end) = (
                pick("The same without", "Lo mismo sin"),
                pick("the other weights on their own scale", "los demás pesos en su propia escala"),
            );
            let caption = format!("{lead} {}: {end}.", left_out.join(", "));
            figures.push(self.figure("-zoomed", &caption, names, &small, self.history));
        } else if self.history.len() >= 4 {
            let share = if self.history.len() >= 40 { 4 } else { 2 };
            let last = &self.history[self.history.len() - self.history.len() / share..];
            let (lead, end) =
                (pick("The same from generation", "Lo mismo desde la generación"), pick(" on", ""));
            let caption = format!("{lead} {}{end}.", last[0].0);
            figures.push(self.figure("-zoomed", &caption, names, &all, last));
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
        let pick = self.pick;
        let zoomed = if suffix.is_empty() { "" } else { pick(", zoomed", ", de cerca") };
        let title = format!("{} {}{zoomed}", pick("Weights of", "Pesos de"), self.of);
        Figure {
            name: format!("{}{suffix}", self.name),
            caption: caption.to_owned(),
            chart: chart(
                title,
                pick("weight", "peso"),
                AxisScale::Linear,
                which.iter().map(of).collect(),
                pick,
            ),
        }
    }
}

fn name_of(names: &[String], i: usize) -> &str {
    names.get(i).map_or("weight", String::as_str)
}

/// The indices of the large weights and of the others, by their largest absolute value. The cut is at the largest ratio
/// of neighbors in size; without a ratio of at least 2, no weight is large.
pub(super) fn split_by_size(history: &[(u32, Vec<f64>)]) -> (Vec<usize>, Vec<usize>) {
    let n = history.first().map_or(0, |(_, weights)| weights.len());
    let peak =
        |i: usize| history.iter().filter_map(|(_, w)| w.get(i)).fold(0.0, |peak: f64, w| peak.max(w.abs()));
    let peaks: Vec<f64> = (0..n).map(peak).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| peaks[b].total_cmp(&peaks[a]));
    let ratio = |cut: usize| peaks[order[cut - 1]] / peaks[order[cut]];
    // Weights that are always 0 would give an infinite ratio.
    let cuts = (1..n).filter(|&cut| peaks[order[cut]] > 0.0 && ratio(cut) >= 2.0);
    let Some(cut) = cuts.max_by(|&a, &b| ratio(a).total_cmp(&ratio(b))) else { return (Vec::new(), order) };
    let (mut large, mut small) = (order[..cut].to_vec(), order[cut..].to_vec());
    large.sort_unstable();
    small.sort_unstable();
    (large, small)
}

fn heat_map(grid: &GridOutcome, names: &[String], pick: Translate) -> Figure {
    let row = |(i, (values, best)): (usize, (&Vec<f64>, &Vec<f64>))| HeatMapRow {
        label: name_of(names, i).to_owned(),
        cells: values
            .iter()
            .zip(best)
            .map(|(value, &score)| HeatMapCell { label: number(*value), score })
            .collect(),
    };
    let rows = grid.values.iter().zip(&grid.best_by_value).enumerate().map(row).collect();
    let legend = pick(
        "best score of all players with this value",
        "mejor puntuación de todos los jugadores con este valor",
    );
    let title =
        pick("Best score with each value of each weight", "Mejor puntuación con cada valor de cada peso");
    let (legend, title) = (legend.to_owned(), title.to_owned());
    Figure {
        name: "grid".to_owned(),
        caption: pick(
            "Small numbers: the value of the weight. Large ones: the best score of all players that have it.",
            "En pequeño: el valor del peso. En grande: la mejor puntuación de los jugadores que lo tienen.",
        )
        .to_owned(),
        chart: Chart::Cells(HeatMap { title, legend, rows }),
    }
}

/// The angle between successive leaders, and the spread of the candidates.
fn movement(report: &RunReport, pick: Translate) -> Option<Figure> {
    let all = &report.generations;
    // A grid stores no candidates, and a single generation has no movement.
    if report.best.is_empty() || all.len() < 2 {
        return None;
    }
    let lines = vec![
        // The first generation has no previous leader.
        line(
            pick("angle to the previous leader", "ángulo con el líder anterior"),
            all.iter().skip(1).map(|g| (g.number, g.angle)),
        ),
        line(
            pick(
                "spread: mean angle of the candidates to their center",
                "dispersión: ángulo medio de los candidatos con su centro",
            ),
            all.iter().map(|g| (g.number, g.spread)),
        ),
    ];
    let caption = pick(
        "Angles between weight vectors, in degrees. Both fall when a search converges; a large spread means \
         that it has not converged.",
        "Ángulos entre vectores de pesos, en grados. Ambos bajan cuando la búsqueda converge; una dispersión \
         grande significa que aún no ha convergido.",
    );
    Some(Figure {
        name: "movement".to_owned(),
        caption: caption.to_owned(),
        chart: chart(
            pick("Movement and spread", "Movimiento y dispersión").to_owned(),
            pick("degrees", "grados"),
            AxisScale::Linear,
            lines,
            pick,
        ),
    })
}

/// A figure for each metric of the method that changes, at most [`MAX_METRICS`].
fn metrics(report: &RunReport, pick: Translate) -> Vec<Figure> {
    let is_grid = report.outcome.as_ref().is_some_and(|outcome| outcome.grid.is_some());
    if is_grid {
        return Vec::new();
    }
    let changes = |points: &[(u32, f64)]| points.iter().any(|(_, value)| *value != points[0].1);
    let changing = report.metrics().into_iter().filter(|(_, points)| changes(points)).take(MAX_METRICS);
    let figure = |(name, points): (String, Vec<(u32, f64)>)| {
        let low = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(|point| point.1).fold(0.0, f64::max);
        let scale = if low > 0.0 && high / low > 20.0 { AxisScale::Logarithmic } else { AxisScale::Linear };
        let slug: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Figure {
            name: format!("method-{slug}"),
            caption: format!("{}: {name}.", pick("Metric of the method", "Métrica del método")),
            chart: chart(
                format!("{}: {name}", pick("The method", "El método")),
                &name,
                scale,
                vec![line(&name, points.into_iter())],
                pick,
            ),
        }
    };
    changing.map(figure).collect()
}

fn engagement(report: &RunReport, pick: Translate) -> Option<Figure> {
    let all = report.engagement();
    if all.is_empty() {
        return None;
    }
    let share = |k: usize| {
        all.iter()
            .filter(|(_, counts)| counts[2] > 0.0)
            .map(move |(x, counts)| (*x, 100.0 * counts[k] / counts[2]))
    };
    let lines = vec![
        line(pick("beaten by every host", "vencidos por todos los huéspedes"), share(0)),
        line(pick("beaten by no host", "vencidos por ningún huésped"), share(1)),
    ];
    let caption = pick(
        "Parasites that all hosts beat, or none, are uninformative: they do not distinguish between hosts.",
        "Los parásitos a los que vencen todos los huéspedes, o ninguno, no informan: no los distinguen.",
    );
    Some(Figure {
        name: "engagement".to_owned(),
        caption: caption.to_owned(),
        chart: chart(
            pick("Uninformative parasites", "Parásitos sin información").to_owned(),
            pick("% of the parasites", "% de los parásitos"),
            AxisScale::Linear,
            lines,
            pick,
        ),
    })
}
