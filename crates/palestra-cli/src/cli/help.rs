//! The help of `palestra` itself, with the commands under headings.
//!
//! clap has no headings for subcommands, so the list of commands is part of the help template. The template ends with
//! `{options}` instead of `{all-args}`, which would list the commands a second time; all options of the program itself
//! are common ones.

use super::args::{Args, COMMON_OPTIONS};
use crate::games;
use clap::{Command, CommandFactory};
use palestra_arena::{Catalog, program_name};
use std::fmt::Write;

/// Headings and their commands, in the order of the help.
const GROUPS: &[(&str, &[&str])] = &[
    ("Play", &["play", "match", "show", "explain", "games", "players"]),
    ("Tune", &["tune", "methods", "compare-methods", "runs", "run", "report", "weights"]),
    ("Compete", &["tournament", "event", "engine", "check-submissions", "stats", "ratings"]),
    (
        "Analyze",
        &["solve", "analyze", "accuracy", "tree", "perft", "playouts", "map", "sensitivity", "certify"],
    ),
    ("Page", &["serve"]),
    ("Studies", &["study"]),
    ("System", &["store", "bench", "new-game", "completions", "man"]),
];

/// Columns of the list. clap does not wrap the text of a template, so the list has to fit the usual terminal.
const WIDTH: usize = 80;

/// The parser of the program, whose help shows the commands in groups.
pub(super) fn command() -> Command {
    let command = Args::command();
    let template = template(&command);
    let command = command.help_template(template);
    match program_name() {
        PALESTRA => command,
        program => for_games(command, program, games()),
    }
}

/// The name of Palestra's own program, which all examples use.
const PALESTRA: &str = "palestra";

/// Games of the examples; a program without one of them has the other examples only.
const EXAMPLE_GAMES: &[&str] = &["connect", "connect4", "ladrillos", "kalah", "mancala", "mastergoal"];

/// The commands with the usage and the examples of a program with another name and other games.
fn for_games(command: Command, program: &str, catalog: &Catalog) -> Command {
    let renamed = |text: &str| text.replace("palestra ", &format!("{program} "));
    let usage = command.clone().render_usage().to_string();
    let own_usage = usage.strip_prefix("Usage: ").filter(|usage| usage.starts_with("palestra ")).map(renamed);
    let notes = command.get_after_help().map(|text| renamed(&possible_examples(&text.to_string(), catalog)));
    let command = match own_usage {
        Some(usage) => command.override_usage(usage),
        None => command,
    };
    let command = match notes {
        Some(notes) => command.after_help(notes),
        None => command,
    };
    let command = command.mut_args(|arg| match arg.get_help().map(ToString::to_string) {
        Some(help) => {
            let own = renamed(&own_game(&help, catalog));
            if own == help { arg } else { arg.help(own) }
        }
        None => arg,
    });
    command.mut_subcommands(|below| for_games(below, program, catalog))
}

/// The help of an argument that is a game, with a game of the catalog as its example.
fn own_game(help: &str, catalog: &Catalog) -> String {
    let game = catalog.default_game();
    match help.strip_prefix("Game: ").and_then(|rest| rest.split_once('…')) {
        Some((_, rest)) => format!("Game: {game}, …{rest}"),
        None if help.starts_with("Family (connect)") => format!("Family or game: {game}"),
        None => help.to_owned(),
    }
}

/// The text after the options without the examples for games that the catalog lacks, and without a heading that is left
/// alone.
fn possible_examples(text: &str, catalog: &Catalog) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for line in text.lines() {
        let words = || line.split(|c: char| !c.is_ascii_alphanumeric());
        let is_possible =
            || words().all(|word| !EXAMPLE_GAMES.contains(&word) || catalog.family(word).is_ok());
        if line.starts_with("  ") && !is_possible() {
            continue;
        }
        if !line.starts_with("  ") && kept.last() == Some(&"Examples:") {
            kept.pop();
        }
        kept.push(line);
    }
    if kept.last() == Some(&"Examples:") {
        kept.pop();
    }
    kept.join("\n").trim().to_owned()
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
    use palestra_arena::CatalogEntry;

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
        assert!(position("\nSystem:\n  store ") < position("\nCommon options:\n"), "{help}");
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
    fn a_program_with_other_games_has_its_own_examples() {
        static KALAH: Catalog = Catalog::new(&[CatalogEntry::of::<palestra_games::kalah::KalahFamily>()]);
        let mut command = for_games(Args::command(), "nim", &KALAH);
        let help = command.render_help().to_string();
        assert!(help.contains("\n  nim serve ") && !help.contains("  palestra "), "{help}");
        command.build();
        let of = |command: &mut Command, name: &str| {
            command.find_subcommand_mut(name).expect("a command").render_help().to_string()
        };
        let explain = of(&mut command, "explain");
        assert!(explain.contains("Usage: nim explain [OPTIONS] GAME"), "{explain}");
        assert!(!explain.contains("Examples:") && !explain.contains("connect"), "{explain}");
        assert!(explain.contains("Game: kalah, …") && explain.contains("nim games NAME"), "{explain}");
        let solve = of(&mut command, "solve");
        assert!(solve.contains("Examples:\n  nim solve kalah:4x4 --json\n"), "{solve}");
    }

    #[test]
    fn long_texts_are_wrapped() {
        assert_eq!(wrap("a b", 4), "a b");
        assert_eq!(wrap(&["word"; 17].join(" "), 4), format!("{}\n    word word", ["word"; 15].join(" ")));
    }
}
