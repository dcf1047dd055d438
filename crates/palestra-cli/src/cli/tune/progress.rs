//! The progress bar of a run, and the recording of its generations in the store.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use palestra_arena::ProgressMonitor;
use palestra_store::{Candidate, RunLedger};
use palestra_tune::{BoxError, CandidateSet, GenerationReport, TrainingObserver, angle, mean_direction};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// Advances the progress bar, and stops the games on Ctrl-C.
pub(crate) struct TuningProgress {
    pub(crate) bar: ProgressBar,
    pub(crate) stop: Arc<AtomicBool>,
    /// Number of the generation that is being played.
    pub(crate) generation: AtomicU64,
}

impl TuningProgress {
    /// A bar of `n_games` games; a plain count where the number is unknown.
    pub(crate) fn new(n_games: Option<u64>, stop: Arc<AtomicBool>) -> TuningProgress {
        let template = match n_games {
            Some(_) => "{bar:24} {human_pos} of {human_len} games, {per_sec}, {eta} left; {msg}",
            None => "{spinner} {human_pos} games, {per_sec}, {elapsed}; {msg}",
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = n_games.map_or_else(ProgressBar::no_length, ProgressBar::new).with_style(style);
        bar.set_message("first generation");
        TuningProgress { bar, stop, generation: AtomicU64::new(0) }
    }
}

impl ProgressMonitor for TuningProgress {
    fn advance(&self, n_games: u64) {
        self.bar.inc(n_games);
    }

    fn should_stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Records every generation in the store, and ends training when the time is up.
pub(crate) struct GenerationRecorder<'a> {
    ledger: Option<&'a RunLedger>,
    progress: &'a TuningProgress,
    /// Seconds of work before this start, and the time of this start.
    clock: (f64, Instant),
    /// Time budget in seconds.
    seconds: Option<f64>,
    /// Generations in the store from earlier starts. These are replayed from stored batches even after the time is up.
    n_known: u64,
    n_seen: u64,
    leader: Vec<f64>,
    scores: Option<ScoresFile>,
}

impl<'a> GenerationRecorder<'a> {
    pub(crate) fn new(
        ledger: Option<&'a RunLedger>,
        progress: &'a TuningProgress,
        seconds: Option<f64>,
    ) -> GenerationRecorder<'a> {
        let clock = (0.0, Instant::now());
        GenerationRecorder {
            ledger,
            progress,
            clock,
            seconds,
            n_known: 0,
            n_seen: 0,
            leader: Vec::new(),
            scores: None,
        }
    }

    /// Continues a run with this many seconds of work and generations in the store.
    pub(crate) fn resuming(self, seconds: f64, n_known: u64) -> GenerationRecorder<'a> {
        GenerationRecorder { clock: (seconds, self.clock.1), n_known, ..self }
    }

    /// Also writes every fitness to a file.
    pub(crate) fn writing(self, path: &Path) -> Result<GenerationRecorder<'a>> {
        Ok(GenerationRecorder { scores: Some(ScoresFile::create(path)?), ..self })
    }

    /// Renames the finished file of scores.
    pub(crate) fn finish(self) -> Result<()> {
        self.scores.map_or(Ok(()), ScoresFile::finish)
    }
}

impl TrainingObserver for GenerationRecorder<'_> {
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        self.n_seen = generation.number + 1;
        self.progress.generation.store(self.n_seen, Ordering::Relaxed);
        let fitness = &generation.fitness;
        if let Some(scores) = &mut self.scores {
            scores.write(fitness)?;
        }
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = fitness.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = fitness.iter().sum::<f64>() / fitness.len().max(1) as f64;
        let best_number = fitness.iter().position(|value| *value == best).unwrap_or(0) as u32;
        let turned = if self.leader.is_empty() { 0.0 } else { angle(&self.leader, &generation.leader) };
        self.leader.clone_from(&generation.leader);
        if fitness.is_empty() {
            self.progress.bar.set_message(format!("generation {}", generation.number));
        } else {
            self.progress
                .bar
                .set_message(format!("generation {}: best {best:.1}, mean {mean:.1}", generation.number));
        }
        let Some(ledger) = self.ledger else { return Ok(()) };
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
        Ok(ledger.keep_generation(stored, candidates)?)
    }

    fn out_of_time(&self) -> bool {
        let (before, since) = self.clock;
        self.n_seen >= self.n_known
            && self.seconds.is_some_and(|seconds| before + since.elapsed().as_secs_f64() >= seconds)
    }
}

/// A file of scores: written to `FILE.part`, renamed when complete.
struct ScoresFile {
    out: BufWriter<File>,
    part: PathBuf,
    path: PathBuf,
}

impl ScoresFile {
    fn create(path: &Path) -> Result<ScoresFile> {
        use anyhow::Context;
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let part = path.with_file_name(name);
        let file = File::create(&part).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(ScoresFile { out: BufWriter::new(file), part, path: path.to_owned() })
    }

    fn write(&mut self, fitness: &[f64]) -> std::io::Result<()> {
        fitness.iter().try_for_each(|value| writeln!(self.out, "{value}"))
    }

    fn finish(mut self) -> Result<()> {
        self.out.flush()?;
        Ok(std::fs::rename(&self.part, &self.path)?)
    }
}

/// Removes the part of an interrupted run: the next start writes the whole file again.
impl Drop for ScoresFile {
    fn drop(&mut self) {
        // It does not exist any more if it was renamed.
        let _ = std::fs::remove_file(&self.part);
    }
}
