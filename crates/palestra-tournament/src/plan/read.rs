//! Reads a plan file.

use super::players::{GridPlan, LaunchPolicy, PlayerPlan, STARTS};
use super::resolver::TournamentResolver;
use super::stage::{StageDefaults, StagePlan};
use super::{ProgramLimits, TournamentPlan};
use crate::standings::{MarkThreshold, TieBreak};
use crate::starts::StageBoards;
use palestra_core::{InputError, nearest_name};
use palestra_settings::{KeyRename, Setting, Settings, SourceLocation, old_spelling};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of pairings of one cycle of a round robin; more is taken for a mistake in the plan.
const MAX_PAIRINGS: usize = 20_000_000;

const fn renamed(section: &'static str, old: &'static str, new: &'static str) -> KeyRename {
    KeyRename { section, old, new }
}

/// Keys of a tournament plan that version 0.0 called otherwise.
pub const OLD_KEYS: [KeyRename; 10] = [
    renamed("", "margin-ms", "margin_ms"),
    renamed("", "tie-breaks", "tie_breaks"),
    renamed("", "opening-plies", "opening_plies"),
    renamed("", "games", "pairs"),
    renamed("stage", "opening-plies", "opening_plies"),
    renamed("stage", "games", "pairs"),
    renamed("confinement", "memory-mb", "memory_mb"),
    renamed("confinement", "cpu-seconds", "cpu_seconds"),
    renamed("confinement", "file-mb", "file_mb"),
    renamed("confinement", "open-files", "open_files"),
];

impl TournamentPlan {
    /// The file as version 0.0 wrote it: a stored event of it is the same event.
    #[must_use]
    pub fn old_spelling(&self) -> String {
        old_spelling(&self.to_string(), &OLD_KEYS).replace("\"pvs:", "\"ab:").replace("\"pvs/", "\"ab/")
    }

    /// Reads a plan and resolves the games and players that it names. [`OLD_KEYS`] are accepted.
    pub fn read(mut file: Settings, resolver: &dyn TournamentResolver) -> Result<TournamentPlan, InputError> {
        file.rename_old_keys(&OLD_KEYS)?;
        let name = file.text("name")?.map_or_else(|| "event".to_owned(), |(name, _)| name);
        let stages = read_stages(&mut file, resolver)?;
        let boards = all_boards(&stages, resolver)?;
        let PlayerLists { players, grids, patterns } = read_field(&mut file, resolver, &boards)?;
        let n_others: usize = grids.iter().map(GridPlan::len).sum();
        check_names(&file, &players, &grids)?;
        check_groups(&file, &stages, &players, &grids, !patterns.is_empty())?;
        if patterns.is_empty() && players.len() + n_others < 2 {
            return Err(
                file.missing("player", "at least two players ([[player]], or players = \"folder/*\")")
            );
        }
        for stage in stages.iter().filter(|stage| stage.format.name == "gauntlet") {
            if !players.iter().any(|player| player.staff) {
                let gauntlet = format!("gauntlet{}", quoted_name(stage));
                let expected = format!("a player with staff = true for the others to meet in the {gauntlet}");
                return Err(file.missing("player", expected));
            }
        }
        let is_whole = |stage: &&StagePlan| stage.from.is_empty() && stage.groups.is_empty();
        let n_players = players.len() + n_others;
        for stage in stages.iter().filter(is_whole).filter(|stage| stage.format.name == "round-robin") {
            let n_pairings = n_players * n_players.saturating_sub(1) / 2 * stage.options.pairs as usize;
            if n_pairings > MAX_PAIRINGS {
                let expected = format!(
                    "a format with at most {MAX_PAIRINGS} pairings; a round robin of {n_players} players has {n_pairings}"
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
            margin_ms: file.integer("margin_ms", 200, 0..=600_000)?,
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

fn quoted_name(stage: &StagePlan) -> String {
    if stage.name.is_empty() { String::new() } else { format!(" \"{}\"", stage.name) }
}

fn read_stages(file: &mut Settings, resolver: &dyn TournamentResolver) -> Result<Vec<StagePlan>, InputError> {
    let outer = StageDefaults::read(file, &StageDefaults::default(), resolver)?;
    let tables = file.tables("stage")?;
    if tables.is_empty() {
        return Ok(vec![StagePlan::read(file, outer)?]);
    }
    let mut stages: Vec<StagePlan> = Vec::new();
    for mut table in tables {
        let common = StageDefaults::read(&mut table, &outer, resolver)?;
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

/// All boards of all stages; for a pool, a sample of its boards.
fn all_boards(stages: &[StagePlan], resolver: &dyn TournamentResolver) -> Result<Vec<String>, InputError> {
    let mut boards: Vec<String> = Vec::new();
    for stage in stages {
        let more = match &stage.boards {
            StageBoards::Listed(games) => games.clone(),
            StageBoards::Pool(pool) => resolver.samples(pool)?,
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
    resolver: &dyn TournamentResolver,
    boards: &[String],
) -> Result<PlayerLists, InputError> {
    let mut field = PlayerLists { players: Vec::new(), grids: Vec::new(), patterns: Vec::new() };
    let expected = "a section [[player]] for each player";
    match file.take("player") {
        None => {}
        Some((Setting::List(items), _)) => {
            for (item, place) in items {
                let Setting::Table(mut table) = item else {
                    return Err(file.invalid_value("player", place, &item.to_string(), expected));
                };
                field.players.push(PlayerPlan::read(&mut table, place, resolver, boards)?);
            }
        }
        Some((other, place)) => {
            return Err(file.invalid_value("player", place, &other.to_string(), expected));
        }
    }
    let expected =
        "a folder (\"submissions/*\"), a list of folders, or sections [[players]] with template and grid";
    let items = match file.take("players") {
        None => Vec::new(),
        Some((Setting::List(items), _)) => items,
        Some(item) => vec![item],
    };
    for (item, place) in items {
        match item {
            Setting::Text(pattern) if !pattern.is_empty() => field.patterns.push((pattern, place)),
            Setting::Table(mut table) => field.grids.push(GridPlan::read(&mut table, resolver, boards)?),
            other => return Err(file.invalid_value("players", place, &other.to_string(), expected)),
        }
    }
    Ok(field)
}

/// Fails if two players have the same name.
fn check_names(file: &Settings, players: &[PlayerPlan], grids: &[GridPlan]) -> Result<(), InputError> {
    let mut names: BTreeMap<String, SourceLocation> = BTreeMap::new();
    for player in players {
        if let Some(before) = names.insert(player.name.clone(), player.place) {
            let expected = format!("a name that no other player has; the player at {before} has this one");
            return Err(file.invalid_value("name of a [[player]]", player.place, &player.name, expected));
        }
    }
    let mut of_grids = BTreeSet::new();
    for (name, _) in grids.iter().flat_map(GridPlan::players) {
        if names.contains_key(&name) || !of_grids.insert(name.clone()) {
            let expected = "a name that no other player has; set another prefix for the grid";
            return Err(file.invalid_value("players", file.location_of("players"), &name, expected));
        }
    }
    Ok(())
}

/// Fails if a group that a stage names has no player. Players of folders can bring groups of their own.
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
            let nearest = nearest_name(group, known.iter().copied());
            let list: Vec<&str> = known.iter().copied().collect();
            let expected = format!("a group of players ({})", list.join(", "));
            let bad = file.invalid_value("groups of a [[stage]]", file.location_of("stage"), group, expected);
            return Err(bad.with_nearest(nearest));
        }
    }
    Ok(())
}

fn read_start(file: &mut Settings) -> Result<LaunchPolicy, InputError> {
    let start = file.choice("start", "once", &STARTS.map(|(name, _)| name))?;
    Ok(STARTS.iter().find(|(name, _)| *name == start).map_or(LaunchPolicy::Once, |(_, start)| *start))
}

fn read_tie_breaks(file: &mut Settings) -> Result<Vec<TieBreak>, InputError> {
    let Some(texts) = file.texts("tie_breaks")? else {
        return Ok(vec![TieBreak::Direct, TieBreak::SonnebornBerger, TieBreak::Buchholz, TieBreak::Rating]);
    };
    let read = |(text, place): (String, SourceLocation)| {
        text.parse().map_err(|bad| file.error_in_value("tie_breaks", place, bad))
    };
    texts.into_iter().map(read).collect()
}

fn read_confinement(file: &mut Settings) -> Result<ProgramLimits, InputError> {
    let mut table = file.table("confinement")?;
    let default = ProgramLimits::default();
    let confinement = ProgramLimits {
        memory_mb: table.integer("memory_mb", default.memory_mb, 1..=1 << 30)?,
        processes: table.integer("processes", default.processes, 1..=1 << 20)?,
        cpu_seconds: Some(table.integer("cpu_seconds", 0, 0..=1 << 30)?).filter(|seconds| *seconds > 0),
        file_mb: table.integer("file_mb", default.file_mb, 0..=1 << 30)?,
        open_files: table.integer("open_files", default.open_files, 8..=1 << 20)?,
        unconfined: table.flag("unconfined", default.unconfined)?,
    };
    table.finish()?;
    Ok(confinement)
}

fn read_marks(file: &mut Settings, players: &[PlayerPlan]) -> Result<Vec<MarkThreshold>, InputError> {
    let mut marks = Vec::new();
    for mut table in file.tables("mark")? {
        let (above, place) =
            table.text("above")?.ok_or_else(|| table.missing("above", "the name of a reference player"))?;
        if !players.iter().any(|player| player.name == above) {
            let known: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
            let nearest = nearest_name(&above, known.iter().copied());
            let expected = format!("a listed player ({})", known.join(", "));
            return Err(table.invalid_value("above", place, &above, expected).with_nearest(nearest));
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
