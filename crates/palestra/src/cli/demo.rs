//! What `palestra` shows when asked for nothing: players, a ranking that means something, and reasons.

use super::args::Common;
use super::explain::reasons;
use super::output::{Align, Output, bar, grouped, pool, table};
use crate::GAMES;
use anyhow::Result;
use palestra_arena::{AnyGame, MatchPlan, MatchRecord};
use palestra_core::Seed;
use serde_json::json;

const GAME: &str = "connect4";
/// From knowing nothing to a tuned evaluation and a search.
const PLAYERS: [&str; 6] =
    ["random", "rival-0", "rival-4", "genetic-league-weighted-cut", "grid-5", "threes-best"];
const GAMES_PER_PAIRING: u64 = 200;
const OPENING_PLIES: u32 = 4;

pub(super) fn run(common: &Common, output: &mut Output) -> Result<()> {
    let game = GAMES.open(GAME)?;
    let standings = round_robin(game.as_ref(), common)?;
    if output.json {
        for (rank, entry) in standings.entries.iter().enumerate() {
            let player = PLAYERS[entry.player];
            output.json(
                &json!({ "rank": rank + 1, "player": player, "games": entry.n_games, "score": entry.score }),
            )?;
        }
        return Ok(());
    }
    let n_games: u64 = standings.matches.iter().map(|(_, record)| record.n_games()).sum();
    output.heading("Palestra: a training ground for board-game players")?;
    output.line("")?;
    output.line(format_args!(
        "Six players of Connect 4 have just played all against all: {} games, {} a pairing, in pairs from the\n\
         same random opening with sides swapped. Score of the row against the column, in percent:\n",
        grouped(n_games),
        GAMES_PER_PAIRING
    ))?;
    output.line(standings.crosstable())?;
    let leaders = [standings.entries[0].player, standings.entries[1].player];
    if let Some((_, record)) =
        standings.matches.iter().find(|([a, b], _)| leaders.contains(a) && leaders.contains(b))
    {
        let [a, b] = &record.players;
        output.line(format_args!("{}\n", record.verdict.sentence(a, b)))?;
    }
    output.heading("Why did it play that? grid-5, weights found by grid search, after 4 4 3")?;
    output.line("")?;
    let session = game.session(None, "443")?;
    output.line(session.grid().to_text(output.color))?;
    reasons(&session.explain("grid-5", Seed(common.seed))?, output)?;
    output.line("")?;
    output.heading("Next")?;
    output
        .line("  palestra play connect4                   play against the computer, here in the terminal")?;
    output
        .line("  palestra match connect4 grid-5 rival-4 --games 1000 --opening-plies 4     who is better?")?;
    output.line("  palestra explain connect4 4455 grid-5    why that move?")?;
    output.line("  palestra games connect                   rules, features, notation; any board size")?;
    output.line("  palestra players                         everyone who can play")?;
    output.line("  palestra --help                          the rest")?;
    output.line("")?;
    output.line("From a clone, `cargo run --release --` stands for `palestra`; `cargo install --path crates/palestra` installs it.")
}

struct Standings {
    /// Each pairing once, by the places of the two in [`PLAYERS`].
    matches: Vec<([usize; 2], MatchRecord)>,
    /// Best first.
    entries: Vec<Entry>,
}

struct Entry {
    player: usize,
    /// Mean score over its matches, all of which have the same number of games.
    score: f64,
    n_games: u64,
}

/// Everyone against everyone.
fn round_robin(game: &dyn AnyGame, common: &Common) -> Result<Standings> {
    let n = PLAYERS.len();
    let pairings: Vec<[usize; 2]> = (0..n).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
    let bar = bar(pairings.len() as u64, "matches");
    let mut matches = Vec::new();
    pool(common)?.install(|| {
        for (i, &[a, b]) in pairings.iter().enumerate() {
            let plan = MatchPlan::new(
                [PLAYERS[a], PLAYERS[b]],
                GAMES_PER_PAIRING,
                Seed(common.seed).child(i as u64),
            );
            let plan = MatchPlan { opening_plies: OPENING_PLIES, ..plan };
            matches.push(([a, b], game.run_match(&plan, &())?));
            bar.inc(1);
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    let mut standings = Standings { matches, entries: Vec::new() };
    standings.entries = (0..n)
        .map(|player| {
            let scores: Vec<f64> = (0..n).filter_map(|rival| standings.score(player, rival)).collect();
            let n_games = GAMES_PER_PAIRING * scores.len() as u64;
            Entry { player, score: scores.iter().sum::<f64>() / scores.len() as f64, n_games }
        })
        .collect();
    standings.entries.sort_by(|a, b| b.score.total_cmp(&a.score));
    Ok(standings)
}

impl Standings {
    /// The score of one player against another; none against itself.
    fn score(&self, player: usize, rival: usize) -> Option<f64> {
        self.matches.iter().find_map(|([a, b], record)| match [player, rival] {
            [p, r] if [p, r] == [*a, *b] => Some(record.score()),
            [p, r] if [r, p] == [*a, *b] => Some(1.0 - record.score()),
            _ => None,
        })
    }

    fn crosstable(&self) -> String {
        let n = self.entries.len();
        let mut rows = vec![vec![String::new(), "player".to_owned()]];
        rows[0].extend((1..=n).map(|rank| rank.to_string()));
        rows[0].push("all".to_owned());
        for (rank, entry) in self.entries.iter().enumerate() {
            let mut row = vec![(rank + 1).to_string(), PLAYERS[entry.player].to_owned()];
            row.extend(self.entries.iter().map(|other| {
                let score = self.score(entry.player, other.player);
                score.map_or("·".to_owned(), |score| format!("{:.0}", 100.0 * score))
            }));
            row.push(format!("{:.1}", 100.0 * entry.score));
            rows.push(row);
        }
        let mut align = vec![Align::Right; n + 3];
        align[1] = Align::Left;
        table(&rows, &align)
    }
}
