//! Published work done again: what is run, what was published, and how the two compare.
//!
//! A [`Study`] is a folder: a file that names commands of `palestra`, the numbers that were published, and a rule for
//! each comparison. Its commands run in a [`StudyWorkspace`], which keeps what they print; an [`Assessment`] sets that beside
//! what was published and marks every row. Nothing here starts a process: whoever runs a study asks for its
//! [`StudyJob`]s, runs them, and hands back what they printed.
//!
//! ```
//! use palestra_study::{StudyScale, StudyFiles, Study};
//!
//! let study = Study::read(&StudyFiles::of_files([(
//!     "study.toml",
//!     r#"
//!     title = "Halves"
//!     subject = "does the first side win half of the games?"
//!     [sizes]
//!     games = { quick = 10, full = 1000 }
//!     [[part]]
//!     id = "match"
//!     title = "A match"
//!     [[part.run]]
//!     id = "match"
//!     command = "match connect4 random random --games {games}"
//!     "#,
//! )]), "halves")?;
//! let jobs = study.jobs(StudyScale::Full)?;
//! assert_eq!(jobs[0].command, "match connect4 random random --games 1000");
//! # Ok::<(), palestra_core::InputError>(())
//! ```

#![allow(clippy::disallowed_methods, reason = "a study is a folder of files")]

mod assess;
mod chance;
mod error;
mod figure;
mod job;
mod parse;
mod path;
mod published;
pub mod report;
mod rule;
mod source;
mod study;
mod template;
mod workspace;

pub use assess::{
    Agreement, AgreementCounts, Assessment, CellAssessment, PartAssessment, RowAssessment, TableAssessment,
};
pub use error::StudyError;
pub use figure::DrawnFigure;
pub use job::StudyJob;
pub use path::OutputValue;
pub use rule::ComparisonRule;
pub use source::{StudyFiles, shipped};
pub use study::{
    CommandTemplate, FigureKind, RowSource, Series, Study, StudyColumn, StudyFigure, StudyPart, StudyScale,
    StudyTable,
};
pub use workspace::{CommandRecord, StudyWorkspace};
