//! The plan of an event, from a file or from the options of the command.

use crate::cli::args::CommonArgs;
use crate::cli::args_event::TournamentArgs;
use crate::cli::output::{note, note_old_names};
use crate::cli::submissions::{self, Roster, RosterEntry, Submission};
use crate::cli::{plan_file, store};
use crate::games;
use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_engine::ProgramSpec;
use palestra_review::event::{EventOptions, LeftOutPlayer};
use palestra_tournament::{OLD_KEYS, PlayerPlan, PlayerSource, TournamentPlan};
use std::path::Path;

/// The plan of the arguments, with the submissions of its folders, and those that were left out.
pub(super) fn plan(
    args: &TournamentArgs,
    common: &CommonArgs,
) -> Result<(TournamentPlan, Vec<LeftOutPlayer>)> {
    let mut plan = match args.what.ends_with(".toml") {
        true => plan_of_file(args)?,
        false => plan_of_options(args, common)?,
    };
    if let Some(name) = &args.name {
        store::check_name("--name", name)?;
        plan.name.clone_from(name);
    }
    // Before a store is made for it.
    store::check_name("name", &plan.name)?;
    override_with(&mut plan, args)?;
    // Folders in a plan are relative to the current folder or, if that has none, to the plan's folder.
    if args.what.ends_with(".toml") {
        let of_players = plan.players.iter_mut().filter_map(|player| player.folder.as_mut());
        let paths = of_players.chain(&mut plan.program_limits.read);
        paths.for_each(|path| find_beside(Path::new(&args.what), path));
    }
    let left_out = expand(&mut plan, args)?;
    if plan.players.len() + plan.grids.iter().map(palestra_tournament::GridPlan::len).sum::<usize>() < 2 {
        let found = plan.players.first().map_or("", |player| player.name.as_str());
        return Err(InputError::new("players", found, "at least two players").into());
    }
    Ok((plan, left_out))
}

/// Replaces a path of a plan file that does not exist in the current folder by that in the plan's folder, if it is there.
pub(in crate::cli) fn find_beside(plan: &Path, path: &mut String) {
    let beside = plan.parent().map(|folder| folder.join(&*path));
    if let Some(beside) = beside.filter(|beside| !Path::new(path).exists() && beside.exists()) {
        *path = beside.display().to_string();
    }
}

fn plan_of_file(args: &TournamentArgs) -> Result<TournamentPlan, InputError> {
    refuse_options_with_a_file(args)?;
    let path = Path::new(&args.what);
    let document = plan_file::read(path, &OLD_KEYS, &args.set)?;
    let has_name = document.has("name");
    let mut plan = TournamentPlan::read(document, games())?;
    if !has_name && let Some(stem) = path.file_stem() {
        plan.name = stem.to_string_lossy().into_owned();
    }
    Ok(plan)
}

/// Refuses options that are keys of a plan next to a plan file, which would no longer say what was played.
fn refuse_options_with_a_file(args: &TournamentArgs) -> Result<(), InputError> {
    let options = [
        ("--format", args.format.is_some()),
        ("--opening-plies", args.opening_plies.is_some()),
        ("--points", args.points.is_some()),
        ("--staff", !args.staff.is_empty()),
        ("a player argument", !args.players.is_empty()),
    ];
    let given = options.iter().find(|(_, is_given)| *is_given).map(|(option, _)| (*option).to_owned());
    let of_format = || args.format_keys.0.first().map(|(key, _)| format!("--{key}"));
    match given.or_else(of_format) {
        Some(option) => {
            let reason = format!("the plan is in {}; change it there, or use --set KEY=VALUE", args.what);
            Err(InputError::not_allowed(option, reason))
        }
        None => Ok(()),
    }
}

fn plan_of_options(args: &TournamentArgs, common: &CommonArgs) -> Result<TournamentPlan> {
    if let Some(setting) = args.set.first() {
        let reason = format!("{setting} overrides a key of a plan file, and there is none; use the options");
        return Err(InputError::not_allowed("--set", reason).into());
    }
    let mut players = Vec::new();
    let entrants = args.players.iter().map(|player| (player, false));
    for (player, staff) in entrants.chain(args.staff.iter().map(|player| (player, true))) {
        let (name, player) = EventOptions::entrant(player);
        let (own_name, player) = crate::cli::store::resolve_named_player(player, common)?;
        players.push((name.map(str::to_owned).or(own_name), player, staff));
    }
    let mut keys = args.format_keys.0.clone();
    keys.extend(args.opening_plies.map(|plies| ("opening_plies".to_owned(), plies.to_string())));
    keys.extend(args.points.iter().map(|points| ("points".to_owned(), points.clone())));
    let options = EventOptions {
        game: args.what.clone(),
        format: args.format.clone(),
        name: None,
        seed: common.seed,
        keys,
        players,
        folder: args.submissions.as_ref().map(|folder| folder.display().to_string()),
    };
    Ok(options.plan(games(), games())?)
}

/// Applies the options that are allowed with a plan file too.
fn override_with(plan: &mut TournamentPlan, args: &TournamentArgs) -> Result<(), InputError> {
    args.programs.override_plan(plan);
    plan.concurrency = args.concurrency.map(u32::from).or(plan.concurrency);
    plan.pin |= args.pin;
    plan.strict |= args.strict;
    if let Some(quarantine) = args.quarantine {
        plan.quarantine = Some(quarantine).filter(|n| *n > 0);
    }
    let python = args.kaggle_python.as_ref().or(plan.kaggle_python.as_ref());
    plan.kaggle_python = python.map(|python| interpreter(python, args)).transpose()?;
    Ok(())
}

/// The path of an interpreter, which does not depend on the folder of a program; a name is looked up in `PATH`.
fn interpreter(python: &str, args: &TournamentArgs) -> Result<String, InputError> {
    if !python.is_empty() && !python.contains('/') {
        return Ok(python.to_owned());
    }
    let plan_folder = Path::new(&args.what).parent().filter(|_| args.what.ends_with(".toml"));
    let near_plan = plan_folder.map(|folder| folder.join(python)).filter(|_| !Path::new(python).exists());
    let path = near_plan.unwrap_or_else(|| python.into());
    match std::path::absolute(&path) {
        Ok(path) if path.is_file() => Ok(path.display().to_string()),
        _ => Err(InputError::new("kaggle_python", python, "an interpreter that exists: venv/bin/python")),
    }
}

/// Adds the submissions of the plan's folders as players; returns those that were left out.
fn expand(plan: &mut TournamentPlan, args: &TournamentArgs) -> Result<Vec<LeftOutPlayer>> {
    let mut folders = std::mem::take(&mut plan.patterns);
    if args.what.ends_with(".toml") {
        folders.extend(args.submissions.iter().map(|folder| folder.display().to_string()));
    }
    // Relative to the current folder or, if that has none, to the plan's folder.
    let plan_folder = Path::new(&args.what).parent().filter(|_| args.what.ends_with(".toml"));
    let beside_plan = |path: &str| match plan_folder {
        Some(plan_folder) if !Path::new(path).exists() => plan_folder.join(path),
        _ => path.into(),
    };
    let of_plan = plan.roster.take().map(|file| beside_plan(&file));
    let roster = args.roster.clone().or(of_plan).map(|file| Roster::read(&file)).transpose()?;
    let mut submissions: Vec<Submission> = Vec::new();
    for pattern in folders {
        let folder = beside_plan(pattern.strip_suffix("/*").unwrap_or(&pattern));
        let found = submissions::read(&folder);
        submissions.extend(found.with_context(|| format!("submissions in {}", folder.display()))?);
    }
    let (mut left_out, mut absent) = (Vec::new(), Vec::new());
    note_old_names(&submissions.iter().flat_map(|submission| submission.notices.clone()).collect::<Vec<_>>());
    if let Some(roster) = roster {
        if submissions.is_empty() {
            let reason = "there are no submissions (--submissions DIR, or players = \"DIR/*\" in the plan)";
            return Err(InputError::not_allowed("a roster", reason).into());
        }
        let notices;
        (absent, notices) = roster.assign(&mut submissions);
        note_old_names(&notices);
    }
    let n_all = submissions.len();
    let mut n_problems = 0;
    for Submission { folder, entry, program, .. } in submissions {
        match program {
            Ok(program) => add(plan, &folder, entry, &program)?,
            Err(problem) => {
                note(&problem);
                n_problems += 1;
                left_out.push(entry.left_out(problem.to_string()));
            }
        }
    }
    if n_problems > 0 && !args.skip_invalid {
        let expected = "submissions that can be started; --skip-invalid plays without the others";
        let found = format!("{n_problems} of {n_all} cannot be started");
        return Err(InputError::new("submissions", found, expected).into());
    }
    left_out.append(&mut absent);
    Ok(left_out)
}

/// Adds a submission as a player.
fn add(
    plan: &mut TournamentPlan,
    folder: &Path,
    entry: RosterEntry,
    program: &ProgramSpec,
) -> Result<(), InputError> {
    let RosterEntry { name, group, identifier, students, .. } = entry;
    if plan.players.iter().any(|player| player.name == name) {
        let key = format!("name of {}", folder.display());
        return Err(InputError::new(key, name, "a name that no other player has"));
    }
    let source = PlayerSource::Text(program.to_string());
    plan.players.push(PlayerPlan { name, source, group, identifier, students, ..PlayerPlan::default() });
    Ok(())
}
