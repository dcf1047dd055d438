//! Move maps: the notation of a program that writes moves in its own way, in a protocol that leaves notation to the
//! game. A map is a table of pairs, a pattern, or both.

mod mapped;
mod spec;
#[cfg(test)]
mod tests;

pub(crate) use mapped::MappedProtocol;
pub use spec::{MOVE_MAPS, MoveMapInfo, MoveMapSpec};

use super::line::{LineTemplate, MoveField, Numeral, PlaceholderKind, PlaceholderValues};
use palestra_core::InputError;
use palestra_settings::{Document, Parsed, one_or_many, pairs, parsed, whole};
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};

/// A move map, read from a file; `docs/protocols.md` documents it. Different moves of a position have different texts.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MoveMap {
    #[serde(skip)]
    name: String,
    #[serde(default, rename = "about")]
    _about: String,
    /// The games that it is for.
    #[serde(rename = "game", deserialize_with = "templates")]
    games: Vec<LineTemplate>,
    /// A move in Palestra's notation.
    #[serde(default, rename = "move", deserialize_with = "some_template")]
    palestra: Option<LineTemplate>,
    /// The same in the program's.
    #[serde(default, deserialize_with = "some_template")]
    program: Option<LineTemplate>,
    #[serde(default, rename = "field")]
    fields: BTreeMap<String, MoveField>,
    /// Placeholders of the program's notation that count earlier moves.
    #[serde(default, rename = "count")]
    counts: BTreeMap<String, CountField>,
    /// Single moves: Palestra's text and the program's.
    #[serde(default, deserialize_with = "pairs")]
    pairs: Vec<(String, String)>,
}

/// A number of the program's notation: how many earlier moves have the same value of another field.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CountField {
    of: String,
    #[serde(default)]
    program: Numeral,
    /// The number for no earlier moves.
    #[serde(default = "one", deserialize_with = "whole::<0, 1000, _, _>")]
    base: u64,
}

fn one() -> u64 {
    1
}

fn templates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<LineTemplate>, D::Error> {
    let templates: Vec<Parsed<LineTemplate>> = one_or_many(deserializer)?;
    Ok(templates.into_iter().map(|template| template.0).collect())
}

fn some_template<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LineTemplate>, D::Error> {
    parsed(deserializer).map(Some)
}

impl MoveMap {
    /// Reads the text of a file; `name` is the name of the file in messages.
    pub fn read(text: &str, name: &str) -> Result<MoveMap, InputError> {
        let file = Document::parse(text, name)?;
        if !file.has("game") {
            return Err(
                file.missing("game", "the games of the map, as in \"connect:{columns}x{rows}x{run}\"")
            );
        }
        let map = MoveMap { name: name.to_owned(), ..file.read()? };
        match (&map.palestra, &map.program) {
            (Some(_), Some(_)) => {}
            (None, None) if !map.pairs.is_empty() => {}
            (Some(_), None) => {
                return Err(file.missing("program", "the program's form of a move, as in \"P@{column}\""));
            }
            _ => {
                return Err(
                    file.missing("move", "a move in Palestra's notation, as in \"{column}\", or [pairs]")
                );
            }
        }
        map.check_placeholders(&file)?;
        map.check_pairs(&file)?;
        Ok(map)
    }

    /// Checks that both forms of a move can be read, and that each says all that the other one needs.
    fn check_placeholders(&self, file: &Document) -> Result<(), InputError> {
        let fields: Vec<&str> = self.fields.keys().map(String::as_str).collect();
        let counts = self.counts.keys().map(String::as_str);
        let of_program: Vec<&str> = fields.iter().copied().chain(counts).collect();
        let place = |key: &str| file.place_of(key).location.unwrap_or_default();
        for (name, count) in &self.counts {
            if !fields.contains(&count.of.as_str()) {
                let key = format!("of in [count.{name}]");
                let bad = InputError::unknown(key, &count.of, "a field", fields.iter().copied());
                return Err(bad.at(place("count")));
            }
        }
        for (key, template, known) in
            [("move", &self.palestra, &fields), ("program", &self.program, &of_program)]
        {
            let Some(template) = template else { continue };
            if let Some(name) = template.placeholders().find(|name| !known.contains(name)) {
                let bad = InputError::unknown(key, name, "a known placeholder", known.iter().copied());
                return Err(bad.at(place(key)));
            }
            let lacks = |name: &&&str| !template.placeholders().any(|other| other == **name);
            if let Some(name) = fields.iter().find(lacks) {
                let expected =
                    format!("a placeholder that {key} has: otherwise two moves have the same text");
                return Err(InputError::new(format!("field in {}", self.name), *name, expected));
            }
            let is_program = key == "program";
            let is_joined = |(left, right): &(&str, &str)| {
                let [left, right] = [*left, *right].map(|name| self.kind(name, is_program));
                left == right && matches!(left, PlaceholderKind::Number | PlaceholderKind::Letters)
            };
            if let Some((left, right)) = template.neighbors().find(is_joined) {
                let expected = "something between them: it is not clear where the one ends";
                return Err(InputError::new(key, format!("{{{left}}}{{{right}}}"), expected).at(place(key)));
            }
        }
        for (name, field) in &self.fields {
            if let Some(word) = field.repeated_word() {
                let key = format!("words in [field.{name}]");
                return Err(InputError::new(key, word, "every word once").at(place("field")));
            }
        }
        Ok(())
    }

    /// Checks that no two moves of the table, or of the table and the pattern, have the same text.
    fn check_pairs(&self, file: &Document) -> Result<(), InputError> {
        let mut seen = BTreeSet::new();
        for (palestra, program) in &self.pairs {
            let of_pattern = self.fields_of(program).is_some();
            let is_text = |text: &str| !text.is_empty() && !text.contains(char::is_whitespace);
            let expected = match () {
                () if !is_text(palestra) || !is_text(program) => "a move without blanks",
                () if of_pattern => "a text that the pattern of program does not match",
                () if self.values_of(palestra).is_some() => "a move that the pattern of move does not match",
                () if !seen.insert(program) => "a text that no other move has",
                () => continue,
            };
            let found = format!("{palestra} = {program}");
            return Err(InputError::new("pairs", found, expected)
                .at(file.place_of("pairs").location.unwrap_or_default()));
        }
        Ok(())
    }

    fn kind(&self, name: &str, is_program: bool) -> PlaceholderKind<'_> {
        match (self.fields.get(name), self.counts.get(name)) {
            (Some(field), _) if is_program => field.program_kind(),
            (Some(field), _) => field.palestra_kind(),
            (None, Some(count)) => count.program.kind(),
            (None, None) => PlaceholderKind::Word,
        }
    }

    /// The fields of a move in Palestra's notation.
    fn values_of(&self, mv: &str) -> Option<PlaceholderValues> {
        self.palestra.as_ref()?.find(mv, |name| self.kind(name, false))
    }

    /// The fields of a move in the program's notation.
    fn fields_of(&self, text: &str) -> Option<PlaceholderValues> {
        self.program.as_ref()?.find(text, |name| self.kind(name, true))
    }

    /// Checks that the map is for a game.
    pub(crate) fn check(&self, game: &str) -> Result<(), InputError> {
        if self.games.iter().any(|template| template.find(game, |_| PlaceholderKind::Number).is_some()) {
            return Ok(());
        }
        let games: Vec<String> = self.games.iter().map(ToString::to_string).collect();
        let expected = format!("a game of the move map {} ({})", self.name, games.join(", "));
        Err(InputError::new("game", game, expected))
    }

    /// Whether a move's text depends on the moves before it, which a setup does not have.
    pub(crate) fn needs_history(&self) -> bool {
        !self.counts.is_empty()
    }

    /// The moves of a game from its start in the program's notation; the first that it lacks is the error.
    pub(crate) fn write<'a>(&self, moves: impl Iterator<Item = &'a str>) -> Result<Vec<String>, String> {
        let mut counted: BTreeMap<(&str, String), u64> = BTreeMap::new();
        let mut write = |mv: &str| {
            if let Some((_, program)) = self.pairs.iter().find(|(palestra, _)| palestra == mv) {
                return Some(program.clone());
            }
            let values = self.values_of(mv)?;
            let mut written = PlaceholderValues::new();
            for (name, count) in &self.counts {
                let number = counted.entry((name, values.get(&count.of)?.clone())).or_insert(0);
                written.insert(name.clone(), count.program.write(*number, count.base));
                *number += 1;
            }
            for (name, text) in values {
                let text = self.fields.get(&name)?.to_program(&text)?;
                written.insert(name, text);
            }
            Some(self.program.as_ref()?.fill(&written))
        };
        moves.map(|mv| write(mv).ok_or_else(|| mv.to_owned())).collect()
    }

    /// A program's move after these moves, in Palestra's notation; otherwise what is wrong with it.
    pub(crate) fn read_move(&self, text: &str, before: &[String]) -> Result<String, String> {
        if let Some((palestra, _)) = self.pairs.iter().find(|(_, program)| program == text) {
            return Ok(palestra.clone());
        }
        let values = self.fields_of(text).ok_or_else(|| match &self.program {
            Some(form) => format!("not a move of the form {form}"),
            None => format!("not a move of the map {}", self.name),
        })?;
        let to_palestra = |(name, field): (&String, &MoveField)| {
            Some((name.clone(), field.to_palestra(values.get(name)?)?))
        };
        let fields = self.fields.iter().map(to_palestra).collect::<Option<PlaceholderValues>>();
        let mv = fields.and_then(|fields| Some(self.palestra.as_ref()?.fill(&fields)));
        let mv = mv.ok_or("not on any board")?;
        // The counted parts must be right as well, since the program's board would be another one.
        let all = before.iter().map(String::as_str).chain([mv.as_str()]);
        match self.write(all).map(|all| all.last().cloned()) {
            Ok(Some(written)) if written != text => Err(format!("the move {mv} is {written} here")),
            _ => Ok(mv),
        }
    }
}
