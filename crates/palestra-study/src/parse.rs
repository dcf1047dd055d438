//! Reads `study.toml`; errors name the key and its location.

use crate::published;
use crate::rule::ComparisonRule;
use crate::source::{STUDY_FILE, StudyFiles};
use crate::study::{
    CommandTemplate, FigureKind, RowSource, Series, SizeVariable, Study, StudyColumn, StudyFigure, StudyPart,
    StudyScale, StudyTable,
};
use palestra_core::InputError;
use palestra_settings::{Setting, Settings};
use std::collections::BTreeSet;

impl Study {
    /// Reads a study from its files; `name` is the name of its folder.
    pub fn read(source: &StudyFiles, name: &str) -> Result<Study, InputError> {
        let text = source.required_text(name, STUDY_FILE)?;
        let mut file = Settings::parse(text, &format!("{name}/{STUDY_FILE}"))?;
        let study = Study {
            name: name.to_owned(),
            title: required(&mut file, "title")?,
            subject: required(&mut file, "subject")?,
            about: source.text("about.md")?.unwrap_or_default().to_owned(),
            sizes: sizes(file.table("sizes")?)?,
            parts: each(&mut file, "part", |part| read_part(part, source))?,
        };
        file.finish()?;
        for size in StudyScale::ALL {
            study.jobs(size)?;
        }
        let ids = study.all_ids();
        unique("runs", ids.iter())?;
        unique("parts", study.parts.iter().map(|part| &part.id))?;
        unique("tables", study.parts.iter().flat_map(|part| &part.tables).map(|table| &table.id))?;
        unique("figures", study.parts.iter().flat_map(|part| &part.figures).map(|figure| &figure.id))?;
        Ok(study)
    }
}

fn unique<'a>(kind: &str, names: impl Iterator<Item = &'a String>) -> Result<(), InputError> {
    let mut known = BTreeSet::new();
    for name in names {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(InputError::new(
                format!("ids of {kind}"),
                name,
                "an id of letters, digits and - _ . +",
            ));
        }
        if !known.insert(name) {
            return Err(InputError::new(format!("ids of {kind}"), name, "an id that is not used twice"));
        }
    }
    Ok(())
}

fn each<T>(
    file: &mut Settings,
    key: &str,
    mut read: impl FnMut(&mut Settings) -> Result<T, InputError>,
) -> Result<Vec<T>, InputError> {
    let mut one = |mut table: Settings| {
        let item = read(&mut table)?;
        table.finish()?;
        Ok(item)
    };
    file.tables(key)?.into_iter().map(&mut one).collect()
}

fn required(file: &mut Settings, key: &str) -> Result<String, InputError> {
    match file.text(key)? {
        Some((text, _)) => Ok(text),
        None => Err(file.missing(key, "a string in quotation marks")),
    }
}

fn optional(file: &mut Settings, key: &str) -> Result<Option<String>, InputError> {
    Ok(file.text(key)?.map(|(text, _)| text))
}

fn values(file: &mut Settings, key: &str) -> Result<Vec<String>, InputError> {
    let Some((value, place)) = file.take(key) else { return Ok(Vec::new()) };
    match value {
        Setting::List(items) => Ok(items.into_iter().map(|(item, _)| item.to_string()).collect()),
        other => Err(file.invalid_value(key, place, &other.to_string(), "a list of values")),
    }
}

fn size(file: &mut Settings, key: &str) -> Result<Option<StudyScale>, InputError> {
    Ok(match file.choice(key, "", &["quick", "full"])? {
        "quick" => Some(StudyScale::Quick),
        "full" => Some(StudyScale::Full),
        _ => None,
    })
}

fn sizes(mut file: Settings) -> Result<Vec<SizeVariable>, InputError> {
    let mut sizes = Vec::new();
    for name in file.keys() {
        let mut pair = file.table(&name)?;
        let mut value = |key: &str| match pair.take(key) {
            Some((value, _)) => Ok(value.to_string()),
            None => Err(pair.missing(key, "the value of the variable at this scale")),
        };
        sizes.push(SizeVariable { quick: value("quick")?, full: value("full")?, name });
        pair.finish()?;
    }
    file.finish()?;
    Ok(sizes)
}

fn read_part(file: &mut Settings, source: &StudyFiles) -> Result<StudyPart, InputError> {
    let seconds = file.number("original_seconds", 0.0, 0.0..=1e12)?;
    Ok(StudyPart {
        id: required(file, "id")?,
        title: required(file, "title")?,
        about: optional(file, "about")?.unwrap_or_default(),
        is_beyond: file.flag("beyond", false)?,
        original: optional(file, "original")?,
        original_seconds: (seconds > 0.0).then_some(seconds),
        runs: each(file, "run", read_run)?,
        tables: each(file, "table", |table| read_table(table, source))?,
        figures: each(file, "figure", read_figure)?,
    })
}

fn read_run(file: &mut Settings) -> Result<CommandTemplate, InputError> {
    let mut variables = file.table("each")?;
    let mut each = Vec::new();
    for name in variables.keys() {
        let values = values(&mut variables, &name)?;
        if values.is_empty() {
            return Err(variables.missing(&name, "at least one value"));
        }
        each.push((name, values));
    }
    variables.finish()?;
    Ok(CommandTemplate {
        id: required(file, "id")?,
        command: required(file, "command")?,
        each,
        only: size(file, "only")?,
    })
}

fn read_table(file: &mut Settings, source: &StudyFiles) -> Result<StudyTable, InputError> {
    let rows = match (file.text("published")?, file.take("rows")) {
        (Some((name, place)), None) => {
            let text = source.required_text("published", &name).map_err(|bad| bad.at(place))?;
            published::read(&name, text)?
        }
        (None, Some((Setting::Text(path), _))) => RowSource::Path(path),
        (None, Some((Setting::List(names), _))) => {
            RowSource::Named(names.into_iter().map(|(name, _)| name.to_string()).collect())
        }
        (None, Some((other, place))) => {
            return Err(file.invalid_value("rows", place, &other.to_string(), "a path, or a list of names"));
        }
        (Some(_), Some(_)) => {
            return Err(file.not_allowed("published", "rows is set too; set one of them"));
        }
        (None, None) => return Err(file.missing("published", "a file with published values, or rows")),
    };
    let columns = each(file, "column", read_column)?;
    if columns.is_empty() {
        return Err(file.missing("column", "at least one [[part.table.column]]"));
    }
    Ok(StudyTable {
        id: required(file, "id")?,
        title: required(file, "title")?,
        note: optional(file, "note")?,
        rows,
        when: size(file, "when")?,
        is_plain: file.flag("plain", false)?,
        because: optional(file, "because")?,
        columns,
    })
}

fn some_number(file: &mut Settings, key: &str) -> Result<Option<f64>, InputError> {
    match file.has(key) {
        true => file.number(key, 0.0, 0.0..=1e15).map(Some),
        false => file.number(key, 0.0, 0.0..=1e15).map(|_| None),
    }
}

fn read_column(file: &mut Settings) -> Result<StudyColumn, InputError> {
    let rule = file.choice("rule", "shown", &["exact", "normal", "share", "counts", "sample", "shown"])?;
    let rule = match rule {
        "exact" => ComparisonRule::Exact,
        "normal" => ComparisonRule::Normal {
            sd: some_number(file, "sd")?,
            sd_obtained: some_number(file, "sd_obtained")?,
        },
        "share" => ComparisonRule::Share {
            of: some_number(file, "of")?,
            of_read: optional(file, "of_read")?,
            of_obtained: some_number(file, "of_obtained")?,
        },
        "counts" => ComparisonRule::Counts,
        "sample" => ComparisonRule::Sample,
        _ => ComparisonRule::Shown,
    };
    let decimals =
        if file.has("decimals") { Some(file.integer("decimals", 0, 0..=12)? as usize) } else { None };
    if decimals.is_none() {
        // `take` makes the key known, so that it is listed in the error about an unknown key.
        file.take("decimals");
    }
    Ok(StudyColumn {
        name: required(file, "name")?,
        read: required(file, "read")?,
        rule,
        decimals,
        because: optional(file, "because")?,
    })
}

fn read_figure(file: &mut Settings) -> Result<StudyFigure, InputError> {
    let kind = match file.choice("kind", "lines", &["lines", "bars", "cells"])? {
        "bars" => FigureKind::Bars,
        "cells" => FigureKind::Cells,
        _ => FigureKind::Lines,
    };
    let series = |file: &mut Settings| {
        Ok(Series {
            name: optional(file, "name")?.unwrap_or_default(),
            x: optional(file, "x")?,
            y: required(file, "y")?,
        })
    };
    Ok(StudyFigure {
        id: required(file, "id")?,
        title: required(file, "title")?,
        caption: optional(file, "caption")?.unwrap_or_default(),
        kind,
        x: optional(file, "x")?.unwrap_or_default(),
        y: optional(file, "y")?.unwrap_or_default(),
        is_log: file.flag("log", false)?,
        rows: values(file, "rows")?,
        columns: values(file, "columns")?,
        series: each(file, "series", series)?,
    })
}
