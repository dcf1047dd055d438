//! Standard output, tables, progress bars and files.

use super::args::{Color, CommonArgs};
use super::output_file::write_file;
use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use palestra_review::chart::Figure;
pub(super) use palestra_review::{counted, grouped, number};
use std::io::{BufWriter, IsTerminal, Stdout, Write, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// Standard output, with the options that decide its form.
pub(super) struct Output {
    stdout: BufWriter<Stdout>,
    pub(super) json: bool,
    pub(super) color: bool,
}

impl Output {
    pub(super) fn new(common: &CommonArgs) -> Output {
        let color = match common.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        Output { stdout: BufWriter::new(stdout()), json: common.json, color }
    }

    pub(super) fn line(&mut self, text: impl std::fmt::Display) -> Result<()> {
        Ok(writeln!(self.stdout, "{text}")?)
    }

    /// One JSON object on a line of its own.
    pub(super) fn json(&mut self, record: &impl serde::Serialize) -> Result<()> {
        self.line(serde_json::to_string(record)?)
    }

    pub(super) fn flush(&mut self) -> Result<()> {
        Ok(self.stdout.flush()?)
    }

    /// A heading, bold on a terminal.
    pub(super) fn heading(&mut self, text: &str) -> Result<()> {
        if self.color { self.line(format_args!("\x1b[1m{text}\x1b[0m")) } else { self.line(text) }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.stdout.flush()
    }
}

/// Alignment of a table column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Rows of cells as lines, columns as wide as their widest cell. Ends with a newline.
pub(super) fn table(rows: &[Vec<String>], align: &[Align]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..align.len()).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cell = |(i, cell): (usize, &String)| match align[i] {
            Align::Left => format!("{cell:<width$}", width = widths[i]),
            Align::Right => format!("{cell:>width$}", width = widths[i]),
        };
        let cells: Vec<String> = row.iter().enumerate().map(cell).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Prints a line about progress to standard error; it is not part of the result.
pub(super) fn note(text: impl std::fmt::Display) {
    // A closed standard error must not stop the command.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints notices about old names of keys and options.
pub(super) fn note_old_names(notices: &[String]) {
    for notice in notices {
        note(format_args!("note: {notice}"));
    }
}

/// An argument of a command line, quoted where a shell would split or expand it.
pub(super) fn quoted(argument: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !argument.is_empty() && argument.chars().all(is_plain) {
        argument.to_owned()
    } else {
        format!("'{}'", argument.replace('\'', "'\\''"))
    }
}

/// Writes every figure as SVG and PNG.
pub(super) fn write_figures(folder: &Path, figures: &[Figure]) -> Result<Vec<PathBuf>> {
    use anyhow::Context;
    let mut files = Vec::new();
    for figure in figures {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let drawing = figure.chart.draw();
        for (kind, bytes) in [("svg", drawing.to_svg().into_bytes()), ("png", drawing.to_png()?)] {
            let file = folder.join(format!("{}.{kind}", figure.name));
            write_file(&file, &bytes)?;
            files.push(file);
        }
    }
    Ok(files)
}

/// A progress bar with the time left, on standard error if that is a terminal.
pub(super) fn bar(length: u64, unit: &str) -> ProgressBar {
    let style = format!("{{bar:32}} {{human_pos}} of {{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&style).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}

/// The number of threads that a command has: `--threads`, or one per core.
pub(super) fn n_threads(common: &CommonArgs) -> u64 {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    common.threads.map_or_else(cores, usize::from) as u64
}

/// A pool of this number of threads; for `None` one per core, which rayon chooses for 0.
pub(super) fn thread_pool(n_threads: Option<u16>) -> Result<rayon::ThreadPool> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(n_threads.map_or(0, usize::from)).build()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_copied() {
        assert_eq!(quoted("runs/palestra.db"), "runs/palestra.db");
        assert_eq!(quoted("my runs.db"), "'my runs.db'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn tables_line_up() {
        let rows = [["move", "value"], ["4", "12"], ["10", "-3"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(table(&rows, &[Align::Left, Align::Right]), "move  value\n4        12\n10       -3\n");
    }
}
