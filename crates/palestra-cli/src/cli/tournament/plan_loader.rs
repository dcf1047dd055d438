//! From words to a plan: a file, or the options of the command.

use super::submissions;
use crate::cli::args::CommonArgs;
use crate::cli::args_event::TournamentArgs;
use crate::cli::tune::apply_set_options;
use crate::games;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_review::event::EventOptions;
use palestra_settings::{Settings, SourceLocation};
use palestra_tournament::{PlayerPlan, PlayerSource, TournamentPlan};
use std::path::Path;

/// The plan that the arguments ask for; folders of submissions are read.
pub(super) fn plan(args: &TournamentArgs, common: &CommonArgs) -> Result<TournamentPlan> {
    let (text, name) = if args.what.ends_with(".toml") {
        refuse_quick(args)?;
        let path = Path::new(&args.what);
        let text = std::fs::read_to_string(path).map_err(|error| {
            InputError::new("plan", &args.what, format!("a file that can be read: {error}"))
        })?;
        (text, args.what.clone())
    } else {
        if let Some(setting) = args.set.first() {
            return Err(InputError::new("--set", setting, "possible without a file: use the options").into());
        }
        (quick(args, common)?, "the options".to_owned())
    };
    let mut settings = Settings::parse(&text, &name)?;
    apply_set_options(&mut settings, &args.set)?;
    let has_name = settings.has("name");
    let mut plan = TournamentPlan::read(settings, games())?;
    if let Some(name) = &args.name {
        plan.name.clone_from(name);
    } else if !has_name && let Some(stem) = Path::new(&args.what).file_stem() {
        plan.name = stem.to_string_lossy().into_owned();
    }
    override_with(&mut plan, args);
    // What a file names lies here, or beside it.
    if let Some(beside) = Path::new(&args.what).parent().filter(|_| args.what.ends_with(".toml")) {
        for folder in plan.players.iter_mut().filter_map(|player| player.folder.as_mut()) {
            if !Path::new(folder).exists() && beside.join(&*folder).exists() {
                *folder = beside.join(&*folder).display().to_string();
            }
        }
    }
    expand(&mut plan, args)?;
    if plan.players.len() + plan.grids.iter().map(palestra_tournament::GridPlan::len).sum::<usize>() < 2 {
        return Err(InputError::new(
            "players",
            format!("{} of them", plan.players.len()),
            "two players at least",
        )
        .into());
    }
    Ok(plan)
}

/// What belongs into a file is not given beside it: the file would no longer say what was played.
fn refuse_quick(args: &TournamentArgs) -> Result<(), InputError> {
    let given = [
        ("--format", args.format.is_some()),
        ("--rounds", args.rounds.is_some()),
        ("--cycles", args.cycles.is_some()),
        ("--budget", args.budget.is_some()),
        ("--opening-plies", args.opening_plies.is_some()),
        ("--points", args.points.is_some()),
        ("--staff", !args.staff.is_empty()),
        ("a player", !args.players.is_empty()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => {
            Err(InputError::new("arguments", *flag, format!("written in {}, or given with --set", args.what)))
        }
        None => Ok(()),
    }
}

/// The quick case as a file.
fn quick(args: &TournamentArgs, common: &CommonArgs) -> Result<String> {
    let mut players = Vec::new();
    let given = args.players.iter().map(|player| (player, false));
    for (player, staff) in given.chain(args.staff.iter().map(|player| (player, true))) {
        let (name, player) = EventOptions::entrant(player);
        players.push((name.map(str::to_owned), crate::cli::store::resolve_player(player, common)?, staff));
    }
    let draft = EventOptions {
        game: args.what.clone(),
        format: args.format.clone(),
        name: None,
        seed: common.seed,
        rounds: args.rounds,
        cycles: args.cycles,
        opening_plies: args.opening_plies,
        points: args.points.clone(),
        budget: args.budget.clone(),
        players,
        folder: args.submissions.as_ref().map(|folder| folder.display().to_string()),
    };
    Ok(draft.text(games())?)
}

fn override_with(plan: &mut TournamentPlan, args: &TournamentArgs) {
    let nowhere = SourceLocation::default();
    if let Some(clock) = &args.clock {
        plan.clock = Some((clock.clone(), nowhere));
    }
    plan.margin_ms = args.margin_ms.map_or(plan.margin_ms, u64::from);
    plan.concurrency = args.concurrency.map(u32::from).or(plan.concurrency);
    plan.pin |= args.pin;
    plan.strict |= args.strict;
    if let Some(quarantine) = args.quarantine {
        plan.quarantine = Some(quarantine).filter(|n| *n > 0);
    }
    plan.program_limits.unconfined |= args.room.unconfined;
    plan.program_limits.memory_mb = args.room.memory_mb.map_or(plan.program_limits.memory_mb, u64::from);
}

/// Puts the submissions of folders into the plan, each as a player.
fn expand(plan: &mut TournamentPlan, args: &TournamentArgs) -> Result<()> {
    let mut folders: Vec<String> =
        std::mem::take(&mut plan.patterns).into_iter().map(|(text, _)| text).collect();
    if args.what.ends_with(".toml") {
        folders.extend(args.submissions.iter().map(|folder| folder.display().to_string()));
    }
    // What a file names lies beside it.
    let beside = Path::new(&args.what).parent().filter(|_| args.what.ends_with(".toml"));
    for pattern in folders {
        let folder = pattern.strip_suffix("/*").unwrap_or(&pattern);
        let folder = match beside {
            Some(beside) if !Path::new(folder).exists() => beside.join(folder),
            _ => folder.into(),
        };
        let found =
            submissions::read(&folder).with_context(|| format!("submissions in {}", folder.display()))?;
        for (name, program) in found {
            if plan.players.iter().any(|player| player.name == name) {
                return Err(InputError::new("submissions", name, "a name that no other player has").into());
            }
            plan.players.push(PlayerPlan {
                name,
                source: PlayerSource::Text(program.to_string()),
                protocol: None,
                folder: None,
                start: None,
                staff: false,
                anchor: None,
                rating: None,
                group: None,
                place: SourceLocation::default(),
            });
        }
    }
    Ok(())
}
