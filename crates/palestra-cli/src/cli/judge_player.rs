//! `palestra engine judge`.

use super::args::CommonArgs;
use super::args_engine::JudgePlayerArgs;
use super::output::note_old_names;
use super::ugi::plain;
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Seed};
use palestra_engine::{PROTOCOLS, ProtocolInfo, ProtocolSource, ServedPlayer, serve_judge};
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
    serve_judge(&served, rules, stdin().lock(), stdout()).map_err(plain)
}

/// The protocols of judges: those of plain lines.
pub(super) fn judge_protocols() -> String {
    let of_lines = PROTOCOLS.iter().filter(|info| !matches!(info.source, ProtocolSource::Code(_)));
    let names: Vec<String> = of_lines.map(ProtocolInfo::syntax).collect();
    names.split_last().map_or_else(String::new, |(last, names)| format!("{} or {last}", names.join(", ")))
}
