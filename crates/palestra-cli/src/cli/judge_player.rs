//! `palestra engine judge`.

use super::args::CommonArgs;
use super::args_engine::JudgePlayerArgs;
use super::output::note_old_names;
use super::ugi::plain;
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, Seed};
use palestra_engine::{ServedPlayer, serve_judge};
use std::io::{stdin, stdout};

pub(super) fn run(args: &JudgePlayerArgs, common: &CommonArgs) -> Result<()> {
    let protocol = args.protocol.load()?;
    note_old_names(protocol.notices());
    let rules = protocol.line_rules().ok_or_else(|| {
        let expected =
            "the protocol of a judge: ladrillos, conecta-c or line:FILE.toml (for UGI, use palestra engine serve)";
        InputError::new("protocol", args.protocol.to_string(), expected)
    })?;
    let served = ServedPlayer { games: games(), player: &args.player, seed: Seed(common.seed) };
    serve_judge(&served, rules, stdin().lock(), stdout()).map_err(plain)
}
