//! Keys of the version before: accepted with a notice, and written to find what was stored under them.

use crate::{Setting, Settings};
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

impl Settings {
    /// Accepts old spellings of keys: each becomes the present one. Returns a notice for each that was found.
    pub fn rename_old_keys(&mut self, renames: &[KeyRename]) -> Result<Vec<String>, InputError> {
        let mut notices = Vec::new();
        for rename in renames {
            self.rename_key(rename.section, rename, &mut notices)?;
        }
        Ok(notices)
    }

    fn rename_key(
        &mut self,
        section: &str,
        rename: &KeyRename,
        notices: &mut Vec<String>,
    ) -> Result<(), InputError> {
        if !section.is_empty() {
            let (section, rest) = section.split_once('.').unwrap_or((section, ""));
            let entry = self.entries.iter_mut().find(|entry| entry.key == section);
            match entry.map(|entry| &mut entry.value) {
                Some(Setting::Table(table)) => table.rename_key(rest, rename, notices)?,
                Some(Setting::List(items)) => {
                    for (item, _) in items {
                        if let Setting::Table(table) = item {
                            table.rename_key(rest, rename, notices)?;
                        }
                    }
                }
                _ => {}
            }
            return Ok(());
        }
        let KeyRename { old, new, .. } = *rename;
        if !self.has(old) {
            return Ok(());
        }
        if self.has(new) {
            return Err(self.not_allowed(old, format!("it is the old name of {new}, which is given, too")));
        }
        notices.push(format!("{old} in {} ({}) is now called {new}", self.name, self.location_of(old)));
        for entry in self.entries.iter_mut().filter(|entry| entry.key == old) {
            new.clone_into(&mut entry.key);
        }
        Ok(())
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
