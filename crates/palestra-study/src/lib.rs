//! Studies: published work done again, with a comparison of published and obtained numbers.
//!
//! A [`Study`] is a folder with a `study.toml` that lists commands of `palestra`, files with the published numbers, and
//! a comparison rule for each column. [`Study::jobs`] gives the commands at the published sizes or in small
//! ([`StudyScale`]).
//!
//! A [`StudyWorkspace`] is the folder in which the commands run and their outputs are kept. [`StudyWorkspace::assess`]
//! compares the outputs with the published numbers; each cell of the resulting [`Assessment`] is exact, within noise or
//! different, and each table has a verdict ([`TableVerdict`]). Nothing here starts a process: the caller runs the [`StudyJob`]s and hands their outputs back.
//!
//! A study with one command, whose output is made up here:
//!
//! ```
//! use palestra_study::{Study, StudyFiles, StudyScale, StudyWorkspace};
//!
//! let files = StudyFiles::of_files([
//!     (
//!         "study.toml",
//!         r#"
//!         title = "Halves"
//!         subject = "does the first player win half of the games?"
//!         [sizes]
//!         games = { quick = 10, full = 1000 }
//!         [[part]]
//!         id = "match"
//!         title = "A match"
//!         [[part.run]]
//!         id = "match"
//!         command = "match connect4 random random --games {games}"
//!         [[part.table]]
//!         id = "wins"
//!         title = "Games won by the first player"
//!         published = "wins.csv"
//!         [[part.table.column]]
//!         name = "wins"
//!         read = "match:/wins"
//!         rule = "share"
//!         of = 1000
//!         of_obtained = 1000
//!         "#,
//!     ),
//!     ("wins.csv", "row,wins\nrandom,500\n"),
//! ]);
//! let study = Study::read(&files, "halves")?;
//! let jobs = study.jobs(StudyScale::Full)?;
//! assert_eq!(jobs[0].command, "match connect4 random random --games 1000");
//!
//! let root = std::env::temp_dir().join(format!("palestra-study-example-{}", std::process::id()));
//! let mut workspace = StudyWorkspace::open(&root, study, files, StudyScale::Full, None)?;
//! let words = workspace.words(&jobs[0])?;
//! workspace.keep("match", words, serde_json::json!({ "wins": 510 }), 2.5, None)?;
//!
//! let assessment = workspace.assess()?;
//! let cell = &assessment.parts[0].tables[0].rows[0].cells[0];
//! assert_eq!((cell.published.as_deref(), cell.obtained.as_deref()), (Some("500"), Some("510")));
//! assert_eq!(cell.agreement.word(), "within noise");
//! let verdict = assessment.parts[0].tables[0].verdict().map(|verdict| verdict.to_string());
//! assert_eq!(verdict.as_deref(), Some("The table as a whole: within noise. One cell with chance, p = 0.687."));
//! # std::fs::remove_dir_all(root)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::disallowed_methods, reason = "a study is a folder of files")]

mod agreement;
mod assess;
mod chance;
mod duration;
mod error;
mod figure;
mod job;
mod parse;
mod path;
mod published;
mod rule;
mod source;
mod study;
mod template;
mod workspace;

pub use agreement::{Agreement, AgreementCounts, CellTest, TableVerdict, p_value};
pub use assess::{Assessment, CellAssessment, PartAssessment, RowAssessment, TableAssessment};
pub use duration::seconds_in_words;
pub use error::StudyError;
pub use job::StudyJob;
pub use path::OutputValue;
pub use rule::ComparisonRule;
pub use source::{StudyFiles, shipped, shipped_for};
pub use study::{
    CommandTemplate, FigureKind, RowSource, Series, Study, StudyColumn, StudyFigure, StudyPart, StudyScale,
    StudyTable,
};
pub use workspace::{CommandRecord, StudyWorkspace};
