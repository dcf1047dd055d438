//! The HTML report of a study, with published and obtained values side by side.

use crate::assess::{
    Agreement, AgreementCounts, Assessment, CellAssessment, PartAssessment, TableAssessment,
};
use crate::figure::DrawnFigure;
use crate::study::Study;
use crate::workspace::StudyWorkspace;
use palestra_core::InputError;
use palestra_review::chart::escaped;
use palestra_review::html::{
    STYLE, figure, number_column, paragraph, section, table_of, text_column, verbatim,
};
use palestra_review::number;
use pulldown_cmark::{Event, Options, Parser, html};

/// CSS that these reports have in addition to the common style.
const MORE_STYLE: &str = include_str!("report.css");

/// The complete HTML page, for a file.
pub fn page(workspace: &StudyWorkspace, assessment: &Assessment) -> Result<String, InputError> {
    let study = workspace.study();
    let title = escaped(&study.title);
    Ok(format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\" />
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />
<title>{title}: a study reproduced</title>
<style>
{STYLE}{MORE_STYLE}</style>
</head>
<body>
<header>
<h1>{title}</h1>
{}</header>
<main>
{}</main>
</body>
</html>
",
        paragraph(&study.subject),
        body(workspace, assessment, inline_figure)?,
    ))
}

/// A figure as inline SVG.
fn inline_figure(drawn: &DrawnFigure) -> String {
    figure(&drawn.id, &drawn.drawing.to_svg(), &drawn.caption)
}

/// The content of the report below the main heading, for pages with their own frame; `show_figure` gives the HTML of a
/// figure.
pub fn body(
    workspace: &StudyWorkspace,
    assessment: &Assessment,
    show_figure: impl Fn(&DrawnFigure) -> String,
) -> Result<String, InputError> {
    let study = workspace.study();
    let mut text = summary(study, assessment);
    if !study.about.is_empty() {
        text += &format!("<section id=\"about\" class=\"about\">\n{}</section>\n", markdown(&study.about));
    }
    text += &section("times", "Time", &times(assessment));
    for part in &assessment.parts {
        let mut content = if part.part.is_beyond {
            "<p class=\"beyond\">Beyond the study: not part of the published work.</p>\n".to_owned()
        } else {
            String::new()
        };
        content += &markdown(&part.part.about);
        content += &part.tables.iter().map(table).collect::<String>();
        for drawn in workspace.pictures(&part.part)? {
            content += &show_figure(&drawn);
        }
        content += &commands(part);
        text += &section(&part.part.id, &part.part.title, &content);
    }
    Ok(text)
}

/// Turns an HTML tag into text.
fn escape_tag(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    }
}

/// Markdown as HTML. HTML tags in it are escaped, and its headings are one level lower.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    html::push_html(&mut out, Parser::new_ext(text, Options::ENABLE_TABLES).map(escape_tag));
    // The page has one main heading already.
    let lower = [("h3>", "h4>"), ("h2>", "h3>"), ("h1>", "h2>")];
    lower.iter().fold(out, |text, (from, to)| {
        text.replace(&format!("<{from}"), &format!("<{to}")).replace(&format!("</{from}"), &format!("</{to}"))
    })
}

/// Number of rows by agreement, and links to the parts.
fn summary(study: &Study, assessment: &Assessment) -> String {
    let size = match assessment.size {
        crate::StudyScale::Quick => "at small sizes (--quick)",
        crate::StudyScale::Full => "at the published sizes (--full)",
    };
    let mut text = paragraph(&format!("Reproduced {size}. {}", tally_sentence(assessment.tally())));
    let link = |part: &PartAssessment| {
        let beyond = if part.part.is_beyond { " (beyond)" } else { "" };
        format!("<li><a href=\"#{}\">{}</a>{beyond}</li>", escaped(&part.part.id), escaped(&part.part.title))
    };
    let links: String = assessment.parts.iter().map(link).collect();
    text += &format!("<nav aria-label=\"Parts of {}\"><ul>{links}</ul></nav>\n", escaped(&study.title));
    text
}

fn tally_sentence(tally: AgreementCounts) -> String {
    let counts = [
        (tally.exact, "exact"),
        (tally.noise, "within noise"),
        (tally.explained, "different, with a reason"),
        (tally.unexplained, "different, reason unknown"),
        (tally.missing, "missing"),
        (tally.measured, "measured"),
        (tally.not_run, "not run"),
    ];
    let parts: Vec<String> =
        counts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    format!("Rows of all tables: {}.", parts.join(", "))
}

fn times(assessment: &Assessment) -> String {
    let mut rows = Vec::new();
    let cell = |seconds: Option<f64>| seconds.map_or_else(|| "–".to_owned(), seconds_in_words);
    for part in &assessment.parts {
        let original = match (&part.part.original, part.part.original_seconds) {
            (Some(text), _) => escaped(text),
            (None, Some(seconds)) => seconds_in_words(seconds),
            (None, None) => "unknown".to_owned(),
        };
        let original = if part.part.is_beyond { "–".to_owned() } else { original };
        rows.push(vec![escaped(&part.part.title), cell(part.seconds), cell(part.cpu_seconds), original]);
    }
    rows.push(vec![
        "all".to_owned(),
        cell(assessment.seconds()),
        cell(assessment.cpu_seconds()),
        String::new(),
    ]);
    let columns = [
        text_column("part"),
        number_column("wall time"),
        number_column("CPU time"),
        text_column("original time"),
    ];
    let table = table_of("Time of each part here and in the original study", &columns, &rows);
    // Focusable, so that a wide table can be scrolled with the keyboard.
    table.replacen("class=\"wide\"", "class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Time\"", 1)
}

/// A duration as text: `0.4 s`, `73 s`, `12 min`, `2.5 h`.
#[must_use]
pub fn seconds_in_words(seconds: f64) -> String {
    match seconds {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{} h", number((s / 360.0).round() / 10.0)),
    }
}

fn table(table: &TableAssessment) -> String {
    let heads = |(name, has_published): &(String, bool)| {
        let name = escaped(name);
        match has_published {
            true => format!(
                "<th scope=\"col\" class=\"number\">{name}, published</th><th scope=\"col\" class=\"number\">{name}, here</th>"
            ),
            false => format!("<th scope=\"col\" class=\"number\">{name}</th>"),
        }
    };
    let headings: String = table.headings.iter().map(heads).collect();
    let (mark, id) = (if table.is_plain { "" } else { "<th scope=\"col\">mark</th>" }, escaped(&table.id));
    let mut text = format!(
        "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"caption-{id}\"><table id=\"table-{id}\">\n<caption id=\"caption-{id}\">{}</caption>\n<thead><tr><th scope=\"col\"></th>{mark}{headings}</tr></thead>\n<tbody>\n",
        escaped(&table.title)
    );
    for row in &table.rows {
        let cells: String =
            row.cells.iter().zip(&table.headings).map(|(cell, (_, both))| cells(cell, *both)).collect();
        let mark = if table.is_plain { String::new() } else { format!("<td>{}</td>", mark_cell(row.mark())) };
        text += &format!("<tr><th scope=\"row\">{}</th>{mark}{cells}</tr>\n", escaped(&row.name));
    }
    text += "</tbody>\n</table></div>\n";
    if table.rows.is_empty() {
        text += &paragraph("Not run yet.");
    }
    if let Some(note) = &table.note {
        text += &paragraph(note);
    }
    text
}

/// Length in characters from which on a cell is wrapped.
const LONG: usize = 24;

fn cells(cell: &CellAssessment, both: bool) -> String {
    let one = |text: &str, class: &str| {
        let kind = if text.chars().count() > LONG { "long" } else { "number" };
        format!("<td class=\"{kind}{class}\">{}</td>", escaped(text))
    };
    // Highlights the cell that differs, since the mark belongs to the whole row.
    let is_other = matches!(cell.agreement, Agreement::Different { .. } | Agreement::Missing(_));
    let obtained = match (&cell.obtained, &cell.agreement) {
        (None, Agreement::NotRun) => one("not run", " quiet"),
        (text, _) => one(text.as_deref().unwrap_or_default(), if is_other { " other" } else { "" }),
    };
    let published = if both { one(cell.published.as_deref().unwrap_or_default(), "") } else { String::new() };
    published + &obtained
}

fn mark_cell(mark: &Agreement) -> String {
    let class = mark.word().replace(' ', "-");
    let reason = mark.reason().map_or_else(String::new, |reason| format!(": {}", escaped(&reason)));
    format!("<span class=\"mark {class}\">{}</span>{reason}", mark.word())
}

/// The commands of a part with their wall times, as command lines that can be copied.
fn commands(part: &PartAssessment) -> String {
    let line = |(command, seconds): &(String, Option<f64>)| {
        let took = seconds.map_or_else(|| "not run".to_owned(), seconds_in_words);
        format!("palestra {command}   # {took}")
    };
    let lines: Vec<String> = part.commands.iter().map(line).collect();
    if lines.is_empty() {
        return String::new();
    }
    format!("<details><summary>What was run</summary>\n{}</details>\n", verbatim(&lines.join("\n")))
}
