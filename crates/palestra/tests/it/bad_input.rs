//! Invalid command lines: each prints one line on standard error, exits with code 2 and leaves no files.

use crate::support::{command, empty_folder, finish, names_in, run, say};
use std::ffi::OsString;

/// Runs an invalid command line in an empty folder. The message must contain `part`.
fn check_words<S: Into<OsString> + Clone>(words: &[S], part: &str) {
    refuse(words, part, 2);
}

fn refuse<S: Into<OsString> + Clone>(words: &[S], part: &str, code: i32) {
    let words: Vec<OsString> = words.iter().cloned().map(Into::into).collect();
    let name = std::thread::current().name().unwrap().replace("::", "-");
    let folder = empty_folder(&format!("{name}-{}", std::process::id()));
    let ran = finish(command(&words).current_dir(&folder));
    let shown: String = format!("{words:?}").chars().take(200).collect();
    let said = &ran.stderr;
    assert_eq!(ran.code, Some(code), "{shown}: {said}");
    assert_eq!(ran.stdout, "", "{shown}");
    assert!(said.starts_with("error: ") && said.ends_with('\n'), "{shown}: {said}");
    assert_eq!(said.matches(['\n', '\r']).count(), 1, "{shown}: {said}");
    assert!(!said.contains('\x1b') && !said.contains("panicked"), "{shown}: {said}");
    assert!(said.len() < 2_000, "{shown}: {} bytes", said.len());
    assert!(said.contains(part), "{shown}: {said}");
    assert_eq!(names_in(&folder), [""; 0], "{shown} left something behind");
    std::fs::remove_dir_all(folder).unwrap();
}

/// An invalid command line; arguments are separated by spaces, without quotes.
fn check(line: &str, part: &str) {
    check_words(&line.split(' ').collect::<Vec<_>>(), part);
}

#[test]
fn commands_and_options() {
    check("frobnicate", "frobnicate");
    check("shwo connect4", "show");
    check("show", "GAME");
    check("explain connect4", "MOVES PLAYER");
    check("match connect4 random", "<B>");
    check("perft connect4", "DEPTH");
    check("perft connect4 0", "0");
    check("perft connect4 61", "61");
    check("perft connect4 x", "x");
    check("perft connect4 -3", "-3");
    check("show connect4 --frobnicate", "--frobnicate");
    check("show connect4 -x", "-x");
    check("games --seed", "--seed");
    check("games --seed -1", "-1");
    check("games --seed 99999999999999999999", "99999999999999999999");
    check("games --threads 0", "0");
    check("games --threads 100000", "100000");
    check("games --color blue", "blue");
    check("match connect4 random random --games 0", "0");
    check("match connect4 random random --games 1.5", "1.5");
    check("match connect4 random random --games -4", "-4");
    check("match connect4 random random --opening-plies 1001", "1001");
    check("bench frobnicate", "\"frobnicate\" for case: expected a benchmark");
    check("bench playout", "did you mean \"playouts\"?");
    check("bench --repeat 0", "0");
    check("completions", "SHELL");
    check("completions csh", "csh");
    check("games connect extra", "extra");
}

#[test]
fn games() {
    for (game, part) in [
        ("chess", "\"chess\" for game: expected a known game"),
        ("conect4", "did you mean \"connect4\"?"),
        ("Connect4", "did you mean \"connect4\"?"),
        ("conect:7x6x4", "did you mean \"connect\"?"),
        ("connect", "COLUMNSxROWSxRUN"),
        ("connect:", "COLUMNSxROWSxRUN"),
        ("connect:7", "COLUMNSxROWSxRUN"),
        ("connect:7x6", "COLUMNSxROWSxRUN"),
        ("connect:7x6x", "run of"),
        ("connect:7x6x4x", "pieces of"),
        ("connect:7x6x4x5x6", "COLUMNSxROWSxRUN"),
        ("connect:0x6x4", "expected a whole number from 1 to 32"),
        ("connect:7x0x4", "rows of"),
        ("connect:7x6x0", "run of"),
        ("connect:7x6x4x0", "pieces of"),
        ("connect:33x6x4", "columns of"),
        ("connect:7x6x33", "run of"),
        ("connect:-7x6x4", "columns of"),
        ("connect:7.0x6x4", "columns of"),
        ("connect:7X6X4", "COLUMNSxROWSxRUN"),
        ("connect:99999999999999999999x6x4", "columns of"),
        ("connect4:7x6x4", "game"),
        (":", "game"),
        ("", "game"),
    ] {
        check_words(&["show", game], part);
        check_words(&["match", game, "random", "random", "--games", "2"], part);
        check_words(&["play", game, "--first", "random", "--second", "random"], part);
        check_words(&["perft", game, "2"], part);
        check_words(&["explain", game, "random"], part);
    }
    check("players connect:0x6x4", "columns of");
    check("players conect", "did you mean \"connect\"?");
    check("games connect:0x6x4", "columns of");
    check("games conect", "did you mean \"connect\"?");
}

#[test]
fn players() {
    for (player, part) in [
        ("gready/lines/1,2,3,4,5,6", "did you mean \"greedy\"?"),
        ("rivl-4", "did you mean \"rival-4\"?"),
        ("human", "player"),
        ("", "player"),
        ("/", "player"),
        ("greedy", "evaluation of"),
        ("greedy/", "evaluation of"),
        ("greedy/line/1,2,3,4,5,6", "did you mean \"lines\"?"),
        ("greedy/lines", "6 numbers"),
        ("greedy/lines/", "6 numbers"),
        ("greedy/lines/1,2,3,4,5", "not 5"),
        ("greedy/lines/1,2,3,4,5,6,7", "not 7"),
        ("greedy/lines/1,2,3,4,5,", "missing value"),
        ("greedy/lines/1,2,,4,5,6", "missing value"),
        ("greedy/lines/1,2,3,4,5,x", "\"x\" for weights"),
        ("greedy/lines/1,2,3,4,5,6/7", "\"6/7\" for weights"),
        ("greedy/lines/nan,2,3,4,5,6", "finite"),
        ("greedy/lines/1,inf,3,4,5,6", "finite"),
        ("greedy/lines/1,-infinity,3,4,5,6", "finite"),
        ("greedy/lines/1e999,2,3,4,5,6", "finite"),
        ("greedy/lines/1e308,2,3,4,5,6", "overflow"),
        ("greedy/threes/1e308,1,1,1", "overflow"),
        ("greedy/potential/1,1e308,1,1,1,1,1,1,1,1", "overflow"),
        ("greedy/potential/1,2,3", "10 numbers"),
        ("greedy/noise/1", "no weights"),
        ("greedy:/lines/1,2,3,4,5,6", "key=value"),
        ("greedy:ties/lines/1,2,3,4,5,6", "key=value"),
        ("greedy:ties=frist/lines/1,2,3,4,5,6", "did you mean \"first\"?"),
        ("greedy:ties=/lines/1,2,3,4,5,6", "missing value"),
        ("greedy:depth=2/lines/1,2,3,4,5,6", "a parameter of greedy"),
        ("alphabeta:/threes/4,4,1,2", "key=value"),
        ("alphabeta:depth/threes/4,4,1,2", "key=value"),
        ("alphabeta:depth=/threes/4,4,1,2", "depth of"),
        ("alphabeta:depth=0/threes/4,4,1,2", "a whole number from 1 to 1000"),
        ("alphabeta:depth=-1/threes/4,4,1,2", "depth of"),
        ("alphabeta:depth=1001/threes/4,4,1,2", "depth of"),
        ("alphabeta:dept=4/threes/4,4,1,2", "did you mean \"depth\"?"),
        ("alphabeta:depth=4,depth=5/threes/4,4,1,2", "twice"),
        ("alphabeta:time=0.2/threes/4,4,1,2", "expected milliseconds, a whole number from 1 to 86400000"),
        ("minimax:depth=4", "evaluation of"),
        ("minimax:depth=1e3/threes/4,4,1,2", "depth of"),
    ] {
        check_words(&["explain", "connect4", "4455", player], part);
        check_words(&["match", "connect4", "random", player, "--games", "2"], part);
        if player != "human" {
            check_words(&["play", "connect4", "--first", player, "--second", "random"], part);
        }
    }
}

#[test]
fn what_cannot_be_solved() {
    for (line, part) in [
        ("mancala:uam,fuga", "\"mancala:uam,fuga\" for game: expected a game with a solver: connect, "),
        ("connect:14x14x7", "\"connect:14x14x7\" for game: expected a game with a solver"),
        ("ladrillos:9", "on a smaller board, or later in the game"),
        ("connect4 1212121", "the game has not ended"),
        ("connect:1x1x2 1", "the game has not ended"),
        ("connect4 1111111", "move 7 of"),
        ("kalah:4x3 --memory 3", "such as 512M or 4G"),
        ("kalah:4x3 --memory 0G", "expected a size"),
        ("kalah:4x3 --memory -1G", "-1"),
        ("kalah:4x3 --memory 1.5G", "expected a size"),
        ("kalah:4x3 --memory 9999999999999999999G", "expected a size"),
        ("kalah:4x3 --memory 連", "expected a size"),
    ] {
        check(&format!("solve {line} --no-cache"), part);
    }
    check("analyze connect4 1212121", "the game has not ended");
    check("analyze kalah:4x3 --player perfct", "did you mean \"perfect\"?");
    check("analyze kalah:4x3 --nodes 0", "0");
    check("accuracy connect4", "PLAYER");
    check("accuracy connect4 rndom", "did you mean \"random\"?");
    check("accuracy connect4 random --positions 0", "0");
    check("accuracy mancala:uam,fuga perfect", "cannot be used here: this game cannot be solved");
    check("explain connect:14x14x7 perfect", "cannot be used here: this game cannot be solved");
    for (player, part) in [
        ("perfect:foo=1", "expected memory=MEGABYTES, the only parameter of perfect"),
        ("perfect:", "missing value"),
        ("perfect:memory=", "a whole number from 1 to 65536"),
        ("perfect:memory=0", "a whole number from 1 to 65536"),
        ("perfect/margin", "the only parameter of perfect"),
    ] {
        check_words(&["explain", "kalah:4x3", player], part);
    }
}

#[test]
fn moves_and_setups() {
    for (moves, part) in [
        ("8", "\"8\" for move 1 of \"8\": expected a legal move"),
        ("0", "\"0\" for move 1 of \"0\": expected a legal move"),
        ("44x", "legal move"),
        ("four", "legal move"),
        ("4 -", "legal move"),
        ("1111111", "move 7 of"),
        ("12121212", "the game has ended before it"),
        ("1 2 1 2 1 2 1 2", "the game has ended before it"),
    ] {
        check_words(&["show", "connect4", moves], part);
        check_words(&["explain", "connect4", moves, "grid-5"], part);
        check_words(&["perft", "connect4", "2", "--moves", moves], part);
        check_words(&["play", "connect4", "--first", "random", "--second", "random", "--moves", moves], part);
        check_words(&["match", "connect4", "random", "random", "--games", "2", "--moves", moves], part);
    }
    let empty = "......./......./......./......./.......";
    for (setup, part) in [
        (String::new(), "side to move"),
        (" ".to_owned(), "side to move"),
        (format!("{empty}/......."), "side to move"),
        (format!("{empty}/....... 3"), "side to move"),
        (format!("{empty}/.......1"), "side to move"),
        (format!("{empty} 1"), "6 rows"),
        (format!("{empty}/......./....... 1"), "6 rows"),
        (format!("{empty}/...... 1"), "7 cells"),
        (format!("{empty}/........ 1"), "7 cells"),
        (format!("{empty}/...x... 1"), "one of . 1 2"),
        ("1....../......./......./......./......./....... 1".to_owned(), "without gaps"),
        ("......./......./......./......./2222.../1111... 1".to_owned(), "lines of one side only"),
        ("1111111/1111111/1111111/1111111/2222222/1111111 1".to_owned(), "stones"),
    ] {
        for command in
            [&["show", "connect4"][..], &["explain", "connect4", "grid-5"], &["perft", "connect4", "2"]]
        {
            check_words(&[command, &["--setup", &setup]].concat(), part);
        }
    }
}

/// Invalid text of any length and any characters is refused in one printable line.
#[test]
fn monstrous_words() {
    let long = "7".repeat(100_000);
    for words in [
        [long.as_str()].as_slice(),
        &["show", &long],
        &["show", &format!("connect:{long}")],
        &["show", &format!("connect:{}", "7x".repeat(50_000))],
        &["show", "connect4", &long],
        &["show", "connect4", "--setup", &long],
        &["show", "connect4", &format!("--{long}")],
        &["explain", "connect4", &long],
        &["explain", "connect4", &format!("greedy/lines/{long}")],
        &["explain", "connect4", &format!("greedy/{long}")],
        &["explain", "connect4", &format!("alphabeta:depth={long}/threes/4,4,1,2")],
        &["explain", "connect4", &format!("alphabeta:{long}=4/threes/4,4,1,2")],
        &["games", "--seed", &long],
        &["bench", &long],
    ] {
        check_words(words, "error");
    }
    for odd in ["\n", "a\nb", "a\r\nUsage: b", "\u{1b}[31mred", "\u{7}", "\t", "\u{85}", "連", "é\u{301}"] {
        for words in [
            [odd].as_slice(),
            &["show", odd],
            &["show", &format!("connect:{odd}")],
            &["show", &format!("connect:7x6x4{odd}")],
            &["show", "connect4", &format!("x{odd}")],
            &["show", "connect4", "--setup", odd],
            &["explain", "connect4", odd],
            &["explain", "connect4", &format!("greedy/lines{odd}/1,2,3,4,5,6")],
            &["explain", "connect4", &format!("greedy/lines/1,2,3,4,5,{odd}")],
            &["explain", "connect4", &format!("greedy:{odd}=1/lines/1,2,3,4,5,6")],
            &["games", &format!("--{odd}")],
            &["games", "--seed", odd],
            &["bench", odd],
        ] {
            check_words(words, "error");
        }
    }
}

#[cfg(unix)]
#[test]
fn words_that_are_not_text() {
    use std::os::unix::ffi::OsStringExt;
    let odd = || OsString::from_vec(b"conn\xffect4".to_vec());
    let words = |words: &[&str]| words.iter().map(OsString::from).chain([odd()]).collect::<Vec<_>>();
    for before in [
        &[][..],
        &["show"],
        &["show", "connect4"],
        &["show", "connect4", "--setup"],
        &["explain", "connect4"],
        &["match", "connect4", "random"],
        &["perft", "connect4"],
        &["games", "--seed"],
        &["bench"],
        &["completions"],
    ] {
        check_words(&words(before), "error");
    }
}

#[test]
fn a_picture_that_cannot_be_written() {
    refuse(&["show", "connect4", "4455", "--svg", "nowhere/board.svg"], "cannot write nowhere/board.svg", 1);
    check("show connect4 4455 --svg .", "it is a folder");
    check_words(&["show", "connect4", "4455", "--svg", ""], "--svg");
    check("show connect4 9999 --svg board.svg", "legal move");
    for option in ["--svg", "--png"] {
        let tree = ["tree", "ladrillos:2", "minimax/margin", option];
        refuse(&[&tree[..], &["nowhere/tree"]].concat(), "cannot write nowhere/tree", 1);
        check_words(&[&tree[..], &["."]].concat(), "it is a folder");
        check_words(&[&tree[..], &[""]].concat(), option);
    }
}

/// The file is replaced as a whole, and no temporary file stays in the folder.
#[test]
fn a_picture_is_well_formed() {
    let folder = empty_folder("picture");
    let path = folder.join("board.svg");
    std::fs::write(&path, "before").unwrap();
    let ran = run(&["show", "connect4", "4455", "--svg", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(names_in(&folder), ["board.svg"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').expect("every tag is closed");
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => {}
            None => open.push(tag.split(' ').next().unwrap()),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
    }
    assert!(open.is_empty(), "{open:?} never closed");
    let stones = |class: &str| text.matches(&format!("<circle class=\"{class}\"")).count();
    assert_eq!([stones("first"), stones("second"), stones("hole"), stones("mark")], [2, 2, 38, 1]);
}

#[test]
fn a_run_longer_than_the_board_is_a_draw() {
    let text = say("match connect:4x4x9 random random --games 200");
    let row = text.lines().find(|line| line.starts_with("random")).unwrap();
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["random", "200", "0", "200", "0", "50.0", "%"]);
}

#[test]
fn programs() {
    for line in
        ["tree connect4 cmd:./bot", "analyze connect4 --player cmd:./bot", "engine serve connect4 cmd:./bot"]
    {
        check(line, "expected a built-in player");
    }
    check("match connect4 random random --clock fast", "a time control");
    check("match connect4 cmd(protocol=uggi):./bot random", "did you mean \"ugi\"?");
    check("match connect4 cmd: random", "a program");
    check("explain connect4 grid-5 --values random", "--values cannot be used here: grid-5 is built in");
    check("explain connect4 cmd:./bot --values randm", "did you mean \"random\"?");
    let cannot = "cannot be used here: the protocol";
    check(
        "accuracy ladrillos:4 cmd(protocol=ladrillos):./bot",
        "ladrillos cannot send moves that were played before",
    );
    check("match ladrillos:4 cmd(protocol=ladrillos):./bot random --opening-plies 2", cannot);
    check("explain connect4 44 cmd(protocol=conecta-c):./bot", cannot);
    let setup = "......./......./......./......./..1..../..21... 1";
    check_words(&["play", "connect4", "--first", "cmd(protocol=gtp):./bot", "--setup", setup], cannot);
    check("play ladrillos:4 --first cmd(protocol=conecta-c):./bot", "a game of the protocol conecta-c");
    check("match connect4 ./no-such-folder random", "./no-such-folder");
}

/// Names that the store would refuse are refused before the work and before a store is made.
#[test]
fn names_in_the_store() {
    check("tune connect4 --budget 1gen --save a/b", "\"a/b\" for --save: expected at most 100 letters");
    check("tune connect4 --budget 1gen --save 17", "\"17\" for --save");
    check("tournament connect4 grid-5 random --name a/b", "\"a/b\" for --name");
}

/// Numbers for which the statistics have no value.
#[test]
fn samples_without_a_mean() {
    check("stats --values 1,2 --against nan", "--against");
    check("stats --values 1,2 --against inf", "--against");
    check("stats --values 1e308,1e308,-1e308", "--values");
    check("stats --values=18446744073709551615,1e300 --than=1e-300,1e9", "--values");
}

/// An output never replaces a store, a device, a folder or what a link names.
#[test]
fn outputs_that_are_not_ours() {
    let folder = empty_folder("bad-outputs");
    let run = |words: &[&str]| finish(command(words).current_dir(&folder));
    let event = ["tournament", "connect4", "grid-5", "random", "--name", "cup"];
    assert_eq!(run(&event).code, Some(0));
    std::fs::write(folder.join("thesis.txt"), "years of work").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("thesis.txt", folder.join("link.csv")).unwrap();
    let before = names_in(&folder);
    for (words, what) in [
        (vec!["event", "cup", "--csv", "palestra.db"], "a database"),
        (vec!["event", "cup", "--pgn", "link.csv"], "a symbolic link"),
        (vec!["show", "connect4", "--svg", "/dev/null"], "a device"),
        (vec!["show", "connect4", "--svg", "."], "a folder"),
        (
            vec!["tournament", "connect4", "grid-5", "first", "--name", "new", "--csv", "palestra.db"],
            "a database",
        ),
        (
            vec!["tournament", "connect4", "grid-5", "first", "--name", "new", "--stream", "palestra.db"],
            "a database",
        ),
    ] {
        let ran = run(&words);
        assert_eq!(ran.code, Some(2), "{words:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(what), "{words:?}: {}", ran.stderr);
        assert!(!ran.stdout.contains("rank"), "{words:?} was played");
    }
    assert_eq!(std::fs::read_to_string(folder.join("thesis.txt")).unwrap(), "years of work");
    assert_eq!(run(&["event", "cup"]).code, Some(0));
    assert!(names_in(&folder).iter().all(|name| before.contains(name) || name.contains("palestra.db")));
}

/// A page on a file that is no store would answer every request with an error.
#[test]
fn serving_what_is_no_store() {
    let folder = empty_folder("bad-serve");
    std::fs::write(folder.join("notes.txt"), "not a store, but a text of some length").unwrap();
    let ran =
        finish(command(&["serve", "--listen", "127.0.0.1:0", "--store", "notes.txt"]).current_dir(&folder));
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("notes.txt"), "{}", ran.stderr);
}
