//! The searches by name, and how they are written: `alphabeta:depth=6,ties=last`.

use crate::{AlphaBeta, Greedy, Minimax, Search};
use palestra_core::{BadText, Evaluator, Game, Ties, whole_number};
use std::fmt;

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
    kind: Kind,
    /// Whether it must be given.
    pub required: bool,
}

#[derive(Debug)]
enum Kind {
    Whole { most: u32 },
    Word(&'static [&'static str]),
}

const DEPTH: ParameterInfo = ParameterInfo {
    key: "depth",
    about: "plies to look ahead, 1 to 1000",
    kind: Kind::Whole { most: 1000 },
    required: true,
};

const TIES: ParameterInfo = ParameterInfo {
    key: "ties",
    about: "which of equals is played: first or last (default: as the evaluation's study did)",
    kind: Kind::Word(&["first", "last"]),
    required: false,
};

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
        about: "plain alpha-beta to a fixed depth, moves in the game's order",
        parameters: &[DEPTH, TIES],
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
    pub fn parse(text: &str, whole: &str) -> Result<SearchSpec, BadText> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let info = SEARCHES.iter().find(|info| info.name == name).ok_or_else(|| {
            let known = SEARCHES.iter().map(|info| info.name);
            BadText::unknown(format!("search of \"{whole}\""), name, "a known search", known)
        })?;
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in rest.map(|rest| rest.split(',')).into_iter().flatten() {
            let place = || format!("parameters of \"{whole}\"");
            let Some((key, value)) = part.split_once('=') else {
                return Err(BadText::new(place(), part, "key=value"));
            };
            if !info.parameters.iter().any(|parameter| parameter.key == key) {
                let known = info.parameters.iter().map(|parameter| parameter.key);
                return Err(BadText::unknown(place(), key, &format!("a parameter of {name}"), known));
            }
            if given.iter().any(|(other, _)| *other == key) {
                return Err(BadText::new(place(), part, format!("needed: {key} is given twice")));
            }
            given.push((key, value));
        }
        let mut values = Vec::new();
        for parameter in info.parameters {
            match given.iter().find(|(key, _)| *key == parameter.key) {
                Some((key, value)) => {
                    let place = || format!("{key} of \"{whole}\"");
                    values.push((parameter.key, parameter.kind.canonical(value, place)?));
                }
                None if parameter.required => {
                    let expected = format!("{}=… ({})", parameter.key, parameter.about);
                    return Err(BadText::new(format!("parameters of \"{whole}\""), "", expected));
                }
                None => {}
            }
        }
        Ok(SearchSpec { name: info.name, values })
    }

    /// The search itself.
    pub fn open<G: Game, E: Evaluator<G>>(&self) -> Box<dyn Search<G, E>> {
        let ties = self.ties();
        let depth = self.value("depth").and_then(|depth| depth.parse().ok()).unwrap_or(1);
        match self.name {
            "greedy" => Box::new(Greedy::new(ties)),
            "minimax" => Box::new(Minimax::new(depth, ties)),
            "alphabeta" => Box::new(AlphaBeta::new(depth, ties)),
            name => unreachable!("{name} is listed in SEARCHES but not opened"),
        }
    }

    /// How it breaks ties, where it does not leave that to the evaluation.
    pub fn ties(&self) -> Option<Ties> {
        self.value("ties").map(|word| if word == "last" { Ties::Last } else { Ties::First })
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

impl Kind {
    fn canonical(&self, text: &str, place: impl FnOnce() -> String) -> Result<String, BadText> {
        match self {
            Kind::Whole { most } => whole_number(text, 1..=*most, place).map(|number| number.to_string()),
            Kind::Word(words) if words.contains(&text) => Ok(text.to_owned()),
            Kind::Word(words) => {
                Err(BadText::unknown(place(), text, "one of the choices", words.iter().copied()))
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
