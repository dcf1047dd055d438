//! The rules of a line protocol, read from a file.

use super::fields::MoveField;
use super::template::{LineTemplate, PlaceholderKind, PlaceholderValues};
use palestra_arena::TimeControl;
use palestra_core::{InputError, Side};
use palestra_settings::{Document, KeyRename, Parsed, one_or_many, pairs, parsed, whole};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

const fn renamed(old: &'static str, new: &'static str) -> KeyRename {
    KeyRename { section: "", old, new }
}

/// Keys that version 0.0 called otherwise.
const OLD_KEYS: [KeyRename; 5] = [
    renamed("start-first", "start_first"),
    renamed("start-second", "start_second"),
    renamed("move-in", "move_in"),
    renamed("move-out", "move_out"),
    renamed("tells-last-move", "tells_last_move"),
];

/// Keys that every file has, with what is expected where one is missing.
const REQUIRED: [(&str, &str); 4] = [
    ("game", "the games of the protocol, as in \"ladrillos:{n}\""),
    ("move", MOVE),
    ("move_in", MOVE),
    ("move_out", MOVE),
];

const MOVE: &str = "a move template, as in \"{row} {column}\"";

/// The rules of a line protocol. `docs/protocols.md` documents the file.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRules {
    #[serde(skip)]
    pub(crate) name: String,
    /// Old keys of the file.
    #[serde(skip)]
    pub(crate) notices: Vec<String>,
    #[serde(default, rename = "about")]
    _about: String,
    /// The games of the protocol; the first template that matches gives the parameters.
    #[serde(rename = "game", deserialize_with = "templates")]
    games: Vec<LineTemplate>,
    /// Parameters that a game string may leave out.
    #[serde(default, rename = "default", deserialize_with = "pairs")]
    defaults: Vec<(String, ParameterDefault)>,
    /// The names of the two sides.
    #[serde(default, deserialize_with = "one_or_many")]
    colors: Vec<String>,
    #[serde(default, deserialize_with = "templates")]
    pub(crate) start: Vec<LineTemplate>,
    #[serde(default, deserialize_with = "templates")]
    start_first: Vec<LineTemplate>,
    #[serde(default, deserialize_with = "templates")]
    start_second: Vec<LineTemplate>,
    /// A move in Palestra's notation.
    #[serde(rename = "move", deserialize_with = "parsed")]
    token: LineTemplate,
    #[serde(deserialize_with = "parsed")]
    move_in: LineTemplate,
    #[serde(deserialize_with = "parsed")]
    move_out: LineTemplate,
    #[serde(default, rename = "field")]
    fields: BTreeMap<String, MoveField>,
    /// Moves without fields, such as a pass: Palestra's word and the program's.
    #[serde(default, rename = "words", deserialize_with = "pairs")]
    literals: Vec<(String, String)>,
    /// Lines at the end of a game.
    #[serde(default, rename = "end")]
    pub(crate) endings: EndingLines,
    #[serde(default)]
    pub(crate) tells_last_move: bool,
    pub(crate) goodbye: Option<String>,
    pub(crate) farewell: Option<String>,
    #[serde(default)]
    pub(crate) process: ProcessUse,
    #[serde(default)]
    pub(crate) starts: ProcessStart,
    #[serde(default, deserialize_with = "some_clock")]
    pub(crate) clock: Option<TimeControl>,
}

/// Default of a parameter: the product of others divided by a number, rounded up.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParameterDefault {
    #[serde(default, deserialize_with = "one_or_many")]
    product: Vec<String>,
    #[serde(default = "one", deserialize_with = "whole::<1, 1000, _, _>")]
    divisor: u64,
}

/// Lines at the end of a game that the program won, lost or drew.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EndingLines {
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) won: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) lost: Vec<String>,
    #[serde(deserialize_with = "one_or_many")]
    pub(crate) drawn: Vec<String>,
}

/// What a process plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProcessUse {
    #[default]
    Game,
    ManyGames,
}

/// When a process is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProcessStart {
    #[default]
    Game,
    FirstTurn,
}

fn one() -> u64 {
    1
}

fn templates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<LineTemplate>, D::Error> {
    let templates: Vec<Parsed<LineTemplate>> = one_or_many(deserializer)?;
    Ok(templates.into_iter().map(|template| template.0).collect())
}

fn some_clock<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<TimeControl>, D::Error> {
    parsed(deserializer).map(Some)
}

impl LineRules {
    /// Reads the text of a file; `name` is the name of the file in messages.
    pub fn read(text: &str, name: &str) -> Result<LineRules, InputError> {
        let mut file = Document::parse(text, name)?;
        let notices = file.rename_old_keys(&OLD_KEYS)?;
        if let Some((key, expected)) = REQUIRED.iter().find(|(key, _)| !file.has(key)) {
            return Err(file.missing(key, *expected));
        }
        let mut rules = LineRules { name: name.to_owned(), notices, ..file.read()? };
        if rules.games.is_empty() {
            return Err(file.missing(REQUIRED[0].0, REQUIRED[0].1));
        }
        match &rules.colors[..] {
            [] => rules.colors = ["0", "1"].map(str::to_owned).to_vec(),
            [_, _] => {}
            [first, ..] => {
                let expected = "two words, as in [\"azul\", \"rojo\"]";
                return Err(file.place_of("colors").invalid_value(first, expected));
            }
        }
        rules.check(&file)?;
        Ok(rules)
    }

    /// Checks that all placeholders are known, and that all forms of a move have the same.
    fn check(&self, file: &Document) -> Result<(), InputError> {
        let parameters = self.games.iter().flat_map(LineTemplate::placeholders);
        let defaults = self.defaults.iter().map(|(name, _)| name.as_str());
        let known: Vec<&str> = parameters.chain(defaults).chain(["own", "other", "side"]).collect();
        let names: Vec<&str> = self.fields.keys().map(String::as_str).collect();
        let starts = [&self.start, &self.start_first, &self.start_second].into_iter().flatten();
        let moves = [("move", &self.token), ("move_in", &self.move_in), ("move_out", &self.move_out)];
        let of_starts = starts.map(|template| ("start", template, &known));
        let of_moves = moves.iter().map(|(key, template)| (*key, *template, &names));
        for (key, template, known) in of_starts.chain(of_moves) {
            if let Some(name) = template.placeholders().find(|name| !known.contains(name)) {
                let bad = InputError::unknown(key, name, "a known placeholder", known.iter().copied());
                let location = file.place_of(key).location.unwrap_or_default();
                return Err(bad.at(location));
            }
        }
        for template in [&self.move_in, &self.move_out] {
            let lacks = |name: &&str| !template.placeholders().any(|other| other == *name);
            if let Some(name) = self.token.placeholders().find(lacks) {
                let expected = "a placeholder that move, move_in and move_out all have";
                return Err(InputError::new(format!("move in {}", self.name), name, expected));
            }
        }
        Ok(())
    }

    /// Lines at the start of a game for one side only.
    pub(crate) fn start_of(&self, side: Side) -> &[LineTemplate] {
        [&self.start_first, &self.start_second][side.index()]
    }

    /// The values of a game for one side; fails for a game that the protocol does not have.
    pub(crate) fn values(&self, game: &str, side: Side) -> Result<PlaceholderValues, InputError> {
        let matched = self.games.iter().find_map(|template| template.find(game, |_| PlaceholderKind::Number));
        let mut values = matched.ok_or_else(|| {
            let games: Vec<String> = self.games.iter().map(|template| template.to_string()).collect();
            let expected = format!("a game of the protocol {} ({})", self.name, games.join(", "));
            InputError::new("game", game, expected)
        })?;
        for (name, default) in &self.defaults {
            if !values.contains_key(name) {
                let factor = |name: &String| values.get(name).and_then(|text| text.parse::<u64>().ok());
                let product = default.product.iter().filter_map(factor).fold(1, u64::saturating_mul);
                values.insert(name.clone(), product.div_ceil(default.divisor).to_string());
            }
        }
        let [own, other] = [side, side.other()].map(|side| self.colors[side.index()].clone());
        values.extend([("own", own), ("other", other)].map(|(name, value)| (name.to_owned(), value)));
        values.insert("side".to_owned(), side.index().to_string());
        Ok(values)
    }

    /// The line that sends a move to a program.
    pub(crate) fn line_in(&self, token: &str) -> Option<String> {
        self.format_move(token, &self.move_in)
    }

    /// The line with which a program answers a move.
    pub(crate) fn line_out(&self, token: &str) -> Option<String> {
        self.format_move(token, &self.move_out)
    }

    fn format_move(&self, token: &str, template: &LineTemplate) -> Option<String> {
        if let Some((_, word)) = self.literals.iter().find(|(own, _)| own == token) {
            return Some(word.clone());
        }
        let kind = |name: &str| self.fields.get(name).map_or(PlaceholderKind::Word, MoveField::palestra_kind);
        let values = self.token.find(token, kind)?;
        let to_program =
            |(name, text): (String, String)| Some((name.clone(), self.fields.get(&name)?.to_program(&text)?));
        Some(template.fill(&values.into_iter().map(to_program).collect::<Option<PlaceholderValues>>()?))
    }

    /// Parses an answer of a program.
    pub(crate) fn parse_move_out(&self, line: &str) -> ParsedLine {
        self.parse_move(line, &self.move_out)
    }

    /// Parses a judge's line with a move.
    pub(crate) fn parse_move_in(&self, line: &str) -> ParsedLine {
        self.parse_move(line, &self.move_in)
    }

    fn parse_move(&self, line: &str, template: &LineTemplate) -> ParsedLine {
        if let Some((own, _)) = self.literals.iter().find(|(_, word)| word == line.trim()) {
            return ParsedLine::Move(own.clone());
        }
        let kind = |name: &str| self.fields.get(name).map_or(PlaceholderKind::Word, MoveField::program_kind);
        let Some(values) = template.find(line, kind) else { return ParsedLine::NotAMove };
        let to_palestra = |(name, text): (String, String)| {
            Some((name.clone(), self.fields.get(&name)?.to_palestra(&text)?))
        };
        match values.into_iter().map(to_palestra).collect::<Option<PlaceholderValues>>() {
            Some(values) => ParsedLine::Move(self.token.fill(&values)),
            None => ParsedLine::OffBoard,
        }
    }

    /// Number of words in a judge's line with a move.
    pub(crate) fn n_words_in(&self) -> usize {
        self.move_in.n_words()
    }

    /// The game and the side that the values of the start lines name, each `None` where they do not. The side is that
    /// of the program's own color.
    pub(crate) fn game_of(&self, values: &PlaceholderValues) -> (Option<String>, Option<Side>) {
        let has_all =
            |template: &&LineTemplate| template.placeholders().all(|name| values.contains_key(name));
        let game = self.games.iter().find(has_all).map(|template| template.fill(values));
        let own = values.get("own").or_else(|| values.get("side"));
        let side = own.and_then(|own| {
            let index = self.colors.iter().position(|color| color == own);
            index.map(|index| Side::BOTH[index])
        });
        (game, side)
    }
}

/// A line that should contain a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ParsedLine {
    /// A move, in Palestra's notation.
    Move(String),
    /// A move outside every board, such as one in row 0.
    OffBoard,
    /// No move.
    NotAMove,
}
