//! A folder of submissions: one folder per player, with a `player.toml` or files that show how to start it.

use anyhow::{Context, Result};
use palestra_core::InputError;
use palestra_engine::{ProcessLifetime, ProgramSpec, ProtocolSpec};
use palestra_settings::{Document, one_or_many, parsed};
use palestra_tournament::LaunchPolicy;
use serde::{Deserialize, Deserializer};
use std::path::{Path, PathBuf};

/// Optional file of a submission that says how to start it.
const CONFIG: &str = "player.toml";

/// The submissions of a folder.
#[derive(Debug, Default)]
pub(super) struct Submissions {
    /// Name and program of each, in the order of their folders.
    pub(super) programs: Vec<(String, ProgramSpec)>,
    /// Names of the other folders, in their order, and why they cannot be started.
    pub(super) problems: Vec<(String, InputError)>,
}

/// All submissions of a folder.
pub(super) fn read(folder: &Path) -> Result<Submissions> {
    let entries = std::fs::read_dir(folder)
        .map_err(|error| bad(folder, &format!("a folder with one folder per submission ({error})")))?;
    let mut folders: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read {}", folder.display()))?.path();
        if path.is_dir() && !name_of(&path).starts_with('.') {
            folders.push(path);
        }
    }
    folders.sort();
    if folders.is_empty() {
        return Err(bad(folder, "a folder with at least one folder in it, one per submission").into());
    }
    let mut submissions = Submissions::default();
    for folder in &folders {
        match submission(folder) {
            Ok(found) => submissions.programs.push(found),
            Err(problem) => submissions.problems.push((name_of(folder), problem)),
        }
    }
    Ok(submissions)
}

/// Name and program of one submission.
pub(super) fn submission(folder: &Path) -> Result<(String, ProgramSpec), InputError> {
    let config = folder.join(CONFIG);
    let (name, mut program) = if config.is_file() {
        let text = std::fs::read_to_string(&config)
            .map_err(|error| bad(&config, &format!("a readable file ({error})")))?;
        read_config(&text, &config)?
    } else {
        (None, find_command(folder)?)
    };
    check_inside(folder, &program)?;
    program.folder = Some(folder.to_owned());
    Ok((name.unwrap_or_else(|| name_of(folder)), program))
}

/// Folders of interpreters and libraries.
const SYSTEM: [&str; 7] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt"];

/// Refuses a command with a path or a link that leads out of the submission's folder, unless it leads to a program of
/// the system: otherwise a submission could play with the program of another.
fn check_inside(folder: &Path, program: &ProgramSpec) -> Result<(), InputError> {
    let unreadable = |error| bad(folder, &format!("a readable folder ({error})"));
    let own = folder.canonicalize().map_err(unreadable)?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path = |file: &Path| std::env::split_paths(&path).any(|folder| file.parent() == Some(&folder));
    let is_system = |file: &Path| SYSTEM.iter().any(|folder| file.starts_with(folder)) || in_path(file);
    for (i, word) in program.words.iter().enumerate() {
        // A program without a path is looked up in PATH, and what does not exist is an option or its value.
        let is_looked_up = i == 0 && !word.contains('/');
        let Some(file) = own.join(word).canonicalize().ok().filter(|_| !is_looked_up) else { continue };
        if !file.starts_with(&own) && !is_system(&file) {
            let key = format!("command of {}", folder.display());
            return Err(InputError::new(key, word, "a path that does not lead out of that folder"));
        }
    }
    Ok(())
}

/// A `player.toml`.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Config {
    name: Option<String>,
    #[serde(deserialize_with = "one_or_many")]
    command: Vec<String>,
    #[serde(deserialize_with = "some_protocol")]
    protocol: Option<ProtocolSpec>,
    start: LaunchPolicy,
}

fn some_protocol<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<ProtocolSpec>, D::Error> {
    parsed(deserializer).map(Some)
}

/// Name and program of a `player.toml`.
fn read_config(text: &str, path: &Path) -> Result<(Option<String>, ProgramSpec), InputError> {
    let file = Document::parse(text, &path.display().to_string())?;
    let config: Config = file.read()?;
    let mut program: ProgramSpec = match &config.command[..] {
        [] => return Err(file.missing("command", "a program: command = [\"python3\", \"bot.py\"]")),
        [line] => format!("cmd:{line}").parse()?,
        arguments => ProgramSpec::new(arguments.to_vec()),
    };
    program.protocol = config.protocol.unwrap_or(program.protocol);
    if config.start == LaunchPolicy::Game {
        program.start = ProcessLifetime::PerGame;
    }
    Ok((config.name, program))
}

/// The command of a submission without a `player.toml`, if its files leave only one choice.
fn find_command(folder: &Path) -> Result<ProgramSpec, InputError> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| bad(folder, &format!("a readable folder ({error})")))?;
    let files: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    let mut candidates: Vec<Vec<String>> = Vec::new();
    for path in &files {
        let name = name_of(path);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let arguments: &[&str] = match (name.as_str(), extension.as_ref()) {
            ("player" | "run", _) => &["./"],
            (_, "py") => &["python3", ""],
            (_, "jar") => &["java", "-jar", ""],
            (_, "class") if stem.starts_with(char::is_uppercase) && !stem.contains('$') => {
                &["java", "-cp", ".", ""]
            }
            _ => continue,
        };
        let file = if extension == "class" { &stem } else { &name };
        let mut arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        if let Some(last) = arguments.last_mut() {
            last.push_str(file);
        }
        candidates.push(arguments);
    }
    // An executable takes precedence over other files.
    if let Some(command) = candidates.iter().find(|command| command[0].starts_with("./")) {
        return Ok(ProgramSpec::new(command.clone()));
    }
    match &candidates[..] {
        [command] => Ok(ProgramSpec::new(command.clone())),
        _ => {
            let expected = format!(
                "a folder with {CONFIG} and command = […], with a program called player or run, or with exactly one \
                 *.py, *.jar or *.class file (there are {})",
                candidates.len()
            );
            Err(bad(folder, &expected))
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn bad(path: &Path, expected: &str) -> InputError {
    InputError::new("submissions", path.display().to_string(), expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submissions_are_found() {
        let root = std::env::temp_dir().join(format!("palestra-submissions-{}", std::process::id()));
        let put = |path: &str, text: &str| {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        put("ana/bot.py", "");
        put("berta/player", "");
        put("berta/helper.py", "");
        put("carla/Bot.class", "");
        put("carla/Bot$1.class", "");
        put(
            "dora/player.toml",
            "name = \"Dora D.\"\ncommand = [\"node\", \"my bot.js\"]\nprotocol = \"gtp\"\n",
        );
        put("elsa/bot.jar", "");
        let all = read(&root).unwrap().programs;
        let texts: Vec<String> = all
            .iter()
            .map(|(name, program)| format!("{name}: {}", ProgramSpec { folder: None, ..program.clone() }))
            .collect();
        assert_eq!(
            texts,
            [
                "ana: cmd:python3 bot.py",
                "berta: cmd:./player",
                "carla: cmd:java -cp . Bot",
                "Dora D.: cmd(protocol=gtp):node 'my bot.js'",
                "elsa: cmd:java -jar bot.jar",
            ]
        );
        assert_eq!(all[0].1.folder, Some(root.join("ana")));
        for (path, text, part) in [
            ("x/a.py", "", "there are 2"),
            ("x/player.toml", "name = \"x\"\n", "command"),
            ("x/player.toml", "command = \"./x\"\nprotocl = \"ugi\"\n", "did you mean \"protocol\""),
            ("x/player.toml", "command = \"./x\"\nstart = \"often\"\n", "line 2"),
        ] {
            put("x/b.py", "");
            put(path, text);
            let Submissions { programs, problems } = read(&root).unwrap();
            let [(name, problem)] = &problems[..] else { panic!("{problems:?}") };
            assert!(problem.to_string().contains(part) && problem.to_string().contains("/x"), "{problem}");
            assert_eq!(name, "x");
            assert_eq!(programs.len(), 5);
            std::fs::remove_dir_all(root.join("x")).unwrap();
        }
        std::fs::remove_dir_all(&root).unwrap();
    }

    /// Only files of its own folder and programs of the system are a submission's command.
    #[test]
    fn a_command_cannot_leave_its_folder() {
        let root = std::env::temp_dir().join(format!("palestra-outside-{}", std::process::id()));
        std::fs::create_dir_all(root.join("ana")).unwrap();
        std::fs::write(root.join("ana/player"), "").unwrap();
        let folder = root.join("eva");
        let check = |command: &str, link: Option<&str>, is_accepted: bool| {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("bot.py"), "").unwrap();
            std::fs::write(folder.join("player.toml"), format!("command = {command}\n")).unwrap();
            if let Some(target) = link {
                std::os::unix::fs::symlink(target, folder.join("link")).unwrap();
            }
            let read = submission(&folder);
            std::fs::remove_dir_all(&folder).unwrap();
            match read {
                Ok(_) => assert!(is_accepted, "{command} {link:?}"),
                Err(error) => {
                    let text = error.to_string();
                    assert!(
                        !is_accepted && text.contains(&folder.display().to_string()),
                        "{command}: {text}"
                    );
                }
            }
        };
        check("[\"../ana/player\"]", None, false);
        check("[\"./link\"]", Some("../ana/player"), false);
        check("[\"python3\", \"../ana/player\"]", None, false);
        check("[\"java\", \"-cp\", \"..\", \"Bot\"]", None, false);
        check("[\"python3\", \"link/player\"]", Some("../ana"), false);
        check("[\"python3\", \"bot.py\", \"--depth\", \"4\"]", None, true);
        check("[\"/usr/bin/env\", \"python3\", \"bot.py\"]", None, true);
        check("[\"./link\", \"python3\", \"./bot.py\"]", Some("/usr/bin/env"), true);
        // Not there: reported when it is started.
        check("[\"./missing\"]", None, true);
        std::fs::remove_dir_all(&root).unwrap();
    }
}
