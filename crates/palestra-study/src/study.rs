//! The contents of `study.toml`.

use crate::parse::{ColumnKeys, RowKeys, as_text, values, values_by_name};
use crate::rule::ComparisonRule;
use palestra_settings::{Placed, number, pairs};
use serde::{Deserialize, Deserializer};
use std::fmt;

/// The scale at which a study is run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StudyScale {
    /// Small sizes: all commands in a short time.
    Quick,
    /// The published sizes.
    Full,
}

impl StudyScale {
    /// Both scales.
    pub const ALL: [StudyScale; 2] = [StudyScale::Quick, StudyScale::Full];

    /// Its name on the command line and in folder names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            StudyScale::Quick => "quick",
            StudyScale::Full => "full",
        }
    }
}

impl fmt::Display for StudyScale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

/// A published work that is reproduced.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// The name of its folder.
    #[serde(skip)]
    pub name: String,
    /// Its title.
    pub title: String,
    /// Its subject, in one line.
    pub subject: String,
    /// The game that its commands play; a program without it does not offer the study.
    pub game: Option<String>,
    /// The text about it (`about.md`), in Markdown; empty if there is none.
    #[serde(skip)]
    pub about: String,
    /// Variables of commands that depend on the scale.
    #[serde(default, deserialize_with = "pairs")]
    pub sizes: Vec<(String, SizeVariable)>,
    /// Its parts, in the order in which they are run.
    #[serde(default, rename = "part")]
    pub parts: Vec<StudyPart>,
}

/// The values of a variable of commands that depends on the scale.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeVariable {
    /// Its value at the small scale.
    #[serde(deserialize_with = "as_text")]
    pub quick: String,
    /// Its value at the published scale.
    #[serde(deserialize_with = "as_text")]
    pub full: String,
}

/// A part of a study: its commands, tables and figures.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyPart {
    /// Its name in URLs.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// Its description, in Markdown.
    #[serde(default)]
    pub about: String,
    /// Sentences about what it gives at the published sizes, in Markdown.
    pub about_full: Option<String>,
    /// Whether it goes beyond the published work.
    #[serde(default, rename = "beyond")]
    pub is_beyond: bool,
    /// Time that the original took, as text.
    pub original: Option<String>,
    /// Time that the original took, in seconds.
    #[serde(default, deserialize_with = "seconds")]
    pub original_seconds: Option<f64>,
    /// Its commands.
    #[serde(default, rename = "run")]
    pub runs: Vec<CommandTemplate>,
    /// Its tables of published and obtained values.
    #[serde(default, rename = "table")]
    pub tables: Vec<StudyTable>,
    /// Its figures.
    #[serde(default, rename = "figure")]
    pub figures: Vec<StudyFigure>,
}

/// A command, or one for each combination of the values of some variables.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CommandTemplate {
    /// Its id in paths; with several commands `-1`, `-2` and so on are appended.
    pub id: String,
    /// The command line after the program's name, with variables in braces.
    pub command: String,
    /// Variables with their values; the last variable changes fastest.
    #[serde(default, deserialize_with = "values_by_name")]
    pub each: Vec<(String, Vec<String>)>,
    /// The scale at which it runs; `None` is both.
    pub only: Option<StudyScale>,
}

/// A table of published and obtained values.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyTable {
    /// Its name in URLs.
    pub id: String,
    /// Its caption.
    pub title: String,
    /// The note below it.
    pub note: Option<String>,
    /// Sentences about what it shows at the published sizes.
    pub note_full: Option<String>,
    /// Its rows.
    #[serde(skip)]
    pub rows: RowSource,
    pub(crate) published: Option<Placed<String>>,
    #[serde(rename = "rows")]
    pub(crate) row_keys: Option<Placed<RowKeys>>,
    /// The scale at which it can be compared; `None` is both.
    pub when: Option<StudyScale>,
    /// Whether it has no published values to compare with.
    #[serde(default, rename = "plain")]
    pub is_plain: bool,
    /// The reason for differences, unless a column or row gives its own.
    pub because: Option<String>,
    /// Its columns, without that of the row names.
    #[serde(rename = "column")]
    pub columns: Vec<StudyColumn>,
}

/// The source of the rows of a table.
#[derive(Clone, PartialEq, Debug)]
pub enum RowSource {
    /// A file with published values.
    Published {
        /// The headings, without that of the row names.
        headings: Vec<String>,
        /// The name and the cells of each row.
        lines: Vec<(String, Vec<String>)>,
    },
    /// Names listed in `study.toml`.
    Named(Vec<String>),
    /// A path to a list of names in the output of a command.
    Path(String),
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(try_from = "ColumnKeys")]
pub struct StudyColumn {
    /// Its heading, also in the file with published values.
    pub name: String,
    /// Path to the obtained value, with variables in braces.
    pub read: String,
    /// The comparison rule.
    pub rule: ComparisonRule,
    /// Number of decimals to show and compare; `None` is all.
    pub decimals: Option<usize>,
    /// The reason for differences.
    pub because: Option<String>,
}

/// A figure.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyFigure {
    /// Its name in URLs and files.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its caption.
    #[serde(default)]
    pub caption: String,
    /// Sentences about what it shows at the published sizes.
    pub caption_full: Option<String>,
    /// Its kind.
    #[serde(default)]
    pub kind: FigureKind,
    /// Label of the x axis.
    #[serde(default)]
    pub x: String,
    /// Label of the y axis, or of the values of cells.
    #[serde(default)]
    pub y: String,
    /// Whether the y axis is logarithmic.
    #[serde(default, rename = "log")]
    pub is_log: bool,
    /// Names of the rows of cells.
    #[serde(default, deserialize_with = "values")]
    pub rows: Vec<String>,
    /// Names of the bars, or of the columns of cells.
    #[serde(default, deserialize_with = "values")]
    pub columns: Vec<String>,
    /// Its data.
    #[serde(default)]
    pub series: Vec<Series>,
}

/// The kind of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FigureKind {
    /// A line chart.
    #[default]
    Lines,
    /// A bar chart.
    Bars,
    /// A heat map.
    Cells,
}

/// A line, a set of bars, or a row of cells.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Series {
    /// Its name in the legend.
    #[serde(default)]
    pub name: String,
    /// Path to the x values; 1, 2, 3 and so on by default.
    pub x: Option<String>,
    /// Path to the y values.
    pub y: String,
}

impl Default for RowSource {
    fn default() -> RowSource {
        RowSource::Named(Vec::new())
    }
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(number(deserializer, 0.0..=1e12).map(Some)?.filter(|seconds: &f64| *seconds > 0.0))
}

/// What precedes sentences about the published sizes in a report of small sizes.
const FULL_SIZE_LABEL: &str = "Figures of the full size:";

/// A text and the sentences about the published sizes, which are marked as such at the small scale.
pub(crate) fn text_at(size: StudyScale, text: &str, full: Option<&str>) -> String {
    let full = full.map(|full| match size {
        StudyScale::Full => full.to_owned(),
        StudyScale::Quick => format!("{FULL_SIZE_LABEL} {full}"),
    });
    let texts = [Some(text.to_owned()), full].into_iter().flatten().filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join("\n")
}

impl StudyPart {
    /// Its description in a report of this scale, in Markdown.
    #[must_use]
    pub fn about_at(&self, size: StudyScale) -> String {
        text_at(size, &self.about, self.about_full.as_deref())
    }
}

impl Study {
    /// The part with an id.
    #[must_use]
    pub fn part(&self, id: &str) -> Option<&StudyPart> {
        self.parts.iter().find(|part| part.id == id)
    }
}
