//! What was obtained beside what was published, and what to make of each row.

use crate::path::PathLookup;
use crate::rule::{ComparisonRule, RuleParameters, RuleResult, number};
use crate::study::{RowSource, StudyColumn, StudyPart, StudyScale, StudyTable};
use crate::template::fill;
use crate::workspace::StudyWorkspace;
use palestra_core::InputError;
use palestra_stats::holm;

/// A difference that chance explains less often than this is one.
const ALPHA: f64 = 0.05;

/// What to make of a cell or a row.
#[derive(Clone, PartialEq, Debug)]
pub enum Agreement {
    /// As published.
    Exact,
    /// Not further off than chance explains.
    Noise {
        /// The test that says so.
        test: &'static str,
        /// Its p-value, before the correction for the other cells.
        p: f64,
    },
    /// Further off than chance explains, or without any chance in it.
    Different {
        /// Why.
        because: Option<String>,
        /// The test that says so, with its p-value, where chance has a part in it.
        test: Option<(&'static str, f64)>,
    },
    /// There is nothing to compare with.
    Measured,
    /// It has not been run, or only the other size runs it.
    NotRun,
    /// The run did not print it.
    Missing(String),
}

/// A cell: what was published, what was obtained, and what to make of it.
#[derive(Clone, PartialEq, Debug)]
pub struct CellAssessment {
    /// As it was published.
    pub published: Option<String>,
    /// As it was obtained.
    pub obtained: Option<String>,
    /// What to make of it.
    pub agreement: Agreement,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct RowAssessment {
    /// Its name.
    pub name: String,
    /// One cell for each column.
    pub cells: Vec<CellAssessment>,
}

/// A table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableAssessment {
    /// Its name in addresses.
    pub id: String,
    /// Its caption.
    pub title: String,
    /// What stands below it.
    pub note: Option<String>,
    /// Whether there is nothing to compare.
    pub is_plain: bool,
    /// The headings after the names of the rows, and whether anything was published under each.
    pub headings: Vec<(String, bool)>,
    /// The rows.
    pub rows: Vec<RowAssessment>,
}

/// A part of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct PartAssessment {
    /// The part itself.
    pub part: StudyPart,
    /// What was run for it: the command, and how long it took if it was run.
    pub commands: Vec<(String, Option<f64>)>,
    /// All of it together, where all of it was run.
    pub seconds: Option<f64>,
    /// The same on the processors.
    pub cpu_seconds: Option<f64>,
    /// Its tables.
    pub tables: Vec<TableAssessment>,
}

/// What came of a study.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// How much was done.
    pub size: StudyScale,
    /// Part by part.
    pub parts: Vec<PartAssessment>,
}

/// How many rows have which mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AgreementCounts {
    /// As published.
    pub exact: usize,
    /// Within noise.
    pub noise: usize,
    /// Different, with the reason.
    pub explained: usize,
    /// Different, and nobody says why.
    pub unexplained: usize,
    /// Without anything to compare with.
    pub measured: usize,
    /// Not run.
    pub not_run: usize,
    /// Looked for in vain.
    pub missing: usize,
}

impl AgreementCounts {
    fn add(&mut self, mark: &Agreement) {
        *match mark {
            Agreement::Exact => &mut self.exact,
            Agreement::Noise { .. } => &mut self.noise,
            Agreement::Different { because: Some(_), .. } => &mut self.explained,
            Agreement::Different { because: None, .. } => &mut self.unexplained,
            Agreement::Measured => &mut self.measured,
            Agreement::NotRun => &mut self.not_run,
            Agreement::Missing(_) => &mut self.missing,
        } += 1;
    }

    /// Both together.
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
    /// The worse, the higher.
    fn rank(&self) -> u8 {
        match self {
            Agreement::Measured => 0,
            Agreement::NotRun => 1,
            Agreement::Exact => 2,
            Agreement::Noise { .. } => 3,
            Agreement::Different { because: Some(_), .. } => 4,
            Agreement::Different { because: None, .. } => 5,
            Agreement::Missing(_) => 6,
        }
    }

    /// In a word or two.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Agreement::Exact => "exact",
            Agreement::Noise { .. } => "within noise",
            Agreement::Different { .. } => "different",
            Agreement::Measured => "measured",
            Agreement::NotRun => "not run",
            Agreement::Missing(_) => "missing",
        }
    }

    /// What stands beside the word: the test, the reason.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        match self {
            Agreement::Noise { test, p } => Some(format!("{test}, {}", p_value(*p))),
            Agreement::Different { because, test } => {
                let test = test.map(|(test, p)| format!("{test}, {}", p_value(p)));
                let because = because.clone().unwrap_or_else(|| "nobody knows why".to_owned());
                Some(test.map_or(because.clone(), |test| format!("{because} ({test})")))
            }
            Agreement::Missing(what) => Some(what.clone()),
            _ => None,
        }
    }
}

fn p_value(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

impl RowAssessment {
    /// The worst mark of its cells.
    #[must_use]
    pub fn mark(&self) -> &Agreement {
        let worst = self.cells.iter().map(|cell| &cell.agreement).max_by_key(|mark| mark.rank());
        worst.unwrap_or(&Agreement::Measured)
    }
}

impl TableAssessment {
    /// How many rows have which mark.
    #[must_use]
    pub fn tally(&self) -> AgreementCounts {
        let mut tally = AgreementCounts::default();
        self.rows.iter().for_each(|row| tally.add(row.mark()));
        tally
    }
}

impl PartAssessment {
    /// How many rows have which mark.
    #[must_use]
    pub fn tally(&self) -> AgreementCounts {
        self.tables.iter().map(TableAssessment::tally).fold(AgreementCounts::default(), AgreementCounts::with)
    }
}

impl Assessment {
    /// How long all of it took, where all of it was run.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        self.run().map(|part| part.seconds).sum()
    }

    /// The same on the processors.
    #[must_use]
    pub fn cpu_seconds(&self) -> Option<f64> {
        self.run().map(|part| part.cpu_seconds).sum()
    }

    /// The parts for which something is run at this size.
    fn run(&self) -> impl Iterator<Item = &PartAssessment> {
        self.parts.iter().filter(|part| !part.commands.is_empty())
    }

    /// How many rows have which mark.
    #[must_use]
    pub fn tally(&self) -> AgreementCounts {
        self.parts.iter().map(PartAssessment::tally).fold(AgreementCounts::default(), AgreementCounts::with)
    }
}

impl StudyWorkspace {
    /// Sets what has been run beside what was published.
    pub fn assess(&self) -> Result<Assessment, InputError> {
        let jobs = self.jobs()?;
        let mut parts = Vec::new();
        for (i, part) in self.study().parts.iter().enumerate() {
            let of_part: Vec<_> = jobs.iter().filter(|job| job.part == i).collect();
            let command = |job: &&crate::job::StudyJob| match self.record(&job.id) {
                Some(kept) => (shown_command(&kept.command), Some(kept.seconds)),
                None => (job.command.clone(), None),
            };
            let kept: Option<Vec<_>> = of_part.iter().map(|job| self.record(&job.id)).collect();
            let kept = kept.filter(|kept| !kept.is_empty());
            let tables = part.tables.iter().map(|table| self.assess_table(table));
            parts.push(PartAssessment {
                part: part.clone(),
                commands: of_part.iter().map(command).collect(),
                seconds: kept.as_ref().map(|kept| kept.iter().map(|kept| kept.seconds).sum()),
                cpu_seconds: kept.and_then(|kept| kept.iter().map(|kept| kept.cpu_seconds).sum()),
                tables: tables.collect::<Result<_, _>>()?,
            });
        }
        Ok(Assessment { size: self.size(), parts })
    }

    fn assess_table(&self, table: &StudyTable) -> Result<TableAssessment, InputError> {
        let of_place =
            |error: InputError| InputError { place: format!("table {}: {}", table.id, error.place), ..error };
        let (headings, lines) = self.lines(table).map_err(of_place)?;
        let is_compared = table.when.is_none_or(|when| when == self.size());
        let mut rows: Vec<RowAssessment> =
            lines.iter().map(|(name, _)| RowAssessment { name: name.clone(), cells: Vec::new() }).collect();
        let heading = |column: &StudyColumn| (column.name.clone(), headings.contains(&column.name));
        for column in &table.columns {
            let mut cells = Vec::new();
            for (n, (name, values)) in lines.iter().enumerate() {
                let line = RowContext { n: n + 1, name, headings: &headings, values };
                cells.push(self.cell(table, column, &line, is_compared).map_err(of_place)?);
            }
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.cells.push(cell));
        }
        correct(rows.iter_mut().flat_map(|row| &mut row.cells).collect());
        Ok(TableAssessment {
            id: table.id.clone(),
            title: table.title.clone(),
            note: table.note.clone(),
            is_plain: table.is_plain,
            headings: table.columns.iter().map(heading).collect(),
            rows,
        })
    }

    /// The headings of what was published, and the names of the rows with what was published in each.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    fn lines(&self, table: &StudyTable) -> Result<(Vec<String>, Vec<(String, Vec<String>)>), InputError> {
        let bare = |names: Vec<String>| names.into_iter().map(|name| (name, Vec::new())).collect();
        Ok(match &table.rows {
            RowSource::Published { headings, lines } => (headings.clone(), lines.clone()),
            RowSource::Named(names) => (Vec::new(), bare(names.clone())),
            RowSource::Path(path) => match self.outputs().resolve(path, self.ids())? {
                PathLookup::Found(names) => (Vec::new(), bare(names.texts())),
                PathLookup::NotRun => (Vec::new(), Vec::new()),
            },
        })
    }

    fn cell(
        &self,
        table: &StudyTable,
        column: &StudyColumn,
        line: &RowContext<'_>,
        is_compared: bool,
    ) -> Result<CellAssessment, InputError> {
        let published = line.value(&column.name).filter(|text| !text.is_empty()).map(str::to_owned);
        let cell =
            |obtained, mark| CellAssessment { published: published.clone(), obtained, agreement: mark };
        if !is_compared {
            return Ok(cell(None, Agreement::NotRun));
        }
        let obtained = match self.look(&column.read, line) {
            Ok(PathLookup::Found(obtained)) => obtained,
            Ok(PathLookup::NotRun) => return Ok(cell(None, Agreement::NotRun)),
            // A mistake in the study, or something that a run did not come to: it is shown, not hidden.
            Err(error) => return Ok(cell(None, Agreement::Missing(error.to_string()))),
        };
        let shown = Some(match column.rule {
            ComparisonRule::Sample => obtained.summary(column.decimals),
            _ => obtained.rounded(column.decimals),
        });
        let Some(text) = &published else { return Ok(cell(shown, Agreement::Measured)) };
        let beside = self.beside(column, line)?;
        let because = || {
            let of_row = line.value("because").filter(|text| !text.is_empty()).map(str::to_owned);
            of_row.or_else(|| column.because.clone()).or_else(|| table.because.clone())
        };
        let mark = match column.rule.compare(text, &obtained, column.decimals, beside) {
            None => Agreement::Measured,
            Some(RuleResult::Same) => Agreement::Exact,
            Some(RuleResult::Other) => Agreement::Different { because: because(), test: None },
            Some(RuleResult::Chance { test, p }) => {
                // Whether it is noise is decided for all cells together.
                Agreement::Different { because: because(), test: Some((test, p)) }
            }
            Some(RuleResult::Unclear(why)) => Agreement::Missing(why),
        };
        Ok(cell(shown, mark))
    }

    fn look(&self, path: &str, line: &RowContext<'_>) -> Result<PathLookup, InputError> {
        let filled = fill(
            path,
            |word| Ok(line.word(word).or_else(|| self.study().size_word(word, self.size()))),
            |_| false,
        )?;
        self.outputs().resolve(&filled, self.ids())
    }

    /// The numbers that the column's rule needs besides.
    fn beside(&self, column: &StudyColumn, line: &RowContext<'_>) -> Result<RuleParameters, InputError> {
        let of_file = |heading: &str| line.value(heading).and_then(number);
        Ok(match &column.rule {
            ComparisonRule::Normal { sd, .. } => {
                RuleParameters { sd: sd.or_else(|| of_file("sd")), ..RuleParameters::default() }
            }
            ComparisonRule::Share { of, of_read, of_obtained } => {
                let read = match of_read {
                    None => None,
                    Some(path) => match self.look(path, line)? {
                        PathLookup::Found(found) => found.number(),
                        PathLookup::NotRun => None,
                    },
                };
                RuleParameters {
                    of: of.or_else(|| of_file("of")),
                    of_obtained: read.or(*of_obtained),
                    ..RuleParameters::default()
                }
            }
            _ => RuleParameters::default(),
        })
    }
}

/// A line of a table, before it is filled.
struct RowContext<'a> {
    n: usize,
    name: &'a str,
    headings: &'a [String],
    values: &'a [String],
}

impl RowContext<'_> {
    /// What was published under a heading.
    fn value(&self, heading: &str) -> Option<&str> {
        let place = self.headings.iter().position(|known| known == heading)?;
        self.values.get(place).map(String::as_str)
    }

    /// What a word in braces stands for in this line.
    fn word(&self, word: &str) -> Option<String> {
        match word {
            "row" => Some(self.name.replace('~', "~0").replace('/', "~1")),
            "n" => Some(self.n.to_string()),
            other => self.value(other).map(str::to_owned),
        }
    }
}

/// Decides for all cells of a table together which differences chance explains.
fn correct(cells: Vec<&mut CellAssessment>) {
    let p_of = |cell: &CellAssessment| match &cell.agreement {
        Agreement::Different { test: Some((_, p)), .. } => Some(*p),
        _ => None,
    };
    let p: Vec<f64> = cells.iter().filter_map(|cell| p_of(cell)).collect();
    let mut corrected = holm(&p).into_iter();
    for cell in cells {
        let Agreement::Different { test: Some((test, p)), .. } = cell.agreement else { continue };
        if corrected.next().is_some_and(|p| p >= ALPHA) {
            let is_same = cell.published.as_deref() == cell.obtained.as_deref();
            cell.agreement = if is_same { Agreement::Exact } else { Agreement::Noise { test, p } };
        }
    }
}

/// A command as one would type it.
fn shown_command(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
