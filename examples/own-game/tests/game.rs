//! The conformance kit, and the program as a process: every part of Palestra works for this game.

use own_game::BreakthroughFamily;
use palestra::kit::{TestEffort, check_family, record_playthroughs};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

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

/// Messages can be copied: they name this program, its games and its pieces.
#[test]
fn texts_are_about_this_program() {
    let folder = folder("texts");
    check(&folder, "show breakthrough:5", "first (P) to move");
    check(&folder, "games", "Details: own-game games NAME");
    check(&folder, "players", "greedy/progress/");
    assert_eq!(check(&folder, "study list", "study").lines().count(), 1);
    for command in ["", "tune ", "explain ", "match ", "play "] {
        let help = check(&folder, &format!("{command}--help"), "Common options:");
        assert!(!help.contains("connect") && !help.contains("  palestra "), "{help}");
    }
    let refused = run(&folder, "match breakthrough nosuch random");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("`own-game players` lists"), "{message}");
}

/// A plan with a short training and a short test of the champion.
fn write_plan(folder: &Path, features: &str) {
    let text = format!(
        "boards = [\"breakthrough:8\"]\nplayer = \"greedy/{features}\"\nopening_plies = 2\n\
         [method]\nname = \"ga\"\npopulation = 6\n[budget]\ngenerations = 2\n\
         [test]\npairs = 50\ncontrols = false\n"
    );
    std::fs::write(folder.join("plan.toml"), text).unwrap();
}

/// Hundreds of weights: more than the rows that games of few features keep on the stack, and than a terminal shows.
#[test]
fn hundreds_of_weights() {
    for (name, n) in [("squares", 64), ("phases", 256)] {
        let folder = folder(name);
        write_plan(&folder, name);
        let plan = "tune plan.toml";
        let outcome = check(&folder, &format!("{plan} --save many --json"), "\"weights\":[");
        let champion = outcome.split("\"best\":\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(champion.rsplit('/').next().unwrap().split(',').count(), n);
        // The same plan again, from the store: in part, with commands that fit a terminal.
        let text = check(&folder, plan, "Next steps");
        assert!(text.contains(&format!("{} others", n - 24)), "{text}");
        let played = check(&folder, "match breakthrough @many random --games 2", &format!("… ({n} weights)"));
        assert!(played.lines().all(|line| line.chars().count() < 250), "{played}");
        check(&folder, "runs", &format!("… ({n} weights)"));
        let explained = check(&folder, "explain breakthrough - @many", "others: the sum over");
        assert!(explained.lines().all(|line| line.chars().count() < 250), "{explained}");
        check(&folder, "explain breakthrough - @many --json", "\"contributions\"");
        check(&folder, "show breakthrough a2a3", " others ");
        check(&folder, "games breakthrough", &format!("({n})"));
        check(&folder, "weights breakthrough @many", "influence");
        check(&folder, "run hall ga-breakthrough-8-1", "round robin");
        check(&folder, "report ga-breakthrough-8-1", "figures");
        let run_page = with_server(&folder, |address| page(address, "/run/ga-breakthrough-8-1", "es"));
        assert!(run_page.starts_with("HTTP/1.1 200"), "{run_page}");
        assert_eq!(
            run_page.matches("por un peón propio").count().max(run_page.matches("en otras fases").count()),
            n
        );
        let play_page = with_server(&folder, |address| {
            page(address, "/play?game=breakthrough:8&side=first&opponent=%40many&seed=1", "es")
        });
        assert!(play_page.starts_with("HTTP/1.1 200") && play_page.contains("8h"), "{play_page}");
    }
}

/// Sharing games changes nothing that is stored.
#[test]
fn cohorts_of_many_weights() {
    let folder = folder("cohorts");
    write_plan(&folder, "phases");
    let [shared, plain] = ["shared", "plain"].map(|name| {
        let option = if name == "plain" { " --no-cohort" } else { "" };
        check(&folder, &format!("tune plan.toml{option} --store {name}.db"), "Champion");
        check(&folder, &format!("run export ga-breakthrough-8-1 --store {name}.db"), "weights")
    });
    assert_eq!(shared, plain);
}

/// A budget that one generation exceeds is refused, with the size of the generation.
#[test]
fn a_generation_beyond_the_budget() {
    let folder = folder("beyond");
    let plan = "tune breakthrough --features squares --method cmaes --budget 400 --print-plan";
    let refused = run(&folder, plan);
    let message = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("expected at least 65280 games, which the first generation takes"), "{message}");
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

/// A server that ends with the test, also with one that fails.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What `ask` gets from the page at its address.
fn with_server<T>(folder: &Path, ask: impl FnOnce(&str) -> T) -> T {
    let mut command = Command::new(env!("CARGO_BIN_EXE_own-game"));
    command.args(["serve", "--no-browser", "--listen", "127.0.0.1:0"]).current_dir(folder);
    let mut server = Server(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    ask(line.trim().rsplit("http://").next().unwrap().trim_end_matches('/'))
}

/// The pieces and the translations of the game are on the page.
#[test]
fn the_page() {
    let folder = folder("page");
    check(&folder, "tournament breakthrough:5 careful random --opening-plies 2 --name cup", "careful");
    with_server(&folder, |address| {
        let play = "/play?game=breakthrough:5&side=first&opponent=level-1&seed=1";
        let [english, spanish] = ["en", "es"].map(|language| page(address, play, language));
        assert!(english.starts_with("HTTP/1.1 200"), "{english}");
        assert!(english.contains("class=\"piece pawn\"") && english.contains("pawn"), "{english}");
        assert!(spanish.contains("peón"), "{spanish}");
        assert!(spanish.contains("peones propios menos los del rival"), "{spanish}");
        let home = page(address, "/", "es");
        assert!(!home.contains("Estudios") && !home.contains("/studies"), "{home}");
        let games = page(address, "/play", "es");
        assert!(games.contains("gana el primer peón en la última fila"), "{games}");
        let plan = page(address, "/tune?game=breakthrough:5", "es");
        assert!(plan.contains("progress: peones, sus filas") && !plan.contains("the first pawn"), "{plan}");
        let cup = page(address, "/event/cup/games", "es");
        assert!(cup.contains("última fila") && !cup.contains("last row"), "{cup}");
    });
}
