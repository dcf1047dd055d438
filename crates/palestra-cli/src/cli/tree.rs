//! `palestra tree`.

use super::args::{ChartArgs, TreeArgs};
use super::output::{Align, Output, grouped, number, table};
use anyhow::Result;
use palestra_arena::{SearchTree, TreeLevel};
use palestra_review::chart::{AxisScale, ChartLine, LineChart};

/// Limit on the nodes of a full tree, which is counted for comparison; a larger one is left out.
const MAX_NODES: u64 = 50_000_000;

pub(super) fn run(args: &TreeArgs, output: &mut Output) -> Result<()> {
    let (game, session) = args.start.open()?;
    let trees = args
        .players
        .iter()
        .map(|player| session.tree(&game.player(player)?))
        .collect::<Result<Vec<SearchTree>, _>>()?;
    let mut columns: Vec<(String, &[TreeLevel])> =
        trees.iter().map(|tree| (tree.player.clone(), tree.levels.as_slice())).collect();
    // A single search that prunes is compared with the full tree.
    let depth = trees.iter().map(|tree| tree.levels.len() as u32).max().unwrap_or(1) - 1;
    let is_drawn = args.chart.is_wanted();
    let is_alone = trees.len() == 1 && !trees[0].is_full && (is_drawn || !output.json);
    let full_tree = is_alone.then(|| session.whole_tree(depth, MAX_NODES));
    if let Some(Some(levels)) = &full_tree {
        columns.insert(0, (format!("full tree, {depth} plies"), levels));
    }
    if is_drawn {
        draw(&columns, &game.name(), &args.chart)?;
    }
    if output.json {
        return trees.iter().try_for_each(|tree| output.json(tree));
    }
    for (title, levels) in &columns {
        output.heading(title)?;
        output.line(level_table(levels))?;
    }
    if full_tree == Some(None) {
        let max = grouped(MAX_NODES);
        output.line(format_args!("full tree, {depth} plies: more than {max} positions\n"))?;
    }
    for tree in &trees {
        let value = number(tree.value);
        output.line(format_args!("{} chooses {}, value {value}", tree.player, tree.chosen))?;
    }
    Ok(())
}

/// Draws the positions per level, one line per tree.
fn draw(columns: &[(String, &[TreeLevel])], game: &str, files: &ChartArgs) -> Result<()> {
    let line = |(title, levels): &(String, &[TreeLevel])| ChartLine {
        label: title.clone(),
        points: levels.iter().map(|level| (level.level as f64, level.nodes as f64)).collect(),
    };
    let chart = LineChart {
        title: format!("Positions per level: {game}"),
        across: "level: plies from the root".to_owned(),
        up: "positions".to_owned(),
        scale: AxisScale::Logarithmic,
        lines: columns.iter().map(line).collect(),
    };
    files.write(&chart.draw())
}

fn level_table(levels: &[TreeLevel]) -> String {
    let mut rows = vec![["level", "nodes", "min", "max", "mean", ""].map(str::to_owned).to_vec()];
    let max = levels.iter().map(|level| level.nodes).max().unwrap_or(1).max(2) as f64;
    for level in levels {
        // A tree grows exponentially, so that the bar is logarithmic.
        let length = (24.0 * (level.nodes as f64).ln_1p() / max.ln_1p()).round() as usize;
        rows.push(vec![
            level.level.to_string(),
            grouped(level.nodes),
            level.min.to_string(),
            level.max.to_string(),
            format!("{:.4}", level.mean),
            "#".repeat(length),
        ]);
    }
    let total: u64 = levels.iter().map(|level| level.nodes).sum();
    rows.push(vec!["total".to_owned(), grouped(total)]);
    let right = Align::Right;
    table(&rows, &[Align::Left, right, right, right, right, Align::Left])
}
