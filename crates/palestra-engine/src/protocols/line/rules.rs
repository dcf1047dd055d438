//! What a line protocol is, read from a file.

use super::fields::{MoveField, Numeral};
use super::template::{LineTemplate, PlaceholderKind, PlaceholderValues};
use crate::clock::TimeControl;
use palestra_core::{InputError, Side};
use palestra_settings::Settings;
use std::collections::BTreeMap;

/// A protocol of lines, as its file says. `docs/protocols.md` tells how the file is written.
#[derive(Clone, PartialEq, Debug)]
pub struct LineRules {
    pub(crate) name: String,
    /// The games it is for; the first kind that fits tells the parameters.
    games: Vec<LineTemplate>,
    /// Parameters that a game string may leave out: a product of others, divided and rounded up.
    defaults: Vec<(String, Vec<String>, u64)>,
    /// What the two sides are called.
    colors: [String; 2],
    pub(crate) start: Vec<LineTemplate>,
    /// Lines that only one side gets when the game begins.
    pub(crate) start_of: [Vec<LineTemplate>; 2],
    /// How Palestra writes a move.
    token: LineTemplate,
    move_in: LineTemplate,
    move_out: LineTemplate,
    fields: BTreeMap<String, MoveField>,
    /// Moves that are words of their own: Palestra's and the program's.
    literals: Vec<(String, String)>,
    /// What the program is told at the end of a game that it won, lost or drew.
    pub(crate) endings: EndingLines,
    pub(crate) tells_last_move: bool,
    pub(crate) goodbye: Option<String>,
    pub(crate) farewell: Option<String>,
    pub(crate) reuses_process: bool,
    pub(crate) starts_late: bool,
    pub(crate) clock: Option<TimeControl>,
}

/// What is said at the end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct EndingLines {
    pub(crate) won: Vec<String>,
    pub(crate) lost: Vec<String>,
    pub(crate) drawn: Vec<String>,
}

impl LineRules {
    /// Reads the text of a file; `name` is what a person calls it.
    pub fn read(text: &str, name: &str) -> Result<LineRules, InputError> {
        let file_name = name;
        let mut file = Settings::parse(text, name)?;
        let _ = file.text("about")?;
        let games = templates(&mut file, "game")?;
        if games.is_empty() {
            return Err(file.missing("game", "the games it is for: game = \"ladrillos:{n}\""));
        }
        let defaults = defaults(&mut file)?;
        let parameters = games.iter().flat_map(LineTemplate::placeholders);
        let words = defaults.iter().map(|(name, _, _)| name.as_str()).chain(["own", "other", "side"]);
        let known: Vec<String> = parameters.chain(words).map(str::to_owned).collect();
        let colors = match file.texts("colors")?.unwrap_or_default().as_slice() {
            [] => ["0".to_owned(), "1".to_owned()],
            [(first, _), (second, _)] => [first.clone(), second.clone()],
            _ => return Err(file.missing("colors", "two words: colors = [\"azul\", \"rojo\"]")),
        };
        let start = templates(&mut file, "start")?;
        let start_of = [templates(&mut file, "start-first")?, templates(&mut file, "start-second")?];
        for template in start.iter().chain(start_of.iter().flatten()) {
            check_places(&file, "start", template, &known)?;
        }
        let fields = fields(&mut file)?;
        let names: Vec<String> = fields.keys().cloned().collect();
        let token = move_template(&mut file, "move", &names)?;
        let move_in = move_template(&mut file, "move-in", &names)?;
        let move_out = move_template(&mut file, "move-out", &names)?;
        for template in [&move_in, &move_out] {
            if let Some(name) =
                token.placeholders().find(|name| !template.placeholders().any(|other| other == *name))
            {
                let expected = "a place of move, move-in and move-out alike";
                return Err(InputError::new(format!("moves of {file_name}"), name, expected));
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
                    .map_err(|bad: InputError| file.invalid_value("clock", place, &text, bad.expected))?,
            ),
            None => None,
        };
        let rules = LineRules {
            name: name.to_owned(),
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
            tells_last_move: file.flag("tells-last-move", false)?,
            goodbye: file.text("goodbye")?.map(|(line, _)| line),
            farewell: file.text("farewell")?.map(|(line, _)| line),
            reuses_process: file.choice("process", "game", &["game", "many-games"])? == "many-games",
            starts_late: file.choice("starts", "game", &["game", "first-turn"])? == "first-turn",
            clock,
        };
        file.finish()?;
        Ok(rules)
    }

    /// What the program is told of a game, for its side; the complaint is about a game that it is not for.
    pub(crate) fn values(&self, game: &str, side: Side) -> Result<PlaceholderValues, InputError> {
        let found = self.games.iter().find_map(|template| template.find(game, |_| PlaceholderKind::Number));
        let mut values = found.ok_or_else(|| {
            let kinds: Vec<String> = self.games.iter().map(|template| template.to_string()).collect();
            let expected = format!("a game of the protocol {} ({})", self.name, kinds.join(", "));
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

    /// The line that tells of a move of Palestra's notation.
    pub(crate) fn line_in(&self, token: &str) -> Option<String> {
        self.written(token, &self.move_in)
    }

    /// The line that a player answers with.
    pub(crate) fn line_out(&self, token: &str) -> Option<String> {
        self.written(token, &self.move_out)
    }

    fn written(&self, token: &str, template: &LineTemplate) -> Option<String> {
        if let Some((_, theirs)) = self.literals.iter().find(|(ours, _)| ours == token) {
            return Some(theirs.clone());
        }
        let class = |name: &str| self.fields.get(name).map_or(PlaceholderKind::Word, MoveField::our_class);
        let found = self.token.find(token, class)?;
        let theirs =
            |(name, text): (String, String)| Some((name.clone(), self.fields.get(&name)?.to_theirs(&text)?));
        Some(template.fill(&found.into_iter().map(theirs).collect::<Option<PlaceholderValues>>()?))
    }

    /// The move of a line that a program said.
    pub(crate) fn move_said(&self, line: &str) -> ParsedLine {
        self.read_move(line, &self.move_out)
    }

    /// The move of a line that a judge said.
    pub(crate) fn move_told(&self, line: &str) -> ParsedLine {
        self.read_move(line, &self.move_in)
    }

    fn read_move(&self, line: &str, template: &LineTemplate) -> ParsedLine {
        if let Some((ours, _)) = self.literals.iter().find(|(_, theirs)| theirs == line.trim()) {
            return ParsedLine::Move(ours.clone());
        }
        let class = |name: &str| self.fields.get(name).map_or(PlaceholderKind::Word, MoveField::their_class);
        let Some(found) = template.find(line, class) else { return ParsedLine::NotAMove };
        let ours =
            |(name, text): (String, String)| Some((name.clone(), self.fields.get(&name)?.to_ours(&text)?));
        match found.into_iter().map(ours).collect::<Option<PlaceholderValues>>() {
            Some(values) => ParsedLine::Move(self.token.fill(&values)),
            None => ParsedLine::OffBoard,
        }
    }

    /// How many words tell of a move.
    pub(crate) fn n_words_in(&self) -> usize {
        self.move_in.n_words()
    }

    /// The game and the side out of the words of a beginning; `None` if they are none. Where no line tells the sides apart,
    /// the own color does.
    pub(crate) fn game_of(&self, words: &PlaceholderValues) -> (Option<String>, Option<Side>) {
        let has_all = |template: &&LineTemplate| template.placeholders().all(|name| words.contains_key(name));
        let game = self.games.iter().find(has_all).map(|template| template.fill(words));
        let own = words.get("own").or_else(|| words.get("side"));
        let side = own.and_then(|own| {
            let index = self.colors.iter().position(|color| color == own);
            index.map(|index| Side::BOTH[index])
        });
        (game, side)
    }
}

/// What a line turned out to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum ParsedLine {
    /// A move, in Palestra's notation.
    Move(String),
    /// A move that no board has, such as row 0.
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
    let (text, _) = text.ok_or_else(|| file.missing(key, "how a move is written: \"{row} {column}\""))?;
    let template = LineTemplate::read(&text)?;
    check_places(file, key, &template, names)?;
    Ok(template)
}

fn check_places(
    file: &Settings,
    key: &str,
    template: &LineTemplate,
    known: &[String],
) -> Result<(), InputError> {
    match template.placeholders().find(|name| !known.iter().any(|known| known == name)) {
        None => Ok(()),
        Some(name) => {
            let known = known.iter().map(String::as_str);
            Err(InputError::unknown(
                format!("{key} at {}", file.location_of(key)),
                name,
                "a name known here",
                known,
            ))
        }
    }
}

/// The entries of a section whose values are texts.
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
        let made = if words.is_empty() {
            let mut numeral = |key| {
                let word = field.choice(key, "number", &["number", "letters"])?;
                Ok(if word == "letters" { Numeral::Letters } else { Numeral::Number })
            };
            let (ours, theirs) = (numeral("palestra")?, numeral("program")?);
            MoveField::Counted { ours, theirs, base: field.integer("base", 1, 0..=1000)? }
        } else {
            let (ours, theirs) = words.into_iter().unzip();
            MoveField::Words { ours, theirs }
        };
        field.finish()?;
        fields.insert(name, made);
    }
    table.finish()?;
    Ok(fields)
}
