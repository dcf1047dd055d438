//! Query parameters of the play page, and the URL of a game.

use crate::url::encoded_readably;
use palestra_core::{InputError, Side, nearest_name};

/// Limit on the bytes of a move list.
const MAX_MOVES_BYTES: usize = 40_000;
/// Limit on the bytes of every other value.
const MAX_VALUE_BYTES: usize = 4_000;
/// Limit on the characters of a person's name.
const MAX_NAME_CHARS: usize = 40;

/// A parsed query.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayQuery {
    /// The game; `None` shows all games to choose from.
    pub(super) game: Option<String>,
    /// Whether the person has the second side.
    pub(super) is_second: bool,
    /// The opponent's key; `None` is the default opponent.
    pub(super) opponent: Option<String>,
    /// Weights instead of the opponent's own.
    pub(super) weights: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) setup: Option<String>,
    pub(super) moves: String,
    /// The person's name.
    pub(super) name: Option<String>,
    /// Number of moves that the script shows already: animations begin after it.
    pub(super) from: Option<usize>,
    /// Whether the opponent does not answer yet, so that the person's move can be shown first.
    pub(super) stays: bool,
    pub(super) wants_hint: bool,
    /// Whether to compute the move that the opponent would play in the person's place.
    pub(super) wants_would: bool,
    /// Number of the saved game.
    pub(super) saved: Option<u64>,
    /// Whether to show the form of the game first.
    pub(super) chooses: bool,
    /// Whether the person resigns.
    pub(super) resigns: bool,
}

impl PlayQuery {
    /// Parses the pairs of a query or a form; unknown keys are ignored.
    pub(super) fn read(pairs: &[(String, String)]) -> Result<PlayQuery, InputError> {
        let mut query = PlayQuery::default();
        let mut level = None;
        let mut weights = Vec::new();
        for (key, value) in pairs {
            let limit = if key == "moves" { MAX_MOVES_BYTES } else { MAX_VALUE_BYTES };
            if value.len() > limit {
                return Err(InputError::new(key, value, format!("at most {limit} bytes")));
            }
            let text = || Some(value.trim().to_owned()).filter(|text| !text.is_empty());
            match key.as_str() {
                "game" => query.game = text(),
                "side" => query.is_second = read_side(value)? == Side::Second,
                "opponent" => query.opponent = text(),
                "level" => level = text(),
                "weights" => query.weights = text(),
                "weight" => weights.push(value.trim()),
                "seed" => query.seed = text().map(|text| whole("seed", &text)).transpose()?,
                "setup" => query.setup = text(),
                "moves" => query.moves = format!("{value} {}", query.moves).trim().to_owned(),
                "move" => query.moves = format!("{} {value}", query.moves).trim().to_owned(),
                "name" => query.name = text().map(|text| read_name(&text)).transpose()?,
                "from" => {
                    query.from = text().map(|text| whole("from", &text)).transpose()?.map(|ply| ply as usize);
                }
                "saved" => query.saved = text().map(|text| whole("saved", &text)).transpose()?,
                "stay" => query.stays = is_set(value),
                "hint" => query.wants_hint = is_set(value),
                "would" => query.wants_would = is_set(value),
                "choose" => query.chooses = is_set(value),
                "resign" => query.resigns = is_set(value),
                _ => {}
            }
        }
        if !weights.is_empty() {
            query.weights = Some(weights.join(","));
        }
        // The form has a slider for the level next to its list of names.
        if query.opponent.as_deref() == Some("level") {
            query.opponent = level.map(|level| format!("level-{level}"));
        }
        Ok(query)
    }

    pub(super) fn side(&self) -> Side {
        if self.is_second { Side::Second } else { Side::First }
    }
}

fn is_set(value: &str) -> bool {
    !matches!(value, "" | "0")
}

fn read_side(text: &str) -> Result<Side, InputError> {
    let names = Side::BOTH.map(|side| side.to_string());
    let side = Side::BOTH.into_iter().find(|side| side.to_string() == text);
    side.ok_or_else(|| {
        let nearest = nearest_name(text, names.iter().map(String::as_str));
        InputError::new("side", text, "first or second").with_nearest(nearest)
    })
}

fn whole(key: &str, text: &str) -> Result<u64, InputError> {
    text.parse().map_err(|_| InputError::new(key, text, "a whole number"))
}

fn read_name(text: &str) -> Result<String, InputError> {
    let is_valid = text.chars().count() <= MAX_NAME_CHARS && !text.chars().any(char::is_control);
    let expected = format!("a name of at most {MAX_NAME_CHARS} characters");
    if is_valid { Ok(text.to_owned()) } else { Err(InputError::new("name", text, expected)) }
}

/// The parameters of a game in canonical form, without its moves.
#[derive(Clone, Debug)]
pub(super) struct PlayUrl {
    pub(super) game: String,
    pub(super) side: Side,
    pub(super) opponent: String,
    pub(super) weights: Option<String>,
    pub(super) seed: u64,
    pub(super) setup: Option<String>,
    pub(super) name: Option<String>,
}

impl PlayUrl {
    /// The pairs of the query, without the moves.
    pub(super) fn pairs(&self) -> Vec<(&'static str, String)> {
        let always = [
            ("game", self.game.clone()),
            ("side", self.side.to_string()),
            ("opponent", self.opponent.clone()),
            ("seed", self.seed.to_string()),
        ];
        let maybe = [("weights", &self.weights), ("setup", &self.setup), ("name", &self.name)];
        let given = maybe.into_iter().filter_map(|(key, value)| Some((key, value.clone()?)));
        always.into_iter().chain(given).collect()
    }

    /// The URL of the game after these moves.
    pub(super) fn after(&self, moves: &[String]) -> String {
        let mut pairs = self.pairs();
        if !moves.is_empty() {
            pairs.push(("moves", moves.join(" ")));
        }
        address_of(pairs.iter().map(|(key, value)| (*key, value.as_str())))
    }
}

/// The URL of the play page with a query.
pub(super) fn address_of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let query: Vec<String> =
        pairs.map(|(key, value)| format!("{}={}", encoded_readably(key), encoded_readably(value))).collect();
    if query.is_empty() { "/play".to_owned() } else { format!("/play?{}", query.join("&")) }
}
