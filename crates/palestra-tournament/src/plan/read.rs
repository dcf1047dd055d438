//! From a file to a plan.

use super::players::{GridPlan, LaunchPolicy, PlayerPlan, STARTS};
use super::resolver::TournamentResolver;
use super::stage::{StageDefaults, StagePlan};
use super::{ProgramLimits, TournamentPlan};
use crate::standings::{MarkThreshold, TieBreak};
use crate::starts::StageBoards;
use palestra_core::{InputError, nearest_name};
use palestra_settings::{Setting, Settings, SourceLocation};
use std::collections::{BTreeMap, BTreeSet};

/// Encounters of one cycle of a round robin that still make sense.
const MOST_ENCOUNTERS: usize = 20_000_000;

impl TournamentPlan {
    /// Reads a plan; everything it names must exist.
    pub fn read(mut file: Settings, shelf: &dyn TournamentResolver) -> Result<TournamentPlan, InputError> {
        let name = file.text("name")?.map_or_else(|| "event".to_owned(), |(name, _)| name);
        let stages = read_stages(&mut file, shelf)?;
        let boards = all_boards(&stages, shelf)?;
        let PlayerLists { players, grids, patterns } = read_field(&mut file, shelf, &boards)?;
        let n_others: usize = grids.iter().map(GridPlan::len).sum();
        check_names(&file, &players, &grids)?;
        check_groups(&file, &stages, &players, &grids, !patterns.is_empty())?;
        if patterns.is_empty() && players.len() + n_others < 2 {
            return Err(
                file.missing("player", "two players at least ([[player]], or players = \"folder/*\")")
            );
        }
        for stage in stages.iter().filter(|stage| stage.format.name == "gauntlet") {
            if !players.iter().any(|player| player.staff) {
                let expected = format!(
                    "a player with staff = true: the gauntlet {}is run against them",
                    in_words(stage)
                );
                return Err(file.missing("player", expected));
            }
        }
        let is_whole = |stage: &&StagePlan| stage.from.is_empty() && stage.groups.is_empty();
        let n_players = players.len() + n_others;
        for stage in stages.iter().filter(is_whole).filter(|stage| stage.format.name == "round-robin") {
            let n_encounters = n_players * n_players.saturating_sub(1) / 2 * stage.options.games as usize;
            if n_encounters > MOST_ENCOUNTERS {
                let expected = format!(
                    "small enough for a round robin: {n_players} players need {n_encounters} encounters"
                );
                return Err(file.invalid_value(
                    "format",
                    file.location_of("format"),
                    "round-robin",
                    expected,
                ));
            }
        }
        let quarantine = file.integer("quarantine", 3, 0..=1_000_000)? as u32;
        let plan = TournamentPlan {
            name,
            seed: file.integer("seed", 1, 0..=u64::MAX >> 11)?,
            clock: file.text("clock")?,
            margin_ms: file.integer("margin-ms", 200, 0..=600_000)?,
            concurrency: match file.integer("concurrency", 0, 0..=100_000)? {
                0 => None,
                n => Some(n as u32),
            },
            pin: file.flag("pin", false)?,
            start: read_start(&mut file)?,
            strict: file.flag("strict", false)?,
            quarantine: Some(quarantine).filter(|n| *n > 0),
            tie_breaks: read_tie_breaks(&mut file)?,
            program_limits: read_confinement(&mut file)?,
            marks: read_marks(&mut file, &players)?,
            stages,
            players,
            grids,
            patterns,
        };
        file.finish()?;
        Ok(plan)
    }
}

fn in_words(stage: &StagePlan) -> String {
    if stage.name.is_empty() { String::new() } else { format!("\"{}\" ", stage.name) }
}

/// A complaint of somebody else's about the value of a key, with the place where it stands.
pub(super) fn with_place(table: &Settings, key: &str, place: SourceLocation, bad: InputError) -> InputError {
    let here = table.invalid_value(key, place, &bad.found, bad.expected.clone());
    InputError { place: format!("{} ({})", here.place, bad.place), ..bad }
}

fn read_stages(file: &mut Settings, shelf: &dyn TournamentResolver) -> Result<Vec<StagePlan>, InputError> {
    let outer = StageDefaults::read(file, &StageDefaults::default(), shelf)?;
    let tables = file.tables("stage")?;
    if tables.is_empty() {
        return Ok(vec![StagePlan::read(file, outer)?]);
    }
    let mut stages: Vec<StagePlan> = Vec::new();
    for mut table in tables {
        let common = StageDefaults::read(&mut table, &outer, shelf)?;
        let mut stage = StagePlan::read(&mut table, common)?;
        let earlier: Vec<String> = stages.iter().map(|stage| stage.name.clone()).collect();
        stage.read_field(&mut table, &earlier)?;
        stage.groups =
            table.texts("groups")?.unwrap_or_default().into_iter().map(|(group, _)| group).collect();
        table.finish()?;
        stages.push(stage);
    }
    Ok(stages)
}

/// Every board that somebody will sit at, or some of those that a pool may give.
fn all_boards(stages: &[StagePlan], shelf: &dyn TournamentResolver) -> Result<Vec<String>, InputError> {
    let mut boards: Vec<String> = Vec::new();
    for stage in stages {
        let more = match &stage.boards {
            StageBoards::Listed(games) => games.clone(),
            StageBoards::Pool(pool) => shelf.samples(pool)?,
        };
        for board in more {
            if !boards.contains(&board) {
                boards.push(board);
            }
        }
    }
    Ok(boards)
}

struct PlayerLists {
    players: Vec<PlayerPlan>,
    grids: Vec<GridPlan>,
    patterns: Vec<(String, SourceLocation)>,
}

fn read_field(
    file: &mut Settings,
    shelf: &dyn TournamentResolver,
    boards: &[String],
) -> Result<PlayerLists, InputError> {
    let mut field = PlayerLists { players: Vec::new(), grids: Vec::new(), patterns: Vec::new() };
    let expected = "sections [[player]], one for each player";
    match file.take("player") {
        None => {}
        Some((Setting::List(items), _)) => {
            for (item, place) in items {
                let Setting::Table(mut table) = item else {
                    return Err(file.invalid_value("player", place, &item.to_string(), expected));
                };
                field.players.push(PlayerPlan::read(&mut table, place, shelf, boards)?);
            }
        }
        Some((other, place)) => {
            return Err(file.invalid_value("player", place, &other.to_string(), expected));
        }
    }
    let expected =
        "a folder (\"submissions/*\"), several of them, or sections [[players]] with template and grid";
    let items = match file.take("players") {
        None => Vec::new(),
        Some((Setting::List(items), _)) => items,
        Some(item) => vec![item],
    };
    for (item, place) in items {
        match item {
            Setting::Text(pattern) if !pattern.is_empty() => field.patterns.push((pattern, place)),
            Setting::Table(mut table) => field.grids.push(GridPlan::read(&mut table, shelf, boards)?),
            other => return Err(file.invalid_value("players", place, &other.to_string(), expected)),
        }
    }
    Ok(field)
}

/// No two players share a name.
fn check_names(file: &Settings, players: &[PlayerPlan], grids: &[GridPlan]) -> Result<(), InputError> {
    let mut names: BTreeMap<String, SourceLocation> = BTreeMap::new();
    for player in players {
        if let Some(before) = names.insert(player.name.clone(), player.place) {
            let expected = format!("a name of its own: the player at {before} has it already");
            return Err(file.invalid_value("name of a [[player]]", player.place, &player.name, expected));
        }
    }
    let mut of_grids = BTreeSet::new();
    for (name, _) in grids.iter().flat_map(GridPlan::players) {
        if names.contains_key(&name) || !of_grids.insert(name.clone()) {
            let expected = "a name of its own; give the grid another prefix";
            return Err(file.invalid_value("players", file.location_of("players"), &name, expected));
        }
    }
    Ok(())
}

/// Every group that a stage names has somebody in it. Folders may bring groups of their own.
fn check_groups(
    file: &Settings,
    stages: &[StagePlan],
    players: &[PlayerPlan],
    grids: &[GridPlan],
    has_patterns: bool,
) -> Result<(), InputError> {
    let of_players = players.iter().filter_map(|player| player.group.as_deref());
    let known: BTreeSet<&str> =
        of_players.chain(grids.iter().filter_map(|grid| grid.group.as_deref())).collect();
    for group in stages.iter().flat_map(|stage| &stage.groups) {
        if !has_patterns && !known.contains(group.as_str()) {
            let nearest = nearest_name(group, known.iter().copied()).map(str::to_owned);
            let list: Vec<&str> = known.iter().copied().collect();
            let expected = format!("a group of players ({})", list.join(", "));
            let bad = file.invalid_value("groups of a [[stage]]", file.location_of("stage"), group, expected);
            return Err(InputError { nearest, ..bad });
        }
    }
    Ok(())
}

fn read_start(file: &mut Settings) -> Result<LaunchPolicy, InputError> {
    let start = file.choice("start", "once", &STARTS.map(|(name, _)| name))?;
    Ok(STARTS.iter().find(|(name, _)| *name == start).map_or(LaunchPolicy::Once, |(_, start)| *start))
}

fn read_tie_breaks(file: &mut Settings) -> Result<Vec<TieBreak>, InputError> {
    let Some(texts) = file.texts("tie-breaks")? else {
        return Ok(vec![TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Buchholz, TieBreak::Rating]);
    };
    let read = |(text, place): (String, SourceLocation)| {
        text.parse().map_err(|bad| with_place(file, "tie-breaks", place, bad))
    };
    texts.into_iter().map(read).collect()
}

fn read_confinement(file: &mut Settings) -> Result<ProgramLimits, InputError> {
    let mut table = file.table("confinement")?;
    let usual = ProgramLimits::default();
    let confinement = ProgramLimits {
        memory_mb: table.integer("memory-mb", usual.memory_mb, 1..=1 << 30)?,
        processes: table.integer("processes", usual.processes, 1..=1 << 20)?,
        cpu_seconds: Some(table.integer("cpu-seconds", 0, 0..=1 << 30)?).filter(|seconds| *seconds > 0),
        file_mb: table.integer("file-mb", usual.file_mb, 0..=1 << 30)?,
        open_files: table.integer("open-files", usual.open_files, 8..=1 << 20)?,
        unconfined: table.flag("unconfined", usual.unconfined)?,
    };
    table.finish()?;
    Ok(confinement)
}

fn read_marks(file: &mut Settings, players: &[PlayerPlan]) -> Result<Vec<MarkThreshold>, InputError> {
    let mut marks = Vec::new();
    for mut table in file.tables("mark")? {
        let (above, place) = table
            .text("above")?
            .ok_or_else(|| table.missing("above", "the name of a player to be better than"))?;
        if !players.iter().any(|player| player.name == above) {
            let known: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
            let nearest = nearest_name(&above, known.iter().copied()).map(str::to_owned);
            let expected = format!("a player that is listed ({})", known.join(", "));
            return Err(InputError { nearest, ..table.invalid_value("above", place, &above, expected) });
        }
        if !table.has("grade") {
            return Err(table.missing("grade", "the grade for being better than that player"));
        }
        marks.push(MarkThreshold {
            above,
            confidence: table.number("confidence", 0.95, 0.0..=0.999_999)?,
            grade: table.number("grade", 0.0, -1e6..=1e6)?,
        });
        table.finish()?;
    }
    Ok(marks)
}
