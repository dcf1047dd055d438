//! The rules of a two-player game, as a value.
//!
//! Board sizes are fields of the game, so one type serves every size it can hold. Moves are written into the caller's
//! buffer. What only a referee counts (turns played, idle turns) is a clock in the position; `unclocked` stops it,
//! and searches look ahead from there.

use crate::{Rng, Seed};
use rand::distr::uniform::SampleRange;
use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::hash::{BuildHasher, Hash};

/// One of the two players. `First` is the one who moves first from the start.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// The side that opens the game.
    First,
    /// The side that answers.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The other one.
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
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// By how much, in the game's own unit; 0 where a game counts none.
    pub margin: u32,
    /// Why it ended, in one or two words: `line`, `full board`.
    pub reason: &'static str,
}

impl Ending {
    /// The ending for `view` where a won game is worth `win`.
    #[inline]
    pub fn value(&self, win: f64, view: Side) -> f64 {
        match self.winner {
            None => 0.0,
            Some(side) if side == view => win,
            Some(_) => -win,
        }
    }
}

/// A way to turn or mirror the board, by its number in the game's list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(pub u8);

impl Symmetry {
    /// Leaves everything as it is.
    pub const NONE: Symmetry = Symmetry(0);
}

/// The rules, as a value: board sizes and levels are fields, lookup tables are built once.
pub trait Game: Clone + Send + Sync + 'static {
    /// A state of the game; small and flat, copied rather than undone.
    type Position: Clone + Eq + Hash + Debug + Send + Sync;
    /// A complete turn.
    type Move: Copy + Eq + Debug + Display + Send + Sync;

    /// The position a game opens with.
    fn start(&self) -> Self::Position;

    /// Whose turn it is. A side may move twice in a row. In an ended position, whose turn it would be: some
    /// evaluations look at a finished board with the eyes of the side that is next.
    fn to_move(&self, at: &Self::Position) -> Side;

    /// Appends the legal moves in the game's documented order; none exactly when the game has ended.
    fn moves(&self, at: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays `mv`, which the caller took from [`Game::moves`] of this very position.
    fn play(&self, at: &mut Self::Position, mv: Self::Move);

    /// How the game ended, or `None` while it goes on.
    fn ending(&self, at: &Self::Position) -> Option<Ending>;

    /// How broad the board is: what the studies call n when they count. The number of moves at the start, where
    /// a game has nothing better to say.
    fn branching_factor(&self) -> usize {
        let mut moves = Vec::new();
        self.moves(&self.start(), &mut moves);
        moves.len()
    }

    /// A small number that alike moves of different positions share, below 4096: what a search learns of one
    /// move it then expects of the other.
    fn history_index(&self, _mv: Self::Move) -> usize {
        0
    }

    /// How promising a move looks at a glance, from -1000 to 1000: searches try the larger first.
    fn order_hint(&self, _at: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The same position with its clocks stopped: nothing that only a referee counts (turns played, idle
    /// turns) will end what follows. Searches look ahead from here, and a setup string says no more than this.
    /// What features see is the same on both.
    fn unclocked<'a>(&self, at: &'a Self::Position) -> Cow<'a, Self::Position> {
        Cow::Borrowed(at)
    }

    /// A number that differs, almost always, between positions that differ. Override when cheaper.
    fn key(&self, at: &Self::Position) -> u64 {
        KeyHasher.hash_one(at)
    }

    /// How many symmetries the board has beside leaving it as it is: [`Symmetry`] 1 up to this number. They turn
    /// legal moves into legal moves and leave turns and endings as they are.
    fn n_symmetries(&self) -> u8 {
        0
    }

    /// The same for a position and all its images: the smallest of their keys, say; and the symmetry that leads to
    /// the image it was made from. Searches use it with evaluations that see no difference either
    /// ([`crate::Evaluator::is_symmetric`]). Where there are symmetries, the moves of a position differ in
    /// [`Game::history_index`].
    fn symmetric_key(&self, at: &Self::Position) -> (u64, Symmetry) {
        (self.key(at), Symmetry::NONE)
    }

    /// What `mv` is in the image of its position.
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
        // The same draw as from a range of `usize`, which becomes one of `u32` behind a call; an empty range has
        // nothing to draw.
        let place = (0..scratch.len() as u32).sample_single(rng).ok()?;
        Some(scratch[place as usize])
    }
}

/// A fixed hash, the same in every run and build: keys end up in records.
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
