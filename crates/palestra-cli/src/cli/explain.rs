//! `palestra explain`.

use super::args::{CommonArgs, ExplainArgs};
use super::output::{Align, Output, number, table};
use super::show;
use crate::games;
use anyhow::Result;
use palestra_arena::{ExplainedPosition, MoveReason};
use palestra_core::Seed;

pub(super) fn run(args: &ExplainArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let game = games().open(&args.game)?;
    let (player, moves) = args.words.split_last().expect("clap asks for at least one word");
    let session = game.session(args.place.setup.as_deref(), &moves.join(" "))?;
    // The dice `play` would throw at this ply.
    let seed = Seed(common.seed).child(session.played().len() as u64);
    let explained = session.explain(player, seed)?;
    if output.json {
        return output.json(&serde_json::to_value(&explained)?);
    }
    show::position(session.as_ref(), &explained.shown, output)?;
    output.line("")?;
    reasons(&explained, output)
}

/// The table of moves, the chosen one marked, and a sentence.
pub(super) fn reasons(explained: &ExplainedPosition, output: &mut Output) -> Result<()> {
    let Some(chosen) = &explained.chosen else {
        return output.line("the game has ended: there is no move to explain");
    };
    let mut heading = vec![String::new(), "move".to_owned()];
    heading.extend(explained.names.iter().map(|name| (*name).to_owned()));
    heading.push("value".to_owned());
    let mut rows = vec![heading];
    if !explained.weights.is_empty() {
        let mut weights = vec![String::new(), "weight".to_owned()];
        weights.extend(explained.weights.iter().map(|&weight| number(weight)));
        weights.push(String::new());
        rows.push(weights);
    }
    for reason in &explained.moves {
        rows.push(row(reason, reason.mv == *chosen));
    }
    let mut align = vec![Align::Right; rows[0].len()];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    if !explained.names.is_empty() {
        output.line("Each cell: what the feature adds, and the feature itself, after the move.")?;
    }
    if explained.nodes > 0 {
        let ahead = if explained.names.is_empty() {
            "The value looks ahead"
        } else {
            "The value looks further ahead than the features"
        };
        output.line(format_args!(
            "{ahead}: {} positions below {} moves.",
            explained.nodes, explained.root_moves
        ))?;
    }
    if let Some(depth) = explained.depth {
        output
            .line(format_args!("It looked {depth} plies ahead and expects {}.", explained.line.join(" ")))?;
    }
    if let Some(rate) = explained.nodes_per_second {
        output.line(format_args!("That was {rate} positions a second."))?;
    }
    output.line(format_args!("{} plays {chosen}{}", explained.player, margin(explained, chosen)))
}

fn row(reason: &MoveReason, chosen: bool) -> Vec<String> {
    let mut cells = vec![if chosen { "*" } else { "" }.to_owned(), reason.mv.clone()];
    let terms = reason.contributions.iter().zip(&reason.features);
    cells.extend(terms.map(|(&adds, feature)| format!("{} ({feature})", number(adds))));
    cells.push(reason.value.map_or_else(|| "-".to_owned(), number));
    cells
}

/// How much better the chosen move is than the next best, in words.
fn margin(explained: &ExplainedPosition, chosen: &str) -> String {
    let value = |reason: &MoveReason| reason.value;
    let Some(best) = explained.moves.iter().find(|reason| reason.mv == chosen).and_then(value) else {
        return ".".to_owned();
    };
    let others = explained.moves.iter().filter(|reason| reason.mv != chosen).filter_map(value);
    match others.fold(f64::NEG_INFINITY, f64::max) {
        next if next == f64::NEG_INFINITY && explained.moves.len() > 1 => ".".to_owned(),
        next if next == f64::NEG_INFINITY => ": there is no other move.".to_owned(),
        next if next == best => ": equal to another, chosen by its place in the move order.".to_owned(),
        next => format!(": {} better than the next best.", number(best - next)),
    }
}
