//! The rules of a line protocol, read from a file.

mod check;

use super::fields::MoveField;
use super::sections::{EndingLines, ParameterDefault, ParameterLimit, ProcessStart, ProcessUse};
use super::state::{HistoryForm, StateForm, clock_values};
use super::template::{LineTemplate, PlaceholderKind, PlaceholderValues};
use crate::process::ExitRequest;
use palestra_arena::{MoveRequest, ObservedMove, TimeControl};
use palestra_core::{InputError, Side};
use palestra_settings::{Document, KeyRename, Parsed, one_or_many, pairs, parsed};
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
const REQUIRED: [(&str, &str); 3] =
    [("game", "the games of the protocol, as in \"ladrillos:{n}\""), ("move", MOVE), ("move_out", MOVE)];

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
    /// The largest values of parameters.
    #[serde(default, rename = "limit", deserialize_with = "pairs")]
    limits: Vec<(String, ParameterLimit)>,
    /// The names of the two sides.
    #[serde(default, deserialize_with = "one_or_many")]
    colors: Vec<String>,
    /// Lines when the process has started.
    #[serde(default, deserialize_with = "templates")]
    pub(super) handshake: Vec<LineTemplate>,
    #[serde(default, deserialize_with = "templates")]
    pub(crate) start: Vec<LineTemplate>,
    #[serde(default, deserialize_with = "templates")]
    start_first: Vec<LineTemplate>,
    #[serde(default, deserialize_with = "templates")]
    start_second: Vec<LineTemplate>,
    /// A move in Palestra's notation.
    #[serde(rename = "move", deserialize_with = "parsed")]
    token: LineTemplate,
    /// Lines at each turn of the program, after the moves.
    #[serde(default, deserialize_with = "templates")]
    pub(super) turn: Vec<LineTemplate>,
    /// Lines of the judge and the program's answers to them; `*` is any answer.
    #[serde(default, deserialize_with = "pairs")]
    replies: Vec<(String, String)>,
    /// First words of lines of the program that say nothing to the judge.
    #[serde(default, rename = "ignore", deserialize_with = "one_or_many")]
    ignored: Vec<String>,
    /// Answers that are illegal moves, and why.
    #[serde(default, rename = "illegal", deserialize_with = "pairs")]
    illegal: Vec<(String, String)>,
    /// The side to move after a move, as three words: the program, the opponent, neither (the game is over).
    #[serde(default, deserialize_with = "one_or_many")]
    next: Vec<String>,
    history: Option<HistoryForm>,
    state: Option<StateForm>,
    /// How a move is sent to the program; `None` where the lines of a turn say it all.
    #[serde(default, deserialize_with = "some_template")]
    move_in: Option<LineTemplate>,
    /// Whether the program's own moves are sent back to it.
    #[serde(default)]
    tells_own_moves: bool,
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
    /// How the end of all games is shown to the program.
    #[serde(default)]
    pub(crate) exit: ExitRequest,
    #[serde(default, deserialize_with = "some_clock")]
    pub(crate) clock: Option<TimeControl>,
}

fn templates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<LineTemplate>, D::Error> {
    let templates: Vec<Parsed<LineTemplate>> = one_or_many(deserializer)?;
    Ok(templates.into_iter().map(|template| template.0).collect())
}

fn some_template<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<LineTemplate>, D::Error> {
    parsed(deserializer).map(Some)
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

    /// Whether a turn contains the whole game, so that a game may begin with an opening.
    pub(super) fn tells_all(&self) -> bool {
        self.tells(&["history", "state"])
    }

    /// Whether a turn has the position and no moves.
    pub(super) fn tells_only_state(&self) -> bool {
        self.tells(&["state"]) && !self.tells(&["history"]) && self.move_in.is_none()
    }

    fn tells(&self, names: &[&str]) -> bool {
        self.turn.iter().flat_map(LineTemplate::placeholders).any(|name| names.contains(&name))
    }

    /// Whether a judge sends moves one by one and nothing else, so that a built-in player can answer it.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let has_more = self.tells_own_moves || !self.next.is_empty() || !self.endings.always.is_empty();
        self.handshake.is_empty() && self.turn.is_empty() && !has_more && self.state.is_none()
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
        for (name, limit) in &self.limits {
            if let Some(value) =
                values.get(name).filter(|value| value.parse().is_ok_and(|n: u64| n > limit.0))
            {
                let expected = format!("at most {} for the protocol {}", limit.0, self.name);
                return Err(InputError::new(format!("{name} of {game}"), value, expected));
            }
        }
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

    /// Whether the moves of the program or of its opponent are sent one by one.
    pub(super) fn sends_moves(&self, is_own: bool) -> bool {
        self.move_in.is_some() && (self.tells_own_moves || !is_own)
    }

    /// The line that sends a move to the program of a side; `None` where the protocol cannot express the move.
    pub(crate) fn line_in(&self, mv: &ObservedMove<'_>, side: Side) -> Option<String> {
        let template = self.move_in.as_ref()?;
        if let Some(word) = self.word_of(mv.text) {
            return Some(word);
        }
        let mut values = translate(mv.text, &self.token, &self.fields)?;
        if let Some(state) = &self.state {
            values.insert("state".to_owned(), state.write(mv.position, side));
        }
        let index = match mv.to_move {
            Some(next) if next == side => 0,
            Some(_) => 1,
            None => 2,
        };
        values.extend(self.next.get(index).map(|word| ("next".to_owned(), word.clone())));
        Some(template.fill(&values))
    }

    /// The lines of a turn with the answers that are expected, for a game with these values; `None` where the protocol
    /// cannot express a move.
    pub(super) fn lines_of_turn(
        &self,
        turn: &MoveRequest<'_>,
        mut values: PlaceholderValues,
    ) -> Option<Vec<OutgoingLine>> {
        values.extend(clock_values(turn));
        if let Some(history) = &self.history {
            values.insert("history".to_owned(), history.write(turn.moves, &self.token, &self.fields)?);
        }
        if let Some(state) = &self.state {
            values.insert("state".to_owned(), state.write(turn.position, turn.side));
        }
        Some(self.turn.iter().map(|line| self.outgoing(line, &values)).collect())
    }

    /// A line with the answer that is expected.
    pub(super) fn outgoing(&self, line: &LineTemplate, values: &PlaceholderValues) -> OutgoingLine {
        let name = line.to_string();
        let reply = self.replies.iter().find(|(line, _)| *line == name).map(|(_, reply)| reply.clone());
        OutgoingLine { text: line.fill(values).trim_end().to_owned(), reply }
    }

    /// The fixed answer to a line that was sent, where it has one.
    pub(super) fn reply_to(&self, sent: &str) -> Option<&str> {
        let is_sent = |line: &LineTemplate| line.find(sent, |_| PlaceholderKind::Word).is_some();
        let line = self.lines().find(|line| is_sent(line))?.to_string();
        self.replies.iter().find(|(name, _)| *name == line).map(|(_, reply)| reply.as_str())
    }

    /// Whether a line of a program is a fixed answer.
    pub(super) fn is_fixed_reply(&self, line: &str) -> bool {
        self.replies.iter().any(|(_, reply)| reply == line.trim())
    }

    /// Whether a line of a program says nothing to the judge.
    pub(super) fn ignores(&self, line: &str) -> bool {
        let word = line.split_whitespace().next();
        word.is_none_or(|word| self.ignored.iter().any(|ignored| ignored == word))
    }

    /// Why an answer is an illegal move, where the file says so.
    pub(super) fn reason_against(&self, line: &str) -> Option<&str> {
        self.illegal.iter().find(|(answer, _)| answer == line.trim()).map(|(_, reason)| reason.as_str())
    }

    /// The line with which a program answers a move.
    pub(crate) fn line_out(&self, token: &str) -> Option<String> {
        let filled = || Some(self.move_out.fill(&translate(token, &self.token, &self.fields)?));
        self.word_of(token).or_else(filled)
    }

    /// The program's word for a move without fields.
    fn word_of(&self, token: &str) -> Option<String> {
        self.literals.iter().find(|(own, _)| own == token).map(|(_, word)| word.clone())
    }

    /// Parses an answer of a program.
    pub(crate) fn parse_move_out(&self, line: &str) -> ParsedLine {
        self.parse_move(line, &self.move_out)
    }

    /// Parses a judge's line with a move.
    pub(crate) fn parse_move_in(&self, line: &str) -> ParsedLine {
        self.move_in.as_ref().map_or(ParsedLine::NotAMove, |template| self.parse_move(line, template))
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
        self.move_in.as_ref().map_or(1, LineTemplate::n_words)
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

/// The values of a move's fields in the program's notation; `None` where it is not a move of the protocol.
pub(super) fn translate(
    mv: &str,
    token: &LineTemplate,
    fields: &BTreeMap<String, MoveField>,
) -> Option<PlaceholderValues> {
    let kind = |name: &str| fields.get(name).map_or(PlaceholderKind::Word, MoveField::palestra_kind);
    let to_program = |(name, text): (String, String)| {
        let written = fields.get(&name)?.to_program(&text)?;
        Some((name, written))
    };
    token.find(mv, kind)?.into_iter().map(to_program).collect()
}

/// A line of the judge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OutgoingLine {
    pub(super) text: String,
    /// The answer that the program must give; `*` is any.
    pub(super) reply: Option<String>,
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
