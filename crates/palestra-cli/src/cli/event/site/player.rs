//! The page of one player.

use super::EventSite;
use super::page::page as shell;
use crate::cli::event::evidence::{GameEvidence, ProgramLog};
use crate::cli::event::player::{facts, results, side_in};
use crate::cli::event::text::{percent, points};
use crate::cli::event::{StageStandings, likelihood_of_superiority};
use palestra_review::chart::escaped;
use palestra_review::html::{HtmlColumn, number_column, paragraph, table, table_of, text_column, verbatim};
use palestra_store::{EventGame, Winner};
use palestra_tournament::PlayerStanding;
use std::collections::{BTreeMap, BTreeSet};

/// Lines of standard error that are shown for a failure, and most failures that are shown.
const STDERR_LINES: usize = 20;
const MAX_FAILURES: usize = 20;

/// The page.
pub(super) fn page(site: &EventSite<'_>, player: usize) -> String {
    let (stage, row) = &site.event.last_standing(player);
    let entrant = &site.event.entrants[row.player];
    let facts: String =
        facts(site.event, stage, row).iter().map(|fact| format!("<li>{}</li>\n", escaped(fact))).collect();
    let intro = format!("{}<ul>\n{facts}</ul>\n", verbatim(&entrant.player));
    let parts = [
        ("record", "Results by opponent and side", record(site, stage, row)),
        ("endings", "Endings", endings(row)),
        ("failures", "Failures", failures(site, row)),
        ("games", "Games", games(site, row)),
    ];
    shell(site, "../", &entrant.name, &intro, &parts, false)
}

fn record(site: &EventSite<'_>, stage: &StageStandings, row: &PlayerStanding) -> String {
    let standings = &stage.standings;
    let columns = [
        text_column("opponent"),
        number_column("points"),
        number_column("won-drawn-lost"),
        number_column("as first"),
        number_column("as second"),
        number_column("LOS"),
    ];
    let mut rows = Vec::new();
    for opponent in opponents(site, row) {
        let Some(head_to_head) = standings.head_to_head(row.player, opponent) else { continue };
        let [first, second] = head_to_head.by_side;
        let games =
            format!("<a href=\"#vs-{}\">{}</a>", site.names.file(opponent), results(head_to_head.count()));
        rows.push(vec![
            site.player("../", opponent),
            points(head_to_head.points[0]),
            games,
            results(first),
            results(second),
            likelihood_of_superiority(standings, row.player, opponent).map_or("–".to_owned(), percent),
        ]);
    }
    if rows.is_empty() {
        return paragraph("None of its games count.");
    }
    let [first, second] = row.by_side;
    let caption = format!(
        "All: {} as first, {} as second. LOS: likelihood that it is better than the opponent, by all games of the event.",
        results(first),
        results(second)
    );
    table_of(&caption, &columns, &rows)
}

/// All opponents of the player, in the order of the standings.
fn opponents(site: &EventSite<'_>, row: &PlayerStanding) -> Vec<usize> {
    let names = own(site, row).flat_map(|game| [&game.first, &game.second]);
    let numbers: BTreeSet<usize> = names.filter_map(|name| site.names.number(name)).collect();
    let mut opponents: Vec<usize> = numbers.into_iter().filter(|&opponent| opponent != row.player).collect();
    opponents.sort_by_key(|&opponent| (site.ranks[opponent], opponent));
    opponents
}

fn endings(row: &PlayerStanding) -> String {
    let line = |(reason, count): (&String, &palestra_tournament::WinDrawLoss)| {
        let numbers = [count.wins, count.draws, count.losses].map(|number| number.to_string());
        [reason.clone()].into_iter().chain(numbers).collect()
    };
    let rows: Vec<Vec<String>> = row.endings.iter().map(line).collect();
    if rows.is_empty() {
        return String::new();
    }
    table(
        "",
        &[text_column("end"), number_column("won"), number_column("drawn"), number_column("lost")],
        &rows,
    )
}

fn own<'a>(site: &'a EventSite<'_>, row: &PlayerStanding) -> impl Iterator<Item = &'a EventGame> {
    site.of_player[row.player].iter().map(|&i| &site.games[i])
}

fn failures(site: &EventSite<'_>, row: &PlayerStanding) -> String {
    let name = site.event.name(row.player);
    let failed = own(site, row).filter(|game| game.forfeit.is_some() && game.forfeit == side_in(game, name));
    let failed: Vec<&EventGame> = failed.collect();
    let mut text = String::new();
    for game in failed.iter().take(MAX_FAILURES) {
        let Some(side) = game.forfeit else { continue };
        let opponent = if side == Winner::First { &game.second } else { &game.first };
        let kind = escaped(game.fault.as_deref().unwrap_or(&game.game.reason));
        let detail =
            game.detail.as_deref().map_or_else(String::new, |detail| format!(": {}", escaped(detail)));
        text.push_str(&format!(
            "<p>Game {} against {}: <strong>{kind}</strong>{detail}</p>\n",
            site.game("../", game),
            site.named("../", opponent)
        ));
        let evidence = GameEvidence::of(game);
        let lines: Vec<String> = evidence.program_log(side).stderr.lines().map(str::to_owned).collect();
        let (_, tail) = ProgramLog::tail(&lines, STDERR_LINES);
        if !tail.is_empty() {
            text.push_str(&verbatim(&tail.join("\n")));
        }
    }
    if failed.len() > MAX_FAILURES {
        text.push_str(&paragraph(&format!(
            "… and {} more in the list of games.",
            failed.len() - MAX_FAILURES
        )));
    }
    text
}

/// Every game, by opponent.
fn games(site: &EventSite<'_>, row: &PlayerStanding) -> String {
    const COLUMNS: [HtmlColumn; 6] = [
        number_column("game"),
        number_column("round"),
        text_column("side"),
        text_column("result"),
        number_column("plies"),
        text_column("end"),
    ];
    let name = site.event.name(row.player);
    let mut by_opponent: BTreeMap<&str, Vec<Vec<String>>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for game in own(site, row) {
        let Some(side) = side_in(game, name) else { continue };
        let opponent = if side == Winner::First { game.second.as_str() } else { game.first.as_str() };
        let rows = by_opponent.entry(opponent).or_default();
        if rows.is_empty() {
            order.push(opponent);
        }
        let result = match game.game.winner {
            None => "drawn",
            Some(winner) if winner == side => "won",
            Some(_) => "<strong>lost</strong>",
        };
        rows.push(vec![
            site.game("../", game),
            (game.round + 1).to_string(),
            side.name().to_owned(),
            result.to_owned(),
            game.game.plies.to_string(),
            escaped(&game.game.reason),
        ]);
    }
    let mut text = String::new();
    for opponent in order {
        let id = site.names.number(opponent).map_or("other", |player| site.names.file(player));
        text.push_str(&format!("<h3 id=\"vs-{id}\">Against {}</h3>\n", site.named("../", opponent)));
        text.push_str(&table_of("", &COLUMNS, &by_opponent[opponent]));
    }
    text
}
