//! `palestra engine serve`.

use super::args::CommonArgs;
use super::args_engine::UgiArgs;
use crate::games;
use anyhow::Result;
use palestra_core::Seed;
use palestra_engine::{ServeError, ServedPlayer, serve_ugi};
use std::io::{stdin, stdout};

pub(super) fn run(args: &UgiArgs, common: &CommonArgs) -> Result<()> {
    let served = ServedPlayer { games: games(), player: &args.player, seed: Seed(common.seed) };
    serve_ugi(&served, &args.game, stdin().lock(), stdout()).map_err(plain)
}

/// Unwraps the error, so that `main` can distinguish invalid input from a broken pipe.
pub(super) fn plain(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Bad(bad) => bad.into(),
        ServeError::Io(error) => error.into(),
    }
}
