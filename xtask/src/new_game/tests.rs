//! Tests of names, registration and undoing.

use super::name::{BadName, Name};
use super::plan::{GAMES, Plan, REGISTRY, SKELETON, filled, with_entry, with_module};
use super::{aliases, known_names};
use crate::tools::root;
use std::fs;
use std::path::{Path, PathBuf};

fn name(text: &str) -> Name {
    Name::parse(text, &[]).unwrap()
}

fn check_name(text: &str, expected: Result<(&str, &str), &str>) {
    let known = ["connect", "connect4"].map(str::to_owned);
    match (Name::parse(text, &known), expected) {
        (Ok(name), Ok((camel, title))) => {
            assert_eq!((name.camel(), name.title()), (camel.into(), title.into()));
        }
        (Err(bad), Err(part)) => {
            let bad = bad.to_string();
            assert!(bad.contains(&format!("{text:?}")) && bad.contains(part), "{bad}");
        }
        (found, expected) => panic!("{text}: {found:?} instead of {expected:?}"),
    }
}

#[test]
fn names() {
    check_name("nim", Ok(("Nim", "Nim")));
    check_name("tic_tac_2", Ok(("TicTac2", "Tic tac 2")));
    check_name("connect5", Ok(("Connect5", "Connect5")));
    for text in
        ["", "Nim", "nIM", "9men", "_nim", "nim_", "a__b", "ni-m", "ni m", "nim/", "../nim", "ñu", "n\n"]
    {
        check_name(text, Err("a lower-case word"));
    }
    for text in ["move", "self", "gen", "yield", "mod"] {
        check_name(text, Err("not a keyword of Rust"));
    }
    for text in ["rules", "tests", "text", "features", "bin"] {
        check_name(text, Err("no source file or folder"));
    }
    check_name("connect", Err("no game or alias"));
    check_name("connect4", Err("no game or alias"));
}

#[test]
fn existing_names_are_read_from_the_sources() {
    assert_eq!(aliases("aliases: &[(\"a\", \"b:1\"), (\"c\", \"b:2\")],\nrules: (\"x\")"), ["a", "c"]);
    assert_eq!(aliases("aliases: &[],\n(\"x\", \"y\")"), [""; 0]);
    assert_eq!(aliases("no list"), [""; 0]);
    let known = known_names(&root()).unwrap();
    for name in ["connect", "connect4", "kalah", "ladrillos", "mancala", "mastergoal"] {
        assert!(known.iter().any(|other| other == name), "{name} in {known:?}");
    }
}

#[test]
fn templates_have_no_placeholder_left() {
    for (file, template) in SKELETON {
        let text = filled(template, &name("tic_tac"));
        assert!(!text.to_lowercase().contains("skeleton"), "{file}");
    }
    assert_eq!(
        filled("skeleton:9 SkeletonFamily SKELETON", &name("tic_tac")),
        "tic_tac:9 TicTacFamily Tic tac"
    );
}

fn check_lists(lib: &str, registry: &str, expected: Option<(&str, &str)>) {
    let found = (with_module(lib, &name("nim")), with_entry(registry, &name("nim")));
    let expected =
        (expected.map(|(lib, _)| lib.to_owned()), expected.map(|(_, registry)| registry.to_owned()));
    assert_eq!(found, expected);
}

#[test]
fn lists_get_one_more_entry() {
    check_lists(
        "//! Games.\n\npub mod connect;\n",
        "Catalog::new(&[CatalogEntry::of::<A>()]);\n",
        Some((
            "//! Games.\n\npub mod connect;\npub mod nim;\n",
            "Catalog::new(&[CatalogEntry::of::<A>(),\nCatalogEntry::of::<palestra_games::nim::NimFamily>(),\n]);\n",
        )),
    );
    check_lists(
        "\npub mod a;\npub mod b;\n\nuse x;\n",
        "Catalog::new(&[\n    A,\n    B,\n]);\n",
        Some((
            "\npub mod a;\npub mod b;\npub mod nim;\n\nuse x;\n",
            "Catalog::new(&[\n    A,\n    B,\nCatalogEntry::of::<palestra_games::nim::NimFamily>(),\n]);\n",
        )),
    );
    check_lists("", "", None);
}

/// A source tree with the two files that a new game changes.
struct Tree(PathBuf);

const LIB: &str = "//! Games.\n\npub mod connect;\npub mod zebra;\n";
const CATALOG: &str = "static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<Connect>()]);\n";

impl Tree {
    fn new(label: &str) -> Tree {
        let root = std::env::temp_dir().join(format!("palestra-new-game-{label}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, text) in [(format!("{GAMES}/lib.rs"), LIB), (REGISTRY.to_owned(), CATALOG)] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Tree(root)
    }

    fn read(&self, path: impl AsRef<Path>) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    fn is_untouched(&self) -> bool {
        let games = fs::read_dir(self.0.join(GAMES)).unwrap().count();
        games == 1 && self.read(format!("{GAMES}/lib.rs")) == LIB && self.read(REGISTRY) == CATALOG
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_game_is_written_once() {
    let tree = Tree::new("whole");
    let plan = Plan::new(&tree.0, &name("nim")).unwrap();
    assert!(tree.is_untouched(), "a plan writes nothing");
    plan.write().unwrap();
    for (file, _) in SKELETON {
        assert!(tree.0.join(GAMES).join("nim").join(file).is_file(), "{file}");
    }
    assert!(tree.read(format!("{GAMES}/lib.rs")).ends_with("mod connect;\npub mod nim;\npub mod zebra;\n"));
    assert!(tree.read(REGISTRY).contains("    CatalogEntry::of::<palestra_games::nim::NimFamily>(),\n]"));
    for text in ["nim", "lib"] {
        let taken = Plan::new(&tree.0, &name(text)).unwrap_err();
        assert!(taken.is::<BadName>(), "{taken}");
    }
    assert!(plan.write().is_err(), "an existing folder is not overwritten");
    assert!(tree.0.join(GAMES).join("nim/rules.rs").is_file(), "an existing folder is not removed");
}

#[test]
fn an_error_undoes_all_changes() {
    let tree = Tree::new("undone");
    let plan = Plan::new(&tree.0, &name("nim")).unwrap();
    // A folder instead of the last file to be written.
    fs::remove_file(tree.0.join(REGISTRY)).unwrap();
    fs::create_dir(tree.0.join(REGISTRY)).unwrap();
    assert!(plan.write().is_err());
    fs::remove_dir(tree.0.join(REGISTRY)).unwrap();
    fs::write(tree.0.join(REGISTRY), CATALOG).unwrap();
    assert!(tree.is_untouched());
}

#[test]
fn a_registry_without_a_list_is_an_error() {
    let tree = Tree::new("no-list");
    fs::write(tree.0.join(REGISTRY), "// no list\n").unwrap();
    let error = Plan::new(&tree.0, &name("nim")).unwrap_err().to_string();
    assert!(error.contains("no list of games"), "{error}");
}
