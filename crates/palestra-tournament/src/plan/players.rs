//! The players of a plan.

use super::resolver::TournamentResolver;
use palestra_core::{InputError, format_weight};
use palestra_settings::{Settings, SourceLocation};

/// A player that is listed by itself: `[[player]]`.
#[derive(Clone, Debug)]
pub struct PlayerPlan {
    /// Display name.
    pub name: String,
    /// The built-in player or the program.
    pub source: PlayerSource,
    /// Protocol of a program as text, which this crate does not parse; `None` if the plan has none.
    pub protocol: Option<(String, SourceLocation)>,
    /// Working directory of a program; `None` if the plan has none.
    pub folder: Option<String>,
    /// When a program is started; `None` is the setting of the plan.
    pub start: Option<LaunchPolicy>,
    /// Whether it is a reference player of the organizer.
    pub staff: bool,
    /// A fixed Elo rating that anchors the ratings of the others.
    pub anchor: Option<f64>,
    /// An Elo rating for seeding.
    pub rating: Option<f64>,
    /// Group that stages can select.
    pub group: Option<String>,
    /// Its location in the file, for error messages.
    pub place: SourceLocation,
}

/// A built-in player or a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayerSource {
    /// The canonical string of a built-in player, or `cmd:` and a command.
    Text(String),
    /// A command and its arguments.
    Command(Vec<String>),
}

/// When a program is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum LaunchPolicy {
    /// Once for all its games.
    #[default]
    Once,
    /// Anew for every game.
    Game,
}

pub(super) const STARTS: [(&str, LaunchPolicy); 2] =
    [("once", LaunchPolicy::Once), ("game", LaunchPolicy::Game)];

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

    pub(super) fn read(
        table: &mut Settings,
        resolver: &dyn TournamentResolver,
        boards: &[String],
    ) -> Result<GridPlan, InputError> {
        let (template, place) = table.text("template")?.ok_or_else(|| {
            table.missing("template", "a player without weights, such as template = \"greedy/islands\"")
        })?;
        let n_weights = match boards.first() {
            Some(board) => {
                let n_weights = resolver.n_weights(board, &template);
                n_weights.map_err(|bad| table.error_in_value("template", place, bad))?
            }
            None => 0,
        };
        let grid_place = table.location_of("grid");
        let grid = match table.numbers("grid")?.as_deref() {
            Some([low, high]) if low <= high => [*low, *high],
            Some(other) => {
                let found = other.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
                return Err(table.invalid_value(
                    "grid",
                    grid_place,
                    &found,
                    "the smallest and the largest weight, such as [0, 5]",
                ));
            }
            None => {
                let expected = "the smallest and the largest weight, such as grid = [0, 5]";
                return Err(table.missing("grid", expected));
            }
        };
        let step = table.number("step", 1.0, 1e-6..=1e6)?;
        let grid = GridPlan {
            template,
            grid,
            step,
            n_weights,
            prefix: table.text("prefix")?.map_or_else(String::new, |(prefix, _)| prefix),
            group: table.text("group")?.map(|(group, _)| group),
        };
        let n_players = ((grid.grid[1] - grid.grid[0]) / step + 1.0).powi(n_weights as i32);
        if n_players > MAX_PLAYERS {
            let expected = format!("a grid of at most {MAX_PLAYERS} players");
            return Err(table.invalid_value(
                "grid",
                grid_place,
                &format!("{n_players:.0} players"),
                expected,
            ));
        }
        let [low, high] = grid.grid;
        for board in boards {
            for corner in [low, high] {
                let weights = vec![format_weight(corner); n_weights].join(",");
                let text = format!("{}/{weights}", grid.template);
                resolver.player(board, &text).map_err(|bad| table.error_in_value("template", place, bad))?;
            }
        }
        table.finish()?;
        Ok(grid)
    }
}

impl PlayerPlan {
    pub(super) fn read(
        table: &mut Settings,
        place: SourceLocation,
        resolver: &dyn TournamentResolver,
        boards: &[String],
    ) -> Result<PlayerPlan, InputError> {
        let name = table.text("name")?;
        let program = read_program(table, resolver, boards)?;
        let is_builtin = matches!(&program, PlayerSource::Text(text) if !is_program(text));
        for key in ["protocol", "folder", "start"].into_iter().filter(|_| is_builtin) {
            if table.has(key) {
                return Err(table.not_allowed(key, "only programs have it, and this player is built in"));
            }
        }
        let bad_name =
            |name: &str| name.is_empty() || name.chars().count() > 100 || name.chars().any(char::is_control);
        let name = match name {
            Some((name, place)) if bad_name(&name) => {
                return Err(table.invalid_value(
                    "name",
                    place,
                    &name,
                    "a name of 1 to 100 characters on one line",
                ));
            }
            Some((name, _)) => name,
            None => default_name(&program),
        };
        let start = match table.has("start") {
            false => table.take("start").map(|_| LaunchPolicy::Once),
            true => {
                let start = table.choice("start", "once", &STARTS.map(|(name, _)| name))?;
                STARTS.iter().find(|(name, _)| *name == start).map(|(_, start)| *start)
            }
        };
        let rating = |table: &mut Settings, key: &str| -> Result<Option<f64>, InputError> {
            let has_one = table.has(key);
            let rating = table.number(key, 0.0, -20_000.0..=20_000.0)?;
            Ok(has_one.then_some(rating))
        };
        let player = PlayerPlan {
            name,
            source: program,
            protocol: table.text("protocol")?,
            folder: table.text("folder")?.map(|(folder, _)| folder),
            start,
            staff: table.flag("staff", false)?,
            anchor: rating(table, "anchor")?,
            rating: rating(table, "rating")?,
            group: table.text("group")?.map(|(group, _)| group),
            place,
        };
        table.finish()?;
        Ok(player)
    }
}

fn read_program(
    table: &mut Settings,
    resolver: &dyn TournamentResolver,
    boards: &[String],
) -> Result<PlayerSource, InputError> {
    let command_place = table.location_of("command");
    let (player, command) = (table.text("player")?, table.texts("command")?);
    match (player, command) {
        (Some(_), Some(_)) => Err(table.not_allowed("command", "player is set too; set one of them")),
        (None, None) => {
            Err(table
                .missing("player", "a player (player = \"greedy/…\") or a program (command = [\"./bot\"])"))
        }
        (None, Some(words)) if words.first().is_none_or(|(word, _)| word.is_empty()) => Err(table
            .invalid_value(
                "command",
                command_place,
                "",
                "a program and its arguments, such as [\"python3\", \"bot.py\"]",
            )),
        (None, Some(words)) => Ok(PlayerSource::Command(words.into_iter().map(|(word, _)| word).collect())),
        (Some((text, place)), None) if is_program(&text) => match text.trim() {
            "cmd:" => Err(table.invalid_value("player", place, &text, "a command after cmd:")),
            _ => Ok(PlayerSource::Text(text)),
        },
        (Some((text, place)), None) => {
            let mut canonical = None;
            for board in boards {
                let read = resolver
                    .player(board, &text)
                    .map_err(|bad| table.error_in_value("player", place, bad))?;
                canonical.get_or_insert(read);
            }
            Ok(PlayerSource::Text(canonical.unwrap_or(text)))
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
