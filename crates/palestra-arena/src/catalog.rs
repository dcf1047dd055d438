//! From a game string to a game.

use crate::any::{AnyGame, EraseGame};
use palestra_core::{BoardPool, Family, FamilyInfo, InputError};

/// One family of games, ready to be opened.
#[derive(Debug)]
pub struct CatalogEntry {
    /// What it says about itself.
    pub info: &'static FamilyInfo,
    open: fn(&str) -> Result<Box<dyn AnyGame>, InputError>,
}

impl CatalogEntry {
    /// The entry of a family.
    pub const fn of<F: Family>() -> CatalogEntry {
        CatalogEntry { info: &F::INFO, open: |parameters| F::open(parameters, EraseGame(&F::INFO)) }
    }
}

/// All families there are.
#[derive(Debug)]
pub struct Catalog {
    entries: &'static [CatalogEntry],
}

impl Catalog {
    /// A catalog of these families, in the order in which they are listed.
    pub const fn new(entries: &'static [CatalogEntry]) -> Catalog {
        Catalog { entries }
    }

    /// The families, in order.
    pub fn families(&self) -> impl Iterator<Item = &'static FamilyInfo> {
        self.entries.iter().map(|entry| entry.info)
    }

    /// The family of that name; an alias of one of its games counts.
    pub fn family(&self, name: &str) -> Result<&'static FamilyInfo, InputError> {
        let name = name.split(':').next().unwrap_or_default();
        let is_alias = |info: &FamilyInfo| info.aliases.iter().any(|(alias, _)| *alias == name);
        self.families()
            .find(|info| info.name == name || is_alias(info))
            .ok_or_else(|| self.unknown("game", name))
    }

    /// Opens the game a string names: `connect:7x6x4`, or an alias such as `connect4`.
    pub fn open(&self, text: &str) -> Result<Box<dyn AnyGame>, InputError> {
        let aliases = self.families().flat_map(|info| info.aliases);
        let resolved = aliases.into_iter().find(|(alias, _)| *alias == text).map_or(text, |(_, game)| game);
        let (name, parameters) = resolved.split_once(':').unwrap_or((resolved, ""));
        match self.entries.iter().find(|entry| entry.info.name == name) {
            Some(entry) => (entry.open)(parameters),
            None => Err(self.unknown("game", text)),
        }
    }

    /// The collection of boards a string names: `connect/study`.
    pub fn pool(&self, text: &str) -> Result<&'static BoardPool, InputError> {
        let all = || self.families().flat_map(|info| info.pools.iter().map(move |pool| (info.name, pool)));
        let found = all().find(|(family, pool)| text.split_once('/') == Some((family, pool.name)));
        found.map(|(_, pool)| pool).ok_or_else(|| {
            let known: Vec<String> = all().map(|(family, pool)| format!("{family}/{}", pool.name)).collect();
            InputError::unknown("pool", text, "a collection of boards", known.iter().map(String::as_str))
        })
    }

    fn unknown(&self, place: &str, found: &str) -> InputError {
        let names = self
            .families()
            .flat_map(|info| std::iter::once(info.name).chain(info.aliases.iter().map(|(alias, _)| *alias)));
        let syntaxes: Vec<&str> = self.families().map(|info| info.syntax).collect();
        let name = found.split(':').next().unwrap_or_default();
        let nearest = palestra_core::nearest_name(name, names).map(str::to_owned);
        let expected = format!("a known game ({})", syntaxes.join(", "));
        InputError { nearest, ..InputError::new(place, found, expected) }
    }
}
