//! `palestra methods`.

use super::args_tune::MethodsArgs;
use super::external;
use super::output::{Align, Output, table};
use anyhow::Result;
use palestra_core::InputError;
use palestra_tune::OBJECTIVES;
use palestra_tune::methods::{METHODS, MethodInfo};
use serde_json::json;

pub(super) fn run(args: &MethodsArgs, output: &mut Output) -> Result<()> {
    let all = || METHODS.iter().chain(external::METHODS);
    let chosen: Vec<&MethodInfo> = match &args.name {
        None => all().collect(),
        Some(name) => {
            let known = all().map(|method| method.name);
            let method = all().find(|method| method.name == name);
            vec![method.ok_or_else(|| InputError::unknown("method", name, "a method", known))?]
        }
    };
    if output.json {
        for method in chosen {
            let setting = |(name, about, default): &(&str, &str, &str)| json!({ "name": name, "about": about, "default": default });
            let settings: Vec<_> = method.settings.iter().map(setting).collect();
            output.json(&json!({ "method": method.name, "about": method.about, "settings": settings }))?;
        }
        return Ok(());
    }
    for method in &chosen {
        output.heading(method.name)?;
        output.line(format_args!("  {}", method.about))?;
        let row = |(name, about, default): &(&str, &str, &str)| {
            vec![format!("  {name}"), (*default).to_owned(), (*about).to_owned()]
        };
        let rows: Vec<Vec<String>> = method.settings.iter().map(row).collect();
        output.line(table(&rows, &[Align::Left; 3]))?;
    }
    if args.name.is_none() {
        output.heading("Objectives")?;
        let rows = OBJECTIVES.map(|(name, about)| vec![format!("  {name}"), about.to_owned()]);
        output.line(table(&rows, &[Align::Left; 2]))?;
    }
    Ok(())
}
