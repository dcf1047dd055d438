//! From the options of a command to a plan.

use crate::cli::args::CommonArgs;
use crate::cli::args_tune::TuneArgs;
use crate::cli::{external, store};
use crate::games;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_review::tuning::TuningOptions;
use palestra_tune::{Settings, TuningPlan, TuningResolver};
use std::path::Path;

/// The plan a command means.
pub(crate) fn plan(args: &TuneArgs, common: &CommonArgs) -> Result<TuningPlan> {
    let is_file = args.what.ends_with(".toml") || Path::new(&args.what).is_file();
    let settings = if is_file {
        refuse_words_beside_a_file(args)?;
        let text =
            std::fs::read_to_string(&args.what).with_context(|| format!("cannot read {}", args.what))?;
        let mut settings = Settings::parse(&text, &args.what)?;
        apply_set_options(&mut settings, &args.set)?;
        settings
    } else {
        Settings::parse(&draft(args, common).text(games())?, "the command")?
    };
    read(settings, common)
}

/// Puts what `--set` gives beside a file in the place of what the file says.
pub(crate) fn apply_set_options(settings: &mut Settings, given: &[String]) -> Result<(), InputError> {
    for setting in given {
        let (key, value) = setting.split_once('=').ok_or_else(|| {
            InputError::new("--set", setting, "KEY=VALUE, such as seed=2 or method.sigma=0.2")
        })?;
        settings.set(key.trim(), value.trim())?;
    }
    Ok(())
}

/// Reads a plan whose players may have names of the store.
pub(crate) fn read(settings: Settings, common: &CommonArgs) -> Result<TuningPlan> {
    Ok(with_resolver(common, |outside| TuningPlan::read(settings, outside))?)
}

/// Hands everything that a plan may name to whoever reads one.
pub(crate) fn with_resolver<T>(common: &CommonArgs, read: impl FnOnce(&TuningResolver<'_>) -> T) -> T {
    let lookup = |player: &str| {
        store::resolve_player(player, common)
            .map_err(|error| InputError::new("player", player, format!("in the store ({error})")))
    };
    read(&TuningResolver { catalog: games(), lookup: &lookup, methods: external::METHODS })
}

fn refuse_words_beside_a_file(args: &TuneArgs) -> Result<(), InputError> {
    let given = [
        ("--features", args.features.is_some()),
        ("--player", args.player.is_some()),
        ("--method", args.method.is_some()),
        ("--objective", args.objective.is_some()),
        ("--rival", !args.rivals.is_empty()),
        ("--budget", args.budget.is_some()),
        ("--openings", args.openings.is_some()),
        ("--pairs", args.pairs.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            let expected = format!("needed beside a file: write it into {}, or use --set", args.what);
            Err(InputError::new("options", *name, expected))
        }
    }
}

/// What the options say, as a draft.
fn draft(args: &TuneArgs, common: &CommonArgs) -> TuningOptions {
    TuningOptions {
        game: args.what.clone(),
        player: args.player.clone(),
        features: args.features.clone(),
        method: args.method.clone(),
        objective: args.objective.clone(),
        rivals: args.rivals.clone(),
        budget: args.budget.clone(),
        openings: args.openings,
        pairs: args.pairs,
        settings: args.set.clone(),
        seed: common.seed,
    }
}
