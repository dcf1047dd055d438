//! The solver of games whose positions can recur: one table with the value of every position.
//!
//! A value is 0 where neither side can force a win: the game goes on for ever, or is drawn. Otherwise it is [`WON`]
//! minus the number of plies until the win, if the winner takes the shortest way and the loser the longest; negative
//! for the loser. A win that takes [`WON`] plies or more counts as 0.

use super::retrograde::{self, MAX_NUMBERS, RetrogradeResources};
use super::{Solver, Unsolved};
use palestra_core::{ExactGraph, Game, Progress};
use std::io;
use std::marker::PhantomData;

/// Value of a won game.
pub const WON: i32 = 1000;

/// Computes the values of all positions of a game on the first call.
#[derive(Debug)]
pub struct GraphSolver<G, X> {
    graph: X,
    bytes: usize,
    n_threads: usize,
    /// Values by position number; empty until they are computed.
    values: Vec<i16>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, X: ExactGraph<G>> GraphSolver<G, X> {
    /// A solver with an empty table. It needs two bytes per position number, or the game is too large; with more memory
    /// it keeps lists of moves and is faster.
    pub fn new(graph: X, bytes: usize, n_threads: usize) -> GraphSolver<G, X> {
        GraphSolver { graph, bytes, n_threads, values: Vec::new(), game: PhantomData }
    }

    /// Number of position numbers, if their values fit the memory.
    fn n_numbers(&self, game: &G) -> Option<usize> {
        let n_numbers = self.graph.n_numbers(game)?;
        (n_numbers <= MAX_NUMBERS && table_bytes(n_numbers) <= self.bytes).then_some(n_numbers)
    }
}

impl<G: Game, X: ExactGraph<G>> Solver<G> for GraphSolver<G, X> {
    fn in_reach(&self, game: &G, _at: &G::Position) -> bool {
        self.n_numbers(game).is_some()
    }

    fn solves_all_positions(&self) -> bool {
        true
    }

    fn value(&mut self, game: &G, at: &G::Position, progress: &Progress) -> Result<i32, Unsolved> {
        if let Some(ending) = game.ending(at) {
            return Ok(match ending.winner {
                None => 0,
                Some(winner) if winner == game.to_move(at) => WON,
                Some(_) => -WON,
            });
        }
        let n_numbers = self.n_numbers(game).ok_or(Unsolved::TooLarge)?;
        // A loaded table may be that of another game.
        if self.values.len() != n_numbers {
            progress.set_bounds(1 - WON, WON - 1);
            let bytes = self.bytes - table_bytes(n_numbers);
            let resources = RetrogradeResources { bytes, n_threads: self.n_threads };
            self.values = retrograde::values(&self.graph, game, n_numbers, resources, progress)
                .ok_or(Unsolved::Stopped)?;
        }
        let value = i32::from(self.values[self.graph.number(game, &game.unclocked(at))]);
        progress.set_fraction(1.0);
        progress.set_bounds(value, value);
        Ok(value)
    }

    fn reaches(
        &mut self,
        game: &G,
        at: &G::Position,
        value: i32,
        progress: &Progress,
    ) -> Result<bool, Unsolved> {
        Ok(self.value(game, at, progress)? >= value)
    }

    /// Each ply further from the end brings the value one closer to 0.
    fn backed_up(&self, value: i32, again: bool) -> i32 {
        let value = if again { value } else { -value };
        value - value.signum()
    }

    fn needed(&self, value: i32, again: bool) -> i32 {
        // With `again`, the smallest value of the next position that backs up to at least `value`; else the smallest
        // that does not.
        let needed = if value > 0 { value + 1 } else { value - 1 };
        if again { needed } else { 1 - needed }
    }

    /// Writes the plies until the win, negative for a loss; most take one byte.
    fn save(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.values.len());
        for &value in &self.values {
            let plies = value.signum() * (WON as i16 - value.abs());
            match i8::try_from(plies) {
                Ok(plies) if plies != ESCAPE => bytes.push(plies as u8),
                _ => {
                    bytes.push(ESCAPE as u8);
                    bytes.extend(plies.to_le_bytes());
                }
            }
        }
        out.write_all(&bytes)
    }

    /// Replaces the table by a saved one of the same game.
    fn load(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes)?;
        let mut values = Vec::with_capacity(bytes.len());
        let mut rest = &bytes[..];
        while let Some((plies, after)) = read_plies(rest) {
            if plies.unsigned_abs() >= WON as u16 {
                break;
            }
            values.push(plies.signum() * (WON as i16 - plies.abs()));
            rest = after;
        }
        if !rest.is_empty() {
            let message = format!("byte {} is not a valid number of plies", bytes.len() - rest.len());
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        if !values.is_empty() {
            self.values = values;
        }
        Ok(())
    }
}

fn table_bytes(n_numbers: usize) -> usize {
    n_numbers * size_of::<i16>()
}

/// Escape byte before a number of plies that takes two bytes.
const ESCAPE: i8 = i8::MIN;

fn read_plies(bytes: &[u8]) -> Option<(i16, &[u8])> {
    match *bytes {
        [first, low, high, ref rest @ ..] if first as i8 == ESCAPE => {
            Some((i16::from_le_bytes([low, high]), rest))
        }
        [first, ref rest @ ..] if first as i8 != ESCAPE => Some((i16::from(first as i8), rest)),
        _ => None,
    }
}
