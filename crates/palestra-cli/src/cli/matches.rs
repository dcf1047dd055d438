//! `palestra match`.

use super::args::{CommonArgs, MatchArgs};
use super::output::{Align, Output, bar, grouped, table, thread_pool};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use indicatif::ProgressBar;
use palestra_arena::{MatchPlan, MatchRecord, ProgressMonitor};
use palestra_core::Seed;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Advances the progress bar, and stops the match on Ctrl-C.
pub(super) struct MatchProgress {
    pub(super) bar: ProgressBar,
    pub(super) stop: Arc<AtomicBool>,
}

impl ProgressMonitor for MatchProgress {
    fn advance(&self, n_games: u64) {
        self.bar.inc(n_games);
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

pub(super) fn run(args: &MatchArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let plan = MatchPlan {
        players: [args.a.clone(), args.b.clone()],
        n_games: args.games,
        opening_plies: args.opening_plies,
        seed: Seed(common.seed),
        setup: args.position.setup.clone(),
        moves: args.moves.clone(),
        skip_pairs: args.skip_pairs,
    };
    let progress = MatchProgress { bar: bar(args.games, "games"), stop: interrupt::flag()? };
    progress.bar.set_position(2 * args.skip_pairs.min(args.games / 2));
    let record = thread_pool(common)?.install(|| game.run_match(&plan, &progress));
    progress.bar.finish_and_clear();
    let record = record?;
    if output.json {
        output.json(&to_json(&record, common))?;
    } else {
        print(&record, args, common, output)?;
    }
    if record.complete {
        return Ok(CommandStatus::Completed);
    }
    output.flush()?;
    let [a, b] = &record.players;
    let setup = args.position.setup.as_ref().map_or(String::new(), |setup| format!(" --setup '{setup}'"));
    let moves = if args.moves == "-" { String::new() } else { format!(" --moves '{}'", args.moves) };
    let line = format!(
        "interrupted; to play the rest: palestra match {} {a} {b} --games {} --opening-plies {} --seed {}{setup}{moves} --skip-pairs {}\n",
        record.game, args.games, args.opening_plies, common.seed, record.pairs_done
    );
    std::io::Write::write_all(&mut std::io::stderr(), line.as_bytes())?;
    Ok(CommandStatus::Interrupted)
}

fn to_json(record: &MatchRecord, common: &CommonArgs) -> serde_json::Value {
    let verdict = &record.verdict;
    let [a, b] = &record.players;
    json!({
        "game": record.game, "player": a, "opponent": b, "games": record.n_games(),
        "wins": record.wins, "draws": record.draws, "losses": record.losses,
        "results": [record.wins, record.draws, record.losses],
        "as_first": record.by_side[0], "as_second": record.by_side[1],
        "pairs": record.pairs, "distinct": record.n_distinct, "stochastic": record.is_stochastic, "score": record.score(),
        "elo": verdict.elo, "elo_low": verdict.elo_low, "elo_high": verdict.elo_high,
        "elo_error": verdict.elo_error, "nelo": verdict.nelo, "nelo_error": verdict.nelo_error,
        "los": verdict.los, "verdict": verdict.sentence(a, b), "seed": common.seed,
        "complete": record.complete,
    })
}

fn print(record: &MatchRecord, args: &MatchArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let [a, b] = &record.players;
    let openings = match args.opening_plies {
        0 => "from the same start".to_owned(),
        n => format!("from random openings of {n} plies"),
    };
    output.line(format_args!(
        "{}: {} games in pairs with sides swapped, {openings}, seed {}\n",
        record.game,
        grouped(record.n_games()),
        common.seed
    ))?;
    let row = |name: &str, [wins, draws, losses]: [u64; 3]| {
        let n_games = wins + draws + losses;
        let score = (wins as f64 + draws as f64 / 2.0) / (n_games.max(1) as f64);
        let counts = [n_games, wins, draws, losses].map(grouped);
        let score = if n_games == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * score) };
        std::iter::once(name.to_owned()).chain(counts).chain([score]).collect::<Vec<String>>()
    };
    let rows = [
        ["", "games", "won", "drawn", "lost", "score"].map(str::to_owned).to_vec(),
        row(a, [record.wins, record.draws, record.losses]),
        row("  as first", record.by_side[0]),
        row("  as second", record.by_side[1]),
    ];
    let mut align = [Align::Right; 6];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    let pairs = record.pairs.map(grouped).join(" ");
    output.line(format_args!("pairs by points, 0 ½ 1 1½ 2: {pairs}\n"))?;
    output.line(record.verdict.sentence(a, b))?;
    if !record.is_stochastic && record.n_distinct < record.n_games() {
        output.line(format_args!(
            "only {} of {} games are distinct; a repeated pair is no new evidence and was counted once{}",
            grouped(record.n_distinct),
            grouped(record.n_games()),
            if args.opening_plies == 0 { " (try --opening-plies 4)" } else { "" }
        ))?;
    }
    Ok(())
}
