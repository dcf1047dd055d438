//! Rules of the source tree: dependencies between crates, files of a game folder, length of files.

use crate::support::{names_in, workspace};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// The workspace crates that each crate may depend on: only those of lower layers. A new crate needs an entry.
const ARROWS: &[(&str, &[&str])] = &[
    ("palestra-core", &[]),
    ("palestra-games", &["palestra-core"]),
    ("palestra-kit", &["palestra-core"]),
    ("palestra-search", &["palestra-core"]),
    ("palestra-stats", &["palestra-core"]),
    ("palestra-settings", &["palestra-core"]),
    ("palestra-arena", &["palestra-search", "palestra-stats", "palestra-core"]),
    ("palestra-registry", &["palestra-arena", "palestra-games"]),
    ("palestra-tune", &["palestra-arena", "palestra-search", "palestra-settings", "palestra-core"]),
    ("palestra-tournament", &["palestra-arena", "palestra-stats", "palestra-settings", "palestra-core"]),
    ("palestra-engine", &["palestra-arena", "palestra-settings", "palestra-core"]),
    ("palestra-store", &["palestra-arena", "palestra-tune", "palestra-core"]),
    (
        "palestra-review",
        &[
            "palestra-store",
            "palestra-tournament",
            "palestra-tune",
            "palestra-engine",
            "palestra-arena",
            "palestra-stats",
            "palestra-settings",
            "palestra-core",
        ],
    ),
    (
        "palestra-event",
        &[
            "palestra-review",
            "palestra-store",
            "palestra-tournament",
            "palestra-engine",
            "palestra-arena",
            "palestra-core",
        ],
    ),
    ("palestra-study", &["palestra-review", "palestra-stats", "palestra-settings", "palestra-core"]),
    (
        "palestra-web",
        &[
            "palestra-study",
            "palestra-review",
            "palestra-store",
            "palestra-tournament",
            "palestra-tune",
            "palestra-engine",
            "palestra-arena",
            "palestra-search",
            "palestra-stats",
            "palestra-settings",
            "palestra-core",
        ],
    ),
    ("palestra", &["palestra-cli", "palestra-registry", "palestra-kit", "palestra-arena", "palestra-core"]),
    ("palestra-one", &["palestra-cli", "palestra-arena", "palestra-games"]),
    (
        "palestra-cli",
        &[
            "palestra-core",
            "palestra-search",
            "palestra-arena",
            "palestra-tune",
            "palestra-stats",
            "palestra-settings",
            "palestra-tournament",
            "palestra-engine",
            "palestra-event",
            "palestra-store",
            "palestra-review",
            "palestra-study",
            "palestra-web",
        ],
    ),
    ("xtask", &[]),
];

/// Files that every game folder has besides its code.
const GAME_FILES: [&str; 7] =
    ["README.md", "rules.txt", "notation.txt", "perft.txt", "players.txt", "playthroughs.txt", "spanish.txt"];

/// A file of more than 500 lines tends to have a second subject; 100 more are allowed for tables and tests.
const MOST_LINES: usize = 600;

/// The folders of all crates.
fn crates() -> Vec<PathBuf> {
    let folder = workspace().join("crates");
    let mut crates: Vec<PathBuf> = names_in(&folder).iter().map(|name| folder.join(name)).collect();
    crates.push(workspace().join("xtask"));
    crates
}

fn manifest(folder: &Path) -> Table {
    fs::read_to_string(folder.join("Cargo.toml")).unwrap().parse().unwrap()
}

fn folder_name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// All files of the source tree, without build output and git's own files.
fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![workspace()];
    while let Some(folder) = folders.pop() {
        for name in names_in(&folder) {
            let path = folder.join(&name);
            match path.is_dir() {
                // In a git worktree `.git` is a file instead of a folder.
                _ if name == ".git" => {}
                true if name == "target" || path.join("CACHEDIR.TAG").exists() => {}
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    assert!(files.len() > 80, "only {} files were found", files.len());
    files
}

fn shown(path: &Path) -> String {
    path.strip_prefix(workspace()).unwrap().display().to_string()
}

/// All text files, with paths relative to the workspace.
fn texts() -> impl Iterator<Item = (String, String)> {
    files().into_iter().filter_map(|path| Some((shown(&path), fs::read_to_string(&path).ok()?)))
}

fn sources() -> impl Iterator<Item = (String, String)> {
    texts().filter(|(path, _)| path.ends_with(".rs"))
}

fn check_nothing(faults: &[String], what: &str) {
    assert!(faults.is_empty(), "{what}:\n{}", faults.join("\n"));
}

/// The workspace crates in a table of dependencies.
fn ours<'a>(manifest: &'a Table, table: &str) -> Vec<&'a str> {
    let names = manifest.get(table).and_then(Value::as_table).into_iter().flat_map(Table::keys);
    names.map(String::as_str).filter(|name| *name == "palestra" || name.starts_with("palestra-")).collect()
}

#[test]
fn dependencies_point_one_way() {
    let mut faults = Vec::new();
    for folder in crates() {
        let name = folder_name(&folder);
        let Some((_, allowed)) = ARROWS.iter().find(|(known, _)| *known == name) else {
            faults.push(format!("{name} is not in the table of arrows"));
            continue;
        };
        let manifest = manifest(&folder);
        for table in ["dependencies", "build-dependencies"] {
            let wrong = ours(&manifest, table).into_iter().filter(|other| !allowed.contains(other));
            faults.extend(wrong.map(|other| format!("{name} -> {other} ({table})")));
        }
        // Dev-dependencies may point in any direction, except to the crate of the binary.
        if ours(&manifest, "dev-dependencies").contains(&"palestra") {
            faults.push(format!("{name} -> palestra (dev-dependencies)"));
        }
        let targets = manifest.get("target").map(Value::to_string).unwrap_or_default();
        assert!(!targets.contains("palestra"), "{name}: arrows of one target are not looked at here");
    }
    check_nothing(&faults, "arrows that the architecture does not have");
}

#[test]
fn manifests_are_alike() {
    let root: Table = manifest(&workspace());
    assert!(root["workspace"]["package"]["version"].is_str(), "one version for all crates");
    let inherited = |value: Option<&Value>| value.and_then(|value| value.get("workspace")?.as_bool());
    let mut faults = Vec::new();
    for folder in crates() {
        let manifest = manifest(&folder);
        let name = folder_name(&folder);
        let package = &manifest["package"];
        let rules = [
            ("its name is not its folder's", package["name"].as_str() == Some(name)),
            ("version.workspace = true is missing", inherited(package.get("version")) == Some(true)),
            ("[lints] workspace = true is missing", inherited(manifest.get("lints")) == Some(true)),
            ("it has no description", package.get("description").is_some()),
        ];
        faults.extend(rules.iter().filter(|(_, holds)| !holds).map(|(fault, _)| format!("{name}: {fault}")));
    }
    check_nothing(&faults, "manifests that are not like the others");
}

#[test]
fn every_game_folder_is_registered_and_complete() {
    let games = workspace().join("crates/palestra-games/src");
    let names = names_in(&games).into_iter();
    let folders: BTreeSet<String> = names.filter(|name| games.join(name).is_dir()).collect();
    let registered: BTreeSet<String> =
        palestra_registry::GAMES.families().map(|info| info.name.to_owned()).collect();
    assert_eq!(folders, registered, "folders against the registry");
    let wanted = folders.iter().flat_map(|game| GAME_FILES.map(|file| format!("{game}/{file}")));
    let missing: Vec<String> = wanted.filter(|path| !games.join(path).is_file()).collect();
    check_nothing(&missing, "missing files of games");
}

#[test]
fn files_are_short() {
    let sizes = sources().map(|(path, text)| (text.lines().count(), path));
    let long = sizes.filter(|(lines, _)| *lines > MOST_LINES);
    let long: Vec<String> = long.map(|(lines, path)| format!("{path}: {lines} lines")).collect();
    check_nothing(&long, "files with a second subject");
}

/// The words are assembled at run time, so that the test does not match this file.
#[test]
fn nothing_is_left_for_later() {
    let calls = ["todo", "unimplemented", "dbg"].map(|name| format!("{name}!("));
    let words = [format!("#[{}", "ignore"), format!("{}{}", "TO", "DO"), format!("{}{}", "FIX", "ME")];
    let mut faults = Vec::new();
    for (path, text) in sources() {
        for word in calls.iter().chain(&words).filter(|word| text.contains(word.as_str())) {
            faults.push(format!("{path}: {word}"));
        }
    }
    check_nothing(&faults, "left for later");
}

#[test]
fn no_file_knows_a_machine() {
    let folders = ["home", "root", "work"].map(|name| format!("/{name}/"));
    let mut faults = Vec::new();
    for (path, text) in texts() {
        for (i, line) in text.lines().enumerate() {
            if folders.iter().any(|folder| line.contains(folder.as_str())) {
                faults.push(format!("{path}:{}: {line}", i + 1));
            }
        }
    }
    check_nothing(&faults, "paths of one machine");
}
