//! From the options of a command to a plan.

use crate::GAMES;
use crate::cli::args::Common;
use crate::cli::args_tune::TuneArgs;
use crate::cli::{external, store};
use anyhow::{Context, Result};
use palestra_core::BadText;
use palestra_tune::{Outside, Plan, Settings, parse_count, parse_seconds};
use std::path::Path;

/// The plan a command means.
pub(crate) fn plan(args: &TuneArgs, common: &Common) -> Result<Plan> {
    let is_file = args.what.ends_with(".toml") || Path::new(&args.what).is_file();
    let settings = if is_file {
        refuse_words_beside_a_file(args)?;
        let text =
            std::fs::read_to_string(&args.what).with_context(|| format!("cannot read {}", args.what))?;
        Settings::parse(&text, &args.what)?
    } else {
        Settings::parse(&text(args, common)?, "the command")?
    };
    read(settings, common)
}

/// Reads a plan whose players may have names of the store.
pub(crate) fn read(settings: Settings, common: &Common) -> Result<Plan> {
    Ok(with_outside(common, |outside| Plan::read(settings, outside))?)
}

/// Hands everything that a plan may name to whoever reads one.
pub(crate) fn with_outside<T>(common: &Common, read: impl FnOnce(&Outside<'_>) -> T) -> T {
    let lookup = |player: &str| {
        store::player(player, common)
            .map_err(|error| BadText::new("player", player, format!("in the store ({error})")))
    };
    read(&Outside { catalog: &GAMES, lookup: &lookup, methods: external::METHODS })
}

fn refuse_words_beside_a_file(args: &TuneArgs) -> Result<(), BadText> {
    let given = [
        ("--features", args.features.is_some()),
        ("--player", args.player.is_some()),
        ("--method", args.method.is_some()),
        ("--objective", args.objective.is_some()),
        ("--rival", !args.rivals.is_empty()),
        ("--budget", args.budget.is_some()),
        ("--openings", args.openings.is_some()),
        ("--pairs", args.pairs.is_some()),
        ("--set", !args.set.is_empty()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => {
            let expected = format!("needed beside a file: write it into {}", args.what);
            Err(BadText::new("options", *name, expected))
        }
    }
}

/// The file that the options stand for.
fn text(args: &TuneArgs, common: &Common) -> Result<String> {
    let game = GAMES.open(&args.what)?;
    let player = match (&args.player, &args.features) {
        (Some(player), _) => player.clone(),
        (None, Some(features)) => format!("greedy/{features}"),
        (None, None) => {
            let evaluations = game.evaluations();
            let first = evaluations.iter().find(|texts| texts.linear && !texts.weights().is_empty());
            let name = first.map(|texts| texts.name).ok_or_else(|| {
                BadText::new("game", &args.what, "a game with an evaluation that takes weights")
            })?;
            format!("greedy/{name}")
        }
    };
    let mut lines = vec![
        format!("game = {:?}", game.name()),
        format!("player = {player:?}"),
        format!("seed = {}", common.seed),
        format!("openings = {}", args.openings.unwrap_or(4)),
        format!("pairs = {}", args.pairs.unwrap_or(1)),
        "[objective]".to_owned(),
    ];
    let default = if args.rivals.is_empty() { "league" } else { "gauntlet" };
    let objective = args.objective.as_deref().unwrap_or(default);
    lines.push(format!("name = {objective:?}"));
    match (objective, &args.rivals[..]) {
        ("reference", [player]) => lines.push(format!("player = {player:?}")),
        (_, []) => {}
        (_, rivals) => lines.push(format!("rivals = {rivals:?}")),
    }
    lines.push(format!("[method]\nname = {:?}", args.method.as_deref().unwrap_or("cmaes")));
    for setting in &args.set {
        let (key, value) = setting
            .split_once('=')
            .ok_or_else(|| BadText::new("--set", setting, "KEY=VALUE, such as sigma=0.2"))?;
        let is_toml = Settings::parse(&format!("value = {value}"), "").is_ok();
        lines.push(if is_toml { format!("{key} = {value}") } else { format!("{key} = {value:?}") });
    }
    lines.push(format!("[budget]\n{}", budget(args.budget.as_deref().unwrap_or("20s"))?));
    Ok(lines.join("\n"))
}

/// `100k` games, `200gen`erations, `20s`.
fn budget(text: &str) -> Result<String, BadText> {
    let expected = "a number of games (100k), of generations (200gen) or a time (20s, 5m, 2h)";
    let bad = || BadText::new("--budget", text, expected);
    if let Some(generations) = text.strip_suffix("gen") {
        return Ok(format!("generations = {}", parse_count(generations).ok_or_else(bad)?));
    }
    match parse_count(text) {
        Some(games) => Ok(format!("games = {games}")),
        None => Ok(format!("time = {:?}", parse_seconds(text).ok_or_else(bad)?)),
    }
}
