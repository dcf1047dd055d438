//! Resuming interrupted tuning runs and events by name, and runs that stop when their parent process ends.

use crate::events::{Place, standings};
use crate::support::names_in;
use serde_json::Value;
use std::fs;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Takes long enough to be interrupted.
const PLAN: &str = "game = \"connect:7x6x4\"\nplayer = \"greedy/lines\"\nopening_plies = 4\npairs = 2\n[budget]\ngenerations = 30\n[test]\npairs = 40\n";

const CUP: [&str; 12] = [
    "tournament",
    "connect4",
    "alphabeta:depth=5/threes/4,4,1,2",
    "alphabeta:depth=4/threes/4,4,1,2",
    "grid-5",
    "random",
    "--cycles",
    "40",
    "--opening-plies",
    "5",
    "--name",
    "cup",
];

fn start(place: &Place, words: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(words)
        .current_dir(&place.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn n_games(place: &Place, name: &str) -> u64 {
    let runs = place.run(&["runs", "--json"]).stdout;
    let rows = runs.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.filter(|row| row["run"] == name).find_map(|row| row["games"].as_u64()).unwrap_or(0)
}

/// Waits until a run has more games than before.
fn wait_for_games(place: &Place, name: &str, before: u64) {
    let began = Instant::now();
    while n_games(place, name) <= before {
        assert!(began.elapsed() < Duration::from_secs(60), "{name} does not come along");
    }
}

/// Waits for the exit code and standard error.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

/// Starts a command, waits for games and sends SIGINT; returns standard error.
pub(crate) fn interrupt(place: &Place, words: &[&str], name: &str) -> String {
    let child = start(place, words);
    wait_for_games(place, name, 0);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let (code, said) = end(child);
    assert_eq!(code, Some(130), "{said}");
    said
}

fn forget(place: &Place) {
    for name in names_in(&place.0).iter().filter(|name| name.starts_with("palestra.db")) {
        fs::remove_file(place.0.join(name)).unwrap();
    }
}

#[test]
fn tuning_goes_on_by_name() {
    const NAME: &str = "cmaes-connect-7x6x4-1";
    let place = Place::new("resume-tune");
    fs::write(place.0.join("plan.toml"), PLAN).unwrap();
    let words = ["tune", "plan.toml", "--threads", "1"];
    assert_eq!(place.run(&words).code, Some(0));
    let whole = place.run(&["run", "export", NAME]).stdout;
    forget(&place);

    let said = interrupt(&place, &words, NAME);
    assert!(said.contains("To continue: ") && said.contains(" tune plan.toml --threads 1"), "{said}");
    // With `--tied` a run stops when its parent closes the pipe; no game is lost.
    let mut tied = start(&place, &["run", "resume", NAME, "--tied", "--threads", "1"]);
    let before = n_games(&place, NAME);
    wait_for_games(&place, NAME, before);
    drop(tied.stdin.take());
    let (code, said) = end(tied);
    assert_eq!(code, Some(130), "{said}");

    let ended = place.object(&["run", "resume", NAME, "--save", "king"], 0);
    assert_eq!((&ended["run"], &ended["saved"]), (&Value::from(NAME), &Value::from("king")));
    assert!(place.run(&["run", "export", NAME]).stdout == whole, "another outcome");
    let again = place.run(&["run", "resume", NAME]);
    assert_eq!(again.code, Some(0));
    assert!(again.stderr.contains("is already done") && again.stdout.contains("Champion"), "{again:?}");

    // A second run of the same plan has its own name.
    let said = interrupt(&place, &[&words[..], &["--again"]].concat(), "cmaes-connect-7x6x4-2");
    assert!(said.contains(" run resume cmaes-connect-7x6x4-2 --store palestra.db"), "{said}");
    assert_eq!(place.object(&["run", "resume", "2"], 0)["run"], "cmaes-connect-7x6x4-2");
}

#[test]
fn an_event_goes_on_by_name() {
    let place = Place::new("resume-event");
    let words = [&CUP[..], &["--threads", "1"]].concat();
    let whole = place.object(&words, 0);
    forget(&place);

    let said = interrupt(&place, &words, "cup");
    assert!(said.contains("To continue: ") && said.contains(" tournament connect4 "), "{said}");
    let mut tied = start(&place, &["run", "resume", "cup", "--tied", "--threads", "1"]);
    let before = n_games(&place, "cup");
    wait_for_games(&place, "cup", before);
    drop(tied.stdin.take());
    let (code, said) = end(tied);
    assert_eq!(code, Some(130), "{said}");

    let refused = place.run(&["run", "resume", "cup", "--save", "king"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    let ended = place.object(&["run", "resume", "cup"], 0);
    assert_eq!(standings(&ended), standings(&whole));
    let again = place.run(&["run", "resume", "cup", "--json"]);
    assert!(again.stderr.contains("cup is already done"), "{}", again.stderr);
    assert_eq!(standings(&serde_json::from_str(&again.stdout).unwrap()), standings(&whole));
    let nobody = place.run(&["run", "resume", "cupp"]);
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.stderr.contains("did you mean \"cup\""), "{}", nobody.stderr);
}
