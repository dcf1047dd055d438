//! Figures of a study.

use crate::path::PathLookup;
use crate::study::{FigureKind, Series, StudyFigure, StudyPart, text_at};
use crate::workspace::StudyWorkspace;
use palestra_core::InputError;
use palestra_review::chart::{
    AxisScale, BarChart, BarGroup, Chart, ChartLine, Figure, HeatMap, HeatMapCell, HeatMapRow, LineChart,
};

impl StudyWorkspace {
    /// The figures of a part; those without any output are left out.
    pub fn figures(&self, part: &StudyPart) -> Result<Vec<Figure>, InputError> {
        let mut figures = Vec::new();
        for figure in &part.figures {
            let in_figure =
                |error: InputError| error.map_key(|key| format!("{key} of the figure {}", figure.id));
            let mut drawn = Vec::new();
            for series in &figure.series {
                if let Some(points) = self.points(series).map_err(in_figure)? {
                    drawn.push((series.name.clone(), points));
                }
            }
            if !drawn.is_empty() {
                figures.push(Figure {
                    name: figure.id.clone(),
                    caption: text_at(self.size(), &figure.caption, figure.caption_full.as_deref()),
                    chart: chart(figure, drawn),
                });
            }
        }
        Ok(figures)
    }

    fn points(&self, series: &Series) -> Result<Option<Vec<(f64, f64)>>, InputError> {
        let Some(y) = self.numbers(&series.y)? else { return Ok(None) };
        let x = match &series.x {
            None => (1..=y.len()).map(|i| i as f64).collect(),
            Some(path) => match self.numbers(path)? {
                Some(x) => x,
                None => return Ok(None),
            },
        };
        if x.len() != y.len() {
            let expected =
                format!("{} numbers, as many as {} has, instead of {}", y.len(), series.y, x.len());
            return Err(InputError::new("x of a series", series.x.clone().unwrap_or_default(), expected));
        }
        Ok(Some(x.into_iter().zip(y).collect()))
    }

    fn numbers(&self, path: &str) -> Result<Option<Vec<f64>>, InputError> {
        let path =
            crate::template::fill(path, |word| Ok(self.study().size_word(word, self.size())), |_| false)?;
        match self.outputs().resolve(&path, self.ids())? {
            PathLookup::NotRun => Ok(None),
            PathLookup::Found(value) => match value.numbers() {
                Some(numbers) => Ok(Some(numbers)),
                None => Err(InputError::new("path of a series", path, "a path to numbers")),
            },
        }
    }
}

fn chart(figure: &StudyFigure, drawn: Vec<(String, Vec<(f64, f64)>)>) -> Chart {
    let name = |names: &[String], i: usize| names.get(i).cloned().unwrap_or_else(|| (i + 1).to_string());
    match figure.kind {
        FigureKind::Lines => {
            let line = |(label, points)| ChartLine { label, points };
            let scale = if figure.is_log { AxisScale::Logarithmic } else { AxisScale::Linear };
            let (across, up) = (figure.x.clone(), figure.y.clone());
            let lines = drawn.into_iter().map(line).collect();
            Chart::Lines(LineChart { title: figure.title.clone(), across, up, scale, lines })
        }
        FigureKind::Bars => {
            let bar = |i: usize| BarGroup {
                label: name(&figure.columns, i),
                values: drawn
                    .iter()
                    .map(|(_, points)| points.get(i).map_or(f64::NAN, |point| point.1))
                    .collect(),
            };
            let n_bars = drawn.iter().map(|(_, points)| points.len()).max().unwrap_or(0);
            let series = drawn.iter().map(|(name, _)| name.clone()).collect();
            Chart::Bars(BarChart {
                title: figure.title.clone(),
                legend: figure.y.clone(),
                series,
                bars: (0..n_bars).map(bar).collect(),
            })
        }
        FigureKind::Cells => {
            let row = |(i, (label, points)): (usize, (String, Vec<(f64, f64)>))| {
                let cell = |(j, point): (usize, (f64, f64))| HeatMapCell {
                    label: name(&figure.columns, j),
                    score: point.1,
                };
                let label = if label.is_empty() { name(&figure.rows, i) } else { label };
                HeatMapRow { label, cells: points.into_iter().enumerate().map(cell).collect() }
            };
            let rows = drawn.into_iter().enumerate().map(row).collect();
            Chart::Cells(HeatMap { title: figure.title.clone(), legend: figure.y.clone(), rows })
        }
    }
}
