//! Published work done again: what is run, what was published, and how the two compare.
//!
//! A [`Study`] is a folder: a file that names commands of `palestra`, the numbers that were published, and a rule for
//! each comparison. Its commands run in a [`Workplace`], which keeps what they print; an [`Assessment`] sets that beside
//! what was published and marks every row. Nothing here starts a process: whoever runs a study asks for its
//! [`Job`]s, runs them, and hands back what they printed.
//!
//! ```
//! use palestra_study::{Size, Source, Study};
//!
//! let study = Study::read(&Source::of_files([(
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
//! let jobs = study.jobs(Size::Full)?;
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
mod workplace;

pub use assess::{Assessment, Cell, Mark, PartAssessment, Row, TableAssessment, Tally};
pub use error::StudyError;
pub use figure::Picture;
pub use job::Job;
pub use path::Printed;
pub use rule::Rule;
pub use source::{Source, shipped};
pub use study::{Column, Figure, FigureKind, Part, Rows, Run, Series, Size, Study, Table};
pub use workplace::{Kept, Workplace};
