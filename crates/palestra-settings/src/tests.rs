//! Locations in errors, values of `--set` and old keys.

use super::*;

const TEXT: &str =
    "size = 20\nrate = 0.5\ntitle = \"x\"\n\n[method]\nsigma = -1\nkind = \"rondom\"\nlist = [1, 'a']\n";

#[test]
fn mistakes_have_a_place() {
    let mut plan = Settings::parse(TEXT, "plan.toml").unwrap();
    assert_eq!(plan.integer("size", 1, 1..=100), Ok(20));
    assert_eq!(plan.number("rate", 1.0, 0.0..=1.0), Ok(0.5));
    assert_eq!(plan.integer("absent", 7, 1..=100), Ok(7));
    let mut method = plan.table("method").unwrap();
    let complaint = |result: Result<f64, InputError>| result.unwrap_err().to_string();
    assert_eq!(
        complaint(method.number("sigma", 1.0, 0.0..=1.0)),
        "invalid value \"-1\" for sigma in [method] of plan.toml (line 6, column 9): expected a number from 0 to 1"
    );
    assert_eq!(
        method.choice("kind", "grid", &["grid", "random"]).unwrap_err().to_string(),
        "invalid value \"rondom\" for kind in [method] of plan.toml (line 7, column 8): expected one of grid, random; did you mean \"random\"?"
    );
    assert_eq!(
        method.numbers("list").unwrap_err().to_string(),
        "invalid value \"a\" for list in [method] of plan.toml (line 8, column 12): expected a finite number"
    );
    assert_eq!(method.finish(), Ok(()));
    assert_eq!(
        plan.finish().unwrap_err().to_string(),
        "invalid key \"title\" in plan.toml (line 3, column 1): expected one of size, rate, absent, method"
    );
    let broken = Settings::parse("a = \n", "plan.toml").unwrap_err().to_string();
    assert!(broken.contains("for plan.toml (line 1, column "), "{broken}");
}

#[test]
fn values_beside_the_file() {
    let set = |key: &str, value: &str| {
        let mut plan = Settings::parse(TEXT, "plan.toml").unwrap();
        plan.set(key, value).map(|()| plan.to_toml()).map_err(|bad| bad.to_string())
    };
    let before = Settings::parse(TEXT, "plan.toml").unwrap().to_toml();
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
    let mut plan = Settings::parse(TEXT, "plan.toml").unwrap();
    plan.set("method.sigma", "2").unwrap();
    let mut method = plan.table("method").unwrap();
    assert_eq!(
        method.number("sigma", 1.0, 0.0..=1.0).unwrap_err().to_string(),
        "invalid value \"2\" for sigma in [method] of plan.toml (given with --set): expected a number from 0 to 1"
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
    let mut plan = Settings::parse(text, "plan.toml").unwrap();
    let notices = plan.rename_old_keys(&RENAMES).unwrap();
    assert_eq!(
        notices,
        [
            "dimension in plan.toml (line 1, column 13) is now called size",
            "step in [method] of plan.toml (line 3, column 8) is now called sigma",
            "games in [stage] of plan.toml (line 5, column 9) is now called pairs",
        ]
    );
    assert_eq!(plan.integer("size", 1, 1..=9), Ok(3));
    assert_eq!(plan.table("method").unwrap().integer("sigma", 1, 1..=9), Ok(2));
    let pairs = plan.tables("stage").unwrap().into_iter().map(|mut stage| stage.integer("pairs", 9, 1..=9));
    assert_eq!(pairs.collect::<Vec<_>>(), [Ok(1), Ok(2)]);
    let mut both = Settings::parse("size = 1\ndimension = 2\n", "plan.toml").unwrap();
    assert_eq!(
        both.rename_old_keys(&RENAMES).unwrap_err().to_string(),
        "dimension in plan.toml (line 2, column 13) cannot be used here: it is the old name of size, which is given, too"
    );
}
