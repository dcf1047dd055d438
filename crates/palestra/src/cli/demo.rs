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
            output.json(&json!({ "rank": rank + 1, "player": player, "games": entry.n_games, "score": entry.score() }))?;
        }
        return Ok(());
    }
    let n_games: u64 = standings.records.iter().flatten().flatten().map(MatchRecord::n_games).sum();
    output.heading("Palestra: a training ground for board-game players")?;
    output.line("")?;
    output.line(format_args!(
        "Six players of Connect 4 have just played all against all: {} games, {} a pairing, in pairs from the\n\
         same random opening with sides swapped. Score of the row against the column, in percent:\n",
        grouped(n_games),
        GAMES_PER_PAIRING
    ))?;
    output.line(standings.crosstable())?;
    let [best, next] = [standings.entries[0].player, standings.entries[1].player];
    if let Some(record) = &standings.records[best][next] {
        output.line(format_args!("{}\n", record.verdict.sentence(PLAYERS[best], PLAYERS[next])))?;
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
    /// The match of row against column, seen from the row.
    records: Vec<Vec<Option<MatchRecord>>>,
    /// Best first.
    entries: Vec<Entry>,
}

struct Entry {
    player: usize,
    points: f64,
    n_games: u64,
}

impl Entry {
    fn score(&self) -> f64 {
        self.points / self.n_games as f64
    }
}

/// Everyone against everyone, each pairing seen from both.
fn round_robin(game: &dyn AnyGame, common: &Common) -> Result<Standings> {
    let n = PLAYERS.len();
    let bar = bar((n * (n - 1)) as u64, "matches");
    let mut records = vec![vec![None; n]; n];
    pool(common)?.install(|| {
        for (i, a) in PLAYERS.into_iter().enumerate() {
            for (j, b) in PLAYERS.into_iter().enumerate().filter(|&(j, _)| j != i) {
                // The seed does not depend on who is named first, so both see the same openings.
                let seed = Seed(common.seed).child((i * j) as u64).child((i + j) as u64);
                let plan = MatchPlan {
                    opening_plies: OPENING_PLIES,
                    ..MatchPlan::new([a, b], GAMES_PER_PAIRING, seed)
                };
                records[i][j] = Some(game.run_match(&plan, &())?);
                bar.inc(1);
            }
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    let mut entries: Vec<Entry> = (0..n)
        .map(|player| {
            let of = |record: &MatchRecord| record.wins as f64 + record.draws as f64 / 2.0;
            let played = records[player].iter().flatten();
            Entry {
                player,
                points: played.clone().map(of).sum(),
                n_games: played.map(MatchRecord::n_games).sum(),
            }
        })
        .collect();
    entries.sort_by(|a, b| b.points.total_cmp(&a.points));
    Ok(Standings { records, entries })
}

impl Standings {
    fn crosstable(&self) -> String {
        let n = self.entries.len();
        let mut rows = vec![vec![String::new(), "player".to_owned()]];
        rows[0].extend((1..=n).map(|rank| rank.to_string()));
        rows[0].push("all".to_owned());
        for (rank, entry) in self.entries.iter().enumerate() {
            let mut row = vec![(rank + 1).to_string(), PLAYERS[entry.player].to_owned()];
            row.extend(self.entries.iter().map(|other| {
                let record = self.records[entry.player][other.player].as_ref();
                record.map_or("·".to_owned(), |record| format!("{:.0}", 100.0 * score_of(record)))
            }));
            row.push(format!("{:.1}", 100.0 * entry.score()));
            rows.push(row);
        }
        let mut align = vec![Align::Right; n + 3];
        align[1] = Align::Left;
        table(&rows, &align)
    }
}

fn score_of(record: &MatchRecord) -> f64 {
    (record.wins as f64 + record.draws as f64 / 2.0) / record.n_games() as f64
}
