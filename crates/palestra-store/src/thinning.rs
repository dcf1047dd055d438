//! Which generations of a long run are kept.
//!
//! Curves and tables need no more than a few thousand generations. Of all generations the replies to the optimizer are
//! kept, a few bytes each, from which training is repeated without games: no candidate is lost.

/// Maximum number of generations that are kept besides the last.
const MAX_KEPT: u32 = 2048;

/// Of `n` generations, those are kept whose number is a multiple of this power of two, and the last one.
#[must_use]
pub fn generation_step(n: u32) -> u32 {
    n.div_ceil(MAX_KEPT).max(1).next_power_of_two()
}

/// Whether generation `number` of `n` is kept.
#[must_use]
pub fn keeps_generation(number: u32, n: u32) -> bool {
    number.is_multiple_of(generation_step(n)) || number + 1 == n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_runs_are_whole_and_long_ones_bounded() {
        for (n, step) in [(0, 1), (1, 1), (2048, 1), (2049, 2), (4096, 2), (4097, 4), (129_835, 64)] {
            assert_eq!(generation_step(n), step, "{n}");
        }
        for n in [1, 2048, 2049, 5000, 129_835] {
            let kept: Vec<u32> = (0..n).filter(|&number| keeps_generation(number, n)).collect();
            assert!(kept[0] == 0 && *kept.last().unwrap() == n - 1 && kept.len() <= 2049, "{n}");
        }
    }

    /// A run that grows deletes generations and never needs a deleted one again.
    #[test]
    fn what_a_longer_run_keeps_is_kept_before() {
        for n in 1..9000 {
            let lost =
                (0..n).filter(|&number| keeps_generation(number, n + 1) && !keeps_generation(number, n));
            assert_eq!(lost.count(), 0, "{n}");
        }
    }
}
