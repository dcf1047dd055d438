//! A tuning plan from a few options, as the text of a plan file.

use crate::text::quoted;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_tune::{Settings, TuningPlan, parse_count, parse_seconds};

/// Options for a tuning plan without a file; those that are `None` have a default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TuningOptions {
    /// A game, or a pool of boards such as `connect/study`.
    pub game: String,
    /// The player without its weights: `greedy/lines`.
    pub player: Option<String>,
    /// The evaluation of a greedy player, instead of `player`.
    pub features: Option<String>,
    /// The method; default `cmaes`.
    pub method: Option<String>,
    /// The objective; default `league`, or `gauntlet` where there are opponents.
    pub objective: Option<String>,
    /// The opponents, as player strings.
    pub opponents: Vec<String>,
    /// The budget: `100k` games, `200gen` generations or `20s` of time; default `20s`.
    pub budget: Option<String>,
    /// Number of random moves before the players take over; default 4.
    pub opening_plies: Option<u32>,
    /// Number of pairs of games in every match; default 1.
    pub pairs: Option<u32>,
    /// Settings of the method: `sigma=0.2`.
    pub settings: Vec<String>,
    /// Seed of all random choices.
    pub seed: u64,
}

impl TuningOptions {
    /// The text of the plan file. Of its names only the game is resolved.
    pub fn text(&self, catalog: &'static Catalog) -> Result<String, InputError> {
        let is_pool = catalog.pool(&self.game).is_ok();
        let sample = match is_pool {
            true => (catalog.pool(&self.game)?.draw)(&mut palestra_core::Seed(self.seed).rng()),
            false => self.game.clone(),
        };
        let game = catalog.open(&sample)?;
        let player = match (&self.player, &self.features) {
            (Some(player), _) => player.clone(),
            (None, Some(features)) => format!("greedy/{features}"),
            (None, None) => {
                let evaluations = game.evaluations();
                let first = evaluations.iter().find(|texts| texts.linear && !texts.weights().is_empty());
                let name = first.map(|texts| texts.name).ok_or_else(|| {
                    InputError::new("game", &self.game, "a game with an evaluation that takes weights")
                })?;
                format!("greedy/{name}")
            }
        };
        let boards = match is_pool {
            true => format!("pool = {}", quoted(&self.game)),
            false => format!("game = {}", quoted(&game.name())),
        };
        let mut lines = vec![
            boards,
            format!("player = {}", quoted(&player)),
            format!("seed = {}", self.seed),
            format!("opening_plies = {}", self.opening_plies.unwrap_or(4)),
            format!("pairs = {}", self.pairs.unwrap_or(1)),
            "[objective]".to_owned(),
        ];
        let default = if self.opponents.is_empty() { "league" } else { "gauntlet" };
        let objective = self.objective.as_deref().unwrap_or(default);
        lines.push(format!("name = {}", quoted(objective)));
        match (objective, &self.opponents[..]) {
            ("reference", [player]) => lines.push(format!("player = {}", quoted(player))),
            (_, []) => {}
            (_, opponents) => {
                let opponents: Vec<String> = opponents.iter().map(|opponent| quoted(opponent)).collect();
                lines.push(format!("opponents = [{}]", opponents.join(", ")));
            }
        }
        lines.push(format!("[method]\nname = {}", quoted(self.method.as_deref().unwrap_or("cmaes"))));
        for setting in &self.settings {
            let (key, value) = setting
                .split_once('=')
                .ok_or_else(|| InputError::new("--set", setting, "KEY=VALUE, such as sigma=0.2"))?;
            let is_toml = Settings::parse(&format!("value = {value}"), "").is_ok();
            lines.push(if is_toml {
                format!("{key} = {value}")
            } else {
                format!("{key} = {}", quoted(value))
            });
        }
        lines.push(format!("[budget]\n{}", budget(self.budget.as_deref().unwrap_or("20s"))?));
        Ok(lines.join("\n"))
    }
}

/// The line of `[budget]` for `100k` games, `200gen` generations or `20s` of time.
fn budget(text: &str) -> Result<String, InputError> {
    let expected = "a number of games (100k), a number of generations (200gen) or a time (20s, 5m, 2h)";
    let bad = || InputError::new("--budget", text, expected);
    if let Some(generations) = text.strip_suffix("gen") {
        return Ok(format!("generations = {}", parse_count(generations).ok_or_else(bad)?));
    }
    match parse_count(text) {
        Some(games) => Ok(format!("games = {games}")),
        None => Ok(format!("time = {:?}", parse_seconds(text).ok_or_else(bad)?)),
    }
}

/// Checks a plan before a run: its method can be opened, and it ends.
pub fn check(plan: &TuningPlan) -> Result<(), InputError> {
    let method = palestra_tune::open_optimizer(plan)?;
    let budget = plan.budget;
    let is_unlimited = budget.games.is_none() && budget.generations.is_none() && budget.seconds.is_none();
    if is_unlimited && method.n_generations().is_none() {
        let expected =
            "games, generations or time in [budget], or --budget, because this method never ends by itself";
        return Err(InputError::new("budget", "", expected));
    }
    Ok(())
}
