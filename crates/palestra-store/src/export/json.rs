//! A run as one JSON document, with one line for each key, generation and hall of fame entry.

use crate::error::{Result, WithPath};
use crate::records::{Run, RunId, StoredHallEntry};
use crate::rows::{GENERATION, generation_of};
use crate::store::Store;
use serde::Serialize;
use std::io::{self, Write};

impl Store {
    pub(super) fn export_json(&self, run: RunId, with_timings: bool, out: &mut dyn Write) -> Result<()> {
        let run = self.run_by_id(run)?;
        self.write_head(&run, with_timings, out).map_err(|error| self.not_written(error))?;
        let sql = format!("SELECT {GENERATION} FROM generations WHERE run = ?1 ORDER BY number");
        let mut statement = self.connection.prepare_cached(&sql).at(&self.path)?;
        // Not all in one list: a run may have many.
        let generations = statement.query_map([run.id.0], generation_of).at(&self.path)?;
        for (i, generation) in generations.enumerate() {
            let generation = generation.at(&self.path)?;
            let candidates = self.candidates(run.id, generation.number)?;
            let write = |out: &mut dyn Write| {
                next(i, out)?;
                write!(out, "{{\"number\":{},\"n_games\":{}", generation.number, generation.n_games)?;
                pair("best", &generation.best, out)?;
                pair("mean", &generation.mean, out)?;
                pair("worst", &generation.worst, out)?;
                pair("best_number", &generation.best_number, out)?;
                pair("spread", &generation.spread, out)?;
                pair("angle", &generation.angle, out)?;
                // Copied as stored: parsing and printing it again could change a digit.
                write!(out, ",\"vitals\":{}", generation.metrics)?;
                pair("candidates", &candidates, out)?;
                write!(out, "}}")
            };
            write(out).map_err(|error| self.not_written(error))?;
        }
        let hall = self.hall_of_fame(run.id)?;
        write_tail(&run, &hall, out).map_err(|error| self.not_written(error))
    }

    fn write_head(&self, run: &Run, with_timings: bool, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\n\"format\":\"palestra-run-1\"")?;
        line("kind", &run.kind, out)?;
        line("seed", &run.seed, out)?;
        line("version", &run.version, out)?;
        line("plan_key", &run.plan_key, out)?;
        line("plan", &run.plan, out)?;
        line("weights", &run.weights, out)?;
        line("state", &run.state, out)?;
        line("n_games", &run.n_games, out)?;
        if with_timings {
            line("name", &run.name, out)?;
            line("created", &run.created, out)?;
            line("updated", &run.updated, out)?;
            line("seconds", &run.seconds, out)?;
        }
        write!(out, ",\n\"generations\":[")
    }
}

fn write_tail(run: &Run, hall: &[StoredHallEntry], out: &mut dyn Write) -> io::Result<()> {
    write!(out, "\n],\n\"hall\":[")?;
    for (i, entry) in hall.iter().enumerate() {
        next(i, out)?;
        serde_json::to_writer(&mut *out, entry)?;
    }
    writeln!(out, "\n],\n\"outcome\":{}\n}}", run.outcome.as_deref().unwrap_or("null"))
}

/// The separator before item `i` of a list.
fn next(i: usize, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(if i == 0 { b"\n" } else { b",\n" })
}

fn line(name: &str, value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, ",\n\"{name}\":")?;
    Ok(serde_json::to_writer(out, value)?)
}

fn pair(name: &str, value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, ",\"{name}\":")?;
    Ok(serde_json::to_writer(out, value)?)
}
