//! One stage of a plan, or the only one.

use super::read::with_place;
use super::resolver::TournamentResolver;
use crate::formats::{FORMATS, FormatInfo, FormatOptions, format_named};
use crate::points::PointSystem;
use crate::starts::StageBoards;
use palestra_core::{InputError, nearest_name};
use palestra_settings::Settings;

/// A stage: who, where, and in which format.
#[derive(Clone, Debug)]
pub struct StagePlan {
    /// Its name; empty for the only stage of an event.
    pub name: String,
    /// Earlier stages whose best take part.
    pub from: Vec<usize>,
    /// How many of each of them.
    pub best: usize,
    /// Groups of entrants that take part; all, where neither groups nor earlier stages are named.
    pub groups: Vec<String>,
    /// Where it is played.
    pub boards: StageBoards,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// What a game is worth.
    pub points: PointSystem,
    /// Who is seeded before whom.
    pub order: SeedingOrder,
    /// The format.
    pub format: &'static FormatInfo,
    /// Its keys.
    pub options: FormatOptions,
}

/// Who is seeded before whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SeedingOrder {
    /// As they are listed.
    #[default]
    Listed,
    /// Shuffled by the seed.
    Random,
    /// By the ratings that the plan gives, the highest first.
    Rating,
}

pub(super) const ORDERS: [(&str, SeedingOrder); 3] =
    [("listed", SeedingOrder::Listed), ("random", SeedingOrder::Random), ("rating", SeedingOrder::Rating)];

/// Keys that some formats ask for.
const RULE_KEYS: [&str; 9] =
    ["rounds", "cycles", "games", "single", "extra", "budget", "minutes", "batch", "sure"];

/// What stages take from the event where they do not say it themselves.
#[derive(Clone, Default)]
pub(super) struct StageDefaults {
    boards: Option<StageBoards>,
    opening_plies: u32,
    points: PointSystem,
    order: SeedingOrder,
}

impl StageDefaults {
    /// Reads what stands in a section; `outer` is what holds otherwise.
    pub(super) fn read(
        table: &mut Settings,
        outer: &StageDefaults,
        shelf: &dyn TournamentResolver,
    ) -> Result<StageDefaults, InputError> {
        let names = ORDERS.map(|(name, _)| name);
        let default =
            ORDERS.iter().find(|(_, order)| *order == outer.order).map_or("listed", |(name, _)| name);
        let order = table.choice("order", default, &names)?;
        Ok(StageDefaults {
            boards: read_boards(table, shelf)?.or_else(|| outer.boards.clone()),
            opening_plies: table.integer("opening-plies", u64::from(outer.opening_plies), 0..=1000)? as u32,
            points: match table.text("points")? {
                None => outer.points,
                Some((text, place)) => text.parse().map_err(|bad| with_place(table, "points", place, bad))?,
            },
            order: ORDERS
                .iter()
                .find(|(name, _)| *name == order)
                .map_or(SeedingOrder::Listed, |(_, order)| *order),
        })
    }
}

impl StagePlan {
    /// Reads the format and its keys; whatever else a stage has is in `common`.
    pub(super) fn read(table: &mut Settings, common: StageDefaults) -> Result<StagePlan, InputError> {
        let boards = common.boards.ok_or_else(|| {
            table.missing("game", "a game (game), one for each round (boards), or a pool of boards (pool)")
        })?;
        let format = read_format(table)?;
        let rules = read_rules(table, format)?;
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
            options: rules,
        })
    }

    /// Reads who takes part; `earlier` are the names of the stages before.
    pub(super) fn read_field(&mut self, table: &mut Settings, earlier: &[String]) -> Result<(), InputError> {
        let (name, place) =
            table.text("name")?.ok_or_else(|| table.missing("name", "a name for the stage"))?;
        if name.is_empty() || earlier.contains(&name) {
            return Err(table.invalid_value("name", place, &name, "a name that no other stage has"));
        }
        self.name = name;
        for (from, place) in table.texts("from")?.unwrap_or_default() {
            let found = earlier.iter().position(|name| *name == from);
            self.from.push(found.ok_or_else(|| {
                let nearest = nearest_name(&from, earlier.iter().map(String::as_str)).map(str::to_owned);
                let expected = format!("an earlier stage ({})", earlier.join(", "));
                InputError { nearest, ..table.invalid_value("from", place, &from, expected) }
            })?);
        }
        if self.from.is_empty() {
            if table.has("best") {
                let place = table.location_of("best");
                return Err(table.invalid_value(
                    "best",
                    place,
                    "best",
                    "of use without from: the best of which stages?",
                ));
            }
        } else {
            if !table.has("best") {
                return Err(table.missing("best", "how many of each stage in from take part"));
            }
            self.best = table.integer("best", 1, 1..=1_000_000)? as usize;
        }
        Ok(())
    }
}

fn read_boards(
    table: &mut Settings,
    shelf: &dyn TournamentResolver,
) -> Result<Option<StageBoards>, InputError> {
    let given: Vec<&str> = ["game", "boards", "pool"].into_iter().filter(|key| table.has(key)).collect();
    if let [_, other, ..] = given[..] {
        let place = table.location_of(other);
        let expected = format!("wanted beside {}: give one of game, boards and pool", given[0]);
        return Err(table.invalid_value(other, place, other, expected));
    }
    if let Some((pool, place)) = table.text("pool")? {
        shelf.samples(&pool).map_err(|bad| with_place(table, "pool", place, bad))?;
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
        games.push(shelf.game(&text).map_err(|bad| with_place(table, key, place, bad))?);
    }
    Ok(Some(StageBoards::Listed(games)))
}

fn read_format(table: &mut Settings) -> Result<&'static FormatInfo, InputError> {
    let Some((name, place)) = table.text("format")? else {
        return format_named("round-robin").ok_or_else(|| table.missing("format", "a format"));
    };
    format_named(&name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let nearest = nearest_name(&name, known.iter().copied()).map(str::to_owned);
        let expected = format!("a format ({})", known.join(", "));
        InputError { nearest, ..table.invalid_value("format", place, &name, expected) }
    })
}

fn read_rules(table: &mut Settings, format: &FormatInfo) -> Result<FormatOptions, InputError> {
    for key in RULE_KEYS.into_iter().filter(|key| !format.keys.contains(key)) {
        if table.has(key) {
            let place = table.location_of(key);
            let expected = format!("a key of the format {} ({})", format.name, format.keys.join(", "));
            return Err(table.invalid_value(key, place, key, expected));
        }
    }
    let mut rules = FormatOptions::default();
    for key in format.keys {
        match *key {
            "rounds" => rules.rounds = table.integer(key, u64::from(rules.rounds), 1..=10_000)? as u32,
            "cycles" => rules.cycles = table.integer(key, 1, 1..=100_000)? as u32,
            "games" => rules.games = table.integer(key, 1, 1..=100_000)? as u32,
            "single" => rules.single = table.flag(key, false)?,
            "extra" => rules.extra = table.integer(key, u64::from(rules.extra), 0..=10_000)? as u32,
            "budget" if table.has(key) => rules.budget = Some(table.integer(key, 2, 2..=1 << 50)?),
            "minutes" if table.has(key) => rules.minutes = Some(table.number(key, 1.0, 0.01..=1e6)?),
            "batch" => rules.batch = table.integer(key, u64::from(rules.batch), 1..=1_000_000)? as u32,
            "sure" => rules.sure = table.number(key, rules.sure, 0.5..=0.999_999)?,
            // Not there; asked for all the same, so that a mistyped key is told of it.
            _ => drop(table.take(key)),
        }
    }
    if format.name == "adaptive" && rules.budget.is_none() && rules.minutes.is_none() {
        return Err(table.missing("budget", "how many games (budget) or how long (minutes)"));
    }
    Ok(rules)
}
