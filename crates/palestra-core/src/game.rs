//! The rules of a two-player game, as a value.
//!
//! Board sizes are fields of the game, so one type serves every size it can hold. Moves are written into the caller's
//! buffer. What only a referee counts (turns played, idle turns) is a clock in the position; `unclocked` stops it,
//! and searches start from there.

use crate::{Rng, Seed};
use rand::distr::uniform::SampleRange;
use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::hash::{BuildHasher, Hash};

/// One of the two sides of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side to move in the start position.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opposite side.
    #[inline]
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
}

impl Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::First => "first",
            Side::Second => "second",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The side that won; `None` is a draw.
    pub winner: Option<Side>,
    /// Margin of the win in the game's own unit; 0 for games without margins.
    pub margin: u32,
    /// Why the game ended, in one or two words: `line`, `full board`.
    pub reason: &'static str,
}

impl Ending {
    /// `win` if `view` won, `-win` if it lost, 0 for a draw.
    #[inline]
    pub fn value(&self, win: f64, view: Side) -> f64 {
        match self.winner {
            None => 0.0,
            Some(side) if side == view => win,
            Some(_) => -win,
        }
    }
}

/// A rotation or reflection of the board, by its number in the game's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// The identity.
    pub const NONE: Symmetry = Symmetry(0);
}

/// The rules, as a value: board sizes and levels are fields, lookup tables are built once.
pub trait Game: Clone + Send + Sync + 'static {
    /// A state of the game; small and flat, because searches copy it and never undo a move.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A complete turn.
    type Move: Copy + Eq + Debug + Display + Send + Sync;

    /// The start position.
    fn start(&self) -> Self::Position;

    /// The side to move. A side may move twice in a row. In an ended position, the side that would move: some
    /// evaluations value the final position from its perspective.
    fn to_move(&self, at: &Self::Position) -> Side;

    /// Appends the legal moves in the game's documented order; none exactly when the game has ended.
    fn moves(&self, at: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays `mv`, which must be one of [`Game::moves`] of this position.
    fn play(&self, at: &mut Self::Position, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn ending(&self, at: &Self::Position) -> Option<Ending>;

    /// The n of the studies' cost formulas, a measure of the board's breadth. By default the number of moves in the
    /// start position.
    fn branching_factor(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&self.start(), &mut moves);
        moves.len()
    }

    /// An index below 4096 that similar moves of different positions share: searches keep their history heuristic by
    /// it.
    fn history_index(&self, _mv: Self::Move) -> usize {
        0
    }

    /// A cheap estimate of a move, from -1000 to 1000: searches try moves with larger values first.
    fn order_hint(&self, _at: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The same position with its clocks stopped: nothing that only a referee counts (turns played, idle turns) ends
    /// the game from here. Searches start from it, and a setup string contains no more. Features must be the same for
    /// both.
    fn unclocked<'a>(&self, at: &'a Self::Position) -> Cow<'a, Self::Position> {
        Cow::Borrowed(at)
    }

    /// A 64-bit hash of the position. Override it where a cheaper one exists.
    fn key(&self, at: &Self::Position) -> u64 {
        KeyHasher.hash_one(at)
    }

    /// Number of symmetries of the board besides the identity: [`Symmetry`] 1 up to this number. They map legal moves
    /// to legal moves, and preserve the start position, the side to move and endings.
    fn n_symmetries(&self) -> u8 {
        0
    }

    /// A key that a position shares with all its images, such as the smallest of their keys, and the symmetry that maps
    /// the position to the image with that key. Searches use it with evaluations that are symmetric as well
    /// ([`crate::Evaluator::is_symmetric`]). In a game with symmetries, no two moves of a position may share a
    /// [`Game::history_index`].
    fn symmetric_key(&self, at: &Self::Position) -> (u64, Symmetry) {
        (self.key(at), Symmetry::NONE)
    }

    /// The image of `mv` under a symmetry of its position.
    fn mirror_move(&self, mv: Self::Move, _symmetry: Symmetry) -> Self::Move {
        mv
    }

    /// A legal move, every one equally likely; `None` when the game has ended.
    /// `scratch` is the caller's buffer; its contents afterwards are unspecified.
    fn random_move(
        &self,
        at: &Self::Position,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        scratch.clear();
        self.moves(at, scratch);
        // A range of `usize` gives the same number, but rand converts it to `u32` behind a function call. Sampling an
        // empty range is an error, hence `None`.
        let index = (0..scratch.len() as u32).sample_single(rng).ok()?;
        Some(scratch[index as usize])
    }
}

/// A fixed hash, the same in every run and build, because records store keys.
struct KeyHasher;

impl BuildHasher for KeyHasher {
    type Hasher = Mixer;
    fn build_hasher(&self) -> Mixer {
        Mixer(0)
    }
}

struct Mixer(u64);

impl std::hash::Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0u8; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u64(&mut self, word: u64) {
        self.0 = Seed(self.0).child(word).0;
    }
    fn write_u8(&mut self, byte: u8) {
        self.write_u64(u64::from(byte));
    }
    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }
}
