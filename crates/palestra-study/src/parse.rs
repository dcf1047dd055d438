//! A study's file, read with care: every mistake is named with its place.

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
    /// Reads the study that `source` has the files of; `name` is that of its folder.
    pub fn read(source: &StudyFiles, name: &str) -> Result<Study, InputError> {
        let text = source.wanted(name, STUDY_FILE)?;
        let mut file = Settings::parse(text, &format!("{name}/{STUDY_FILE}"))?;
        let study = Study {
            name: name.to_owned(),
            title: wanted(&mut file, "title")?,
            subject: wanted(&mut file, "subject")?,
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
            return Err(InputError::new(format!("ids of {kind}"), name, "letters, digits and - _ . +"));
        }
        if !known.insert(name) {
            return Err(InputError::new(format!("ids of {kind}"), name, "an id of its own: there are two"));
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

fn wanted(file: &mut Settings, key: &str) -> Result<String, InputError> {
    match file.text(key)? {
        Some((text, _)) => Ok(text),
        None => Err(file.missing(key, "a text in quotation marks")),
    }
}

fn maybe(file: &mut Settings, key: &str) -> Result<Option<String>, InputError> {
    Ok(file.text(key)?.map(|(text, _)| text))
}

fn words(file: &mut Settings, key: &str) -> Result<Vec<String>, InputError> {
    let Some((value, place)) = file.take(key) else { return Ok(Vec::new()) };
    match value {
        Setting::List(items) => Ok(items.into_iter().map(|(item, _)| item.to_string()).collect()),
        other => Err(file.invalid_value(key, place, &other.to_string(), "a list of words")),
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
        let mut word = |key: &str| match pair.take(key) {
            Some((value, _)) => Ok(value.to_string()),
            None => Err(pair.missing(key, "what the word stands for")),
        };
        sizes.push(SizeVariable { quick: word("quick")?, full: word("full")?, name });
        pair.finish()?;
    }
    file.finish()?;
    Ok(sizes)
}

fn read_part(file: &mut Settings, source: &StudyFiles) -> Result<StudyPart, InputError> {
    let seconds = file.number("original_seconds", 0.0, 0.0..=1e12)?;
    Ok(StudyPart {
        id: wanted(file, "id")?,
        title: wanted(file, "title")?,
        about: maybe(file, "about")?.unwrap_or_default(),
        is_beyond: file.flag("beyond", false)?,
        original: maybe(file, "original")?,
        original_seconds: (seconds > 0.0).then_some(seconds),
        runs: each(file, "run", read_run)?,
        tables: each(file, "table", |table| read_table(table, source))?,
        figures: each(file, "figure", read_figure)?,
    })
}

fn read_run(file: &mut Settings) -> Result<CommandTemplate, InputError> {
    let mut words_of = file.table("each")?;
    let mut each = Vec::new();
    for name in words_of.keys() {
        let meanings = words(&mut words_of, &name)?;
        if meanings.is_empty() {
            return Err(words_of.missing(&name, "at least one word"));
        }
        each.push((name, meanings));
    }
    words_of.finish()?;
    Ok(CommandTemplate {
        id: wanted(file, "id")?,
        command: wanted(file, "command")?,
        each,
        only: size(file, "only")?,
    })
}

fn read_table(file: &mut Settings, source: &StudyFiles) -> Result<StudyTable, InputError> {
    let rows = match (file.text("published")?, file.take("rows")) {
        (Some((name, place)), None) => {
            let text = source.wanted(&format!("published, {place}"), &name)?;
            published::read(&name, text)?
        }
        (None, Some((Setting::Text(path), _))) => RowSource::Path(path),
        (None, Some((Setting::List(names), _))) => {
            RowSource::Named(names.into_iter().map(|(name, _)| name.to_string()).collect())
        }
        (None, Some((other, place))) => {
            return Err(file.invalid_value("rows", place, &other.to_string(), "a path, or a list of names"));
        }
        (Some((name, place)), Some(_)) => {
            return Err(file.invalid_value(
                "published",
                place,
                &name,
                "possible beside rows: one of them is enough",
            ));
        }
        (None, None) => return Err(file.missing("published", "a file of what was published, or rows")),
    };
    let columns = each(file, "column", read_column)?;
    if columns.is_empty() {
        return Err(file.missing("column", "at least one [[part.table.column]]"));
    }
    Ok(StudyTable {
        id: wanted(file, "id")?,
        title: wanted(file, "title")?,
        note: maybe(file, "note")?,
        rows,
        when: size(file, "when")?,
        is_plain: file.flag("plain", false)?,
        because: maybe(file, "because")?,
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
            of_read: maybe(file, "of_read")?,
            of_obtained: some_number(file, "of_obtained")?,
        },
        "counts" => ComparisonRule::Counts,
        "sample" => ComparisonRule::Sample,
        _ => ComparisonRule::Shown,
    };
    let decimals =
        if file.has("decimals") { Some(file.integer("decimals", 0, 0..=12)? as usize) } else { None };
    if decimals.is_none() {
        // So that it is known among the keys there may be.
        file.take("decimals");
    }
    Ok(StudyColumn {
        name: wanted(file, "name")?,
        read: wanted(file, "read")?,
        rule,
        decimals,
        because: maybe(file, "because")?,
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
            name: maybe(file, "name")?.unwrap_or_default(),
            x: maybe(file, "x")?,
            y: wanted(file, "y")?,
        })
    };
    Ok(StudyFigure {
        id: wanted(file, "id")?,
        title: wanted(file, "title")?,
        caption: maybe(file, "caption")?.unwrap_or_default(),
        kind,
        x: maybe(file, "x")?.unwrap_or_default(),
        y: maybe(file, "y")?.unwrap_or_default(),
        is_log: file.flag("log", false)?,
        rows: words(file, "rows")?,
        columns: words(file, "columns")?,
        series: each(file, "series", series)?,
    })
}
