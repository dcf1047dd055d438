//! The page: plan, verdict, champion, figures, criteria of progress, and commands to repeat the run.

use crate::cli::output::{counted, grouped, number, quoted};
use palestra_core::print_weights;
use palestra_review::chart::escaped;
use palestra_review::html::{STYLE, figure, number_column, paragraph, section, table, text_column, verbatim};
use palestra_review::tuning::{
    GridOutcome, ReportSection, RunReport, TuningFigure, TuningOutcome, criteria, describe_grade,
    describe_sequential_test, describe_weights,
};
use palestra_store::RunState;
use palestra_tune::progress::Verification;

/// A section of the page: anchor, heading and content.
type ReportPageSection = (&'static str, &'static str, String);

/// The whole page.
pub(super) fn page(report: &RunReport, figures: &[TuningFigure], store_option: &str) -> String {
    let sections = sections(report, figures, store_option);
    let link = |(id, heading, _): &ReportPageSection| format!("<li><a href=\"#{id}\">{heading}</a></li>");
    let links: String = sections.iter().map(link).collect();
    let sections: String =
        sections.iter().map(|(id, heading, content)| section(id, heading, content)).collect();
    let name = escaped(&report.run.name);
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\" />
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />
<title>{name}: report of a run</title>
<style>
{STYLE}</style>
</head>
<body>
<header>
<h1>{name}</h1>
{}{}</header>
<nav aria-label=\"Sections of this page\"><ul>{links}</ul></nav>
<main>
{sections}</main>
<footer>{}</footer>
</body>
</html>
",
        paragraph(&headline(report)),
        verdict(report),
        paragraph(&colophon(report)),
    )
}

fn sections(report: &RunReport, figures: &[TuningFigure], store_option: &str) -> Vec<ReportPageSection> {
    let drawn = |section: ReportSection| -> String {
        let of_section = figures.iter().filter(|figure| figure.section == section);
        of_section.map(|drawn| figure(&drawn.name, &drawn.drawing.to_svg(), &drawn.caption)).collect()
    };
    let grid = report.outcome.as_ref().and_then(|outcome| outcome.grid.as_ref());
    let grid = grid.map_or_else(String::new, |grid| {
        grid_summary(grid) + &drawn(ReportSection::Grid) + &grid_table(grid, report)
    });
    let all = [
        ("champion", "The champion", champion(report)),
        ("fitness", "Fitness", drawn(ReportSection::Fitness)),
        ("weights", "Weights", drawn(ReportSection::Weights)),
        ("grid", "The grid", grid),
        ("movement", "Angles and spread", drawn(ReportSection::Movement)),
        ("method", "Diagnostics of the method", drawn(ReportSection::Method)),
        ("engagement", "Hosts and parasites", drawn(ReportSection::Engagement)),
        ("criteria", "Did it make progress?", progress(report)),
        ("plan", "The plan, and how to repeat it", plan(report, store_option)),
    ];
    all.into_iter().filter(|(_, _, content)| !content.is_empty()).collect()
}

/// What was tuned, with how many games and in which time.
fn headline(report: &RunReport) -> String {
    let n_generations = counted(report.generations.len() as u64, "generation");
    let n_games = match &report.outcome {
        None => format!("{} so far", counted(report.run.n_games, "game")),
        Some(TuningOutcome { games, verification: Some(verification), .. }) => {
            let tests = counted(verification.n_games, "game");
            format!("{} of training and {tests} of tests", counted(*games, "game"))
        }
        Some(TuningOutcome { games, .. }) => format!("{} of training", counted(*games, "game")),
    };
    format!(
        "{}: {n_generations}, {n_games}, {:.1} seconds, seed {}.",
        report.what(),
        report.run.seconds,
        report.run.seed
    )
}

/// The verdict on the champion: that of the sequential test, and no more.
fn verdict(report: &RunReport) -> String {
    let (class, mut sentences) = match (&report.outcome, report.run.state) {
        (None, state) => {
            let first = match state {
                RunState::Running => {
                    "This run is not finished: there is no champion yet, and nothing was tested."
                }
                RunState::Interrupted => {
                    "This run was interrupted: there is no champion yet, and nothing was tested."
                }
                RunState::Failed => {
                    "This run ended with an error: there is no champion, and nothing was tested."
                }
                RunState::Done => {
                    "This run is done, but this version of the program cannot read its outcome."
                }
            };
            ("", vec![first.to_owned(), "The report covers the generations so far.".to_owned()])
        }
        (Some(TuningOutcome { verification: None, .. }), _) => {
            let first =
                "The champion was not tested, so nothing is known about its strength outside training.";
            ("", vec![first.to_owned()])
        }
        (Some(TuningOutcome { verification: Some(verification), .. }), _) => {
            let baseline = &verification.baseline;
            let (class, first) = match verification.better {
                Some(true) => ("holds", format!("The champion is better than {baseline}.")),
                Some(false) => ("fails", format!("The champion is not better than {baseline}.")),
                None => ("", format!("It is not decided whether the champion is better than {baseline}.")),
            };
            let test = describe_sequential_test(verification.better).trim_start_matches("sequential test: ");
            let test = format!("Sequential test on openings never used in training: {test}.");
            (class, vec![first, test, measured(verification)])
        }
    };
    sentences.retain(|sentence| !sentence.is_empty());
    let paragraphs: String = sentences.iter().map(|sentence| paragraph(sentence)).collect();
    format!("<div class=\"verdict {class}\">\n{paragraphs}</div>\n")
}

/// Results and intervals of the games behind the verdict; the conclusion is that of the test.
fn measured(verification: &Verification) -> String {
    let score_table = &verification.head_to_head;
    let [low, score, high] = score_table.score().map(|share| 100.0 * share);
    let elo = |elo: Option<f64>| elo.map_or_else(|| "unbounded".to_owned(), |elo| format!("{elo:+.0}"));
    let verdict = score_table.verdict();
    format!(
        "{} won, {} drawn, {} lost of {} against {}: {score:.1} % of the points [{low:.1}, {high:.1}], a difference of {} Elo [{}, {}]; the brackets are 95 % intervals over pairs of games.",
        grouped(score_table.wins),
        grouped(score_table.draws),
        grouped(score_table.losses),
        counted(score_table.n_games(), "game"),
        verification.baseline,
        elo(verdict.elo),
        elo(verdict.elo_low),
        elo(verdict.elo_high),
    )
}

/// A table of the weights, and the player string.
fn champion(report: &RunReport) -> String {
    let columns = [
        text_column("feature"),
        number_column("weight"),
        text_column("sign"),
        number_column("rank"),
        number_column("share"),
        text_column("the player"),
        text_column("what the feature counts"),
    ];
    let (caption, weights) = match (&report.outcome, report.best.last()) {
        (Some(outcome), _) => ("The champion, the largest weight first.".to_owned(), &outcome.weights),
        (None, Some((generation, weights))) => {
            let caption = format!(
                "No champion: the best of generation {generation}, the last one recorded, in training only."
            );
            (caption, weights)
        }
        (None, None) => return paragraph("No generation is recorded yet."),
    };
    let mut rows = Vec::new();
    for weight in describe_weights(&report.run.weights, &report.meanings, weights) {
        let sign = match weight.value {
            value if value > 0.0 => "+",
            value if value < 0.0 => "−",
            _ => "0",
        };
        rows.push(vec![
            weight.name.to_owned(),
            number(weight.value),
            sign.to_owned(),
            weight.rank.to_string(),
            format!("{:.1} %", 100.0 * weight.share),
            format!("{} it", weight.word),
            weight.meaning.to_owned(),
        ]);
    }
    let mut text = table(&caption, &columns, &rows);
    text.push_str(&paragraph(
        "The share is the absolute value of a weight relative to the sum of all. Features have different scales, so a small weight on a large feature can matter more than its share suggests.",
    ));
    let Some(outcome) = &report.outcome else { return text };
    text.push_str(&verbatim(&outcome.best));
    if let Some(verification) =
        outcome.verification.as_ref().filter(|verification| verification.finals.len() > 1)
    {
        let share = |(label, share): &(String, f64)| vec![label.clone(), format!("{:.1} %", 100.0 * share)];
        let rows: Vec<Vec<String>> = verification.finals.iter().map(share).collect();
        let caption =
            format!("Recommendations against each other on fresh games; chosen: {}.", verification.label);
        text.push_str(&table(
            &caption,
            &[text_column("recommendation"), number_column("share of the points")],
            &rows,
        ));
    }
    text
}

fn grid_summary(grid: &GridOutcome) -> String {
    let n_shown = grid.at_maximum.len().min(20);
    let mut text = paragraph(&format!(
        "The maximum is {}, reached by {}; the minimum is {}.",
        number(grid.maximum),
        counted(grid.count_at_maximum, "player"),
        number(grid.minimum)
    ));
    let players: Vec<String> =
        grid.at_maximum.iter().take(n_shown).map(|weights| print_weights(weights)).collect();
    text.push_str(&verbatim(&players.join("\n")));
    if grid.count_at_maximum > n_shown as u64 {
        text.push_str(&paragraph(&format!(
            "… and {} more.",
            grouped(grid.count_at_maximum - n_shown as u64)
        )));
    }
    text
}

/// The heat map as a table.
fn grid_table(grid: &GridOutcome, report: &RunReport) -> String {
    let columns = [text_column("weight"), number_column("value"), number_column("best score")];
    let mut rows = Vec::new();
    for (i, (values, best)) in grid.values.iter().zip(&grid.best_by_value).enumerate() {
        let name = report.run.weights.get(i).cloned().unwrap_or_default();
        let row = |(value, best): (&f64, &f64)| {
            let best = if best.is_finite() { number(*best) } else { "not rated".to_owned() };
            vec![name.clone(), number(*value), best]
        };
        rows.extend(values.iter().zip(best).map(row));
    }
    let table = table("Best score with each value of each weight.", &columns, &rows);
    format!("<details>\n<summary>The same as a table</summary>\n{table}</details>\n")
}

/// The criteria of progress with their grades.
fn progress(report: &RunReport) -> String {
    let mut text = String::new();
    match &report.outcome {
        Some(TuningOutcome { verification: Some(_), .. }) => {}
        Some(_) => text.push_str(&paragraph(
            "The plan has no tests (wanted = false in [test]): P1 to P6, P8 and the control were not measured.",
        )),
        None => text.push_str(&paragraph("P1 to P6, P8 and the control are measured when a run ends.")),
    }
    let columns =
        [text_column("criterion"), text_column("grade"), text_column("question"), text_column("result")];
    let row = |criterion: palestra_tune::progress::ProgressCriterion| {
        let grade = describe_grade(criterion.grade).to_lowercase();
        vec![criterion.id, grade, criterion.question, criterion.found]
    };
    let rows: Vec<Vec<String>> = criteria(report).into_iter().map(row).collect();
    text.push_str(&table("Criteria of progress, on openings never used in training.", &columns, &rows));
    text.push_str(&paragraph(
        "Holds: measured and true. Fails: measured and false. Open: the games do not decide it. Noted and warning: information only. N is the control: the same method on random numbers instead of results.",
    ));
    text
}

/// The plan, and the commands that continue or repeat the run.
fn plan(report: &RunReport, store_option: &str) -> String {
    let run = &report.run;
    let file = format!("{}.toml", run.name);
    let mut text =
        paragraph(&format!("Save this as {file}: it is the complete plan, with the seed {}.", run.seed));
    text.push_str(&verbatim(&run.plan));
    let command = format!("palestra tune {}{store_option}", quoted(&file));
    if report.outcome.is_none() {
        text.push_str(&paragraph("To continue the run:"));
        text.push_str(&verbatim(&command));
        text.push_str(&paragraph("To start a new run:"));
    } else {
        text.push_str(&paragraph("To run it again:"));
    }
    text.push_str(&verbatim(&format!("{command} --again")));
    text.push_str(&paragraph(if report.is_timed() {
        "The budget is a time, so another run of the plan may play more or fewer games and end with other weights."
    } else {
        "The same plan gives the same result, on any number of threads."
    }));
    text
}

/// Dates and versions, for the footer.
fn colophon(report: &RunReport) -> String {
    let run = &report.run;
    format!(
        "Started {}, last changed {}. Engine version \"{}\"; report by palestra {}.",
        run.created,
        run.updated,
        run.version,
        env!("CARGO_PKG_VERSION")
    )
}
