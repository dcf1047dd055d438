//! Reports of tuning runs and events, read from the store.
//!
//! This crate turns stored data into the data, text and charts that the command line and the page show. It prints
//! nothing, writes no files and plays no games. The store and the [`Catalog`](palestra_arena::Catalog) of games are
//! arguments, so the crate knows no game by name.
//!
//! - [`tuning`]: a tuning run as a [`RunReport`](tuning::RunReport) with its outcome, figures and criteria.
//! - [`event`]: an event as an [`EventReview`](event::EventReview) with its entrants, results and standings.
//! - [`live`]: the live status of a running command.
//! - [`chart`]: charts as SVG and PNG.
//!
//! Both kinds of runs also have options from which a plan is made without a file:
//! [`TuningOptions`](tuning::TuningOptions) and [`EventOptions`](event::EventOptions).
//!
//! ```
//! use palestra_registry::GAMES;
//! use palestra_review::chart::{AxisScale, ChartLine, LineChart};
//! use palestra_review::live::LiveStatus;
//! use palestra_review::tuning::{TuningOptions, describe_weights};
//!
//! // A tuning plan from options.
//! let features = Some("lines".to_owned());
//! let options = TuningOptions { features, ..TuningOptions::default() };
//! let plan = options.plan_file("connect4", 7, &[], &GAMES)?;
//! assert_eq!((plan.keys.player.as_ref().map(|player| player.as_str()), plan.keys.seed), (Some("greedy/lines"), 7));
//!
//! // The progress of a run: 25 of 100 games took 10 seconds.
//! let status = LiveStatus { done: 25, of: Some(100), elapsed: 10.0, ..LiveStatus::default() };
//! assert_eq!(status.seconds_left(), Some(30.0));
//!
//! // The weights of a champion, the largest first.
//! let names = ["own", "other"].map(str::to_owned);
//! let meanings = ["own lines", "the opponent's lines"].map(str::to_owned);
//! let weights = describe_weights(&names, &meanings, &[1.0, -3.0]);
//! assert_eq!((weights[0].name, weights[0].word, weights[0].share), ("other", "avoids", 0.75));
//!
//! // A chart of the fitness over the generations.
//! let line = ChartLine { label: "best".into(), points: vec![(0.0, 1.0), (1.0, 3.0)] };
//! let chart = LineChart {
//!     title: "Fitness".into(),
//!     across: "generation".into(),
//!     up: "fitness".into(),
//!     scale: AxisScale::Linear,
//!     lines: vec![line],
//! };
//! assert!(chart.draw().to_svg().contains("<title>Fitness</title>"));
//! # Ok::<(), palestra_core::InputError>(())
//! ```

pub mod chart;
mod error;
pub mod event;
pub mod live;
mod memory;
mod text;
pub mod tuning;

pub use error::ReviewError;
pub use memory::memory_limit;
pub use text::{counted, grouped, number};
