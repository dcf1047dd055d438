//! The conformance kit, and the program as a process: every part of Palestra works for this game.

use own_game::BreakthroughFamily;
use palestra::kit::{TestEffort, check_family, record_playthroughs};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// With `PALESTRA_BLESS` set, records the games of `playthroughs.txt` anew.
#[test]
fn the_kit() {
    if std::env::var_os("PALESTRA_BLESS").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/playthroughs.txt");
        std::fs::write(file, record_playthroughs::<BreakthroughFamily>().unwrap()).unwrap();
        return;
    }
    let report = check_family::<BreakthroughFamily>(TestEffort::Usual).unwrap();
    assert!(report.n_counts >= 4 && report.n_recordings >= 1, "{report:?}");
    assert_eq!(report.untranslated, [""; 0]);
}

/// An empty folder for the store.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(folder: &Path, line: &str) -> Output {
    let words: Vec<&str> = line.split(' ').collect();
    Command::new(env!("CARGO_BIN_EXE_own-game")).args(words).current_dir(folder).output().unwrap()
}

#[track_caller]
fn check(folder: &Path, line: &str, part: &str) -> String {
    let output = run(folder, line);
    let [stdout, stderr] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{line}: {stderr}");
    assert!(stdout.contains(part), "{part:?} in the output of {line}:\n{stdout}");
    stdout
}

#[test]
fn commands() {
    let folder = folder("commands");
    check(&folder, "games", "breakthrough");
    check(&folder, "show breakthrough:5 a2a3", "(P)");
    check(&folder, "players breakthrough", "careful");
    check(&folder, "match breakthrough:5 careful random --games 20", "careful is better than random");
    check(&folder, "explain breakthrough:5 - careful", "loose");
    check(&folder, "perft breakthrough:8 3", "11,132");
    let refused = run(&folder, "show breakthrough:3");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("invalid value \"3\" for side of"), "{message}");
}

/// Sixty-four weights: more than the rows that games of few features keep on the stack.
#[test]
fn many_weights_are_tuned() {
    let folder = folder("tuning");
    let plan =
        "tune breakthrough --features squares --method ga --set population=6 --budget 2gen --opening-plies 2";
    let outcome = check(&folder, &format!("{plan} --json"), "\"weights\":[");
    let champion = outcome.split("\"best\":\"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(champion.rsplit('/').next().unwrap().split(',').count(), 64);
    check(&folder, &format!("match breakthrough {champion} random --games 2"), "greedy/squares");
    check(&folder, &format!("explain breakthrough - {champion} --json"), "\"8h\"");
    check(&folder, "report ga-breakthrough-8-1", "figures");
}

#[test]
fn tournaments_and_exact_values() {
    let folder = folder("tournament");
    check(&folder, "tournament breakthrough:5 careful runner random --opening-plies 2 --name cup", "careful");
    check(&folder, "event cup --games", "careful");
    check(&folder, "accuracy breakthrough:4 careful random --positions 5", "careful");
}

/// The page of a request, in a language.
fn page(address: &str, path: &str, language: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept-Language: {language}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The pieces and the translations of the game are on the page.
#[test]
fn the_page() {
    let folder = folder("page");
    let mut server = Command::new(env!("CARGO_BIN_EXE_own-game"))
        .args(["serve", "--no-browser", "--listen", "127.0.0.1:0"])
        .current_dir(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    let [english, spanish] =
        ["en", "es"].map(|language| page(&address, "/play?game=breakthrough:5&side=first&opponent=level-1&seed=1", language));
    let home = page(&address, "/", "es");
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(english.starts_with("HTTP/1.1 200"), "{english}");
    assert!(english.contains("class=\"piece pawn\"") && english.contains("pawn"), "{english}");
    assert!(spanish.contains("peón"), "{spanish}");
    assert!(home.contains("gana el primer peón en la última fila"), "{home}");
}
