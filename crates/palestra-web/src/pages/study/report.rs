//! The report of a study: published and obtained values side by side, figures, times and commands.

use crate::http_error::HttpError;
use crate::pages::PageFrame;
use crate::pages::figure::FigureView;
use crate::url::encoded;
use crate::viewer::Language;
use palestra_study::{
    Agreement, AgreementCounts, Assessment, CellAssessment, CellTest, PartAssessment, StudyScale,
    StudyWorkspace, TableVerdict, p_value, seconds_in_words,
};
use pulldown_cmark::{Event, Options, Parser, html};

/// Texts longer than this are in cells that break lines.
const MAX_NUMBER_CHARS: usize = 24;

/// Data of the report, whose text is in English.
pub(super) struct StudyReport {
    /// Scale and agreement in a sentence.
    pub(super) summary: String,
    /// The text about the study as HTML, which the template does not escape.
    pub(super) about: String,
    /// Whether the texts may have figures of another size than the tables.
    pub(super) is_quick: bool,
    /// Part, wall time, CPU time and the original's time; the last row is the sum.
    pub(super) times: Vec<[String; 4]>,
    pub(super) parts: Vec<StudyPartView>,
}

/// A part of a study.
pub(super) struct StudyPartView {
    pub(super) assessment: PartAssessment,
    /// HTML, which the template does not escape.
    pub(super) about: String,
    pub(super) figures: Vec<FigureView>,
    /// The commands with their times; empty where there are none.
    pub(super) commands: String,
}

impl StudyReport {
    pub(super) fn of(
        workspace: &StudyWorkspace,
        assessment: Assessment,
        frame: &PageFrame,
    ) -> Result<StudyReport, HttpError> {
        let folder = format!("/study/{}/figure", encoded(&workspace.study().name));
        let (scale, size) = (assessment.size, format!("size={}", assessment.size));
        let (summary, times) = (summary(&assessment), times(&assessment));
        let mut parts = Vec::new();
        for part in assessment.parts {
            let figures = workspace.figures(&part.part)?;
            parts.push(StudyPartView {
                about: markdown(&part.part.about_at(scale)),
                figures: figures
                    .iter()
                    .map(|figure| FigureView::new(figure, frame, &folder, &size))
                    .collect(),
                commands: commands(&part),
                assessment: part,
            });
        }
        let is_quick = scale == StudyScale::Quick;
        Ok(StudyReport { summary, about: markdown(&workspace.study().about), is_quick, times, parts })
    }
}

/// Markdown as HTML; tags in it are escaped.
fn markdown(text: &str) -> String {
    let escape_tag = |event: Event<'_>| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text).into_static(),
        other => other.into_static(),
    };
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(text, Options::ENABLE_TABLES).map(escape_tag));
    // The page has one main heading already.
    let lower = [("h3>", "h4>"), ("h2>", "h3>"), ("h1>", "h2>")];
    lower.iter().fold(out, |text, (from, to)| {
        text.replace(&format!("<{from}"), &format!("<{to}")).replace(&format!("</{from}"), &format!("</{to}"))
    })
}

fn summary(assessment: &Assessment) -> String {
    let size = match assessment.size {
        StudyScale::Quick => "at small sizes (--quick)",
        StudyScale::Full => "at the published sizes (--full)",
    };
    let AgreementCounts { exact, noise, explained, unexplained, measured, not_run, missing } =
        assessment.tally();
    let counts = [
        (exact, "exact"),
        (noise, "within noise"),
        (explained, "different, with a reason"),
        (unexplained, "different, reason unknown"),
        (missing, "missing"),
        (measured, "measured"),
        (not_run, "not run"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    format!("Reproduced {size}. Rows of all tables: {}.", parts.join(", "))
}

fn times(assessment: &Assessment) -> Vec<[String; 4]> {
    let cell = |seconds: Option<f64>| seconds.map_or_else(|| "–".to_owned(), seconds_in_words);
    let row = |PartAssessment { part, seconds, cpu_seconds, .. }: &PartAssessment| {
        let original = match (&part.original, part.original_seconds) {
            _ if part.is_beyond => "–".to_owned(),
            (Some(text), _) => text.clone(),
            (None, Some(seconds)) => seconds_in_words(seconds),
            (None, None) => "unknown".to_owned(),
        };
        [part.title.clone(), cell(*seconds), cell(*cpu_seconds), original]
    };
    let all = ["all".to_owned(), cell(assessment.seconds()), cell(assessment.cpu_seconds()), String::new()];
    assessment.parts.iter().map(row).chain([all]).collect()
}

fn commands(part: &PartAssessment) -> String {
    let line = |(command, seconds): &(String, Option<f64>)| {
        let took = seconds.map_or_else(|| "not run".to_owned(), seconds_in_words);
        format!("palestra {command}   # {took}")
    };
    part.commands.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The verdict of a table in a sentence.
pub(super) fn verdict(verdict: &TableVerdict, language: &Language) -> String {
    if *language == Language::English {
        return verdict.to_string();
    }
    let TableVerdict { word, n_fixed, n_equal, n_noisy, smallest } = *verdict;
    let word = match word {
        "exact" => "exacta",
        "within noise" => "dentro del ruido",
        "different" => "distinta",
        "missing" => "faltan valores",
        other => other,
    };
    let mut text = format!("La tabla en conjunto: {word}.");
    if n_fixed > 0 {
        text += &format!(" {n_equal} de {n_fixed} celdas sin azar son iguales.");
    }
    match smallest {
        None => {}
        Some(CellTest { p, n_tests: 1, .. }) => text += &format!(" Una celda con azar, {}.", p_value(p)),
        Some(CellTest { p, corrected, .. }) => {
            let (corrected, alone) = (p_value(corrected), p_value(p));
            text += &format!(
                " {n_noisy} celdas con azar; la menor {corrected} tras la corrección de Holm para todas, {alone} por sí sola."
            );
        }
    }
    text
}

/// CSS class of a cell with this text.
pub(super) fn cell_class(text: &str) -> &'static str {
    if text.chars().count() > MAX_NUMBER_CHARS { "long" } else { "number" }
}

/// The obtained value of a cell, and CSS classes that highlight it: the mark belongs to the whole row.
pub(super) fn obtained(cell: &CellAssessment) -> (&str, &'static str) {
    match (&cell.obtained, &cell.agreement) {
        (None, Agreement::NotRun) => ("not run", " quiet"),
        (text, Agreement::Different { .. } | Agreement::Missing(_)) => {
            (text.as_deref().unwrap_or_default(), " other")
        }
        (text, _) => (text.as_deref().unwrap_or_default(), ""),
    }
}
