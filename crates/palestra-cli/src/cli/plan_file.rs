//! Plan files: old keys with a notice, and keys overridden by `--set`.

use super::output::note_old_names;
use palestra_core::InputError;
use palestra_settings::{Document, KeyRename};
use std::path::Path;

/// Reads a plan file; see [`parse`].
pub(super) fn read(path: &Path, renames: &[KeyRename], set: &[String]) -> Result<Document, InputError> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| InputError::new("the plan", &name, format!("a readable file ({error})")))?;
    parse(&text, &name, renames, set)
}

/// Parses a plan file. Keys of `renames` get their present names, with a notice; `set` has the values of `--set`.
pub(super) fn parse(
    text: &str,
    name: &str,
    renames: &[KeyRename],
    set: &[String],
) -> Result<Document, InputError> {
    let mut settings = Document::parse(text, name)?;
    let mut notices = settings.rename_old_keys(renames)?;
    for setting in set {
        let (key, value) = setting.split_once('=').ok_or_else(|| {
            InputError::new("--set", setting, "KEY=VALUE, such as seed=2 or method.sigma=0.2")
        })?;
        let key = key.trim();
        let present = present_name(key, renames);
        if present != key {
            notices.push(format!("{key} (given with --set) is now called {present}"));
        }
        settings.set(&present, value.trim())?;
    }
    note_old_names(&notices);
    Ok(settings)
}

/// The present name of a key of `--set`: `test.openings` is `test.opening_plies`.
fn present_name(key: &str, renames: &[KeyRename]) -> String {
    let (section, name) = key.rsplit_once('.').unwrap_or(("", key));
    match renames.iter().find(|rename| rename.section == section && rename.old == name) {
        Some(rename) if section.is_empty() => rename.new.to_owned(),
        Some(rename) => format!("{section}.{}", rename.new),
        None => key.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_takes_old_names() {
        let settings = |set: &str| {
            let file = "openings = 2\n[test]\npairs = 20\n";
            parse(file, "plan.toml", &palestra_tune::OLD_KEYS, &[set.to_owned()])
                .map(|settings| settings.to_toml())
                .map_err(|bad| bad.to_string())
        };
        assert_eq!(settings("openings=4").unwrap(), "opening_plies = 4\ntest = { pairs = 20 }\n");
        assert_eq!(settings("opening_plies=4").unwrap(), "opening_plies = 4\ntest = { pairs = 20 }\n");
        assert_eq!(
            settings("test.openings = 3").unwrap(),
            "opening_plies = 2\ntest = { pairs = 20, opening_plies = 3 }\n"
        );
        assert_eq!(
            settings("seed"),
            Err("invalid value \"seed\" for --set: expected KEY=VALUE, such as seed=2 or method.sigma=0.2"
                .into())
        );
    }
}
