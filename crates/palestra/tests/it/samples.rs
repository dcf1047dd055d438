//! The samples of the documentation: every `$ palestra …` line of a console block is run, and its output is
//! compared with the lines that follow it.
//!
//! - A line `…` stands for any number of lines, `…` within a line for any text.
//! - Commands of a file run in order in one folder, which has links to `studies` and `examples`.
//! - `$ cat FILE` shows a file that the commands after it need: it is written before they run.
//! - `$ printf 'TEXT' | palestra …` gives the text as standard input.
//! - What follows a prompt of `palestra play`, such as `first (X), your move: 4`, is typed.
//! - Commands of other programs are left out.
//! - A block with the info string `console no-test` is not run, one with `console slow` only when
//!   `RUN_SLOW_TESTS` is set.

use crate::support::{command, empty_folder, finish, slow, workspace};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

/// What stands for text that is left out.
const GAP: &str = "…";

/// A command of a console block.
struct Sample {
    /// The number of its line in the file, from 1.
    line: usize,
    /// The command without its prompt, continued lines joined.
    command: String,
    /// The lines after it, up to the next command or the end of the block.
    output: Vec<String>,
}

/// Makes a test for each file, and the list of all of them.
macro_rules! files {
    ($($name:ident: $path:literal,)*) => {
        $(
            #[test]
            fn $name() {
                check($path);
            }
        )*

        /// The files whose samples are tested.
        const FILES: &[&str] = &[$($path),*];
    };
}

files! {
    readme: "README.md",
    connect: "docs/connect.md",
    events: "docs/events.md",
    json: "docs/json.md",
    ladrillos: "docs/ladrillos.md",
    mancala: "docs/mancala.md",
    mastergoal: "docs/mastergoal.md",
    players: "docs/players.md",
    protocols: "docs/protocols.md",
    reading_results: "docs/reading-results.md",
    reports: "docs/reports.md",
    solving: "docs/solving.md",
    statistics: "docs/statistics.md",
    tour: "docs/tour.md",
}

/// A new page with samples must be listed above, and a page without samples must not.
#[test]
fn every_file_with_samples_is_tested() {
    let folder = workspace().join("docs");
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut paths: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    paths.push("README.md".to_owned());
    paths.retain(|path| samples(path, true).iter().any(|sample| call_of(sample).is_some()));
    paths.sort();
    assert_eq!(paths, FILES);
}

#[test]
fn a_gap_stands_for_lines_or_text() {
    for (expected, output, equal) in [
        ("a\n…\nd", "a\nb\nc\nd", true),
        ("a\n…\nd", "a\nd", true),
        ("…\nb\n…", "a\nb", true),
        ("a\n…\nd", "a\nb\nc", false),
        ("a", "a\nb", false),
        ("in … s, … more", "in 0.5 s, 3 more", true),
        ("in … s", "in 0.5 min", false),
        ("[1, … ]", "[1,2,3]", true),
        ("ab…ba", "aba", false),
    ] {
        let [left, right] = [expected, output].map(|text| text.lines().collect::<Vec<_>>());
        assert_eq!(lines_match(&left, &right), equal, "{expected:?} and {output:?}");
    }
}

/// Runs the samples of a file in order; stops at the first whose output differs.
fn check(path: &str) {
    let folder = empty_folder(&format!("samples-{}", path.replace('/', "-")));
    for name in ["studies", "examples"] {
        symlink(workspace().join(name), folder.join(name)).unwrap();
    }
    for sample in samples(path, slow()) {
        if let Some(name) = sample.command.strip_prefix("cat ") {
            fs::write(folder.join(name), sample.output.join("\n") + "\n").unwrap();
        } else if let Some((words, typed)) = call_of(&sample) {
            run(path, &sample, &words, typed, &folder);
        }
    }
}

/// Runs one sample and compares its output. One that shows an error must end with exit code 2.
fn run(path: &str, sample: &Sample, words: &[String], typed: String, folder: &Path) {
    let mut program = command(words);
    program.current_dir(folder).write_stdin(typed).timeout(Duration::from_secs(600));
    // A result from the cache of another test would say that it is cached.
    program.env("PALESTRA_CACHE", folder.join("cache"));
    let ran = finish(&mut program);
    let fails = sample.output.first().is_some_and(|line| line.starts_with("error: "));
    let got = if fails { &ran.stderr } else { &ran.stdout };
    let [expected, lines] = [
        trimmed(sample.output.iter().map(String::as_str).collect()),
        trimmed(got.lines().map(str::trim_end).collect()),
    ];
    let equal = expected.is_empty() || lines_match(&expected, &lines);
    let code = if fails { 2 } else { 0 };
    assert!(
        equal && ran.code == Some(code),
        "{path}, line {}: the sample is not what the program prints\n$ {}\n\
         --- expected, with exit code {code}\n{}\n--- got, with exit code {:?}\n{}\n--- standard error\n{}",
        sample.line,
        sample.command,
        expected.join("\n"),
        ran.code,
        lines.join("\n"),
        ran.stderr,
    );
}

/// The commands in the console blocks of a file that are to be run.
fn samples(path: &str, with_slow: bool) -> Vec<Sample> {
    let text = fs::read_to_string(workspace().join(path)).unwrap();
    let mut samples: Vec<Sample> = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((line, number)) = lines.next() {
        let Some(info) = line.strip_prefix("```console") else { continue };
        let wanted = match info {
            "" => true,
            " slow" => with_slow,
            " no-test" => false,
            _ => panic!("{path}, line {number}: {line:?} is not a block that the test knows"),
        };
        let first = samples.len();
        while let Some((line, number)) = lines.next().filter(|(line, _)| *line != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                let mut command = command.to_owned();
                while command.ends_with('\\') {
                    command.pop();
                    command.push_str(lines.next().unwrap().0.trim_start());
                }
                samples.push(Sample { line: number, command, output: Vec::new() });
            } else {
                assert!(samples.len() > first, "{path}, line {number}: output before a command");
                samples.last_mut().unwrap().output.push(line.trim_end().to_owned());
            }
        }
        if !wanted {
            samples.truncate(first);
        }
    }
    samples
}

/// The arguments of Palestra and its standard input; nothing for the command of another program.
fn call_of(sample: &Sample) -> Option<(Vec<String>, String)> {
    let words = shlex::split(&sample.command).unwrap();
    let named = |word: &String| word == "palestra";
    match words.as_slice() {
        [program, arguments @ ..] if named(program) => Some((arguments.to_vec(), typed_in(&sample.output))),
        [printf, text, pipe, program, arguments @ ..]
            if printf == "printf" && pipe == "|" && named(program) =>
        {
            Some((arguments.to_vec(), text.replace("\\n", "\n")))
        }
        _ => None,
    }
}

/// What a person types in a sample: the text after each prompt, one line each.
fn typed_in(output: &[String]) -> String {
    let is_prompt =
        |line: &&String| ["first (X), ", "second (O), "].iter().any(|side| line.starts_with(side));
    let prompts = output.iter().filter(is_prompt);
    prompts.filter_map(|line| line.rsplit_once(": ")).map(|(_, typed)| format!("{typed}\n")).collect()
}

/// The lines without empty ones at the end.
fn trimmed(mut lines: Vec<&str>) -> Vec<&str> {
    while lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    lines
}

/// Whether the lines are those of the sample, in which a gap alone stands for any number of them.
fn lines_match(expected: &[&str], got: &[&str]) -> bool {
    match expected.split_first() {
        None => got.is_empty(),
        Some((&GAP, rest)) => (0..=got.len()).any(|n| lines_match(rest, &got[n..])),
        Some((line, rest)) => got
            .split_first()
            .is_some_and(|(first, others)| line_matches(line, first) && lines_match(rest, others)),
    }
}

/// Whether the line is that of the sample, in which a gap, with blanks around it or not, stands for any text.
fn line_matches(expected: &str, got: &str) -> bool {
    let Some((start, rest)) = expected.split_once(GAP) else { return expected == got };
    let Some(mut got) = got.strip_prefix(start.trim_end()) else { return false };
    let (middle, end) = rest.rsplit_once(GAP).unwrap_or(("", rest));
    for piece in middle.split(GAP).map(str::trim) {
        let Some((_, after)) = got.split_once(piece) else { return false };
        got = after;
    }
    got.ends_with(end.trim_start())
}
