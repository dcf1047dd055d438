//! Reports of small runs, as files.

use crate::support::{Ran, command, empty_folder, finish, names_in};
use std::fs;
use std::path::Path;

/// A league of five generations, with a short test of the champion.
const LEAGUE: &str = r#"
game = "connect:4x4x3"
player = "greedy/lines"
opening_plies = 2
objective = "league"
method = "cmaes"
[budget]
generations = 5
[test]
pairs = 20
controls = false
"#;

const GRID: &str = r#"
game = "connect:4x4x3"
player = "greedy/threes"
objective = { name = "gauntlet", opponents = ["random", "first"] }
[method]
name = "grid"
values = [[-1, 0, 1], [0, 2], [1], [-0.5, 0.5]]
"#;

/// Coevolution, without a test of the champion.
const PARASITES: &str = r#"
game = "connect:4x4x3"
player = "greedy/lines"
opening_plies = 2
objective = { name = "parasites", n = 4 }
[method]
name = "coevolution"
population = 6
[budget]
generations = 3
[test]
wanted = false
"#;

fn run(folder: &Path, words: &[&str]) -> Ran {
    finish(command(words).current_dir(folder))
}

/// Tunes a plan in a folder and writes the report; returns the page.
fn report(folder: &Path, plan: &str, more: &[&str]) -> String {
    fs::write(folder.join("plan.toml"), plan).unwrap();
    let ran = run(folder, &["tune", "plan.toml"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let ran = run(folder, &[&["report", "1", "--output", "report.html"], more].concat());
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let page = fs::read_to_string(folder.join("report.html")).unwrap();
    check_page(&page);
    page
}

/// Checks that tags are closed in order, no number is malformed, and nothing is loaded from another address.
fn check_page(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page.strip_prefix("<!doctype html>").unwrap();
    while let Some((text, after)) = rest.split_once('<') {
        assert!(!text.contains('>'), "{text}");
        if let Some(comment) = after.strip_prefix("!--") {
            rest = comment.split_once("-->").unwrap().1;
            continue;
        }
        let (tag, after) = after.split_once('>').unwrap();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_matches('/').split([' ', '\n']).next().unwrap();
        let is_void = tag.ends_with('/') || ["meta", "br"].contains(&name);
        match (tag.starts_with('/'), is_void) {
            (true, _) => assert_eq!(open.pop(), Some(name), "{tag}"),
            (false, true) => {}
            (false, false) => open.push(name),
        }
        rest = after;
    }
    assert_eq!(open, Vec::<&str>::new());
    for bad in ["NaN", ">inf", "-inf", "<script", "src=", "@import", "url(http", "<link", "<form", "href=\"/"]
    {
        assert!(!page.contains(bad), "{bad}");
    }
    let ids: Vec<&str> = page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    for wanted in ["<html lang=\"en\"", "prefers-color-scheme: dark", "name=\"viewport\"", "<title>", "<h1>"]
    {
        assert!(page.contains(wanted), "{wanted}");
    }
    assert_eq!(page.matches("<figure").count(), page.matches("role=\"img\" aria-label=\"").count());
}

/// The page without figures and tags, one line for each piece of text.
fn skeleton(page: &str) -> String {
    let body = page.split_once("<body>").unwrap().1;
    let mut text = String::new();
    let mut rest = body;
    while let Some((before, after)) = rest.split_once("<svg viewBox=") {
        text.push_str(before);
        text.push_str("[figure]");
        rest = after.split_once("</svg>").unwrap().1;
    }
    text.push_str(rest);
    let pieces = text.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text));
    let lines: Vec<&str> = pieces.map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

fn figures(page: &str) -> Vec<&str> {
    page.split("<figure id=\"figure-").skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn a_run_that_is_done() {
    let folder = empty_folder("report-done");
    let page = report(&folder, LEAGUE, &["--figures", "figures", "--json"]);
    let drawn = figures(&page);
    for wanted in ["fitness", "weights", "weights-zoomed", "movement", "method-sigma"] {
        assert!(drawn.contains(&wanted), "{drawn:?}");
    }
    let mut files: Vec<String> =
        drawn.iter().flat_map(|name| [format!("{name}.png"), format!("{name}.svg")]).collect();
    files.sort();
    assert_eq!(names_in(&folder.join("figures")), files);
    for id in ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "N"] {
        assert!(page.contains(&format!("<th scope=\"row\">{id}</th>")), "{id}");
    }
    check_exact_play(&page);
    // The headline agrees with the result of the sequential test.
    let outcome = run(&folder, &["tune", "plan.toml", "--json"]).stdout;
    let outcome: serde_json::Value = serde_json::from_str(&outcome).unwrap();
    let comparisons = outcome["verification"]["comparisons"].as_array().unwrap();
    let with = |better: Option<bool>| {
        let these = comparisons.iter().filter(|comparison| comparison["better"].as_bool() == better);
        let names: Vec<&str> = these.map(|comparison| comparison["baseline"].as_str().unwrap()).collect();
        names.join(" and than ")
    };
    let better = outcome["better"].as_bool();
    let says = match better {
        Some(true) => format!("<p>The champion is better than {}.</p>", with(better)),
        Some(false) => format!("<p>The champion is not better than {}.</p>", with(better)),
        None => format!("<p>It is not decided whether the champion is better than {}: ", with(better)),
    };
    assert!(page.contains(&says), "{says}");
    assert!(page.contains(outcome["best"].as_str().unwrap()));
    assert!(page.contains("palestra tune cmaes-connect-4x4x3-1.toml --again"));
    // A second report from the same store is identical.
    assert_eq!(run(&folder, &["report", "cmaes-connect-4x4x3-1"]).code, Some(0));
    let again = fs::read_to_string(folder.join("cmaes-connect-4x4x3-1.html")).unwrap();
    assert_eq!(skeleton(&again), skeleton(&page));
}

/// The p-value in P5 follows from its counts of positions gained and lost.
fn check_exact_play(page: &str) {
    let row = page.split("<tr>").find(|row| row.contains(">P5<")).unwrap();
    let row = row.replace("&#60;", "less than");
    let found = row.split("; ").nth(1).unwrap().split('<').next().unwrap();
    let [gained, lost, p] = found.split(", ").collect::<Vec<_>>()[..] else { panic!("{found}") };
    let count = |text: &str, word: &str| text.strip_suffix(word).unwrap().parse::<u64>().unwrap();
    let expected = palestra_arena::stats::mcnemar(count(gained, " gained"), count(lost, " lost"));
    let said = if expected < 0.001 { "p less than 0.001".to_owned() } else { format!("p = {expected:.3}") };
    assert_eq!(p, said, "{found}");
}

/// The plan in the page is the run's: saved to a file and run, it finds the run.
#[test]
fn the_plan_in_the_page_is_the_plan() {
    let folder = empty_folder("report-plan");
    let page = report(&folder, PARASITES, &[]);
    let plan = page.split_once("<pre id=\"plan\"").unwrap().1.split_once('>').unwrap().1;
    let plan = plan.split("</pre>").next().unwrap().replace("&#34;", "\"");
    fs::write(folder.join("copy.toml"), plan).unwrap();
    let ran = run(&folder, &["tune", "copy.toml"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.stderr.contains("coevolution-connect-4x4x3-1 is already done"), "{}", ran.stderr);
    assert!(figures(&page).contains(&"engagement"));
    assert!(page.contains("The champion was not tested"));
    let row = page.split("<tr>").find(|row| row.contains(">P7<")).unwrap();
    assert!(row.contains("% of all parasites were beaten by all or by none"), "{row}");
}

#[test]
fn a_grid() {
    let folder = empty_folder("report-grid");
    let page = report(&folder, GRID, &[]);
    assert!(figures(&page).contains(&"grid") && !figures(&page).contains(&"weights"));
    let svg = page.split("figure-grid").nth(1).unwrap().split("</svg>").next().unwrap();
    // Every value of every weight has a cell.
    let cells: Vec<&str> = svg.split("font-size=\"10\"").skip(1).map(text_of).collect();
    assert_eq!(cells, ["-1", "0", "1", "0", "2", "1", "-0.5", "0.5"]);
    // The best score in each cell is the one that the command prints.
    let scores: Vec<&str> = svg.split("font-size=\"15\"").skip(1).map(text_of).collect();
    let outcome = run(&folder, &["tune", "plan.toml", "--json"]).stdout;
    let outcome: serde_json::Value = serde_json::from_str(&outcome).unwrap();
    let best = outcome["best_by_value"].as_array().unwrap().iter().flat_map(|row| row.as_array().unwrap());
    let best: Vec<String> = best.map(|score| score.as_f64().unwrap().to_string()).collect();
    assert_eq!(scores, best);
}

/// The text after an opening tag.
fn text_of(rest: &str) -> &str {
    rest.split_once('>').unwrap().1.split('<').next().unwrap()
}

#[test]
fn one_generation_and_an_interrupted_run() {
    let folder = empty_folder("report-short");
    let page = report(&folder, &LEAGUE.replace("generations = 5", "generations = 1"), &[]);
    assert!(figures(&page).contains(&"fitness") && !figures(&page).contains(&"movement"));
    // An unfinished run, as a killed process leaves it in the store.
    let folder = empty_folder("report-interrupted");
    fs::write(folder.join("plan.toml"), LEAGUE.replace("generations = 5", "generations = 1000000")).unwrap();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_palestra"))
        .args(["tune", "plan.toml"])
        .current_dir(&folder)
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let has_generations = || {
        let ran = run(&folder, &["run", "show", "1", "--json"]);
        let shown: Option<serde_json::Value> = serde_json::from_str(&ran.stdout).ok();
        shown.is_some_and(|shown| shown["generations"].as_array().is_some_and(|all| all.len() > 4))
    };
    while !has_generations() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let ran = run(&folder, &["report", "1"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let page = fs::read_to_string(folder.join("cmaes-connect-4x4x3-1.html")).unwrap();
    check_page(&page);
    assert!(page.contains("This run was interrupted: there is no champion yet"));
    assert!(page.contains("To continue the run:") && figures(&page).contains(&"weights"));
}

#[test]
fn what_can_go_wrong() {
    let folder = empty_folder("report-wrong");
    report(&folder, GRID, &[]);
    fs::remove_file(folder.join("report.html")).unwrap();
    let before = names_in(&folder);
    let check = |words: &[&str], code: i32, says: &str| {
        let ran = run(&folder, words);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{words:?}");
        assert!(ran.stderr.contains(says) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
        assert_eq!(names_in(&folder), before, "{words:?}");
    };
    check(&["report", "gird-connect-4x4x3-1"], 2, "grid-connect-4x4x3-1");
    check(&["report", "7"], 2, "7");
    check(&["report", "1", "--output", "nowhere/report.html"], 1, "cannot write nowhere/report.html");
    check(&["report", "1", "--figures", "plan.toml"], 1, "cannot create plan.toml");
    check(&["report", "1", "--store", "none.db"], 2, "none.db");
}

/// Snapshot of the text of a page. Numbers become `#`, since other tests check them.
#[test]
fn the_words_of_a_report() {
    let folder = empty_folder("report-words");
    let text = skeleton(&report(&folder, LEAGUE, &[]));
    let mut words = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' if words.ends_with('#') => {}
            '0'..='9' => words.push('#'),
            other => words.push(other),
        }
    }
    // Tables of numbers say nothing here, and times differ.
    let is_number = |line: &&str| !line.chars().all(|c| "#.,-+ °%".contains(c));
    let lines: Vec<&str> = words.lines().filter(is_number).collect();
    insta::assert_snapshot!("report", lines.join("\n").replace("less than a second", "# seconds"));
}
