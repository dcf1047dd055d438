//! The keys of tournament formats as options, from the list of formats.

use clap::{Arg, ArgAction, ArgMatches, Command};
use palestra_tournament::formats::{FORMATS, FormatInfo, FormatKey, KeyKind, all_keys};

/// Keys of formats with their values as typed: `--rounds 7`.
#[derive(Debug, Default)]
pub(crate) struct FormatKeyArgs(pub(crate) Vec<(String, String)>);

/// The help of `--format`.
pub(super) fn format_help() -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    format!("Format: {} [default: round-robin]", names.join(", "))
}

fn help(key: &FormatKey, formats: &[&FormatInfo]) -> String {
    let mut text = key.about.to_owned();
    text[..1].make_ascii_uppercase();
    if formats.len() < FORMATS.len() {
        let names: Vec<&str> = formats.iter().map(|format| format.name).collect();
        text += &format!(", for {}", names.join(", "));
    }
    let default = key.default.filter(|_| key.kind != KeyKind::Flag);
    text + &default.map_or_else(String::new, |default| format!(" [default: {default}]"))
}

impl clap::Args for FormatKeyArgs {
    fn augment_args(command: Command) -> Command {
        all_keys().fold(command, |command, (key, formats)| {
            let arg = Arg::new(key.name).long(key.name).help(help(key, &formats)).help_heading("Formats");
            command.arg(
                match key.kind {
                    KeyKind::Flag => arg.num_args(0).default_missing_value("true"),
                    _ => arg.value_name("N"),
                }
                .action(ArgAction::Set),
            )
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        FormatKeyArgs::augment_args(command)
    }
}

impl clap::FromArgMatches for FormatKeyArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<FormatKeyArgs, clap::Error> {
        let given = all_keys()
            .filter_map(|(key, _)| Some((key.name.to_owned(), matches.get_one::<String>(key.name)?.clone())));
        Ok(FormatKeyArgs(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = FormatKeyArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
