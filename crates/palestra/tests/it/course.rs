//! docs/course-tournament.md, step by step: commands and plan are those of the page, only the clock is generous and the
//! cycles are few. Twelve submissions in six languages, alone and together with one bad submission of each kind.
#![allow(clippy::print_stderr, reason = "a test that could not be made says so")]

use crate::events::Place;
use crate::support::{Ran, slow, workspace};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a submission is written in: the tools it needs, the file, and its text.
const LANGUAGES: [(&str, &[&str], &str, &str); 6] = [
    ("python", &["python3"], "bot.py", PYTHON),
    ("c", &["gcc"], "bot.c", include_str!("../course-tournament/bot.c")),
    ("cpp", &["g++"], "bot.cpp", include_str!("../course-tournament/bot.cpp")),
    ("rust", &["rustc"], "bot.rs", include_str!("../course-tournament/bot.rs")),
    ("java", &["javac", "java"], "Bot.java", include_str!("../course-tournament/Bot.java")),
    ("javascript", &["node"], "bot.js", include_str!("../course-tournament/bot.js")),
];
const PYTHON: &str = include_str!("../course-tournament/bot.py");

/// The order of columns in the players, and that of the second submission in each language.
const ORDER: &str = "4352617";
const ORDERS: [&str; 12] = [
    ORDER,
    "4536271",
    "3451267",
    "5437612",
    "4152637",
    "1234567",
    "7654321",
    "2461357",
    "6423571",
    "4321567",
    "5674321",
    "3344556677112",
];

/// Honest players answer at once: what they have is for a busy machine. A start of the Java machine takes the most.
const LIMITS: &str = "--clock 0.3/move --margin-ms 4000 --startup 60";

/// The same player with a line in front of its answer.
fn spoiled(line: &str) -> String {
    PYTHON.replace("# WHAT GOES WRONG", line)
}

/// The course: a place, and the players that are honest.
struct Course {
    place: Place,
    honest: Vec<String>,
}

impl Course {
    fn new(name: &str) -> Course {
        let mut course = Course { place: Place::new(name), honest: Vec::new() };
        for (language, (name, tools, file, text)) in LANGUAGES.into_iter().enumerate() {
            if !tools.iter().all(|tool| has(tool)) {
                continue;
            }
            for n in 0..2 {
                let folder = format!("{name}-{}", n + 1);
                course.put(&folder, file, &text.replace(ORDER, ORDERS[2 * language + n]));
                course.honest.push(folder);
            }
        }
        course
    }

    /// Whether there are the languages that are needed for more than their own players.
    fn can_play(&self) -> bool {
        ["python-1", "c-1"].iter().all(|name| self.honest.iter().any(|other| other == name))
    }

    fn put(&self, folder: &str, file: &str, text: &str) {
        let folder = self.place.0.join("handed-in").join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.place.0.join(path)).unwrap()
    }

    /// A command of the page, in a shell, which must exit with this code.
    #[track_caller]
    fn shell(&self, line: &str, code: i32) -> Ran {
        let program = Path::new(env!("CARGO_BIN_EXE_palestra"));
        let folders = std::env::join_paths(
            [program.parent().unwrap().to_owned()]
                .into_iter()
                .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
        );
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("PATH", folders.unwrap()).env("COLUMNS", "100");
        command.env("PALESTRA_CACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        command.current_dir(&self.place.0);
        let output = command.stdin(Stdio::null()).output().unwrap();
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert_eq!(output.status.code(), Some(code), "{line}\n{stdout}\n{stderr}");
        Ran { code: output.status.code(), stdout, stderr }
    }

    fn object(&self, line: &str, code: i32) -> Value {
        serde_json::from_str(&self.shell(&format!("{line} --json"), code).stdout).unwrap()
    }

    /// The objects of a check, by folder.
    fn check(&self, line: &str, code: i32) -> BTreeMap<String, Value> {
        let ran = self.shell(&format!("{line} {LIMITS} --json"), code);
        let objects = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        objects.map(|one| (one["folder"].as_str().unwrap_or_default().to_owned(), one)).collect()
    }

    /// Standing of the honest players, in order.
    fn honest_rows(&self, event: &Value) -> Vec<(String, [u64; 3])> {
        let rows = event["standings"].as_array().unwrap().iter();
        let row = |row: &Value| {
            let number = |key| row[key].as_u64().unwrap();
            let name = row["player"].as_str().unwrap().to_owned();
            (name, ["wins", "draws", "losses"].map(number))
        };
        rows.map(row).filter(|row| self.honest.contains(&row.0)).collect()
    }
}

fn has(tool: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg("--version").current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
    let is_there = command.status().is_ok_and(|status| status.success());
    if !is_there {
        eprintln!("NOT TESTED: submissions that need {tool}");
    }
    is_there
}

fn page() -> String {
    fs::read_to_string(workspace().join("docs/course-tournament.md")).unwrap()
}

/// The block of the page with this text: the lines between its fences, continued lines joined.
fn block(text: &str) -> String {
    let page = page();
    let blocks = page.split("\n```").skip(1).step_by(2);
    let block = blocks.map(|block| block.split_once('\n').unwrap().1).find(|block| block.contains(text));
    block.unwrap_or_else(|| panic!("no block with {text}")).replace("\\\n", " ")
}

/// The command of the page with this text, without its comment.
fn of_page(text: &str) -> String {
    let block = block(text);
    let line = block.lines().find(|line| line.contains(text)).unwrap();
    line.split(" # ").next().unwrap().trim().to_owned()
}

/// Every file of a folder and below.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// What the file of a submission that misbehaves is called: processes of this test alone have it in their command.
fn bad_file(name: &str) -> String {
    format!("{name}-in-course.py")
}

/// Command lines of processes that play here: they work in its folder, or have a file of this test in their command.
fn left_behind(place: &Place) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let found = processes.filter_map(|process| {
        let folder = fs::read_link(process.join("cwd")).unwrap_or_default();
        let words = fs::read(process.join("cmdline")).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        let is_bad = words.contains(&bad_file("")) && place.0.join("handed-in/hang").exists();
        (is_bad || folder.starts_with(place.0.join("handed-in"))).then_some(words)
    });
    found.collect()
}

/// The plan of the page, and the roster of the submissions.
fn prepare(course: &Course) {
    fs::write(course.place.0.join("cup.toml"), block("# cup.toml")).unwrap();
    let mut roster = "folder,name,group,identifier\n".to_owned();
    for (n, folder) in course.honest.iter().enumerate() {
        roster += &format!("{folder},,{},student-{n}\n", ["morning", "evening"][n % 2]);
    }
    roster += "\"Pérez, Ana\",,evening,student-20\nteam,Eva,evening,student-21\nteam,Leo,evening,student-22\nnothing,Kim,evening,student-23\n";
    fs::write(course.place.0.join("students.csv"), roster).unwrap();
}

/// Cycles instead of the 20 of the page.
fn cycles() -> &'static str {
    if slow() { "6" } else { "1" }
}

/// The night of the page, with the roster.
fn night() -> String {
    let command = of_page("palestra tournament cup.toml --site public/ --csv marks.csv");
    format!("{command} --roster students.csv --set cycles={} {LIMITS}", cycles())
}

const CHECK: &str = "palestra check-submissions connect4 handed-in/ --compile --reports reports/";

/// The staff of step 4, measured as the page says.
#[test]
fn the_staff_has_the_ratings_of_the_page() {
    let course = Course { place: Place::new("course-staff"), honest: Vec::new() };
    let printed = course.shell(&of_page("--cycles 50 --name ladder"), 0).stdout;
    let expected = block("hard is better than regular");
    assert!(printed.starts_with(expected.trim_end()), "{printed}");
}

/// Every step with submissions that are as they should be, and what happens when some are handed in again or late.
#[test]
fn a_course_of_honest_players() {
    let course = Course::new("course-honest");
    if !course.can_play() {
        return;
    }
    prepare(&course);
    assert_eq!(of_page("--compile --reports"), CHECK);
    let checked = course.check(&format!("{CHECK} --roster students.csv"), 0);
    for folder in &course.honest {
        assert_eq!(checked[folder]["fit"], true, "{}", checked[folder]);
        let report = course.read(&format!("reports/{folder}.txt"));
        for part in ["Result: fit to play", " --clock 0.3/move --margin-ms 4000"] {
            assert!(report.contains(part), "{part}: {report}");
        }
    }
    let n_honest = course.honest.len();
    let printed = course.shell("palestra tournament cup.toml --print-plan --set cycles=1", 0).stdout;
    assert!(printed.contains(&format!("about {} games", n_honest * 6)), "{printed}");
    let dry_run = of_page("--name dry-run");
    course.shell(&dry_run.replace("--clock 0.1/move", LIMITS), 0);
    let first = course.object(&night(), 0);
    assert_eq!(first["standings"].as_array().unwrap().len(), n_honest + 3);
    // Late, and handed in again: only the games of these two are played.
    course.put("late", "bot.py", &PYTHON.replace(ORDER, "7162534"));
    let again = course.honest[1].clone();
    course.put(&again, "player.toml", "command = [\"python3\", \"again.py\"]\n");
    course.put(&again, "again.py", &PYTHON.replace(ORDER, "6172534"));
    let games = |lines: &str| -> BTreeSet<String> {
        let games = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        games.map(|game| game["id"].to_string()).collect()
    };
    let before = games(&course.shell("palestra event cup --games --json", 0).stdout);
    let second = course.object(&night(), 0);
    let after = games(&course.shell("palestra event cup --games --json", 0).stdout);
    let per_player = before.len() / n_honest;
    assert_eq!(after.difference(&before).count(), 2 * per_player);
    assert_eq!(before.difference(&after).count(), per_player);
    let others = |event: &Value| {
        let mut rows = course.honest_rows(event);
        rows.retain(|row| row.0 != again);
        rows.sort_by(|left, right| left.0.cmp(&right.0));
        rows
    };
    assert_eq!(others(&first), others(&second));
    assert_eq!(left_behind(&course.place), [""; 0]);
    outputs_of_the_page(&course);
}

/// The commands of step 9.
fn outputs_of_the_page(course: &Course) {
    let tables = block("palestra event cup --player ana");
    assert_eq!(tables.lines().count(), 10, "{tables}");
    for line in tables.lines() {
        let line = line.replace("--player ana", &format!("--player {}", course.honest[0]));
        course.shell(&line, 0);
    }
    let identifiers = course.read("students.csv").lines().count() - 1;
    for platform in ["moodle", "canvas"] {
        course.shell(&format!("palestra event cup --{platform} {platform}.csv"), 0);
    }
    let grades = course.read("moodle.csv");
    // The late one has no row in the roster; the students without a folder have a grade of 0.
    assert_eq!(grades.lines().count(), 1 + identifiers + 1, "{grades}");
    assert!(grades.contains("student-23,Kim,0"), "{grades}");
    let marks = course.read("marks.csv");
    for folder in &course.honest {
        assert!(marks.lines().any(|line| line.starts_with(&format!("{folder},"))), "{folder}: {marks}");
        assert!(course.place.0.join(format!("texts/{folder}.txt")).exists(), "{folder}");
    }
    nothing_private(course);
}

/// The site has no folder, no command and no identifier.
fn nothing_private(course: &Course) {
    let here = course.place.0.display().to_string();
    for path in files(&course.place.0.join("public")) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        for private in ["handed-in", "python3", "cmd:./player", "java -cp", "student-", "no weights", &here] {
            assert!(!text.contains(private), "{private} in {}", path.display());
        }
        assert!(!text.contains("<b>x<script>") || path.extension().is_none_or(|end| end != "html"));
    }
}

/// Submissions that do not play, and what is said of each by the check.
const LEFT_OUT: [(&str, &str); 9] = [
    ("no-compile", "does not compile"),
    ("no-command", "there are 0"),
    ("two", "there are 2"),
    ("path", "a path that does not lead out of that folder"),
    ("link", "a path that does not lead out of that folder"),
    ("sparse", "the limit is 1024 MiB"),
    ("crash", "crash"),
    ("hang", "time"),
    ("nothing", "no submission"),
];

/// Submissions that pass the pre-flight check and are disqualified, and their failures.
const DISQUALIFIED: [(&str, &str, &str); 3] = [
    ("illegal", "if len(moves) > 4: ORDER = '9'", "illegal move"),
    ("flood", "while len(moves) > 4: print('x' * 1000)", "flood"),
    ("network", "if len(moves) > 4: __import__('socket').socket()", "forbidden call"),
];

/// Names that are a trap for files, pages and spreadsheets, and one that is said to be another's.
const NAMES: [&str; 5] = ["Pérez, Ana", "bea ", "=cmd", "<b>x<script>", "name"];

fn put_bad_ones(course: &Course) {
    course.put("no-compile", "bot.c", "int main(void) { return oops; }\n");
    course.put("no-command", "README.md", "later");
    course.put("two", "a.py", PYTHON);
    course.put("two", "b.py", PYTHON);
    course.put("path", "player.toml", "command = [\"../python-1/bot.py\"]\n");
    course.put("link", "README.md", "");
    symlink("../python-1/bot.py", course.place.0.join("handed-in/link/bot.py")).unwrap();
    course.put("sparse", "bot.py", PYTHON);
    let table = fs::File::create(course.place.0.join("handed-in/sparse/table.bin")).unwrap();
    table.set_len(2 << 30).unwrap();
    course.put("crash", "bot.py", "import sys\nsys.exit('no weights')\n");
    // Asleep: a busy machine is no excuse for it.
    course.put("hang", &bad_file("hang"), &spoiled("__import__('time').sleep(3600)"));
    for (name, line, _) in DISQUALIFIED {
        course.put(name, &bad_file(name), &spoiled(line));
    }
    // Different programs: the same ones would share their games.
    for (name, order) in NAMES.into_iter().zip(["7162534", "6172534", "5172634", "5162734", "2134567"]) {
        course.put(name, "bot.py", &PYTHON.replace(ORDER, order));
    }
    course.put("name", "player.toml", "name = \"python-1\"\ncommand = [\"python3\", \"bot.py\"]\n");
}

/// One bad submission of each kind changes nothing for the others.
#[test]
fn a_course_with_bad_submissions() {
    let course = Course::new("course-bad");
    if !course.can_play() {
        return;
    }
    prepare(&course);
    course.check(CHECK, 0);
    let alone = course.object(&format!("{} --store alone.db", night()), 0);
    put_bad_ones(&course);
    let checked = course.check(&format!("{CHECK} --roster students.csv --csv checks.csv"), 3);
    let checks = course.read("checks.csv");
    for (name, reason) in LEFT_OUT.into_iter().filter(|(name, _)| *name != "nothing") {
        assert_eq!(checked[name]["fit"], false, "{name}");
        assert!(checked[name].to_string().contains(reason), "{name}: {}", checked[name]);
        let line = checks.lines().find(|line| line.contains(&format!(",{name},not fit,")));
        assert!(line.is_some_and(|line| line.contains(reason)), "{name}: {checks}");
    }
    for name in course.honest.iter().map(String::as_str).chain(NAMES) {
        assert_eq!(checked[name]["fit"], true, "{name}: {}", checked[name]);
    }
    // All that cannot be started are listed, and nothing is played.
    let refused = course.shell(&night(), 2).stderr;
    assert!(refused.contains("6 of "), "{refused}");
    for (name, _) in &LEFT_OUT[..6] {
        assert!(refused.contains(&format!("handed-in/{name}")), "{name}: {refused}");
    }
    assert!(!course.place.0.join("palestra.db").exists());
    let night = format!("{} --skip-invalid", night());
    let together = course.object(&night, 3);
    assert_eq!(left_behind(&course.place), [""; 0]);
    assert_eq!(course.honest_rows(&alone), course.honest_rows(&together));
    let left_out: BTreeMap<&str, &str> = together["left_out"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["player"].as_str().unwrap(), row["reason"].as_str().unwrap()))
        .collect();
    let marks = course.read("marks.csv");
    for (name, reason) in LEFT_OUT {
        let player = if name == "nothing" { "Kim" } else { name };
        // The event compiles nothing: for it there is no program.
        let reason = if name == "no-compile" { "there are 0" } else { reason };
        assert!(left_out[player].contains(reason), "{name}: {left_out:?}");
        assert!(marks.lines().any(|line| line.starts_with(&format!("{player},"))), "{name}: {marks}");
    }
    for (name, _, failure) in DISQUALIFIED {
        let row = together["standings"].as_array().unwrap().iter().find(|row| row["player"] == name).unwrap();
        assert_eq!(row["quarantined"], true, "{row}");
        assert!(row["forfeit_kinds"].as_object().unwrap().keys().all(|kind| kind == failure), "{row}");
    }
    for line in ["\"Pérez, Ana\",", "bea ,", "'=cmd,", "<b>x<script>,", "name,"] {
        assert!(marks.lines().any(|other| other.starts_with(line)), "{line}: {marks}");
    }
    nothing_private(&course);
    appeal(&course, &night);
}

/// A failure is shown again with the files that played, also when others have been handed in.
fn appeal(course: &Course, night: &str) {
    let games = course.shell("palestra event cup --games --json", 0).stdout;
    let mut games = games.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let game = games.find(|game| game["forfeit"]["player"] == "illegal").unwrap()["id"].to_string();
    course.put("illegal", &bad_file("illegal"), &PYTHON.replace(ORDER, "3214567"));
    let value = course.object(night, 3);
    let row = value["standings"].as_array().unwrap().iter().find(|row| row["player"] == "illegal").unwrap();
    assert_eq!((&row["quarantined"], &row["forfeits"]), (&Value::Bool(false), &0.into()), "{row}");
    let replay = of_page("palestra engine replay 117").replace("117", &game);
    let shown = course.shell(&format!("{replay} --startup 60"), 0).stdout;
    assert!(shown.contains("these are the archived ones") && shown.contains("in the same way"), "{shown}");
    course.shell(&format!("{replay} --startup 60 --current"), 1);
}
