//! `palestra explain` for an external engine: its move, beside values of the moves from elsewhere.

use super::analyze::{OracleEffort, RatedMoves, interrupted, rated_moves};
use super::args::{CommonArgs, ExplainArgs};
use super::output::{Align, Output, number, table};
use super::programs::{EngineFailed, OpenedPlayers, StartNeeds};
use super::solve::{ended_game_error, move_seed};
use super::{CommandStatus, interrupt, show};
use anyhow::Result;
use palestra_arena::{AnyGame, ChoiceText, MatchPlayer, PlayError, PositionSummary, Session};
use palestra_core::Progress;
use serde::Serialize;

/// Memory and nodes per move of the values, as `palestra analyze` has them.
const EFFORT: OracleEffort = OracleEffort { bytes: Some(1 << 30), nodes: 1_000_000 };

/// Values of the moves, and where they come from.
#[derive(Serialize)]
struct MoveValues {
    #[serde(rename = "values_by")]
    by: String,
    moves: Vec<MoveValue>,
}

/// A move with its value; `None` where it has none.
#[derive(Serialize)]
struct MoveValue {
    #[serde(rename = "move")]
    mv: String,
    value: Option<f64>,
}

/// The position with the engine's move, as JSON.
#[derive(Serialize)]
struct ExplainedChoice<'a> {
    #[serde(flatten)]
    shown: &'a PositionSummary,
    player: &'a str,
    chosen: Option<&'a str>,
    value: Option<f64>,
    nodes: u64,
    #[serde(flatten)]
    values: &'a MoveValues,
}

pub(super) fn run(
    (args, common): (&ExplainArgs, &CommonArgs),
    player: &str,
    game: &dyn AnyGame,
    session: &dyn Session,
    output: &mut Output,
) -> Result<CommandStatus> {
    let shown = session.show();
    let played = session.played();
    let needs = StartNeeds { setup: args.setup.is_some(), moves: !played.is_empty() };
    // An unknown player is reported before the engine is started.
    let values = args.values.as_ref().map(|values| game.player(values)).transpose()?;
    let stop = interrupt::flag()?;
    let opened = OpenedPlayers::open(&[player], (game, needs), (&args.programs, common), &stop)?;
    let [MatchPlayer::External(program)] = &opened.players[..] else { unreachable!("the text of a program") };
    let legal = session.legal();
    if legal.is_empty() {
        return Err(ended_game_error(&shown.setup).into());
    }
    let moves = if played.is_empty() { "-".to_owned() } else { played.join(" ") };
    let choice = match game.ask((args.setup.as_deref(), &moves), program.as_ref()) {
        Ok(choice) => choice,
        Err(PlayError::Fault(fault)) => {
            return Err(EngineFailed(format!("{player} has no move: {fault}")).into());
        }
        Err(PlayError::Internal(why)) => return Err(anyhow::anyhow!(why)),
    };
    let progress = Progress::new(stop);
    let values = match &values {
        Some(by) => {
            let explained = session.explain(by, move_seed(common, session));
            let moves =
                explained.moves.into_iter().map(|reason| MoveValue { mv: reason.mv, value: reason.value });
            MoveValues { by: explained.player, moves: moves.collect() }
        }
        None => match rated_moves(session, &legal, EFFORT, common, &progress) {
            None => return Ok(interrupted(&progress)),
            Some(RatedMoves { moves, is_exact }) => MoveValues {
                by: if is_exact { "exact" } else { "deep search, not proved" }.to_owned(),
                moves: moves
                    .into_iter()
                    .map(|rated| MoveValue { mv: rated.mv, value: Some(rated.value) })
                    .collect(),
            },
        },
    };
    if output.json {
        output.json(&ExplainedChoice {
            shown: &shown,
            player,
            chosen: choice.as_ref().map(|choice| choice.mv.as_str()),
            value: choice.as_ref().and_then(|choice| choice.value),
            nodes: choice.as_ref().map_or(0, |choice| choice.nodes),
            values: &values,
        })?;
        return Ok(CommandStatus::Completed);
    }
    show::position(session, &shown, output)?;
    output.line("")?;
    print(player, choice.as_ref(), &values, output)?;
    Ok(CommandStatus::Completed)
}

fn print(player: &str, choice: Option<&ChoiceText>, values: &MoveValues, output: &mut Output) -> Result<()> {
    let Some(choice) = choice else { return output.line(format_args!("{player} resigns")) };
    let mut rows = vec![["", "move", "value"].map(str::to_owned).to_vec()];
    for MoveValue { mv, value } in &values.moves {
        let mark = if *mv == choice.mv { "*" } else { "" };
        rows.push(vec![mark.to_owned(), mv.clone(), value.map_or_else(|| "-".to_owned(), number)]);
    }
    output.line(table(&rows, &[Align::Left, Align::Right, Align::Right]))?;
    output.line(format_args!("The values of the moves are not the engine's: {}.", values.by))?;
    let own = match choice.value {
        Some(value) => format!("which it values at {}", number(value)),
        None => "and reports no value".to_owned(),
    };
    let value_of = |mv: &str| values.moves.iter().find(|other| other.mv == mv).and_then(|other| other.value);
    let best = values.moves.iter().filter_map(|rated| rated.value).fold(f64::NEG_INFINITY, f64::max);
    let verdict = match value_of(&choice.mv) {
        Some(value) if value == best => ": a best move".to_owned(),
        Some(value) => format!(": {} against {} for a best move", number(value), number(best)),
        None => String::new(),
    };
    output.line(format_args!("{player} plays {}, {own}{verdict}", choice.mv))
}
