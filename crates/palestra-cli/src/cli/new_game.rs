//! `palestra new-game NAME --crate`: a game in a crate of its own, as a template.

use super::args::NewGameArgs;
use super::output::Output;
use anyhow::{Context, Result};
use palestra_core::InputError;
use std::fs;
use std::path::{Path, PathBuf};

/// The template of a game, which `cargo xtask new-game` uses as well. Placeholders are `skeleton` (name), `Skeleton`
/// (type) and `SKELETON` (title).
macro_rules! skeleton {
    ($($file:literal => $path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../../../xtask/skeleton/", $file)))),*]
    };
}

const SKELETON: [(&str, &str); 11] = skeleton![
    "features.rs" => "src/features.rs",
    "mod.rs" => "src/lib.rs",
    "notation.txt" => "src/notation.txt",
    "perft.txt" => "src/perft.txt",
    "players.txt" => "src/players.txt",
    "playthroughs.txt" => "src/playthroughs.txt",
    "rules.rs" => "src/rules.rs",
    "rules.txt" => "src/rules.txt",
    "spanish.txt" => "src/spanish.txt",
    "tests.rs" => "src/tests.rs",
    "text.rs" => "src/text.rs",
];

/// Keywords and reserved words of Rust, which are no names of crates.
const KEYWORDS: &str = include_str!("../../../../xtask/src/new_game/keywords.txt");

/// What a version control system leaves out: compiled files, and the store with its companions.
const IGNORED: &str = "/target\n*.db\n*.db-*\n";

const MANIFEST: &str = r#"[package]
name = "skeleton"
description = "SKELETON for Palestra"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
# Without the shipped games, which take minutes to compile; `palestra::games` has them with the feature `games`.
palestra = { SOURCE, default-features = false }

# Not a member of a workspace around it.
[workspace]

# The game and the searches are optimized in development, too; the rest of Palestra is not, so that it compiles quickly.
[profile.dev]
opt-level = 1

[profile.dev.package]
"*" = { opt-level = 0, debug = false }
palestra-arena.opt-level = 1
palestra-core.opt-level = 1
palestra-search.opt-level = 1
palestra-stats.opt-level = 1
"#;

const MAIN: &str = r#"//! Palestra with SKELETON: all commands, tournaments and the page.

use std::process::ExitCode;

fn main() -> ExitCode {
    palestra::main(&skeleton::GAMES)
}
"#;

const KIT: &str = r#"//! The conformance kit.

use skeleton::SkeletonFamily;
use palestra::kit::{TestEffort, check_family, record_playthroughs};

/// With the environment variable `PALESTRA_BLESS` set, records the games of `playthroughs.txt` anew.
#[test]
fn the_kit() {
    if std::env::var_os("PALESTRA_BLESS").is_some() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/playthroughs.txt");
        std::fs::write(file, record_playthroughs::<SkeletonFamily>().unwrap()).unwrap();
        return;
    }
    let report = check_family::<SkeletonFamily>(TestEffort::Usual).unwrap();
    println!("{report:?}");
}
"#;

/// The catalog, which a game of the workspace has elsewhere.
const CATALOG: &str = r"
/// The games of this program.
pub static GAMES: Catalog = Catalog::new(&[CatalogEntry::of::<SkeletonFamily>()]);
";

pub(super) fn run(args: &NewGameArgs, output: &mut Output) -> Result<()> {
    let name = args.name.as_str();
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !is_name {
        return Err(
            InputError::new("NAME", name, "a word of lower-case letters and digits, a letter first").into()
        );
    }
    if KEYWORDS.lines().any(|word| word == name) {
        return Err(InputError::new("NAME", name, "a name that is not a keyword of Rust").into());
    }
    if !args.is_crate {
        let reason = "games inside the source tree are made by cargo xtask new-game; add --crate";
        return Err(InputError::not_allowed("new-game", reason).into());
    }
    let (source, lock) = source(args.source.as_deref())?;
    let folder = Path::new(name);
    if folder.exists() {
        return Err(InputError::new("NAME", name, "a name of which there is no folder yet").into());
    }
    let mut files = files(name, &source);
    files.extend(lock.map(|text| ("Cargo.lock", text)));
    let written = write_all(folder, &files);
    if written.is_err() {
        // The folder is new: nothing of anyone else's is removed.
        let _ = fs::remove_dir_all(folder);
    }
    written?;
    output.line(format_args!("created {name} with {} files\n\nNext steps", files.len()))?;
    output.line(format_args!("  cd {name}"))?;
    output.line("  cargo test                      # the conformance kit and the game's own tests")?;
    output.line(format_args!("  cargo run --release -- play {name}"))?;
    output.line("  cargo run --release -- serve")?;
    output.line("\nThen replace the rules, texts and features with yours: docs/your-own-game.md")
}

/// The dependency on Palestra, as TOML: a folder of its source tree, or a git repository. With a folder, also its
/// `Cargo.lock`, so that the crate starts with the versions that Palestra is tested with.
fn source(given: Option<&str>) -> Result<(String, Option<String>), InputError> {
    let is_tree = |folder: &Path| folder.join("crates/palestra/Cargo.toml").is_file();
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let tree = match given {
        Some(url) if url.contains("://") => return Ok((format!("git = {}", quoted(url)), None)),
        Some(folder) => Some(PathBuf::from(folder)).filter(|folder| is_tree(folder)),
        None => std::env::current_dir()
            .ok()
            .and_then(|here| here.ancestors().find(|folder| is_tree(folder)).map(Path::to_owned)),
    };
    let absolute = tree.and_then(|folder| folder.canonicalize().ok());
    match absolute {
        Some(folder) => {
            let path = format!("path = {}", quoted(&folder.join("crates/palestra").display().to_string()));
            Ok((path, fs::read_to_string(folder.join("Cargo.lock")).ok()))
        }
        None => {
            let expected = "the folder of Palestra's source tree, or the URL of its git repository";
            Err(InputError::new("--source", given.unwrap_or_default(), expected))
        }
    }
}

/// All files of the crate: path and text.
fn files(name: &str, source: &str) -> Vec<(&'static str, String)> {
    let mut type_name = name.to_owned();
    type_name[..1].make_ascii_uppercase();
    let fill = |text: &str| {
        let text = text.replace("palestra_core::", "palestra::core::").replace("SOURCE", source);
        text.replace("skeleton", name).replace("Skeleton", &type_name).replace("SKELETON", &type_name)
    };
    let mut files: Vec<(&str, String)> = SKELETON.iter().map(|(path, text)| (*path, fill(text))).collect();
    for (path, text) in &mut files {
        if *path == "src/lib.rs" {
            let import = "use palestra::core::{";
            *text = text.replacen(
                import,
                &format!("use palestra::arena::{{Catalog, CatalogEntry}};\n{import}"),
                1,
            );
            text.push_str(&fill(CATALOG));
        }
    }
    let others =
        [("Cargo.toml", MANIFEST), ("src/main.rs", MAIN), ("tests/kit.rs", KIT), (".gitignore", IGNORED)];
    files.extend(others.map(|(path, text)| (path, fill(text))));
    files
}

fn write_all(folder: &Path, files: &[(&str, String)]) -> Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        let files = files("nim", "path = \"x\"");
        let text = |path: &str| &files.iter().find(|(other, _)| *other == path).unwrap().1;
        assert!(text("Cargo.toml").contains("palestra = { path = \"x\", default-features = false }"));
        assert!(text("src/lib.rs").contains("CatalogEntry::of::<NimFamily>()"));
        assert!(text("src/main.rs").contains("palestra::main(&nim::GAMES)"));
        for (path, text) in &files {
            assert!(!text.to_lowercase().contains("skeleton") && !text.contains("palestra_core"), "{path}");
        }
    }
}
