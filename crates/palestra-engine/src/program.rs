//! A program as a player: one string with the command that starts it and its protocol.
//!
//! `cmd:python3 bot.py` is a program that speaks UGI; `cmd(protocol=gtp,start=game):./bot --fast` is one that speaks
//! GTP and is started for every game.

use crate::protocols::{LoadedProtocol, MoveMapSpec, ProtocolSpec};
use palestra_core::InputError;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// The prefix of a player string that names a program.
pub const PROGRAM_PREFIX: &str = "cmd";

/// The command and the protocol of a program. Its `Display` form is canonical and parses to the same program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSpec {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Its protocol.
    pub protocol: ProtocolSpec,
    /// The notation of its moves, where it has one of its own.
    pub moves: Option<MoveMapSpec>,
    /// The interpreter of a Python function; `None` is the one that its command names, or `python3`.
    pub python: Option<String>,
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
const KEYS: [&str; 7] = ["protocol", "moves", "python", "start", "folder", "option.NAME", "env.NAME"];

impl ProgramSpec {
    /// A program that speaks UGI.
    #[must_use]
    pub fn new(words: Vec<String>) -> ProgramSpec {
        ProgramSpec {
            words,
            protocol: ProtocolSpec::default(),
            moves: None,
            python: None,
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
            ("python", _) => self.python = Some(value.to_owned()),
            ("moves", _) => self.moves = Some(value.parse()?),
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

    /// Reads the files of its protocol and of its move map.
    pub fn load(&self) -> Result<LoadedProtocol, InputError> {
        let mut loaded = self.protocol.load()?;
        if let Some(moves) = &self.moves {
            if loaded.kind.speak_mapped(&self.options).is_none() {
                let reason = format!(
                    "the protocol {} has a notation of its own; moves is for ugi, uci and gtp",
                    self.protocol
                );
                return Err(InputError::not_allowed("moves", reason));
            }
            loaded.moves = Some(Arc::new(moves.load()?));
        }
        if let Some(python) = &self.python {
            if !loaded.kind.is_run_by_python() {
                let reason = format!(
                    "the protocol {} starts a program by its command; python is for kaggle",
                    self.protocol
                );
                return Err(InputError::not_allowed("python", reason));
            }
            if python.is_empty() || self.words.len() > 1 {
                let expected = "an interpreter, and after the colon the agent's file alone";
                return Err(InputError::new("python", python, expected));
            }
        }
        Ok(loaded)
    }

    /// Has a Python function run by this interpreter, unless its entry names one of its own.
    pub fn run_with(&mut self, python: &str) -> Result<(), InputError> {
        if self.python.is_none() && self.protocol.load()?.kind.is_run_by_python() {
            match &self.words[..] {
                [_] => self.python = Some(python.to_owned()),
                [name, agent] if matches!(name.as_str(), "python3" | "python") => {
                    (self.words, self.python) = (vec![agent.clone()], Some(python.to_owned()));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The folder of its files: its own, or that of the first file that its command names.
    #[must_use]
    pub fn file_folder(&self) -> Option<PathBuf> {
        let of_file = || {
            let file = self.words.iter().map(Path::new).find(|path| path.is_file())?;
            std::path::absolute(file).ok()?.parent().map(Path::to_owned)
        };
        self.folder.clone().or_else(of_file)
    }

    /// Its own files: its folder, or without one the files that its command names, each with the folder that it is in.
    /// A folder that contains the user's home is left out.
    #[must_use]
    pub fn own_files(&self) -> Vec<PathBuf> {
        if let Some(folder) = &self.folder {
            return vec![folder.clone()];
        }
        let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
        let files = self.words.iter().map(PathBuf::from).filter(|path| path.is_file());
        let with_folders = files.flat_map(|file| {
            let folder = std::path::absolute(&file).ok().and_then(|file| Some(file.parent()?.to_owned()));
            let folder = folder.filter(|folder| !home.starts_with(folder));
            std::iter::once(file).chain(folder)
        });
        with_folders.collect()
    }

    /// A hash of the program: its string, and every file of its folder or those that its command names. Interpreters
    /// that are looked up in `PATH` are not part of it.
    pub fn content_key(&self) -> std::io::Result<[u8; 32]> {
        let mut hasher = blake3::Hasher::new();
        // The same files in another folder are the same program.
        add_bytes(&mut hasher, ProgramSpec { folder: None, ..self.clone() }.to_string().as_bytes());
        let folder = self.base();
        let files = self.content_files()?;
        check_size(&files)?;
        for path in files {
            let name = path.strip_prefix(folder).unwrap_or(&path);
            add_bytes(&mut hasher, name.to_string_lossy().as_bytes());
            let file = std::fs::File::open(&path)?;
            // A file that grows while it is read must not be read for ever, nor change the length that was hashed.
            let length = file.metadata()?.len();
            hasher.update(&length.to_le_bytes());
            hasher.update_reader(file.take(length))?;
        }
        Ok(*hasher.finalize().as_bytes())
    }

    /// Whether [`ProgramSpec::content_key`] can read all files, without reading them.
    pub fn check_files(&self) -> std::io::Result<()> {
        let files = self.content_files()?;
        check_size(&files)?;
        files.iter().try_for_each(|path| std::fs::File::open(path).map(drop))
    }

    /// The folder that its files are named from.
    fn base(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new("."))
    }

    /// The files that its content is made of, sorted.
    fn content_files(&self) -> std::io::Result<Vec<PathBuf>> {
        let mut files: Vec<PathBuf> = self.words.iter().map(|word| self.base().join(word)).collect();
        files.retain(|path| path.is_file());
        if let Some(folder) = &self.folder {
            list_files(folder, &mut files)?;
        }
        files.sort();
        files.dedup();
        Ok(files)
    }
}

/// Largest size of a program's files together. Larger ones would be read for minutes before the first game.
const MAX_PROGRAM_BYTES: u64 = 1 << 30;

/// Refuses files that are larger than [`MAX_PROGRAM_BYTES`] together; names the largest.
fn check_size(files: &[PathBuf]) -> std::io::Result<()> {
    let mut sizes = Vec::with_capacity(files.len());
    for path in files {
        sizes.push((std::fs::metadata(path)?.len(), path));
    }
    let sum: u64 = sizes.iter().map(|(size, _)| size).sum();
    match sizes.iter().max() {
        Some((size, path)) if sum > MAX_PROGRAM_BYTES => {
            let (sum, size, max) = (sum >> 20, size >> 20, MAX_PROGRAM_BYTES >> 20);
            let text =
                format!("{sum} MiB of files, the limit is {max} MiB; {} has {size} MiB", path.display());
            Err(std::io::Error::other(text))
        }
        _ => Ok(()),
    }
}

/// Adds bytes with their length to a hash.
fn add_bytes(hasher: &mut blake3::Hasher, bytes: &[u8]) {
    hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
}

/// Whether a folder of this name belongs to a program: Python and git create others.
pub(crate) fn is_program_folder(name: &str) -> bool {
    name != "__pycache__" && name != ".git"
}

/// Adds all files below a folder, except those that Python and git create.
fn list_files(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (kind, path) = (entry.file_type()?, entry.path());
        let name = entry.file_name();
        if kind.is_dir() && name.to_str().is_none_or(is_program_folder) {
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
            Some(rest) => split_settings(rest).ok_or_else(|| bad(rest))?,
            None => (Vec::new(), rest.strip_prefix(':').ok_or_else(|| bad(rest))?),
        };
        let words = shlex::split(command).ok_or_else(|| bad(command))?;
        if words.first().is_none_or(String::is_empty) || command.contains('\0') {
            return Err(bad(command));
        }
        let mut program = ProgramSpec::new(words);
        for setting in settings.into_iter().filter(|setting| !setting.is_empty()) {
            let (key, value) = setting.split_once('=').ok_or_else(|| bad(setting))?;
            program.set(key.trim(), &unquoted(value).ok_or_else(|| bad(setting))?, text)?;
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
        let moves = self.moves.as_ref().map(|moves| ("moves".to_owned(), moves.to_string()));
        let folder = self.folder.as_ref().map(|folder| ("folder".to_owned(), folder.display().to_string()));
        let options = self.options.iter().map(|(name, value)| (format!("option.{name}"), value.clone()));
        let environment = self.environment.iter().map(|(name, value)| (format!("env.{name}"), value.clone()));
        let python = self.python.as_ref().map(|python| ("python".to_owned(), python.clone()));
        for (key, value) in moves.into_iter().chain(python).chain(folder).chain(options).chain(environment) {
            settings.push(format!("{key}={}", quoted(&value)));
        }
        let command = shlex::try_join(self.words.iter().map(String::as_str)).map_err(|_| fmt::Error)?;
        match settings.is_empty() {
            true => write!(f, "{PROGRAM_PREFIX}:{command}"),
            false => write!(f, "{PROGRAM_PREFIX}({}):{command}", settings.join(",")),
        }
    }
}

/// Splits the text after `cmd(` at the commas outside quotes, and at the `):` before the command.
fn split_settings(text: &str) -> Option<(Vec<&str>, &str)> {
    let (mut settings, mut start) = (Vec::new(), 0);
    let mut quote = None;
    // A quote is one only at the beginning of a value or next to another quote: `folder=Ana's` has none.
    let mut may_open = false;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if letter == open => (quote, may_open) = (None, true),
            (Some(_), _) => {}
            (None, '\'' | '"') if may_open => quote = Some(letter),
            (None, ',') => {
                settings.push(&text[start..at]);
                (start, may_open) = (at + 1, false);
            }
            (None, ')') if text[at..].starts_with("):") => {
                settings.push(&text[start..at]);
                return Some((settings, &text[at + 2..]));
            }
            (None, '=') => may_open = true,
            (None, _) => may_open = false,
        }
    }
    None
}

/// The value of a setting; `None` if its quotes are wrong.
fn unquoted(value: &str) -> Option<String> {
    let value = value.trim();
    if !value.starts_with(['\'', '"']) {
        return Some(value.to_owned());
    }
    match &shlex::split(value)?[..] {
        [one] => Some(one.clone()),
        _ => None,
    }
}

/// A value as [`unquoted`] reads it.
fn quoted(value: &str) -> String {
    let is_plain = !value.contains([',', ')']) && !value.starts_with(['\'', '"']) && value.trim() == value;
    if is_plain {
        return value.to_owned();
    }
    if !value.contains('\'') {
        return format!("'{value}'");
    }
    // A piece in double quotes for each single quote, and all others in single quotes.
    let pieces = value.split('\'').map(|piece| format!("'{piece}'"));
    pieces.collect::<Vec<_>>().join("\"'\"")
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
            "cmd(protocol=uci,moves=cfour,option.UCI_Variant=cfour):fairy-stockfish",
            "cmd(protocol=kaggle,python=venv/bin/python,folder=ana):agent.py",
        ] {
            assert!(ProgramSpec::is_program_text(text));
            assert_eq!(text.parse::<ProgramSpec>().unwrap().to_string(), text);
        }
        let same = "cmd(protocol=ugi,start=once):python3   bot.py".parse::<ProgramSpec>().unwrap();
        assert_eq!(same.to_string(), "cmd:python3 bot.py");
        assert!(!ProgramSpec::is_program_text("random") && !ProgramSpec::is_program_text("command"));
    }

    #[test]
    fn an_interpreter_is_for_agents_that_name_none() {
        let check = |text: &str, expected: &str| {
            let mut program: ProgramSpec = text.parse().unwrap();
            program.run_with("/opt/venv/bin/python").unwrap();
            assert_eq!(program.to_string(), expected);
        };
        let of_staff = "cmd(protocol=kaggle,python=/opt/venv/bin/python):agent.py";
        check("cmd(protocol=kaggle):agent.py", of_staff);
        check("cmd(protocol=kaggle):python3 agent.py", of_staff);
        for own in [
            "cmd(protocol=kaggle):pypy3 agent.py",
            "cmd(protocol=kaggle,python=own/bin/python):agent.py",
            "cmd:python3 bot.py",
        ] {
            check(own, own);
        }
        let bad = |text: &str| text.parse::<ProgramSpec>().unwrap().load().unwrap_err().to_string();
        assert!(
            bad("cmd(python=python3):bot.py").contains("the protocol ugi starts a program by its command")
        );
        assert!(bad("cmd(protocol=kaggle,python=python3):python3 bot.py").contains("the agent's file alone"));
        assert!(bad("cmd(protocol=kaggle,moves=cfour):bot.py").contains("moves cannot be used here"));
    }

    /// A comma, a bracket, a quote or a blank of a folder's name does not end or change the setting.
    #[test]
    fn any_folder_name_reads_and_prints() {
        let names = [
            "García, Ana_12345",
            "ana,start=game",
            "x):y",
            "blank at the end ",
            " ",
            "O'Neill",
            "'quoted', twice",
            "\"double\" and 'single',",
            "a\tb",
        ];
        for name in names {
            let folder = Some(PathBuf::from(name));
            let program = ProgramSpec {
                folder,
                environment: vec![("SEED".to_owned(), name.to_owned())],
                options: vec![("Depth".to_owned(), "4, or 5".to_owned())],
                ..ProgramSpec::new(vec!["./bot".into()])
            };
            let text = program.to_string();
            assert_eq!(text.parse::<ProgramSpec>().unwrap(), program, "{text}");
        }
        let old = "cmd(folder=Ana's own,start=game):./bot".parse::<ProgramSpec>().unwrap();
        assert_eq!(old.folder, Some(PathBuf::from("Ana's own")));
        assert!("cmd(folder='ana):./bot".parse::<ProgramSpec>().is_err());
        assert!("cmd(folder='ana' 'x'):./bot".parse::<ProgramSpec>().is_err());
    }

    /// A sparse file of a terabyte is refused at once, by name.
    #[test]
    fn large_programs_are_refused() {
        let folder = std::env::temp_dir().join(format!("palestra-large-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("bot.py"), "1").unwrap();
        let file = std::fs::File::create(folder.join("table.bin")).unwrap();
        let program = ProgramSpec {
            folder: Some(folder.clone()),
            ..ProgramSpec::new(vec!["python3".into(), "bot.py".into()])
        };
        file.set_len(1 << 40).unwrap();
        let error = program.content_key().unwrap_err().to_string();
        file.set_len(1 << 20).unwrap();
        let small = program.content_key();
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(error.contains("the limit is 1024 MiB") && error.contains("table.bin"), "{error}");
        assert!(small.is_ok());
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
