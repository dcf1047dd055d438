//! The stages of a plan.

use super::keys::{FieldKeys, StageKeys, StageSection};
use super::resolver::TournamentResolver;
use crate::formats::{FormatInfo, FormatValues};
use crate::starts::StageBoards;
use palestra_arena::PointSystem;
use palestra_core::{InputError, nearest_name};
use palestra_settings::Place;

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
    pub values: FormatValues,
}

/// Seeding order of the entrants of a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeedingOrder {
    /// The order of the list of entrants.
    #[default]
    Listed,
    /// Shuffled by the seed.
    Random,
    /// By the ratings in the plan, the highest first.
    Rating,
}

impl StagePlan {
    /// The stage of a section after `earlier` ones; `common` has what it does not state.
    pub(super) fn of(
        section: &StageSection,
        common: &StageKeys,
        earlier: &[StagePlan],
        resolver: &dyn TournamentResolver,
    ) -> Result<StagePlan, InputError> {
        let keys = &section.keys;
        let boards = match boards(keys, &section.place, resolver)? {
            Some(boards) => Some(boards),
            None => boards(common, &section.place, resolver)?,
        };
        let expected = "a game (game), a board for each round (boards), or a pool of boards (pool)";
        let points = keys.points.as_ref().or(common.points.as_ref());
        let mut stage = StagePlan {
            name: String::new(),
            from: Vec::new(),
            best: 0,
            groups: Vec::new(),
            boards: boards.ok_or_else(|| section.place.missing("game", expected))?,
            opening_plies: keys.opening_plies.or(common.opening_plies).unwrap_or(0),
            points: points.map_or_else(PointSystem::default, |points| points.0),
            order: keys.order.or(common.order).unwrap_or_default(),
            format: &section.format,
            values: section.values.clone(),
        };
        if let Some(field) = &section.field {
            stage.set_field(field, &section.place, earlier)?;
        }
        Ok(stage)
    }

    fn set_field(
        &mut self,
        keys: &FieldKeys,
        section: &Place,
        earlier: &[StagePlan],
    ) -> Result<(), InputError> {
        let name = keys.name.as_ref().ok_or_else(|| section.missing("name", "a name for the stage"))?;
        let earlier: Vec<&str> = earlier.iter().map(|stage| stage.name.as_str()).collect();
        if name.is_empty() || earlier.contains(&name.as_str()) {
            return Err(name.invalid("a name that no other stage has"));
        }
        self.name.clone_from(name);
        for from in &keys.from {
            let stage = earlier.iter().position(|name| *name == **from);
            self.from.push(stage.ok_or_else(|| {
                let expected = format!("an earlier stage ({})", earlier.join(", "));
                from.invalid(expected).with_nearest(nearest_name(from, earlier.iter().copied()))
            })?);
        }
        self.best = match (&keys.best, self.from.is_empty()) {
            (None, true) => 0,
            (Some(best), true) => {
                return Err(best.place.not_allowed("from, the stages to take the best of, is missing"));
            }
            (None, false) => {
                return Err(section.missing("best", "the number of players taken from each stage of from"));
            }
            (Some(best), false) => best.0 as usize,
        };
        self.groups.clone_from(&keys.groups);
        Ok(())
    }
}

fn boards(
    keys: &StageKeys,
    section: &Place,
    resolver: &dyn TournamentResolver,
) -> Result<Option<StageBoards>, InputError> {
    let places = [
        keys.game.as_ref().map(|game| &game.place),
        keys.boards.as_ref().map(|boards| &boards.place),
        keys.pool.as_ref().map(|pool| &pool.place),
    ];
    let mut given = places.into_iter().flatten();
    if let (Some(one), Some(other)) = (given.next(), given.next()) {
        let reason = format!("{} is set too; set one of game, boards and pool", one.key);
        return Err(other.not_allowed(reason));
    }
    if let Some(pool) = &keys.pool {
        resolver.samples(pool).map_err(|bad| pool.place.error_in_value(bad))?;
        return Ok(Some(StageBoards::Pool(pool.value.clone())));
    }
    let texts = match (&keys.game, &keys.boards) {
        (Some(game), _) => std::slice::from_ref(game),
        (None, Some(boards)) => &boards.0,
        (None, None) => return Ok(None),
    };
    if texts.is_empty() {
        return Err(section.missing("boards", "at least one board"));
    }
    let game = |text: &palestra_settings::Placed<String>| {
        resolver.game(text).map_err(|bad| text.place.error_in_value(bad))
    };
    texts.iter().map(game).collect::<Result<_, _>>().map(|games| Some(StageBoards::Listed(games)))
}
