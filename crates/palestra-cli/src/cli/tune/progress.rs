//! What a person sees of a run while it goes on, and what the store gets to keep.

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

/// Moves the bar, and stops the games when a person asks.
pub(crate) struct TuningProgress {
    pub(crate) bar: ProgressBar,
    pub(crate) stop: Arc<AtomicBool>,
    /// The generation that is being played.
    pub(crate) generation: AtomicU64,
}

impl TuningProgress {
    /// A bar over so many games, or a count where nobody knows.
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

/// Keeps every generation.
pub(crate) struct GenerationRecorder<'a> {
    ledger: Option<&'a RunLedger>,
    eye: &'a TuningProgress,
    /// Seconds worked before, and since when now.
    clock: (f64, Instant),
    seconds: Option<f64>,
    /// Generations that the store has from before: these are gone through whatever the time.
    n_known: u64,
    n_seen: u64,
    leader: Vec<f64>,
    scores: Option<ScoresFile>,
}

impl<'a> GenerationRecorder<'a> {
    pub(crate) fn new(
        ledger: Option<&'a RunLedger>,
        eye: &'a TuningProgress,
        seconds: Option<f64>,
    ) -> GenerationRecorder<'a> {
        let clock = (0.0, Instant::now());
        GenerationRecorder {
            ledger,
            eye,
            clock,
            seconds,
            n_known: 0,
            n_seen: 0,
            leader: Vec::new(),
            scores: None,
        }
    }

    /// Goes on with a run that was worked on for so long and has so many generations.
    pub(crate) fn resuming(self, seconds: f64, n_known: u64) -> GenerationRecorder<'a> {
        GenerationRecorder { clock: (seconds, self.clock.1), n_known, ..self }
    }

    /// Writes every fitness into a file as well.
    pub(crate) fn writing(self, path: &Path) -> Result<GenerationRecorder<'a>> {
        Ok(GenerationRecorder { scores: Some(ScoresFile::create(path)?), ..self })
    }

    /// Puts the file of scores in its place.
    pub(crate) fn finish(self) -> Result<()> {
        self.scores.map_or(Ok(()), ScoresFile::finish)
    }
}

impl TrainingObserver for GenerationRecorder<'_> {
    fn generation(&mut self, generation: &GenerationReport) -> Result<(), BoxError> {
        self.n_seen = generation.number + 1;
        self.eye.generation.store(self.n_seen, Ordering::Relaxed);
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
            self.eye.bar.set_message(format!("generation {}", generation.number));
        } else {
            self.eye
                .bar
                .set_message(format!("generation {}: best {best:.1}, mean {mean:.1}", generation.number));
        }
        let Some(ledger) = self.ledger else { return Ok(()) };
        let listed: &[Vec<f64>] = match &generation.candidates {
            CandidateSet::Listed(all) => all,
            // A grid has too many, and its file says which they are.
            CandidateSet::Grid { .. } => &[],
        };
        let middle = mean_direction(listed.iter().map(Vec::as_slice));
        let spread =
            listed.iter().map(|weights| angle(weights, &middle)).sum::<f64>() / listed.len().max(1) as f64;
        let number = u32::try_from(generation.number)?;
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        let mut vitals = serde_json::Map::new();
        for (name, value) in &generation.metrics {
            vitals.insert((*name).to_owned(), serde_json::json!(value));
        }
        if let Some([by_all, by_none, n]) = generation.engagement {
            vitals.insert("parasites_beaten_by_all".into(), by_all.into());
            vitals.insert("parasites_beaten_by_none".into(), by_none.into());
            vitals.insert("parasites".into(), n.into());
        }
        let kept = palestra_store::StoredGeneration {
            number,
            n_games: generation.n_games,
            best: finite(best),
            mean: finite(mean),
            worst: finite(worst),
            best_number,
            spread,
            angle: turned,
            vitals: serde_json::Value::Object(vitals).to_string(),
        };
        let candidate = |(i, weights): (usize, &Vec<f64>)| Candidate {
            weights: weights.clone(),
            fitness: fitness.get(i).copied().unwrap_or(0.0),
        };
        let candidates = listed.iter().enumerate().map(candidate).collect();
        Ok(ledger.keep_generation(kept, candidates)?)
    }

    fn out_of_time(&self) -> bool {
        let (before, since) = self.clock;
        self.n_seen >= self.n_known
            && self.seconds.is_some_and(|seconds| before + since.elapsed().as_secs_f64() >= seconds)
    }
}

/// A file of scores, put in its place when it is whole.
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

/// Of an interrupted run nothing stays behind: the next one writes all of it.
impl Drop for ScoresFile {
    fn drop(&mut self) {
        // Not there any more, if it was finished.
        let _ = std::fs::remove_file(&self.part);
    }
}
