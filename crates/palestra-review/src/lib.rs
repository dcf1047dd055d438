//! What came of runs and events, read from the store.
//!
//! Data in, data and text out: whoever shows a run, on a terminal or in a browser, shows what is found here. Nothing
//! prints, writes or plays; all that is read is the store that is handed in. No game is known by name: the
//! [`Catalog`](palestra_arena::Catalog) is handed in as well.
//!
//! - [`tuning`]: a run of tuning as a [`RunReport`](tuning::RunReport) with its outcome, figures and criteria.
//! - [`event`]: an event as an [`EventReview`](event::EventReview) with its field, results and tables.
//! - [`live`]: what a running command tells of itself right now.
//! - [`chart`]: pictures, as SVG and PNG.
//! - [`html`]: the pieces that pages in files are made of.
//!
//! ```
//! use palestra_review::chart::{LineChart, ChartLine, AxisScale};
//!
//! let line = ChartLine { label: "best".into(), points: vec![(0.0, 1.0), (1.0, 3.0)] };
//! let chart = LineChart {
//!     title: "Fitness".into(),
//!     across: "generation".into(),
//!     up: "fitness".into(),
//!     scale: AxisScale::Linear,
//!     lines: vec![line],
//! };
//! assert!(chart.draw().to_svg().contains("<title>Fitness</title>"));
//! ```

pub mod chart;
mod error;
pub mod event;
pub mod html;
pub mod live;
mod text;
pub mod tuning;

pub use error::ReviewError;
pub use text::{counted, grouped, number};
