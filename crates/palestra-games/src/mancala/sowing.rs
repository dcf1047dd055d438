//! A table of all sowings: a sowing is two additions instead of a loop around the board.

/// Number of holes on each side.
pub(super) const N_HOLES: usize = 6;
/// Index of a side's store in its row.
pub(super) const STORE: usize = N_HOLES;
/// Number of seeds.
pub(super) const N_SEEDS: usize = 36;
/// Number of cups of the ring: both sides' holes and both stores (rule 1).
const N_CUPS: usize = 2 * (N_HOLES + 1);

/// More seeds than a board has: the condition for a capture of sowings that cannot capture.
const NEVER: u8 = u8::MAX;

/// The effect of sowing a number of seeds from a hole.
#[derive(Clone, Copy)]
pub(super) struct SowingEffect {
    /// Seeds added to the own row, one byte per cup. The hole itself is emptied before.
    pub(super) own: u64,
    /// Seeds added to the other row.
    pub(super) other: u64,
    /// The last seed's hole and the one it faces, as shifts into the own and the other row.
    pub(super) pair: [u8; 2],
    /// Seeds that a capture requires in the own hole of the pair after the sowing: one, the last seed (rule 3), or none
    /// (rule 4, the last seed is in the other hole).
    pub(super) required_own: u8,
    /// Minimum number of seeds that a capture requires in the other hole (rules 3 and 4).
    pub(super) min_facing: u8,
    /// Seeds sown into the other row; [`NEVER`] for an empty hole, which is not a move.
    pub(super) crossed: u8,
    /// Whether the last seed falls into the own store (rule 2).
    pub(super) ends_in_store: bool,
}

/// By hole and number of seeds in it.
pub(super) static SOWING_EFFECTS: [[SowingEffect; N_SEEDS + 1]; N_HOLES] = all_effects();

const fn all_effects() -> [[SowingEffect; N_SEEDS + 1]; N_HOLES] {
    let mut table = [[effect(0, 0); N_SEEDS + 1]; N_HOLES];
    let mut hole = 0;
    while hole < N_HOLES {
        let mut seeds = 0;
        while seeds <= N_SEEDS {
            table[hole][seeds] = effect(hole, seeds);
            seeds += 1;
        }
        hole += 1;
    }
    table
}

const fn effect(hole: usize, seeds: usize) -> SowingEffect {
    let mut rows = [0u64; 2];
    let mut crossed = 0;
    let mut i = 1;
    while i <= seeds {
        let cup = (hole + i) % N_CUPS;
        let side = cup / (N_HOLES + 1);
        rows[side] += 1 << (8 * (cup % (N_HOLES + 1)));
        crossed += side as u8;
        i += 1;
    }
    let last = (hole + seeds) % N_CUPS;
    let (own, required_own, min_facing) = if seeds == 0 || last == STORE || last == N_CUPS - 1 {
        (0, 0, NEVER)
    } else if last < STORE {
        (last, 1, 1)
    } else {
        // The last seed's hole must have held more than five before it (rule 4).
        (2 * N_HOLES - last, 0, 7)
    };
    SowingEffect {
        own: rows[0],
        other: rows[1],
        pair: [8 * own as u8, 8 * (N_HOLES - 1 - own) as u8],
        required_own,
        min_facing,
        crossed: if seeds == 0 { NEVER } else { crossed },
        ends_in_store: seeds > 0 && last == STORE,
    }
}

/// Both rows after a hole of `own` is sown, before any capture, and the table entry of the sowing.
#[inline(always)]
pub(super) fn sow(own: u64, other: u64, hole: usize) -> (u64, u64, &'static SowingEffect) {
    let seeds = own >> (8 * hole) & 0xff;
    let effect = &SOWING_EFFECTS[hole][seeds as usize];
    ((own & !(0xff << (8 * hole))) + effect.own, other + effect.other, effect)
}

impl SowingEffect {
    /// Number of captured seeds, given the rows after this sowing (rules 3 and 4).
    #[inline(always)]
    pub(super) fn captured(&self, own: u64, other: u64) -> u64 {
        let [near, far] = self.pair;
        let (here, there) = (own >> near & 0xff, other >> far & 0xff);
        if here == u64::from(self.required_own) && there >= u64::from(self.min_facing) { there } else { 0 }
    }
}
