//! An order of members in which similar ones are neighbors.

/// Sample size for the quantiles of a factor.
const SAMPLE: usize = 4096;

/// Number of steps into which the values of a factor are quantized, as a power of two.
const STEP_BITS: usize = 4;

/// The numbers of the members along the Morton (Z-order) curve of their factors, which keeps similar ones together.
/// Uses ranks rather than values, so that each step holds about as many members.
pub(super) fn morton_order(n_features: usize, factors: &[f64]) -> Vec<u32> {
    let n_members = factors.len() / n_features;
    if n_members == 0 {
        return Vec::new();
    }
    let mut keys = vec![0u64; n_members];
    let n_levels = STEP_BITS.min(64 / n_features);
    for feature in 0..n_features {
        let steps = Quantiles::of(factors.iter().skip(feature).step_by(n_features), n_members);
        let spread: [u64; 1 << STEP_BITS] = std::array::from_fn(|step| {
            let bit = |level: usize| (step >> (STEP_BITS - 1 - level) & 1) as u64;
            (0..n_levels)
                .fold(0, |key, level| key | bit(level) << ((n_levels - 1 - level) * n_features + feature))
        });
        for (key, row) in keys.iter_mut().zip(factors.chunks_exact(n_features)) {
            *key |= spread[steps.step(row[feature])];
        }
    }
    sorted_by(&keys)
}

/// Quantiles of one factor.
struct Quantiles {
    bounds: Vec<f64>,
    /// Step of each rank.
    steps: Vec<usize>,
}

impl Quantiles {
    fn of<'a>(values: impl Iterator<Item = &'a f64>, n_values: usize) -> Quantiles {
        let mut sample: Vec<f64> = values.step_by(n_values.div_ceil(SAMPLE)).copied().collect();
        sample.sort_unstable_by(f64::total_cmp);
        let n_steps = 1 << STEP_BITS;
        let mut bounds: Vec<f64> = (1..n_steps).map(|i| sample[i * sample.len() / n_steps]).collect();
        bounds.dedup();
        // The smallest value of all is no bound.
        bounds.retain(|bound| *bound > sample[0]);
        // Steps are spread over all bits, so that a factor with few values differs in the highest bits too.
        let steps = (0..=bounds.len()).map(|rank| (rank << STEP_BITS) / (bounds.len() + 1)).collect();
        bounds.resize(n_steps - 1, f64::INFINITY);
        Quantiles { bounds, steps }
    }

    #[inline]
    fn step(&self, value: f64) -> usize {
        self.steps[self.bounds.iter().map(|bound| usize::from(*bound <= value)).sum::<usize>()]
    }
}

/// Member numbers sorted by key, equal keys by number: a radix sort with digits of eleven bits, lowest first.
fn sorted_by(keys: &[u64]) -> Vec<u32> {
    const DIGIT_BITS: u32 = 11;
    let digit = |number: u32, shift: u32| (keys[number as usize] >> shift) as usize % (1 << DIGIT_BITS);
    let mut numbers: Vec<u32> = (0..keys.len() as u32).collect();
    let mut sorted = numbers.clone();
    let all = keys.iter().fold(0, |all, key| all | key);
    for shift in (0..64).step_by(DIGIT_BITS as usize) {
        if all >> shift == 0 {
            break;
        }
        let mut starts = vec![0; (1 << DIGIT_BITS) + 1];
        numbers.iter().for_each(|&number| starts[digit(number, shift) + 1] += 1);
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        for &number in &numbers {
            let start: &mut usize = &mut starts[digit(number, shift)];
            sorted[*start] = number;
            *start += 1;
        }
        std::mem::swap(&mut numbers, &mut sorted);
    }
    numbers
}
