//! The catalog: opens a game from its text.

use crate::any::{AnyGame, EraseGame};
use palestra_core::{BoardPool, Family, FamilyInfo, InputError};

/// One family of games and the function that opens its games.
#[derive(Clone, Copy, Debug)]
pub struct CatalogEntry {
    /// Description of the family.
    pub info: &'static FamilyInfo,
    open: fn(&str) -> Result<Box<dyn AnyGame>, InputError>,
}

impl CatalogEntry {
    /// The entry of a family.
    pub const fn of<F: Family>() -> CatalogEntry {
        CatalogEntry { info: &F::INFO, open: |parameters| F::open(parameters, EraseGame(&F::INFO)) }
    }
}

/// The families of games that a program has.
#[derive(Debug)]
pub struct Catalog {
    entries: &'static [CatalogEntry],
}

impl Catalog {
    /// A catalog of these families, which are listed in this order.
    pub const fn new(entries: &'static [CatalogEntry]) -> Catalog {
        Catalog { entries }
    }

    /// The families of several catalogs, in order: to add games to the shipped ones.
    #[must_use]
    pub fn joined(catalogs: &[&Catalog]) -> Catalog {
        let entries: Vec<CatalogEntry> =
            catalogs.iter().flat_map(|catalog| catalog.entries).copied().collect();
        // A program has one catalog, which lives as long as it does.
        Catalog { entries: entries.leak() }
    }

    /// The families, in order.
    pub fn families(&self) -> impl Iterator<Item = &'static FamilyInfo> {
        self.entries.iter().map(|entry| entry.info)
    }

    /// The game that is offered first: of the first family, its first alias or else its first sample.
    #[must_use]
    pub fn default_game(&self) -> &'static str {
        let first = self.families().next();
        first.map_or("", |family| match (family.aliases.first(), family.samples.first()) {
            (Some((alias, _)), _) => alias,
            (None, sample) => sample.copied().unwrap_or(family.name),
        })
    }

    /// The family with this name, or with a game of this alias; parameters after `:` are ignored.
    pub fn family(&self, name: &str) -> Result<&'static FamilyInfo, InputError> {
        let name = name.split(':').next().unwrap_or_default();
        let is_alias = |info: &FamilyInfo| info.aliases.iter().any(|(alias, _)| *alias == name);
        self.families()
            .find(|info| info.name == name || is_alias(info))
            .ok_or_else(|| self.unknown("game", name))
    }

    /// Opens the game of a game string: `connect:7x6x4`, or an alias such as `connect4`.
    pub fn open(&self, text: &str) -> Result<Box<dyn AnyGame>, InputError> {
        let aliases = self.families().flat_map(|info| info.aliases);
        let resolved = aliases.into_iter().find(|(alias, _)| *alias == text).map_or(text, |(_, game)| game);
        let (name, parameters) = resolved.split_once(':').unwrap_or((resolved, ""));
        match self.entries.iter().find(|entry| entry.info.name == name) {
            Some(entry) => (entry.open)(parameters),
            None => Err(self.unknown("game", text)),
        }
    }

    /// The named collection of boards: `connect/study`.
    pub fn pool(&self, text: &str) -> Result<&'static BoardPool, InputError> {
        let all = || self.families().flat_map(|info| info.pools.iter().map(move |pool| (info.name, pool)));
        let found = all().find(|(family, pool)| text.split_once('/') == Some((family, pool.name)));
        found.map(|(_, pool)| pool).ok_or_else(|| {
            let known: Vec<String> = all().map(|(family, pool)| format!("{family}/{}", pool.name)).collect();
            InputError::unknown("pool", text, "a collection of boards", known.iter().map(String::as_str))
        })
    }

    fn unknown(&self, key: &str, found: &str) -> InputError {
        let names = self
            .families()
            .flat_map(|info| std::iter::once(info.name).chain(info.aliases.iter().map(|(alias, _)| *alias)));
        let syntaxes: Vec<&str> = self.families().map(|info| info.syntax).collect();
        let name = found.split(':').next().unwrap_or_default();
        let expected = format!("a known game ({})", syntaxes.join(", "));
        InputError::new(key, found, expected).with_nearest(palestra_core::nearest_name(name, names))
    }
}
