//! A batch cut into jobs: two players on a scene.

use crate::executor::ExecutionError;
use crate::local::{LocalExecutor, OpenedGame};
use crate::{Batch, Schedule};
use palestra_arena::{PlayerSpec, StartPoint};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A batch with everything in it resolved.
pub(crate) struct ResolvedBatch<'a> {
    batch: &'a Batch,
    weights: Vec<Vec<f64>>,
    /// The room of each scene.
    rooms: Vec<Arc<OpenedGame>>,
    /// For each scene, who can be met there.
    sites: Vec<Arc<GameOpponents>>,
    /// For matches, the number of each one's first job, and of all jobs.
    starts: Vec<usize>,
    /// For leagues, who meets whom.
    couples: Vec<(u32, u32)>,
}

/// Who can be met on one game.
struct GameOpponents {
    /// The rivals as the game reads them.
    rivals: Vec<PlayerSpec>,
    /// The names of the boards: one for each rival, or the one where candidates meet.
    boards: Vec<Arc<str>>,
}

impl<'a> ResolvedBatch<'a> {
    pub(crate) fn of(local: &LocalExecutor, batch: &'a Batch) -> Result<ResolvedBatch<'a>, ExecutionError> {
        let weights: Vec<Vec<f64>> =
            (0..batch.candidates.len()).map(|i| batch.candidates.weights(i)).collect();
        let mut field = ResolvedBatch {
            batch,
            weights,
            rooms: Vec::with_capacity(batch.scenes.len()),
            sites: Vec::with_capacity(batch.scenes.len()),
            starts: vec![0],
            couples: Vec::new(),
        };
        let mut known: BTreeMap<&str, Arc<GameOpponents>> = BTreeMap::new();
        for scene in &batch.scenes {
            let room = local.opened_game(&scene.game, &batch.template)?;
            if !known.contains_key(&*scene.game) {
                let names: &[String] = match &batch.schedule {
                    Schedule::Everyone(names) => names,
                    _ => &[],
                };
                let specs = names.iter().map(|name| room.game.player(name)).collect::<Result<Vec<_>, _>>()?;
                let board = |rival: &str| Arc::from(format!("{}\n{}\n{rival}", scene.game, batch.template));
                let boards = if names.is_empty() {
                    vec![board("")]
                } else {
                    specs.iter().map(|spec| board(&spec.to_string())).collect()
                };
                known.insert(&scene.game, Arc::new(GameOpponents { rivals: specs, boards }));
            }
            field.sites.push(Arc::clone(&known[&*scene.game]));
            field.rooms.push(room);
        }
        let n = field.weights.len() as u32;
        match &batch.schedule {
            Schedule::Everyone(_) => {}
            Schedule::League => {
                field.couples = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect();
            }
            Schedule::Matches(matches) => {
                for m in matches {
                    field.starts.push(field.starts[field.starts.len() - 1] + (m.to - m.from) as usize);
                }
            }
        }
        Ok(field)
    }

    /// The weights of all candidates.
    pub(crate) fn weights(&self) -> &[Vec<f64>] {
        &self.weights
    }

    /// How many weights a candidate has.
    pub(crate) fn n_weights(&self) -> usize {
        self.weights.first().map_or(0, Vec::len)
    }

    /// The room of a scene.
    pub(crate) fn opened_game(&self, scene: usize) -> &OpenedGame {
        &self.rooms[scene]
    }

    /// A rival as the game of a scene reads it.
    pub(crate) fn rival(&self, scene: usize, rival: usize) -> &PlayerSpec {
        &self.sites[scene].rivals[rival]
    }

    pub(crate) fn n_jobs(&self) -> usize {
        match self.batch.schedule {
            Schedule::Matches(_) => self.starts[self.starts.len() - 1],
            _ => self.batch.n_matches() * self.batch.scenes.len(),
        }
    }

    pub(crate) fn job(&self, job: usize) -> (&OpenedGame, PairJob<'_>) {
        let n_scenes = self.batch.scenes.len();
        let candidate = |i: usize| JobPlayer::Candidate(&self.weights[i]);
        let (scene, board, players) = match &self.batch.schedule {
            Schedule::Everyone(rivals) => {
                let (meeting, scene) = (job / n_scenes, job % n_scenes);
                let (a, b) = (meeting / rivals.len(), meeting % rivals.len());
                (scene, b, [candidate(a), JobPlayer::Rival(&self.sites[scene].rivals[b])])
            }
            Schedule::League => {
                let (a, b) = self.couples[job / n_scenes];
                (job % n_scenes, 0, [candidate(a as usize), candidate(b as usize)])
            }
            Schedule::Matches(matches) => {
                let meeting = self.starts.partition_point(|&start| start <= job) - 1;
                let m = matches[meeting];
                let scene = m.from as usize + job - self.starts[meeting];
                (scene, 0, [candidate(m.a as usize), candidate(m.b as usize)])
            }
        };
        (
            &self.rooms[scene],
            PairJob {
                start_point: &self.batch.scenes[scene],
                board: &self.sites[scene].boards[board],
                players,
            },
        )
    }
}

/// Two players on a scene.
pub(crate) struct PairJob<'a> {
    pub(crate) start_point: &'a StartPoint,
    /// The board they sit at; the same for all candidates.
    pub(crate) board: &'a Arc<str>,
    pub(crate) players: [JobPlayer<'a>; 2],
}

/// Who sits on one side of a board.
#[derive(Clone, Copy)]
pub(crate) enum JobPlayer<'a> {
    /// The template with these weights.
    Candidate(&'a [f64]),
    /// Another player; the room's own reading of it.
    Rival(&'a PlayerSpec),
}
