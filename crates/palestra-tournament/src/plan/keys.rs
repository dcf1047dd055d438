//! A plan as a file or options state it, before its names are resolved.

use super::stage::SeedingOrder;
use super::{OLD_KEYS, TournamentPlan};
use crate::formats::{DEFAULT_FORMAT, FORMATS, FormatInfo, FormatValues, all_keys};
use palestra_arena::PointSystem;
use palestra_core::{InputError, nearest_name};
use palestra_settings::{Document, OneOrMany, Parsed, Place, Placed, number, whole};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use std::fmt;

/// A plan before its names are resolved. [`PlanKeys::resolve`] makes the plan.
#[derive(Clone, Debug)]
pub struct PlanKeys {
    /// The file.
    pub(super) place: Place,
    /// The keys of the event. Stages, players and marks are still missing.
    pub plan: TournamentPlan,
    /// What stages have where they do not state it.
    pub common: StageKeys,
    pub(super) stages: Vec<StageSection>,
    /// The players that are listed one by one.
    pub(super) players: Vec<Document>,
    pub(super) grids: Vec<Placed<GridKeys>>,
    pub(super) marks: Vec<Document>,
}

/// Keys that an event can state for all its stages.
#[derive(serde::Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub struct StageKeys {
    /// The game of all rounds.
    pub game: Option<Placed<String>>,
    pub(super) boards: Option<Placed<OneOrMany<Placed<String>>>>,
    /// A pool of boards.
    pub pool: Option<Placed<String>>,
    #[serde(deserialize_with = "whole::<0, 1000, _, _>")]
    pub(super) opening_plies: Option<u32>,
    pub(super) points: Option<Parsed<PointSystem>>,
    pub(super) order: Option<SeedingOrder>,
}

/// The fields of [`StageKeys`].
const STAGE_KEYS: [&str; 6] = ["game", "boards", "pool", "opening_plies", "points", "order"];

/// A stage.
#[derive(Clone, Debug)]
pub(super) struct StageSection {
    pub(super) place: Place,
    pub(super) keys: StageKeys,
    pub(super) format: Placed<&'static FormatInfo>,
    pub(super) values: FormatValues,
    /// `None` for the only stage of an event.
    pub(super) field: Option<FieldKeys>,
}

/// The keys of a `[[stage]]` about its name and its entrants.
#[derive(serde::Deserialize, Clone, Debug, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct FieldKeys {
    pub(super) name: Option<Placed<String>>,
    #[serde(deserialize_with = "palestra_settings::one_or_many")]
    pub(super) from: Vec<Placed<String>>,
    pub(super) best: Option<Placed<Best>>,
    #[serde(deserialize_with = "palestra_settings::one_or_many")]
    pub(super) groups: Vec<String>,
}

/// `best`: number of entrants taken from each earlier stage.
pub(super) type Best = palestra_settings::Whole<1, 1_000_000>;

/// A grid of players: an item of `players` with keys.
#[derive(serde::Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields, default)]
pub(super) struct GridKeys {
    pub(super) template: Option<Placed<String>>,
    pub(super) grid: Option<Placed<OneOrMany<f64>>>,
    #[serde(deserialize_with = "step")]
    pub(super) step: f64,
    pub(super) prefix: String,
    pub(super) group: Option<String>,
}

impl Default for GridKeys {
    fn default() -> GridKeys {
        GridKeys { template: None, grid: None, step: 1.0, prefix: String::new(), group: None }
    }
}

fn step<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(deserializer, 1e-6..=1e6)
}

/// An item of `players`.
#[derive(Clone, Debug)]
enum PlayersItem {
    /// The pattern of folders of submissions.
    Folders(String),
    Grid(Box<GridKeys>),
}

impl<'de> Deserialize<'de> for PlayersItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<PlayersItem, D::Error> {
        struct ItemVisitor;

        impl<'de> Visitor<'de> for ItemVisitor {
            type Value = PlayersItem;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "a folder (\"submissions/*\"), a list of folders, or sections [[players]] with template and grid",
                )
            }

            fn visit_str<E: Error>(self, pattern: &str) -> Result<PlayersItem, E> {
                match pattern {
                    "" => Err(E::invalid_value(Unexpected::Str(pattern), &self)),
                    _ => Ok(PlayersItem::Folders(pattern.to_owned())),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, section: A) -> Result<PlayersItem, A::Error> {
                GridKeys::deserialize(MapAccessDeserializer::new(section))
                    .map(|grid| PlayersItem::Grid(Box::new(grid)))
            }
        }

        deserializer.deserialize_any(ItemVisitor)
    }
}

impl PlanKeys {
    /// Reads the keys of a plan. [`OLD_KEYS`] are accepted.
    pub fn read(mut file: Document) -> Result<PlanKeys, InputError> {
        file.rename_old_keys(&OLD_KEYS)?;
        let common = file.take_keys(&STAGE_KEYS).read()?;
        let sections = file.take_sections("stage")?;
        let stages = match sections.is_empty() {
            true => vec![StageSection::read(&mut file, StageKeys::default())?],
            false => sections.into_iter().map(StageSection::read_named).collect::<Result<_, _>>()?,
        };
        let players = file.take_sections("player")?;
        let lists: OneOrMany<Placed<PlayersItem>> = file.take("players")?.unwrap_or_default();
        let marks = file.take_sections("mark")?;
        let mut plan: TournamentPlan = file.read()?;
        let mut grids = Vec::new();
        for Placed { value, place } in lists.0 {
            match value {
                PlayersItem::Folders(pattern) => plan.patterns.push(pattern),
                PlayersItem::Grid(grid) => grids.push(Placed { value: *grid, place }),
            }
        }
        Ok(PlanKeys { place: file.place().clone(), plan, common, stages, players, grids, marks })
    }
}

impl PlanKeys {
    /// Adds a player from an option.
    pub fn add_player(&mut self, name: Option<&str>, player: &str, staff: bool) -> Result<(), InputError> {
        let mut section = Document::empty(Place::option("player"));
        section.set_text("player", player)?;
        section.set("staff", &staff.to_string())?;
        name.map_or(Ok(()), |name| section.set_text("name", name))?;
        self.players.push(section);
        Ok(())
    }
}

impl StageSection {
    /// Takes the format and its keys out of a section.
    fn read(section: &mut Document, keys: StageKeys) -> Result<StageSection, InputError> {
        let place = section.place_of("format");
        let format = match section.take::<Placed<String>>("format")? {
            None => Placed { value: DEFAULT_FORMAT, place },
            Some(name) => Placed { value: format_of(&name)?, place },
        };
        for (key, _) in all_keys().filter(|(key, _)| !format.keys.iter().any(|own| own.name == key.name)) {
            if section.has(key.name) {
                let own: Vec<&str> = format.keys.iter().map(|key| key.name).collect();
                let reason = format!("the format {} has the keys {}", format.name, own.join(", "));
                return Err(section.place_of(key.name).not_allowed(reason));
            }
        }
        let values = FormatValues::take(format.keys, section)?;
        Ok(StageSection { place: section.place().clone(), keys, format, values, field: None })
    }

    fn read_named(mut section: Document) -> Result<StageSection, InputError> {
        let keys = section.take_keys(&STAGE_KEYS).read()?;
        let stage = StageSection::read(&mut section, keys)?;
        Ok(StageSection { field: Some(section.read()?), ..stage })
    }
}

fn format_of(name: &Placed<String>) -> Result<&'static FormatInfo, InputError> {
    FORMATS.iter().find(|format| format.name == **name).ok_or_else(|| {
        let known: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
        let nearest = nearest_name(name, known.iter().copied());
        name.invalid(format!("a format ({})", known.join(", "))).with_nearest(nearest)
    })
}
