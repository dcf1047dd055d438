//! The stages of a plan.

use super::resolver::TournamentResolver;
use crate::formats::{FORMATS, FormatInfo, FormatOptions, format_named};
use crate::starts::StageBoards;
use palestra_arena::PointSystem;
use palestra_core::{InputError, nearest_name};
use palestra_settings::Settings;

/// A stage: entrants, boards and format.
#[derive(Clone, Debug)]
pub struct StagePlan {
    /// Its name; empty for the only stage of an event.
    pub name: String,
    /// Indices of earlier stages whose best entrants take part.
    pub from: Vec<usize>,
    /// Number of entrants taken from each of them.
    pub best: usize,
    /// Groups of entrants that take part; all entrants if neither groups nor earlier stages are named.
    pub groups: Vec<String>,
    /// The boards.
    pub boards: StageBoards,
    /// Number of random moves before the players take over.
    pub opening_plies: u32,
    /// Points of a game.
    pub points: PointSystem,
    /// Seeding order of the entrants.
    pub order: SeedingOrder,
    /// The format.
    pub format: &'static FormatInfo,
    /// Values of the keys of the format.
    pub options: FormatOptions,
}

/// Seeding order of the entrants of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeedingOrder {
    /// The order of the list of entrants.
    #[default]
    Listed,
    /// Shuffled by the seed.
    Random,
    /// By the ratings in the plan, the highest first.
    Rating,
}

pub(super) const ORDERS: [(&str, SeedingOrder); 3] =
    [("listed", SeedingOrder::Listed), ("random", SeedingOrder::Random), ("rating", SeedingOrder::Rating)];

/// Keys that only some formats have.
const FORMAT_KEYS: [&str; 9] =
    ["rounds", "cycles", "pairs", "single", "extra", "budget", "minutes", "batch", "sure"];

/// Values of the event that its stages inherit.
#[derive(Clone, Default)]
pub(super) struct StageDefaults {
    boards: Option<StageBoards>,
    opening_plies: u32,
    points: PointSystem,
    order: SeedingOrder,
}

impl StageDefaults {
    /// Reads the values of a section; `outer` has the defaults.
    pub(super) fn read(
        table: &mut Settings,
        outer: &StageDefaults,
        resolver: &dyn TournamentResolver,
    ) -> Result<StageDefaults, InputError> {
        let names = ORDERS.map(|(name, _)| name);
        let default =
            ORDERS.iter().find(|(_, order)| *order == outer.order).map_or("listed", |(name, _)| name);
        let order = table.choice("order", default, &names)?;
        Ok(StageDefaults {
            boards: read_boards(table, resolver)?.or_else(|| outer.boards.clone()),
            opening_plies: table.integer("opening_plies", u64::from(outer.opening_plies), 0..=1000)? as u32,
            points: match table.text("points")? {
                None => outer.points,
                Some((text, place)) => {
                    text.parse().map_err(|bad| table.error_in_value("points", place, bad))?
                }
            },
            order: ORDERS
                .iter()
                .find(|(name, _)| *name == order)
                .map_or(SeedingOrder::Listed, |(_, order)| *order),
        })
    }
}

impl StagePlan {
    /// Reads the format and its keys; `common` has the other values.
    pub(super) fn read(table: &mut Settings, common: StageDefaults) -> Result<StagePlan, InputError> {
        let boards = common.boards.ok_or_else(|| {
            table
                .missing("game", "a game (game), a board for each round (boards), or a pool of boards (pool)")
        })?;
        let format = read_format(table)?;
        let options = read_options(table, format)?;
        Ok(StagePlan {
            name: String::new(),
            from: Vec::new(),
            best: 0,
            groups: Vec::new(),
            boards,
            opening_plies: common.opening_plies,
            points: common.points,
            order: common.order,
            format,
            options,
        })
    }

    /// Reads the entrants of a stage; `earlier` are the names of the stages before.
    pub(super) fn read_field(&mut self, table: &mut Settings, earlier: &[String]) -> Result<(), InputError> {
        let (name, place) =
            table.text("name")?.ok_or_else(|| table.missing("name", "a name for the stage"))?;
        if name.is_empty() || earlier.contains(&name) {
            return Err(table.invalid_value("name", place, &name, "a name that no other stage has"));
        }
        self.name = name;
        for (from, place) in table.texts("from")?.unwrap_or_default() {
            let stage = earlier.iter().position(|name| *name == from);
            self.from.push(stage.ok_or_else(|| {
                let nearest = nearest_name(&from, earlier.iter().map(String::as_str));
                let expected = format!("an earlier stage ({})", earlier.join(", "));
                table.invalid_value("from", place, &from, expected).with_nearest(nearest)
            })?);
        }
        if self.from.is_empty() {
            if table.has("best") {
                return Err(table.not_allowed("best", "from, the stages to take the best of, is missing"));
            }
        } else {
            if !table.has("best") {
                return Err(table.missing("best", "the number of players taken from each stage of from"));
            }
            self.best = table.integer("best", 1, 1..=1_000_000)? as usize;
        }
        Ok(())
    }
}

fn read_boards(
    table: &mut Settings,
    resolver: &dyn TournamentResolver,
) -> Result<Option<StageBoards>, InputError> {
    let given: Vec<&str> = ["game", "boards", "pool"].into_iter().filter(|key| table.has(key)).collect();
    if let [_, other, ..] = given[..] {
        let reason = format!("{} is set too; set one of game, boards and pool", given[0]);
        return Err(table.not_allowed(other, reason));
    }
    if let Some((pool, place)) = table.text("pool")? {
        resolver.samples(&pool).map_err(|bad| table.error_in_value("pool", place, bad))?;
        return Ok(Some(StageBoards::Pool(pool)));
    }
    let game = table.text("game")?.map(|game| vec![game]);
    let listed = table.texts("boards")?;
    let key = if game.is_some() { "game" } else { "boards" };
    let Some(texts) = game.or(listed) else { return Ok(None) };
    if texts.is_empty() {
        return Err(table.missing("boards", "at least one board"));
    }
    let mut games = Vec::new();
    for (text, place) in texts {
        games.push(resolver.game(&text).map_err(|bad| table.error_in_value(key, place, bad))?);
    }
    Ok(Some(StageBoards::Listed(games)))
}

fn read_format(table: &mut Settings) -> Result<&'static FormatInfo, InputError> {
    let Some((name, place)) = table.text("format")? else {
        return format_named("round-robin").ok_or_else(|| table.missing("format", "a format"));
    };
    format_named(&name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let nearest = nearest_name(&name, known.iter().copied());
        let expected = format!("a format ({})", known.join(", "));
        table.invalid_value("format", place, &name, expected).with_nearest(nearest)
    })
}

fn read_options(table: &mut Settings, format: &FormatInfo) -> Result<FormatOptions, InputError> {
    for key in FORMAT_KEYS.into_iter().filter(|key| !format.keys.contains(key)) {
        if table.has(key) {
            let reason = format!("the format {} has the keys {}", format.name, format.keys.join(", "));
            return Err(table.not_allowed(key, reason));
        }
    }
    let mut options = FormatOptions::default();
    for key in format.keys {
        match *key {
            "rounds" => options.rounds = table.integer(key, u64::from(options.rounds), 1..=10_000)? as u32,
            "cycles" => options.cycles = table.integer(key, 1, 1..=100_000)? as u32,
            "pairs" => options.pairs = table.integer(key, 1, 1..=100_000)? as u32,
            "single" => options.single = table.flag(key, false)?,
            "extra" => options.extra = table.integer(key, u64::from(options.extra), 0..=10_000)? as u32,
            "budget" if table.has(key) => options.budget = Some(table.integer(key, 2, 2..=1 << 50)?),
            "minutes" if table.has(key) => options.minutes = Some(table.number(key, 1.0, 0.01..=1e6)?),
            "batch" => options.batch = table.integer(key, u64::from(options.batch), 1..=1_000_000)? as u32,
            "sure" => options.sure = table.number(key, options.sure, 0.5..=0.999_999)?,
            // The key is absent; `take` makes it known, so that a mistyped key gets it as a suggestion.
            _ => drop(table.take(key)),
        }
    }
    if format.name == "adaptive" && options.budget.is_none() && options.minutes.is_none() {
        return Err(table.missing("budget", "a number of games (budget) or a time limit (minutes)"));
    }
    Ok(options)
}
