//! The progress criteria: those that were measured when the run ended, and those that follow from its generations.

use super::RunReport;
use palestra_tune::progress::{CriterionStatus, ProgressCriterion};

/// Largest share of parasites beaten by all hosts or by none; above it, hosts and parasites no longer drive each other.
const MAX_IDLE: f64 = 0.8;

/// P1 to P9 and the negative control N, as far as they are known, in this order.
#[must_use]
pub fn criteria(report: &RunReport) -> Vec<ProgressCriterion> {
    let verification = report.outcome.as_ref().and_then(|outcome| outcome.verification.as_ref());
    let mut criteria = verification.map_or_else(Vec::new, |verification| verification.criteria.clone());
    criteria.push(engagement(&report.engagement()));
    criteria.push(replication(report));
    // The control N comes after P1 to P9.
    criteria.sort_by_key(|criterion| (!criterion.id.starts_with('P'), criterion.id.clone()));
    criteria
}

/// P7, from the counts of every generation: beaten by all hosts, by none, and all parasites.
pub(super) fn engagement(all: &[(u32, [f64; 3])]) -> ProgressCriterion {
    let question = "Do parasites tell hosts apart, instead of being beaten by all or by none?";
    let id = "P7".to_owned();
    let share = |all: &[(u32, [f64; 3])]| {
        let sum = |k: usize| all.iter().map(|(_, counts)| counts[k]).sum::<f64>();
        if sum(2) > 0.0 { (sum(0) + sum(1)) / sum(2) } else { 0.0 }
    };
    if all.iter().all(|(_, counts)| counts[2] == 0.0) {
        let found = "there are no parasites in this run".to_owned();
        return ProgressCriterion {
            id,
            question: question.to_owned(),
            grade: CriterionStatus::Skipped,
            found,
        };
    }
    let (whole, last) = (share(all), share(&all[all.len() - all.len().div_ceil(4)..]));
    let grade =
        if whole > MAX_IDLE || last > MAX_IDLE { CriterionStatus::Warning } else { CriterionStatus::Noted };
    let found = format!(
        "{:.0} % of all parasites were beaten by all or by none, {:.0} % in the last quarter of the run (more than {:.0} % is a warning)",
        100.0 * whole,
        100.0 * last,
        100.0 * MAX_IDLE
    );
    ProgressCriterion { id, question: question.to_owned(), grade, found }
}

/// P9, which one run with one seed cannot answer.
fn replication(report: &RunReport) -> ProgressCriterion {
    let found = format!(
        "this is one run, with seed {}; palestra compare-methods FILE.toml runs methods over several seeds",
        report.run.seed
    );
    let question = "Does it happen again with at least 8 of 10 seeds?".to_owned();
    ProgressCriterion { id: "P9".to_owned(), question, grade: CriterionStatus::Skipped, found }
}
