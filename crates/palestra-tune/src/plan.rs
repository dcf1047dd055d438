//! A tuning plan with every name resolved: player, boards, method, objective and budget.

use crate::keys::keys;
use crate::methods::{METHODS, MethodInfo};
use crate::objective::{Objective, resolve_objective};
use crate::programs::ProgramConditions;
use crate::start_points::{StartPointSampler, TuningBoards};
use crate::{PointSystem, Space};
use palestra_arena::{Catalog, TunablePlayer, is_program_text};
use palestra_core::{InputError, nearest_name};
use palestra_settings::{
    Document, Finite, KeyRename, OneOrMany, Parsed, Place, Placed, count, old_spelling, seconds,
};
use serde::Deserialize;
use std::fmt;

/// Largest seed. 53 bits: numbers of a file are stored as f64.
pub const MAX_SEED: u64 = u64::MAX >> 11;
/// Largest number of random moves before the players take over.
pub const MAX_OPENING_PLIES: u32 = 1000;
/// Largest number of pairs of games of a match.
pub const MAX_PAIRS: u32 = 1_000_000;

keys! {
    /// The keys of a plan, before names are resolved; `[method]` is in [`TuningPlanFile`].
    pub struct TuningKeys {
        /// The board, or several.
        game: Option<OneOrMany<String>> = None;
        /// The boards.
        boards: Option<OneOrMany<String>> = None;
        /// A pool of boards, instead of a list.
        pool: Option<Placed<String>> = None;
        /// The player whose weights are tuned.
        player: Option<Placed<String>> = None;
        /// Whether only the direction of the weights matters.
        sphere: Option<bool> = None;
        /// Lower bounds of the weights: one, or one for each.
        low: Option<OneOrMany<Finite>> = None;
        /// Upper bounds of the weights.
        high: Option<OneOrMany<Finite>> = None;
        /// Start weights.
        start: Option<OneOrMany<Finite>> = None;
        /// Seed of all randomness.
        seed: u64 = 1, in 0..=MAX_SEED;
        /// Random moves before the players take over.
        opening_plies: u32 = 0, in 0..=u64::from(MAX_OPENING_PLIES);
        /// Pairs of games of every match, on each board.
        pairs: u32 = 1, in 1..=u64::from(MAX_PAIRS);
        /// When new start points are drawn.
        fresh: Option<Placed<RefreshPolicy>> = None;
        /// Points for the result of a game.
        points: Option<Parsed<PointSystem>> = None;
        /// How candidates are rated.
        objective: Option<Placed<Objective<Placed<String>>>> = None;
        /// When to stop.
        budget: TuningBudget = TuningBudget::default();
        /// How the champion is tested.
        test: TestKeys = TestKeys::default();
        /// How opponents that are external programs are run.
        programs: ProgramConditions = ProgramConditions::default();
    }
}

keys! {
    /// The keys of `[test]`.
    pub struct TestKeys {
        /// Whether the champion is tested.
        wanted: Option<bool> = None;
        /// Random moves before the players take over.
        opening_plies: Option<u32> = None, in 0..=1000;
        /// Largest number of pairs of games for each criterion.
        pairs: u32 = 2000, in 10..=10_000_000;
        /// Whether to run the controls.
        controls: bool = true;
    }
}

/// Largest bound of a weight: beyond it, differences and squares of weights are not finite.
const MAX_BOUND: f64 = 1e100;

/// A plan as a file or options have it: its names are not resolved yet.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TuningPlanFile {
    /// The keys.
    pub keys: TuningKeys,
    /// The method; `None` is the default.
    pub method: Option<Placed<String>>,
    /// The settings of the method.
    pub settings: Document,
    /// The file.
    pub place: Place,
}

impl TuningPlanFile {
    /// Reads the keys of a plan. [`OLD_KEYS`] are accepted.
    pub fn read(mut document: Document) -> Result<TuningPlanFile, InputError> {
        document.rename_old_keys(&OLD_KEYS)?;
        let (method, settings) = document.take_named("method")?;
        Ok(TuningPlanFile { keys: document.read()?, method, settings, place: document.place })
    }
}

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
    pub method_settings: Document,
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
    /// How opponents that are external programs are run.
    pub programs: ProgramConditions,
}

/// When new start points are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RefreshPolicy {
    /// Never: every generation plays on the same start points.
    Never,
    /// For every generation.
    Generation,
    /// For every match. Every game of self-play has its own start point in any case.
    Match,
}

impl RefreshPolicy {
    /// An error where candidates have no matches that could have start points of their own.
    pub(crate) fn check(self, objective: &Objective, method: &MethodInfo) -> Result<(), InputError> {
        let reason = match objective {
            _ if self != RefreshPolicy::Match => return Ok(()),
            _ if method.name == "grid" => "the points of a grid share all of their start points",
            Objective::Accuracy(_) => "accuracy is measured at fixed positions, without matches",
            Objective::Chance => "random fitness takes no matches",
            _ => return Ok(()),
        };
        Err(InputError::new("fresh", "match", format!("never or generation: {reason}")))
    }
}

/// When to stop: at the first limit that is reached.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TuningBudget {
    /// Number of games.
    #[serde(deserialize_with = "count")]
    pub games: Option<u64>,
    /// Number of generations.
    #[serde(deserialize_with = "count")]
    pub generations: Option<u64>,
    /// Seconds of work. A run that ends by time cannot be repeated exactly.
    #[serde(rename = "time", deserialize_with = "seconds")]
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

/// Keys of a tuning plan that version 0.0 called otherwise.
pub const OLD_KEYS: [KeyRename; 5] = [
    KeyRename { section: "", old: "games", new: "boards" },
    KeyRename { section: "", old: "openings", new: "opening_plies" },
    KeyRename { section: "objective", old: "rivals", new: "opponents" },
    KeyRename { section: "objective", old: "draw_worth", new: "draw_value" },
    KeyRename { section: "test", old: "openings", new: "opening_plies" },
];

impl TuningPlan {
    /// Reads a plan; everything it names must exist.
    pub fn read(document: Document, outside: &TuningResolver<'_>) -> Result<TuningPlan, InputError> {
        TuningPlan::resolve(TuningPlanFile::read(document)?, outside)
    }

    /// The plan of these keys; everything they name must exist.
    pub fn resolve(file: TuningPlanFile, outside: &TuningResolver<'_>) -> Result<TuningPlan, InputError> {
        let TuningPlanFile { keys, method, settings, place } = file;
        let boards = boards_of(&keys, &place)?;
        let sampler = StartPointSampler::new(outside.catalog, boards.clone())?;
        let player = keys.player.as_ref().ok_or_else(|| {
            place.missing("player", "a player whose weights to find: greedy/lines, ab:depth=2/islands")
        })?;
        let mut tunables = Vec::new();
        for game in sampler.samples()? {
            let tunable = outside.catalog.open(&game)?.tunable_player(player);
            tunables.push(tunable.map_err(|bad| player.place.locate(bad))?);
        }
        let tunable_player =
            tunables.split_off(1).iter().fold(tunables.swap_remove(0), TunablePlayer::also_on);
        // Without openings and on fixed boards, games between deterministic players repeat.
        let varied = keys.opening_plies > 0 || matches!(boards, TuningBoards::Pool(_));
        let default = if varied { RefreshPolicy::Generation } else { RefreshPolicy::Never };
        let objective = match &keys.objective {
            Some(objective) => resolve_objective(objective, keys.seed, &sampler, outside)?,
            None => Objective::League,
        };
        let method = method_named(method.as_ref(), outside.methods)?;
        let fresh = match &keys.fresh {
            None => default,
            Some(Placed { value, place }) => {
                value.check(&objective, method).map_err(|bad| place.error_in_value(bad))?;
                *value
            }
        };
        let TestKeys { wanted, opening_plies, pairs, controls } = keys.test;
        let test = TestPlan {
            wanted: wanted.unwrap_or(method.name != "grid"),
            opening_plies: opening_plies.unwrap_or(keys.opening_plies.max(6)),
            pairs,
            controls,
        };
        Ok(TuningPlan {
            player: tunable_player.spec.kind.without_weights(),
            space: space_of(&keys, &tunable_player)?,
            start: start_of(&keys, &tunable_player)?,
            tunable_player,
            boards,
            method,
            method_settings: settings,
            objective,
            points: keys.points.map_or_else(PointSystem::default, |points| points.0),
            opening_plies: keys.opening_plies,
            pairs: keys.pairs,
            fresh,
            budget: keys.budget,
            seed: keys.seed,
            test,
            programs: keys.programs,
        })
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

impl TuningResolver<'_> {
    /// The string of an opponent, which is an external program or must play on all boards.
    pub(crate) fn check_opponent(
        &self,
        player: &Placed<String>,
        sampler: &StartPointSampler,
    ) -> Result<String, InputError> {
        let text = (self.lookup)(player).map_err(|bad| player.place.locate(bad))?;
        if is_program_text(&text) { Ok(text) } else { self.check_player(player, sampler) }
    }

    /// The string of a player, which must play on all boards.
    pub(crate) fn check_player(
        &self,
        player: &Placed<String>,
        sampler: &StartPointSampler,
    ) -> Result<String, InputError> {
        let text = (self.lookup)(player).map_err(|bad| player.place.locate(bad))?;
        for game in sampler.samples()? {
            let read = self.catalog.open(&game)?.player(&text);
            read.map_err(|bad| player.place.locate(bad.map_key(|key| format!("{key} on {game}"))))?;
        }
        Ok(text)
    }
}

/// Turns the name of a saved player into its player string; returns any other text unchanged.
pub type PlayerLookup<'a> = dyn Fn(&str) -> Result<String, InputError> + 'a;

fn boards_of(keys: &TuningKeys, place: &Place) -> Result<TuningBoards, InputError> {
    match (keys.game.as_ref().or(keys.boards.as_ref()), &keys.pool) {
        (Some(_), Some(pool)) => Err(pool.place.not_allowed("the plan already lists its boards")),
        (None, None) => {
            Err(place.missing("game", "a game (game), several boards (boards) or a pool of boards (pool)"))
        }
        (Some(games), None) if games.0.is_empty() => Err(place.missing("boards", "at least one board")),
        (Some(games), None) => Ok(TuningBoards::Listed(games.0.clone())),
        (None, Some(pool)) => Ok(TuningBoards::Pool(pool.value.clone())),
    }
}

fn space_of(keys: &TuningKeys, tunable: &TunablePlayer) -> Result<Space, InputError> {
    let n = tunable.names.len();
    let reach = if tunable.scale_free { 1.0 } else { 10.0 };
    let bound = |key: &str, given: &Option<OneOrMany<Finite>>, default: f64| match given
        .as_ref()
        .map(|given| &given.0[..])
    {
        None => Ok(vec![default; n]),
        Some([one]) => Ok(vec![one.0; n]),
        Some(numbers) if numbers.len() == n => Ok(numbers.iter().map(|number| number.0).collect()),
        Some(numbers) => {
            let expected = format!("{n} numbers ({}), or one for all", tunable.names.join(", "));
            Err(InputError::new(key, format!("{} numbers", numbers.len()), expected))
        }
    };
    let (low, high) = (bound("low", &keys.low, -reach)?, bound("high", &keys.high, reach)?);
    for (key, bound) in low.iter().map(|low| ("low", low)).chain(high.iter().map(|high| ("high", high))) {
        if bound.abs() > MAX_BOUND {
            return Err(InputError::new(key, bound.to_string(), "a number from -1e100 to 1e100"));
        }
    }
    for ((low, high), name) in low.iter().zip(&high).zip(&tunable.names) {
        if low >= high {
            let expected = format!("a number above the lower bound {low} of the weight of {name}");
            return Err(InputError::new("high", high.to_string(), expected));
        }
    }
    let names = tunable.names.iter().map(|name| (*name).to_owned()).collect();
    Ok(Space { names, low, high, scale_free: keys.sphere.unwrap_or(tunable.scale_free) })
}

fn start_of(keys: &TuningKeys, tunable: &TunablePlayer) -> Result<Option<Vec<f64>>, InputError> {
    let n = tunable.names.len();
    match keys.start.as_ref().map(|start| &start.0[..]) {
        Some(start) if start.len() != n => {
            let expected = format!("{n} numbers ({})", tunable.names.join(", "));
            Err(InputError::new("start", format!("{} numbers", start.len()), expected))
        }
        Some(start) => Ok(Some(start.iter().map(|number| number.0).collect())),
        None => Ok(tunable.weights.clone()),
    }
}

/// The default of `method`.
const DEFAULT_METHOD: &str = "cmaes";

/// The method of that name, or the default.
pub(crate) fn method_named(
    name: Option<&Placed<String>>,
    more: &'static [MethodInfo],
) -> Result<&'static MethodInfo, InputError> {
    let wanted = name.map_or(DEFAULT_METHOD, |name| name.as_str());
    let all = || METHODS.iter().chain(more);
    all().find(|method| method.name == wanted).ok_or_else(|| {
        let known: Vec<&str> = all().map(|method| method.name).collect();
        let nearest = nearest_name(wanted, known.iter().copied());
        let place = name.map(|name| name.place.clone()).unwrap_or_default();
        place.invalid_value(wanted, format!("a method ({})", known.join(", "))).with_nearest(nearest)
    })
}

/// A printed plan with the keys and player names of version 0.0.
pub(crate) fn in_old_words(plan: &str, renames: &[KeyRename]) -> String {
    old_spelling(plan, renames).replace("\"pvs:", "\"ab:").replace("\"pvs/", "\"ab/")
}

impl TuningPlan {
    /// Pairs of games that two candidates play with effort 1, on all boards together.
    #[must_use]
    pub fn n_pairs_each(&self) -> usize {
        self.boards.n_boards() * self.pairs as usize
    }

    /// Whether version 0.0 played this plan on other start points: there, `fresh = "match"` was for leagues on one board
    /// or a pool.
    #[must_use]
    pub fn has_new_start_points(&self) -> bool {
        let was_known = self.objective == Objective::League && self.boards.n_boards() == 1;
        self.fresh == RefreshPolicy::Match && !was_known
    }

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
        let fresh = match self.fresh {
            RefreshPolicy::Never => "never",
            RefreshPolicy::Generation => "generation",
            RefreshPolicy::Match => "match",
        };
        writeln!(f, "fresh = {fresh:?}")?;
        writeln!(f, "points = {:?}", self.points.to_string())?;
        writeln!(f, "sphere = {}", self.space.scale_free)?;
        writeln!(f, "low = {}", list(&self.space.low))?;
        writeln!(f, "high = {}", list(&self.space.high))?;
        if let Some(start) = &self.start {
            writeln!(f, "start = {}", list(start))?;
        }
        writeln!(f, "\n[objective]\n{}", self.objective.to_toml().join("\n"))
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
        write!(
            f,
            "\n[test]\nwanted = {wanted}\nopening_plies = {opening_plies}\npairs = {pairs}\ncontrols = {controls}\n"
        )?;
        if self.objective.programs().is_empty() { Ok(()) } else { self.programs.fmt(f) }
    }
}
