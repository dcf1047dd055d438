//! What a visitor wants, as the query of the address says it, and the way back to an address.

use palestra_core::{InputError, Side, nearest_name};

/// Longest list of moves, as text.
const MOST_MOVES_TEXT: usize = 40_000;
/// Longest of all other texts.
const MOST_TEXT: usize = 4_000;
/// Longest name of a person, in letters.
const MOST_NAME: usize = 40;

/// A query, read.
#[derive(Clone, Debug, Default)]
pub(super) struct PlayQuery {
    /// The game; none asks what there is to choose.
    pub(super) game: Option<String>,
    /// The side of the person: the second one, unless it is the first.
    pub(super) is_second: bool,
    /// The opponent's key; the usual one, if nothing is said.
    pub(super) opponent: Option<String>,
    /// Weights instead of the opponent's own.
    pub(super) weights: Option<String>,
    pub(super) seed: Option<u64>,
    pub(super) setup: Option<String>,
    pub(super) moves: String,
    /// What the person is called.
    pub(super) name: Option<String>,
    /// The plies that a script shows already.
    pub(super) from: Option<usize>,
    /// Whether the opponent waits, so that the person's move can be shown first.
    pub(super) stays: bool,
    pub(super) wants_hint: bool,
    /// Whether to say what the opponent would play here.
    pub(super) wants_would: bool,
    /// The number under which the game was saved.
    pub(super) saved: Option<u64>,
    /// Whether to choose before playing.
    pub(super) chooses: bool,
    /// Whether the person gives up.
    pub(super) resigns: bool,
}

impl PlayQuery {
    /// Reads the pairs of a query or a form; what is not known is left alone.
    pub(super) fn read(pairs: &[(String, String)]) -> Result<PlayQuery, InputError> {
        let mut wish = PlayQuery::default();
        let mut level = None;
        let mut weights = Vec::new();
        for (key, value) in pairs {
            let most = if key == "moves" { MOST_MOVES_TEXT } else { MOST_TEXT };
            if value.len() > most {
                return Err(InputError::new(key, value, format!("short enough: at most {most} letters")));
            }
            let text = || Some(value.trim().to_owned()).filter(|text| !text.is_empty());
            match key.as_str() {
                "game" => wish.game = text(),
                "side" => wish.is_second = read_side(value)? == Side::Second,
                "opponent" => wish.opponent = text(),
                "level" => level = text(),
                "weights" => wish.weights = text(),
                "weight" => weights.push(value.trim()),
                "seed" => wish.seed = text().map(|text| whole("seed", &text)).transpose()?,
                "setup" => wish.setup = text(),
                "moves" => wish.moves = format!("{value} {}", wish.moves).trim().to_owned(),
                "move" => wish.moves = format!("{} {value}", wish.moves).trim().to_owned(),
                "name" => wish.name = text().map(|text| read_name(&text)).transpose()?,
                "from" => {
                    wish.from = text().map(|text| whole("from", &text)).transpose()?.map(|ply| ply as usize);
                }
                "saved" => wish.saved = text().map(|text| whole("saved", &text)).transpose()?,
                "stay" => wish.stays = is_set(value),
                "hint" => wish.wants_hint = is_set(value),
                "would" => wish.wants_would = is_set(value),
                "choose" => wish.chooses = is_set(value),
                "resign" => wish.resigns = is_set(value),
                _ => {}
            }
        }
        if !weights.is_empty() {
            wish.weights = Some(weights.join(","));
        }
        // The form has a slider beside its list of names.
        if wish.opponent.as_deref() == Some("level") {
            wish.opponent = level.map(|level| format!("level-{level}"));
        }
        Ok(wish)
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
    let found = Side::BOTH.into_iter().find(|side| side.to_string() == text);
    found.ok_or_else(|| {
        let nearest = nearest_name(text, names.iter().map(String::as_str)).map(str::to_owned);
        InputError { nearest, ..InputError::new("side", text, "first or second") }
    })
}

fn whole(place: &str, text: &str) -> Result<u64, InputError> {
    text.parse().map_err(|_| InputError::new(place, text, "a whole number"))
}

fn read_name(text: &str) -> Result<String, InputError> {
    let is_fit = text.chars().count() <= MOST_NAME && !text.chars().any(char::is_control);
    let expected = format!("a name of at most {MOST_NAME} letters");
    if is_fit { Ok(text.to_owned()) } else { Err(InputError::new("name", text, expected)) }
}

/// Everything that makes a game what it is, canonically.
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
    /// The pairs of the query, all but the moves.
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

    /// Where the game stands after these moves.
    pub(super) fn after(&self, moves: &[String]) -> String {
        let mut pairs = self.pairs();
        if !moves.is_empty() {
            pairs.push(("moves", moves.join(" ")));
        }
        address_of(pairs.iter().map(|(key, value)| (*key, value.as_str())))
    }
}

/// The address of the page with this query.
pub(super) fn address_of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let query: Vec<String> = pairs.map(|(key, value)| format!("{}={}", encode(key), encode(value))).collect();
    if query.is_empty() { "/play".to_owned() } else { format!("/play?{}", query.join("&")) }
}

/// A text as it stands in a query.
pub(super) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' ' => encoded.push('+'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => encoded.push(char::from(byte)),
            b'-' | b'_' | b'.' | b':' | b',' | b'@' | b'*' | b'/' => encoded.push(char::from(byte)),
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}
