//! A tournament plan from a few options.

use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_settings::{Document, Place, Placed, parse_count, parse_seconds};
use palestra_tournament::{PlanKeys, PlayerSource, TournamentPlan, TournamentResolver};

/// Options for a tournament plan without a file; those that are `None` have a default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventOptions {
    /// A game, or a pool of boards such as `connect/study`.
    pub game: String,
    /// The format; default `round-robin`.
    pub format: Option<String>,
    /// The name of the event; by default the format and the game.
    pub name: Option<String>,
    /// Seed of all random choices.
    pub seed: u64,
    /// Values of other keys of the plan: `opening_plies`, `points`, and those of the format. `budget` is a number of
    /// games, or a time.
    pub keys: Vec<(String, String)>,
    /// The players: name and player string as [`EventOptions::entrant`] splits them, and whether it is a staff player.
    pub players: Vec<(Option<String>, String, bool)>,
    /// A folder of submissions, one in each subfolder.
    pub folder: Option<String>,
}

impl EventOptions {
    /// Splits `NAME=PLAYER`, or a player without a name. A name contains no character that player strings use before
    /// their first `=`.
    #[must_use]
    pub fn entrant(text: &str) -> (Option<&str>, &str) {
        match text.split_once('=') {
            Some((name, player)) if !name.is_empty() && !name.contains([':', '/', '(', ' ', ',']) => {
                (Some(name), player)
            }
            _ => (None, text),
        }
    }

    /// The plan, with the games and players that it names.
    pub fn plan(
        &self,
        catalog: &'static Catalog,
        resolver: &dyn TournamentResolver,
    ) -> Result<TournamentPlan, InputError> {
        // Options stand in no line.
        let unplaced = |bad: InputError| InputError { location: None, ..bad };
        self.plan_keys(catalog).and_then(|keys| keys.resolve(resolver)).map_err(unplaced)
    }

    fn plan_keys(&self, catalog: &'static Catalog) -> Result<PlanKeys, InputError> {
        let format = self.format.as_deref().unwrap_or("round-robin");
        let mut section = Document::empty(Place::default());
        section.set("seed", &self.seed.to_string())?;
        section.set("format", format)?;
        for (key, value) in &self.keys {
            let (key, value) = if key == "budget" { budget(value)? } else { (key.as_str(), value.clone()) };
            section.set(key, &value)?;
        }
        let mut keys = PlanKeys::read(section)?;
        let slug = self.game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
        keys.plan.name =
            self.name.clone().unwrap_or_else(|| format!("{format}-{}", slug.collect::<String>()));
        let boards =
            if catalog.pool(&self.game).is_ok() { &mut keys.common.pool } else { &mut keys.common.game };
        *boards = Some(Placed::option(self.game.clone(), "game"));
        for (name, player, staff) in &self.players {
            keys.add_player(name.as_deref(), player, *staff)?;
        }
        // As a pattern, because a plan without players is refused; the folder is read afterwards.
        keys.plan.patterns.extend(self.folder.iter().map(|folder| format!("{folder}/*")));
        Ok(keys)
    }
}

/// Key and value of a budget: a number of games, or a time, which plans have in minutes.
fn budget(text: &str) -> Result<(&'static str, String), InputError> {
    if let Some(games) = parse_count(text) {
        return Ok(("budget", games.to_string()));
    }
    let expected = "a number of games (2000) or a time (30m)";
    let seconds = parse_seconds(text).ok_or_else(|| InputError::new("--budget", text, expected))?;
    Ok(("minutes", format!("{:?}", seconds / 60.0)))
}

/// Whether a plan starts external programs, names folders of them, or sets their limits. Reads none of their files.
#[must_use]
pub fn wants_programs(plan: &TournamentPlan) -> bool {
    let is_program = |program: &PlayerSource| match program {
        PlayerSource::Text(text) => palestra_engine::ProgramSpec::is_program_text(text.trim_start()),
        PlayerSource::Command(_) => true,
    };
    let has_program = plan
        .players
        .iter()
        .any(|player| is_program(&player.source) || player.protocol.is_some() || player.folder.is_some());
    has_program
        || !plan.patterns.is_empty()
        || plan.kaggle_python.is_some()
        || plan.program_limits != palestra_tournament::ProgramLimits::default()
}
