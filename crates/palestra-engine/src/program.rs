//! A program as a player: one string that says how it is started and which words it understands.
//!
//! `cmd:python3 bot.py` is a program that speaks UGI; `cmd(protocol=gtp,start=game):./bot --fast` one that speaks GTP
//! and is started anew for every game.

use palestra_core::InputError;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What a text of a program begins with.
pub const PROGRAM_PREFIX: &str = "cmd";

/// How a program is started and spoken to. Displays canonically; the text reads back as the same program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSpec {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The protocol it speaks, by name.
    pub protocol: String,
    /// Where it is started; here, if nobody says.
    pub folder: Option<PathBuf>,
    /// Whether its process plays game after game.
    pub start: ProcessLifetime,
    /// Options that its protocol passes on.
    pub options: Vec<(String, String)>,
    /// What is added to its clean environment.
    pub environment: Vec<(String, String)>,
}

/// When a program is started.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProcessLifetime {
    /// Once, and kept from game to game.
    #[default]
    Kept,
    /// For every game.
    PerGame,
}

/// The protocol of a program that does not say.
pub const DEFAULT_PROTOCOL: &str = "ugi";

/// The keys between the brackets.
const KEYS: [&str; 5] = ["protocol", "start", "folder", "option.NAME", "env.NAME"];

impl ProgramSpec {
    /// A program that speaks UGI.
    #[must_use]
    pub fn new(words: Vec<String>) -> ProgramSpec {
        ProgramSpec {
            words,
            protocol: DEFAULT_PROTOCOL.to_owned(),
            folder: None,
            start: ProcessLifetime::Kept,
            options: Vec::new(),
            environment: Vec::new(),
        }
    }

    /// Whether a text means a program and no player of ours.
    #[must_use]
    pub fn is_program_text(text: &str) -> bool {
        text.strip_prefix(PROGRAM_PREFIX).is_some_and(|rest| rest.starts_with([':', '(']))
    }

    /// A setting, as it stands between the brackets.
    fn set(&mut self, key: &str, value: &str, whole: &str) -> Result<(), InputError> {
        let place = || format!("player \"{whole}\"");
        match (key, key.split_once('.')) {
            ("protocol", _) => value.clone_into(&mut self.protocol),
            ("folder", _) => self.folder = Some(PathBuf::from(value)),
            ("start", _) => {
                self.start = match value {
                    "once" => ProcessLifetime::Kept,
                    "game" => ProcessLifetime::PerGame,
                    _ => {
                        let known = ["once", "game"];
                        return Err(InputError::unknown(place(), value, "when to start it", known));
                    }
                };
            }
            (_, Some(("option", name))) => self.options.push((name.to_owned(), value.to_owned())),
            (_, Some(("env", name))) => self.environment.push((name.to_owned(), value.to_owned())),
            _ => return Err(InputError::unknown(place(), key, "a setting of a program", KEYS)),
        }
        Ok(())
    }

    /// The files that make it what it is: its folder, or the files that its words name.
    #[must_use]
    pub fn own_files(&self) -> Vec<PathBuf> {
        match &self.folder {
            Some(folder) => vec![folder.clone()],
            None => self.words.iter().map(PathBuf::from).filter(|path| path.is_file()).collect(),
        }
    }

    /// What this program is, to the byte: its text, and every file of its folder, or those that its words name.
    /// Interpreters that are found by name alone belong to the machine.
    pub fn content_key(&self) -> std::io::Result<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        let mut add = |bytes: &[u8]| {
            hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
        };
        // Where it lies is not what it is.
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

/// All files below a folder but those that tools leave behind.
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
            "a program: cmd:PROGRAM ARGUMENTS, or cmd(protocol=ugi,start=game,folder=DIR):PROGRAM ARGUMENTS";
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
        if self.protocol != DEFAULT_PROTOCOL {
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
    fn bad_programs_are_named() {
        for (text, part) in [
            ("cmd:", "a program"),
            ("cmd:'unfinished", "'unfinished"),
            ("cmd(:x", "a program"),
            ("cmd(protocl=ugi):x", "protocol"),
            ("cmd(start=never):x", "once"),
            ("cmd(start):x", "start"),
        ] {
            let complaint = text.parse::<ProgramSpec>().unwrap_err().to_string();
            assert!(complaint.contains(part), "{text}: {complaint}");
        }
    }

    #[test]
    fn the_key_is_the_content() {
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
        assert_eq!(keys[0], keys[1], "where it lies is not what it is");
        assert_ne!(keys[0], keys[2]);
    }
}
