//! `palestra perft`.

use super::args::{CommonArgs, PerftArgs};
use super::output::{Align, Output, grouped, table};
use crate::games;
use anyhow::Result;
use palestra_arena::AnyGame;
use rayon::prelude::*;
use serde_json::json;

pub(super) fn run(args: &PerftArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let game = games().open(&args.game)?;
    let session = game.session(args.position.setup.as_deref(), &args.moves)?;
    let counts = count(game.as_ref(), args, common)?;
    let distinct = args.distinct.then(|| session.count_distinct(args.depth));
    if output.json {
        let mut value = json!({ "game": game.name(), "depth": args.depth, "counts": counts });
        if let Some(distinct) = distinct {
            value["distinct"] = json!(distinct);
        }
        return output.json(&value);
    }
    let mut heading = vec!["moves".to_owned(), "sequences".to_owned()];
    heading.extend(distinct.is_some().then(|| "positions".to_owned()));
    let mut rows = vec![heading];
    for (i, &count) in counts.iter().enumerate() {
        let mut row = vec![(i + 1).to_string(), grouped(count)];
        row.extend(distinct.as_ref().map(|distinct| grouped(distinct[i + 1])));
        rows.push(row);
    }
    output.line(table(&rows, &[Align::Right; 3][..rows[0].len()]).trim_end())
}

/// Counts below every line of two moves separately, so that threads share the work and a bar shows progress.
fn count(game: &dyn AnyGame, args: &PerftArgs, common: &CommonArgs) -> Result<Vec<u64>> {
    let setup = args.position.setup.as_deref();
    let root = game.session(setup, &args.moves)?;
    if args.depth < 4 {
        return Ok(root.count_sequences(args.depth));
    }
    let mut counts = root.count_sequences(2);
    let start = root.show().setup;
    let mut lines = Vec::new();
    for first in root.legal() {
        let session = game.session(Some(&start), &first)?;
        lines.extend(session.legal().into_iter().map(|second| format!("{first} {second}")));
    }
    let bar = super::output::bar(lines.len() as u64, "lines");
    let pool = super::output::thread_pool(common)?;
    let below: Vec<Vec<u64>> = pool.install(|| {
        let count_line = |line: &String| {
            let session = game.session(Some(&start), line)?;
            let counts = session.count_sequences(args.depth - 2);
            bar.inc(1);
            anyhow::Ok(counts)
        };
        lines.par_iter().map(count_line).collect::<Result<_>>()
    })?;
    bar.finish_and_clear();
    counts.extend((0..args.depth as usize - 2).map(|i| below.iter().map(|counts| counts[i]).sum::<u64>()));
    Ok(counts)
}
