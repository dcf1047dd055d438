//! Export of runs for other programs. The same run gives the same bytes, with or without interruptions.

mod json;
#[cfg(feature = "parquet")]
mod parquet;

use crate::error::{Result, StoreError, WithPath};
use crate::records::{Candidate, RunId};
use crate::results::candidate_of;
use crate::store::Store;
use rusqlite::{Transaction, TransactionBehavior};
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

/// A file format for exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// All candidates, one per line.
    Csv,
    /// The whole run except its games, as one document.
    Json,
    /// All candidates in columns; needs the cargo feature `parquet`.
    Parquet,
}

/// Options of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// The file format.
    pub format: ExportFormat,
    /// Whether to include values that differ between equal runs: name, dates and durations (JSON only).
    pub with_timings: bool,
}

impl Store {
    /// Writes a run for other programs.
    ///
    /// Infinities and NaN, which JSON cannot represent, are `null` there.
    pub fn export(&self, run: RunId, export: ExportOptions, out: &mut (dyn Write + Send)) -> Result<()> {
        // All reads see one snapshot, even if another process writes.
        let snapshot =
            Transaction::new_unchecked(&self.connection, TransactionBehavior::Deferred).at(&self.path)?;
        match export.format {
            ExportFormat::Csv => self.export_csv(run, out),
            ExportFormat::Json => self.export_json(run, export.with_timings, out),
            #[cfg(feature = "parquet")]
            ExportFormat::Parquet => self.export_parquet(run, out),
            #[cfg(not(feature = "parquet"))]
            ExportFormat::Parquet => Err(StoreError::NoParquet),
        }?;
        drop(snapshot);
        out.flush().map_err(|error| self.not_written(error))
    }

    fn export_csv(&self, run: RunId, out: &mut (dyn Write + Send)) -> Result<()> {
        let names = self.weight_names(run)?;
        let mut writer = csv::Writer::from_writer(out);
        let failed = |error: csv::Error| self.not_written(io::Error::from(error));
        let fixed = ["generation", "number", "fitness"].map(str::to_owned);
        writer.write_record(fixed.iter().chain(&names)).map_err(failed)?;
        self.each_candidate(run, |generation, number, candidate| {
            let numbers = [candidate.fitness].into_iter().chain(candidate.weights);
            let fields = [generation, number].into_iter().map(|number| number.to_string());
            // `Debug` prints the shortest decimal that reads back as the same number.
            let fields = fields.chain(numbers.map(|value| format!("{value:?}")));
            writer.write_record(fields).map_err(failed)
        })?;
        writer.flush().map_err(|error| self.not_written(error))
    }

    /// Names of the weights of a run: `weight1`, `weight2` and so on if they have none.
    fn weight_names(&self, run: RunId) -> Result<Vec<String>> {
        let names = self.run_by_id(run)?.weights;
        if !names.is_empty() {
            return Ok(names);
        }
        let sql = "SELECT ifnull(max(length(weights)), 0) / 8 FROM candidates WHERE run = ?1";
        let count: u32 = self.connection.query_row(sql, [run.0], |row| row.get(0)).at(&self.path)?;
        Ok((1..=count).map(|i| format!("weight{i}")).collect())
    }

    /// Calls `visit` with the generation, number and data of each candidate, in order.
    fn each_candidate(
        &self,
        run: RunId,
        mut visit: impl FnMut(u32, u32, Candidate) -> Result<()>,
    ) -> Result<()> {
        let sql = "SELECT generation, number, weights, fitness FROM candidates WHERE run = ?1
                   ORDER BY generation, number";
        let mut statement = self.connection.prepare_cached(sql).at(&self.path)?;
        let mut rows = statement.query([run.0]).at(&self.path)?;
        while let Some(row) = rows.next().at(&self.path)? {
            let number = |column| row.get(column).at(&self.path);
            visit(number("generation")?, number("number")?, candidate_of(row).at(&self.path)?)?;
        }
        Ok(())
    }

    fn not_written(&self, error: io::Error) -> StoreError {
        StoreError::Export { path: self.path.clone(), cause: Arc::new(error) }
    }
}

impl fmt::Display for ExportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Csv => "csv",
            Self::Json => "json",
            Self::Parquet => "parquet",
        })
    }
}

impl FromStr for ExportFormat {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self> {
        let all = [Self::Csv, Self::Json, Self::Parquet];
        let known = all.into_iter().find(|format| format.to_string() == text);
        known.ok_or_else(|| StoreError::UnknownFormat { name: text.to_owned() })
    }
}
