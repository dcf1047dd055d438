//! `palestra explain`.

use super::args::{CommonArgs, ExplainArgs, open_position};
use super::long_sets;
use super::output::{Align, Output, number, table};
use super::solve::move_seed;
use super::{CommandStatus, explain_program, show};
use anyhow::Result;
use palestra_arena::{ExplainedPosition, MoveReason};
use palestra_core::{InputError, WIN};
use palestra_engine::ProgramSpec;

pub(super) fn run(args: &ExplainArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let (player, moves) = args.moves_and_player.split_last().expect("clap requires at least one argument");
    let (game, session) = open_position(&args.game, args.setup.as_deref(), &moves.join(" "))?;
    if ProgramSpec::is_program_text(player) {
        return explain_program::run((args, common), player, game.as_ref(), session.as_ref(), output);
    }
    if args.values.is_some() {
        let reason = format!("{player} is built in and values the moves itself");
        return Err(InputError::not_allowed("--values", reason).into());
    }
    let explained = session.explain(&game.player(player)?, move_seed(common, session.as_ref()));
    if output.json {
        output.json(&explained)?;
        return Ok(CommandStatus::Completed);
    }
    show::position(session.as_ref(), &explained.shown, output)?;
    output.line("")?;
    reasons(&explained, output)?;
    Ok(CommandStatus::Completed)
}

/// Prints the table of moves, the chosen one marked, and how much better it is than the others.
pub(super) fn reasons(explained: &ExplainedPosition, output: &mut Output) -> Result<()> {
    let Some(chosen) = &explained.chosen else {
        return output.line("the game has ended: there is no move to explain");
    };
    let mut heading = vec![String::new(), "move".to_owned()];
    let columns = long_sets::columns(explained.names.len(), &explained.moves);
    let n_others = explained.names.len() - columns.len();
    heading.extend(columns.iter().map(|&i| explained.names[i].to_owned()));
    heading.extend((n_others > 0).then(|| "others".to_owned()));
    heading.push("value".to_owned());
    let mut rows = vec![heading];
    if !explained.weights.is_empty() {
        let mut weights = vec![String::new(), "weight".to_owned()];
        weights.extend(columns.iter().map(|&i| number(explained.weights[i])));
        weights.resize(rows[0].len(), String::new());
        rows.push(weights);
    }
    for reason in &explained.moves {
        rows.push(row(reason, &columns, n_others, reason.mv == *chosen));
    }
    let mut align = vec![Align::Right; rows[0].len()];
    align[0] = Align::Left;
    output.line(table(&rows, &align))?;
    if !explained.names.is_empty() {
        output.line(
            "Each cell: the feature's contribution to the value and (the feature itself), after the move.",
        )?;
    }
    if n_others > 0 {
        output.line(format_args!(
            "others: the sum over the {n_others} features that differ less between the moves; --json has each."
        ))?;
    }
    if explained.nodes > 0 {
        let ahead = if explained.names.is_empty() {
            "The value is that of a search"
        } else {
            "The value is that of a search, the features are those after the move"
        };
        output.line(format_args!(
            "{ahead}: {} positions below {} moves.",
            explained.nodes, explained.root_moves
        ))?;
    }
    if let Some(depth) = explained.depth {
        output.line(format_args!("Depth {depth}, principal variation {}.", explained.line.join(" ")))?;
    }
    if let Some(rate) = explained.nodes_per_second {
        output.line(format_args!("{rate} positions per second."))?;
    }
    let player = long_sets::player(&explained.player);
    output.line(format_args!("{player} plays {chosen}{}", margin(&explained.moves, chosen)))
}

fn row(reason: &MoveReason, columns: &[usize], n_others: usize, chosen: bool) -> Vec<String> {
    let mut cells = vec![if chosen { "*" } else { "" }.to_owned(), reason.mv.clone()];
    let term = |&i: &usize| format!("{} ({})", number(reason.contributions[i]), reason.features[i]);
    cells.extend(columns.iter().map(term));
    if n_others > 0 {
        let others = reason.contributions.iter().enumerate().filter(|(i, _)| !columns.contains(i));
        cells.push(number(others.map(|(_, adds)| adds).sum()));
    }
    cells.push(reason.value.map_or_else(|| "-".to_owned(), number));
    cells
}

/// How much better the chosen move is than the next best: the end of a sentence.
fn margin(moves: &[MoveReason], chosen: &str) -> String {
    let value = |reason: &MoveReason| reason.value;
    let Some(best) = moves.iter().find(|reason| reason.mv == chosen).and_then(value) else {
        return ".".to_owned();
    };
    let others = moves.iter().filter(|reason| reason.mv != chosen).filter_map(value);
    match others.fold(f64::NEG_INFINITY, f64::max) {
        next if next == f64::NEG_INFINITY && moves.len() > 1 => ".".to_owned(),
        next if next == f64::NEG_INFINITY => ": there is no other move.".to_owned(),
        next if next == best => ": as good as another move, chosen by the move order.".to_owned(),
        // Values of decided games are no points, so that their difference means nothing.
        next if best >= WIN && next < WIN => ": it wins, and the next best move does not.".to_owned(),
        next if next <= -WIN && best > -WIN => ": all other moves lose.".to_owned(),
        next => format!(": {} better than the next best move.", number(best - next)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_of_wins_and_losses_are_no_numbers() {
        // The first move is the chosen one.
        let check = |values: &[f64], expected: &str| {
            let reason = |(i, &value): (usize, &f64)| MoveReason {
                mv: i.to_string(),
                features: Vec::new(),
                contributions: Vec::new(),
                value: Some(value),
            };
            let moves: Vec<MoveReason> = values.iter().enumerate().map(reason).collect();
            assert_eq!(margin(&moves, "0"), expected, "{values:?}");
        };
        check(&[WIN, 3.0, -WIN], ": it wins, and the next best move does not.");
        check(&[WIN, -WIN], ": it wins, and the next best move does not.");
        check(&[3.0, -WIN, -WIN], ": all other moves lose.");
        check(&[3.0, 1.5, -WIN], ": 1.5 better than the next best move.");
        check(&[WIN, WIN], ": as good as another move, chosen by the move order.");
        check(&[3.0], ": there is no other move.");
    }
}
