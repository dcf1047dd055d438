//! The pairings and results of each round.

use super::EventSite;
use super::page::page as shell;
use crate::cli::event::result;
use crate::cli::output::counted;
use palestra_review::chart::escaped;
use palestra_review::html::link;
use palestra_store::EventGame;
use std::collections::BTreeMap;

/// Most games whose rounds are on the index page; with more they have a page of their own.
const MAX_ON_INDEX: usize = 400;

/// Whether the rounds are on the index page.
pub(super) fn fits(site: &EventSite<'_>) -> bool {
    site.games.len() <= MAX_ON_INDEX
}

/// The section of the index page.
pub(super) fn part(site: &EventSite<'_>) -> String {
    match (site.games.is_empty(), fits(site)) {
        (true, _) => String::new(),
        (false, true) => rounds(site),
        (false, false) => {
            format!("<p>{}.</p>\n", link("rounds.html", &counted(site.games.len() as u64, "game")))
        }
    }
}

/// The separate page.
pub(super) fn page(site: &EventSite<'_>) -> String {
    shell(site, "", "Rounds", "", &[("rounds", "Rounds and pairings", rounds(site))], false)
}

fn rounds(site: &EventSite<'_>) -> String {
    let mut rounds: BTreeMap<u32, Vec<&EventGame>> = BTreeMap::new();
    site.games.iter().for_each(|game| rounds.entry(game.round).or_default().push(game));
    let mut byes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    site.event.results.byes().for_each(|bye| byes.entry(bye.round).or_default().push(bye.player));
    let n_rounds = rounds.len();
    let mut text = String::new();
    for (round, games) in &rounds {
        let open = if n_rounds == 1 { " open" } else { "" };
        text.push_str(&format!(
            "<details{open}>\n<summary>Round {}: {}</summary>\n<ul class=\"pairings\">\n",
            round + 1,
            counted(games.len() as u64, "game")
        ));
        pairings(site, games).iter().for_each(|line| text.push_str(&format!("<li>{line}</li>\n")));
        for &player in byes.get(round).into_iter().flatten() {
            text.push_str(&format!("<li>{}: bye</li>\n", site.player("", player)));
        }
        text.push_str("</ul>\n</details>\n");
    }
    text
}

/// Pairs of players and their games, in the order of their first game.
fn pairings(site: &EventSite<'_>, games: &[&EventGame]) -> Vec<String> {
    let mut order: Vec<[&str; 2]> = Vec::new();
    let mut found: BTreeMap<[&str; 2], Vec<&EventGame>> = BTreeMap::new();
    for game in games {
        let mut pair = [game.first.as_str(), game.second.as_str()];
        let seats = pair;
        pair.sort_unstable();
        let games_of_pair = found.entry(pair).or_default();
        if games_of_pair.is_empty() {
            order.push(seats);
        }
        games_of_pair.push(game);
    }
    let line = |seats: &[&str; 2]| {
        let mut pair = *seats;
        pair.sort_unstable();
        let game = |game: &&EventGame| {
            // The results of both games are those of the player named first.
            let seen = if game.first == seats[0] {
                result(game.game.winner)
            } else {
                swap(result(game.game.winner))
            };
            let failed = if game.forfeit.is_some() {
                format!(" <em>{}</em>", escaped(&game.game.reason))
            } else {
                String::new()
            };
            format!("{}{failed}", site.game_as("", game, seen))
        };
        let games: Vec<String> = found[&pair].iter().map(game).collect();
        format!("{} – {}: {}", site.named("", seats[0]), site.named("", seats[1]), games.join(", "))
    };
    order.iter().map(line).collect()
}

fn swap(result: &'static str) -> &'static str {
    match result {
        "1-0" => "0-1",
        "0-1" => "1-0",
        other => other,
    }
}
