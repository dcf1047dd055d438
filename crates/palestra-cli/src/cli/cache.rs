//! Solved positions and unfinished solutions, in the user's cache folder.

use anyhow::{Context, Result};
use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};

/// The cache folder of one game. It can be deleted at any time; only computing time is lost.
pub(super) struct SolutionCache {
    game: String,
    folder: PathBuf,
}

/// The value of a position, and of its moves.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SolvedPosition {
    /// Its value.
    pub(super) value: f64,
    /// The value of every legal move, in the game's order; empty where only the position was solved.
    pub(super) moves: Vec<f64>,
}

impl SolutionCache {
    /// The cache of a game string; `None` where the user has no cache folder.
    pub(super) fn of(game: &str) -> Option<SolutionCache> {
        let configured =
            std::env::var_os("PALESTRA_CACHE").filter(|path| !path.is_empty()).map(PathBuf::from);
        let base = configured.or_else(|| Some(user_folder()?.join("palestra")))?;
        let name: String = game.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        Some(SolutionCache { game: game.to_owned(), folder: base.join("solved").join(name) })
    }

    fn results(&self) -> PathBuf {
        self.folder.join("results.txt")
    }

    /// The stored entry of a position, one with the values of the moves if there is one.
    pub(super) fn get(&self, setup: &str) -> Option<SolvedPosition> {
        let text = fs::read_to_string(self.results()).ok()?;
        // A line without a newline was cut off, perhaps within its last number.
        let whole = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let known = whole.filter_map(|line| parse(line).filter(|(at, _)| *at == setup));
        known.map(|(_, solved)| solved).max_by_key(|solved| solved.moves.len())
    }

    /// Appends an entry with a single write, so that concurrent programs do not mix their lines.
    pub(super) fn put(&self, setup: &str, solved: &SolvedPosition) -> Result<()> {
        let context = || format!("cannot write to the cache folder {}", self.folder.display());
        fs::create_dir_all(&self.folder).with_context(context)?;
        let moves: Vec<String> = solved.moves.iter().map(ToString::to_string).collect();
        let line = format!("{setup}\t{}\t{}\n", solved.value, moves.join(" "));
        let file = fs::OpenOptions::new().create(true).append(true).open(self.results());
        file.and_then(|mut file| file.write_all(line.as_bytes())).with_context(context)
    }

    /// File of the unfinished solution of a position.
    fn unfinished(&self, setup: &str) -> PathBuf {
        let code = setup.bytes().fold(palestra_core::Seed(0), |seed, byte| seed.child(u64::from(byte)));
        self.folder.join(format!("{:016x}.unfinished", code.0))
    }

    /// First line of such a file; the number is the version of the format that follows.
    fn header(&self, setup: &str) -> String {
        format!("palestra unfinished 1\t{}\t{setup}\n", self.game)
    }

    /// Stores the unfinished solution of a position, which `write` writes.
    pub(super) fn keep_unfinished(
        &self,
        setup: &str,
        write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<()> {
        replace_file(&self.unfinished(setup), |out| {
            out.write_all(self.header(setup).as_bytes())?;
            write(out)
        })
    }

    /// The stored unfinished solution, positioned after the header.
    pub(super) fn open_unfinished(&self, setup: &str) -> Option<impl Read> {
        let mut file = BufReader::new(fs::File::open(self.unfinished(setup)).ok()?);
        let header = self.header(setup);
        let mut found = vec![0; header.len()];
        file.read_exact(&mut found).ok()?;
        (found == header.as_bytes()).then_some(file)
    }

    /// Deletes the unfinished solution of a position that is solved now.
    pub(super) fn drop_unfinished(&self, setup: &str) {
        // Usually there is none.
        let _ = fs::remove_file(self.unfinished(setup));
    }
}

fn parse(line: &str) -> Option<(&str, SolvedPosition)> {
    let mut parts = line.split('\t');
    let (setup, value, moves) = (parts.next()?, parts.next()?, parts.next()?);
    let moves = moves.split_whitespace().map(|value| value.parse().ok()).collect::<Option<Vec<f64>>>()?;
    let value: f64 = value.parse().ok().filter(|value: &f64| value.is_finite())?;
    let best = moves.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (moves.is_empty() || best == value).then_some((setup, SolvedPosition { value, moves }))
}

/// Writes a file atomically: to a `.part` file first, then renamed.
fn replace_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Result<()> {
    let part = path.with_extension("part");
    let write_part = || {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut file = std::io::BufWriter::new(fs::File::create(&part)?);
        write(&mut file)?;
        file.flush()?;
        fs::rename(&part, path)
    };
    write_part()
        .inspect_err(|_| drop(fs::remove_file(&part)))
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The cache folder of the user, by the convention of the system.
fn user_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    match () {
        () if cfg!(windows) => folder("LOCALAPPDATA"),
        () if cfg!(target_os = "macos") => Some(folder("HOME")?.join("Library/Caches")),
        () => folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_parsed_and_bad_ones_skipped() {
        let solved = SolvedPosition { value: -2.0, moves: vec![-2.0, -3.0] };
        assert_eq!(parse("1./2. 1\t-2\t-2 -3"), Some(("1./2. 1", solved)));
        assert_eq!(
            parse("1./2. 1\t0\t"),
            Some(("1./2. 1", SolvedPosition { value: 0.0, moves: Vec::new() }))
        );
        for bad in ["", "setup", "setup\tx\t", "setup\t1\t2 x", "half a li", "setup\tnan\t", "setup\t1\t0"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }
}
