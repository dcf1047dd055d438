//! `palestra accuracy`.

use super::args::{AccuracyArgs, CommonArgs};
use super::matches::MatchProgress;
use super::output::{Align, Output, bar, counted, grouped, number, table, thread_pool};
use super::{CommandStatus, interrupt};
use crate::games;
use anyhow::Result;
use palestra_arena::{AccuracyPlan, AccuracyRecord, TestSuitePlan};

pub(super) fn run(args: &AccuracyArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let game = games().open(&args.game)?;
    let plan = AccuracyPlan {
        players: args.players.clone(),
        test_suite: TestSuitePlan {
            n_positions: args.positions,
            seed: common.seed,
            exact_nodes: args.exact_nodes,
            deep_nodes: args.nodes,
            from_ply: args.from_ply,
        },
    };
    let progress =
        MatchProgress { bar: bar(u64::from(args.positions), "positions"), stop: interrupt::flag()? };
    let record = thread_pool(common)?.install(|| game.run_accuracy(&plan, &progress));
    progress.bar.finish_and_clear();
    let record = record?;
    if output.json {
        let mut value = serde_json::to_value(&record)?;
        value["seed"] = common.seed.into();
        output.json(&value)?;
    } else {
        print(&record, args, common, output)?;
    }
    Ok(if record.complete { CommandStatus::Completed } else { CommandStatus::Interrupted })
}

fn print(
    record: &AccuracyRecord,
    args: &AccuracyArgs,
    common: &CommonArgs,
    output: &mut Output,
) -> Result<()> {
    let how = if record.exact { "exactly" } else { "by deep search, not proved" };
    output.line(format_args!(
        "{}: {}, seed {}, every move rated {how}\n",
        record.game,
        counted(record.positions, "position"),
        common.seed
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
