//! Records the generations of a run in the store.

use crate::cli::output_file::OutputFile;
use anyhow::Result;
use palestra_core::Progress;
use palestra_store::{Candidate, RunLedger};
use palestra_tune::{
    BoxError, CandidateFitness, CandidateSet, GenerationReport, TrainingObserver, angle, mean_direction,
};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Records every generation in the store, and ends training when the time is up.
pub(crate) struct GenerationRecorder<'a> {
    ledger: &'a RunLedger,
    progress: &'a Progress,
    /// Generations in the store from earlier starts. These are repeated from stored results even after the time is up.
    n_known: u64,
    n_seen: u64,
    leader: Vec<f64>,
    scores: Option<OutputFile>,
    scores_path: PathBuf,
}

impl<'a> GenerationRecorder<'a> {
    pub(crate) fn new(ledger: &'a RunLedger, progress: &'a Progress, n_known: u64) -> GenerationRecorder<'a> {
        GenerationRecorder {
            ledger,
            progress,
            n_known,
            n_seen: 0,
            leader: Vec::new(),
            scores: None,
            scores_path: PathBuf::new(),
        }
    }

    /// Also writes every fitness to a file.
    pub(crate) fn writing(self, path: &Path) -> Result<GenerationRecorder<'a>> {
        Ok(GenerationRecorder {
            scores: Some(OutputFile::create(path)?),
            scores_path: path.to_owned(),
            ..self
        })
    }

    /// Renames the finished file of scores.
    pub(crate) fn finish(self) -> Result<()> {
        self.scores.map_or(Ok(()), OutputFile::finish)
    }
}

impl TrainingObserver for GenerationRecorder<'_> {
    fn known_rating(&mut self, number: u64) -> Result<Option<CandidateFitness>, BoxError> {
        let reply = self.ledger.reply(u32::try_from(number)?)?;
        Ok(reply.as_deref().and_then(CandidateFitness::from_bytes))
    }

    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        self.n_seen = generation.number + 1;
        let fitness = &generation.fitness;
        if let Some(scores) = &mut self.scores {
            let written = fitness.iter().try_for_each(|value| writeln!(scores, "{value}"));
            written.map_err(|error| format!("cannot write {}: {error}", self.scores_path.display()))?;
        }
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = fitness.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = fitness.iter().sum::<f64>() / fitness.len().max(1) as f64;
        let best_number = fitness.iter().position(|value| *value == best).unwrap_or(0) as u32;
        let turned = if self.leader.is_empty() { 0.0 } else { angle(&self.leader, &generation.leader) };
        self.leader.clone_from(&generation.leader);
        let remark = if fitness.is_empty() { "" } else { &format!(": best {best:.1}, mean {mean:.1}") };
        self.progress.update(|phase| {
            phase.step = Some(self.n_seen);
            phase.message = format!("generation {}{remark}", generation.number);
        });
        let listed: &[Vec<f64>] = match &generation.candidates {
            CandidateSet::Listed(all) => all,
            // A grid has too many to store; the plan defines them.
            CandidateSet::Grid { .. } => &[],
        };
        let middle = mean_direction(listed.iter().map(Vec::as_slice));
        let spread =
            listed.iter().map(|weights| angle(weights, &middle)).sum::<f64>() / listed.len().max(1) as f64;
        let number = u32::try_from(generation.number)?;
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let mut metrics = serde_json::Map::new();
        for (name, value) in &generation.metrics {
            metrics.insert((*name).to_owned(), serde_json::json!(value));
        }
        if let Some([by_all, by_none, n]) = generation.engagement {
            metrics.insert("parasites_beaten_by_all".into(), by_all.into());
            metrics.insert("parasites_beaten_by_none".into(), by_none.into());
            metrics.insert("parasites".into(), n.into());
        }
        let stored = palestra_store::StoredGeneration {
            number,
            n_games: generation.n_games,
            best: finite(best),
            mean: finite(mean),
            worst: finite(worst),
            best_number,
            spread,
            angle: turned,
            metrics: serde_json::Value::Object(metrics).to_string(),
        };
        let candidate = |(i, weights): (usize, &Vec<f64>)| Candidate {
            weights: weights.clone(),
            fitness: fitness.get(i).copied().unwrap_or(0.0),
        };
        let candidates = listed.iter().enumerate().map(candidate).collect();
        if let Some(rating) = &generation.rating {
            self.ledger.keep_reply(number, rating.to_bytes(), rating.n_games)?;
        }
        Ok(self.ledger.keep_generation(stored, candidates)?)
    }

    fn out_of_time(&self) -> bool {
        self.n_seen >= self.n_known && !self.progress.has_time()
    }
}
