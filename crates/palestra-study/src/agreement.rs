//! Whether obtained and published values agree: the marks of cells, rows and tables, and the tests behind them.

use crate::assess::{CellAssessment, RowAssessment};
use palestra_stats::holm;
use std::fmt;

/// Significance level, after Holm's correction for all tests of a table.
const ALPHA: f64 = 0.05;

/// The test of a cell whose difference may be chance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CellTest {
    /// Name of the test.
    pub name: &'static str,
    /// The p-value of this cell alone.
    pub p: f64,
    /// The p-value after Holm's correction for all tests of the table.
    pub corrected: f64,
    /// Number of tests of the table.
    pub n_tests: usize,
}

/// Whether the obtained and the published value of a cell agree; of a row, the worst of its cells.
#[derive(Clone, PartialEq, Debug)]
pub enum Agreement {
    /// Equal to the published value.
    Exact,
    /// A difference that chance explains.
    Noise(CellTest),
    /// A difference that chance does not explain, or a difference in a value without chance.
    Different {
        /// The reason, if the study gives one.
        because: Option<String>,
        /// The test, for a value with chance.
        test: Option<CellTest>,
    },
    /// There is no published value.
    Measured,
    /// The command has not been run, or does not run at this scale.
    NotRun,
    /// The output does not have the value, or it cannot be compared; with the reason.
    Missing(String),
}

/// Number of rows by agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AgreementCounts {
    /// Rows equal to the published values.
    pub exact: usize,
    /// Rows within noise.
    pub noise: usize,
    /// Rows that differ, with a reason.
    pub explained: usize,
    /// Rows that differ, without a reason.
    pub unexplained: usize,
    /// Rows without a published value.
    pub measured: usize,
    /// Rows whose commands were not run.
    pub not_run: usize,
    /// Rows whose values are missing in the output.
    pub missing: usize,
}

impl AgreementCounts {
    pub(crate) fn add(&mut self, agreement: &Agreement) {
        *match agreement {
            Agreement::Exact => &mut self.exact,
            Agreement::Noise(_) => &mut self.noise,
            Agreement::Different { because: Some(_), .. } => &mut self.explained,
            Agreement::Different { because: None, .. } => &mut self.unexplained,
            Agreement::Measured => &mut self.measured,
            Agreement::NotRun => &mut self.not_run,
            Agreement::Missing(_) => &mut self.missing,
        } += 1;
    }

    /// The sum of two counts.
    #[must_use]
    pub fn with(self, other: AgreementCounts) -> AgreementCounts {
        AgreementCounts {
            exact: self.exact + other.exact,
            noise: self.noise + other.noise,
            explained: self.explained + other.explained,
            unexplained: self.unexplained + other.unexplained,
            measured: self.measured + other.measured,
            not_run: self.not_run + other.not_run,
            missing: self.missing + other.missing,
        }
    }
}

impl Agreement {
    /// Severity: a worse agreement has a higher number.
    fn rank(&self) -> u8 {
        match self {
            Agreement::Measured => 0,
            Agreement::NotRun => 1,
            Agreement::Exact => 2,
            Agreement::Noise(_) => 3,
            Agreement::Different { because: Some(_), .. } => 4,
            Agreement::Different { because: None, .. } => 5,
            Agreement::Missing(_) => 6,
        }
    }

    /// The name of the agreement.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Agreement::Exact => "exact",
            Agreement::Noise(_) => "within noise",
            Agreement::Different { .. } => "different",
            Agreement::Measured => "measured",
            Agreement::NotRun => "not run",
            Agreement::Missing(_) => "missing",
        }
    }

    /// The explanation next to the name: the test, the reason.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Agreement::Noise(test) => Some(test.to_string()),
            Agreement::Different { because, test } => {
                let because = because.clone().unwrap_or_else(|| "reason unknown".to_owned());
                Some(test.map_or(because.clone(), |test| format!("{because} ({test})")))
            }
            Agreement::Missing(what) => Some(what.clone()),
            _ => None,
        }
    }

    /// The test of the cell, if it has one.
    #[must_use]
    pub fn test(&self) -> Option<CellTest> {
        match self {
            Agreement::Noise(test) => Some(*test),
            Agreement::Different { test, .. } => *test,
            _ => None,
        }
    }

    /// Whether this is worse than another: of another kind, or of the same with a smaller p-value.
    pub(crate) fn is_worse_than(&self, other: &Agreement) -> bool {
        let p = |agreement: &Agreement| agreement.test().map_or(0.0, |test| test.p);
        self.rank() > other.rank() || (self.rank() == other.rank() && p(self) < p(other))
    }
}

/// The name of the test and its p-value, corrected and alone.
impl fmt::Display for CellTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CellTest { name, p, corrected, n_tests } = *self;
        match n_tests {
            0 | 1 => write!(f, "{name}, {}", p_value(p)),
            _ => {
                let (corrected, alone) = (p_value(corrected), p_value(p));
                write!(f, "{name}, {corrected} after Holm's correction for {n_tests} cells, {alone} alone")
            }
        }
    }
}

/// A p-value as text.
#[must_use]
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// Whether a table as a whole agrees with what was published.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TableVerdict {
    /// The name of the worst agreement of its compared rows: `exact`, `within noise`, `different` or `missing`.
    pub word: &'static str,
    /// Number of cells that are compared without a test.
    pub n_fixed: usize,
    /// Number of these that are equal.
    pub n_equal: usize,
    /// Number of cells with a test.
    pub n_noisy: usize,
    /// The test with the smallest p-value.
    pub smallest: Option<CellTest>,
}

impl TableVerdict {
    /// The verdict of these rows; `None` where nothing is compared.
    pub(crate) fn of(rows: &[RowAssessment]) -> Option<TableVerdict> {
        let is_compared = |agreement: &&Agreement| agreement.rank() >= Agreement::Exact.rank();
        let cells = || rows.iter().flat_map(|row| &row.cells);
        let worst = cells().map(|cell| &cell.agreement).filter(is_compared);
        let word =
            worst.reduce(|worst, other| if other.is_worse_than(worst) { other } else { worst })?.word();
        let tests = cells().filter_map(|cell| cell.test);
        let smallest = tests.clone().min_by(|a, b| a.p.total_cmp(&b.p));
        let fixed = cells().filter(|cell| {
            cell.test.is_none() && matches!(cell.agreement, Agreement::Exact | Agreement::Different { .. })
        });
        let n_equal = fixed.clone().filter(|cell| cell.agreement == Agreement::Exact).count();
        Some(TableVerdict { word, n_fixed: fixed.count(), n_equal, n_noisy: tests.count(), smallest })
    }
}

/// The verdict in a sentence.
impl fmt::Display for TableVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableVerdict { word, n_fixed, n_equal, n_noisy, smallest } = self;
        write!(f, "The table as a whole: {word}.")?;
        if *n_fixed > 0 {
            write!(f, " {n_equal} of {n_fixed} cells without chance are equal.")?;
        }
        match smallest {
            None => Ok(()),
            Some(CellTest { p, n_tests: 1, .. }) => write!(f, " One cell with chance, {}.", p_value(*p)),
            Some(CellTest { p, corrected, .. }) => write!(
                f,
                " {n_noisy} cells with chance, the smallest {} after Holm's correction for all of them, {} alone.",
                p_value(*corrected),
                p_value(*p)
            ),
        }
    }
}

/// Decides for all cells of a table with a test together whether chance explains their differences, by Holm's
/// correction.
pub(crate) fn correct(mut cells: Vec<&mut CellAssessment>) {
    cells.retain(|cell| cell.test.is_some());
    let p: Vec<f64> = cells.iter().filter_map(|cell| Some(cell.test?.p)).collect();
    let n_tests = p.len();
    for (cell, corrected) in cells.into_iter().zip(holm(&p)) {
        let Some(test) = cell.test.as_mut() else { continue };
        (test.corrected, test.n_tests) = (corrected, n_tests);
        let test = *test;
        let is_same = cell.published.as_deref() == cell.obtained.as_deref();
        let agreement = std::mem::replace(&mut cell.agreement, Agreement::Exact);
        cell.agreement = match agreement {
            _ if corrected >= ALPHA && is_same => Agreement::Exact,
            _ if corrected >= ALPHA => Agreement::Noise(test),
            Agreement::Different { because, .. } => Agreement::Different { because, test: Some(test) },
            other => other,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table whose rows have two cells, with the p-values of each.
    fn rows(p_values: &[[f64; 2]]) -> Vec<RowAssessment> {
        let cell = |p: f64| {
            let test = Some(CellTest { name: "normal test", p, corrected: p, n_tests: 1 });
            let agreement = Agreement::Different { because: Some("chosen".to_owned()), test };
            CellAssessment { published: Some("1".into()), obtained: Some("2".into()), agreement, test }
        };
        let row = |p: &[f64; 2]| RowAssessment { name: "a row".to_owned(), cells: p.map(cell).to_vec() };
        let mut rows: Vec<RowAssessment> = p_values.iter().map(row).collect();
        correct(rows.iter_mut().flat_map(|row| &mut row.cells).collect());
        rows
    }

    #[test]
    fn a_row_shows_its_smallest_p_value() {
        let mut p = vec![[0.5, 1.0]; 19];
        p.push([0.04, 1.0]);
        let table = rows(&p);
        let reason = |row: &RowAssessment| row.mark().reason().unwrap();
        assert_eq!(
            reason(&table[19]),
            "normal test, p = 1.000 after Holm's correction for 40 cells, p = 0.040 alone"
        );
        assert_eq!(
            reason(&table[0]),
            "normal test, p = 1.000 after Holm's correction for 40 cells, p = 0.500 alone"
        );
        let verdict = TableVerdict::of(&table).unwrap();
        assert_eq!(
            verdict.to_string(),
            "The table as a whole: within noise. 40 cells with chance, the smallest p = 1.000 after Holm's \
             correction for all of them, p = 0.040 alone."
        );
    }

    #[test]
    fn one_cell_makes_a_table_different() {
        let mut table = rows(&[[0.3, 1.0], [0.01, 0.9]]);
        assert_eq!(table[1].mark().word(), "different");
        assert_eq!(
            table[1].mark().reason().unwrap(),
            "chosen (normal test, p = 0.040 after Holm's correction for 4 cells, p = 0.010 alone)"
        );
        let verdict = TableVerdict::of(&table).unwrap();
        assert_eq!((verdict.word, verdict.n_noisy, verdict.n_fixed), ("different", 4, 0));

        // Cells without chance are counted apart.
        for (row, agreement) in
            table.iter_mut().zip([Agreement::Exact, Agreement::Different { because: None, test: None }])
        {
            row.cells[0] = CellAssessment { published: None, obtained: None, agreement, test: None };
        }
        let verdict = TableVerdict::of(&table).unwrap();
        assert_eq!(
            verdict.to_string(),
            "The table as a whole: different. 1 of 2 cells without chance are equal. 2 cells with chance, the \
             smallest p = 1.000 after Holm's correction for all of them, p = 0.900 alone."
        );
    }

    #[test]
    fn equal_values_are_exact_and_other_tables_have_no_verdict() {
        let test = Some(CellTest { name: "normal test", p: 1.0, corrected: 1.0, n_tests: 1 });
        let agreement = Agreement::Different { because: None, test };
        let same =
            CellAssessment { published: Some("7".into()), obtained: Some("7".into()), agreement, test };
        let mut table = vec![RowAssessment { name: "a row".to_owned(), cells: vec![same] }];
        correct(table.iter_mut().flat_map(|row| &mut row.cells).collect());
        assert_eq!(
            TableVerdict::of(&table).unwrap().to_string(),
            "The table as a whole: exact. One cell with chance, p = 1.000."
        );
        table[0].cells[0] =
            CellAssessment { published: None, obtained: None, agreement: Agreement::Measured, test: None };
        assert_eq!(TableVerdict::of(&table), None);
        assert_eq!(TableVerdict::of(&[]), None);
    }
}
