//! The solver of games whose positions may come back: one table with the value of every position.
//!
//! A value is 0 where neither side can force a win: the game goes on for ever, or is drawn. Otherwise it is [`WON`]
//! less the plies until the game is won, if the winner hurries and the loser does not; negative for the loser.
//! A win of 1000 plies or more would count as none.

use super::retrograde::{self, MAX_NUMBERS, RetrogradeResources};
use super::{Solver, SolverProgress, Unsolved};
use palestra_core::{ExactGraph, Game};
use std::io;
use std::marker::PhantomData;

/// What a won game is worth once it is over.
pub const WON: i32 = 1000;

/// Finds the values of all positions of a game when it is first asked for one.
#[derive(Debug)]
pub struct GraphSolver<G, X> {
    graph: X,
    bytes: usize,
    n_threads: usize,
    /// By number; empty until they are known.
    values: Vec<i16>,
    game: PhantomData<fn() -> G>,
}

impl<G: Game, X: ExactGraph<G>> GraphSolver<G, X> {
    /// A solver that knows nothing yet. It needs two bytes for every number there is, or the game is too large;
    /// with more it keeps lists of moves and is quicker.
    pub fn new(graph: X, bytes: usize, n_threads: usize) -> GraphSolver<G, X> {
        GraphSolver { graph, bytes, n_threads, values: Vec::new(), game: PhantomData }
    }

    /// How many numbers there are, where their values can be kept.
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

    fn value(&mut self, game: &G, at: &G::Position, course: &SolverProgress) -> Result<i32, Unsolved> {
        if let Some(ending) = game.ending(at) {
            return Ok(match ending.winner {
                None => 0,
                Some(winner) if winner == game.to_move(at) => WON,
                Some(_) => -WON,
            });
        }
        let n_numbers = self.n_numbers(game).ok_or(Unsolved::TooLarge)?;
        // What was loaded may be of another game.
        if self.values.len() != n_numbers {
            course.set_bounds(1 - WON, WON - 1);
            let bytes = self.bytes - table_bytes(n_numbers);
            let means = RetrogradeResources { bytes, n_threads: self.n_threads };
            self.values =
                retrograde::values(&self.graph, game, n_numbers, means, course).ok_or(Unsolved::Stopped)?;
        }
        let value = i32::from(self.values[self.graph.number(game, &game.unclocked(at))]);
        course.set_fraction(1.0);
        course.set_bounds(value, value);
        Ok(value)
    }

    fn reaches(
        &mut self,
        game: &G,
        at: &G::Position,
        value: i32,
        course: &SolverProgress,
    ) -> Result<bool, Unsolved> {
        Ok(self.value(game, at, course)? >= value)
    }

    /// A ply further from the end is a step closer to zero.
    fn backed_up(&self, value: i32, again: bool) -> i32 {
        let value = if again { value } else { -value };
        value - value.signum()
    }

    fn needed(&self, value: i32, again: bool) -> i32 {
        // The smallest value of the next position that is backed up to no less, or the first that is too large there.
        let needed = if value > 0 { value + 1 } else { value - 1 };
        if again { needed } else { 1 - needed }
    }

    /// The plies until the game is won, negative where it is lost, mostly a byte each.
    fn save(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(self.values.len());
        for &value in &self.values {
            let plies = value.signum() * (WON as i16 - value.abs());
            match i8::try_from(plies) {
                Ok(plies) if plies != MORE => bytes.push(plies as u8),
                _ => {
                    bytes.push(MORE as u8);
                    bytes.extend(plies.to_le_bytes());
                }
            }
        }
        out.write_all(&bytes)
    }

    /// Takes a whole table, of the same game, in the place of what was known.
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
            let what = format!("byte {} is no number of plies", bytes.len() - rest.len());
            return Err(io::Error::new(io::ErrorKind::InvalidData, what));
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

/// Says that two bytes follow, because one does not hold the plies.
const MORE: i8 = i8::MIN;

fn read_plies(bytes: &[u8]) -> Option<(i16, &[u8])> {
    match *bytes {
        [first, low, high, ref rest @ ..] if first as i8 == MORE => {
            Some((i16::from_le_bytes([low, high]), rest))
        }
        [first, ref rest @ ..] if first as i8 != MORE => Some((i16::from(first as i8), rest)),
        _ => None,
    }
}
