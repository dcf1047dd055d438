//! A built-in player in a refereed game.

use crate::protocol::{MoveRequest, NewGame, Reply};
use crate::referee::{EngineLog, GameSeat, PlayError};
use palestra_arena::TextPlayer;
use palestra_core::{Seed, Side};
use std::time::{Duration, Instant};

/// A built-in player in a refereed game. It limits itself, so its time is measured and not enforced.
pub struct BuiltinEngine(Box<dyn TextPlayer>);

impl BuiltinEngine {
    /// An engine that plays the moves of a player.
    #[must_use]
    pub fn new(player: Box<dyn TextPlayer>) -> BuiltinEngine {
        BuiltinEngine(player)
    }
}

impl GameSeat for BuiltinEngine {
    fn begin(&mut self, game: &NewGame<'_>) -> Result<(), PlayError> {
        let moves: Vec<&str> = game.opening.iter().map(|(mv, _)| *mv).collect();
        let list = if moves.is_empty() { "-".to_owned() } else { moves.join(" ") };
        Ok(self.0.begin(None, &list)?)
    }

    fn choose(&mut self, _turn: &MoveRequest<'_>, seed: Seed) -> Result<(Reply, Duration), PlayError> {
        let began = Instant::now();
        let answer = self.0.choose(seed);
        let used = began.elapsed();
        let answer = answer
            .ok_or_else(|| PlayError::Internal("a move was requested in a game that is over".into()))?;
        let reply = Reply { mv: answer.mv, value: answer.value, depth: None, nodes: Some(answer.nodes) };
        Ok((reply, used))
    }

    fn observe(&mut self, mv: &str, _by: Side, _until: Instant) -> Result<(), PlayError> {
        Ok(self.0.observe(mv)?)
    }

    fn end(&mut self, _winner: Option<Side>, _is_culprit: bool) -> EngineLog {
        EngineLog::default()
    }

    fn is_timed(&self) -> bool {
        false
    }
}
