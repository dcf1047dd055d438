//! From the options of a command to a plan.

use crate::cli::args::CommonArgs;
use crate::cli::args_tune::TuneArgs;
use crate::cli::{external, plan_file, store};
use crate::games;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_review::tuning::TuningOptions;
use palestra_tune::{OLD_KEYS, Settings, TuningPlan, TuningResolver};
use std::path::Path;

/// The plan of a command.
pub(crate) fn plan(args: &TuneArgs, common: &CommonArgs) -> Result<TuningPlan> {
    let is_file = args.what.ends_with(".toml") || Path::new(&args.what).is_file();
    let settings = if is_file {
        refuse_options_with_a_file(args)?;
        let text =
            std::fs::read_to_string(&args.what).with_context(|| format!("cannot read {}", args.what))?;
        plan_file::parse(&text, &args.what, &OLD_KEYS, &args.set)?
    } else {
        Settings::parse(&tuning_options(args, common).text(games())?, "the command")?
    };
    read(settings, common)
}

/// Reads a plan whose players may be champions of the store (`@name`).
pub(crate) fn read(settings: Settings, common: &CommonArgs) -> Result<TuningPlan> {
    Ok(with_resolver(common, |resolver| TuningPlan::read(settings, resolver))?)
}

/// Calls `read` with the resolver of the names in plans: games, champions and external methods.
pub(crate) fn with_resolver<T>(common: &CommonArgs, read: impl FnOnce(&TuningResolver<'_>) -> T) -> T {
    let lookup = |player: &str| {
        store::resolve_player(player, common)
            .map_err(|error| InputError::new("player", player, format!("a champion of the store ({error})")))
    };
    read(&TuningResolver { catalog: games(), lookup: &lookup, methods: external::METHODS })
}

fn refuse_options_with_a_file(args: &TuneArgs) -> Result<(), InputError> {
    let given = [
        ("--features", args.features.is_some()),
        ("--player", args.player.is_some()),
        ("--method", args.method.is_some()),
        ("--objective", args.objective.is_some()),
        ("--opponent", !args.opponents.is_empty()),
        ("--budget", args.budget.is_some()),
        ("--opening-plies", args.opening_plies.is_some()),
        ("--pairs", args.pairs.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            let reason = format!("the plan is in {}; change it there, or use --set KEY=VALUE", args.what);
            Err(InputError::not_allowed(*name, reason))
        }
    }
}

/// The options that describe a plan.
fn tuning_options(args: &TuneArgs, common: &CommonArgs) -> TuningOptions {
    TuningOptions {
        game: args.what.clone(),
        player: args.player.clone(),
        features: args.features.clone(),
        method: args.method.clone(),
        objective: args.objective.clone(),
        opponents: args.opponents.clone(),
        budget: args.budget.clone(),
        opening_plies: args.opening_plies,
        pairs: args.pairs,
        settings: args.set.clone(),
        seed: common.seed,
    }
}
