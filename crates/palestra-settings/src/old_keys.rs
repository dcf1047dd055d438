//! Keys of the version before: accepted with a notice, and written to find what was stored under them.

use crate::document::{Entry, Value};
use crate::{Document, Place};
use palestra_core::InputError;

/// A key that had another name in the version before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyRename {
    /// The section, or the name of several sections, that the key belongs to: `test`, `methods.objective`; empty for
    /// the file itself.
    pub section: &'static str,
    /// The name before.
    pub old: &'static str,
    /// The name now.
    pub new: &'static str,
}

impl Document {
    /// Accepts old spellings of keys: each becomes the present one. Returns a notice for each that was found.
    pub fn rename_old_keys(&mut self, renames: &[KeyRename]) -> Result<Vec<String>, InputError> {
        let mut notices = Vec::new();
        for rename in renames {
            rename_in(&mut self.entries, &self.place, rename.section, (rename, &mut notices))?;
        }
        Ok(notices)
    }
}

fn rename_in(
    entries: &mut [Entry],
    place: &Place,
    section: &str,
    (rename, notices): (&KeyRename, &mut Vec<String>),
) -> Result<(), InputError> {
    let KeyRename { old, new, .. } = *rename;
    if section.is_empty() {
        let is_new_given = entries.iter().any(|entry| entry.key == new);
        let Some(entry) = entries.iter_mut().find(|entry| entry.key == old) else { return Ok(()) };
        if is_new_given {
            let reason = format!("it is the old name of {new}, which is given, too");
            return Err(place.of_key(old, entry.location).not_allowed(reason));
        }
        notices.push(format!("{old} in {} ({}) is now called {new}", place.section_name(), entry.location));
        new.clone_into(&mut entry.key);
        return Ok(());
    }
    let (section, rest) = section.split_once('.').unwrap_or((section, ""));
    let Some(entry) = entries.iter_mut().find(|entry| entry.key == section) else { return Ok(()) };
    let place = place.of_key(section, entry.location);
    match &mut entry.value {
        Value::Table(inner) => rename_in(inner, &place, rest, (rename, notices)),
        Value::List(items) => items.iter_mut().try_for_each(|(item, _)| match item {
            Value::Table(inner) => rename_in(inner, &place, rest, (rename, notices)),
            _ => Ok(()),
        }),
        _ => Ok(()),
    }
}

/// A plan that this version printed, with the old names of its keys: to find what was stored under its old text.
///
/// Keys must start their line, or stand in an inline table that does (`objective = { name = "league" }`).
#[must_use]
pub fn old_spelling(plan: &str, renames: &[KeyRename]) -> String {
    let mut section = String::new();
    let mut text = String::new();
    for line in plan.lines() {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_matches(['[', ']']).to_owned();
        }
        let mut line = line.to_owned();
        for KeyRename { section: of, old, new } in renames {
            if *of == section {
                if let Some(value) = line.strip_prefix(new).filter(|value| value.starts_with(" = ")) {
                    line = format!("{old}{value}");
                }
            } else if let Some((outer, inner)) = of.rsplit_once('.')
                && outer == section
                && line.starts_with(&format!("{inner} = {{"))
            {
                line = line.replace(&format!(", {new} = "), &format!(", {old} = "));
            }
        }
        text.push_str(&line);
        text.push('\n');
    }
    text
}
