//! Places in errors, values of `--set`, shapes of values and old keys.

use super::*;
use palestra_core::InputError;
use serde::Deserialize;
use std::fmt::Debug;

const TEXT: &str =
    "size = 20\nrate = 0.5\ntitle = \"x\"\n\n[method]\nsigma = -1\nkind = \"rondom\"\nlist = [1, 'a']\n";

fn read<T: for<'de> Deserialize<'de>>(text: &str, set: &[(&str, &str)]) -> Result<T, String> {
    let read = || -> Result<T, InputError> {
        let mut document = Document::parse(text, "plan.toml")?;
        set.iter().try_for_each(|(key, value)| document.set(key, value))?;
        document.read()
    };
    read().map_err(|bad| bad.to_string())
}

#[track_caller]
fn refused<T: for<'de> Deserialize<'de> + Debug>(text: &str, expected: &str) {
    assert_eq!(read::<T>(text, &[]).unwrap_err(), expected, "{text}");
}

fn share<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    number(deserializer, 0.0..=1.0)
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(deserialize_with = "whole::<1, 100, _, _>")]
    size: usize,
    #[serde(default, deserialize_with = "share")]
    rate: f64,
    title: Option<String>,
    #[serde(default)]
    method: Method,
}

#[derive(Deserialize, PartialEq, Debug, Default)]
#[serde(default, deny_unknown_fields)]
struct Method {
    #[serde(deserialize_with = "share")]
    sigma: f64,
    kind: Option<Kind>,
    list: OneOrMany<Finite>,
    flag: bool,
    #[serde(deserialize_with = "whole::<2, 9, _, _>")]
    few: Option<u32>,
    names: Vec<Placed<String>>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Grid,
    Random,
}

#[test]
fn mistakes_have_a_place() {
    let checks = [
        (
            "size = 0",
            "invalid value \"0\" for size in plan.toml (line 1, column 8): expected a whole number from 1 to 100",
        ),
        (
            "size = 1.5",
            "invalid value \"1.5\" for size in plan.toml (line 1, column 8): expected a whole number from 1 to 100",
        ),
        (
            "size = 'x'",
            "invalid value \"x\" for size in plan.toml (line 1, column 8): expected a whole number from 1 to 100",
        ),
        (
            "size = -1",
            "invalid value \"-1\" for size in plan.toml (line 1, column 8): expected a whole number from 1 to 100",
        ),
        ("rate = 1", "missing value for size in plan.toml (line 1, column 1): expected a value"),
        (
            "size = 1\nrate = -0.5",
            "invalid value \"-0.5\" for rate in plan.toml (line 2, column 8): expected a number from 0 to 1",
        ),
        (
            "size = 1\ntitle = 3",
            "invalid value \"3\" for title in plan.toml (line 2, column 9): expected a string in quotation marks",
        ),
        (
            "size = 1\ntitle = 1979-05-27",
            "invalid value \"1979-05-27\" for title in plan.toml (line 2, column 9): expected a string in quotation marks",
        ),
        (
            "size = 1\nmethod = 3",
            "invalid value \"3\" for method in plan.toml (line 2, column 10): expected a section [method]",
        ),
        (
            "size = 1\nsize_ = 3",
            "invalid key \"size_\" in plan.toml (line 2, column 1): expected one of size, rate, title, method; did you mean \"size\"?",
        ),
    ];
    for (text, expected) in checks {
        refused::<File>(text, expected);
    }
    let checks = [
        (
            "sigma = 'a'",
            "invalid value \"a\" for sigma in [method] of plan.toml (line 3, column 9): expected a number from 0 to 1",
        ),
        (
            "kind = \"rondom\"",
            "invalid value \"rondom\" for kind in [method] of plan.toml (line 3, column 8): expected one of grid, random; did you mean \"random\"?",
        ),
        (
            "kind = 3",
            "invalid value \"3\" for kind in [method] of plan.toml (line 3, column 8): expected a string in quotation marks",
        ),
        (
            "list = [1, 'a']",
            "invalid value \"a\" for list in [method] of plan.toml (line 3, column 12): expected a finite number",
        ),
        (
            "list = inf",
            "invalid value \"inf\" for list in [method] of plan.toml (line 3, column 8): expected a finite number",
        ),
        (
            "flag = 1",
            "invalid value \"1\" for flag in [method] of plan.toml (line 3, column 8): expected true or false",
        ),
        (
            "few = 1",
            "invalid value \"1\" for few in [method] of plan.toml (line 3, column 7): expected a whole number from 2 to 9",
        ),
        (
            "names = ['a', 1]",
            "invalid value \"1\" for names in [method] of plan.toml (line 3, column 15): expected a string in quotation marks",
        ),
        (
            "names = 'a'",
            "invalid value \"a\" for names in [method] of plan.toml (line 3, column 9): expected a list",
        ),
        (
            "sigmas = 1",
            "invalid key \"sigmas\" in [method] of plan.toml (line 3, column 1): expected one of sigma, kind, list, flag, few, names; did you mean \"sigma\"?",
        ),
    ];
    for (text, expected) in checks {
        refused::<File>(&format!("size = 1\n[method]\n{text}"), expected);
    }
    let broken = Document::parse("a = \n", "plan.toml").unwrap_err().to_string();
    assert!(broken.contains("for plan.toml (line 1, column "), "{broken}");
}

#[test]
fn values_are_typed() {
    let text =
        "size = 20\n[method]\nsigma = 1\nkind = \"grid\"\nlist = 2\nflag = true\nfew = 3\nnames = [\"a\"]\n";
    let file: File = read(text, &[]).unwrap();
    let method = &file.method;
    assert_eq!((file.size, method.sigma, method.few, method.flag), (20, 1.0, Some(3), true));
    assert_eq!((&method.kind, &method.list), (&Some(Kind::Grid), &OneOrMany(vec![Finite(2.0)])));
    assert_eq!(
        method.names[0].invalid("b").to_string(),
        "invalid value \"a\" for names in [method] of plan.toml (line 8, column 10): expected b"
    );
}

#[test]
fn values_beside_the_file() {
    let set = |key: &str, value: &str| {
        let mut plan = Document::parse(TEXT, "plan.toml").unwrap();
        plan.set(key, value).map(|()| plan.to_toml()).map_err(|bad| bad.to_string())
    };
    let before = Document::parse(TEXT, "plan.toml").unwrap().to_toml();
    assert_eq!(set("size", "7"), Ok(before.replace("20", "7")));
    assert_eq!(set("method.sigma", "0.25"), Ok(before.replace("-1", "0.25")));
    assert_eq!(set("method.kind", "grid"), Ok(before.replace("rondom", "grid")));
    assert_eq!(set("seed", "3"), Ok(format!("{before}seed = 3\n")));
    assert_eq!(set("budget.games", "10k"), Ok(format!("{before}budget = {{ games = \"10k\" }}\n")));
    assert_eq!(set("title", "1\nsize = 2"), Ok(before.replace("\"x\"", &format!("{:?}", "1\nsize = 2"))));
    assert_eq!(
        set("size.of", "1"),
        Err("invalid value \"20\" for size in plan.toml (line 1, column 8): expected a section [size], to set size.of"
            .into())
    );
    assert_eq!(
        read::<File>("size = 1", &[("method.sigma", "2")]).unwrap_err(),
        "invalid value \"2\" for sigma in [method] of plan.toml (given with --set): expected a number from 0 to 1"
    );
    assert_eq!(
        read::<File>("size = 1", &[("method.sigmo", "2")]).unwrap_err(),
        "invalid key \"sigmo\" in [method] of plan.toml (given with --set): expected one of sigma, kind, list, flag, few, names; did you mean \"sigma\"?"
    );
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Task {
    objective: Objective,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename = "an objective", rename_all = "lowercase", deny_unknown_fields)]
enum Objective {
    League,
    Gauntlet { opponents: Vec<String> },
    Parasites(Parasites),
}

#[derive(Deserialize, PartialEq, Debug, Default)]
#[serde(default, deny_unknown_fields)]
struct Parasites {
    n: u32,
}

#[test]
fn sections_with_a_name() {
    let objective = |text: &str| read::<Task>(text, &[]).map(|task| task.objective);
    assert_eq!(objective("objective = 'league'"), Ok(Objective::League));
    assert_eq!(objective("[objective]\nname = 'league'"), Ok(Objective::League));
    assert_eq!(objective("objective = 'parasites'"), Ok(Objective::Parasites(Parasites { n: 0 })));
    assert_eq!(
        objective("[objective]\nn = 3\nname = 'parasites'"),
        Ok(Objective::Parasites(Parasites { n: 3 }))
    );
    let gauntlet = Objective::Gauntlet { opponents: vec!["a".to_owned()] };
    assert_eq!(objective("objective = { name = 'gauntlet', opponents = ['a'] }"), Ok(gauntlet));
    let checks = [
        (
            "[objective]\nname = 'leage'",
            "invalid value \"leage\" for objective in plan.toml (line 2, column 8): expected an objective (league, gauntlet, parasites); did you mean \"league\"?",
        ),
        (
            "objective = 'leage'",
            "invalid value \"leage\" for objective in plan.toml (line 1, column 13): expected an objective (league, gauntlet, parasites); did you mean \"league\"?",
        ),
        (
            "objective = 3",
            "invalid value \"3\" for objective in plan.toml (line 1, column 13): expected a name or a section [objective]",
        ),
        (
            "[objective]\nn = 1",
            "missing value for name in [objective] of plan.toml (line 1, column 1): expected one of league, gauntlet, parasites",
        ),
        (
            "[objective]\nname = 'league'\nn = 1",
            "invalid key \"n\" in [objective] of plan.toml (line 3, column 1): expected one of name",
        ),
        (
            "[objective]\nname = 'parasites'\nm = 1",
            "invalid key \"m\" in [objective] of plan.toml (line 3, column 1): expected one of name, n",
        ),
        (
            "[objective]\nname = 'gauntlet'\nopponents = [1]",
            "invalid value \"1\" for opponents in [objective] of plan.toml (line 3, column 14): expected a string in quotation marks",
        ),
        (
            "objective = 'gauntlet'",
            "missing value for opponents in [objective] of plan.toml (line 1, column 13): expected a value",
        ),
    ];
    for (text, expected) in checks {
        refused::<Task>(text, expected);
    }
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Units {
    games: Option<Count>,
    time: Option<Seconds>,
    #[serde(default, deserialize_with = "parsed_even")]
    even: u32,
    #[serde(default, deserialize_with = "pairs")]
    words: Vec<(String, String)>,
    #[serde(default, deserialize_with = "one_or_many")]
    stage: Vec<Placed<Stage>>,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Stage {
    size: Option<Whole<1, 9>>,
}

fn parsed_even<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = String::deserialize(deserializer)?;
    let even = text.parse().ok().filter(|n| n % 2 == 0);
    even.ok_or_else(|| {
        refuse(InputError::new("half of it", &*text, "an even number").with_nearest(Some("2")))
    })
}

#[test]
fn values_with_units_and_parsers() {
    let units: Units =
        read("games = '100k'\ntime = 5\neven = '4'\n[words]\nb = 'x'\na = 'y'\n[[stage]]\nsize = 3", &[])
            .unwrap();
    assert_eq!((units.games, units.time, units.even), (Some(Count(100_000)), Some(Seconds(5.0)), 4));
    assert_eq!(units.words, [("b", "x"), ("a", "y")].map(|(a, b)| (a.to_owned(), b.to_owned())));
    assert_eq!(
        units.stage[0].place.missing("name", "a name").to_string(),
        "missing value for name in [stage] of plan.toml (line 7, column 1): expected a name"
    );
    let checks = [
        (
            "games = 1.5",
            "invalid value \"1.5\" for games in plan.toml (line 1, column 9): expected a whole number of at least 1, or one with k, M or G after it: \"100k\"",
        ),
        (
            "time = 'x'",
            "invalid value \"x\" for time in plan.toml (line 1, column 8): expected a time: 20 (seconds), \"20s\", \"5m\", \"2h\"",
        ),
        (
            "time = -1",
            "invalid value \"-1\" for time in plan.toml (line 1, column 8): expected a time: 20 (seconds), \"20s\", \"5m\", \"2h\"",
        ),
        (
            "even = '3'",
            "invalid value \"3\" for even in plan.toml, half of it (line 1, column 8): expected an even number; did you mean \"2\"?",
        ),
        (
            "[[stage]]\nsize = 2\n[[stage]]\nsize = 0",
            "invalid value \"0\" for size in [stage] of plan.toml (line 4, column 8): expected a whole number from 1 to 9",
        ),
    ];
    for (text, expected) in checks {
        refused::<Units>(text, expected);
    }
}

#[test]
fn parts_that_are_read_later() {
    let text = "seed = 3\n[method]\nname = 'ga'\nsigma = 0.5\n[[entry]]\nlabel = 'a'\nfew = 2\n[[entry]]\nlabel = 'b'\nfew = 1\n";
    let mut document = Document::parse(text, "plan.toml").unwrap();
    let (name, method) = document.take_named("method").unwrap();
    assert_eq!(
        name.unwrap().invalid("a method").to_string(),
        "invalid value \"ga\" for method in plan.toml (line 3, column 8): expected a method"
    );
    assert_eq!(method.read::<Method>().unwrap().sigma, 0.5);
    let mut entries = document.take_sections("entry").unwrap();
    let labels: Vec<Option<String>> = entries.iter_mut().map(|entry| entry.take("label").unwrap()).collect();
    assert_eq!(labels, [Some("a".to_owned()), Some("b".to_owned())]);
    assert_eq!(entries[0].read::<Method>().unwrap().few, Some(2));
    assert_eq!(
        entries[1].read::<Method>().unwrap_err().to_string(),
        "invalid value \"1\" for few in [entry] of plan.toml (line 10, column 7): expected a whole number from 2 to 9"
    );
    assert_eq!(
        document.read::<Stage>().map(|stage| stage.size).unwrap(),
        None,
        "taken sections are not read again"
    );
    assert_eq!(document.to_toml(), "seed = 3\n");
    assert_eq!(
        document.place_of("seed").not_allowed("no").to_string(),
        "seed in plan.toml (line 1, column 8) cannot be used here: no"
    );
}

#[test]
fn old_names_of_keys() {
    const RENAMES: [KeyRename; 3] = [
        KeyRename { section: "", old: "dimension", new: "size" },
        KeyRename { section: "stage", old: "games", new: "pairs" },
        KeyRename { section: "stage.objective", old: "rivals", new: "opponents" },
    ];
    let plan = "size = 1\nsizes = 2\npairs = 3\n\n[[stage]]\npairs = 4\nsize = 5\nobjective = { n = 1, opponents = [] }\n";
    let old = "dimension = 1\nsizes = 2\npairs = 3\n\n[[stage]]\ngames = 4\nsize = 5\nobjective = { n = 1, rivals = [] }\n";
    assert_eq!(old_spelling(plan, &RENAMES), old);
}

#[test]
fn old_keys() {
    const RENAMES: [KeyRename; 3] = [
        KeyRename { section: "", old: "dimension", new: "size" },
        KeyRename { section: "method", old: "step", new: "sigma" },
        KeyRename { section: "stage", old: "games", new: "pairs" },
    ];
    let text = "dimension = 3\n[method]\nstep = 2\n[[stage]]\ngames = 1\n[[stage]]\npairs = 2\n";
    let mut plan = Document::parse(text, "plan.toml").unwrap();
    let notices = plan.rename_old_keys(&RENAMES).unwrap();
    assert_eq!(
        notices,
        [
            "dimension in plan.toml (line 1, column 13) is now called size",
            "step in [method] of plan.toml (line 3, column 8) is now called sigma",
            "games in [stage] of plan.toml (line 5, column 9) is now called pairs",
        ]
    );
    assert_eq!(plan.to_toml(), "size = 3\nmethod = { sigma = 2 }\nstage = [{ pairs = 1 }, { pairs = 2 }]\n");
    let mut both = Document::parse("size = 1\ndimension = 2\n", "plan.toml").unwrap();
    assert_eq!(
        both.rename_old_keys(&RENAMES).unwrap_err().to_string(),
        "dimension in plan.toml (line 2, column 13) cannot be used here: it is the old name of size, which is given, too"
    );
}
