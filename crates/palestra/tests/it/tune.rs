//! Tuning on the command line: real processes and stores, killed at any instant.

use crate::support::{command, empty_folder, finish, names_in, run, slow};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A folder with a plan and its own store.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(name: &str, plan: &str) -> Place {
        let folder = empty_folder(name);
        fs::write(folder.join("plan.toml"), plan).unwrap();
        Place { folder }
    }

    fn words(&self, line: &str) -> Vec<String> {
        let store = self.folder.join("runs.db").display().to_string();
        let plan = self.folder.join("plan.toml").display().to_string();
        let words = line.split(' ').map(|word| if word == "PLAN" { plan.clone() } else { word.to_owned() });
        words.chain(["--store".to_owned(), store]).collect()
    }

    fn say(&self, line: &str) -> String {
        let ran = run(&self.words(line));
        assert_eq!(ran.code, Some(0), "{line}: {}", ran.stderr);
        ran.stdout
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.say(&format!("{line} --json"))).unwrap()
    }

    /// Export of the first run of the store, without times.
    fn export(&self) -> String {
        self.say("run export 1")
    }

    fn forget(&self) {
        for name in names_in(&self.folder).iter().filter(|name| name.starts_with("runs.db")) {
            fs::remove_file(self.folder.join(name)).unwrap();
        }
    }
}

/// Each method once, on boards with short games.
const PLANS: [(&str, &str); 9] = [
    (
        "cmaes",
        "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\n[budget]\ngenerations = 4\n[test]\npairs = 40\n",
    ),
    (
        "spsa",
        "game = \"connect:5x4x3\"\nplayer = \"alphabeta:depth=2/lines\"\nopening_plies = 2\nmethod = { name = \"spsa\", pairs = 2 }\n[budget]\ngames = 300\n[test]\npairs = 20\n",
    ),
    (
        "coevolution",
        "game = \"mastergoal:1\"\nplayer = \"greedy/level1\"\nlow = -100\nhigh = 100\nsphere = false\nobjective = { name = \"parasites\", n = 4 }\nmethod = { name = \"coevolution\", population = 8 }\n[budget]\ngenerations = 3\n[test]\npairs = 12\n",
    ),
    (
        "ga",
        "pool = \"connect/study\"\nplayer = \"greedy/lines-coded\"\nfresh = \"match\"\npoints = \"2/1/0\"\nmethod = { name = \"ga\", population = 6 }\n[budget]\ngenerations = 3\n[test]\npairs = 10\n",
    ),
    (
        "ga-ancestors",
        "pool = \"connect/study\"\nplayer = \"greedy/lines-coded\"\nfresh = \"match\"\npairs = 2\npoints = \"2/1/0\"\nobjective = \"ancestors\"\nmethod = { name = \"ga\", population = 6 }\n[budget]\ngenerations = 3\n[test]\npairs = 10\n",
    ),
    (
        "evolution",
        "game = \"ladrillos:5\"\nplayer = \"greedy/islands\"\npoints = \"margin\"\nopening_plies = 2\nobjective = \"ancestors\"\nmethod = { name = \"evolution\", population = 6 }\n[budget]\ngenerations = 3\n[test]\npairs = 10\n",
    ),
    (
        "random",
        "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 1\nobjective = { name = \"gauntlet\", opponents = [\"rival-4\", \"random\"] }\nmethod = { name = \"random\", points = 8 }\n[budget]\ngames = 400\n[test]\npairs = 20\n",
    ),
    (
        "regression",
        "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 3\nmethod = { name = \"regression\", games = 60 }\n[test]\npairs = 20\n",
    ),
    (
        "accuracy",
        "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nobjective = { name = \"accuracy\", positions = 20 }\nmethod = \"cmaes\"\n[budget]\ngenerations = 2\n[test]\npairs = 10\n",
    ),
];

#[test]
fn the_same_bytes_on_any_number_of_threads_with_and_without_cohorts() {
    for (name, plan) in PLANS {
        let place = Place::new(&format!("tune-bytes-{name}"), plan);
        let mut exports = Vec::new();
        let usual = ["--threads 1", "--threads 7", "--threads 2 --no-cohort"];
        let more = slow().then_some("--threads 2");
        for options in usual.into_iter().chain(more) {
            place.forget();
            place.say(&format!("tune PLAN {options}"));
            exports.push(place.export());
            assert!(exports.last() == exports.first(), "{name} differs with {options}");
        }
        assert!(exports[0].contains("\"generations\""), "{name}: {}", exports[0]);
    }
}

/// Takes long enough to be killed several times.
const LONG: &str = "game = \"connect:7x6x4\"\nplayer = \"greedy/lines\"\nopening_plies = 4\npairs = 2\n[budget]\ngenerations = 60\n[test]\npairs = 100\n";

fn start(words: &[String]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    command.args(words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Waits for the child for at most this time; returns whether it has exited.
fn wait(child: &mut Child, most: Duration) -> bool {
    let began = Instant::now();
    while began.elapsed() < most {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

#[test]
fn killed_at_several_instants_it_comes_to_the_same_bytes() {
    let most_kills = if slow() { 10 } else { 5 };
    let place = Place::new("tune-killed", LONG);
    place.say("tune PLAN --threads 2");
    let whole = place.export();
    place.forget();
    let words = place.words("tune PLAN --threads 2");
    let mut n_killed = 0;
    for instant in 0..40u64 {
        let mut child = start(&words);
        // The waits range from the first milliseconds to well into the work, on fast and slow machines.
        let patience = if n_killed < most_kills {
            Duration::from_millis(20 + 37 * instant)
        } else {
            Duration::from_secs(100)
        };
        if wait(&mut child, patience) {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        n_killed += 1;
    }
    assert!(n_killed >= 3, "the run was over after {n_killed} kills");
    place.say("tune PLAN --threads 1");
    assert!(place.export() == whole, "after {n_killed} kills");
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_everything_and_says_how_to_go_on() {
    let place = Place::new("tune-interrupted", &LONG.replace("generations = 60", "generations = 100000"));
    let words = place.words("tune PLAN");
    let mut command = Command::new(env!("CARGO_BIN_EXE_palestra"));
    let mut child = command.args(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The run must have played games before it is interrupted.
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        let shown = run(&place.words("run show 1 --json"));
        let games = serde_json::from_str::<Value>(&shown.stdout).ok().and_then(|run| run["games"].as_u64());
        if games.is_some_and(|games| games > 0) {
            break;
        }
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert!(wait(&mut child, Duration::from_secs(60)), "it does not stop");
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("To continue: ") && said.contains(" tune "), "{said}");
    let runs = place.say("runs");
    assert!(runs.contains("interrupted"), "{runs}");
}

#[test]
fn a_shown_run_has_the_weights_of_its_generations() {
    let plan = "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\nmethod = { name = \"ga\", population = 6 }\n\
        [budget]\ngenerations = 3\n[test]\nwanted = false\n";
    let place = Place::new("tune-weights", plan);
    place.say("tune PLAN");
    let shown: Value = serde_json::from_str(&place.say("run show 1 --json")).unwrap();
    let exported: Value = serde_json::from_str(&place.say("run export 1 --format json")).unwrap();
    let generations = shown["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 3);
    for (i, generation) in generations.iter().enumerate() {
        let candidates = &exported["generations"][i]["candidates"];
        let best = generation["best_number"].as_u64().unwrap() as usize;
        assert_eq!(generation["leader"], candidates[best]["weights"]);
        let squares =
            candidates.as_array().unwrap().iter().map(|one| one["weights"][0].as_f64().unwrap().powi(2));
        let rms = (squares.sum::<f64>() / 6.0).sqrt();
        assert!((generation["rms"][0].as_f64().unwrap() - rms).abs() < 1e-9);
        assert_eq!(generation.get("candidates"), (i == 2).then_some(candidates));
    }
}

/// The king method of the Connect-4 study: all of its successive kings.
#[test]
fn the_connect_4_study_crowns_4412() {
    let plan = fs::read_to_string(crate::support::workspace().join("studies/connect-4/king.toml")).unwrap();
    let place = Place::new("tune-king", &plan);
    let found = place.json("tune PLAN");
    assert_eq!(found["weights"], serde_json::json!([4.0, 4.0, 1.0, 2.0]));
    let kings: Value = serde_json::from_str(&place.export()).unwrap();
    let hall: Vec<Value> =
        kings["hall"].as_array().unwrap().iter().map(|king| king["weights"].clone()).collect();
    let weights =
        |text: &str| Value::from(text.bytes().map(|digit| f64::from(digit - b'0')).collect::<Vec<f64>>());
    let expected = ["1111", "2113", "2131", "2132", "2221", "4321", "4412"].map(weights);
    assert_eq!(hall, expected);
    let shown = place.json(&format!("run show {}", found["run"].as_str().unwrap()));
    let leaders = shown["leaders"].as_array().unwrap();
    assert_eq!(leaders.iter().map(|leader| leader["weights"].clone()).collect::<Vec<_>>(), expected);
    // Each king leads from the generation of its challenge; the last weight varies fastest.
    let from: Vec<u64> = leaders.iter().map(|leader| leader["generation"].as_u64().unwrap()).collect();
    assert_eq!(from, [0, 66, 72, 73, 84, 228, 241]);
}

#[test]
fn a_grid_has_its_map() {
    let plan = "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nobjective = { name = \"gauntlet\", opponents = [\"rival-4\", \"rival-8\"] }\nmethod = { name = \"grid\", values = [[-1, 1], [-1, 0], [0, 1], [-2, 0], [1, 2, 3], [0, 5]] }\n";
    let place = Place::new("tune-grid", plan);
    let scores = place.folder.join("scores.txt");
    let found = place.json(&format!("tune PLAN --scores {}", scores.display()));
    let scores: Vec<f64> =
        fs::read_to_string(scores).unwrap().lines().map(|line| line.parse().unwrap()).collect();
    assert_eq!(scores.len(), 96);
    let maximum = scores.iter().copied().fold(f64::MIN, f64::max);
    assert_eq!(found["maximum"].as_f64(), Some(maximum));
    assert_eq!(
        found["count_at_maximum"].as_u64(),
        Some(scores.iter().filter(|s| **s == maximum).count() as u64)
    );
    assert_eq!(found["sum"].as_f64(), Some(scores.iter().sum()));
    let by_value = found["best_by_value"].as_array().unwrap();
    // The first weight varies slowest: the first half of the scores has its first value.
    let half = |scores: &[f64]| scores.iter().copied().fold(f64::MIN, f64::max);
    assert_eq!(by_value[0], serde_json::json!([half(&scores[..48]), half(&scores[48..])]));
    assert_eq!(
        found["at_maximum"].as_array().unwrap().len() as u64,
        found["count_at_maximum"].as_u64().unwrap()
    );
    assert_eq!(found["games"], 96 * 4);
    // The export has every weight vector with its score, in the order of the grid.
    let exported = place.say("run export 1 --format csv");
    let rows: Vec<Vec<f64>> = exported
        .lines()
        .skip(1)
        .map(|row| row.split(',').map(|number| number.parse().unwrap()).collect())
        .collect();
    assert_eq!(rows.iter().map(|row| row[2]).collect::<Vec<_>>(), scores);
    assert_eq!(rows[1], [0.0, 1.0, scores[1], -1.0, -1.0, 0.0, -2.0, 1.0, 5.0]);
    let best: Vec<&[f64]> = rows.iter().filter(|row| row[2] == maximum).map(|row| &row[3..]).collect();
    assert_eq!(found["at_maximum"], serde_json::json!(best));
    // The same command plays nothing the second time.
    let again = place.json("tune PLAN");
    assert_eq!(
        (again["run"].clone(), again["maximum"].clone()),
        (found["run"].clone(), found["maximum"].clone())
    );
}

/// 1,1 and 2,2 are one player.
#[test]
fn a_grid_counts_players_and_not_only_weight_vectors() {
    let plan = "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\nobjective = { name = \"gauntlet\", opponents = [\"first\"] }\nmethod = { name = \"grid\", values = [[1, 2], [1, 2], [0], [0], [0], [0]] }\n";
    let place = Place::new("tune-grid-players", plan);
    let said = place.say("tune PLAN");
    assert!(said.contains("4 weight vectors in all, 3 different players"), "{said}");
    let found = place.json("tune PLAN");
    assert_eq!((found["points"].as_u64(), found["players"].as_u64()), (Some(4), Some(3)));
    assert!(found["players_at_maximum"].as_u64() <= found["count_at_maximum"].as_u64(), "{found}");
}

#[test]
fn champions_have_names() {
    let place = Place::new("tune-champion", PLANS[0].1);
    let found = place.json("tune PLAN --save best");
    let shown = place.say("match connect:5x4x3 @best random --games 20");
    assert!(shown.contains(found["best"].as_str().unwrap()), "{shown}");
    let ran = run(&place.words("match connect:5x4x3 @bst random --games 20"));
    assert!(ran.code == Some(2) && ran.stderr.contains("best"), "{}", ran.stderr);
    let games = Place::new("tune-games", PLANS[5].1);
    games.say("tune PLAN --keep-games");
    assert!(games.say("runs").contains("done"));
}

/// An external optimizer that asks for scores, receives them and recommends weights.
#[cfg(unix)]
#[test]
fn another_program_may_do_the_asking() {
    let script = "read setup; echo '{\"ask\": [[1,0,0,0,0,0],[0,-1,0,0,1,0]]}'; read told; case \"$told\" in '{\"tell\":['*) ;; *) exit 1;; esac; echo '{\"done\": true, \"best\": [0,-1,0,0,1,0]}'";
    let plan = format!(
        "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\n[method]\nname = \"external\"\ncommand = [\"sh\", \"-c\", {script:?}]\n[budget]\ngenerations = 10\n[test]\npairs = 10\n"
    );
    let place = Place::new("tune-external", &plan);
    assert_eq!(place.json("tune PLAN")["generations"], 1);
    for (script, part) in [
        ("read setup", "without"),
        ("read setup; echo nonsense", "nonsense"),
        ("read setup; echo '{\"ask\": [[1,2]]}'", "6 numbers"),
    ] {
        let command = plan.lines().find(|line| line.starts_with("command")).unwrap().to_owned();
        let plan = plan.replace(&command, &format!("command = [\"sh\", \"-c\", {script:?}]"));
        let place = Place::new("tune-external-bad", &plan);
        let ran = run(&place.words("tune PLAN"));
        assert!(ran.code == Some(1) && ran.stderr.contains(part), "{script}: {}", ran.stderr);
    }
}

/// Runs an invalid plan; the folder may contain nothing but the plan afterwards.
fn refuse(plan: &str, parts: &[&str]) {
    let place = Place::new("tune-refused", plan);
    let ran = finish(command(&place.words("tune PLAN")).current_dir(&place.folder));
    let said = &ran.stderr;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{plan}: {said}");
    assert_eq!(said.lines().count(), 1, "{plan}: {said}");
    for part in parts {
        assert!(said.contains(part), "{plan}: {said}");
    }
    assert_eq!(names_in(&place.folder), ["plan.toml"], "{plan}");
}

#[test]
fn mistakes_in_plans_have_a_place_and_a_suggestion() {
    const HEAD: &str = "game = \"connect4\"\nplayer = \"greedy/lines\"\n";
    let with = |rest: &str| format!("{HEAD}{rest}");
    refuse("", &["missing value for game"]);
    refuse("game = 4\n", &["line 1, column 8"]);
    refuse("game = \n", &["plan.toml (line 1"]);
    refuse("game = \"conect4\"\nplayer = \"greedy/lines\"\n", &["conect4", "did you mean \"connect4\"?"]);
    refuse("game = \"connect4\"\n", &["player", "greedy/lines"]);
    refuse(
        "game = \"connect4\"\nplayer = \"greedy/linse\"\n",
        &["linse", "line 2, column 10", "did you mean \"lines\"?"],
    );
    refuse("game = \"connect4\"\nplayer = \"random\"\n", &["takes weights"]);
    refuse("game = \"connect4\"\nplayer = \"greedy/lines/1,2,3,4,5,6,7\"\n", &["6 numbers", "not 7"]);
    refuse(
        &with("opening_plis = 4\n"),
        &["invalid key \"opening_plis\"", "line 3, column 1", "did you mean \"opening_plies\"?"],
    );
    refuse(
        &with("opening_plies = \"four\"\n"),
        &["line 3, column 17", "four", "a whole number from 0 to 1000"],
    );
    refuse(&with("opening_plies = -1\n"), &["-1"]);
    refuse(&with("pairs = 0\n"), &["pairs", "from 1"]);
    refuse(&with("method = \"cmeas\"\n"), &["line 3", "did you mean \"cmaes\"?"]);
    refuse(
        &with("[method]\nname = \"cmaes\"\nsigma = -1\n[budget]\ngames = 10\n"),
        &["line 5, column 9", "-1"],
    );
    refuse(
        &with("[method]\nname = \"cmaes\"\nsgima = 1\n[budget]\ngames = 10\n"),
        &["line 5", "did you mean \"sigma\"?"],
    );
    refuse(&with("objective = \"leage\"\n"), &["did you mean \"league\"?"]);
    refuse(&with("objective = \"gauntlet\"\n"), &["opponents"]);
    refuse(&with("objective = { name = \"gauntlet\", opponents = [] }\n"), &["opponents"]);
    refuse(&with("objective = { name = \"gauntlet\", opponents = [\"heurb\"] }\n"), &["heurb", "line 3"]);
    refuse(&with("objective = { name = \"gauntlet\", opponents = [\"@nobody\"] }\n"), &["nobody", "line 3"]);
    refuse(&with("[budget]\ngames = 0\n"), &["line 4, column 9", "of at least 1"]);
    refuse(&with("[budget]\ngames = \"many\"\n"), &["many"]);
    refuse(&with("method = \"cmaes\"\n"), &["budget"]);
    refuse(&with("low = 1\nhigh = 1\n[budget]\ngames = 10\n"), &["above the lower bound"]);
    refuse(&with("low = [1, 2]\n[budget]\ngames = 10\n"), &["2 numbers", "6 numbers"]);
    refuse(&with("start = [1]\n[budget]\ngames = 10\n"), &["1 numbers", "6 numbers"]);
    refuse(&with("points = \"1/2/3\"\n"), &["win/draw/loss"]);
    refuse(&with("method = \"grid\"\n"), &["values"]);
    refuse(&with("method = { name = \"grid\", values = [[1], [1], [1], [1], [1], []] }\n"), &["line 3"]);
    refuse(
        &with("method = { name = \"grid\", values = [[1], [1], [1], [1], [1], [1], [1]] }\n"),
        &["line 3"],
    );
    refuse(
        &with(
            "method = { name = \"king\", test = \"sequential\", steps = 2 }\nobjective = { name = \"reference\", player = \"random\" }\n",
        ),
        &["league"],
    );
    refuse("pool = \"connect/stdy\"\nplayer = \"greedy/lines\"\n", &["did you mean \"connect/study\"?"]);
    refuse("boards = []\nplayer = \"greedy/lines\"\n", &["at least one board"]);
    refuse("game = \"kalah:6x4\"\nplayer = \"greedy/lines\"\n", &["lines"]);
    refuse(&with("seed = 1979-05-27\n"), &["1979-05-27"]);
}

#[test]
fn options_and_stores_that_cannot_be() {
    let folder = empty_folder("tune-options");
    let check = |line: &str, code: i32, part: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let ran = finish(command(&words).current_dir(&folder));
        assert_eq!(ran.code, Some(code), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(part) && !ran.stderr.contains("panicked"), "{line}: {}", ran.stderr);
    };
    check("tune connect4 --budget many", 2, "many");
    check("tune connect4 --budget 0", 2, "0");
    check("tune connect4 --features linse --budget 10", 2, "did you mean \"lines\"?");
    check("tune connect4 --method cmaes --set sigma --budget 10", 2, "KEY=VALUE");
    check("tune absent.toml", 2, "absent.toml");
    check("runs", 2, "palestra.db");
    check("run show 1", 2, "palestra.db");
    assert_eq!(names_in(&folder), [""; 0], "nothing may be left behind");
    fs::write(folder.join("notes.txt"), "not a store").unwrap();
    check("runs --store notes.txt", 2, "notes.txt");
    check("tune connect:4x4x3 --budget 1gen --store notes.txt", 2, "notes.txt");
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).unwrap(), "not a store");
    check("tune connect:4x4x3 --budget 1gen --store absent/palestra.db", 1, "absent");
    check("tune connect:4x4x3 --budget 1gen --store a.db", 0, "");
    check("run show cmaes-connect-4x4x3-2 --store a.db", 2, "did you mean");
    check("run export 1 --store a.db --output absent/x.csv", 1, "absent");
    check("run delete 1 --store a.db", 0, "");
    truncate(&folder.join("a.db"));
    check("runs --store a.db", 1, "a.db");
}

/// Truncates a file to a third of its length, as a failing disk could.
fn truncate(path: &Path) {
    let bytes = fs::read(path).unwrap();
    fs::write(path, &bytes[..bytes.len() / 3]).unwrap();
}

/// The whole grid of the Connect-C study: its maximum, its nine winners and all 54 cells of its heat map.
#[test]
fn the_published_grid_exactly() {
    let plan = fs::read_to_string(crate::support::workspace().join("studies/connect-c/grid.toml")).unwrap();
    let place = Place::new("tune-published", &plan);
    let found = place.json("tune PLAN");
    assert_eq!((found["maximum"].as_f64(), found["count_at_maximum"].as_u64()), (Some(48.0), Some(9)));
    assert_eq!(found["games"], 28_697_814);
    let winners: [[f64; 6]; 9] = [
        [500.0, -100.0, 10.0, -2.0, 2.0, 10.0],
        [1000.0, -500.0, 10.0, -2.0, 2.0, 10.0],
        [1000.0, -500.0, 80.0, -10.0, 2.0, 80.0],
        [1000.0, -500.0, 80.0, -10.0, 10.0, 80.0],
        [1000.0, -500.0, 80.0, -2.0, 2.0, 80.0],
        [1000.0, -500.0, 80.0, -2.0, 10.0, 80.0],
        [1000.0, -500.0, 150.0, -10.0, 2.0, 80.0],
        [1000.0, -500.0, 150.0, -2.0, 2.0, 80.0],
        [1000.0, -100.0, 10.0, -2.0, 2.0, 10.0],
    ];
    assert_eq!(found["at_maximum"], serde_json::json!(winners));
    let cells: [[f64; 9]; 6] = [
        [17.0, 19.0, 28.0, 30.0, 30.0, 34.0, 46.0, 48.0, 48.0],
        [46.0, 48.0, 48.0, 38.0, 33.0, 32.0, 29.0, 24.0, 24.0],
        [24.0, 27.0, 29.0, 31.0, 36.0, 38.0, 48.0, 48.0, 48.0],
        [42.0, 44.0, 48.0, 48.0, 47.0, 47.0, 47.0, 45.0, 45.0],
        [19.0, 24.0, 31.0, 31.0, 38.0, 48.0, 48.0, 42.0, 31.0],
        [25.0, 30.0, 32.0, 32.0, 26.0, 46.0, 48.0, 48.0, 46.0],
    ];
    assert_eq!(found["best_by_value"], serde_json::json!(cells));
}

/// `--set` overrides keys of the plan file for one run.
#[test]
fn keys_beside_a_file() {
    let place = Place::new("keys-beside", PLANS[0].1);
    let plan =
        place.say("tune PLAN --set seed=7 --set budget.generations=2 --set method.sigma=0.5 --print-plan");
    for line in ["seed = 7", "generations = 2", "sigma = 0.5", "opening_plies = 2"] {
        assert!(plan.lines().any(|found| found == line), "{line}: {plan}");
    }
    for (setting, part) in
        [("method.sigmo=1", "did you mean \"sigma\""), ("seed", "KEY=VALUE"), ("pairs=0", "given with --set")]
    {
        let ran = run(&place.words(&format!("tune PLAN --set {setting}")));
        assert_eq!(ran.code, Some(2), "{setting}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{setting}: {}", ran.stderr);
    }
}

/// The members of a hall of fame play a round robin, with the results of separate matches.
#[test]
fn halls_of_fame() {
    let plan = "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nobjective = { name = \"parasites\", n = 4 }\nmethod = { name = \"coevolution\", population = 6 }\n[budget]\ngenerations = 4\n[test]\nwanted = false\n";
    let place = Place::new("halls-of-fame", plan);
    let run_name = place.json("tune PLAN")["run"].as_str().unwrap().to_owned();
    let hall = place.json(&format!("run hall {run_name}"));
    let members = hall["members"].as_array().unwrap();
    assert!(members.len() > 1, "{hall}");
    assert_eq!(hall["games"], members.len() * (members.len() - 1));
    let best = members.iter().map(|member| member["score"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(hall["best"]["score"], best);
    let count = |value: &Value, key: &str| value[key].as_u64().unwrap();
    for one in members {
        let mut counts = [0; 3];
        for other in members.iter().filter(|other| *other != one) {
            let [a, b] = [one, other].map(|member| member["player"].as_str().unwrap());
            let played = place.json(&format!("match connect:5x4x3 {a} {b} --games 2"));
            counts = std::array::from_fn(|i| counts[i] + count(&played, ["wins", "draws", "losses"][i]));
        }
        assert_eq!(one["results"], serde_json::json!(counts), "{one}");
    }
    // For a method without a hall of fame the recommendations are used; here every second one and the last.
    let place = Place::new("halls-of-leaders", PLANS[0].1);
    let run_name = place.json("tune PLAN")["run"].as_str().unwrap().to_owned();
    let hall = place.json(&format!("run hall {run_name} --every 2 --pairs 3"));
    let generations: Vec<u64> =
        hall["members"].as_array().unwrap().iter().map(|m| count(m, "generation")).collect();
    assert_eq!((generations, &hall["games"]), (vec![0, 2, 3], &serde_json::json!(18)));
    // A single member is the best of the hall and has no games.
    let alone = place.json("tune PLAN --set budget.generations=1")["run"].as_str().unwrap().to_owned();
    let hall = place.json(&format!("run hall {alone}"));
    assert_eq!(hall["members"].as_array().unwrap(), std::slice::from_ref(&hall["best"]));
    let said = [&hall["games"], &hall["best"]["score"], &hall["later_score"]];
    assert_eq!(said, [&serde_json::json!(0), &Value::Null, &Value::Null]);
    assert!(place.say(&format!("run hall {alone}")).contains("1 player of its hall of fame"));
}
