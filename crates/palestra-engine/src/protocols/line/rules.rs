//! The rules of a line protocol, read from a file.

use super::fields::{MoveField, Numeral};
use super::template::{LineTemplate, PlaceholderKind, PlaceholderValues};
use crate::clock::TimeControl;
use palestra_core::{InputError, Side};
use palestra_settings::{KeyRename, Settings};
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

/// The rules of a line protocol. `docs/protocols.md` documents the file.
#[derive(Clone, PartialEq, Debug)]
pub struct LineRules {
    pub(crate) name: String,
    /// Old keys of the file.
    pub(crate) notices: Vec<String>,
    /// The games of the protocol; the first template that matches gives the parameters.
    games: Vec<LineTemplate>,
    /// Parameters that a game string may leave out: name, factors and divisor of the default, which is rounded up.
    defaults: Vec<(String, Vec<String>, u64)>,
    /// The names of the two sides.
    colors: [String; 2],
    pub(crate) start: Vec<LineTemplate>,
    /// Lines at the start of a game for one side only.
    pub(crate) start_of: [Vec<LineTemplate>; 2],
    /// A move in Palestra's notation.
    token: LineTemplate,
    move_in: LineTemplate,
    move_out: LineTemplate,
    fields: BTreeMap<String, MoveField>,
    /// Moves without fields, such as a pass: Palestra's word and the program's.
    literals: Vec<(String, String)>,
    /// Lines at the end of a game.
    pub(crate) endings: EndingLines,
    pub(crate) tells_last_move: bool,
    pub(crate) goodbye: Option<String>,
    pub(crate) farewell: Option<String>,
    pub(crate) reuses_process: bool,
    pub(crate) starts_late: bool,
    pub(crate) clock: Option<TimeControl>,
}

/// Lines at the end of a game that the program won, lost or drew.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EndingLines {
    pub(crate) won: Vec<String>,
    pub(crate) lost: Vec<String>,
    pub(crate) drawn: Vec<String>,
}

impl LineRules {
    /// Reads the text of a file; `name` is the name of the file in messages.
    pub fn read(text: &str, name: &str) -> Result<LineRules, InputError> {
        let file_name = name;
        let mut file = Settings::parse(text, name)?;
        let notices = file.rename_old_keys(&OLD_KEYS)?;
        let _ = file.text("about")?;
        let games = templates(&mut file, "game")?;
        if games.is_empty() {
            return Err(file.missing("game", "the games of the protocol, as in \"ladrillos:{n}\""));
        }
        let defaults = defaults(&mut file)?;
        let parameters = games.iter().flat_map(LineTemplate::placeholders);
        let other_names = defaults.iter().map(|(name, _, _)| name.as_str()).chain(["own", "other", "side"]);
        let known: Vec<String> = parameters.chain(other_names).map(str::to_owned).collect();
        let color_names = file.texts("colors")?.unwrap_or_default();
        let colors = match color_names.as_slice() {
            [] => ["0".to_owned(), "1".to_owned()],
            [(first, _), (second, _)] => [first.clone(), second.clone()],
            [(first, _), ..] => {
                let expected = "two words, as in [\"azul\", \"rojo\"]";
                return Err(file.invalid_value("colors", file.location_of("colors"), first, expected));
            }
        };
        let start = templates(&mut file, "start")?;
        let start_of = [templates(&mut file, "start_first")?, templates(&mut file, "start_second")?];
        for template in start.iter().chain(start_of.iter().flatten()) {
            check_placeholders(&file, "start", template, &known)?;
        }
        let fields = fields(&mut file)?;
        let names: Vec<String> = fields.keys().cloned().collect();
        let token = move_template(&mut file, "move", &names)?;
        let move_in = move_template(&mut file, "move_in", &names)?;
        let move_out = move_template(&mut file, "move_out", &names)?;
        for template in [&move_in, &move_out] {
            if let Some(name) =
                token.placeholders().find(|name| !template.placeholders().any(|other| other == *name))
            {
                let expected = "a placeholder that move, move_in and move_out all have";
                return Err(InputError::new(format!("move in {file_name}"), name, expected));
            }
        }
        let literals = pairs(&mut file, "words")?;
        let mut end = file.table("end")?;
        let mut lines = |key| -> Result<Vec<String>, InputError> {
            Ok(end.texts(key)?.unwrap_or_default().into_iter().map(|(line, _)| line).collect())
        };
        let endings = EndingLines { won: lines("won")?, lost: lines("lost")?, drawn: lines("drawn")? };
        end.finish()?;
        let clock = match file.text("clock")? {
            Some((text, place)) => Some(
                text.parse()
                    .map_err(|bad: InputError| file.invalid_value("clock", place, &text, bad.expected()))?,
            ),
            None => None,
        };
        let rules = LineRules {
            name: name.to_owned(),
            notices,
            games,
            defaults,
            colors,
            start,
            start_of,
            token,
            move_in,
            move_out,
            fields,
            literals,
            endings,
            tells_last_move: file.flag("tells_last_move", false)?,
            goodbye: file.text("goodbye")?.map(|(line, _)| line),
            farewell: file.text("farewell")?.map(|(line, _)| line),
            reuses_process: file.choice("process", "game", &["game", "many-games"])? == "many-games",
            starts_late: file.choice("starts", "game", &["game", "first-turn"])? == "first-turn",
            clock,
        };
        file.finish()?;
        Ok(rules)
    }

    /// The values of a game for one side; fails for a game that the protocol does not have.
    pub(crate) fn values(&self, game: &str, side: Side) -> Result<PlaceholderValues, InputError> {
        let matched = self.games.iter().find_map(|template| template.find(game, |_| PlaceholderKind::Number));
        let mut values = matched.ok_or_else(|| {
            let games: Vec<String> = self.games.iter().map(|template| template.to_string()).collect();
            let expected = format!("a game of the protocol {} ({})", self.name, games.join(", "));
            InputError::new("game", game, expected)
        })?;
        for (name, factors, divisor) in &self.defaults {
            if !values.contains_key(name) {
                let factor = |name: &String| values.get(name).and_then(|text| text.parse::<u64>().ok());
                let product = factors.iter().filter_map(factor).fold(1, u64::saturating_mul);
                values.insert(name.clone(), product.div_ceil(*divisor).to_string());
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

fn templates(file: &mut Settings, key: &str) -> Result<Vec<LineTemplate>, InputError> {
    let lines = file.texts(key)?.unwrap_or_default();
    lines.iter().map(|(line, _)| LineTemplate::read(line)).collect()
}

fn move_template(file: &mut Settings, key: &str, names: &[String]) -> Result<LineTemplate, InputError> {
    let text = file.text(key)?;
    let (text, _) = text.ok_or_else(|| file.missing(key, "a move template, as in \"{row} {column}\""))?;
    let template = LineTemplate::read(&text)?;
    check_placeholders(file, key, &template, names)?;
    Ok(template)
}

fn check_placeholders(
    file: &Settings,
    key: &str,
    template: &LineTemplate,
    known: &[String],
) -> Result<(), InputError> {
    match template.placeholders().find(|name| !known.iter().any(|known| known == name)) {
        None => Ok(()),
        Some(name) => {
            let known = known.iter().map(String::as_str);
            Err(InputError::unknown(key, name, "a known placeholder", known).at(file.location_of(key)))
        }
    }
}

/// The entries of a section whose values are strings.
fn pairs(file: &mut Settings, key: &str) -> Result<Vec<(String, String)>, InputError> {
    let mut table = file.table(key)?;
    let mut pairs = Vec::new();
    for name in table.keys() {
        let text = table.text(&name)?.map(|(text, _)| text).unwrap_or_default();
        pairs.push((name, text));
    }
    table.finish()?;
    Ok(pairs)
}

fn defaults(file: &mut Settings) -> Result<Vec<(String, Vec<String>, u64)>, InputError> {
    let mut table = file.table("default")?;
    let mut defaults = Vec::new();
    for name in table.keys() {
        let mut default = table.table(&name)?;
        let factors =
            default.texts("product")?.unwrap_or_default().into_iter().map(|(name, _)| name).collect();
        let divisor = default.integer("divisor", 1, 1..=1000)?;
        default.finish()?;
        defaults.push((name, factors, divisor));
    }
    table.finish()?;
    Ok(defaults)
}

fn fields(file: &mut Settings) -> Result<BTreeMap<String, MoveField>, InputError> {
    let mut table = file.table("field")?;
    let mut fields = BTreeMap::new();
    for name in table.keys() {
        let mut field = table.table(&name)?;
        let words = pairs(&mut field, "words")?;
        let move_field = if words.is_empty() {
            let mut numeral = |key| {
                let word = field.choice(key, "number", &["number", "letters"])?;
                Ok(if word == "letters" { Numeral::Letters } else { Numeral::Number })
            };
            let (palestra, program) = (numeral("palestra")?, numeral("program")?);
            MoveField::Counted { palestra, program, base: field.integer("base", 1, 0..=1000)? }
        } else {
            let (palestra, program) = words.into_iter().unzip();
            MoveField::Words { palestra, program }
        };
        field.finish()?;
        fields.insert(name, move_field);
    }
    table.finish()?;
    Ok(fields)
}
