//! `palestra games`.

use super::args::GamesArgs;
use super::long_sets::SHOWN;
use super::output::{Align, Output, number, table};
use crate::games;
use anyhow::Result;
use palestra_arena::{EvaluationTexts, program_name};
use palestra_core::{FamilyInfo, Feature};
use serde_json::json;

pub(super) fn run(args: &GamesArgs, output: &mut Output) -> Result<()> {
    match &args.game {
        None => list(output),
        Some(name) => {
            let family = games().family(name)?;
            // A family is shown by its first sample; a game string by itself.
            let game = if *name == family.name { family.samples[0] } else { name };
            one(family, game, output)
        }
    }
}

fn list(output: &mut Output) -> Result<()> {
    if output.json {
        for info in games().families() {
            output.json(&describe(info))?;
        }
        return Ok(());
    }
    let mut rows = vec![vec!["game".to_owned(), "also".to_owned(), "title".to_owned()]];
    for info in games().families() {
        let aliases: Vec<&str> = info.aliases.iter().map(|(alias, _)| *alias).collect();
        rows.push(vec![info.syntax.to_owned(), aliases.join(", "), info.title.to_owned()]);
    }
    output.line(table(&rows, &[Align::Left; 3]))?;
    output.line(format_args!("Details: {} games NAME", program_name()))
}

fn describe(info: &FamilyInfo) -> serde_json::Value {
    let aliases: serde_json::Map<_, _> =
        info.aliases.iter().map(|(alias, game)| ((*alias).to_owned(), json!(game))).collect();
    json!({ "name": info.name, "title": info.title, "syntax": info.syntax, "aliases": aliases })
}

fn one(family: &'static FamilyInfo, name: &str, output: &mut Output) -> Result<()> {
    let game = games().open(name)?;
    if output.json {
        let mut value = describe(family);
        value["game"] = json!(game.name());
        value["rules"] = json!(family.rules);
        value["notation"] = json!(family.notation);
        value["exact"] = json!(family.exact);
        value["parameters"] =
            family.parameters.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect();
        let pool = |pool: &palestra_core::BoardPool| json!({ "name": format!("{}/{}", family.name, pool.name), "about": pool.about });
        value["pools"] = family.pools.iter().map(pool).collect();
        value["evaluations"] = game.evaluations().iter().map(evaluation_json).collect();
        return output.json(&value);
    }
    let program = program_name();
    output.heading(family.title)?;
    output.line("")?;
    output.line(family.rules)?;
    output.heading("Game string")?;
    output.line(family.syntax)?;
    let rows: Vec<Vec<String>> = family
        .parameters
        .iter()
        .map(|(name, about)| vec![format!("  {name}"), (*about).to_owned()])
        .collect();
    output.line(table(&rows, &[Align::Left; 2]).trim_end())?;
    for (alias, game) in family.aliases {
        output.line(format_args!("  {alias} is {game}"))?;
    }
    output.line("")?;
    output.heading("Notation")?;
    output.line(family.notation)?;
    if !family.exact.is_empty() {
        output.heading(&format!("Exact values ({program} solve)"))?;
        output.line(format_args!("{}.\n", family.exact.trim_end_matches('.')))?;
    }
    if !family.pools.is_empty() {
        output.heading(&format!("Pools of boards ({program} tune)"))?;
        let row = |pool: &palestra_core::BoardPool| {
            vec![format!("  {}/{}", family.name, pool.name), pool.about.to_owned()]
        };
        let rows: Vec<Vec<String>> = family.pools.iter().map(row).collect();
        output.line(table(&rows, &[Align::Left; 2]))?;
    }
    output.heading(&format!("Evaluations, with ranges on {}", game.name()))?;
    for evaluation in game.evaluations() {
        output.line(format_args!("{}: {}", evaluation.name, evaluation.about))?;
        let row = |alike: &[Feature]| {
            let feature = &alike[0];
            let range = match (evaluation.linear, feature.unit == 1.0) {
                (false, _) => String::new(),
                (true, true) => format!("{} to {}", feature.low, feature.high),
                (true, false) => format!("{} to {}, × {}", feature.low, feature.high, number(feature.unit)),
            };
            let fixed =
                feature.fixed.map_or(String::new(), |weight| format!(" (weight always {})", number(weight)));
            let name = match alike {
                [first, .., last] => format!("{} … {} ({})", first.name, last.name, alike.len()),
                _ => feature.name.to_owned(),
            };
            vec![format!("  {name}"), range, format!("{}{fixed}", feature.meaning)]
        };
        let rows: Vec<Vec<String>> = rows_of(&evaluation.features).into_iter().map(row).collect();
        output.line(table(&rows, &[Align::Left; 3]))?;
    }
    output.line(format_args!("Players: {program} players {name}    Play: {program} play {}", game.name()))
}

/// The features of each row of the table: one feature, or many successive ones that differ only in their names.
fn rows_of(features: &[Feature]) -> Vec<&[Feature]> {
    let are_alike = |a: &Feature, b: &Feature| Feature { name: b.name, ..a.clone() } == *b;
    let runs = features.chunk_by(are_alike);
    runs.flat_map(|run| run.chunks(if run.len() > SHOWN { run.len() } else { 1 })).collect()
}

fn evaluation_json(evaluation: &EvaluationTexts) -> serde_json::Value {
    let feature = |feature: &palestra_core::Feature| {
        let mut value = json!({ "name": feature.name, "meaning": feature.meaning });
        if evaluation.linear {
            value["low"] = json!(feature.low);
            value["high"] = json!(feature.high);
            value["unit"] = json!(feature.unit);
            value["fixed"] = json!(feature.fixed);
        }
        value
    };
    json!({
        "name": evaluation.name,
        "about": evaluation.about,
        "linear": evaluation.linear,
        "features": evaluation.features.iter().map(feature).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_features_of_one_meaning_share_a_row() {
        let few = [Feature::new("a", "discs", 0, 1), Feature::new("b", "discs", 0, 1)];
        assert_eq!(rows_of(&few).len(), 2);
        let mut many = vec![Feature::new("a", "discs", 0, 1); 30];
        assert_eq!(rows_of(&many).len(), 1);
        many.push(Feature::new("b", "discs", 0, 2));
        assert_eq!(rows_of(&many).iter().map(|row| row.len()).collect::<Vec<_>>(), [30, 1]);
    }
}
