//! A tuning plan with every name resolved: player, boards, method, objective and budget.

use crate::methods::{METHODS, MethodInfo};
use crate::objective::Objective;
use crate::start_points::{StartPointSampler, TuningBoards};
use crate::{PointSystem, Setting, Settings, SourceLocation, Space};
use palestra_arena::{Catalog, TestSuitePlan, TunablePlayer};
use palestra_core::{InputError, nearest_name};
use palestra_settings::{KeyRename, old_spelling};
use std::fmt::{self, Write as _};

/// A tuning run. Displays as the complete plan file; reading that file gives the same plan.
#[derive(Clone, Debug)]
pub struct TuningPlan {
    /// The boards that games are played on.
    pub boards: TuningBoards,
    /// The player whose weights are tuned, without weights: `greedy/lines`.
    pub player: String,
    /// The player as the first board parses it.
    pub tunable_player: TunablePlayer,
    /// Names and bounds of the weights.
    pub space: Space,
    /// Start weights; `None` lets the method choose.
    pub start: Option<Vec<f64>>,
    /// The method.
    pub method: &'static MethodInfo,
    /// Its settings.
    pub method_settings: Settings,
    /// How candidates are rated.
    pub objective: Objective,
    /// Points for the result of a game.
    pub points: PointSystem,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Pairs of games of every match, on each board.
    pub pairs: u32,
    /// When new start points are drawn.
    pub fresh: RefreshPolicy,
    /// When to stop.
    pub budget: TuningBudget,
    /// Seed of all randomness.
    pub seed: u64,
    /// How the champion is tested.
    pub test: TestPlan,
}

/// When new start points are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefreshPolicy {
    /// Never: every generation plays on the same start points.
    Never,
    /// For every generation.
    Generation,
    /// For every match of a league.
    Match,
}

/// When to stop: at the first limit that is reached.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TuningBudget {
    /// Number of games.
    pub games: Option<u64>,
    /// Number of generations.
    pub generations: Option<u64>,
    /// Seconds of work. A run that ends by time cannot be repeated exactly.
    pub seconds: Option<f64>,
}

/// How the champion is tested, on openings never used in training.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestPlan {
    /// Whether it is tested at all; `false` by default for a grid search, whose result is the grid.
    pub wanted: bool,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Largest number of pairs of games for each criterion.
    pub pairs: u32,
    /// Whether to run the controls: random search and random fitness with the same budget.
    pub controls: bool,
}

const FRESH: [(&str, RefreshPolicy); 3] = [
    ("never", RefreshPolicy::Never),
    ("generation", RefreshPolicy::Generation),
    ("match", RefreshPolicy::Match),
];

/// Keys of a tuning plan that version 0.0 called otherwise.
pub const OLD_KEYS: [KeyRename; 5] = [
    KeyRename { section: "", old: "games", new: "boards" },
    KeyRename { section: "", old: "openings", new: "opening_plies" },
    KeyRename { section: "objective", old: "rivals", new: "opponents" },
    KeyRename { section: "objective", old: "draw_worth", new: "draw_value" },
    KeyRename { section: "test", old: "openings", new: "opening_plies" },
];

impl TuningPlan {
    /// Reads a plan; everything it names must exist. [`OLD_KEYS`] are accepted.
    pub fn read(mut file: Settings, outside: &TuningResolver<'_>) -> Result<TuningPlan, InputError> {
        let TuningResolver { catalog, lookup, .. } = *outside;
        file.rename_old_keys(&OLD_KEYS)?;
        let boards = read_boards(&mut file)?;
        let stage = StartPointSampler::new(catalog, boards.clone())?;
        let (player, place) = file.text("player")?.ok_or_else(|| {
            file.missing("player", "a player whose weights to find: greedy/lines, ab:depth=2/islands")
        })?;
        let mut tunables = Vec::new();
        for game in stage.samples()? {
            let tunable = catalog.open(&game)?.tunable_player(&player);
            tunables.push(tunable.map_err(|bad| bad.at(place))?);
        }
        let tunable = tunables.swap_remove(0);
        let player = without_weights(&tunable);
        let space = read_space(&mut file, &tunable)?;
        let start = read_start(&mut file, &tunable)?;
        let seed = file.integer("seed", 1, 0..=u64::MAX >> 11)?;
        let opening_plies = file.integer("opening_plies", 0, 0..=1000)? as u32;
        let pairs = file.integer("pairs", 1, 1..=1_000_000)? as u32;
        // Without openings and on fixed boards, games between deterministic players repeat.
        let varied = opening_plies > 0 || matches!(boards, TuningBoards::Pool(_));
        let default = if varied { "generation" } else { "never" };
        let fresh = file.choice("fresh", default, &FRESH.map(|(name, _)| name))?;
        let fresh =
            FRESH.iter().find(|(name, _)| *name == fresh).map_or(RefreshPolicy::Never, |(_, fresh)| *fresh);
        let points = read_points(&mut file)?;
        let objective = read_objective(&mut file, catalog, &stage, (seed, lookup))?;
        let (method, method_settings) = read_method(&mut file, outside.methods)?;
        let mut table = file.table("budget")?;
        let budget = TuningBudget {
            games: read_count(&mut table, "games")?,
            generations: read_count(&mut table, "generations")?,
            seconds: read_seconds(&mut table)?,
        };
        table.finish()?;
        let mut table = file.table("test")?;
        let test = TestPlan {
            wanted: table.flag("wanted", method.name != "grid")?,
            opening_plies: table.integer("opening_plies", u64::from(opening_plies.max(6)), 0..=1000)? as u32,
            pairs: table.integer("pairs", 2000, 10..=10_000_000)? as u32,
            controls: table.flag("controls", true)?,
        };
        table.finish()?;
        file.finish()?;
        let plan = TuningPlan {
            boards,
            player,
            tunable_player: tunable,
            space,
            start,
            method,
            method_settings,
            objective,
            points,
            opening_plies,
            pairs,
            fresh,
            budget,
            seed,
            test,
        };
        Ok(plan)
    }
}

/// Resolves the names of a plan that this crate does not know.
#[derive(Clone, Copy)]
pub struct TuningResolver<'a> {
    /// The games of the program.
    pub catalog: &'static Catalog,
    /// Resolves saved players: `@champion`.
    pub lookup: &'a PlayerLookup<'a>,
    /// Methods in addition to [`METHODS`].
    pub methods: &'static [MethodInfo],
}

/// Turns the name of a saved player into its player string; returns any other text unchanged.
pub type PlayerLookup<'a> = dyn Fn(&str) -> Result<String, InputError> + 'a;

/// The canonical player string without its weights.
fn without_weights(tunable: &TunablePlayer) -> String {
    let text = tunable.spec.with_weights(&vec![0.0; tunable.names.len()]).to_string();
    text.rsplit_once('/').map_or(text.clone(), |(head, _)| head.to_owned())
}

fn read_boards(file: &mut Settings) -> Result<TuningBoards, InputError> {
    let games = file.texts(if file.has("game") { "game" } else { "boards" })?;
    let pool = file.text("pool")?;
    match (games, pool) {
        (Some(_), Some(_)) => Err(file.not_allowed("pool", "the plan already lists its boards")),
        (None, None) => {
            Err(file.missing("game", "a game (game), several boards (boards) or a pool of boards (pool)"))
        }
        (Some(games), None) if games.is_empty() => Err(file.missing("boards", "at least one board")),
        (Some(games), None) => Ok(TuningBoards::Listed(games.into_iter().map(|(game, _)| game).collect())),
        (None, Some((pool, _))) => Ok(TuningBoards::Pool(pool)),
    }
}

fn read_space(file: &mut Settings, tunable: &TunablePlayer) -> Result<Space, InputError> {
    let n = tunable.names.len();
    let scale_free = file.flag("sphere", tunable.scale_free)?;
    let reach = if tunable.scale_free { 1.0 } else { 10.0 };
    let mut bound = |key: &str, default: f64| -> Result<Vec<f64>, InputError> {
        match file.numbers(key)? {
            None => Ok(vec![default; n]),
            Some(numbers) if numbers.len() == 1 => Ok(vec![numbers[0]; n]),
            Some(numbers) if numbers.len() == n => Ok(numbers),
            Some(numbers) => {
                let expected = format!("{n} numbers ({}), or one for all", tunable.names.join(", "));
                Err(InputError::new(key, format!("{} numbers", numbers.len()), expected))
            }
        }
    };
    let (low, high) = (bound("low", -reach)?, bound("high", reach)?);
    for ((low, high), name) in low.iter().zip(&high).zip(&tunable.names) {
        if low >= high {
            let expected = format!("a number above the lower bound {low} of the weight of {name}");
            return Err(InputError::new("high", high.to_string(), expected));
        }
    }
    let names = tunable.names.iter().map(|name| (*name).to_owned()).collect();
    Ok(Space { names, low, high, scale_free })
}

fn read_start(file: &mut Settings, tunable: &TunablePlayer) -> Result<Option<Vec<f64>>, InputError> {
    let n = tunable.names.len();
    match file.numbers("start")? {
        Some(start) if start.len() != n => {
            let expected = format!("{n} numbers ({})", tunable.names.join(", "));
            Err(InputError::new("start", format!("{} numbers", start.len()), expected))
        }
        Some(start) => Ok(Some(start)),
        None => Ok(tunable.weights.clone()),
    }
}

fn read_points(file: &mut Settings) -> Result<PointSystem, InputError> {
    let Some((text, place)) = file.text("points")? else { return Ok(PointSystem::default()) };
    text.parse().map_err(|bad: InputError| file.error_in_value("points", place, bad))
}

/// Names and descriptions of all objectives.
pub const OBJECTIVES: [(&str, &str); 7] = [
    ("gauntlet", "points against fixed opponents: opponents = [\"rival-0\", …]"),
    ("reference", "points against one player, which may be stochastic: player = \"random\""),
    ("league", "points of all candidates against each other"),
    ("ancestors", "points against the better half of the previous generation"),
    (
        "parasites",
        "fitness shared by candidates that beat the same parasites: n = 20, draw_divisor = 3, draw_value = 1",
    ),
    ("accuracy", "share of best moves in a test: positions = 200, exact_nodes = 2000000, nodes = 20000"),
    ("chance", "random fitness: the control, which must not find better players"),
];

/// Reads a section with a key `name`, or the name alone: `objective = "league"`. Returns name, location and section.
fn named_section(
    file: &mut Settings,
    key: &str,
    default: &str,
) -> Result<(String, Option<SourceLocation>, Settings), InputError> {
    match file.take(key) {
        None => Ok((default.to_owned(), None, Settings::default())),
        Some((Setting::Text(name), place)) => Ok((name, Some(place), Settings::default())),
        Some((Setting::Table(mut table), place)) => match table.text("name")? {
            Some((name, place)) => Ok((name, Some(place), table)),
            None => Ok((default.to_owned(), Some(place), table)),
        },
        Some((other, place)) => {
            Err(file.invalid_value(key, place, &other.to_string(), format!("a name or a section [{key}]")))
        }
    }
}

/// Resolves a player string, and checks that it can play on all boards.
pub(crate) fn check_player(
    player: &str,
    place: SourceLocation,
    stage: &StartPointSampler,
    (catalog, lookup): (&'static Catalog, &PlayerLookup<'_>),
) -> Result<String, InputError> {
    let player = lookup(player).map_err(|bad| bad.at(place))?;
    for game in stage.samples()? {
        let read = catalog.open(&game)?.player(&player);
        read.map_err(|bad| bad.map_key(|key| format!("{key} on {game}")).at(place))?;
    }
    Ok(player)
}

pub(crate) fn read_objective(
    file: &mut Settings,
    catalog: &'static Catalog,
    stage: &StartPointSampler,
    (seed, lookup): (u64, &PlayerLookup<'_>),
) -> Result<Objective, InputError> {
    let (name, place, mut table) = named_section(file, "objective", "league")?;
    let check_player =
        |player: &str, place: SourceLocation| check_player(player, place, stage, (catalog, lookup));
    let objective = match name.as_str() {
        "gauntlet" => {
            let opponents = table.texts("opponents")?.filter(|opponents| !opponents.is_empty());
            let opponents = opponents.ok_or_else(|| {
                table.missing("opponents", "a list of players: opponents = [\"rival-0\", …]")
            })?;
            let opponents = opponents.iter().map(|(player, place)| check_player(player, *place));
            Objective::Gauntlet { opponents: opponents.collect::<Result<_, _>>()? }
        }
        "reference" => {
            let (player, place) = table
                .text("player")?
                .ok_or_else(|| table.missing("player", "an opponent: player = \"random\""))?;
            Objective::Reference { player: check_player(&player, place)? }
        }
        "league" => Objective::League,
        "ancestors" => Objective::Ancestors,
        "parasites" => Objective::Parasites {
            n: table.integer("n", 20, 1..=100_000)? as usize,
            draw_divisor: table.number("draw_divisor", 3.0, 0.001..=1e6)?,
            draw_value: table.number("draw_value", 1.0, 0.0..=1e6)?,
        },
        "accuracy" => Objective::Accuracy(TestSuitePlan {
            n_positions: table.integer("positions", 200, 1..=1_000_000)? as u32,
            seed,
            exact_nodes: table.integer("exact_nodes", 2_000_000, 1..=1 << 50)?,
            deep_nodes: table.integer("nodes", 20_000, 1..=1 << 50)?,
            from_ply: table.integer("from_ply", 0, 0..=10_000)? as u32,
        }),
        "chance" => Objective::Chance,
        _ => {
            let known = OBJECTIVES.map(|(name, _)| name);
            let expected = format!("an objective ({})", known.join(", "));
            let bad = file.invalid_value("objective", place.unwrap_or_default(), &name, expected);
            return Err(bad.with_nearest(nearest_name(&name, known)));
        }
    };
    table.finish()?;
    Ok(objective)
}

fn read_method(
    file: &mut Settings,
    more: &'static [MethodInfo],
) -> Result<(&'static MethodInfo, Settings), InputError> {
    let (name, place, table) = named_section(file, "method", "cmaes")?;
    let method = method_named(&name, more).map_err(|(expected, nearest)| {
        file.invalid_value("method", place.unwrap_or_default(), &name, expected).with_nearest(nearest)
    })?;
    Ok((method, table))
}

/// The method of that name; on failure, what was expected and the nearest name.
pub(crate) fn method_named(
    name: &str,
    more: &'static [MethodInfo],
) -> Result<&'static MethodInfo, (String, Option<String>)> {
    let all = || METHODS.iter().chain(more);
    all().find(|method| method.name == name).ok_or_else(|| {
        let known: Vec<&str> = all().map(|method| method.name).collect();
        let nearest = nearest_name(name, known.iter().copied()).map(str::to_owned);
        (format!("a method ({})", known.join(", ")), nearest)
    })
}

/// Reads a count: 100000, or "100k", "5M".
fn read_count(table: &mut Settings, key: &str) -> Result<Option<u64>, InputError> {
    let Some((value, place)) = table.take(key) else { return Ok(None) };
    count_of(&value).map(Some).ok_or_else(|| table.invalid_value(key, place, &value.to_string(), A_COUNT))
}

/// The expected form of a count, for messages.
pub(crate) const A_COUNT: &str = "a whole number of at least 1, or one with k, M or G after it: \"100k\"";

/// The count that a value means.
pub(crate) fn count_of(value: &Setting) -> Option<u64> {
    match value {
        Setting::Number(number) if number.fract() == 0.0 && (1.0..=1e15).contains(number) => {
            Some(*number as u64)
        }
        Setting::Text(text) => parse_count(text),
        _ => None,
    }
}

/// Reads `100k`, `5M`, `1G` or a plain number.
pub fn parse_count(text: &str) -> Option<u64> {
    let text = text.trim().replace('_', "");
    let (digits, unit) = match text.char_indices().last()? {
        (i, 'k' | 'K') => (&text[..i], 1_000),
        (i, 'M') => (&text[..i], 1_000_000),
        (i, 'G') => (&text[..i], 1_000_000_000),
        _ => (&*text, 1),
    };
    let number: f64 = digits.parse().ok()?;
    let count = number * unit as f64;
    (count.fract() == 0.0 && (1.0..=1e15).contains(&count)).then_some(count as u64)
}

/// Reads `20`, `20s`, `5m`, `2h` as seconds.
pub fn parse_seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last()? {
        (i, 's') => (&text[..i], 1.0),
        (i, 'm') => (&text[..i], 60.0),
        (i, 'h') => (&text[..i], 3600.0),
        _ => (text, 1.0),
    };
    let seconds = digits.parse::<f64>().ok()? * unit;
    (0.01..=1e9).contains(&seconds).then_some(seconds)
}

fn read_seconds(table: &mut Settings) -> Result<Option<f64>, InputError> {
    let Some((value, place)) = table.take("time") else { return Ok(None) };
    let seconds = match &value {
        Setting::Number(number) => Some(*number).filter(|number| (0.01..=1e9).contains(number)),
        Setting::Text(text) => parse_seconds(text),
        _ => None,
    };
    let expected = "a time: 20 (seconds), \"20s\", \"5m\", \"2h\"";
    seconds.map(Some).ok_or_else(|| table.invalid_value("time", place, &value.to_string(), expected))
}

/// A printed plan with the keys and player names of version 0.0.
pub(crate) fn in_old_words(plan: &str, renames: &[KeyRename]) -> String {
    old_spelling(plan, renames).replace("\"pvs:", "\"ab:").replace("\"pvs/", "\"ab/")
}

impl TuningPlan {
    /// The file as version 0.0 wrote it: a stored run of it is the same run.
    #[must_use]
    pub fn old_spelling(&self) -> String {
        in_old_words(&self.to_string(), &OLD_KEYS)
    }

    /// Writes the keys of the task and `[objective]`, without the sections `[method]`, `[budget]` and `[test]`.
    pub(crate) fn write_task(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |text: &String| format!("{text:?}");
        let list = |numbers: &[f64]| {
            let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
            format!("[{}]", numbers.join(", "))
        };
        match &self.boards {
            TuningBoards::Listed(games) => {
                writeln!(f, "boards = [{}]", games.iter().map(quoted).collect::<Vec<_>>().join(", "))?;
            }
            TuningBoards::Pool(pool) => writeln!(f, "pool = {pool:?}")?,
        }
        writeln!(f, "player = {:?}", self.player)?;
        writeln!(f, "seed = {}", self.seed)?;
        writeln!(f, "opening_plies = {}", self.opening_plies)?;
        writeln!(f, "pairs = {}", self.pairs)?;
        let fresh = FRESH.iter().find(|(_, fresh)| *fresh == self.fresh).map_or("", |(name, _)| *name);
        writeln!(f, "fresh = {fresh:?}")?;
        writeln!(f, "points = {:?}", self.points.to_string())?;
        writeln!(f, "sphere = {}", self.space.scale_free)?;
        writeln!(f, "low = {}", list(&self.space.low))?;
        writeln!(f, "high = {}", list(&self.space.high))?;
        if let Some(start) = &self.start {
            writeln!(f, "start = {}", list(start))?;
        }
        writeln!(f, "\n[objective]\n{}", objective_keys(&self.objective).join("\n"))
    }
}

impl fmt::Display for TuningPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_task(f)?;
        writeln!(f, "\n[method]\nname = {:?}", self.method.name)?;
        f.write_str(&self.method_settings.to_toml())?;
        writeln!(f, "\n[budget]")?;
        if let Some(games) = self.budget.games {
            writeln!(f, "games = {games}")?;
        }
        if let Some(generations) = self.budget.generations {
            writeln!(f, "generations = {generations}")?;
        }
        if let Some(seconds) = self.budget.seconds {
            writeln!(f, "time = {seconds:?}")?;
        }
        let TestPlan { wanted, opening_plies, pairs, controls } = self.test;
        let mut text = String::new();
        write!(
            text,
            "\n[test]\nwanted = {wanted}\nopening_plies = {opening_plies}\npairs = {pairs}\ncontrols = {controls}\n"
        )?;
        f.write_str(&text)
    }
}

/// An objective as keys and values of its section.
pub(crate) fn objective_keys(objective: &Objective) -> Vec<String> {
    let mut keys = vec![format!("name = {:?}", objective.name())];
    match objective {
        Objective::Gauntlet { opponents } => keys.push(format!("opponents = {opponents:?}")),
        Objective::Reference { player } => keys.push(format!("player = {player:?}")),
        Objective::Parasites { n, draw_divisor, draw_value } => {
            keys.push(format!("n = {n}"));
            keys.push(format!("draw_divisor = {draw_divisor:?}"));
            keys.push(format!("draw_value = {draw_value:?}"));
        }
        Objective::Accuracy(TestSuitePlan { n_positions, exact_nodes, deep_nodes, from_ply, .. }) => {
            keys.push(format!("positions = {n_positions}"));
            keys.push(format!("exact_nodes = {exact_nodes}"));
            keys.push(format!("nodes = {deep_nodes}"));
            if *from_ply > 0 {
                keys.push(format!("from_ply = {from_ply}"));
            }
        }
        Objective::League | Objective::Ancestors | Objective::Chance => {}
    }
    keys
}
