//! A batch divided into jobs: two players on one start point.

use crate::executor::ExecutionError;
use crate::fold::league_match;
use crate::local::{LocalExecutor, OpenedGame};
use crate::{Batch, Schedule};
use palestra_arena::{MatchPlayer, PlayerSpec, StartPoint};
use palestra_core::InputError;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A batch with its games opened and its players parsed.
pub(crate) struct ResolvedBatch<'a> {
    batch: &'a Batch,
    weights: Vec<Vec<f64>>,
    /// The game of each start point.
    opened_games: Vec<Arc<OpenedGame>>,
    /// The opponents of each start point's game.
    game_opponents: Vec<Arc<GameOpponents>>,
    /// For [`Schedule::Matches`]: the first job of each match, then the number of all jobs.
    first_jobs: Vec<usize>,
}

/// The opponents on one game.
struct GameOpponents {
    /// The opponents as the game parses them.
    opponents: Vec<MatchPlayer>,
    /// Cache keys of the matches: one for each opponent, or the one for candidates against candidates.
    match_keys: Vec<Arc<str>>,
}

/// The weights of an opponent that is the template with other weights, as opponents from earlier generations are.
fn weights_for<'a>(template: &PlayerSpec, opponent: &'a MatchPlayer) -> Option<&'a [f64]> {
    let MatchPlayer::Builtin(spec) = opponent else { return None };
    let (own, weights) = (template.weights()?, spec.weights()?);
    (own.len() == weights.len() && template.with_weights(weights) == *spec).then_some(weights)
}

impl<'a> ResolvedBatch<'a> {
    pub(crate) fn of(local: &LocalExecutor, batch: &'a Batch) -> Result<ResolvedBatch<'a>, ExecutionError> {
        let weights: Vec<Vec<f64>> =
            (0..batch.candidates.len()).map(|i| batch.candidates.weights(i)).collect();
        let mut resolved = ResolvedBatch {
            batch,
            weights,
            opened_games: Vec::with_capacity(batch.starts.len()),
            game_opponents: Vec::with_capacity(batch.starts.len()),
            first_jobs: vec![0],
        };
        let mut known: BTreeMap<&str, Arc<GameOpponents>> = BTreeMap::new();
        for start_point in &batch.starts {
            let opened = local.opened_game(&start_point.game, &batch.template)?;
            if !known.contains_key(&*start_point.game) {
                let names = batch.schedule.opponents();
                let opponents = names.iter().map(|name| local.opponent(opened.game.as_ref(), name));
                let opponents = opponents.collect::<Result<Vec<MatchPlayer>, InputError>>()?;
                let match_key = |opponent: &str| {
                    Arc::from(format!("{}\n{}\n{opponent}", start_point.game, batch.template))
                };
                let match_keys = if names.is_empty() {
                    vec![match_key("")]
                } else {
                    // Weights change with every generation: a match for each would fill the memory.
                    let name = |opponent: &MatchPlayer| match weights_for(&opened.template, opponent) {
                        Some(_) => String::new(),
                        None => opponent.to_string(),
                    };
                    opponents.iter().map(|opponent| match_key(&name(opponent))).collect()
                };
                known.insert(&start_point.game, Arc::new(GameOpponents { opponents, match_keys }));
            }
            resolved.game_opponents.push(Arc::clone(&known[&*start_point.game]));
            resolved.opened_games.push(opened);
        }
        if let Schedule::Matches(matches) = &batch.schedule {
            for m in matches {
                let before = resolved.first_jobs[resolved.first_jobs.len() - 1];
                resolved.first_jobs.push(before + (m.to - m.from) as usize);
            }
        }
        Ok(resolved)
    }

    /// The batch.
    pub(crate) fn batch(&self) -> &Batch {
        self.batch
    }

    /// The weights of all candidates.
    pub(crate) fn weights(&self) -> &[Vec<f64>] {
        &self.weights
    }

    /// Number of weights of a candidate.
    pub(crate) fn n_weights(&self) -> usize {
        self.weights.first().map_or(0, Vec::len)
    }

    /// The game of a start point.
    pub(crate) fn opened_game(&self, start_point: usize) -> &OpenedGame {
        &self.opened_games[start_point]
    }

    /// An opponent as the game of a start point parses it.
    pub(crate) fn opponent(&self, start_point: usize, opponent: usize) -> &MatchPlayer {
        &self.game_opponents[start_point].opponents[opponent]
    }

    pub(crate) fn n_jobs(&self) -> usize {
        match self.batch.schedule {
            Schedule::Matches(_) => self.first_jobs[self.first_jobs.len() - 1],
            Schedule::EveryoneApart { per_match, .. } => self.batch.n_matches() * per_match as usize,
            _ => self.batch.n_matches() * self.batch.starts.len(),
        }
    }

    pub(crate) fn job(&self, job: usize) -> (&OpenedGame, PairJob<'_>) {
        let n_start_points = self.batch.starts.len();
        let candidate = |i: usize| JobPlayer::Candidate(&self.weights[i]);
        let opponent = |start_point: usize, b: usize| {
            let opponent = self.opponent(start_point, b);
            let weights = weights_for(&self.opened_games[start_point].template, opponent);
            weights.map_or(JobPlayer::Opponent(opponent), JobPlayer::Candidate)
        };
        let (start_point, match_key, players) = match &self.batch.schedule {
            Schedule::Everyone(opponents) => {
                let (i, start_point) = (job / n_start_points, job % n_start_points);
                let (a, b) = (i / opponents.len(), i % opponents.len());
                (start_point, b, [candidate(a), opponent(start_point, b)])
            }
            Schedule::EveryoneApart { opponents, per_match } => {
                let i = job / *per_match as usize;
                let (a, b) = (i / opponents.len(), i % opponents.len());
                (job, b, [candidate(a), opponent(job, b)])
            }
            Schedule::League => {
                let (a, b) = league_match(job / n_start_points, self.weights.len());
                (job % n_start_points, 0, [candidate(a), candidate(b)])
            }
            Schedule::Matches(matches) => {
                let i = self.first_jobs.partition_point(|&first| first <= job) - 1;
                let m = matches[i];
                let start_point = m.from as usize + job - self.first_jobs[i];
                (start_point, 0, [candidate(m.a as usize), candidate(m.b as usize)])
            }
        };
        (
            &self.opened_games[start_point],
            PairJob {
                start_point: &self.batch.starts[start_point],
                match_key: &self.game_opponents[start_point].match_keys[match_key],
                players,
            },
        )
    }
}

/// Two players on one start point.
pub(crate) struct PairJob<'a> {
    pub(crate) start_point: &'a StartPoint,
    /// Cache key of their match; the same for all candidates.
    pub(crate) match_key: &'a Arc<str>,
    pub(crate) players: [JobPlayer<'a>; 2],
}

/// One player of a job.
#[derive(Clone, Copy)]
pub(crate) enum JobPlayer<'a> {
    /// The template with these weights.
    Candidate(&'a [f64]),
    /// A fixed opponent, as the game parses it.
    Opponent(&'a MatchPlayer),
}
