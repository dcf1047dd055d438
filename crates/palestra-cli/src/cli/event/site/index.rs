//! The first page: what was played, who is where, and where everything else is.

use super::EventSite;
use super::page::page as shell;
use super::{matrix, rounds, standings};
use crate::cli::event::diagnosis::CycleAnalysis;
use crate::cli::event::end_reasons;
use crate::cli::event::sentences;
use crate::cli::event::text::percent;
use crate::cli::output::counted;
use palestra_review::chart::escaped;
use palestra_review::html::{link, number_column, paragraph, table, table_of, text_column, verbatim};
use palestra_store::{EventGame, RunState, Winner};

/// Failures that are listed here; the pages of players have all.
const FAILURES: usize = 200;
/// Sentences about neighbors.
const SENTENCES: usize = 40;

/// The page.
pub(super) fn page(site: &EventSite<'_>) -> String {
    let event = site.event;
    let parts = [
        ("standings", "Standings", stages(site) + &standings::part(site)),
        ("meaning", "What it means", meaning(site)),
        ("crosstable", "Crosstable", matrix::crosstable(site)),
        ("superiority", "Who is better than whom", matrix::superiority(site) + &circles(site)),
        ("rounds", "Rounds and pairings", rounds::part(site)),
        ("endings", "How games ended", endings(site)),
        ("failures", "Failures", failures(site)),
        ("files", "Files", files(site)),
        ("plan", "The plan", verbatim(&event.run.plan)),
    ];
    shell(site, "", &event.run.name, &intro(site), &parts, false)
}

fn intro(site: &EventSite<'_>) -> String {
    let event = site.event;
    let run = event.run;
    let mut what = event.what.to_owned();
    if let Some(first) = what.get(..1).map(str::to_uppercase) {
        what.replace_range(..1, &first);
    }
    let mut text = paragraph(&format!(
        "{what}. {}, {}, {} to {}, seed {}.",
        counted(event.entrants.len() as u64, "player"),
        counted(site.games.len() as u64, "game"),
        when(&run.created),
        when(&run.updated),
        run.seed
    ));
    let best: Vec<&str> = event
        .standings()
        .rows
        .iter()
        .filter(|row| row.rank == Some(1))
        .map(|row| event.name(row.player))
        .collect();
    let said = match run.state {
        RunState::Done if best.len() == 1 => format!("{} is first.", best[0]),
        RunState::Done if (2..6).contains(&best.len()) => {
            format!("{} share the first place.", best.join(" and "))
        }
        RunState::Done => format!("{} share the first place.", counted(best.len() as u64, "player")),
        RunState::Running | RunState::Interrupted => {
            "The event is not over: this is how it stands.".to_owned()
        }
        RunState::Failed => "The event was stopped by an error: this is how it stood.".to_owned(),
    };
    let (first_sentence, _) = sentences(event.standings(), 1);
    text.push_str("<div class=\"verdict\">\n");
    text.push_str(&paragraph(&said));
    first_sentence.iter().for_each(|sentence| text.push_str(&paragraph(&ended(sentence))));
    text.push_str("</div>\n");
    let warnings = event.warnings();
    if !warnings.is_empty() {
        text.push_str("<div class=\"verdict fails\">\n<p>Warnings</p>\n");
        text.push_str(&list(&warnings));
        text.push_str("</div>\n");
    }
    text
}

/// Day and minute of a time.
fn when(time: &str) -> String {
    let (day, rest) = time.split_once('T').unwrap_or((time, ""));
    format!("{day} {}", rest.get(..5).unwrap_or(rest)).trim_end().to_owned()
}

fn ended(sentence: &str) -> String {
    format!("{}.", sentence.trim_end_matches('.'))
}

fn list(lines: &[String]) -> String {
    let items: String = lines.iter().map(|line| format!("<li>{}</li>\n", escaped(&ended(line)))).collect();
    if lines.is_empty() { String::new() } else { format!("<ul>\n{items}</ul>\n") }
}

/// The tables of earlier stages.
fn stages(site: &EventSite<'_>) -> String {
    let stages = site.event.stages;
    let mut text = String::new();
    for stage in &stages[..stages.len() - 1] {
        let table = standings::table(site, &stage.standings, 50);
        text.push_str(&format!(
            "<details>\n<summary>{}</summary>\n{table}</details>\n",
            escaped(&stage.name)
        ));
    }
    if let Some(last) = stages.last().filter(|_| stages.len() > 1) {
        text.push_str(&format!("<h3>{}</h3>\n", escaped(&last.name)));
    }
    text
}

fn meaning(site: &EventSite<'_>) -> String {
    let standings = site.event.standings();
    let (mut sentences, n_more) = sentences(standings, SENTENCES);
    if n_more > 0 {
        sentences
            .push(format!("… and {} of neighbors in standings.json", counted(n_more as u64, "more pair")));
    }
    let notes = site.event.notes();
    let mut text = list(&sentences);
    if !notes.is_empty() {
        text.push_str("<h3>Notes</h3>\n");
        text.push_str(&list(&notes));
    }
    text
}

/// How much of the results no ranking explains.
fn circles(site: &EventSite<'_>) -> String {
    let Some(found) = CycleAnalysis::of(site.event.standings()) else { return String::new() };
    let Some(whole) = &found.full_crosstable else { return String::new() };
    let row = |((&player, &nash), &alpha): ((&usize, &f64), &f64)| {
        let share = |value: f64| if value < 5e-4 { "0".to_owned() } else { percent(value) };
        vec![site.event.name(player).to_owned(), share(nash), share(alpha)]
    };
    let rows: Vec<Vec<String>> =
        found.players.iter().zip(&whole.nash).zip(&whole.alpha_rank).map(row).collect();
    let mut text = paragraph(&format!(
        "Cyclic share of all results: {:.2}; at 0 everything is a matter of strength, at 1 everything is rock, paper, scissors.",
        whole.cyclic_share
    ));
    let caption = "Nash: share of the mixture of players that nobody beats. Alpha-rank: share of time in a long evolution.";
    let table =
        table(caption, &[text_column("player"), number_column("Nash"), number_column("alpha-rank")], &rows);
    text.push_str(&format!(
        "<details>\n<summary>Nash averaging and alpha-rank</summary>\n{table}</details>\n"
    ));
    text
}

fn endings(site: &EventSite<'_>) -> String {
    let reasons = end_reasons(site.event);
    let all: u32 = reasons.iter().map(|(_, number)| number).sum();
    let row = |(reason, number): &(String, u32)| {
        vec![
            reason.clone(),
            number.to_string(),
            format!("{:.1} %", 100.0 * f64::from(*number) / f64::from(all.max(1))),
        ]
    };
    let rows: Vec<Vec<String>> = reasons.iter().map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    table(
        "Games that count, by the way they ended.",
        &[text_column("end"), number_column("games"), number_column("share")],
        &rows,
    )
}

/// Games that somebody forfeited.
fn failures(site: &EventSite<'_>) -> String {
    let failed: Vec<&EventGame> = site.games.iter().filter(|game| game.forfeit.is_some()).collect();
    if failed.is_empty() {
        return paragraph("Nobody failed: every game ended on the board.");
    }
    let row = |game: &&EventGame| {
        let (culprit, rival) = match game.forfeit {
            Some(Winner::Second) => (&game.second, &game.first),
            _ => (&game.first, &game.second),
        };
        let kind = game.fault.as_deref().unwrap_or(&game.game.reason);
        vec![
            site.game("", game),
            site.named("", culprit),
            site.named("", rival),
            escaped(kind),
            escaped(game.detail.as_deref().unwrap_or("")),
        ]
    };
    let rows: Vec<Vec<String>> = failed.iter().take(FAILURES).map(row).collect();
    let caption = format!(
        "{} forfeited. A player's page has what it wrote to standard error; palestra replay-failure GAME plays it again.",
        counted(failed.len() as u64, "game")
    );
    table_of(
        &caption,
        &[
            number_column("game"),
            text_column("who failed"),
            text_column("against"),
            text_column("kind"),
            text_column("what was seen"),
        ],
        &rows,
    )
}

fn files(site: &EventSite<'_>) -> String {
    let file = |(name, what): (&str, &str)| format!("<li>{}: {}</li>\n", link(name, name), escaped(what));
    let all = [
        ("standings.csv", "the table for a gradebook"),
        ("standings.json", "everything on this page for a script"),
        ("games.pgn", "every game as text"),
        ("games.jsonl", "every game as a line of JSON"),
        ("plan.toml", "the plan; palestra tournament plan.toml plays it again"),
    ];
    let mut text = format!("<ul>\n{}</ul>\n", all.into_iter().map(file).collect::<String>());
    if site.shown.len() < site.games.len() {
        text.push_str(&paragraph(&format!(
            "Of {} games {} have a page: failures, and those of the players who stand highest. The files have all of them.",
            site.games.len(),
            site.shown.len()
        )));
    }
    text
}
