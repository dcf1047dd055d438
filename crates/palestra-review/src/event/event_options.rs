//! A plan of an event in a few words, as the file that it stands for.

use crate::text::quoted;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_tournament::{PlayerSource, TournamentPlan};

/// What people say when they write no file; whatever they leave out is as usual.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventOptions {
    /// A game, or a pool of boards such as `connect/study`.
    pub game: String,
    /// The format; a round robin, unless they say.
    pub format: Option<String>,
    /// What people call it; the format and the game, unless they say.
    pub name: Option<String>,
    /// Where all dice come from.
    pub seed: u64,
    /// How many rounds.
    pub rounds: Option<u32>,
    /// How often everybody meets everybody.
    pub cycles: Option<u32>,
    /// Random moves before the players take over.
    pub opening_plies: Option<u32>,
    /// What a game is worth.
    pub points: Option<String>,
    /// A number of games, or a time.
    pub budget: Option<String>,
    /// Who takes part, as [`EventOptions::entrant`] reads it, and whether it belongs to the house.
    pub players: Vec<(Option<String>, String, bool)>,
    /// A folder of submissions.
    pub folder: Option<String>,
}

impl EventOptions {
    /// `NAME=PLAYER`, or only a player. A name has no sign that player strings use before their first `=`.
    #[must_use]
    pub fn entrant(text: &str) -> (Option<&str>, &str) {
        match text.split_once('=') {
            Some((name, player)) if !name.is_empty() && !name.contains([':', '/', '(', ' ', ',']) => {
                (Some(name), player)
            }
            _ => (None, text),
        }
    }

    /// The file that the words stand for. Names in it are not looked up yet.
    pub fn text(&self, catalog: &'static Catalog) -> Result<String, InputError> {
        let game = &self.game;
        let key = if catalog.pool(game).is_ok() { "pool" } else { "game" };
        let format = self.format.as_deref().unwrap_or("round-robin");
        let word: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let name = self.name.clone().unwrap_or_else(|| format!("{format}-{word}"));
        let mut lines = vec![
            format!("{key} = {}", quoted(game)),
            format!("seed = {}", self.seed),
            format!("format = {}", quoted(format)),
            format!("name = {}", quoted(&name)),
        ];
        let numbers =
            [("rounds", self.rounds), ("cycles", self.cycles), ("opening-plies", self.opening_plies)];
        lines.extend(numbers.iter().filter_map(|(key, number)| Some(format!("{key} = {}", (*number)?))));
        lines.extend(self.points.as_ref().map(|points| format!("points = {}", quoted(points))));
        if let Some(budget) = &self.budget {
            lines.push(budget_line(budget)?);
        }
        // A plan without players of its own would be refused: the folder is read afterwards.
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

/// A number is games, a time is minutes.
fn budget_line(budget: &str) -> Result<String, InputError> {
    if let Some(games) = palestra_tune::parse_count(budget) {
        return Ok(format!("budget = {games}"));
    }
    let expected = "a number of games (2000) or a time (30m)";
    let seconds =
        palestra_tune::parse_seconds(budget).ok_or_else(|| InputError::new("--budget", budget, expected))?;
    Ok(format!("minutes = {:?}", seconds / 60.0))
}

/// Whether a plan starts outside programs, names folders of them, or says what they may use.
///
/// Says so without a look at any of their files.
#[must_use]
pub fn wants_programs(plan: &TournamentPlan) -> bool {
    let is_program = |program: &PlayerSource| match program {
        PlayerSource::Text(text) => palestra_engine::ProgramSpec::is_program_text(text.trim_start()),
        PlayerSource::Command(_) => true,
    };
    let of_program = plan
        .players
        .iter()
        .any(|player| is_program(&player.source) || player.protocol.is_some() || player.folder.is_some());
    of_program
        || !plan.patterns.is_empty()
        || plan.program_limits != palestra_tournament::ProgramLimits::default()
}
