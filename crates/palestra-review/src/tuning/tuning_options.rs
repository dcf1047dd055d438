//! A plan of tuning in a few words, as the file that it stands for.

use crate::text::quoted;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_tune::{Settings, TuningPlan, parse_count, parse_seconds};

/// What people say when they write no file; whatever they leave out is as usual.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TuningOptions {
    /// A game, or a pool of boards such as `connect/study`.
    pub game: String,
    /// The player without its weights: `greedy/lines`.
    pub player: Option<String>,
    /// Only its evaluation: the search is greedy.
    pub features: Option<String>,
    /// The method; CMA-ES, unless they say.
    pub method: Option<String>,
    /// The objective; a league, or a gauntlet where there are rivals.
    pub objective: Option<String>,
    /// Players to meet.
    pub rivals: Vec<String>,
    /// `100k` games, `200gen`erations, `20s`.
    pub budget: Option<String>,
    /// Random moves before the players take over.
    pub openings: Option<u32>,
    /// Scenes of every meeting.
    pub pairs: Option<u32>,
    /// Settings of the method: `sigma=0.2`.
    pub settings: Vec<String>,
    /// Where all dice come from.
    pub seed: u64,
}

impl TuningOptions {
    /// The file that the words stand for. Names in it are not looked up yet, but for the game.
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
            format!("openings = {}", self.openings.unwrap_or(4)),
            format!("pairs = {}", self.pairs.unwrap_or(1)),
            "[objective]".to_owned(),
        ];
        let default = if self.rivals.is_empty() { "league" } else { "gauntlet" };
        let objective = self.objective.as_deref().unwrap_or(default);
        lines.push(format!("name = {}", quoted(objective)));
        match (objective, &self.rivals[..]) {
            ("reference", [player]) => lines.push(format!("player = {}", quoted(player))),
            (_, []) => {}
            (_, rivals) => {
                let rivals: Vec<String> = rivals.iter().map(|rival| quoted(rival)).collect();
                lines.push(format!("rivals = [{}]", rivals.join(", ")));
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

/// `100k` games, `200gen`erations, `20s`.
fn budget(text: &str) -> Result<String, InputError> {
    let expected = "a number of games (100k), of generations (200gen) or a time (20s, 5m, 2h)";
    let bad = || InputError::new("--budget", text, expected);
    if let Some(generations) = text.strip_suffix("gen") {
        return Ok(format!("generations = {}", parse_count(generations).ok_or_else(bad)?));
    }
    match parse_count(text) {
        Some(games) => Ok(format!("games = {games}")),
        None => Ok(format!("time = {:?}", parse_seconds(text).ok_or_else(bad)?)),
    }
}

/// Looks before a run begins for what could only go wrong in the middle of it.
pub fn check(plan: &TuningPlan) -> Result<(), InputError> {
    let method = palestra_tune::open_optimizer(plan)?;
    let budget = plan.budget;
    let endless = budget.games.is_none() && budget.generations.is_none() && budget.seconds.is_none();
    if endless && method.n_generations().is_none() {
        let expected =
            "given: this method never ends by itself; games, generations or time in [budget], or --budget";
        return Err(InputError::new("budget", "none", expected));
    }
    Ok(())
}
