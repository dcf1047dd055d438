//! A program as a player: one string with the command that starts it and its protocol.
//!
//! `cmd:python3 bot.py` is a program that speaks UGI; `cmd(protocol=gtp,start=game):./bot --fast` is one that speaks
//! GTP and is started for every game.

use crate::protocols::ProtocolSpec;
use palestra_core::InputError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The prefix of a player string that names a program.
pub const PROGRAM_PREFIX: &str = "cmd";

/// The command and the protocol of a program. Its `Display` form is canonical and parses to the same program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSpec {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Its protocol.
    pub protocol: ProtocolSpec,
    /// Working directory; `None` is the current directory.
    pub folder: Option<PathBuf>,
    /// Whether its process is kept between games.
    pub start: ProcessLifetime,
    /// Options that the protocol sets, as names and values.
    pub options: Vec<(String, String)>,
    /// Environment variables, as names and values, in addition to the fixed ones.
    pub environment: Vec<(String, String)>,
}

/// When a program is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProcessLifetime {
    /// Once; the process is kept between games.
    #[default]
    Kept,
    /// For every game.
    PerGame,
}

/// The keys of the settings in parentheses.
const KEYS: [&str; 5] = ["protocol", "start", "folder", "option.NAME", "env.NAME"];

impl ProgramSpec {
    /// A program that speaks UGI.
    #[must_use]
    pub fn new(words: Vec<String>) -> ProgramSpec {
        ProgramSpec {
            words,
            protocol: ProtocolSpec::default(),
            folder: None,
            start: ProcessLifetime::Kept,
            options: Vec::new(),
            environment: Vec::new(),
        }
    }

    /// Whether a player string names a program and not a built-in player.
    #[must_use]
    pub fn is_program_text(text: &str) -> bool {
        palestra_arena::is_program_text(text)
    }

    /// Applies one setting of the parentheses.
    fn set(&mut self, key: &str, value: &str, player: &str) -> Result<(), InputError> {
        match (key, key.split_once('.')) {
            ("protocol", _) => self.protocol = value.parse()?,
            ("folder", _) => self.folder = Some(PathBuf::from(value)),
            ("start", _) => {
                self.start = match value {
                    "once" => ProcessLifetime::Kept,
                    "game" => ProcessLifetime::PerGame,
                    _ => {
                        let key = format!("start of player \"{player}\"");
                        return Err(InputError::unknown(key, value, "a process lifetime", ["once", "game"]));
                    }
                };
            }
            (_, Some(("option", name))) => self.options.push((name.to_owned(), value.to_owned())),
            (_, Some(("env", name))) => self.environment.push((name.to_owned(), value.to_owned())),
            _ => return Err(InputError::unknown_key(format!("player \"{player}\""), key, KEYS)),
        }
        Ok(())
    }

    /// Its own files: its folder, or without one the files that its command names.
    #[must_use]
    pub fn own_files(&self) -> Vec<PathBuf> {
        match &self.folder {
            Some(folder) => vec![folder.clone()],
            None => self.words.iter().map(PathBuf::from).filter(|path| path.is_file()).collect(),
        }
    }

    /// A hash of the program: its string, and every file of its folder or those that its command names. Interpreters
    /// that are looked up in `PATH` are not part of it.
    pub fn content_key(&self) -> std::io::Result<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        // The same files in another folder are the same program.
        add(ProgramSpec { folder: None, ..self.clone() }.to_string().as_bytes());
        let here = Path::new(".");
        let folder = self.folder.as_deref().unwrap_or(here);
        let mut files: Vec<PathBuf> = self.words.iter().map(|word| folder.join(word)).collect();
        files.retain(|path| path.is_file());
        if let Some(folder) = &self.folder {
            list_files(folder, &mut files)?;
        }
        files.sort();
        files.dedup();
        for path in files {
            let name = path.strip_prefix(folder).unwrap_or(&path);
            add(name.to_string_lossy().as_bytes());
            add(&std::fs::read(&path)?);
        }
        Ok(*hasher.finalize().as_bytes())
    }
}

/// Adds all files below a folder, except those that Python and git create.
fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        let name = entry.file_name();
        if kind.is_dir() && name != "__pycache__" && name != ".git" {
            list_files(&path, files)?;
        } else if kind.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

impl FromStr for ProgramSpec {
    type Err = InputError;

    fn from_str(text: &str) -> Result<ProgramSpec, InputError> {
        let expected =
            "a program, cmd:PROGRAM ARGUMENTS or cmd(protocol=ugi,start=game,folder=DIR):PROGRAM ARGUMENTS";
        let bad = |found: &str| InputError::new(format!("player \"{text}\""), found, expected);
        let rest = text.strip_prefix(PROGRAM_PREFIX).ok_or_else(|| bad(text))?;
        let (settings, command) = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once("):").ok_or_else(|| bad(rest))?,
            None => ("", rest.strip_prefix(':').ok_or_else(|| bad(rest))?),
        };
        let words = shlex::split(command).ok_or_else(|| bad(command))?;
        if words.first().is_none_or(String::is_empty) || command.contains('\0') {
            return Err(bad(command));
        }
        let mut program = ProgramSpec::new(words);
        for setting in settings.split(',').filter(|setting| !setting.is_empty()) {
            let (key, value) = setting.split_once('=').ok_or_else(|| bad(setting))?;
            program.set(key.trim(), value.trim(), text)?;
        }
        Ok(program)
    }
}

impl fmt::Display for ProgramSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut settings = Vec::new();
        if self.protocol != ProtocolSpec::default() {
            settings.push(format!("protocol={}", self.protocol));
        }
        if self.start == ProcessLifetime::PerGame {
            settings.push("start=game".to_owned());
        }
        settings.extend(self.folder.iter().map(|folder| format!("folder={}", folder.display())));
        settings.extend(self.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        settings.extend(self.environment.iter().map(|(name, value)| format!("env.{name}={value}")));
        let command = shlex::try_join(self.words.iter().map(String::as_str)).map_err(|_| fmt::Error)?;
        match settings.is_empty() {
            true => write!(f, "{PROGRAM_PREFIX}:{command}"),
            false => write!(f, "{PROGRAM_PREFIX}({}):{command}", settings.join(",")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_read_and_print() {
        for text in [
            "cmd:python3 bot.py",
            "cmd(protocol=gtp,start=game):./bot --fast",
            "cmd(folder=submissions/ana,option.Depth=4,env.SEED=7):java Bot",
            "cmd:sh -c 'sleep 1; ./bot'",
        ] {
            assert!(ProgramSpec::is_program_text(text));
            assert_eq!(text.parse::<ProgramSpec>().unwrap().to_string(), text);
        }
        let same = "cmd(protocol=ugi,start=once):python3   bot.py".parse::<ProgramSpec>().unwrap();
        assert_eq!(same.to_string(), "cmd:python3 bot.py");
        assert!(!ProgramSpec::is_program_text("random") && !ProgramSpec::is_program_text("command"));
    }

    #[test]
    fn invalid_programs() {
        for (text, part) in [
            ("cmd:", "a program"),
            ("cmd:'unfinished", "'unfinished"),
            ("cmd(:x", "a program"),
            ("cmd(protocl=ugi):x", "invalid key \"protocl\" in player"),
            ("cmd(protocl=ugi):x", "did you mean \"protocol\"?"),
            ("cmd(start=never):x", "expected a process lifetime (once, game)"),
            ("cmd(start):x", "start"),
        ] {
            let error = text.parse::<ProgramSpec>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn the_key_depends_on_the_content_alone() {
        let folder = std::env::temp_dir().join(format!("palestra-program-{}", std::process::id()));
        let key_of = |name: &str, content: &str| {
            let folder = folder.join(name);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("bot.py"), content).unwrap();
            ProgramSpec { folder: Some(folder), ..ProgramSpec::new(vec!["python3".into(), "bot.py".into()]) }
                .content_key()
                .unwrap()
        };
        let keys = [key_of("ana", "1"), key_of("luis", "1"), key_of("ana", "2")];
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(keys[0], keys[1], "the folder is not part of the key");
        assert_ne!(keys[0], keys[2]);
    }
}
