//! `palestra man`: the help of every command as manual pages.

use super::args::{Args, ManArgs};
use super::output::Output;
use anyhow::{Context, Result};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::io::Write;

/// Start of the paragraph about exit codes in the help of every command.
const EXIT_CODES: &str = "Exit codes: ";

pub(super) fn run(args: &ManArgs, output: &mut Output) -> Result<()> {
    let command = root_command();
    let Some(folder) = &args.folder else {
        return Ok(output.write_all(&page(command)?)?);
    };
    let make = || format!("cannot create the folder {}", folder.display());
    std::fs::create_dir_all(folder).with_context(make)?;
    for command in all(command) {
        let path = folder.join(format!("{}.1", name(&command)));
        let text = page(command)?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        output.line(format_args!("{}", path.display()))?;
    }
    Ok(())
}

/// The program with all commands, without the generated `help` subcommands.
fn root_command() -> Command {
    fn without_help(command: Command) -> Command {
        command.disable_help_subcommand(true).mut_subcommands(without_help)
    }
    let mut command = without_help(Args::command());
    command.build();
    command
}

/// A command and all visible subcommands, recursively.
fn all(command: Command) -> Vec<Command> {
    let below = command.get_subcommands().filter(|below| !below.is_hide_set());
    let below: Vec<Command> = below.cloned().flat_map(all).collect();
    std::iter::once(command).chain(below).collect()
}

/// `palestra-run-show` for `palestra run show`.
fn name(command: &Command) -> String {
    command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned()
}

fn page(command: Command) -> Result<Vec<u8>> {
    let extra = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let source = format!("palestra {}", env!("CARGO_PKG_VERSION"));
    let mut page = Vec::new();
    // clap_mangen would set the examples and notes of `after_help` as one paragraph.
    Man::new(command.after_help(None)).source(source).manual("Palestra").render(&mut page)?;
    page.extend(notes(&extra).render().into_bytes());
    Ok(page)
}

/// The text after the options in the help, as sections.
fn notes(text: &str) -> Roff {
    let mut roff = Roff::new();
    let (mut is_literal, mut is_notes) = (false, false);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_indented = line.starts_with(' ');
        if is_literal && !is_indented {
            roff.control("fi", []);
            is_literal = false;
        }
        if let Some(heading) = line.strip_suffix(':').filter(|_| starts_block(lines.peek())) {
            roff.control("SH", [heading.to_uppercase().as_str()]);
            is_notes = false;
        } else if let Some(codes) = line.strip_prefix(EXIT_CODES) {
            roff.control("SH", ["EXIT STATUS"]).text([roman(codes)]);
            is_notes = true;
        } else if is_indented {
            if !is_literal {
                roff.control("nf", []);
                is_literal = true;
            }
            roff.text([roman(line)]);
        } else if line.is_empty() {
            roff.control("PP", []);
        } else {
            if !is_notes {
                roff.control("SH", ["NOTES"]);
                is_notes = true;
            }
            roff.text([roman(line)]);
        }
    }
    if is_literal {
        roff.control("fi", []);
    }
    roff
}

/// Whether a block of literal lines starts here: they are indented.
fn starts_block(line: Option<&&str>) -> bool {
    line.is_some_and(|line| line.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_become_sections() {
        let text = "Examples:\n  palestra x --y\n  palestra z\n\nA sentence.\nExit codes: 0 done;\n1 failed.";
        let roff = notes(text).to_roff();
        let lines: Vec<&str> = roff.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
        let expected = [
            ".SH EXAMPLES",
            ".nf",
            "  palestra x \\-\\-y",
            "  palestra z",
            ".fi",
            ".PP",
            ".SH NOTES",
            "A sentence.",
            ".SH \"EXIT STATUS\"",
            "0 done;",
            "1 failed.",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn every_command_has_a_page() {
        let names: Vec<String> = all(root_command()).iter().map(name).collect();
        for expected in ["palestra", "palestra-tune", "palestra-run-show", "palestra-man"] {
            assert!(names.iter().any(|name| name == expected), "{expected}: {names:?}");
        }
        assert!(names.iter().all(|name| !name.ends_with("help")), "{names:?}");
    }
}
