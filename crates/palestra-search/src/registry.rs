//! Searches by name, and their text form: `alphabeta:depth=6,ties=last`.

use crate::{
    Adaptive, AlphaBeta, BeamShape, Cuts, Greedy, IterativeDeepening, LeafPolicy, Mcts, MctsOptions, Minimax,
    Search, SearchLimit, WidthRule, has_clock,
};
use palestra_core::{Evaluator, Game, InputError, TieRule, format_weight, whole_number};
use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// Name, description and parameters of a search.
#[derive(Debug)]
pub struct SearchInfo {
    /// Its name in player strings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its parameters, sorted by key.
    pub parameters: &'static [ParameterInfo],
}

/// One parameter of a search.
#[derive(Debug)]
pub struct ParameterInfo {
    /// Its key in player strings.
    pub key: &'static str,
    /// What it does.
    pub about: &'static str,
    kind: ParameterKind,
    /// Whether it must be given.
    pub required: bool,
    /// The value when it is not given, where the default is a value of the parameter.
    pub default: Option<&'static str>,
}

#[derive(Debug)]
enum ParameterKind {
    Whole {
        max: u32,
    },
    /// A whole number of up to 64 bits.
    Long {
        max: u64,
    },
    /// A number above 0.
    Real {
        max: f64,
    },
    Word(&'static [&'static str]),
}

/// A depth that reaches the end of every game.
const TO_THE_END: u32 = 1000;

const DEPTH: ParameterInfo = ParameterInfo {
    key: "depth",
    about: "plies to look ahead, 1 to 1000 (default: to the end of the game)",
    kind: ParameterKind::Whole { max: TO_THE_END },
    required: false,
    default: Some("1000"),
};

const CUTS: ParameterInfo = ParameterInfo {
    key: "cuts",
    about: "which bounds cut off: deep (those of all ancestors, default) or shallow (those of the parent only)",
    kind: ParameterKind::Word(&["deep", "shallow"]),
    required: false,
    default: Some("deep"),
};

const TIES: ParameterInfo = ParameterInfo {
    key: "ties",
    about: "which of equally good moves is played: first or last (default: as in the evaluation's study)",
    kind: ParameterKind::Word(&["first", "last"]),
    required: false,
    default: None,
};

const DEEPEN: ParameterInfo = ParameterInfo {
    key: "deepen",
    about: "whether to search deeper where there are few moves: true or false (default)",
    kind: ParameterKind::Word(&["false", "true"]),
    required: false,
    default: Some("false"),
};

const HEIGHT: ParameterInfo = ParameterInfo {
    key: "height",
    about: "plies to look ahead, 1 to 1000 (default: 2(k-2)/x, rounded down)",
    kind: ParameterKind::Whole { max: TO_THE_END },
    required: false,
    default: None,
};

const K: ParameterInfo = ParameterInfo {
    key: "k",
    about: "cost of a move: the breadth of the board to the power 2k; 1 to 100",
    kind: ParameterKind::Whole { max: 100 },
    required: true,
    default: None,
};

const X: ParameterInfo = ParameterInfo {
    key: "x",
    about: "number of children searched: the breadth of the board to this power; up to 10",
    kind: ParameterKind::Real { max: 10.0 },
    required: true,
    default: None,
};

const MEMORY: ParameterInfo = ParameterInfo {
    key: "memory",
    about: "megabytes for the transposition table, 1 to 65536 (default 16)",
    kind: ParameterKind::Whole { max: 65_536 },
    required: false,
    default: Some("16"),
};

const TREE_MEMORY: ParameterInfo = ParameterInfo {
    key: "memory",
    about: "megabytes for the tree, 1 to 65536 (default 256); a full tree stops growing",
    kind: ParameterKind::Whole { max: 65_536 },
    required: false,
    default: Some("256"),
};

const C: ParameterInfo = ParameterInfo {
    key: "c",
    about: "exploration constant of UCT, above 0, up to 100 (default 1)",
    kind: ParameterKind::Real { max: 100.0 },
    required: false,
    default: Some("1"),
};

const LEAF: ParameterInfo = ParameterInfo {
    key: "leaf",
    about: "how leaves are valued: random (a random game, default), greedy (a greedy game) or value (the evaluation)",
    kind: ParameterKind::Word(&["random", "greedy", "value"]),
    required: false,
    default: Some("random"),
};

const PLAYOUTS: ParameterInfo = ParameterInfo {
    key: "playouts",
    about: "playouts per move (default 10000, if no time is given)",
    kind: ParameterKind::Long { max: 1_000_000_000 },
    required: false,
    default: None,
};

const WIDTH: ParameterInfo = ParameterInfo {
    key: "width",
    about: "number of children searched, 1 to 1000",
    kind: ParameterKind::Whole { max: 1000 },
    required: true,
    default: None,
};

const BEAM_DEPTH: ParameterInfo = ParameterInfo {
    key: "depth",
    about: "plies to look ahead, 1 to 1000",
    kind: ParameterKind::Whole { max: TO_THE_END },
    required: true,
    default: None,
};

const NODES: ParameterInfo = ParameterInfo {
    key: "nodes",
    about: "positions to search (default 1000000, if neither depth nor time is given)",
    kind: ParameterKind::Long { max: 1_000_000_000_000_000 },
    required: false,
    default: None,
};

const TIME: ParameterInfo = ParameterInfo {
    key: "time",
    about: "milliseconds per move; the only limit with which the move may differ from run to run",
    kind: ParameterKind::Whole { max: 86_400_000 },
    required: false,
    default: None,
};

const THREADS: ParameterInfo = ParameterInfo {
    key: "threads",
    about: "threads that search together, 1 to 64 (default 1); at a fixed depth they change neither value nor move",
    kind: ParameterKind::Whole { max: 64 },
    required: false,
    default: Some("1"),
};

/// Node limit of a search that has no other limit.
const DEFAULT_NODES: u64 = 1_000_000;

/// Playouts per move where neither playouts nor time are given.
const DEFAULT_PLAYOUTS: u64 = 10_000;

/// All searches.
pub const SEARCHES: &[SearchInfo] = &[
    SearchInfo {
        name: "greedy",
        about: "plays the move to the position with the best evaluation, one ply deep",
        parameters: &[TIES],
    },
    SearchInfo { name: "minimax", about: "plain minimax to a fixed depth", parameters: &[DEPTH, TIES] },
    SearchInfo {
        name: "alphabeta",
        about: "plain alpha-beta to a fixed depth, moves in the game's order; with time=, iterative deepening until time is up",
        parameters: &[CUTS, DEPTH, TIES, TIME],
    },
    SearchInfo {
        name: "pvs",
        about: "modern alpha-beta: iterative deepening, transposition table, move ordering; the value is minimax's",
        parameters: &[DEPTH, MEMORY, NODES, THREADS, TIES, TIME],
    },
    SearchInfo {
        name: "adaptive",
        about: "search of the Ladrillos study: the n^x best children by evaluation, 2(k-2)/x plies deep, n the board's breadth",
        parameters: &[DEEPEN, HEIGHT, K, X],
    },
    SearchInfo {
        name: "beam",
        about: "alpha-beta over a fixed number of children, the best by evaluation",
        parameters: &[BEAM_DEPTH, WIDTH],
    },
    SearchInfo {
        name: "mcts",
        about: "Monte-Carlo tree search (UCT); the tree is kept from move to move, values are from -1 to 1",
        parameters: &[C, LEAF, TREE_MEMORY, PLAYOUTS, TIME],
    },
];

/// Other names of searches, and those that are printed.
const ALIASES: [(&str, &str); 1] = [("ab", "pvs")];

/// The search of a name or an alias.
#[must_use]
pub fn search_named(name: &str) -> Option<&'static SearchInfo> {
    let name = ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name);
    SEARCHES.iter().find(|info| info.name == name)
}

/// A player string in the spelling that keys of stored results hash: `ab` for `pvs`, as version 0.0 printed it.
///
/// Keys must not change with a name: results of earlier versions would be lost.
///
/// ```
/// assert_eq!(palestra_search::key_spelling("pvs:depth=4/lines/1,2"), "ab:depth=4/lines/1,2");
/// assert_eq!(palestra_search::key_spelling("greedy/lines/1,2"), "greedy/lines/1,2");
/// ```
#[must_use]
pub fn key_spelling(player: &str) -> Cow<'_, str> {
    for (alias, name) in ALIASES {
        if let Some(rest) = player.strip_prefix(name)
            && (rest.is_empty() || rest.starts_with([':', '/']))
        {
            return format!("{alias}{rest}").into();
        }
    }
    player.into()
}

/// A search with its parameters; the text form is `name[:key=value,…]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchSpec {
    name: &'static str,
    /// In the order of the search's parameter list, without defaults.
    values: Vec<(&'static str, String)>,
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
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in rest.map(|rest| rest.split(',')).into_iter().flatten() {
            let error_key = || format!("parameters of \"{whole}\"");
            let Some((key, value)) = part.split_once('=') else {
                return Err(InputError::new(error_key(), part, "key=value"));
            };
            if !info.parameters.iter().any(|parameter| parameter.key == key) {
                let known = info.parameters.iter().map(|parameter| parameter.key);
                let kind = format!("a parameter of {name}");
                return Err(InputError::unknown(error_key(), key, &kind, known));
            }
            let option = || format!("{part} in \"{whole}\"");
            if key == TIME.key && !has_clock() {
                return Err(InputError::not_allowed(option(), "searches have no clock in this program"));
            }
            if given.iter().any(|(other, _)| *other == key) {
                return Err(InputError::not_allowed(option(), format!("{key} is given twice")));
            }
            given.push((key, value));
        }
        let mut values = Vec::new();
        for parameter in info.parameters {
            match given.iter().find(|(key, _)| *key == parameter.key) {
                Some((key, value)) => {
                    let error_key = || format!("{key} of \"{whole}\"");
                    let value = parameter.kind.canonical(value, error_key)?;
                    if parameter.default != Some(value.as_str()) {
                        values.push((parameter.key, value));
                    }
                }
                None if parameter.required => {
                    let expected = format!("{}=… ({})", parameter.key, parameter.about);
                    return Err(InputError::new(format!("{} of \"{whole}\"", parameter.key), "", expected));
                }
                None => {}
            }
        }
        Ok(SearchSpec { name: info.name, values })
    }

    /// Creates the search.
    pub fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        let ties = self.ties();
        let depth = self.value("depth").and_then(|depth| depth.parse().ok()).unwrap_or(TO_THE_END);
        match self.name {
            "greedy" => Box::new(Greedy::new(ties)),
            "minimax" => Box::new(Minimax::new(depth, ties)),
            "alphabeta" => {
                let time = self.whole("time").map(Duration::from_millis);
                Box::new(AlphaBeta::new(depth, self.cuts(), ties).within(time))
            }
            "pvs" => {
                let search = IterativeDeepening::new(self.limit(), self.memory_bytes(16), ties);
                Box::new(search.on_threads(self.whole("threads").unwrap_or(1) as usize))
            }
            "adaptive" => Box::new(Adaptive::new(self.adaptive_shape())),
            "beam" => Box::new(Adaptive::new(self.beam_shape())),
            "mcts" => Box::new(Mcts::new(self.mcts_options())),
            name => unreachable!("{name} is listed in SEARCHES but not opened"),
        }
    }

    /// Width and depth of an adaptive search.
    fn adaptive_shape(&self) -> BeamShape {
        let x = self.real("x").unwrap_or(1.0);
        let k = self.whole("k").unwrap_or(3) as u32;
        let width = WidthRule::Power { x, k, deepen: self.value("deepen") == Some("true") };
        BeamShape { width, height: self.whole("height").map(|height| height as u32) }
    }

    /// Width and depth of a beam search.
    fn beam_shape(&self) -> BeamShape {
        let width = self.whole("width").unwrap_or(1) as usize;
        BeamShape { width: WidthRule::Fixed(width), height: self.whole("depth").map(|depth| depth as u32) }
    }

    /// Options of a Monte-Carlo tree search.
    fn mcts_options(&self) -> MctsOptions {
        let leaf = match self.value("leaf") {
            Some("greedy") => LeafPolicy::Greedy,
            Some("value") => LeafPolicy::Value,
            _ => LeafPolicy::Random,
        };
        let (playouts, time) = (self.whole("playouts"), self.whole("time"));
        let nodes = if playouts.is_none() && time.is_none() { Some(DEFAULT_PLAYOUTS) } else { playouts };
        let limit = SearchLimit { depth: TO_THE_END, nodes, time: time.map(Duration::from_millis) };
        MctsOptions { limit, c: self.real("c").unwrap_or(1.0), leaf, tree_bytes: self.memory_bytes(256) }
    }

    fn whole(&self, key: &str) -> Option<u64> {
        self.value(key).and_then(|value| value.parse().ok())
    }

    fn real(&self, key: &str) -> Option<f64> {
        self.value(key).and_then(|value| value.parse().ok())
    }

    /// Limits per move.
    fn limit(&self) -> SearchLimit {
        let [depth, nodes, time] = ["depth", "nodes", "time"].map(|key| self.whole(key));
        let is_unlimited = depth.is_none() && nodes.is_none() && time.is_none();
        SearchLimit {
            depth: depth.map_or(TO_THE_END, |depth| depth as u32),
            nodes: if is_unlimited { Some(DEFAULT_NODES) } else { nodes },
            time: time.map(Duration::from_millis),
        }
    }

    /// The memory parameter in bytes; `default_megabytes` where it is not given.
    fn memory_bytes(&self, default_megabytes: u64) -> usize {
        (self.whole("memory").unwrap_or(default_megabytes) as usize) << 20
    }

    fn cuts(&self) -> Cuts {
        if self.value("cuts") == Some("shallow") { Cuts::Shallow } else { Cuts::Deep }
    }

    /// Whether it uses an evaluation.
    pub fn needs_evaluation(&self) -> bool {
        self.name != "mcts" || self.value("leaf").is_some()
    }

    /// Whether its move is a function of the position: independent of earlier searches and of the clock.
    pub fn is_function_of_position(&self) -> bool {
        let keeps_nothing = matches!(self.name, "greedy" | "minimax" | "alphabeta" | "adaptive" | "beam");
        keeps_nothing && self.value(TIME.key).is_none()
    }

    /// Its tie rule; `None` where it uses that of the evaluation.
    pub fn ties(&self) -> Option<TieRule> {
        self.value("ties").map(|word| if word == "last" { TieRule::Last } else { TieRule::First })
    }

    /// The search's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A parameter in canonical form; `None` where it is the default.
    fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(other, _)| *other == key).map(|(_, value)| value.as_str())
    }
}

impl ParameterKind {
    fn canonical(&self, text: &str, error_key: impl FnOnce() -> String) -> Result<String, InputError> {
        match self {
            ParameterKind::Whole { max } => {
                whole_number(text, 1..=*max, error_key).map(|number| number.to_string())
            }
            ParameterKind::Long { max } => match text.parse::<u64>() {
                Ok(number) if (1..=*max).contains(&number) => Ok(number.to_string()),
                _ => Err(InputError::new(error_key(), text, format!("a whole number from 1 to {max}"))),
            },
            ParameterKind::Real { max } => match text.parse::<f64>() {
                Ok(number) if number > 0.0 && number <= *max => Ok(format_weight(number)),
                _ => Err(InputError::new(error_key(), text, format!("a number above 0, up to {max}"))),
            },
            ParameterKind::Word(words) if words.contains(&text) => Ok(text.to_owned()),
            ParameterKind::Word(words) => {
                Err(InputError::unknown(error_key(), text, "one of the choices", words.iter().copied()))
            }
        }
    }
}

impl fmt::Display for SearchSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (i, (key, value)) in self.values.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}
