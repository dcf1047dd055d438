//! The example players: the docs print the tested files, and every player passes the checks.
#![allow(clippy::print_stderr, reason = "a test that could not be made says so")]

use crate::events::Place;
use crate::support::workspace;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// An example player.
struct Example {
    /// Name of its folder in `examples/players`.
    name: &'static str,
    /// Required tools, each with its alternative names. The first tool is the compiler, if one is needed.
    tools: &'static [&'static [&'static str]],
    /// Arguments of the compiler; empty if nothing is compiled.
    compile: &'static [&'static str],
    /// Player specification, with its folder in `handed-in`.
    player: &'static str,
}

const EXAMPLES: [Example; 4] = [
    Example {
        name: "python",
        tools: &[&["python3"]],
        compile: &[],
        player: "cmd(folder=handed-in/python):python3 bot.py",
    },
    Example {
        name: "cpp",
        tools: &[&["c++", "g++"]],
        compile: &["-O2", "-std=c++17", "-o", "player", "bot.cpp"],
        player: "cmd(folder=handed-in/cpp):./player",
    },
    Example {
        name: "java",
        tools: &[&["javac"], &["java"]],
        compile: &["Bot.java"],
        player: "cmd(folder=handed-in/java):java Bot",
    },
    Example {
        name: "kaggle",
        tools: &[&["python3"]],
        compile: &[],
        player: "cmd(protocol=kaggle,folder=handed-in/kaggle):agent.py",
    },
];

fn players() -> PathBuf {
    workspace().join("examples/players")
}

/// The docs print the tested files exactly.
#[test]
fn printed_players_are_the_files() {
    let page = fs::read_to_string(workspace().join("docs/enter-your-program.md")).unwrap();
    for (language, path) in [("python", "python/bot.py"), ("cpp", "cpp/bot.cpp"), ("java", "java/Bot.java")] {
        let blocks = blocks_of(&page, language);
        assert_eq!(blocks.len(), 1, "blocks of {language}");
        let file = fs::read_to_string(players().join(path)).unwrap();
        assert_eq!(blocks[0], file, "docs/enter-your-program.md prints another {path}");
    }
}

/// The code blocks in a language, each with its final newline.
fn blocks_of<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("\n```{language}\n");
    let to_end = |rest: &'a str| &rest[..=rest.find("\n```\n").unwrap()];
    page.split(fence.as_str()).skip(1).map(to_end).collect()
}

/// The players pass `engine check` on two boards and play an event as submissions without a failure.
#[test]
fn the_players_of_the_docs_are_fit_to_play() {
    let place = Place::new("example-players");
    let mut n_ready = 0;
    for example in &EXAMPLES {
        let folder = place.0.join("handed-in").join(example.name);
        if !make(example, &folder) {
            continue;
        }
        n_ready += 1;
        for board in ["connect4", "connect:9x8x5"] {
            let words = ["engine", "check", board, example.player, "--clock", "10/move", "--startup", "60"];
            let trial = place.object(&words, 0);
            assert_eq!(trial["fit"], true, "{}: {trial}", example.name);
            let checks = trial["checks"].as_array().unwrap();
            assert!(checks.len() >= 5, "{}: {trial}", example.name);
            // None comes close to a limit, a Java virtual machine under 1 GiB included.
            if cfg!(target_os = "linux") {
                let resources = checks.iter().find(|check| check["name"] == "resources");
                assert_eq!(resources.unwrap()["grade"], "good", "{}: {trial}", example.name);
            }
        }
    }
    if n_ready == 0 {
        return;
    }
    let what = ["tournament", "connect4", "--submissions", "handed-in", "--staff", "regular=grid-5"];
    let how = ["--format", "gauntlet", "--opening-plies", "4", "--clock", "10/move", "--startup", "60"];
    let event = place.object(&[&what[..], &how].concat(), 0);
    let rows = event["standings"].as_array().unwrap();
    assert_eq!(rows.len(), n_ready + 1, "{event}");
    assert!(rows.iter().all(|row| row["forfeits"] == 0), "{event}");
}

/// Copies an example into a folder and compiles it; returns false and prints a note if a tool is missing.
fn make(example: &Example, folder: &Path) -> bool {
    let tools: Option<Vec<&str>> = example.tools.iter().map(|names| tool(names)).collect();
    let Some(tools) = tools else {
        let needed: Vec<String> = example.tools.iter().map(|names| names.join(" or ")).collect();
        eprintln!("NOT TESTED: the {} player was not run: it needs {}", example.name, needed.join(" and "));
        return false;
    };
    fs::create_dir_all(folder).unwrap();
    for entry in fs::read_dir(players().join(example.name)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
    }
    if !example.compile.is_empty() {
        let output = Command::new(tools[0]).args(example.compile).current_dir(folder).output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {complaint}", example.name);
    }
    true
}

/// The first of these tools that runs on this system.
fn tool(names: &[&'static str]) -> Option<&'static str> {
    let works = |name: &&'static str| {
        let mut command = Command::new(name);
        let asked = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    names.iter().copied().find(works)
}
