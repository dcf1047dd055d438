//! A tuning plan from a few options: of the command, or of the page's form.

use palestra_arena::Catalog;
use palestra_core::{InputError, MemoryLimit, Seed};
use palestra_settings::{Document, OneOrMany, Place, Placed, parse_count, parse_seconds};
use palestra_tune::{
    MAX_OPENING_PLIES, MAX_PAIRS, MAX_SEED, Objective, TrainingSize, TuningBudget, TuningKeys, TuningPlan,
    TuningPlanFile,
};

/// Options for a tuning plan without a file; those that are not given have a default.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug, Default)]
pub struct TuningOptions {
    /// Evaluation of a greedy player to tune [default: the game's first]
    #[arg(long, value_name = "NAME", conflicts_with = "player")]
    pub features: Option<String>,
    /// Player to tune: search/evaluation
    #[arg(long, value_name = "PLAYER")]
    pub player: Option<String>,
    /// Tuning method: see palestra methods
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Objective: gauntlet, league, ancestors, reference, parasites or accuracy
    #[arg(long, value_name = "NAME")]
    pub objective: Option<String>,
    /// Opponent of a gauntlet; repeatable
    #[arg(long = "opponent", value_name = "PLAYER")]
    pub opponents: Vec<String>,
    /// Budget: 100k games, 200gen, 5m
    #[arg(long, value_name = "BUDGET")]
    pub budget: Option<String>,
    /// Random moves before the players take over
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_OPENING_PLIES)))]
    pub opening_plies: Option<u32>,
    /// Pairs of games per match
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_PAIRS)))]
    pub pairs: Option<u32>,
}

impl TuningOptions {
    /// The options of a form; `text` is the text of a field.
    pub fn of_form(text: impl Fn(&str) -> String) -> Result<TuningOptions, InputError> {
        let given = |key: &str| Some(text(key)).filter(|text| !text.is_empty());
        Ok(TuningOptions {
            features: None,
            player: given("features").map(|features| {
                format!("{}/{features}", given("search").unwrap_or_else(|| "greedy".to_owned()))
            }),
            method: given("method"),
            objective: given("objective"),
            opponents: text("opponents")
                .lines()
                .map(|line| line.trim().to_owned())
                .filter(|line| !line.is_empty())
                .collect(),
            budget: given("budget"),
            opening_plies: form_number("opening_plies", &text("opening_plies"), 0..=MAX_OPENING_PLIES)?,
            pairs: form_number("pairs", &text("pairs"), 1..=MAX_PAIRS)?,
        })
    }

    /// The first option that is given.
    #[must_use]
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--features", self.features.is_some()),
            ("--player", self.player.is_some()),
            ("--method", self.method.is_some()),
            ("--objective", self.objective.is_some()),
            ("--opponent", !self.opponents.is_empty()),
            ("--budget", self.budget.is_some()),
            ("--opening-plies", self.opening_plies.is_some()),
            ("--pairs", self.pairs.is_some()),
        ];
        given.iter().find(|(_, is_given)| *is_given).map(|(name, _)| *name)
    }

    /// The plan for a game, or a pool of boards such as `connect/study`. `set` are settings of the method: `sigma=0.2`.
    /// Of its names only the game is resolved.
    pub fn plan_file(
        &self,
        game: &str,
        seed: u64,
        set: &[String],
        catalog: &'static Catalog,
    ) -> Result<TuningPlanFile, InputError> {
        let pool = catalog.pool(game).ok();
        let board = catalog.open(&pool.map_or(game.to_owned(), |pool| pool.draw(&mut Seed(seed).rng())))?;
        let player = match (&self.player, &self.features) {
            (Some(player), _) => player.clone(),
            (None, Some(features)) => format!("greedy/{features}"),
            (None, None) => {
                let evaluations = board.evaluations();
                let first = evaluations.iter().find(|texts| texts.linear && !texts.weights().is_empty());
                let name = first.map(|texts| texts.name).ok_or_else(|| {
                    InputError::new("game", game, "a game with an evaluation that takes weights")
                })?;
                format!("greedy/{name}")
            }
        };
        if seed > MAX_SEED {
            return Err(InputError::new(
                "--seed",
                seed.to_string(),
                format!("a whole number from 0 to {MAX_SEED}"),
            ));
        }
        let is_pool = pool.is_some();
        let keys = TuningKeys {
            pool: is_pool.then(|| Placed::option(game.to_owned(), "game")),
            game: (!is_pool).then(|| OneOrMany(vec![board.name()])),
            player: Some(Placed::option(player, "--player")),
            seed,
            opening_plies: self.opening_plies.unwrap_or(4),
            pairs: self.pairs.unwrap_or(1),
            objective: Some(self.objective()?),
            budget: budget(self.budget.as_deref().unwrap_or("20s"))?,
            ..TuningKeys::default()
        };
        let mut settings = Document::empty(Place { key: "method".to_owned(), ..Place::option("--set") });
        for setting in set {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| InputError::new("--set", setting, "KEY=VALUE, such as sigma=0.2"))?;
            settings.set(key.trim(), value.trim())?;
        }
        let method = self.method.clone().map(|name| Placed::option(name, "--method"));
        Ok(TuningPlanFile { keys, method, settings, place: Place::default() })
    }

    /// The objective, with the opponents.
    fn objective(&self) -> Result<Placed<Objective<Placed<String>>>, InputError> {
        let default = if self.opponents.is_empty() { "league" } else { "gauntlet" };
        let name =
            Placed::option(self.objective.clone().unwrap_or_else(|| default.to_owned()), "--objective");
        let mut value: Objective<Placed<String>> = name.read()?;
        let mut given = self.opponents.iter().map(|player| Placed::option(player.clone(), "--opponent"));
        match (&mut value, &self.opponents[..]) {
            (Objective::Gauntlet { .. } | Objective::Reference { .. }, []) => {
                let expected = format!("a player for the candidates of the objective {} to meet", name.value);
                return Err(InputError::new("--opponent", "", expected));
            }
            (Objective::Gauntlet { opponents }, _) => *opponents = given.collect(),
            (Objective::Reference { player }, [_]) => *player = given.next().unwrap_or_default(),
            (_, []) => {}
            (_, _) => {
                let reason = format!("the objective {} does not take that many opponents", name.value);
                return Err(InputError::not_allowed("--opponent", reason));
            }
        }
        Ok(Placed { value, place: name.place })
    }
}

/// A whole number of a form; `None` for an empty field.
pub fn form_number(
    key: &str,
    text: &str,
    bounds: std::ops::RangeInclusive<u32>,
) -> Result<Option<u32>, InputError> {
    if text.is_empty() {
        return Ok(None);
    }
    let expected = || format!("a whole number from {} to {}", bounds.start(), bounds.end());
    let number = text.parse().ok().filter(|number| bounds.contains(number));
    number.map(Some).ok_or_else(|| InputError::new(key, text, expected()))
}

/// A budget of `100k` games, `200gen` generations or `20s` of time.
fn budget(text: &str) -> Result<TuningBudget, InputError> {
    let expected = "a number of games (100k), a number of generations (200gen) or a time (20s, 5m, 2h)";
    let bad = || InputError::new("--budget", text, expected);
    let mut budget = TuningBudget::default();
    if let Some(generations) = text.strip_suffix("gen") {
        budget.generations = Some(parse_count(generations).ok_or_else(bad)?);
    } else if let Some(games) = parse_count(text) {
        budget.games = Some(games);
    } else {
        budget.seconds = Some(parse_seconds(text).ok_or_else(bad)?);
    }
    Ok(budget)
}

/// Checks a plan before a run on `n_threads` threads: it fits into memory, its method can be opened, its budget has a
/// whole generation, and it ends.
pub fn check(plan: &TuningPlan, limit: MemoryLimit, n_threads: u64) -> Result<TrainingSize, InputError> {
    let size = palestra_tune::check_size(plan, limit, n_threads)?;
    let method = palestra_tune::open_optimizer(plan)?;
    let budget = plan.budget;
    let is_unlimited = budget.games.is_none() && budget.generations.is_none() && budget.seconds.is_none();
    if is_unlimited && method.n_generations().is_none() {
        let expected =
            "games, generations or time in [budget], or --budget, because this method never ends by itself";
        return Err(InputError::new("budget", "", expected));
    }
    let plays_none = size.first_generation == Some(0) && size.n_generations.is_none();
    if let Some(games) = budget.games.filter(|_| plays_none && budget.seconds.is_none()) {
        let expected = "generations or time: this training plays no games, and would never end";
        return Err(InputError::new("games in [budget]", games.to_string(), expected));
    }
    palestra_tune::check_budget(plan, &size)?;
    Ok(size)
}
