//! Programs between games: started once and kept, but never too many of them.

use crate::external::{ExternalEngine, Sandbox};
use crate::program::ProgramSpec;
use crate::protocol::{MoveRequest, NewGame, Reply};
use crate::referee::{EngineLog, GameSeat, PlayError};
use palestra_core::{InputError, Seed, Side};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The programs of an event that have a process and no game.
#[derive(Debug)]
pub struct EnginePool {
    room: Sandbox,
    /// So many are kept at most; the one that rested longest goes first.
    most: usize,
    idle: Mutex<VecDeque<ExternalEngine>>,
}

impl EnginePool {
    /// A pool that keeps so many processes at most.
    #[must_use]
    pub fn new(room: Sandbox, most: usize) -> EnginePool {
        EnginePool { room, most, idle: Mutex::new(VecDeque::new()) }
    }

    /// A program for one game, with a core of its own where one is given. It may read what belongs to it, even where
    /// that is hidden from others.
    pub fn take(&self, program: &ProgramSpec, core: Option<usize>) -> Result<PooledEngine<'_>, InputError> {
        let mut idle = self.idle();
        let found = idle.iter().position(|outside| outside.program() == program && outside.core() == core);
        let kept = found.and_then(|place| idle.remove(place));
        drop(idle);
        let outside = match kept {
            Some(outside) => outside,
            None => {
                let mut room = self.room.clone();
                if let Some(confinement) = &mut room.confinement {
                    confinement.shown.extend(program.own_files());
                }
                ExternalEngine::new(program, &room, core)?
            }
        };
        Ok(PooledEngine { pool: self, outside: Some(outside) })
    }

    fn idle(&self) -> MutexGuard<'_, VecDeque<ExternalEngine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give_back(&self, outside: ExternalEngine) {
        let mut idle = self.idle();
        idle.push_back(outside);
        let rested = if idle.len() > self.most { idle.pop_front() } else { None };
        drop(idle);
        // Nobody waits for it to leave but this thread.
        rested.map(|mut outside| outside.close());
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.idle().drain(..).for_each(|mut outside| drop(outside.close()));
    }
}

/// A program that is lent for one game.
#[derive(Debug)]
pub struct PooledEngine<'a> {
    pool: &'a EnginePool,
    outside: Option<ExternalEngine>,
}

impl PooledEngine<'_> {
    fn outside(&mut self) -> &mut ExternalEngine {
        self.outside.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for PooledEngine<'_> {
    fn drop(&mut self) {
        if let Some(outside) = self.outside.take().filter(ExternalEngine::is_ready) {
            self.pool.give_back(outside);
        }
    }
}

impl GameSeat for PooledEngine<'_> {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        self.outside().begin(game)
    }

    fn choose(&mut self, turn: &MoveRequest<'_>, dice: Seed) -> Result<(Reply, Duration), PlayError> {
        self.outside().choose(turn, dice)
    }

    fn observe(&mut self, mv: &str, by: Side, until: Instant) -> Result<(), PlayError> {
        self.outside().observe(mv, by, until)
    }

    fn end(&mut self, winner: Option<Side>, is_culprit: bool) -> EngineLog {
        self.outside().end(winner, is_culprit)
    }

    fn is_timed(&self) -> bool {
        true
    }
}
