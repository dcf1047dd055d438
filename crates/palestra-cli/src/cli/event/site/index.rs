//! The index page: results of the event, and links to all other pages and files.

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

/// Most failures that are listed here; the pages of players have all of them.
const MAX_FAILURES: usize = 200;
/// Most sentences about neighbors.
const MAX_SENTENCES: usize = 40;

/// The page.
pub(super) fn page(site: &EventSite<'_>) -> String {
    let event = site.event;
    let parts = [
        ("standings", "Standings", stages(site) + &standings::part(site)),
        ("meaning", "Conclusions", meaning(site)),
        ("crosstable", "Crosstable", matrix::crosstable(site)),
        ("superiority", "Likelihood of superiority", matrix::superiority(site) + &cycle_section(site)),
        ("rounds", "Rounds and pairings", rounds::part(site)),
        ("endings", "Endings", endings(site)),
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
    let verdict = match run.state {
        RunState::Done if best.len() == 1 => format!("{} is first.", best[0]),
        RunState::Done if (2..6).contains(&best.len()) => {
            format!("{} share first place.", best.join(" and "))
        }
        RunState::Done => format!("{} share first place.", counted(best.len() as u64, "player")),
        RunState::Running | RunState::Interrupted => {
            "The event is not over; these are the current results.".to_owned()
        }
        RunState::Failed => "The event was stopped by an error; these are the results until then.".to_owned(),
    };
    let (first_sentence, _) = sentences(event.standings(), 1);
    text.push_str("<div class=\"verdict\">\n");
    text.push_str(&paragraph(&verdict));
    first_sentence.iter().for_each(|sentence| text.push_str(&paragraph(&with_period(sentence))));
    text.push_str("</div>\n");
    let warnings = event.warnings();
    if !warnings.is_empty() {
        text.push_str("<div class=\"verdict fails\">\n<p>Warnings</p>\n");
        text.push_str(&list(&warnings));
        text.push_str("</div>\n");
    }
    text
}

/// A time stamp as date, hour and minute.
fn when(time: &str) -> String {
    let (day, rest) = time.split_once('T').unwrap_or((time, ""));
    format!("{day} {}", rest.get(..5).unwrap_or(rest)).trim_end().to_owned()
}

fn with_period(sentence: &str) -> String {
    format!("{}.", sentence.trim_end_matches('.'))
}

fn list(lines: &[String]) -> String {
    let items: String =
        lines.iter().map(|line| format!("<li>{}</li>\n", escaped(&with_period(line)))).collect();
    if lines.is_empty() { String::new() } else { format!("<ul>\n{items}</ul>\n") }
}

/// The standings of earlier stages.
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
    let (mut sentences, n_more) = sentences(standings, MAX_SENTENCES);
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

/// The share of the results that no ranking explains, Nash averaging and alpha-rank.
fn cycle_section(site: &EventSite<'_>) -> String {
    let Some(found) = CycleAnalysis::of(site.event.standings()) else { return String::new() };
    let Some(whole) = &found.full_crosstable else { return String::new() };
    let row = |((&player, &nash), &alpha): ((&usize, &f64), &f64)| {
        let share = |value: f64| if value < 5e-4 { "0".to_owned() } else { percent(value) };
        vec![site.event.name(player).to_owned(), share(nash), share(alpha)]
    };
    let rows: Vec<Vec<String>> =
        found.players.iter().zip(&whole.nash).zip(&whole.alpha_rank).map(row).collect();
    let mut text = paragraph(&format!(
        "Cyclic share of all results: {:.2}; at 0 a ranking explains all results, at 1 they are like rock, paper, scissors.",
        whole.cyclic_share
    ));
    let caption = "Nash: share of the mixture of players that no player beats. Alpha-rank: share of time in a long evolution.";
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
        "Games that count, by ending.",
        &[text_column("end"), number_column("games"), number_column("share")],
        &rows,
    )
}

/// Forfeited games.
fn failures(site: &EventSite<'_>) -> String {
    let failed: Vec<&EventGame> = site.games.iter().filter(|game| game.forfeit.is_some()).collect();
    if failed.is_empty() {
        return paragraph("No failures: every game ended on the board.");
    }
    let row = |game: &&EventGame| {
        let (culprit, opponent) = match game.forfeit {
            Some(Winner::Second) => (&game.second, &game.first),
            _ => (&game.first, &game.second),
        };
        let kind = game.fault.as_deref().unwrap_or(&game.game.reason);
        vec![
            site.game("", game),
            site.named("", culprit),
            site.named("", opponent),
            escaped(kind),
            escaped(game.detail.as_deref().unwrap_or("")),
        ]
    };
    let rows: Vec<Vec<String>> = failed.iter().take(MAX_FAILURES).map(row).collect();
    let caption = format!(
        "{} forfeited. The page of a player shows its standard error; palestra engine replay GAME replays a game.",
        counted(failed.len() as u64, "game")
    );
    table_of(
        &caption,
        &[
            number_column("game"),
            text_column("player"),
            text_column("against"),
            text_column("kind"),
            text_column("detail"),
        ],
        &rows,
    )
}

fn files(site: &EventSite<'_>) -> String {
    let file = |(name, what): (&str, &str)| format!("<li>{}: {}</li>\n", link(name, name), escaped(what));
    let all = [
        ("standings.csv", "standings for a gradebook"),
        ("standings.json", "all data of this page as JSON"),
        ("games.pgn", "all games in PGN style"),
        ("games.jsonl", "all games, one line of JSON each"),
        ("plan.toml", "the plan; palestra tournament plan.toml plays the event again"),
    ];
    let mut text = format!("<ul>\n{}</ul>\n", all.into_iter().map(file).collect::<String>());
    if site.shown.len() < site.games.len() {
        text.push_str(&paragraph(&format!(
            "Of {} games {} have a page: failures, and the games of the highest ranked players. The files have all games.",
            site.games.len(),
            site.shown.len()
        )));
    }
    text
}
