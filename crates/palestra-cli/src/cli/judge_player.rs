//! `palestra engine judge`.

use super::args::CommonArgs;
use super::args_engine::JudgePlayerArgs;
use super::output::note_old_names;
use super::ugi::plain;
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Seed};
use palestra_engine::{LineRules, PROTOCOLS, ProtocolInfo, ProtocolSource, ServedPlayer, serve_judge};
use std::io::{stdin, stdout};

pub(super) fn run(args: &JudgePlayerArgs, common: &CommonArgs) -> Result<()> {
    let protocol = args.protocol.load()?;
    note_old_names(protocol.notices());
    let rules = protocol.kind.line_rules().ok_or_else(|| {
        let expected =
            format!("the protocol of a judge: {} (for UGI, use palestra engine serve)", judge_protocols());
        InputError::new("protocol", args.protocol.to_string(), expected)
    })?;
    let served = ServedPlayer { games: games(), player: &args.player, seed: Seed(common.seed) };
    let n_games = serve_judge(&served, rules, stdin().lock(), stdout()).map_err(plain)?;
    if n_games == 0 {
        check_player(&args.player)?;
    }
    Ok(())
}

/// An error about a player of no game, where a judge that says nothing has named no game to look for it in.
fn check_player(player: &str) -> Result<(), InputError> {
    let mut samples = games().families().flat_map(|family| family.samples.iter().copied());
    match samples.any(|sample| games().open(sample).is_ok_and(|game| game.player(player).is_ok())) {
        true => Ok(()),
        false => Err(InputError::new("player", player, "a player of a game")),
    }
}

/// The protocols of judges that built-in players answer: those of plain lines.
pub(super) fn judge_protocols() -> String {
    let of_lines = PROTOCOLS.iter().filter(|info| match info.source {
        ProtocolSource::Code(_) => false,
        ProtocolSource::Lines(text) => LineRules::read(text, info.name).is_ok_and(|rules| rules.is_plain()),
        ProtocolSource::File => true,
    });
    let names: Vec<String> = of_lines.map(ProtocolInfo::syntax).collect();
    names.split_last().map_or_else(String::new, |(last, names)| format!("{} or {last}", names.join(", ")))
}
