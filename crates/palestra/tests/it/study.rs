//! Studies, which are folders of commands and published numbers: run, interrupt, resume, compare and report.

use crate::support::{Ran, command, empty_folder, finish, names_in};
use palestra_study::{Study, StudyFiles, StudyScale, shipped};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A study with one row for every mark; it runs in a moment.
const STUDY: &str = r#"
title = "Small"
subject = "one row for every mark"

[sizes]
games = { quick = 20, full = 40 }

[[part]]
id = "tree"
title = "Trees"
about = "Counts *everything*."
original = "half a day"
original_seconds = 43200

[[part.run]]
id = "tree"
command = "tree ladrillos:{n} minimax/margin"
each = { n = [2, 3] }

[[part.table]]
id = "nodes"
title = "Positions"
published = "published/nodes.csv"

[[part.table.column]]
name = "total"
read = "tree-{n}:/total"
rule = "exact"

[[part]]
id = "luck"
title = "Luck"
beyond = true

[[part.run]]
id = "match"
command = "match connect4 random random --games {games}"

[[part.run]]
id = "again"
command = "match connect4 random first --games {match:/games} --seed 5"

[[part.run]]
id = "long"
command = "match connect4 random random --games 200"
only = "full"

[[part.table]]
id = "won"
title = "Won"
published = "published/won.csv"
note = "The last row is only run at the published size."
note_full = "Half are won."

[[part.table.column]]
name = "won"
read = "{run}:/wins"
rule = "share"
of_read = "{run}:/games"

[[part.figure]]
id = "bars"
title = "Won, drawn, lost"
caption_full = "The first bar is the longest."
kind = "bars"
columns = ["won", "drawn", "lost"]

[[part.figure.series]]
name = "by lot"
y = "match:/as_first"
"#;

fn tiny(name: &str) -> PathBuf {
    let folder = empty_folder(name);
    fs::create_dir_all(folder.join("small/published")).unwrap();
    fs::write(folder.join("small/study.toml"), STUDY).unwrap();
    fs::write(folder.join("small/about.md"), "# Why\n\nBecause <b>we</b> can.\n").unwrap();
    let nodes = "board,total,because\n2,9,\n3,870,a misprint\n";
    fs::write(folder.join("small/published/nodes.csv"), nodes).unwrap();
    let won = "match,won,of,run\nby lot,52,100,match\nall,100,100,match\nlong,50,100,long\n";
    fs::write(folder.join("small/published/won.csv"), won).unwrap();
    folder
}

fn study(folder: &Path, words: &[&str]) -> Ran {
    finish(command(&[&["study"], words].concat()).current_dir(folder))
}

fn outcome(ran: &Ran) -> Value {
    serde_json::from_str(ran.stdout.trim()).unwrap_or_else(|_| panic!("{ran:?}"))
}

#[test]
fn a_study_is_run_and_compared() {
    let folder = tiny("study-run");
    let ran = study(&folder, &["run", "small", "--json"]);
    // The row `all` differs without a stated reason.
    assert_eq!(ran.code, Some(3), "{ran:?}");
    let outcome = outcome(&ran);
    let expected = [("exact", 1), ("within_noise", 1), ("different", 1), ("unexplained", 1), ("not_run", 1)];
    for (mark, n_rows) in expected {
        assert_eq!(outcome["tally"][mark], n_rows, "{mark} in {outcome}");
    }
    let rows = &outcome["parts"][0]["tables"][0]["rows"];
    assert_eq!(rows[0]["mark"], "exact");
    assert_eq!(rows[1]["cells"][0]["reason"], "a misprint");
    assert_eq!(rows[1]["cells"][0]["obtained"], "869");
    let rows = &outcome["parts"][1]["tables"][0]["rows"];
    let said = rows[0]["cells"][0]["reason"].as_str().unwrap();
    assert!(said.starts_with("Fisher's exact test, p = "), "{said}");
    assert!(said.contains("after Holm's correction for 2 cells, p = "), "{said}");
    assert_eq!(rows[0]["reason"], rows[0]["cells"][0]["reason"]);
    let p = |cell: &Value, key: &str| cell[key].as_f64().unwrap();
    let (cell, smallest) = (&rows[0]["cells"][0], &rows[1]["cells"][0]);
    assert_eq!(p(smallest, "p_corrected"), 2.0 * p(smallest, "p"), "{smallest}");
    let verdict = &outcome["parts"][1]["tables"][0]["verdict"];
    assert_eq!((&verdict["mark"], &verdict["noisy"]), (&json!("different"), &json!(2)));
    assert!(p(smallest, "p") < p(cell, "p"), "{cell}");
    assert_eq!((&verdict["p"], &verdict["p_corrected"]), (&smallest["p"], &smallest["p_corrected"]));
    assert_eq!(outcome["parts"][0]["tables"][0]["verdict"]["equal"], 1);

    // Nothing is run twice, and the text output shows the same results.
    let again = study(&folder, &["run", "small"]);
    assert_eq!((again.code, again.stderr.as_str()), (Some(3), ""));
    let differs = "Positions, 3: 870 published, 869 here: a misprint";
    assert!(again.stdout.contains(differs) && again.stdout.contains("Luck (beyond)"), "{}", again.stdout);
    assert!(again.stdout.contains("12 h"), "{}", again.stdout);

    // A changed command is run again, with the commands that depend on it.
    let changed = STUDY.replace("quick = 20", "quick = 30");
    fs::write(folder.join("small/study.toml"), changed).unwrap();
    let anew = study(&folder, &["run", "small"]);
    assert_eq!(anew.stderr.matches("small ").count(), 2, "{}", anew.stderr);
}

#[test]
fn the_report_has_everything() {
    let folder = tiny("study-report");
    study(&folder, &["run", "small"]);
    let ran = study(&folder, &["report", "small", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let place = folder.join("palestra-studies/small-quick");
    let page = fs::read_to_string(place.join("report.html")).unwrap();
    for part in [
        "<span class=\"mark exact\">exact</span>",
        "<span class=\"mark within-noise\">within noise</span>: Fisher&#39;s exact test, p = ",
        "<span class=\"mark different\">different</span>: a misprint",
        "half a day",
        "Counts <em>everything</em>.",
        "Because &lt;b&gt;we&lt;/b&gt; can.",
        "palestra match connect4 random random --games 20",
        "<svg ",
        "The table as a whole: different. 1 of 2 cells without chance are equal.",
        "2 cells with chance, the smallest p",
        "Figures of the full size: this text describes",
        "Figures of the full size: Half are won.",
        "Figures of the full size: The first bar is the longest.",
    ] {
        assert!(page.contains(part), "{part} is not in the report");
    }
    study(&folder, &["report", "small", "--language", "es"]);
    let page = fs::read_to_string(place.join("report.html")).unwrap();
    for part in [
        "La tabla en conjunto: distinta. 1 de 2 celdas sin azar son iguales.",
        "2 celdas con azar; la menor p",
        "Cifras del tamaño publicado: este texto describe",
    ] {
        assert!(page.contains(part), "{part} is not in the report");
    }
    assert_eq!(names_in(&place.join("figures")), ["bars.png", "bars.svg"]);
    let part = |name: &String| name.ends_with(".part");
    assert!(!names_in(&place).iter().any(part));
}

#[test]
fn an_interrupted_study_goes_on() {
    let folder = tiny("study-interrupted");
    let slow = STUDY.replace(
        "match connect4 random first --games {match:/games}",
        "match ladrillos:9 masters-1 heurb --games 3000",
    );
    fs::write(folder.join("small/study.toml"), slow).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(["study", "run", "small"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let printed = folder.join("palestra-studies/small-quick/printed");
    let began = Instant::now();
    while !printed.join("match.json").is_file() {
        assert!(began.elapsed() < Duration::from_secs(60), "the study does not come along");
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert!(said.contains("to continue: ") && said.contains("study run small"), "{said}");
    assert_eq!(names_in(&printed), ["match.json", "tree-1.json", "tree-2.json"]);
    let rest = study(&folder, &["run", "small", "--part", "luck"]);
    assert_eq!(rest.stderr.matches(" of 4, ").count(), 1, "{}", rest.stderr);
}

/// A command of a study ends with the process that started it, whatever ends that one.
#[test]
#[cfg(target_os = "linux")]
fn a_killed_study_leaves_no_command_behind() {
    let folder = tiny("study-killed");
    let slow = STUDY.replace(
        "match connect4 random random --games {games}",
        "match connect4 mcts:playouts=3000000 random",
    );
    fs::write(folder.join("small/study.toml"), slow).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(["study", "run", "small", "--part", "luck"])
        .current_dir(&folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let tasks = format!("/proc/{}/task", child.id());
    let began = Instant::now();
    let command = loop {
        assert!(began.elapsed() < Duration::from_secs(60), "the study does not come along");
        let children = fs::read_dir(&tasks).unwrap().flatten();
        let pids: String =
            children.filter_map(|task| fs::read_to_string(task.path().join("children")).ok()).collect();
        if let Some(pid) = pids.split_whitespace().next() {
            break Path::new("/proc").join(pid);
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    let began = Instant::now();
    while command.exists()
        && !fs::read_to_string(command.join("stat")).is_ok_and(|stat| stat.contains(") Z "))
    {
        assert!(began.elapsed() < Duration::from_secs(60), "{} works on", command.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn mistakes_are_named() {
    let folder = tiny("study-mistakes");
    let check = |words: &[&str], expected: &str| {
        let ran = study(&folder, words);
        assert_eq!((ran.code, ran.stderr.trim(), ran.stdout.as_str()), (Some(2), expected, ""));
        assert!(!folder.join("palestra-studies").exists());
    };
    let known = shipped().join(", ");
    let unknown = format!(
        "error: invalid value \"conect-c\" for study: expected a study or a folder with a study.toml ({known}); did you mean \"connect-c\"?"
    );
    check(&["run", "conect-c"], &unknown);
    check(
        &["run", "small", "--part", "trees"],
        "error: invalid value \"trees\" for --part: expected a part of the study (tree, luck); did you mean \"tree\"?",
    );
    check(
        &["report", "small"],
        "error: invalid value \"small\" for study: expected a study that has been run (palestra study run small)",
    );
    let write = |text: &str| fs::write(folder.join("small/study.toml"), text).unwrap();
    write(&STUDY.replace("rule = \"exact\"", "rule = \"exakt\""));
    check(
        &["run", "small"],
        "error: invalid value \"exakt\" for rule in [column] of [table] of [part] of small/study.toml (line 28, column 8): expected one of exact, normal, share, counts, sample, shown; did you mean \"exact\"?",
    );
    let numbers = (0..1000).map(|i| i.to_string()).collect::<Vec<_>>().join(", ");
    let each = format!("each = {{ a = [{numbers}], b = [{numbers}], c = [{numbers}] }}\nid = \"match\"");
    write(&STUDY.replace("id = \"match\"", &each));
    check(
        &["run", "small"],
        "error: invalid value \"1000000000 combinations\" for each of the run match of the part luck: expected at most 10000 combinations of values",
    );
    for (command, found) in [("", "missing value"), ("serve --port 0", "invalid value \"serve --port 0\"")] {
        write(&STUDY.replace("match connect4 random random --games {games}", command));
        let expected = format!(
            "error: {found} for command of the run match of the part luck: expected a command that ends by itself and prints its result, such as match, tune or solve"
        );
        check(&["run", "small"], &expected);
    }
    write(&STUDY.replace("published/won.csv", "published/one.csv"));
    check(
        &["run", "small"],
        "error: invalid value \"published/one.csv\" for published (line 51, column 13): expected a file of the study (about.md, published/nodes.csv, published/won.csv, study.toml); did you mean \"published/won.csv\"?",
    );
}

/// The studies shipped with the program are complete: every file exists, and every command can be parsed.
#[test]
fn shipped_studies_can_be_read() {
    let names = shipped();
    assert_eq!(names, ["connect-4", "connect-c", "ladrillos", "mancala", "mastergoal"]);
    for name in &names {
        let source = StudyFiles::shipped(name).unwrap();
        let study = Study::read(&source, name).unwrap();
        assert!(!study.about.is_empty(), "{name} has no page");
        for size in StudyScale::ALL {
            for job in study.jobs(size).unwrap() {
                for word in job.command.split(' ').filter(|word| word.ends_with(".toml")) {
                    assert!(
                        source.bytes(word).is_some(),
                        "{name}, {}: {word} is no file of the study",
                        job.id
                    );
                }
            }
        }
    }
}
