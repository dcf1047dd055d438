//! Every way to sow a hole, worked out beforehand: two additions instead of a walk around the board.

/// Holes on each side.
pub(super) const N_HOLES: usize = 6;
/// Where a side's store stands in its row.
pub(super) const STORE: usize = N_HOLES;
/// All seeds there are.
pub(super) const N_SEEDS: usize = 36;
/// Cups of the ring: both sides' holes and both stores (rule 1).
const N_CUPS: usize = 2 * (N_HOLES + 1);

/// Seeds of the facing hole that no board has: for sowings that end where nothing can be won.
const NEVER: u8 = u8::MAX;

/// What sowing so many seeds from a hole does.
#[derive(Clone, Copy)]
pub(super) struct SowingEffect {
    /// Added to the own row, one byte a cup. The hole itself has been emptied before.
    pub(super) own: u64,
    /// Added to the other row.
    pub(super) other: u64,
    /// The last seed's hole and the one it faces, as shifts into the own and the other row.
    pub(super) pair: [u8; 2],
    /// A capture takes so many seeds in the own hole of the pair, counted after the sowing: the last seed alone
    /// (rule 3), or none (rule 4, the last seed lies across).
    pub(super) required_own: u8,
    /// And at least so many in the other one (rules 3 and 4).
    pub(super) min_facing: u8,
    /// Seeds that end up on the other side. For no seeds at all, more than a board has: not a move.
    pub(super) crossed: u8,
    /// Whether the last seed falls into the own store (rule 2).
    pub(super) ends_in_store: bool,
}

/// By hole and seeds in it.
pub(super) static SOWING_EFFECTS: [[SowingEffect; N_SEEDS + 1]; N_HOLES] = all();

const fn all() -> [[SowingEffect; N_SEEDS + 1]; N_HOLES] {
    let mut table = [[sown(0, 0); N_SEEDS + 1]; N_HOLES];
    let mut hole = 0;
    while hole < N_HOLES {
        let mut seeds = 0;
        while seeds <= N_SEEDS {
            table[hole][seeds] = sown(hole, seeds);
            seeds += 1;
        }
        hole += 1;
    }
    table
}

const fn sown(hole: usize, seeds: usize) -> SowingEffect {
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
    let (own, want, least) = if seeds == 0 || last == STORE || last == N_CUPS - 1 {
        (0, 0, NEVER)
    } else if last < STORE {
        (last, 1, 1)
    } else {
        // The hole across must have held more than five before the last seed (rule 4).
        (2 * N_HOLES - last, 0, 7)
    };
    SowingEffect {
        own: rows[0],
        other: rows[1],
        pair: [8 * own as u8, 8 * (N_HOLES - 1 - own) as u8],
        required_own: want,
        min_facing: least,
        crossed: if seeds == 0 { NEVER } else { crossed },
        ends_in_store: seeds > 0 && last == STORE,
    }
}

/// Both rows after a hole of `own` has been sown, before anything is captured, and how it was done.
#[inline(always)]
pub(super) fn sow(own: u64, other: u64, hole: usize) -> (u64, u64, &'static SowingEffect) {
    let seeds = own >> (8 * hole) & 0xff;
    let sown = &SOWING_EFFECTS[hole][seeds as usize];
    ((own & !(0xff << (8 * hole))) + sown.own, other + sown.other, sown)
}

impl SowingEffect {
    /// Seeds that the rows after this sowing bring over from the other side (rules 3 and 4), 0 for none.
    #[inline(always)]
    pub(super) fn captured(&self, own: u64, other: u64) -> u64 {
        let [near, far] = self.pair;
        let (here, there) = (own >> near & 0xff, other >> far & 0xff);
        if here == u64::from(self.required_own) && there >= u64::from(self.min_facing) { there } else { 0 }
    }
}
