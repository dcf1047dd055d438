//! `palestra accuracy`.

use super::args::{AccuracyArgs, CommonArgs};
use super::output::{Align, Output, counted, grouped, number, table, thread_pool};
use super::programs::{OpenedPlayers, StartNeeds, plain};
use super::progress::with_bar;
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_arena::{AccuracyPlan, AccuracyRecord, TestSuitePlan};
use palestra_core::Progress;

pub(super) fn run(args: &AccuracyArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let stop = interrupt::flag()?;
    let texts: Vec<&str> = args.players.iter().map(String::as_str).collect();
    let needs = StartNeeds { setup: false, moves: true };
    let opened = OpenedPlayers::open(&texts, (game.as_ref(), needs), (&args.programs, common), &stop)?;
    if !args.no_preflight {
        opened.preflight(game.as_ref())?;
    }
    let plan = AccuracyPlan {
        players: opened.players,
        test_suite: TestSuitePlan {
            n_positions: args.positions,
            seed: common.seed,
            exact_nodes: args.exact_nodes,
            deep_nodes: args.nodes,
            from_ply: args.from_ply,
        },
    };
    let progress = Progress::new(stop);
    let pool = thread_pool(common.threads)?;
    let record = with_bar(&progress, args.positions.into(), "positions", || {
        pool.install(|| game.run_accuracy(&plan, &progress))
    });
    let record = record.map_err(plain)?;
    if output.json {
        output.json(&record)?;
    } else {
        print(&record, args, output)?;
    }
    Ok(if record.complete { CommandStatus::Completed } else { CommandStatus::Interrupted })
}

fn print(record: &AccuracyRecord, args: &AccuracyArgs, output: &mut Output) -> Result<()> {
    let how = if record.exact { "exactly" } else { "by deep search, not proved" };
    output.line(format_args!(
        "{}: {}, seed {}, every move rated {how}\n",
        record.game,
        counted(record.positions, "position"),
        record.seed
    ))?;
    let heading = ["player", "best moves", "share", "95 % interval", "mean regret", "blunders"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for player in &record.players {
        rows.push(vec![
            player.player.clone(),
            grouped(player.optimal),
            format!("{:.1} %", 100.0 * player.share),
            format!("{:.1} to {:.1} %", 100.0 * player.share_low, 100.0 * player.share_high),
            number(player.mean_regret),
            format!("{} ({:.1} %)", grouped(player.blunders), 100.0 * player.blunder_rate),
        ]);
    }
    let mut align = [Align::Right; 6];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    output
        .line("regret: value lost against the best move; blunder: a move that gives away a win or a draw")?;
    for player in record.players.iter().filter(|player| !player.failures.is_empty()) {
        let kinds: Vec<String> =
            player.failures.iter().map(|(kind, n)| format!("{} ({kind})", counted(*n, "position"))).collect();
        output.line(format_args!("{} had no move in {}", player.player, kinds.join(", ")))?;
    }
    if !record.complete {
        return output.line("interrupted: fewer positions than requested");
    }
    if record.positions < u64::from(args.positions) {
        let requested = counted(u64::from(args.positions), "position");
        let more = if record.exact { "; --exact-nodes N allows harder ones" } else { "" };
        output.line(format_args!("found fewer than the requested {requested}{more}"))?;
    }
    Ok(())
}
