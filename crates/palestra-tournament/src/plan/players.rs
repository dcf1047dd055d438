//! The players of a plan.

use super::keys::GridKeys;
use super::resolver::TournamentResolver;
use crate::entrant::Student;
use palestra_core::{InputError, format_weight};
use palestra_settings::{Document, OneOrMany, Placed, number};
use serde::{Deserialize, Deserializer};

/// A player that is listed by itself: `[[player]]`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayerPlan {
    /// Display name.
    #[serde(skip)]
    pub name: String,
    /// The built-in player or the program.
    #[serde(skip)]
    pub source: PlayerSource,
    /// Protocol of a program as text, which this crate does not parse; `None` if the plan has none.
    pub protocol: Option<String>,
    /// Working directory of a program; `None` if the plan has none.
    pub folder: Option<String>,
    /// When a program is started; `None` is the setting of the plan.
    pub start: Option<LaunchPolicy>,
    /// Whether it is a reference player of the organizer.
    pub staff: bool,
    /// A fixed Elo rating that anchors the ratings of the others.
    #[serde(deserialize_with = "rating")]
    pub anchor: Option<f64>,
    /// An Elo rating for seeding.
    #[serde(deserialize_with = "rating")]
    pub rating: Option<f64>,
    /// Group that stages can select: a class of a course.
    pub group: Option<String>,
    /// What a gradebook knows it by, such as a student number.
    pub identifier: Option<String>,
    /// The students of a team that handed in one program; empty for a player of one student.
    pub students: Vec<Student>,
}

/// A built-in player or a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSource {
    /// The canonical string of a built-in player, or `cmd:` and a command.
    Text(String),
    /// A command and its arguments.
    Command(Vec<String>),
}

impl Default for PlayerSource {
    fn default() -> PlayerSource {
        PlayerSource::Text(String::new())
    }
}

/// When a program is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LaunchPolicy {
    /// Once for all its games.
    #[default]
    Once,
    /// Anew for every game.
    Game,
}

/// A grid of players: one for every vector of weights.
#[derive(Clone, PartialEq, Debug)]
pub struct GridPlan {
    /// The player without weights: `greedy/islands`.
    pub template: String,
    /// The smallest and the largest weight.
    pub grid: [f64; 2],
    /// Step from one value of a weight to the next.
    pub step: f64,
    /// Number of weights of a player.
    pub n_weights: usize,
    /// Beginning of each name; the weights follow.
    pub prefix: String,
    /// Group that stages can select.
    pub group: Option<String>,
}

/// Maximum number of players of a grid; more is taken for a mistake in the plan.
const MAX_PLAYERS: f64 = 1_000_000.0;

impl GridPlan {
    /// Number of values of a weight.
    fn n_values(&self) -> usize {
        // The tolerance keeps the last value where the division rounds down, as in 0.3 / 0.1.
        ((self.grid[1] - self.grid[0]) / self.step + 1e-9).floor() as usize + 1
    }

    /// Number of players.
    #[must_use]
    pub fn len(&self) -> usize {
        self.n_values().pow(self.n_weights as u32)
    }

    /// Always false: a grid has at least one player.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Name and player string of each player; the last weight changes fastest.
    pub fn players(&self) -> impl Iterator<Item = (String, String)> {
        let n_values = self.n_values();
        (0..self.len()).map(move |number| {
            let digit = |place: usize| number / n_values.pow((self.n_weights - 1 - place) as u32) % n_values;
            let weight = |place| format_weight(self.grid[0] + digit(place) as f64 * self.step);
            let weights: Vec<String> = (0..self.n_weights).map(weight).collect();
            let name = format!("{}{}", self.prefix, weights.join(":"));
            (name, format!("{}/{}", self.template, weights.join(",")))
        })
    }

    pub(super) fn of(
        keys: &Placed<GridKeys>,
        resolver: &dyn TournamentResolver,
        boards: &[String],
    ) -> Result<GridPlan, InputError> {
        let expected = "a player without weights, such as template = \"greedy/islands\"";
        let template = keys.template.as_ref().ok_or_else(|| keys.place.missing("template", expected))?;
        let in_template = |bad| template.place.error_in_value(bad);
        let n_weights = boards.first().map_or(Ok(0), |board| resolver.n_weights(board, template));
        let n_weights = n_weights.map_err(in_template)?;
        let expected = "the smallest and the largest weight, such as";
        let bounds = keys.grid.as_ref();
        let bounds = bounds.ok_or_else(|| keys.place.missing("grid", format!("{expected} grid = [0, 5]")))?;
        let grid = match bounds.0[..] {
            [low, high] if low <= high => [low, high],
            _ => {
                let found = bounds.0.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
                return Err(bounds.place.invalid_value(&found, format!("{expected} [0, 5]")));
            }
        };
        let n_players = ((grid[1] - grid[0]) / keys.step + 1.0).powi(n_weights as i32);
        if n_players > MAX_PLAYERS {
            let expected = format!("a grid of at most {MAX_PLAYERS} players");
            return Err(bounds.place.invalid_value(&format!("{n_players:.0} players"), expected));
        }
        for board in boards {
            for corner in grid {
                let weights = vec![format_weight(corner); n_weights].join(",");
                resolver.player(board, &format!("{}/{weights}", **template)).map_err(in_template)?;
            }
        }
        Ok(GridPlan {
            template: template.value.clone(),
            grid,
            step: keys.step,
            n_weights,
            prefix: keys.prefix.clone(),
            group: keys.group.clone(),
        })
    }
}

impl PlayerPlan {
    pub(super) fn read(
        mut section: Document,
        resolver: &dyn TournamentResolver,
        boards: &[String],
    ) -> Result<PlayerPlan, InputError> {
        let source = read_source(&mut section, resolver, boards)?;
        let is_builtin = matches!(&source, PlayerSource::Text(text) if !is_program(text));
        let mut of_programs = ["protocol", "folder", "start"].into_iter().filter(|key| section.has(key));
        if let Some(key) = of_programs.next().filter(|_| is_builtin) {
            let reason = "only programs have it, and this player is built in";
            return Err(section.place_of(key).not_allowed(reason));
        }
        let bad_name =
            |name: &str| name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control);
        let name = match section.take::<Placed<String>>("name")? {
            Some(name) if bad_name(&name) => {
                return Err(name.invalid("a name of 1 to 100 characters on one line"));
            }
            Some(name) => name.value,
            None => default_name(&source),
        };
        Ok(PlayerPlan { name, source, ..section.read()? })
    }
}

fn rating<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    number(deserializer, -20_000.0..=20_000.0)
}

fn read_source(
    section: &mut Document,
    resolver: &dyn TournamentResolver,
    boards: &[String],
) -> Result<PlayerSource, InputError> {
    let player: Option<Placed<String>> = section.take("player")?;
    let command: Option<Placed<OneOrMany<String>>> = section.take("command")?;
    match (player, command) {
        (Some(_), Some(command)) => Err(command.place.not_allowed("player is set too; set one of them")),
        (None, None) => {
            let expected = "a player (player = \"greedy/…\") or a program (command = [\"./bot\"])";
            Err(section.missing("player", expected))
        }
        (None, Some(words)) if words.0.first().is_none_or(String::is_empty) => Err(words
            .place
            .invalid_value("", "a program and its arguments, such as [\"python3\", \"bot.py\"]")),
        (None, Some(words)) => Ok(PlayerSource::Command(words.value.0)),
        (Some(text), None) if is_program(&text) => match text.trim() {
            "cmd:" => Err(text.invalid("a command after cmd:")),
            _ => Ok(PlayerSource::Text(text.value)),
        },
        (Some(text), None) => {
            let mut canonical = None;
            for board in boards {
                let read = resolver.player(board, &text).map_err(|bad| text.place.error_in_value(bad))?;
                canonical.get_or_insert(read);
            }
            Ok(PlayerSource::Text(canonical.unwrap_or(text.value)))
        }
    }
}

/// The default name of a player: its string, or the last word of its command without folders.
fn default_name(program: &PlayerSource) -> String {
    let word = |text: &str| text.rsplit('/').next().unwrap_or(text).to_owned();
    match program {
        PlayerSource::Text(text) => match text.strip_prefix("cmd:") {
            Some(command) => word(command.split_whitespace().last().unwrap_or(command)),
            None => text.clone(),
        },
        PlayerSource::Command(words) => words.last().map_or_else(String::new, |last| word(last)),
    }
}

/// Whether a player string is a program: `cmd:./bot`, `cmd(protocol=gtp):./bot`.
fn is_program(text: &str) -> bool {
    text.starts_with("cmd:") || text.starts_with("cmd(")
}
