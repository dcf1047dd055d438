//! `palestra check-submissions --compile` with the compilers of the machine.
#![allow(clippy::print_stderr, reason = "a test that could not be made says so")]

use crate::events::Place;
use crate::support::workspace;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Puts a file into a submission.
fn put(place: &Place, path: &str, text: &str) {
    let path = place.0.join("handed-in").join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn has(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = command.status().is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("NOT TESTED: compiling needs {tool}");
    }
    is_there
}

/// The objects of a check with `--compile`, by folder.
fn compile(place: &Place, more: &[&str]) -> BTreeMap<String, Value> {
    let words = ["check-submissions", "connect4", "handed-in", "--compile", "--json", "--startup", "60"];
    let ran = place.run(&[&words[..], &["--clock", "5/move"], more].concat());
    assert!([Some(0), Some(3)].contains(&ran.code), "{}", ran.stderr);
    let objects = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    objects.map(|one| (one["folder"].as_str().unwrap().to_owned(), one)).collect()
}

/// Plays the first column with room, in C.
const C: &str = r#"
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include "board.h"
int main(void) {
    static char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "ugi", 3) && line[3] != 'n') puts("id name c\nugiok");
        else if (!strncmp(line, "isready", 7)) puts("readyok");
        else if (!strncmp(line, "position", 8)) read_moves(line);
        else if (!strncmp(line, "go", 2)) printf("bestmove %d\n", first_column());
        else if (!strncmp(line, "quit", 4)) break;
        fflush(stdout);
    }
    return 0;
}
"#;
const C_BOARD: &str = r#"
#include <stdlib.h>
#include <string.h>
#include "board.h"
static int heights[8];
void read_moves(char *line) {
    memset(heights, 0, sizeof heights);
    char *moves = strstr(line, "moves");
    for (char *word = moves ? strtok(moves + 5, " \n") : NULL; word; word = strtok(NULL, " \n")) heights[atoi(word)]++;
}
int first_column(void) { int column = 1; while (heights[column] >= 6) column++; return column; }
"#;
const C_HEADER: &str = "void read_moves(char *line);\nint first_column(void);\n";

/// The same in Rust.
const RUST: &str = r#"
use std::io::{self, BufRead};
fn main() {
    let mut heights = [0; 8];
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        match line.split_whitespace().next() {
            Some("ugi") => println!("id name rust\nugiok"),
            Some("isready") => println!("readyok"),
            Some("position") => {
                heights = [0; 8];
                for word in line.split_whitespace().skip(3) { heights[word.parse::<usize>().unwrap()] += 1; }
            }
            Some("go") => println!("bestmove {}", (1..8).find(|&column| heights[column] < 6).unwrap()),
            Some("quit") => break,
            _ => {}
        }
    }
}
"#;

/// The same in JavaScript.
const JAVASCRIPT: &str = r#"
let heights = Array(8).fill(0);
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const words = line.trim().split(/\s+/);
  if (words[0] === 'ugi') console.log('id name js\nugiok');
  else if (words[0] === 'isready') console.log('readyok');
  else if (words[0] === 'position') { heights = Array(8).fill(0); words.slice(3).forEach((word) => heights[+word]++); }
  else if (words[0] === 'go') console.log('bestmove ' + [1, 2, 3, 4, 5, 6, 7].find((column) => heights[column] < 6));
  else if (words[0] === 'quit') process.exit(0);
});
"#;

/// Sources of every language are compiled, play, and give the same program when they are compiled again.
#[test]
fn sources_of_every_language_are_compiled() {
    let place = Place::new("compile-languages");
    let example = |path: &str| fs::read_to_string(workspace().join("examples/players").join(path)).unwrap();
    let mut programs = BTreeMap::new();
    if has("gcc") {
        for (file, text) in [("bot.c", C), ("board.c", C_BOARD), ("board.h", C_HEADER)] {
            put(&place, &format!("c/{file}"), text);
        }
        programs.insert("c", ("C", "cmd:./player"));
    }
    if has("g++") {
        put(&place, "cpp/bot.cpp", &example("cpp/bot.cpp"));
        programs.insert("cpp", ("C++", "cmd:./player"));
    }
    if has("rustc") {
        put(&place, "rust/bot.rs", RUST);
        programs.insert("rust", ("Rust", "cmd:./player"));
    }
    if has("cargo") {
        put(&place, "cargo/src/main.rs", RUST);
        put(
            &place,
            "cargo/Cargo.toml",
            "[package]\nname = \"bot\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
        );
        programs.insert("cargo", ("Rust", "cmd:./player"));
    }
    if has("javac") && has("java") {
        put(&place, "java/Bot.java", &example("java/Bot.java"));
        put(&place, "java/Board.java", "public class Board { int[] heights = new int[7]; }\n");
        put(
            &place,
            "package/course/bot/Bot.java",
            &format!("package course.bot;\n{}", example("java/Bot.java")),
        );
        programs.insert("java", ("Java", "cmd:java -cp . Bot"));
        programs.insert("package", ("Java", "cmd:java -cp . course.bot.Bot"));
    }
    if has("node") {
        put(&place, "js/bot.js", JAVASCRIPT);
        programs.insert("js", ("JavaScript", "cmd:node bot.js"));
    }
    if programs.is_empty() {
        return;
    }
    let checked = compile(&place, &[]);
    for (folder, (language, program)) in &programs {
        let one = &checked[*folder];
        assert_eq!(one["compiled"]["language"].as_str(), Some(*language), "{one}");
        assert_eq!(one["fit"].as_bool(), Some(true), "{one}");
        assert_eq!(one["program"].as_str(), Some(*program), "{one}");
    }
    // Otherwise each would be a new player, whose games are played again.
    for (folder, one) in compile(&place, &[]) {
        assert_eq!(one["compiled"]["written"].as_array().unwrap().len(), 0, "{folder}: {one}");
    }
}

/// What does not compile is not fit, with the compiler's words for staff and student.
#[test]
fn errors_of_compilers_are_reported() {
    let place = Place::new("compile-errors");
    put(&place, "none/README.md", "later");
    put(&place, "two/bot.c", "");
    put(&place, "two/bot.cpp", "");
    put(&place, "sharp/Bot.cs", "class Bot {}");
    let (has_gcc, has_node) = (has("gcc"), has("node"));
    if has_gcc {
        put(&place, "c/bot.c", "int main(void) { return undeclared; }\n");
    }
    if has_node {
        put(&place, "js/bot.js", "let let = ;\n");
    }
    let checked = compile(&place, &["--reports", "reports"]);
    let reason = |folder: &str| checked[folder]["reason"].as_str().unwrap().to_owned();
    assert!(checked.values().all(|one| one["fit"] == false));
    assert!(reason("two").contains("C and C++"), "{}", reason("two"));
    assert!(reason("none").contains("player.toml"), "{}", reason("none"));
    assert!(checked["none"]["compiled"].is_null());
    if !has("dotnet") {
        let expected =
            "does not compile: dotnet is not installed here; staff can install it: apt install dotnet-sdk";
        assert!(reason("sharp").contains(expected), "{}", reason("sharp"));
    }
    if has_gcc {
        assert!(reason("c").contains("undeclared"), "{}", reason("c"));
        let report = fs::read_to_string(place.0.join("reports/c.txt")).unwrap();
        for part in ["NOT FIT", "Compiled as C: gcc -O2", "./bot.c:1:"] {
            assert!(report.contains(part), "{part}: {report}");
        }
        assert!(!place.0.join("handed-in/c/player").exists());
    }
    if has_node {
        assert!(reason("js").contains("SyntaxError"), "{}", reason("js"));
    }
}

/// Commands that students wrote run only on request, confined, and for a limited time.
#[test]
fn commands_of_students_are_confined() {
    let place = Place::new("compile-commands");
    let toml = |compile: &str| format!("command = [\"./player\"]\ncompile = {compile}\n");
    put(&place, "ana/player.toml", &toml("\"sh build.sh\""));
    put(
        &place,
        "ana/build.sh",
        "cp source player && chmod +x player\ncat ../eva/secret > stolen 2> /dev/null\ntrue\n",
    );
    put(&place, "ana/source", "#!/bin/sh\nexit 0\n");
    put(&place, "eva/player.toml", &toml("[\"sh\", \"-c\", \"while :; do :; done\"]"));
    put(&place, "eva/secret", "solution");
    put(
        &place,
        "leo/player.toml",
        &toml("[\"sh\", \"-c\", \"echo made > ../eva/player; echo made > made\"]"),
    );
    let path = |name: &str| place.0.join("handed-in").join(name);
    compile(&place, &[]);
    assert!(!path("ana/player").exists() && !path("leo/made").exists());
    let checked = compile(&place, &["--student-commands", "--compile-seconds", "2"]);
    assert_eq!(fs::read(path("ana/player")).unwrap(), fs::read(path("ana/source")).unwrap());
    assert_eq!(fs::read(path("ana/stolen")).unwrap_or_default(), b"", "nothing of others can be read");
    assert!(path("leo/made").exists() && !path("eva/player").exists());
    let reason = checked["eva"]["reason"].as_str().unwrap();
    assert!(reason.contains("not done after 2 s"), "{reason}");
    let is_program = |path: &Path| {
        use std::os::unix::fs::PermissionsExt;
        fs::metadata(path).unwrap().permissions().mode() & 0o111 != 0
    };
    assert!(is_program(&path("ana/player")) && !is_program(&path("leo/made")));
}
