//! `palestra tree`.

use super::args::{ChartArgs, TreeArgs};
use super::output::{Align, Output, grouped, number, table};
use crate::games;
use anyhow::Result;
use palestra_arena::{SearchTree, TreeLevel};
use palestra_review::chart::{AxisScale, ChartLine, LineChart};

/// Whole trees beyond this many positions are not counted beside a search's own.
const MOST_NODES: u64 = 50_000_000;

pub(super) fn run(args: &TreeArgs, output: &mut Output) -> Result<()> {
    let game = games().open(&args.game)?;
    let session = game.session(args.place.setup.as_deref(), &args.moves)?;
    let trees =
        args.players.iter().map(|player| session.tree(player)).collect::<Result<Vec<SearchTree>, _>>()?;
    let mut columns: Vec<(String, &[TreeLevel])> =
        trees.iter().map(|tree| (tree.player.clone(), tree.levels.as_slice())).collect();
    // Beside a single search that leaves something out, what it is left out of.
    let depth = trees.iter().map(|tree| tree.levels.len() as u32).max().unwrap_or(1) - 1;
    let is_drawn = args.picture.is_wanted();
    let is_alone = trees.len() == 1 && !trees[0].player.starts_with("minimax") && (is_drawn || !output.json);
    let whole = is_alone.then(|| session.whole_tree(depth, MOST_NODES));
    if let Some(Some(levels)) = &whole {
        columns.insert(0, (format!("everything, {depth} plies"), levels));
    }
    if is_drawn {
        draw(&columns, &game.name(), &args.picture)?;
    }
    if output.json {
        return trees.iter().try_for_each(|tree| output.json(&serde_json::to_value(tree)?));
    }
    for (title, levels) in &columns {
        output.heading(title)?;
        output.line(level_table(levels))?;
    }
    if whole == Some(None) {
        let most = grouped(MOST_NODES);
        output.line(format_args!("everything, {depth} plies: more than {most} positions\n"))?;
    }
    for tree in &trees {
        let value = number(tree.value);
        output.line(format_args!("{} chooses {}, value {value}", tree.player, tree.chosen))?;
    }
    Ok(())
}

/// Positions per level, a line for each tree.
fn draw(columns: &[(String, &[TreeLevel])], game: &str, picture: &ChartArgs) -> Result<()> {
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
    picture.write(&chart.draw())
}

fn level_table(levels: &[TreeLevel]) -> String {
    let mut rows = vec![["level", "nodes", "min", "max", "mean", ""].map(str::to_owned).to_vec()];
    let most = levels.iter().map(|level| level.nodes).max().unwrap_or(1).max(2) as f64;
    for level in levels {
        // A tree grows by factors: the bar is as long as the number has digits.
        let length = (24.0 * (level.nodes as f64).ln_1p() / most.ln_1p()).round() as usize;
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
