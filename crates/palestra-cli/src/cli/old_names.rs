//! Names of commands and options in version 0.0: accepted for one version, with a notice.

use std::ffi::{OsStr, OsString};

/// Commands: the old name and the new words.
const COMMANDS: [(&str, &[&str]); 4] = [
    ("check-player", &["engine", "check"]),
    ("judge-player", &["engine", "judge"]),
    ("replay-failure", &["engine", "replay"]),
    ("ugi", &["engine", "serve"]),
];

/// Options: the commands that have them, the old name and the new one.
const OPTIONS: [(&[&str], &str, &str); 3] = [
    (&["tune", "map", "sensitivity", "stats"], "--rival", "--opponent"),
    (&["tune", "run"], "--openings", "--opening-plies"),
    (&["map"], "--games", "--board"),
];

/// Common options with a value: the word after them is no command.
const WITH_VALUE: [&str; 4] = ["--seed", "--threads", "--store", "--color"];

/// The arguments of the process with present names, and a notice for each old one.
pub(super) fn replace(args: impl Iterator<Item = OsString>) -> (Vec<OsString>, Vec<String>) {
    let (mut replaced, mut notices) = (Vec::new(), Vec::new());
    let mut args = args;
    replaced.extend(args.next());
    let mut command: Option<String> = None;
    let mut is_value = false;
    for arg in args.by_ref() {
        let Some(text) = arg.to_str() else {
            replaced.push(arg);
            continue;
        };
        if text == "--" {
            replaced.push(arg);
            break;
        }
        if command.is_none() && !is_value && !text.starts_with('-') {
            command = Some(text.to_owned());
            if let Some((old, new)) = COMMANDS.iter().find(|(old, _)| *old == text) {
                notices.push(notice(old, &new.join(" ")));
                replaced.extend(new.iter().map(|word| OsStr::new(word).to_owned()));
                continue;
            }
        }
        is_value = WITH_VALUE.contains(&text);
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let is_of = |commands: &[&str]| command.as_deref().is_some_and(|command| commands.contains(&command));
        match OPTIONS.iter().find(|(commands, old, _)| *old == name && is_of(commands)) {
            Some((_, old, new)) => {
                if !notices.contains(&notice(old, new)) {
                    notices.push(notice(old, new));
                }
                replaced.push(value.map_or_else(|| (*new).into(), |value| format!("{new}={value}").into()));
            }
            None => replaced.push(arg),
        }
    }
    replaced.extend(args);
    (replaced, notices)
}

fn notice(old: &str, new: &str) -> String {
    format!("{old} is now called {new}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: &str, n_notices: usize) {
        let (args, notices) = replace(line.split(' ').map(OsString::from));
        let args: Vec<String> = args.into_iter().map(|arg| arg.into_string().unwrap()).collect();
        assert_eq!((args.join(" ").as_str(), notices.len()), (expected, n_notices), "{line}: {notices:?}");
    }

    #[test]
    fn old_names_become_present_ones() {
        check("palestra", "palestra", 0);
        check("palestra ugi connect4 random", "palestra engine serve connect4 random", 1);
        check("palestra --seed 3 ugi connect4 random", "palestra --seed 3 engine serve connect4 random", 1);
        check("palestra --store ugi runs", "palestra --store ugi runs", 0);
        check(
            "palestra tune connect4 --rival a --rival=b --openings 2",
            "palestra tune connect4 --opponent a --opponent=b --opening-plies 2",
            2,
        );
        check("palestra map connect4 a --games g", "palestra map connect4 a --board g", 1);
        check("palestra match connect4 a b --games 3", "palestra match connect4 a b --games 3", 0);
        check("palestra judge-player x y -- --rival", "palestra engine judge x y -- --rival", 1);
        check("palestra show ugi", "palestra show ugi", 0);
    }
}
