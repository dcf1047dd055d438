//! One player of an event, in a terminal.

use super::evidence::{tail, time_measured};
use super::table::{TerminalStyle, cut_at};
use super::text::{percent, plain, points, rated, short, time};
use super::{EventReport, StageStandings, failures, score_of};
use crate::cli::output::{Align, counted, table};
use palestra_arena::{Forfeit, Speaker, program_name};
use palestra_core::Side;
use palestra_store::EventGame;
use palestra_tournament::{PlayerStanding, WinDrawLoss};

/// How much a page shows.
#[derive(Clone, Copy)]
pub(crate) struct PlayerPageDetail {
    /// Whether to show the command of its program, and the command that replays a failure.
    commands: bool,
    /// Lines of standard error that are shown for a failure.
    stderr_lines: usize,
    /// Lines of the dialogue that are shown for a failure.
    dialogue_lines: usize,
    /// Longest line, in characters.
    width: usize,
}

impl PlayerPageDetail {
    /// For the organizers, who can look at each game.
    pub(crate) const STAFF: PlayerPageDetail =
        PlayerPageDetail { commands: true, stderr_lines: 6, dialogue_lines: 0, width: 72 };
    /// For the student, who sees nothing else.
    pub(crate) const STUDENT: PlayerPageDetail =
        PlayerPageDetail { commands: false, stderr_lines: 40, dialogue_lines: 40, width: 400 };
}

/// Lost games and failures that are listed.
const MAX_LISTED: usize = 30;

/// One player: standing, results by opponent and side, endings, failures and lost games.
pub(crate) fn player_page(
    event: &EventReport<'_>,
    games: &[EventGame],
    player: usize,
    detail: PlayerPageDetail,
    style: TerminalStyle,
) -> String {
    let (stage, row) = &event.last_standing(player);
    let mut text = heading(&plain(event.name(player)), style);
    if detail.commands {
        text.push_str(&format!("  {}\n", plain(&event.entrants[player].player)));
    }
    facts(event, stage, row).iter().for_each(|fact| text.push_str(&format!("  {}\n", plain(fact))));
    text.push_str(&by_opponent(event, stage, row, style));
    text.push_str(&by_ending(row, style));
    text.push_str(&failed(event, games, row, detail, style));
    text.push_str(&lost(event, games, player, style));
    text
}

fn heading(text: &str, style: TerminalStyle) -> String {
    if style.color { format!("\x1b[1m{text}\x1b[0m\n") } else { format!("{text}\n") }
}

/// Rank, points, score, rating and time, one sentence each.
pub(super) fn facts(event: &EventReport<'_>, stage: &StageStandings, row: &PlayerStanding) -> Vec<String> {
    let standings = &stage.standings;
    let ranked = standings.ranked().len();
    let of_stage = if event.stages.len() > 1 { format!("{}: ", stage.name) } else { String::new() };
    let standing = match (row.rank, row.quarantined_at) {
        (Some(rank), _) => format!("rank {rank} of {ranked}, {} points", points(row.points)),
        (None, Some(_)) => {
            format!("disqualified ({}): none of its games count", failures(row))
        }
        (None, None) if row.count().games() > 0 => "not ranked: a reference player".to_owned(),
        (None, None) => "no games".to_owned(),
    };
    let mut facts = vec![of_stage + &standing];
    if let Some(score) = score_of(row) {
        let WinDrawLoss { wins, draws, losses } = row.count();
        let games = counted(u64::from(row.count().games()), "game");
        facts
            .push(format!("{games}: won {wins}, drawn {draws}, lost {losses}; score {:.1} %", 100.0 * score));
    }
    if row.byes > 0 {
        facts.push(counted(u64::from(row.byes), "bye"));
    }
    if let Some(rated) = rated(standings, row.player) {
        facts.push(format!("rated {} Elo", rated.estimate().cell()));
    }
    for reference in event.thresholds().into_iter().filter(|&reference| reference != row.player) {
        if let Some(los) = standings.superiority(row.player, reference) {
            facts.push(format!("above {} with {}", event.name(reference), percent(los)));
        }
    }
    if let Some(mark) = standings.mark_of(row.player, event.marks) {
        facts.push(format!("mark {}: {}", points(mark.grade), mark.sentence));
    }
    if row.milliseconds > 0 {
        facts.push(format!("time used: {}", time(row.milliseconds)));
    }
    if !row.late.is_none() {
        let moves = counted(u64::from(row.late.moves), "late move");
        facts.push(format!("{moves}, by {} in all", time(row.late.micros / 1000)));
    }
    facts
}

/// Wins, draws and losses as `3-1-0`.
pub(super) fn results(count: WinDrawLoss) -> String {
    if count.games() == 0 {
        "–".to_owned()
    } else {
        format!("{}-{}-{}", count.wins, count.draws, count.losses)
    }
}

fn by_opponent(
    event: &EventReport<'_>,
    stage: &StageStandings,
    row: &PlayerStanding,
    style: TerminalStyle,
) -> String {
    if row.count().games() == 0 {
        return String::new();
    }
    let standings = &stage.standings;
    let head = ["opponent", "points", "W-D-L", "as first", "as second", "LOS"];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    let [first, second] = row.by_side;
    cells.push(vec![
        "all".to_owned(),
        points(row.points),
        results(row.count()),
        results(first),
        results(second),
        String::new(),
    ]);
    for opponent in &standings.rows {
        let Some(head_to_head) = standings.head_to_head(row.player, opponent.player) else { continue };
        let [first, second] = head_to_head.by_side;
        cells.push(vec![
            short(event.name(opponent.player)),
            points(head_to_head.points[0]),
            results(head_to_head.count()),
            results(first),
            results(second),
            standings.superiority(row.player, opponent.player).map_or("–".to_owned(), percent),
        ]);
    }
    let (left, right) = (Align::Left, Align::Right);
    format!(
        "\n{}{}",
        heading("By opponent and side", style),
        table(&cells, &[left, right, right, right, right, right])
    )
}

fn by_ending(row: &PlayerStanding, style: TerminalStyle) -> String {
    if row.endings.is_empty() {
        return String::new();
    }
    let mut cells = vec![["ending", "W", "D", "L"].map(str::to_owned).to_vec()];
    for (reason, count) in &row.endings {
        let numbers = [count.wins, count.draws, count.losses].map(|number| number.to_string());
        cells.push([plain(reason)].into_iter().chain(numbers).collect());
    }
    format!("\n{}", heading_table(&cells, style))
}

fn heading_table(cells: &[Vec<String>], style: TerminalStyle) -> String {
    let text = table(cells, &[Align::Left, Align::Right, Align::Right, Align::Right]);
    match text.split_once('\n') {
        Some((first, rest)) => heading(first, style) + rest,
        None => text,
    }
}

/// The side of a player in a game.
pub(super) fn side_in(game: &EventGame, name: &str) -> Option<Side> {
    match name {
        name if name == game.place.first => Some(Side::First),
        name if name == game.place.second => Some(Side::Second),
        _ => None,
    }
}

fn failed(
    event: &EventReport<'_>,
    games: &[EventGame],
    row: &PlayerStanding,
    page: PlayerPageDetail,
    style: TerminalStyle,
) -> String {
    let name = event.name(row.player);
    let own = games.iter().filter(|game| {
        game.game.record.forfeit.is_some() && game.game.record.culprit() == side_in(game, name)
    });
    let own: Vec<&EventGame> = own.collect();
    if own.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{}", heading("Failures", style));
    for game in own.iter().take(MAX_LISTED) {
        let record = &game.game.record;
        let Some(Forfeit { culprit, kind, detail }) = &record.forfeit else { continue };
        let opponent = game.place.name(culprit.other());
        text.push_str(&format!(
            "  game {} against {}: {}\n",
            game.id,
            short(opponent),
            plain(&format!("{kind}: {detail}"))
        ));
        let Some(evidence) = &record.evidence else { continue };
        if let Some(verdict) = &evidence.verdict {
            text.push_str(&format!("    {}\n", time_measured(verdict)));
        }
        let log = evidence.log(*culprit);
        let (n_earlier, dialogue) = tail(&log.dialogue, page.dialogue_lines);
        if n_earlier > 0 && page.dialogue_lines > 0 {
            text.push_str(&format!("    … {}\n", counted(n_earlier as u64, "earlier line")));
        }
        for line in dialogue {
            let arrow = if line.by == Speaker::Palestra { "→" } else { "←" };
            let at = line.at_us as f64 / 1e3;
            text.push_str(&format!("    {at:>10.3} ms {arrow} {}\n", cut_at(&plain(&line.text), page.width)));
        }
        text.push_str(&stderr_tail(&log.stderr, page.stderr_lines, page.width));
    }
    if own.len() > MAX_LISTED {
        text.push_str(&format!("  … and {} more\n", own.len() - MAX_LISTED));
    }
    if page.commands {
        let replays = format!("  {} engine replay {} replays the first of them\n", program_name(), own[0].id);
        text.push_str(&replays);
    }
    text
}

/// The last lines of what a program wrote to standard error.
pub(crate) fn stderr_tail(stderr: &str, max_lines: usize, width: usize) -> String {
    let lines: Vec<&str> = stderr.lines().collect();
    let (_, tail) = tail(&lines, max_lines);
    tail.iter().map(|line| format!("    stderr: {}\n", cut_at(&plain(line), width))).collect()
}

fn lost(event: &EventReport<'_>, games: &[EventGame], player: usize, style: TerminalStyle) -> String {
    let name = event.name(player);
    let is_lost = |game: &&EventGame| {
        let side = side_in(game, name);
        side.is_some()
            && game.game.record.winner.is_some()
            && game.game.record.winner != side
            && game.game.record.culprit() != side
    };
    let lost: Vec<&EventGame> = games.iter().filter(is_lost).collect();
    if lost.is_empty() {
        return String::new();
    }
    let mut cells = vec![["game", "round", "against", "side", "plies", "end"].map(str::to_owned).to_vec()];
    for game in lost.iter().take(MAX_LISTED) {
        let Some(side) = side_in(game, name) else { continue };
        cells.push(vec![
            game.id.to_string(),
            (game.place.round + 1).to_string(),
            short(game.place.name(side.other())),
            side.to_string(),
            game.game.record.plies.to_string(),
            plain(&game.game.record.reason),
        ]);
    }
    let (left, right) = (Align::Left, Align::Right);
    let mut text = format!(
        "\n{}{}",
        heading("Lost games", style),
        table(&cells, &[right, right, left, left, right, left])
    );
    if lost.len() > MAX_LISTED {
        text.push_str(&format!("… and {}\n", counted((lost.len() - MAX_LISTED) as u64, "more game")));
    }
    text
}
