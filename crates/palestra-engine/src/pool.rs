//! A pool of engine processes that are kept between games, with a maximum size.

use crate::external::{ExternalEngine, Sandbox};
use crate::process::PeakUsage;
use crate::program::ProgramSpec;
use palestra_arena::{
    AnswerTime, EngineLog, ExternalPlayer, GameSeat, MoveRequest, NewGame, ObservedMove, PlayError, Reply,
    TimeControl,
};
use palestra_core::{InputError, Side};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The engines of an event that have a process and no game.
#[derive(Debug)]
pub struct EnginePool {
    sandbox: Sandbox,
    /// Maximum number of idle engines; the one that was idle longest is closed first.
    max_idle: usize,
    idle: Mutex<VecDeque<ExternalEngine>>,
    /// What the processes of engines that came back used at most.
    peak: Mutex<Option<PeakUsage>>,
}

impl EnginePool {
    /// A pool that keeps at most `max_idle` idle processes.
    #[must_use]
    pub fn new(sandbox: Sandbox, max_idle: usize) -> EnginePool {
        EnginePool { sandbox, max_idle, idle: Mutex::default(), peak: Mutex::default() }
    }

    /// An engine for one game, pinned to `core` where one is given. It can read its own files even where they are
    /// hidden from other engines.
    pub fn take(&self, program: &ProgramSpec, core: Option<usize>) -> Result<PooledEngine<'_>, InputError> {
        let mut idle = self.idle();
        let index = idle.iter().position(|engine| engine.program() == program && engine.core() == core);
        let kept = index.and_then(|index| idle.remove(index));
        drop(idle);
        let engine = match kept {
            Some(engine) => engine,
            None => {
                let mut sandbox = self.sandbox.clone();
                if let Some(confinement) = &mut sandbox.confinement {
                    confinement.shown.extend(program.own_files());
                }
                ExternalEngine::new(program, &sandbox, core)?
            }
        };
        Ok(PooledEngine { pool: self, engine: Some(engine) })
    }

    /// What the processes used at most that were stopped during or after a game, or on request; `None` where that is not
    /// known.
    pub(crate) fn peak(&self) -> Option<PeakUsage> {
        *self.peak_lock()
    }

    fn peak_lock(&self) -> MutexGuard<'_, Option<PeakUsage>> {
        self.peak.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<ExternalEngine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, engine: ExternalEngine) {
        let mut idle = self.idle();
        idle.push_back(engine);
        let surplus = if idle.len() > self.max_idle { idle.pop_front() } else { None };
        // Unlocked before the engine is closed, which can take as long as its grace period.
        drop(idle);
        surplus.map(|mut engine| engine.close());
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.idle().drain(..).for_each(|mut engine| drop(engine.close()));
    }
}

/// A program as a player of matches: each game gets an engine of the pool.
#[derive(Clone, Debug)]
pub struct EnginePlayer {
    /// The engines that are kept between games.
    pub pool: Arc<EnginePool>,
    /// The program.
    pub program: ProgramSpec,
    /// The limits of its moves.
    pub control: TimeControl,
    /// The core that its processes are pinned to, if any.
    pub core: Option<usize>,
}

impl ExternalPlayer for EnginePlayer {
    fn name(&self) -> String {
        self.program.to_string()
    }

    fn control(&self) -> TimeControl {
        self.control
    }

    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError> {
        Ok(Box::new(self.pool.take(&self.program, self.core)?))
    }
}

/// An engine that returns to its pool after one game.
#[derive(Debug)]
pub struct PooledEngine<'a> {
    pool: &'a EnginePool,
    engine: Option<ExternalEngine>,
}

impl PooledEngine<'_> {
    pub(crate) fn engine(&mut self) -> &mut ExternalEngine {
        self.engine.as_mut().expect("the engine is present until drop")
    }
}

impl Drop for PooledEngine<'_> {
    fn drop(&mut self) {
        let Some(engine) = self.engine.take() else { return };
        let mut peak = self.pool.peak_lock();
        *peak = PeakUsage::max_known(*peak, engine.peak());
        drop(peak);
        if engine.is_ready() {
            self.pool.give_back(engine);
        }
    }
}

impl GameSeat for PooledEngine<'_> {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.engine().begin(game)
    }

    fn choose(&mut self, turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        self.engine().choose(turn)
    }

    fn observe(&mut self, mv: &ObservedMove<'_>, within: Duration) -> Result<(), PlayError> {
        self.engine().observe(mv, within)
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.engine().end(winner, is_culprit)
    }
}
