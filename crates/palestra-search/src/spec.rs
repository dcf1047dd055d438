//! Searches by name, and their text form: `alphabeta:depth=6,ties=last`.
//!
//! A search describes itself in its own file: [`SearchParameters`] has its name, typed parameters, text form and cost.
//! [`SearchSpec`] is one of them. The list of searches is in `lib.rs`.

use crate::{AlphaBetaSpec, GreedySpec, MctsSpec, PvsSpec, SEARCHES, Search, SearchSpec, has_clock};
use palestra_core::{Evaluator, Game, InputError, TieRule, format_weight, whole_number};
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::time::Duration;

/// Name, description and parameters of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchInfo {
    /// Its name in player strings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its parameters, sorted by key.
    pub parameters: &'static [ParameterInfo],
}

/// One parameter of a search.
#[derive(Clone, Copy, Debug)]
pub struct ParameterInfo {
    /// Its key in player strings.
    pub key: &'static str,
    /// What it does, with its range and default.
    pub about: &'static str,
    /// Whether it must be given.
    pub required: bool,
}

/// An optional parameter.
pub(crate) const fn optional(key: &'static str, about: &'static str) -> ParameterInfo {
    ParameterInfo { key, about, required: false }
}

/// A parameter that must be given.
pub(crate) const fn required(key: &'static str, about: &'static str) -> ParameterInfo {
    ParameterInfo { key, about, required: true }
}

/// A depth that reaches the end of every game.
pub(crate) const TO_THE_END: u32 = 1000;

/// Parameters that several searches share.
pub(crate) const DEPTH: ParameterInfo =
    optional("depth", "plies to look ahead, 1 to 1000 (default: to the end of the game)");
pub(crate) const TIES: ParameterInfo = optional(
    "ties",
    "which of equally good moves is played: first or last (default: as in the evaluation's study)",
);
pub(crate) const TIME: ParameterInfo =
    optional("time", "milliseconds per move; the only limit with which the move may differ from run to run");

/// The parameters of a search: what a player string says about it, checked and typed.
pub trait SearchParameters: Clone + PartialEq + fmt::Debug + Sized {
    /// Name, description and list of parameters.
    const INFO: SearchInfo;

    /// Takes the parameters from a player string; those that are not given have their defaults.
    fn read(given: &GivenParameters<'_>) -> Result<Self, InputError>;

    /// Writes the parameters that differ from their defaults, sorted by key.
    fn write(&self, out: &mut ParameterWriter);

    /// Creates the search.
    fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>>;

    /// Cost of a move at a position with `n_moves` legal moves.
    fn cost(&self, n_moves: f64) -> SearchCost;

    /// Whether its move is a function of the position: independent of earlier searches and of the clock.
    fn is_function_of_position(&self) -> bool;

    /// Whether it uses an evaluation.
    fn needs_evaluation(&self) -> bool {
        true
    }

    /// Its tie rule; `None` where it uses that of the evaluation.
    fn ties(&self) -> Option<TieRule> {
        None
    }

    /// The search with these limits, as far as it has such parameters.
    fn limited(&self, _limits: &MoveLimits) -> Self {
        self.clone()
    }
}

/// Limits on one move. Depth and nodes replace those of a search; time is an additional limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveLimits {
    /// Plies, from 1 to 1000.
    pub depth: Option<u32>,
    /// Positions, or playouts; at least 1.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub time: Option<Duration>,
}

/// An estimate of what a search needs for a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchCost {
    /// Positions that it evaluates; infinite where no parameter limits them.
    pub nodes: f64,
    /// Its time limit.
    pub time: Option<Duration>,
    /// Megabytes of memory that it may use, beyond some for the moves of a line.
    pub megabytes: u32,
    /// Number of threads.
    pub threads: u32,
}

impl SearchCost {
    /// A search on one thread without a table or a tree.
    pub(crate) fn plain(nodes: f64, time: Option<Duration>) -> SearchCost {
        SearchCost { nodes, time, megabytes: 0, threads: 1 }
    }

    /// Whether it stays within a number of positions or within a time.
    #[must_use]
    pub fn is_within(&self, nodes: f64, time: Duration) -> bool {
        self.nodes <= nodes || self.time.is_some_and(|limit| limit <= time)
    }
}

/// The `key=value` pairs of a search in a player string.
#[derive(Debug)]
pub struct GivenParameters<'a> {
    pub(crate) info: SearchInfo,
    /// The player string, for error messages.
    whole: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> GivenParameters<'a> {
    fn parse(info: SearchInfo, text: Option<&'a str>, whole: &'a str) -> Result<Self, InputError> {
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for part in text.map(|text| text.split(',')).into_iter().flatten() {
            let error_key = || format!("parameters of \"{whole}\"");
            let Some((key, value)) = part.split_once('=') else {
                return Err(InputError::new(error_key(), part, "key=value"));
            };
            if !info.parameters.iter().any(|parameter| parameter.key == key) {
                let known = info.parameters.iter().map(|parameter| parameter.key);
                let kind = format!("a parameter of {}", info.name);
                return Err(InputError::unknown(error_key(), key, &kind, known));
            }
            let option = || format!("{part} in \"{whole}\"");
            if key == TIME.key && !has_clock() {
                return Err(InputError::not_allowed(option(), "searches have no clock in this program"));
            }
            if pairs.iter().any(|(other, _)| *other == key) {
                return Err(InputError::not_allowed(option(), format!("{key} is given twice")));
            }
            pairs.push((key, value));
        }
        Ok(GivenParameters { info, whole, pairs })
    }

    fn text(&self, key: &str) -> Option<&'a str> {
        self.pairs.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    fn error(&self, key: &str, text: &str, expected: impl Into<String>) -> InputError {
        InputError::new(format!("{key} of \"{}\"", self.whole), text, expected)
    }

    /// A whole number from 1 to `max`.
    pub(crate) fn whole(&self, key: &str, max: u32) -> Result<Option<u32>, InputError> {
        let read = |text| whole_number(text, 1..=max, || format!("{key} of \"{}\"", self.whole));
        self.text(key).map(read).transpose()
    }

    /// A whole number from 1 to `max`, of up to 64 bits.
    pub(crate) fn long(&self, key: &str, max: u64) -> Result<Option<u64>, InputError> {
        let read = |text: &str| match text.parse::<u64>() {
            Ok(number) if (1..=max).contains(&number) => Ok(number),
            _ => Err(self.error(key, text, format!("a whole number from 1 to {max}"))),
        };
        self.text(key).map(read).transpose()
    }

    /// A number above 0, up to `max`.
    pub(crate) fn real(&self, key: &str, max: f64) -> Result<Option<f64>, InputError> {
        let read = |text: &str| match text.parse::<f64>() {
            Ok(number) if number > 0.0 && number <= max => Ok(number),
            _ => Err(self.error(key, text, format!("a number above 0, up to {max}"))),
        };
        self.text(key).map(read).transpose()
    }

    /// One of some words, by its value.
    pub(crate) fn word<T: Copy>(&self, key: &str, words: &[(&str, T)]) -> Result<Option<T>, InputError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => Ok(Some(*value)),
            None => {
                let known = words.iter().map(|(word, _)| *word);
                let error_key = format!("{key} of \"{}\"", self.whole);
                Err(InputError::unknown(error_key, text, "one of the choices", known))
            }
        }
    }

    /// `depth`, to the end of the game where it is not given.
    pub(crate) fn depth(&self) -> Result<u32, InputError> {
        Ok(self.whole(DEPTH.key, TO_THE_END)?.unwrap_or(TO_THE_END))
    }

    /// `ties`.
    pub(crate) fn ties(&self) -> Result<Option<TieRule>, InputError> {
        self.word(TIES.key, &[("first", TieRule::First), ("last", TieRule::Last)])
    }

    /// `time`.
    pub(crate) fn time(&self) -> Result<Option<Duration>, InputError> {
        let of_milliseconds =
            |bad: InputError| bad.map_expected(|range| format!("milliseconds, {range} (1000 is one second)"));
        let milliseconds = self.whole(TIME.key, 86_400_000).map_err(of_milliseconds)?;
        Ok(milliseconds.map(|ms| Duration::from_millis(u64::from(ms))))
    }

    /// The value of a parameter that must be given.
    pub(crate) fn required<T>(&self, key: &str, value: Option<T>) -> Result<T, InputError> {
        value.ok_or_else(|| {
            let about = self.info.parameters.iter().find(|parameter| parameter.key == key);
            let about = about.map_or("", |parameter| parameter.about);
            self.error(key, "", format!("{key}=… ({about})"))
        })
    }
}

/// Collects the parameters of a search as text.
#[derive(Debug, Default)]
pub struct ParameterWriter(String);

impl ParameterWriter {
    /// Adds a parameter.
    pub(crate) fn add(&mut self, key: &str, value: impl fmt::Display) {
        let separator = if self.0.is_empty() { ':' } else { ',' };
        // Writing to a string cannot fail.
        let _ = write!(self.0, "{separator}{key}={value}");
    }

    /// Adds a parameter that differs from its default.
    pub(crate) fn add_unless<T: PartialEq + fmt::Display>(&mut self, key: &str, value: T, default: T) {
        if value != default {
            self.add(key, value);
        }
    }

    /// Adds a parameter that was given.
    pub(crate) fn add_given(&mut self, key: &str, value: Option<impl fmt::Display>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    /// Adds a real number, as weights are written.
    pub(crate) fn add_real(&mut self, key: &str, value: f64) {
        self.add(key, format_weight(value));
    }

    /// Adds `ties`.
    pub(crate) fn add_ties(&mut self, ties: Option<TieRule>) {
        self.add_given(
            TIES.key,
            ties.map(|ties| match ties {
                TieRule::First => "first",
                TieRule::Last => "last",
            }),
        );
    }

    /// Adds `time`, in milliseconds.
    pub(crate) fn add_time(&mut self, time: Option<Duration>) {
        self.add_given(TIME.key, time.map(|time| time.as_millis()));
    }
}

/// Defines [`SearchSpec`] and [`SEARCHES`] from the list of searches.
macro_rules! searches {
    ($($(#[$doc:meta])* $kind:ident($spec:ty),)*) => {
        /// A search with its parameters; the text form is `name[:key=value,…]`.
        #[derive(Clone, PartialEq, Debug)]
        pub enum SearchSpec {
            $($(#[$doc])* $kind($spec),)*
        }

        /// All searches.
        pub const SEARCHES: &[$crate::SearchInfo] = &[$(<$spec>::INFO),*];

        impl SearchSpec {
            fn read(given: &$crate::GivenParameters<'_>) -> Result<SearchSpec, palestra_core::InputError> {
                $(if given.info.name == <$spec>::INFO.name {
                    return <$spec>::read(given).map(SearchSpec::$kind);
                })*
                unreachable!("{} is in the list of searches", given.info.name)
            }

            /// Name, description and list of parameters.
            #[must_use]
            pub fn info(&self) -> $crate::SearchInfo {
                match self {
                    $(SearchSpec::$kind(_) => <$spec>::INFO,)*
                }
            }

            /// Creates the search.
            pub fn open<G: palestra_core::Game, E: palestra_core::Evaluator<G>>(&self) -> Box<dyn $crate::Search<G, E>> {
                match self {
                    $(SearchSpec::$kind(spec) => spec.open(),)*
                }
            }

            /// Cost of a move at a position with `n_moves` legal moves.
            #[must_use]
            pub fn cost(&self, n_moves: usize) -> $crate::SearchCost {
                let n_moves = n_moves.max(2) as f64;
                match self {
                    $(SearchSpec::$kind(spec) => spec.cost(n_moves),)*
                }
            }

            /// Whether it uses an evaluation.
            #[must_use]
            pub fn needs_evaluation(&self) -> bool {
                match self {
                    $(SearchSpec::$kind(spec) => spec.needs_evaluation(),)*
                }
            }

            /// Whether its move is a function of the position: independent of earlier searches and of the clock.
            #[must_use]
            pub fn is_function_of_position(&self) -> bool {
                match self {
                    $(SearchSpec::$kind(spec) => spec.is_function_of_position(),)*
                }
            }

            /// Its tie rule; `None` where it uses that of the evaluation.
            #[must_use]
            pub fn ties(&self) -> Option<palestra_core::TieRule> {
                match self {
                    $(SearchSpec::$kind(spec) => spec.ties(),)*
                }
            }

            /// The search with these limits, as far as it has such parameters.
            #[must_use]
            pub fn limited(&self, limits: &$crate::MoveLimits) -> SearchSpec {
                match self {
                    $(SearchSpec::$kind(spec) => SearchSpec::$kind(spec.limited(limits)),)*
                }
            }

            fn write(&self, out: &mut $crate::ParameterWriter) {
                match self {
                    $(SearchSpec::$kind(spec) => spec.write(out),)*
                }
            }
        }
    };
}

pub(crate) use searches;

/// Other names of searches, and those that are printed.
const ALIASES: [(&str, &str); 1] = [("ab", "pvs")];

/// The search of a name or an alias.
#[must_use]
pub fn search_named(name: &str) -> Option<SearchInfo> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    SEARCHES.iter().find(|info| info.name == name).copied()
}

/// A player string in the spelling that keys of stored results hash: `ab` for `pvs`, as version 0.0 printed it, and
/// `alphabeta` for `alphabeta:root=full`, the only one with deep cuts in versions before `root`.
///
/// Keys must not change with a name, or results of earlier versions would be lost; and a player that searches in
/// another way must not find the results of its namesake.
///
/// ```
/// use palestra_search::key_spelling;
///
/// assert_eq!(key_spelling("pvs:depth=4/lines/1,2"), "ab:depth=4/lines/1,2");
/// assert_eq!(key_spelling("greedy/lines/1,2"), "greedy/lines/1,2");
/// assert_eq!(key_spelling("alphabeta:depth=4,root=full/lines/1,2"), "alphabeta:depth=4/lines/1,2");
/// assert_eq!(key_spelling("alphabeta:depth=4/lines/1,2"), "alphabeta:depth=4,root=narrowed/lines/1,2");
/// ```
#[must_use]
pub fn key_spelling(player: &str) -> Cow<'_, str> {
    let (search, rest) = player.split_at(player.find('/').unwrap_or(player.len()));
    let (name, parameters) = search.split_at(search.find(':').unwrap_or(search.len()));
    if let Some((alias, _)) = ALIASES.iter().find(|(_, printed)| *printed == name) {
        return format!("{alias}{parameters}{rest}").into();
    }
    if name == AlphaBetaSpec::INFO.name {
        return format!("{name}{}{rest}", key_parameters(parameters)).into();
    }
    player.into()
}

/// Parameters of `alphabeta`, as printed, in the spelling of keys.
fn key_parameters(printed: &str) -> String {
    let mut pairs: Vec<&str> =
        printed.trim_start_matches(':').split(',').filter(|pair| !pair.is_empty()).collect();
    // With shallow cuts the root has always been narrowed.
    if !pairs.contains(&"cuts=shallow") {
        match pairs.iter().position(|pair| *pair == "root=full") {
            Some(full) => drop(pairs.remove(full)),
            None => pairs.push("root=narrowed"),
        }
    }
    let colon = if pairs.is_empty() { "" } else { ":" };
    format!("{colon}{}", pairs.join(","))
}

impl SearchSpec {
    /// Reads the part of a player string before its evaluation. `whole` is the player string, for error messages.
    pub fn parse(text: &str, whole: &str) -> Result<SearchSpec, InputError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let info = search_named(name).ok_or_else(|| {
            let known = SEARCHES.iter().map(|info| info.name);
            InputError::unknown(format!("search of \"{whole}\""), name, "a known search", known)
        })?;
        SearchSpec::read(&GivenParameters::parse(info, rest, whole)?)
    }

    /// The greedy search with the evaluation's tie rule.
    #[must_use]
    pub fn greedy() -> SearchSpec {
        SearchSpec::Greedy(GreedySpec { ties: None })
    }

    /// Principal variation search of a number of positions.
    #[must_use]
    pub fn pvs_nodes(nodes: u64) -> SearchSpec {
        SearchSpec::Pvs(PvsSpec { nodes: Some(nodes), ..PvsSpec::default() })
    }

    /// Monte-Carlo tree search of a number of playouts.
    #[must_use]
    pub fn mcts_playouts(playouts: u64) -> SearchSpec {
        SearchSpec::Mcts(MctsSpec { playouts: Some(playouts), ..MctsSpec::default() })
    }

    /// Whether it looks one ply ahead.
    #[must_use]
    pub fn is_greedy(&self) -> bool {
        matches!(self, SearchSpec::Greedy(_))
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parameters = ParameterWriter::default();
        self.write(&mut parameters);
        write!(f, "{}{}", self.info().name, parameters.0)
    }
}
