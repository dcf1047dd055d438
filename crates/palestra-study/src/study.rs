//! A study as its file says it.

use crate::rule::ComparisonRule;
use std::fmt;

/// How much is done.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum StudyScale {
    /// All of it in small.
    Quick,
    /// The published sizes.
    Full,
}

impl StudyScale {
    /// Both.
    pub const ALL: [StudyScale; 2] = [StudyScale::Quick, StudyScale::Full];

    /// Its word.
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

/// A piece of published work, to be done again.
#[derive(Clone, PartialEq, Debug)]
pub struct Study {
    /// The name of its folder.
    pub name: String,
    /// In a word or two.
    pub title: String,
    /// What it is about, in a line.
    pub subject: String,
    /// The page about it, in Markdown; empty where there is none.
    pub about: String,
    /// Words of commands that depend on the size.
    pub sizes: Vec<SizeVariable>,
    /// In the order in which they are done.
    pub parts: Vec<StudyPart>,
}

/// A word of commands that depends on the size.
#[derive(Clone, PartialEq, Debug)]
pub struct SizeVariable {
    /// The word.
    pub name: String,
    /// What it stands for in small.
    pub quick: String,
    /// What it stands for at the published size.
    pub full: String,
}

/// A question of a study: what is run for it, and what is compared and drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyPart {
    /// Its name in addresses.
    pub id: String,
    /// Its heading.
    pub title: String,
    /// What is done, in a few sentences.
    pub about: String,
    /// Whether the study itself did not look into this.
    pub is_beyond: bool,
    /// What it took the study's authors, in words.
    pub original: Option<String>,
    /// The same in seconds.
    pub original_seconds: Option<f64>,
    /// What is run.
    pub runs: Vec<CommandTemplate>,
    /// What is compared.
    pub tables: Vec<StudyTable>,
    /// What is drawn.
    pub figures: Vec<StudyFigure>,
}

/// A command, or one for each of some words.
#[derive(Clone, PartialEq, Debug)]
pub struct CommandTemplate {
    /// Its name in paths.
    pub id: String,
    /// What would be typed after the program's name, with words in braces.
    pub command: String,
    /// Words with what they stand for; the last one changes fastest.
    pub each: Vec<(String, Vec<String>)>,
    /// The size it belongs to, if not both.
    pub only: Option<StudyScale>,
}

/// What was published and what was obtained, side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyTable {
    /// Its name in addresses.
    pub id: String,
    /// Its caption.
    pub title: String,
    /// What stands below it.
    pub note: Option<String>,
    /// Which rows it has.
    pub rows: RowSource,
    /// The size at which it can be compared, if not both.
    pub when: Option<StudyScale>,
    /// Whether there is nothing to compare.
    pub is_plain: bool,
    /// Why what differs differs, where neither column nor row says.
    pub because: Option<String>,
    /// Its columns after the names of the rows.
    pub columns: Vec<StudyColumn>,
}

/// Where the names of rows come from.
#[derive(Clone, PartialEq, Debug)]
pub enum RowSource {
    /// From a file of what was published: headings and lines.
    Published {
        /// The headings after the first.
        headings: Vec<String>,
        /// The name of each row, and its cells.
        lines: Vec<(String, Vec<String>)>,
    },
    /// From the study itself.
    Named(Vec<String>),
    /// From what a run printed.
    Path(String),
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyColumn {
    /// Its heading, and that of what was published.
    pub name: String,
    /// Where what was obtained stands.
    pub read: String,
    /// How the two are compared.
    pub rule: ComparisonRule,
    /// Digits after the point, where fewer are shown or compared than there are.
    pub decimals: Option<usize>,
    /// Why what differs differs.
    pub because: Option<String>,
}

/// Something to be drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct StudyFigure {
    /// Its name in addresses and files.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// What to see in it.
    pub caption: String,
    /// Of what kind.
    pub kind: FigureKind,
    /// What is counted from left to right.
    pub x: String,
    /// What is counted upward, or what cells are.
    pub y: String,
    /// Whether it is counted upward in powers of ten.
    pub is_log: bool,
    /// Names of rows of cells.
    pub rows: Vec<String>,
    /// Names of bars, or of columns of cells.
    pub columns: Vec<String>,
    /// What is drawn.
    pub series: Vec<Series>,
}

/// How something is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FigureKind {
    /// Lines over a pair of axes.
    Lines,
    /// Bars side by side.
    Bars,
    /// A table in colors.
    Cells,
}

/// A line, a set of bars, or a row of cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Where it stands from left to right; counted from 1 where nothing is said.
    pub x: Option<String>,
    /// Its numbers.
    pub y: String,
}

impl Study {
    /// The part of this name.
    #[must_use]
    pub fn part(&self, id: &str) -> Option<&StudyPart> {
        self.parts.iter().find(|part| part.id == id)
    }
}
