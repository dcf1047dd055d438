//! The results of a comparison as sentences.

use super::{MethodComparison, MethodDifference};

/// Corrected p values below this are called significant.
const SIGNIFICANT: f64 = 0.05;

impl MethodComparison {
    /// One sentence for each checkpoint: which methods differ significantly.
    pub fn sentences(&self) -> Vec<String> {
        self.differences.chunk_by(|a, b| a.games == b.games).map(sentence).collect()
    }
}

fn sentence(pairs: &[MethodDifference]) -> String {
    let at = format!("at {} games", short_count(pairs[0].games));
    let mut significant: Vec<&MethodDifference> =
        pairs.iter().filter(|pair| pair.p_corrected < SIGNIFICANT).collect();
    significant.sort_by(|a, b| a.p_corrected.total_cmp(&b.p_corrected));
    let describe = |pair: &&MethodDifference| {
        let (better, worse) = if pair.superiority > 0.5 { (&pair.a, &pair.b) } else { (&pair.b, &pair.a) };
        format!("{better} is better than {worse} (p {})", p_value(pair.p_corrected))
    };
    let sentences: Vec<String> = significant.iter().map(describe).collect();
    match (sentences.len(), pairs.len() - sentences.len()) {
        (0, 1) => format!("{at}: the difference is not significant"),
        (0, n) => format!("{at}: none of the {n} differences is significant"),
        (_, 0) => format!("{at}: {}", sentences.join("; ")),
        (_, 1) => format!("{at}: {}; the other pair does not differ significantly", sentences.join("; ")),
        (_, n) => format!("{at}: {}; the other {n} pairs do not differ significantly", sentences.join("; ")),
    }
}

/// A p value as text: `= 0.012` or `< 0.001`.
fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("= {p:.3}") }
}

/// A number of games as short text: 300, 1k, 2.5M.
pub fn short_count(count: u64) -> String {
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    // At most two digits after the point: with more the text is not shorter.
    let fits = |unit: u64| count >= unit && count.is_multiple_of(unit / 100);
    match units.into_iter().find(|(unit, _)| fits(*unit)) {
        None => count.to_string(),
        Some((unit, name)) => format!("{}{name}", count as f64 / unit as f64),
    }
}
