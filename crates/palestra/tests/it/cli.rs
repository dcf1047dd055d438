//! Snapshots of whole outputs of the command line. After an intended change run
//! `INSTA_UPDATE=always cargo test -p palestra --test it cli` and review the diff.

use crate::support::{command, empty_folder, finish, names_in, objects, say};

fn check(name: &str, line: &str) {
    let text = say(line);
    assert!(!text.contains('\x1b'), "color in a file: {line}");
    insta::with_settings!({ omit_expression => true, description => format!("palestra {line}") }, {
        insta::assert_snapshot!(name, text);
    });
}

#[test]
fn help() {
    check("help", "--help");
    check("help-match", "match --help");
    check("help-play", "play --help");
    check("help-tree", "tree --help");
    check("help-solve", "solve --help");
    check("help-analyze", "analyze --help");
    check("help-accuracy", "accuracy --help");
    check("help-serve", "serve --help");
    check("help-stats", "stats --help");
    check("help-ratings", "ratings --help");
}

#[test]
fn lists() {
    check("games", "games");
    check("games-connect", "games connect");
    check("players", "players");
}

#[test]
fn positions() {
    check("show", "show connect4 4455");
    check("show-ended", "show connect:3x3x3 1 3 1 3 1");
    check("explain", "explain connect4 4455 greedy/lines/1000,-500,80,-2,2,80");
    check("explain-search", "explain connect4 4455 alphabeta:depth=4/threes/4,4,1,2");
    check("explain-policy", "explain connect4 first");
    check("perft", "perft connect4 5");
    check("perft-distinct", "perft connect4 5 --moves 44 --distinct");
}

#[test]
fn games() {
    check("play", "play connect:4x3x3 --first grid-5 --second random");
    check("match", "match connect4 grid-5 random --games 20");
    check("match-openings", "match connect:9x8x5 grid-5 rival-4 --games 60 --opening-plies 4 --seed 3");
    check("match-repeated", "match connect4 grid-5 rival-4 --games 20");
}

/// The output of `cargo run` in a fresh clone.
#[test]
fn without_a_command_a_champion_is_tuned_tested_and_saved() {
    let folder = empty_folder("bare");
    let ran = finish(command::<&str>(&[]).current_dir(&folder));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in
        ["Champion", "sequential tests: better", "P1  holds", "Next", "palestra report cmaes-connect-7x6x4-1"]
    {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let played = finish(
        command(&["match", "connect4", "@cmaes-connect-7x6x4-1", "random", "--games", "20"])
            .current_dir(&folder),
    );
    assert_eq!(played.code, Some(0), "{}", played.stderr);
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish"] {
        let script = say(&format!("completions {shell}"));
        for word in ["palestra", "explain", "opening-plies"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn manual_pages() {
    let page = say("man");
    for part in [".TH palestra 1", "palestra\\-tune(1)", ".SH EXAMPLES", ".SH \"EXIT STATUS\""] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("help(1)"), "{page}");
    let folder = empty_folder("man");
    let written = say(&format!("man {}", folder.display()));
    let names = names_in(&folder);
    assert_eq!(written.lines().count(), names.len());
    for wanted in ["palestra.1", "palestra-tune.1", "palestra-run-resume.1", "palestra-study-list.1"] {
        assert!(names.iter().any(|name| name == wanted), "{wanted}: {names:?}");
    }
}

/// A command whose output is closed early, as in `palestra players | head`, exits with code 0 and no error.
#[test]
fn a_closed_pipe_is_nobodys_fault() {
    use std::process::{Command, Stdio};
    for words in
        [&["players"][..], &["completions", "bash"], &["man"], &["--help"], &["perft", "connect4", "3"]]
    {
        let mut asked = Command::new(env!("CARGO_BIN_EXE_palestra"));
        asked.args(words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = asked.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*complaint), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_version_is_told() {
    // The commit and the target depend on the build.
    let said = say("--version");
    let build = said.strip_prefix(&format!("palestra {} (", env!("CARGO_PKG_VERSION")));
    let (commit, target) = build.and_then(|build| build.strip_suffix(")\n")?.split_once(", ")).unwrap();
    assert!(!commit.is_empty() && target.contains('-'), "{said}");
}

fn check_threads(line: &str, others: &[u32]) {
    let alone = say(&format!("{line} --threads 1"));
    for n_threads in others {
        assert_eq!(say(&format!("{line} --threads {n_threads}")), alone, "{line}, {n_threads} threads");
    }
}

#[test]
fn threads_change_nothing() {
    check_threads("match connect4 random random --games 301 --opening-plies 3 --json", &[2, 3]);
    check_threads("match connect:9x8x5 grid-5 rival-4 --games 100 --opening-plies 4", &[2, 3]);
    check_threads("perft connect4 6 --json", &[2, 3]);
    check_threads("accuracy kalah:4x3 stores random --positions 12", &[2, 4]);
}

#[test]
fn the_seed_decides() {
    let play = |seed: u32| say(&format!("play connect4 --first random --second random --seed {seed}"));
    assert_eq!(play(7), play(7));
    assert_ne!(play(7), play(8));
}

/// The results of two parts of a match add up to those of the whole match.
#[test]
fn skipped_pairs_are_the_rest_of_a_match() {
    let line = "match connect4 random rival-0 --games 40 --opening-plies 2";
    let count = |line: &str| {
        let record = &objects(line)[0];
        ["wins", "draws", "losses"].map(|key| record[key].as_u64().unwrap())
    };
    let (whole, rest) = (count(line), count(&format!("{line} --skip-pairs 15")));
    let first = count("match connect4 random rival-0 --games 30 --opening-plies 2");
    assert_eq!(whole, std::array::from_fn(|i| first[i] + rest[i]));
}

#[test]
fn color_is_for_terminals() {
    for line in ["show connect4 4455", "games connect", "play connect:3x3x3 --first first --second last"] {
        assert!(!say(line).contains('\x1b'), "{line}");
        assert!(!say(&format!("{line} --color never")).contains('\x1b'), "{line}");
        assert!(say(&format!("{line} --color always")).contains("\x1b["), "{line}");
        let mut asked = command(&line.split(' ').collect::<Vec<_>>());
        assert!(!finish(asked.env("NO_COLOR", "1")).stdout.contains('\x1b'), "{line}");
    }
}

/// Options may precede or follow positional arguments, and a move list may be several arguments.
#[test]
fn words_in_any_order() {
    let expected = say("show connect4 4455 --json");
    for line in [
        "--json show connect4 4455",
        "show --json connect4 4455",
        "show connect4 4 4 5 5 --json",
        "show connect4 --json 4,4,5,5",
    ] {
        assert_eq!(say(line), expected, "{line}");
    }
    let empty = say("show connect4 --json");
    assert_eq!(say("show connect4 - --json"), empty);
    let reasons = say("explain connect4 first --json");
    assert_eq!(say("explain connect4 - first --json"), reasons);
    assert_eq!(say("explain --json connect4 first"), reasons);
}
