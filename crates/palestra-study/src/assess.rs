//! Assessment of a study: obtained values next to published ones, and whether they agree.

use crate::agreement::{Agreement, AgreementCounts, CellTest, TableVerdict, correct};
use crate::path::PathLookup;
use crate::rule::{ComparisonRule, RuleParameters, RuleResult, number};
use crate::study::{RowSource, StudyColumn, StudyPart, StudyScale, StudyTable, text_at};
use crate::template::fill;
use crate::workspace::StudyWorkspace;
use palestra_core::InputError;

/// A cell: published value, obtained value, and whether they agree.
#[derive(Clone, PartialEq, Debug)]
pub struct CellAssessment {
    /// The published value as text.
    pub published: Option<String>,
    /// The obtained value as text.
    pub obtained: Option<String>,
    /// Whether the two agree.
    pub agreement: Agreement,
    /// The test that decides it, for a value with chance.
    pub test: Option<CellTest>,
}

/// A row of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct RowAssessment {
    /// Its name.
    pub name: String,
    /// Its cells, one for each column.
    pub cells: Vec<CellAssessment>,
}

/// A table with its comparisons.
#[derive(Clone, PartialEq, Debug)]
pub struct TableAssessment {
    /// Its name in URLs.
    pub id: String,
    /// Its caption.
    pub title: String,
    /// The note below it.
    pub note: Option<String>,
    /// Whether it has no published values to compare with.
    pub is_plain: bool,
    /// The headings of the columns, and whether each has published values.
    pub headings: Vec<(String, bool)>,
    /// The rows.
    pub rows: Vec<RowAssessment>,
}

/// A part of a study with its comparisons.
#[derive(Clone, PartialEq, Debug)]
pub struct PartAssessment {
    /// The part itself.
    pub part: StudyPart,
    /// Its commands, with the wall time in seconds of those that were run.
    pub commands: Vec<(String, Option<f64>)>,
    /// Total wall time in seconds, if all its commands were run.
    pub seconds: Option<f64>,
    /// Total CPU time in seconds, if it is known for all its commands.
    pub cpu_seconds: Option<f64>,
    /// Its tables.
    pub tables: Vec<TableAssessment>,
}

/// The comparisons of a whole study.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// The scale at which the study was run.
    pub size: StudyScale,
    /// The parts in order.
    pub parts: Vec<PartAssessment>,
}

impl RowAssessment {
    /// The worst agreement of its cells; of several within noise, or different, the one with the smallest p-value.
    #[must_use]
    pub fn mark(&self) -> &Agreement {
        let cells = self.cells.iter().map(|cell| &cell.agreement);
        let worst = cells.reduce(|worst, other| if other.is_worse_than(worst) { other } else { worst });
        worst.unwrap_or(&Agreement::Measured)
    }
}

impl TableAssessment {
    /// Number of rows by agreement.
    #[must_use]
    pub fn tally(&self) -> AgreementCounts {
        let mut tally = AgreementCounts::default();
        self.rows.iter().for_each(|row| tally.add(row.mark()));
        tally
    }

    /// Whether the table as a whole agrees with what was published; `None` where nothing is compared.
    #[must_use]
    pub fn verdict(&self) -> Option<TableVerdict> {
        TableVerdict::of(&self.rows)
    }
}

impl PartAssessment {
    /// Number of rows by agreement.
    #[must_use]
    pub fn tally(&self) -> AgreementCounts {
        self.tables.iter().map(TableAssessment::tally).fold(AgreementCounts::default(), AgreementCounts::with)
    }
}

impl Assessment {
    /// Total wall time in seconds, if all commands were run.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        self.parts_with_commands().map(|part| part.seconds).sum()
    }

    /// Total CPU time in seconds, if it is known for all commands.
    #[must_use]
    pub fn cpu_seconds(&self) -> Option<f64> {
        self.parts_with_commands().map(|part| part.cpu_seconds).sum()
    }

    /// The parts that have commands at this scale.
    fn parts_with_commands(&self) -> impl Iterator<Item = &PartAssessment> {
        self.parts.iter().filter(|part| !part.commands.is_empty())
    }

    /// Number of rows by agreement.
    #[must_use]
    pub fn tally(&self) -> AgreementCounts {
        self.parts.iter().map(PartAssessment::tally).fold(AgreementCounts::default(), AgreementCounts::with)
    }
}

impl StudyWorkspace {
    /// Compares the outputs of the commands with the published values.
    pub fn assess(&self) -> Result<Assessment, InputError> {
        let jobs = self.jobs()?;
        let mut parts = Vec::new();
        for (i, part) in self.study().parts.iter().enumerate() {
            let of_part: Vec<_> = jobs.iter().filter(|job| job.part == i).collect();
            let command = |job: &&crate::job::StudyJob| match self.record(&job.id) {
                Some(record) => (shown_command(&record.command), Some(record.seconds)),
                None => (job.command.clone(), None),
            };
            let records: Option<Vec<_>> = of_part.iter().map(|job| self.record(&job.id)).collect();
            let records = records.filter(|records| !records.is_empty());
            let tables = part.tables.iter().map(|table| self.assess_table(table));
            parts.push(PartAssessment {
                part: part.clone(),
                commands: of_part.iter().map(command).collect(),
                seconds: records.as_ref().map(|records| records.iter().map(|record| record.seconds).sum()),
                cpu_seconds: records
                    .and_then(|records| records.iter().map(|record| record.cpu_seconds).sum()),
                tables: tables.collect::<Result<_, _>>()?,
            });
        }
        Ok(Assessment { size: self.size(), parts })
    }

    fn assess_table(&self, table: &StudyTable) -> Result<TableAssessment, InputError> {
        let in_table = |error: InputError| error.map_key(|key| format!("{key} of the table {}", table.id));
        let (headings, lines) = self.lines(table).map_err(in_table)?;
        let is_compared = table.when.is_none_or(|when| when == self.size());
        let mut rows: Vec<RowAssessment> =
            lines.iter().map(|(name, _)| RowAssessment { name: name.clone(), cells: Vec::new() }).collect();
        let heading = |column: &StudyColumn| (column.name.clone(), headings.contains(&column.name));
        for column in &table.columns {
            let mut cells = Vec::new();
            for (n, (name, values)) in lines.iter().enumerate() {
                let line = RowContext { n: n + 1, name, headings: &headings, values };
                cells.push(self.cell(table, column, &line, is_compared).map_err(in_table)?);
            }
            rows.iter_mut().zip(cells).for_each(|(row, cell)| row.cells.push(cell));
        }
        let note =
            text_at(self.size(), table.note.as_deref().unwrap_or_default(), table.note_full.as_deref());
        correct(rows.iter_mut().flat_map(|row| &mut row.cells).collect());
        Ok(TableAssessment {
            id: table.id.clone(),
            title: table.title.clone(),
            note: Some(note).filter(|note| !note.is_empty()),
            is_plain: table.is_plain,
            headings: table.columns.iter().map(heading).collect(),
            rows,
        })
    }

    /// The headings of the published columns, and the name and published cells of each row.
    #[expect(clippy::type_complexity, reason = "the caller destructures it at once")]
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
        let cell = |obtained, agreement| CellAssessment {
            published: published.clone(),
            obtained,
            agreement,
            test: None,
        };
        if !is_compared {
            return Ok(cell(None, Agreement::NotRun));
        }
        let obtained = match self.look_up(&column.read, line) {
            Ok(PathLookup::Found(obtained)) => obtained,
            Ok(PathLookup::NotRun) => return Ok(cell(None, Agreement::NotRun)),
            // An error in the study, or a value that the output does not have: shown in the table.
            Err(error) => return Ok(cell(None, Agreement::Missing(error.to_string()))),
        };
        let shown = Some(match column.rule {
            ComparisonRule::Sample => obtained.summary(column.decimals),
            _ => obtained.rounded(column.decimals),
        });
        let Some(text) = &published else { return Ok(cell(shown, Agreement::Measured)) };
        let parameters = self.rule_parameters(column, line)?;
        let because = || {
            let of_row = line.value("because").filter(|text| !text.is_empty()).map(str::to_owned);
            of_row.or_else(|| column.because.clone()).or_else(|| table.because.clone())
        };
        Ok(match column.rule.compare(text, &obtained, column.decimals, parameters) {
            None => cell(shown, Agreement::Measured),
            Some(RuleResult::Same) => cell(shown, Agreement::Exact),
            Some(RuleResult::Other) => cell(shown, Agreement::Different { because: because(), test: None }),
            Some(RuleResult::Chance { test, p }) => {
                // `correct` decides for all cells of the table together whether this is noise.
                let test = Some(CellTest { name: test, p, corrected: p, n_tests: 1 });
                let agreement = Agreement::Different { because: because(), test };
                CellAssessment { test, ..cell(shown, agreement) }
            }
            Some(RuleResult::Unclear(why)) => cell(shown, Agreement::Missing(why)),
        })
    }

    fn look_up(&self, path: &str, line: &RowContext<'_>) -> Result<PathLookup, InputError> {
        let filled = fill(
            path,
            |word| Ok(line.word(word).or_else(|| self.study().size_word(word, self.size()))),
            |_| false,
        )?;
        self.outputs().resolve(&filled, self.ids())
    }

    /// The additional numbers that the rule of a column needs.
    fn rule_parameters(
        &self,
        column: &StudyColumn,
        line: &RowContext<'_>,
    ) -> Result<RuleParameters, InputError> {
        let of_file = |heading: &str| line.value(heading).and_then(number);
        Ok(match &column.rule {
            ComparisonRule::Normal { sd, .. } => {
                RuleParameters { sd: sd.or_else(|| of_file("sd")), ..RuleParameters::default() }
            }
            ComparisonRule::Share { of, of_read, of_obtained } => {
                let read = match of_read {
                    None => None,
                    Some(path) => match self.look_up(path, line)? {
                        PathLookup::Found(value) => value.number(),
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

/// A row of a table: its name and its published cells.
struct RowContext<'a> {
    /// Its number, from 1.
    n: usize,
    name: &'a str,
    headings: &'a [String],
    values: &'a [String],
}

impl RowContext<'_> {
    /// The published cell under a heading.
    fn value(&self, heading: &str) -> Option<&str> {
        let column = self.headings.iter().position(|known| known == heading)?;
        self.values.get(column).map(String::as_str)
    }

    /// The value of a variable in braces in this row.
    fn word(&self, word: &str) -> Option<String> {
        match word {
            "row" => Some(self.name.replace('~', "~0").replace('/', "~1")),
            "n" => Some(self.n.to_string()),
            other => self.value(other).map(str::to_owned),
        }
    }
}

/// The words of a command as a shell command line.
fn shown_command(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
