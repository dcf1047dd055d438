//! The size of probes: large enough that the two of a pair differ, small enough that their difference follows the
//! slope.

/// The sizes that are tried, smallest first.
pub(super) const LADDER: [f64; 6] = [0.01, 0.0256, 0.064, 0.16, 0.4, 1.0];

/// Smallest number of pairs for each size: the result of two games is mostly noise.
const MIN_TRIES: usize = 8;

/// The sizes of all probes of a calibration with `pairs` pairs in a generation.
pub(super) fn ladder(pairs: usize) -> Vec<f64> {
    LADDER.iter().flat_map(|size| vec![*size; pairs.max(MIN_TRIES)]).collect()
}

/// The smallest size at which pairs differ by `target` times their largest difference; `None` where the size has no
/// effect. `seen` has pairs of size and difference.
///
/// Differences are measured as mean squares, less those of the smallest size, which are noise. Up to the largest one
/// they are made to rise with the size; sizes beyond it are ignored, because probes that are too long end in weights
/// that are equally bad.
pub(super) fn probe_of(seen: &[(f64, f64)], target: f64) -> Option<f64> {
    let mut rungs: Vec<(f64, f64)> = Vec::new();
    for size in LADDER {
        let finite = |(c, difference): &&(f64, f64)| *c == size && difference.is_finite();
        let squares: Vec<f64> =
            seen.iter().filter(finite).map(|(_, difference)| difference * difference).collect();
        if !squares.is_empty() {
            rungs.push((size, squares.iter().sum::<f64>() / squares.len() as f64));
        }
    }
    let top = (0..rungs.len()).reduce(|top, i| if rungs[i].1 > rungs[top].1 { i } else { top })?;
    rungs.truncate(top + 1);
    make_monotonic(&mut rungs);
    let (noise, peak) = (rungs[0].1, rungs[top].1);
    if peak <= noise {
        return None;
    }
    let goal = noise + target * target * (peak - noise);
    // The first rung is below the goal, the last one is not.
    let over = rungs.iter().position(|rung| rung.1 >= goal)?.max(1);
    let ((size_before, square_before), (size, square)) = (rungs[over - 1], rungs[over]);
    // Geometric interpolation between two rungs.
    let share = (goal - square_before) / (square - square_before);
    Some(size_before * (size / size_before).powf(share))
}

/// Replaces the values by the nearest nondecreasing ones: neighbors that fall become their mean (pool adjacent
/// violators).
fn make_monotonic(rungs: &mut [(f64, f64)]) {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for rung in rungs.iter() {
        let mut pool = (rung.1, 1);
        while let Some((sum, n)) = pools.pop_if(|(sum, n)| *sum / *n as f64 > pool.0 / pool.1 as f64) {
            pool = (pool.0 + sum, pool.1 + n);
        }
        pools.push(pool);
    }
    let values = pools.iter().flat_map(|(sum, n)| vec![sum / *n as f64; *n]);
    rungs.iter_mut().zip(values).for_each(|(rung, value)| rung.1 = value);
}
