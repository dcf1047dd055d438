//! Reads `study.toml`; errors name the key and its location.

use crate::published;
use crate::rule::ComparisonRule;
use crate::source::{STUDY_FILE, StudyFiles};
use crate::study::{RowSource, Study, StudyColumn, StudyScale, StudyTable};
use palestra_core::InputError;
use palestra_settings::{Document, pairs, refuse, whole};
use serde::de::{Deserialize, Deserializer, Error};
use std::collections::BTreeSet;

impl Study {
    /// Reads a study from its files; `name` is the name of its folder.
    pub fn read(source: &StudyFiles, name: &str) -> Result<Study, InputError> {
        let text = source.required_text(name, STUDY_FILE)?;
        let file = Document::parse(text, &format!("{name}/{STUDY_FILE}"))?;
        let mut study: Study = file.read()?;
        name.clone_into(&mut study.name);
        source.text("about.md")?.unwrap_or_default().clone_into(&mut study.about);
        for table in study.parts.iter_mut().flat_map(|part| &mut part.tables) {
            table.rows = rows(table, source)?;
            if table.columns.is_empty() {
                return Err(InputError::new(&table.id, "", "at least one [[part.table.column]]"));
            }
        }
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

fn rows(table: &StudyTable, source: &StudyFiles) -> Result<RowSource, InputError> {
    match (&table.published, &table.row_keys) {
        (Some(name), None) => {
            let text = source.required_text("published", name);
            let location = name.place.location.unwrap_or_default();
            published::read(name, text.map_err(|bad| bad.at(location))?)
        }
        (None, Some(rows)) => Ok(match &rows.value {
            RowKeys::Path(path) => RowSource::Path(path.clone()),
            RowKeys::Named(names) => RowSource::Named(names.iter().map(|name| name.0.clone()).collect()),
        }),
        (Some(published), Some(_)) => Err(published.place.not_allowed("rows is set too; set one of them")),
        (None, None) => {
            let key = format!("published in the table {}", table.id);
            Err(InputError::new(key, "", "a file with published values, or rows"))
        }
    }
}

/// `rows` of a table.
#[derive(serde::Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged, expecting = "a path, or a list of names")]
pub(crate) enum RowKeys {
    Path(String),
    Named(Vec<Shown>),
}

/// A text, number or flag as text.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Shown(String);

impl<'de> Deserialize<'de> for Shown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shown, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => Ok(Shown(text)),
            value @ (serde_json::Value::Number(_) | serde_json::Value::Bool(_)) => {
                Ok(Shown(value.to_string()))
            }
            _ => Err(D::Error::custom("a text or a number")),
        }
    }
}

pub(crate) fn as_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Shown::deserialize(deserializer).map(|shown| shown.0)
}

pub(crate) fn values<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<Shown>::deserialize(deserializer)?.into_iter().map(|shown| shown.0).collect())
}

/// Lists of values by name, none of them empty.
pub(crate) fn values_by_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, Vec<String>)>, D::Error> {
    let lists: Vec<(String, Vec<Shown>)> = pairs(deserializer)?;
    if let Some((name, _)) = lists.iter().find(|(_, values)| values.is_empty()) {
        return Err(refuse(InputError::new(name, "", "at least one value")));
    }
    let texts = |values: Vec<Shown>| values.into_iter().map(|shown| shown.0).collect();
    Ok(lists.into_iter().map(|(name, values)| (name, texts(values))).collect())
}

/// The keys of a column.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ColumnKeys {
    name: String,
    read: String,
    #[serde(default)]
    rule: RuleName,
    sd: Option<f64>,
    sd_obtained: Option<f64>,
    of: Option<f64>,
    of_read: Option<String>,
    of_obtained: Option<f64>,
    #[serde(default, deserialize_with = "whole::<0, 12, _, _>")]
    decimals: Option<usize>,
    because: Option<String>,
}

#[derive(serde::Deserialize, Clone, Copy, PartialEq, Default)]
#[serde(rename_all = "lowercase")]
enum RuleName {
    Exact,
    Normal,
    Share,
    Counts,
    Sample,
    #[default]
    Shown,
}

impl TryFrom<ColumnKeys> for StudyColumn {
    type Error = &'static str;

    fn try_from(keys: ColumnKeys) -> Result<StudyColumn, &'static str> {
        let ColumnKeys { sd, sd_obtained, of, of_read, of_obtained, .. } = keys;
        let is_normal = sd.is_some() || sd_obtained.is_some();
        let is_share = of.is_some() || of_read.is_some() || of_obtained.is_some();
        if [sd, sd_obtained, of, of_obtained]
            .into_iter()
            .flatten()
            .any(|number| !(0.0..=1e15).contains(&number))
        {
            return Err("numbers from 0 to 1e15");
        }
        let rule = match keys.rule {
            RuleName::Normal if !is_share => ComparisonRule::Normal { sd, sd_obtained },
            RuleName::Share if !is_normal => ComparisonRule::Share { of, of_read, of_obtained },
            _ if is_normal || is_share => {
                return Err("sd and sd_obtained with the rule normal only, of… with the rule share only");
            }
            RuleName::Exact => ComparisonRule::Exact,
            RuleName::Counts => ComparisonRule::Counts,
            RuleName::Sample => ComparisonRule::Sample,
            _ => ComparisonRule::Shown,
        };
        let ColumnKeys { name, read, decimals, because, .. } = keys;
        Ok(StudyColumn { name, read, rule, decimals, because })
    }
}
