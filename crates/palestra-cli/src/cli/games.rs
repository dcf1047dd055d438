//! `palestra games`.

use super::args::GamesArgs;
use super::output::{Align, Output, number, table};
use crate::games;
use anyhow::Result;
use palestra_arena::EvaluationTexts;
use palestra_core::FamilyInfo;
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
    output.line("Details: palestra games NAME")
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
        output.heading("Exact values (palestra solve)")?;
        output.line(format_args!("{}.\n", family.exact))?;
    }
    if !family.pools.is_empty() {
        output.heading("Pools of boards (palestra tune)")?;
        let row = |pool: &palestra_core::BoardPool| {
            vec![format!("  {}/{}", family.name, pool.name), pool.about.to_owned()]
        };
        let rows: Vec<Vec<String>> = family.pools.iter().map(row).collect();
        output.line(table(&rows, &[Align::Left; 2]))?;
    }
    output.heading(&format!("Evaluations, with ranges on {}", game.name()))?;
    for evaluation in game.evaluations() {
        output.line(format_args!("{}: {}", evaluation.name, evaluation.about))?;
        let row = |feature: &palestra_core::Feature| {
            let range = match (evaluation.linear, feature.unit == 1.0) {
                (false, _) => String::new(),
                (true, true) => format!("{} to {}", feature.low, feature.high),
                (true, false) => format!("{} to {}, × {}", feature.low, feature.high, number(feature.unit)),
            };
            let fixed =
                feature.fixed.map_or(String::new(), |weight| format!(" (weight always {})", number(weight)));
            vec![format!("  {}", feature.name), range, format!("{}{fixed}", feature.meaning)]
        };
        let rows: Vec<Vec<String>> = evaluation.features.iter().map(row).collect();
        output.line(table(&rows, &[Align::Left; 3]))?;
    }
    output.line(format_args!("Players: palestra players {name}    Play: palestra play {}", game.name()))
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
