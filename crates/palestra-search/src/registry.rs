//! The searches by name, and how they are written: `alphabeta:depth=6,ties=last`.

use crate::{
    Adaptive, AlphaBeta, BeamShape, Cuts, Greedy, IterativeDeepening, LeafPolicy, Mcts, MctsOptions, Minimax,
    Search, SearchLimit, WidthRule, has_clock,
};
use palestra_core::{Evaluator, Game, InputError, TieRule, format_weight, whole_number};
use std::fmt;
use std::time::Duration;

/// A search as a person sees it.
#[derive(Debug)]
pub struct SearchInfo {
    /// Its name in player strings.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// Its parameters, by key in alphabetical order.
    pub parameters: &'static [ParameterInfo],
}

/// One parameter of a search.
#[derive(Debug)]
pub struct ParameterInfo {
    /// Its key.
    pub key: &'static str,
    /// What it does.
    pub about: &'static str,
    kind: ParameterKind,
    /// Whether it must be given.
    pub required: bool,
    /// What it is when it is not given, where that is one of its values.
    pub default: Option<&'static str>,
}

#[derive(Debug)]
enum ParameterKind {
    Whole {
        most: u32,
    },
    /// A whole number that may be large.
    Long {
        most: u64,
    },
    /// A number above 0 up to this.
    Real {
        most: f64,
    },
    Word(&'static [&'static str]),
}

/// Deeper than any game there is.
const TO_THE_END: u32 = 1000;

const DEPTH: ParameterInfo = ParameterInfo {
    key: "depth",
    about: "plies to look ahead, 1 to 1000 (default: to the end of the game)",
    kind: ParameterKind::Whole { most: TO_THE_END },
    required: false,
    default: Some("1000"),
};

const CUTS: ParameterInfo = ParameterInfo {
    key: "cuts",
    about: "which bounds cut: deep (default) or shallow, from the position right above only",
    kind: ParameterKind::Word(&["deep", "shallow"]),
    required: false,
    default: Some("deep"),
};

const TIES: ParameterInfo = ParameterInfo {
    key: "ties",
    about: "which of equals is played: first or last (default: as the evaluation's study did)",
    kind: ParameterKind::Word(&["first", "last"]),
    required: false,
    default: None,
};

const DEEPEN: ParameterInfo = ParameterInfo {
    key: "deepen",
    about: "whether to look deeper where few moves are left: true or false (default)",
    kind: ParameterKind::Word(&["false", "true"]),
    required: false,
    default: Some("false"),
};

const HEIGHT: ParameterInfo = ParameterInfo {
    key: "height",
    about: "plies to look ahead, 1 to 1000 (default: 2(k-2)/x, cut to a whole number)",
    kind: ParameterKind::Whole { most: TO_THE_END },
    required: false,
    default: None,
};

const K: ParameterInfo = ParameterInfo {
    key: "k",
    about: "what a move may cost: the breadth of the board to the power 2k; 1 to 100",
    kind: ParameterKind::Whole { most: 100 },
    required: true,
    default: None,
};

const X: ParameterInfo = ParameterInfo {
    key: "x",
    about: "how many children are looked at: the breadth of the board to this power; up to 10",
    kind: ParameterKind::Real { most: 10.0 },
    required: true,
    default: None,
};

const MEMORY: ParameterInfo = ParameterInfo {
    key: "memory",
    about: "megabytes for the table of positions, 1 to 65536 (default 16)",
    kind: ParameterKind::Whole { most: 65_536 },
    required: false,
    default: Some("16"),
};

const TREE_MEMORY: ParameterInfo = ParameterInfo {
    key: "memory",
    about: "megabytes for the tree, 1 to 65536 (default 256); when it is full it stops growing",
    kind: ParameterKind::Whole { most: 65_536 },
    required: false,
    default: Some("256"),
};

const C: ParameterInfo = ParameterInfo {
    key: "c",
    about: "how much uncertainty counts beside success, up to 100 (default 1)",
    kind: ParameterKind::Real { most: 100.0 },
    required: false,
    default: Some("1"),
};

const LEAF: ParameterInfo = ParameterInfo {
    key: "leaf",
    about: "how positions are judged: random (a random game, default), greedy (a greedy one) or value (evaluated)",
    kind: ParameterKind::Word(&["random", "greedy", "value"]),
    required: false,
    default: Some("random"),
};

const PLAYOUTS: ParameterInfo = ParameterInfo {
    key: "playouts",
    about: "playouts a move (default 10000, if no time is given)",
    kind: ParameterKind::Long { most: 1_000_000_000 },
    required: false,
    default: None,
};

const WIDTH: ParameterInfo = ParameterInfo {
    key: "width",
    about: "how many children are looked at, 1 to 1000",
    kind: ParameterKind::Whole { most: 1000 },
    required: true,
    default: None,
};

const BEAM_DEPTH: ParameterInfo = ParameterInfo {
    key: "depth",
    about: "plies to look ahead, 1 to 1000",
    kind: ParameterKind::Whole { most: TO_THE_END },
    required: true,
    default: None,
};

const NODES: ParameterInfo = ParameterInfo {
    key: "nodes",
    about: "positions to look at (default 1000000, if neither depth nor time is given)",
    kind: ParameterKind::Long { most: 1_000_000_000_000_000 },
    required: false,
    default: None,
};

const TIME: ParameterInfo = ParameterInfo {
    key: "time",
    about: "milliseconds to take; the one limit that does not always give the same move",
    kind: ParameterKind::Whole { most: 86_400_000 },
    required: false,
    default: None,
};

const THREADS: ParameterInfo = ParameterInfo {
    key: "threads",
    about: "threads that search together, 1 to 64 (default 1); at a fixed depth they change neither value nor move",
    kind: ParameterKind::Whole { most: 64 },
    required: false,
    default: Some("1"),
};

/// Positions a search looks at where it has no limit at all.
const USUAL_NODES: u64 = 1_000_000;

/// Playouts a move where neither they nor time are limited.
const USUAL_PLAYOUTS: u64 = 10_000;

/// Every search there is.
pub const SEARCHES: &[SearchInfo] = &[
    SearchInfo {
        name: "greedy",
        about: "plays the move whose position evaluates best, one ply, no look ahead",
        parameters: &[TIES],
    },
    SearchInfo { name: "minimax", about: "plain minimax to a fixed depth", parameters: &[DEPTH, TIES] },
    SearchInfo {
        name: "alphabeta",
        about: "plain alpha-beta to a fixed depth, moves in the game's order; with time=, deeper and deeper until it is up",
        parameters: &[CUTS, DEPTH, TIES, TIME],
    },
    SearchInfo {
        name: "ab",
        about: "alpha-beta of today: deepens step by step, remembers positions, orders moves; the value is minimax's",
        parameters: &[DEPTH, MEMORY, NODES, THREADS, TIES, TIME],
    },
    SearchInfo {
        name: "adaptive",
        about: "the Ladrillos study's: the n^x best children by evaluation, 2(k-2)/x plies deep, n the board's breadth",
        parameters: &[DEEPEN, HEIGHT, K, X],
    },
    SearchInfo {
        name: "beam",
        about: "alpha-beta over a fixed number of children, the best by evaluation",
        parameters: &[BEAM_DEPTH, WIDTH],
    },
    SearchInfo {
        name: "mcts",
        about: "Monte-Carlo tree search (UCT); the tree is kept from move to move, the value is from -1 to 1",
        parameters: &[C, LEAF, TREE_MEMORY, PLAYOUTS, TIME],
    },
];

/// A search with its parameters, as written: `name[:key=value,…]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchSpec {
    name: &'static str,
    /// In the order of the search's parameter list; what is not given is left out.
    values: Vec<(&'static str, String)>,
}

impl SearchSpec {
    /// Reads the part of a player string before its evaluation. `whole` is the string it stands in.
    pub fn parse(text: &str, whole: &str) -> Result<SearchSpec, InputError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let info = SEARCHES.iter().find(|info| info.name == name).ok_or_else(|| {
            let known = SEARCHES.iter().map(|info| info.name);
            InputError::unknown(format!("search of \"{whole}\""), name, "a known search", known)
        })?;
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in rest.map(|rest| rest.split(',')).into_iter().flatten() {
            let place = || format!("parameters of \"{whole}\"");
            let Some((key, value)) = part.split_once('=') else {
                return Err(InputError::new(place(), part, "key=value"));
            };
            if !info.parameters.iter().any(|parameter| parameter.key == key) {
                let known = info.parameters.iter().map(|parameter| parameter.key);
                return Err(InputError::unknown(place(), key, &format!("a parameter of {name}"), known));
            }
            if key == TIME.key && !has_clock() {
                return Err(InputError::new(
                    place(),
                    part,
                    "another limit: nobody here tells searches the time",
                ));
            }
            if given.iter().any(|(other, _)| *other == key) {
                return Err(InputError::new(place(), part, format!("needed: {key} is given twice")));
            }
            given.push((key, value));
        }
        let mut values = Vec::new();
        for parameter in info.parameters {
            match given.iter().find(|(key, _)| *key == parameter.key) {
                Some((key, value)) => {
                    let place = || format!("{key} of \"{whole}\"");
                    let value = parameter.kind.canonical(value, place)?;
                    if parameter.default != Some(value.as_str()) {
                        values.push((parameter.key, value));
                    }
                }
                None if parameter.required => {
                    let expected = format!("{}=… ({})", parameter.key, parameter.about);
                    return Err(InputError::new(format!("parameters of \"{whole}\""), "", expected));
                }
                None => {}
            }
        }
        Ok(SearchSpec { name: info.name, values })
    }

    /// The search itself.
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
            "ab" => {
                let search = IterativeDeepening::new(self.limit(), self.memory_bytes(16), ties);
                Box::new(search.on_threads(self.whole("threads").unwrap_or(1) as usize))
            }
            "adaptive" => Box::new(Adaptive::new(self.scope())),
            "beam" => Box::new(Adaptive::new(self.beam())),
            "mcts" => Box::new(Mcts::new(self.playouts())),
            name => unreachable!("{name} is listed in SEARCHES but not opened"),
        }
    }

    /// How wide and how deep an adaptive search looks.
    fn scope(&self) -> BeamShape {
        let x = self.real("x").unwrap_or(1.0);
        let k = self.whole("k").unwrap_or(3) as u32;
        let breadth = WidthRule::Power { x, k, deepen: self.value("deepen") == Some("true") };
        BeamShape { width: breadth, height: self.whole("height").map(|height| height as u32) }
    }

    /// How wide and how deep a beam is.
    fn beam(&self) -> BeamShape {
        let width = self.whole("width").unwrap_or(1) as usize;
        BeamShape { width: WidthRule::Fixed(width), height: self.whole("depth").map(|depth| depth as u32) }
    }

    /// How a search by playouts is set up.
    fn playouts(&self) -> MctsOptions {
        let leaf = match self.value("leaf") {
            Some("greedy") => LeafPolicy::Greedy,
            Some("value") => LeafPolicy::Value,
            _ => LeafPolicy::Random,
        };
        let (playouts, time) = (self.whole("playouts"), self.whole("time"));
        let nodes = if playouts.is_none() && time.is_none() { Some(USUAL_PLAYOUTS) } else { playouts };
        let limit = SearchLimit { depth: TO_THE_END, nodes, time: time.map(Duration::from_millis) };
        MctsOptions { limit, c: self.real("c").unwrap_or(1.0), leaf, tree_bytes: self.memory_bytes(256) }
    }

    fn whole(&self, key: &str) -> Option<u64> {
        self.value(key).and_then(|value| value.parse().ok())
    }

    fn real(&self, key: &str) -> Option<f64> {
        self.value(key).and_then(|value| value.parse().ok())
    }

    /// What it may spend on a move.
    fn limit(&self) -> SearchLimit {
        let [depth, nodes, time] = ["depth", "nodes", "time"].map(|key| self.whole(key));
        let is_free = depth.is_none() && nodes.is_none() && time.is_none();
        SearchLimit {
            depth: depth.map_or(TO_THE_END, |depth| depth as u32),
            nodes: if is_free { Some(USUAL_NODES) } else { nodes },
            time: time.map(Duration::from_millis),
        }
    }

    /// What its memory parameter says, or so many megabytes.
    fn memory_bytes(&self, default: u64) -> usize {
        (self.whole("memory").unwrap_or(default) as usize) << 20
    }

    /// Which bounds cut.
    fn cuts(&self) -> Cuts {
        if self.value("cuts") == Some("shallow") { Cuts::Shallow } else { Cuts::Deep }
    }

    /// Whether it ever asks how good a position is.
    pub fn needs_evaluation(&self) -> bool {
        self.name != "mcts" || self.value("leaf").is_some()
    }

    /// Whether what it plays depends on the position alone: not on what it saw before, nor on the clock.
    pub fn is_function_of_position(&self) -> bool {
        let keeps_nothing = matches!(self.name, "greedy" | "minimax" | "alphabeta" | "adaptive" | "beam");
        keeps_nothing && self.value(TIME.key).is_none()
    }

    /// How it breaks ties, where it does not leave that to the evaluation.
    pub fn ties(&self) -> Option<TieRule> {
        self.value("ties").map(|word| if word == "last" { TieRule::Last } else { TieRule::First })
    }

    /// The search's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A parameter that was given, in canonical form.
    fn value(&self, key: &str) -> Option<&str> {
        self.values.iter().find(|(other, _)| *other == key).map(|(_, value)| value.as_str())
    }
}

impl ParameterKind {
    fn canonical(&self, text: &str, place: impl FnOnce() -> String) -> Result<String, InputError> {
        match self {
            ParameterKind::Whole { most } => {
                whole_number(text, 1..=*most, place).map(|number| number.to_string())
            }
            ParameterKind::Long { most } => match text.parse::<u64>() {
                Ok(number) if (1..=*most).contains(&number) => Ok(number.to_string()),
                _ => Err(InputError::new(place(), text, format!("a whole number from 1 to {most}"))),
            },
            ParameterKind::Real { most } => match text.parse::<f64>() {
                Ok(number) if number > 0.0 && number <= *most => Ok(format_weight(number)),
                _ => Err(InputError::new(place(), text, format!("a number above 0, up to {most}"))),
            },
            ParameterKind::Word(words) if words.contains(&text) => Ok(text.to_owned()),
            ParameterKind::Word(words) => {
                Err(InputError::unknown(place(), text, "one of the choices", words.iter().copied()))
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
