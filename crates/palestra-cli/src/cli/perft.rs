//! `palestra perft`.

use super::args::{CommonArgs, PerftArgs};
use super::output::{Align, Output, grouped, table};
use super::progress::with_bar;
use anyhow::Result;
use palestra_arena::{AnyGame, Session};
use palestra_core::Progress;
use rayon::prelude::*;
use serde::Serialize;

/// The JSON of `palestra perft`.
#[derive(Serialize)]
struct PerftCounts {
    game: String,
    depth: u32,
    counts: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distinct: Option<Vec<u64>>,
}

pub(super) fn run(args: &PerftArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let (game, session) = args.start.open()?;
    let counts = count(game.as_ref(), session.as_ref(), args.depth, common)?;
    let distinct = args.distinct.then(|| session.count_distinct(args.depth));
    if output.json {
        return output.json(&PerftCounts { game: game.name(), depth: args.depth, counts, distinct });
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
fn count(game: &dyn AnyGame, root: &dyn Session, depth: u32, common: &CommonArgs) -> Result<Vec<u64>> {
    if depth < 4 {
        return Ok(root.count_sequences(depth));
    }
    let mut counts = root.count_sequences(2);
    let start = root.setup();
    let mut lines = Vec::new();
    for first in root.legal() {
        let session = game.session(Some(&start), &first)?;
        lines.extend(session.legal().into_iter().map(|second| format!("{first} {second}")));
    }
    let progress = Progress::default();
    let pool = super::output::thread_pool(common.threads)?;
    let count_line = |line: &String| {
        let session = game.session(Some(&start), line)?;
        let counts = session.count_sequences(depth - 2);
        progress.add(1);
        anyhow::Ok(counts)
    };
    let below: Vec<Vec<u64>> = with_bar(&progress, lines.len() as u64, "lines", || {
        pool.install(|| lines.par_iter().map(count_line).collect::<Result<_>>())
    })?;
    counts.extend((0..depth as usize - 2).map(|i| below.iter().map(|counts| counts[i]).sum::<u64>()));
    Ok(counts)
}
