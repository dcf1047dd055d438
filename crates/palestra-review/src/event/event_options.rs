//! A tournament plan from a few options, as the text of a plan file.

use crate::text::quoted;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_tournament::{PlayerSource, TournamentPlan};

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
    /// Number of rounds.
    pub rounds: Option<u32>,
    /// Number of times that all players meet each other.
    pub cycles: Option<u32>,
    /// Number of random moves before the players take over.
    pub opening_plies: Option<u32>,
    /// The point system.
    pub points: Option<String>,
    /// The budget: a number of games, or a time.
    pub budget: Option<String>,
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

    /// The text of the plan file. Its names are not resolved yet.
    pub fn text(&self, catalog: &'static Catalog) -> Result<String, InputError> {
        let game = &self.game;
        let key = if catalog.pool(game).is_ok() { "pool" } else { "game" };
        let format = self.format.as_deref().unwrap_or("round-robin");
        let slug: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let name = self.name.clone().unwrap_or_else(|| format!("{format}-{slug}"));
        let mut lines = vec![
            format!("{key} = {}", quoted(game)),
            format!("seed = {}", self.seed),
            format!("format = {}", quoted(format)),
            format!("name = {}", quoted(&name)),
        ];
        let numbers =
            [("rounds", self.rounds), ("cycles", self.cycles), ("opening_plies", self.opening_plies)];
        lines.extend(numbers.iter().filter_map(|(key, number)| Some(format!("{key} = {}", (*number)?))));
        lines.extend(self.points.as_ref().map(|points| format!("points = {}", quoted(points))));
        if let Some(budget) = &self.budget {
            lines.push(budget_line(budget)?);
        }
        // As a pattern, because a plan without players is refused; the folder is read afterwards.
        if let Some(folder) = &self.folder {
            lines.insert(0, format!("players = [{}]", quoted(&format!("{folder}/*"))));
        }
        for (name, player, staff) in &self.players {
            lines.push(format!("[[player]]\nplayer = {}\nstaff = {staff}", quoted(player)));
            lines.extend(name.as_ref().map(|name| format!("name = {}", quoted(name))));
        }
        Ok(lines.join("\n") + "\n")
    }
}

/// The line of the plan for a budget: a number of games, or a time, which plans have in minutes.
fn budget_line(budget: &str) -> Result<String, InputError> {
    if let Some(games) = palestra_tune::parse_count(budget) {
        return Ok(format!("budget = {games}"));
    }
    let expected = "a number of games (2000) or a time (30m)";
    let seconds =
        palestra_tune::parse_seconds(budget).ok_or_else(|| InputError::new("--budget", budget, expected))?;
    Ok(format!("minutes = {:?}", seconds / 60.0))
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
        || plan.program_limits != palestra_tournament::ProgramLimits::default()
}
