//! Every random number comes from a seed in the plan, split run → job → ply.
//!
//! No generator is shared between games or threads, and the generator is the same on every platform. So the same plan
//! gives the same bytes on any number of threads.

use rand::SeedableRng;
use std::fmt;

/// The random number generator of the whole project: xoshiro256++, the same on every platform.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A seed that can be split: `run.child(job).child(ply)`.
///
/// ```
/// use palestra_core::Seed;
/// assert_eq!(Seed(7).child(3), Seed(7).child(3));
/// assert_ne!(Seed(7).child(3), Seed(7).child(4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seed(pub u64);

impl Seed {
    /// The `n`-th child seed. Children of one seed are independent of each other and of their parent.
    #[inline]
    #[must_use]
    pub fn child(self, n: u64) -> Seed {
        Seed(mix(mix(self.0).wrapping_add(mix(n ^ 0x9e37_79b9_7f4a_7c15))))
    }

    /// A generator with this seed.
    #[inline]
    pub fn rng(self) -> Rng {
        Rng::seed_from_u64(self.0)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): a bijection that maps neighboring seeds far apart.
#[inline]
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng as _;

    /// Records store seeds: with other numbers no stored game could be replayed.
    #[test]
    fn numbers_never_change() {
        assert_eq!(Seed(0).child(0), Seed(11_968_993_974_390_494_231));
        assert_eq!(Seed(42).rng().next_u64(), 15_021_278_609_987_233_951);
    }
}
