//! Files that commands write, whole or not at all, and never over something else.

use anyhow::{Context, Result};
use palestra_core::InputError;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// How every SQLite database begins.
const SQLITE_HEADER: &[u8] = b"SQLite format 3\0";

/// Suffixes of the files that SQLite keeps next to a database.
const SQLITE_SUFFIXES: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Refuses the name of an output that exists and is no plain file, or is a store. Commands that work for long call it
/// before their work.
pub(super) fn check_output(path: &Path) -> Result<(), InputError> {
    let refused = |what: &str| {
        let expected = format!("a new name or a plain file, which this is not: it is {what}");
        Err(InputError::new("output file", path.display().to_string(), expected))
    };
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    let kind = metadata.file_type();
    match () {
        () if kind.is_symlink() => refused("a symbolic link"),
        () if kind.is_dir() => refused("a folder"),
        () if !kind.is_file() => refused("a device, a pipe or a socket"),
        () if is_database(path) || database_of(path).is_some_and(|path| is_database(&path)) => {
            refused("a database, such as the store")
        }
        () => Ok(()),
    }
}

fn is_database(path: &Path) -> bool {
    let mut start = [0; SQLITE_HEADER.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && start == SQLITE_HEADER
}

/// The database that a file with this name belongs to, by its suffix.
fn database_of(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let stem = SQLITE_SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix))?;
    Some(path.with_file_name(stem))
}

/// A file that appears under its name when it is complete. Until then it has a random name in the same folder; an
/// unfinished one is removed.
pub(super) struct OutputFile {
    part: BufWriter<NamedTempFile>,
    path: PathBuf,
}

impl OutputFile {
    pub(super) fn create(path: &Path) -> Result<OutputFile> {
        check_output(path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".palestra-").suffix(".part");
        // Readable for others as far as the user's mask says; temporary files are private by default.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let part = builder.tempfile_in(folder).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(OutputFile { part: BufWriter::new(part), path: path.to_owned() })
    }

    /// Gives the complete file its name.
    pub(super) fn finish(self) -> Result<()> {
        let OutputFile { part, path } = self;
        let context = || format!("cannot write {}", path.display());
        let part = part.into_inner().map_err(io::IntoInnerError::into_error).with_context(context)?;
        // A full disk may show only here.
        part.as_file().sync_all().with_context(context)?;
        check_output(&path)?;
        part.persist(&path).map_err(|error| error.error).with_context(context)?;
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.part.flush()
    }
}

/// Writes a file whole or not at all.
pub(super) fn write_file(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    file.finish()
}

/// Lines that are written as they come, to a file or to standard output. The first error ends it: the incomplete line
/// is taken back from a file, and [`LineStream::finish`] returns the error.
pub(super) struct LineStream {
    to: LineTarget,
    error: Option<io::Error>,
}

enum LineTarget {
    Stdout,
    /// A file and the length of its complete lines.
    File(PathBuf, File, u64),
}

impl LineStream {
    /// Standard output for `-`, otherwise the end of a new or an existing file.
    pub(super) fn open(path: &Path) -> Result<LineStream> {
        if path.as_os_str() == "-" {
            return Ok(LineStream { to: LineTarget::Stdout, error: None });
        }
        // Pipes are usual readers of a stream, unlike of other outputs.
        if !is_pipe(path) {
            check_output(path)?;
        }
        let context = || format!("cannot write {}", path.display());
        let file = File::options().create(true).append(true).open(path).with_context(context)?;
        let length = file.metadata().with_context(context)?.len();
        Ok(LineStream { to: LineTarget::File(path.to_owned(), file, length), error: None })
    }

    /// Adds a line, unless an earlier one failed.
    pub(super) fn line(&mut self, line: &str) {
        if self.error.is_some() {
            return;
        }
        let bytes = format!("{line}\n");
        let written = match &mut self.to {
            LineTarget::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes.as_bytes()).and_then(|()| stdout.flush())
            }
            LineTarget::File(_, file, length) => match file.write_all(bytes.as_bytes()) {
                Ok(()) => {
                    *length += bytes.len() as u64;
                    Ok(())
                }
                Err(error) => {
                    // Where the file cannot even be cut, the error below still says that it is incomplete.
                    let _ = file.set_len(*length);
                    Err(error)
                }
            },
        };
        self.error = written.err();
    }

    /// The error that ended the stream. A reader that closed its pipe has what it wanted.
    pub(super) fn finish(self) -> Result<()> {
        match (self.error, self.to) {
            (Some(error), _) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            (Some(error), LineTarget::File(path, ..)) => {
                Err(error).with_context(|| format!("{} is incomplete", path.display()))
            }
            (Some(error), LineTarget::Stdout) => Err(error).context("standard output is incomplete"),
            (None, _) => Ok(()),
        }
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_path: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn only_plain_files_are_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = std::env::temp_dir().join(format!("palestra-output-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = |name: &str| folder.join(name);
        fs::write(path("store.db"), [SQLITE_HEADER, b"rest"].concat()).unwrap();
        fs::write(path("store.db-wal"), "log").unwrap();
        fs::write(path("victim"), "years of work").unwrap();
        symlink(path("victim"), path("link")).unwrap();
        symlink(path("nowhere"), path("dangling")).unwrap();
        for (name, what) in [
            ("store.db", "a database"),
            ("store.db-wal", "a database"),
            ("link", "a symbolic link"),
            ("dangling", "a symbolic link"),
            ("", "a folder"),
        ] {
            let error = write_file(&path(name), b"new").unwrap_err().to_string();
            assert!(error.contains(what), "{name}: {error}");
        }
        let error = write_file(Path::new("/dev/null"), b"new").unwrap_err().to_string();
        assert!(error.contains("a device"), "{error}");
        assert_eq!(fs::read(path("victim")).unwrap(), b"years of work");
        assert_eq!(fs::read(path("store.db-wal")).unwrap(), b"log");
        // A file that a former version would have used in passing stays as it is.
        fs::write(path("new.part"), "theirs").unwrap();
        for text in ["once", "again"] {
            write_file(&path("new"), text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(path("new")).unwrap(), text);
        }
        assert_eq!(fs::read_to_string(path("new.part")).unwrap(), "theirs");
        assert_ne!(fs::metadata(path("new")).unwrap().permissions().mode() & 0o444, 0o400, "private");
        // An unfinished file leaves nothing.
        let n_entries = fs::read_dir(&folder).unwrap().count();
        let mut unfinished = OutputFile::create(&path("unfinished")).unwrap();
        unfinished.write_all(b"half").unwrap();
        drop(unfinished);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), n_entries);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_a_stream_with_an_error() {
        let full = File::options().append(true).open("/dev/full").unwrap();
        let to = LineTarget::File(PathBuf::from("live.jsonl"), full, 0);
        let mut stream = LineStream { to, error: None };
        stream.line("one");
        stream.line("two");
        let error = format!("{:#}", stream.finish().unwrap_err());
        assert!(error.starts_with("live.jsonl is incomplete: "), "{error}");
    }
}
