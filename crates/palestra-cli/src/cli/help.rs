//! The help of `palestra` itself, with the commands under headings.
//!
//! clap has no headings for subcommands, so the list of commands is part of the help template. The template ends with
//! `{options}` instead of `{all-args}`, which would list the commands a second time; all options of the program itself
//! are common ones.

use super::args::{Args, COMMON_OPTIONS};
use clap::{Command, CommandFactory};
use std::fmt::Write;

/// Headings and their commands, in the order of the help.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["play", "match", "show", "explain", "games", "players"]),
    ("Tune", &["tune", "methods", "compare-methods", "runs", "run", "report", "weights"]),
    ("Compete", &["tournament", "event", "engine", "stats", "ratings"]),
    (
        "Analyze",
        &["solve", "analyze", "accuracy", "tree", "perft", "playouts", "map", "sensitivity", "certify"],
    ),
    ("Page", &["serve"]),
    ("Studies", &["study"]),
    ("System", &["bench", "new-game", "completions", "man"]),
];

/// Columns of the list. clap does not wrap the text of a template, so the list has to fit the usual terminal.
const WIDTH: usize = 80;

/// The parser of the program, whose help shows the commands in groups.
pub(super) fn command() -> Command {
    let command = Args::command();
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> String {
    let styles = command.get_styles();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let longest = GROUPS.iter().flat_map(|(_, names)| *names).map(|name| name.len()).max().unwrap_or(0);
    let mut text = "{before-help}{about-with-newline}\n{usage-heading} {usage}\n".to_owned();
    for (heading, names) in GROUPS {
        let _ = write!(text, "\n{header}{heading}:{header:#}\n");
        for name in *names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = wrap(&about.map(ToString::to_string).unwrap_or_default(), longest + 4);
            let space = " ".repeat(longest + 2 - name.len());
            let _ = writeln!(text, "  {literal}{name}{literal:#}{space}{about}");
        }
    }
    let _ = write!(text, "\n{header}{COMMON_OPTIONS}:{header:#}\n{{options}}{{after-help}}");
    text
}

/// Breaks a text that starts in the column `indent`, so that no line is longer than [`WIDTH`].
fn wrap(text: &str, indent: usize) -> String {
    let mut wrapped = String::new();
    let mut column = indent;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > indent && column + 1 + length > WIDTH {
            let _ = write!(wrapped, "\n{:indent$}", "");
            column = indent;
        } else if column > indent {
            wrapped.push(' ');
            column += 1;
        }
        wrapped.push_str(word);
        column += length;
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_visible_command_is_in_one_group() {
        let command = Args::command();
        let visible = command.get_subcommands().filter(|command| !command.is_hide_set());
        let mut visible: Vec<&str> = visible.map(Command::get_name).collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        visible.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, visible);
    }

    #[test]
    fn commands_are_listed_under_their_headings() {
        let help = command().render_help().to_string();
        let position = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text:?} in {help}"));
        assert!(position("\nPlay:\n  play ") < position("\nTune:\n  tune "), "{help}");
        assert!(position("\nSystem:\n  bench ") < position("\nCommon options:\n"), "{help}");
        assert!(position("--json") < position("Exit codes:"), "{help}");
        assert!(!help.contains("Commands:"), "{help}");
        let list =
            help.lines().skip_while(|line| *line != "Play:").take_while(|line| *line != "Common options:");
        assert!(
            list.clone().count() > 25 && list.clone().all(|line| line.chars().count() <= WIDTH),
            "{help}"
        );
    }

    #[test]
    fn common_options_come_last() {
        let mut command = command();
        command.build();
        let help = command.find_subcommand_mut("perft").expect("a command").render_help().to_string();
        let position = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text:?} in {help}"));
        assert!(position("--distinct") < position("Common options:"), "{help}");
        assert!(position("Common options:") < position("--seed"), "{help}");
    }

    #[test]
    fn long_texts_are_wrapped() {
        assert_eq!(wrap("a b", 4), "a b");
        assert_eq!(wrap(&["word"; 17].join(" "), 4), format!("{}\n    word word", ["word"; 15].join(" ")));
    }
}
