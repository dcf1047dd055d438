//! From the options of a command to a plan.

use crate::cli::args::CommonArgs;
use crate::cli::args_tune::TuneArgs;
use crate::cli::{external, plan_file, store};
use crate::games;
use anyhow::Result;
use palestra_core::InputError;
use palestra_settings::Document;
use palestra_tune::{OLD_KEYS, TuningPlan, TuningPlanFile, TuningResolver};
use std::path::Path;

/// The plan of a command.
pub(crate) fn plan(args: &TuneArgs, common: &CommonArgs) -> Result<TuningPlan> {
    let is_file = args.what.ends_with(".toml") || Path::new(&args.what).is_file();
    let file = if is_file {
        if let Some(option) = args.options.first_given() {
            let reason = format!("the plan is in {}; change it there, or use --set KEY=VALUE", args.what);
            return Err(InputError::not_allowed(option, reason).into());
        }
        TuningPlanFile::read(plan_file::read(Path::new(&args.what), &OLD_KEYS, &args.set)?)?
    } else {
        args.options.plan_file(&args.what, common.seed, &args.set, games())?
    };
    Ok(with_resolver(common, |resolver| TuningPlan::resolve(file, resolver))?)
}

/// Reads a stored plan; `name` is that of its run.
pub(crate) fn read_stored(plan: &str, name: &str, common: &CommonArgs) -> Result<TuningPlan> {
    let document = Document::parse(plan, name)?;
    Ok(with_resolver(common, |resolver| TuningPlan::read(document, resolver))?)
}

/// Calls `read` with the resolver of the names in plans: games, champions and external methods.
pub(crate) fn with_resolver<T>(common: &CommonArgs, read: impl FnOnce(&TuningResolver<'_>) -> T) -> T {
    let lookup = |player: &str| {
        store::resolve_player(player, common).map_err(|error| {
            let champion =
                |error| InputError::new("player", player, format!("a champion of the store ({error})"));
            error.downcast::<InputError>().unwrap_or_else(champion)
        })
    };
    read(&TuningResolver { catalog: games(), lookup: &lookup, methods: external::METHODS })
}
