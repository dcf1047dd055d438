//! The page: what was tuned, whether it led anywhere, who the champion is, the figures, the criteria, and how to do it
//! again.

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

/// A part of the page: the name of its place, its heading, and what stands in it.
type ReportPageSection = (&'static str, &'static str, String);

/// The whole page.
pub(super) fn page(story: &RunReport, figures: &[TuningFigure], store_option: &str) -> String {
    let parts = parts(story, figures, store_option);
    let link = |(id, heading, _): &ReportPageSection| format!("<li><a href=\"#{id}\">{heading}</a></li>");
    let links: String = parts.iter().map(link).collect();
    let sections: String = parts.iter().map(|(id, heading, content)| section(id, heading, content)).collect();
    let name = escaped(&story.run.name);
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
<nav aria-label=\"Parts of this page\"><ul>{links}</ul></nav>
<main>
{sections}</main>
<footer>{}</footer>
</body>
</html>
",
        paragraph(&headline(story)),
        verdict(story),
        paragraph(&colophon(story)),
    )
}

fn parts(story: &RunReport, figures: &[TuningFigure], store_option: &str) -> Vec<ReportPageSection> {
    let drawn = |part: ReportSection| -> String {
        let wanted = figures.iter().filter(|figure| figure.section == part);
        wanted.map(|drawn| figure(&drawn.name, &drawn.drawing.to_svg(), &drawn.caption)).collect()
    };
    let grid = story.outcome.as_ref().and_then(|outcome| outcome.grid.as_ref());
    let grid = grid.map_or_else(String::new, |grid| {
        grid_words(grid) + &drawn(ReportSection::Grid) + &grid_table(grid, story)
    });
    let all = [
        ("champion", "The champion", champion(story)),
        ("fitness", "Fitness", drawn(ReportSection::Fitness)),
        ("weights", "Weights", drawn(ReportSection::Weights)),
        ("grid", "The grid", grid),
        ("movement", "Angles and spread", drawn(ReportSection::Movement)),
        ("method", "The method at work", drawn(ReportSection::Method)),
        ("engagement", "Hosts and parasites", drawn(ReportSection::Engagement)),
        ("criteria", "Did it make progress?", progress(story)),
        ("plan", "The plan, and how to do it again", plan(story, store_option)),
    ];
    all.into_iter().filter(|(_, _, content)| !content.is_empty()).collect()
}

/// What was tuned, and with how much work.
fn headline(story: &RunReport) -> String {
    let n_generations = counted(story.generations.len() as u64, "generation");
    let n_games = match &story.outcome {
        None => format!("{} so far", counted(story.run.n_games, "game")),
        Some(TuningOutcome { games, verification: Some(verification), .. }) => {
            let tests = counted(verification.n_games, "game");
            format!("{} of training and {tests} of tests", counted(*games, "game"))
        }
        Some(TuningOutcome { games, .. }) => format!("{} of training", counted(*games, "game")),
    };
    format!(
        "{}: {n_generations}, {n_games}, {:.1} seconds, seed {}.",
        story.what(),
        story.run.seconds,
        story.run.seed
    )
}

/// What may be said about the champion: what the sequential test said, and never more.
fn verdict(story: &RunReport) -> String {
    let (class, mut sentences) = match (&story.outcome, story.run.state) {
        (None, state) => {
            let first = match state {
                RunState::Running => {
                    "This run goes on still: there is no champion yet, and nothing was tested."
                }
                RunState::Interrupted => {
                    "This run was interrupted: there is no champion yet, and nothing was tested."
                }
                RunState::Failed => {
                    "This run ended by an error: there is no champion, and nothing was tested."
                }
                RunState::Done => {
                    "This run is done, but this version of the program can not read its outcome."
                }
            };
            ("", vec![first.to_owned(), "The report shows what there is.".to_owned()])
        }
        (Some(TuningOutcome { verification: None, .. }), _) => {
            let first =
                "The champion was not tested, so nothing is said about its strength outside of training.";
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

/// The games behind the verdict, with their interval; the conclusion is the test's.
fn measured(verification: &Verification) -> String {
    let duel = &verification.duel;
    let [low, score, high] = duel.score().map(|share| 100.0 * share);
    let elo = |elo: Option<f64>| elo.map_or_else(|| "unbounded".to_owned(), |elo| format!("{elo:+.0}"));
    let verdict = duel.verdict();
    format!(
        "{} won, {} drawn, {} lost of {} against {}: {score:.1} % of the points [{low:.1}, {high:.1}], a difference of {} Elo [{}, {}]; the brackets are 95 % intervals over pairs of games.",
        grouped(duel.wins),
        grouped(duel.draws),
        grouped(duel.losses),
        counted(duel.n_games(), "game"),
        verification.baseline,
        elo(verdict.elo),
        elo(verdict.elo_low),
        elo(verdict.elo_high),
    )
}

/// Each weight in words, and the player as a text.
fn champion(story: &RunReport) -> String {
    let columns = [
        text_column("feature"),
        number_column("weight"),
        text_column("sign"),
        number_column("rank"),
        number_column("share"),
        text_column("the player"),
        text_column("what the feature counts"),
    ];
    let (caption, weights) = match (&story.outcome, story.best.last()) {
        (Some(outcome), _) => ("The champion, the largest weight first.".to_owned(), &outcome.weights),
        (None, Some((generation, weights))) => {
            let caption = format!(
                "No champion: the best of generation {generation}, the last one on record, in training only."
            );
            (caption, weights)
        }
        (None, None) => return paragraph("No generation is on record yet."),
    };
    let mut rows = Vec::new();
    for weight in describe_weights(&story.run.weights, &story.meanings, weights) {
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
        "The share is the size of a weight among all, signs aside. Features count on different scales, so a small weight on a large count may matter more than it looks.",
    ));
    let Some(outcome) = &story.outcome else { return text };
    text.push_str(&verbatim(&outcome.best));
    if let Some(verification) =
        outcome.verification.as_ref().filter(|verification| verification.finals.len() > 1)
    {
        let share = |(label, share): &(String, f64)| vec![label.clone(), format!("{:.1} %", 100.0 * share)];
        let rows: Vec<Vec<String>> = verification.finals.iter().map(share).collect();
        let caption = format!("Finalists against each other on fresh games; chosen: {}.", verification.label);
        text.push_str(&table(
            &caption,
            &[text_column("finalist"), number_column("share of the points")],
            &rows,
        ));
    }
    text
}

fn grid_words(grid: &GridOutcome) -> String {
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

/// The heat map once more as numbers.
fn grid_table(grid: &GridOutcome, story: &RunReport) -> String {
    let columns = [text_column("weight"), number_column("value"), number_column("best score")];
    let mut rows = Vec::new();
    for (i, (values, best)) in grid.values.iter().zip(&grid.best_by_value).enumerate() {
        let name = story.run.weights.get(i).cloned().unwrap_or_default();
        let row = |(value, best): (&f64, &f64)| {
            let best = if best.is_finite() { number(*best) } else { "not rated".to_owned() };
            vec![name.clone(), number(*value), best]
        };
        rows.extend(values.iter().zip(best).map(row));
    }
    let table = table("Best score with each value of each weight.", &columns, &rows);
    format!("<details>\n<summary>The same as a table</summary>\n{table}</details>\n")
}

/// The criteria, graded in words.
fn progress(story: &RunReport) -> String {
    let mut text = String::new();
    match &story.outcome {
        Some(TuningOutcome { verification: Some(_), .. }) => {}
        Some(_) => text.push_str(&paragraph(
            "The plan did not ask for tests (wanted = false in [test]): P1 to P6, P8 and the control were not measured.",
        )),
        None => text.push_str(&paragraph("P1 to P6, P8 and the control are measured when a run ends.")),
    }
    let columns = [
        text_column("criterion"),
        text_column("grade"),
        text_column("question"),
        text_column("what was found"),
    ];
    let row = |criterion: palestra_tune::progress::ProgressCriterion| {
        let grade = describe_grade(criterion.grade).to_lowercase();
        vec![criterion.id, grade, criterion.question, criterion.found]
    };
    let rows: Vec<Vec<String>> = criteria(story).into_iter().map(row).collect();
    text.push_str(&table("Criteria of progress, on openings never used in training.", &columns, &rows));
    text.push_str(&paragraph(
        "Holds: measured, and so. Fails: measured, and not so. Open: the games do not decide it. Noted and warning: nothing to pass. N is the control: the same method on random numbers instead of results.",
    ));
    text
}

/// The plan, and commands that use it.
fn plan(story: &RunReport, store_option: &str) -> String {
    let run = &story.run;
    let file = format!("{}.toml", run.name);
    let mut text =
        paragraph(&format!("Save this as {file}: it says everything, the seed {} included.", run.seed));
    text.push_str(&verbatim(&run.plan));
    let command = format!("palestra tune {}{store_option}", quoted(&file));
    if story.outcome.is_none() {
        text.push_str(&paragraph("This goes on with the run:"));
        text.push_str(&verbatim(&command));
        text.push_str(&paragraph("This begins anew:"));
    } else {
        text.push_str(&paragraph("This runs it again:"));
    }
    text.push_str(&verbatim(&format!("{command} --again")));
    text.push_str(&paragraph(if story.is_timed() {
        "The budget is a time, so another run of it may end earlier or later, and elsewhere."
    } else {
        "The same plan comes to the same result, on any number of threads."
    }));
    text
}

fn colophon(story: &RunReport) -> String {
    let run = &story.run;
    format!(
        "Begun {}, last changed {}. Games by the engine \"{}\"; report by palestra {}.",
        run.created,
        run.updated,
        run.version,
        env!("CARGO_PKG_VERSION")
    )
}
