//! `palestra players`.

use super::args::PlayersArgs;
use super::long_sets;
use super::output::{Align, Output, table};
use crate::games;
use anyhow::Result;
use palestra_arena::{DICE, NOISE, PERFECT, POLICIES};
use palestra_core::{FamilyInfo, named_players};
use palestra_search::SEARCHES;
use serde_json::json;

/// A search, evaluation, policy or player of the list.
struct PlayerListRow {
    kind: &'static str,
    name: String,
    player: String,
    about: String,
}

pub(super) fn run(args: &PlayersArgs, output: &mut Output) -> Result<()> {
    let families: Vec<&'static FamilyInfo> = match &args.game {
        Some(name) => {
            let family = games().family(name)?;
            if name != family.name {
                games().open(name)?;
            }
            vec![family]
        }
        None => games().families().collect(),
    };
    let mut general = Vec::new();
    for info in SEARCHES {
        let keys: Vec<&str> = info.parameters.iter().map(|parameter| parameter.key).collect();
        let about = format!("{} (parameters: {})", info.about, keys.join(", "));
        general.push(listed("search", info.name, &format!("{}/EVALUATION/WEIGHTS", info.name), &about));
    }
    general.push(listed("evaluation", NOISE.0, "SEARCH/noise", NOISE.1));
    general.push(listed("evaluation", DICE.0, "SEARCH/dice", DICE.1));
    general.extend(POLICIES.iter().map(|(name, about)| listed("policy", name, name, about)));
    if output.json {
        for item in &general {
            output.json(
                &json!({ "kind": item.kind, "name": item.name, "player": item.player, "about": item.about }),
            )?;
        }
    } else {
        output.heading("Searches, evaluations and policies of every game")?;
        let rows: Vec<Vec<String>> = general
            .iter()
            .map(|item| vec![item.name.clone(), item.kind.to_owned(), item.about.clone()])
            .collect();
        output.line(table(&rows, &[Align::Left; 3]))?;
    }
    for family in &families {
        list_family(family, output)?;
    }
    if !output.json {
        output.line("A player is search[:key=value,…]/evaluation/weights, for example:")?;
        output.line(format_args!("  {}", examples(&families)?.join("    ")))?;
    }
    Ok(())
}

/// Player strings for the first family: a named player with weights, and the default opponent.
fn examples(families: &[&'static FamilyInfo]) -> Result<Vec<String>> {
    let Some(family) = families.first() else { return Ok(Vec::new()) };
    let has_weights = |player: &str| player.matches('/').count() == 2 && long_sets::player(player) == player;
    let named = named_players(family.players).map(|named| named.player).find(|player| has_weights(player));
    let opponent = games().open(family.samples[0])?.opponent();
    Ok(named.map(str::to_owned).into_iter().chain([opponent.to_string()]).collect())
}

fn listed(kind: &'static str, name: &str, player: &str, about: &str) -> PlayerListRow {
    PlayerListRow { kind, name: name.to_owned(), player: player.to_owned(), about: about.to_owned() }
}

fn list_family(family: &'static FamilyInfo, output: &mut Output) -> Result<()> {
    let game = games().open(family.samples[0])?;
    let evaluations = game.evaluations();
    let players: Vec<_> = named_players(family.players).collect();
    let perfect = (!family.exact.is_empty()).then_some(PERFECT);
    if output.json {
        for evaluation in evaluations {
            output.json(&json!({
                "kind": "evaluation", "family": family.name, "name": evaluation.name,
                "weights": evaluation.weights(), "about": evaluation.about,
            }))?;
        }
        for policy in game.policies() {
            output.json(&json!({
                "kind": "policy", "family": family.name, "name": policy.name,
                "player": policy.name, "about": policy.about,
            }))?;
        }
        if let Some((name, about)) = perfect {
            output.json(&json!({
                "kind": "policy", "family": family.name, "name": name, "player": name, "about": about,
            }))?;
        }
        for player in players {
            output.json(&json!({
                "kind": "named", "family": family.name, "name": player.name,
                "player": player.player, "about": player.about,
            }))?;
        }
        return Ok(());
    }
    output.heading(&format!("Evaluations of {}", family.name))?;
    let rows: Vec<Vec<String>> = evaluations
        .iter()
        .map(|evaluation| {
            let weights = match evaluation.weights().as_slice() {
                [] => "no weights".to_owned(),
                names => format!("weights: {}", long_sets::names(names)),
            };
            vec![evaluation.name.to_owned(), weights]
        })
        .collect();
    output.line(table(&rows, &[Align::Left; 2]))?;
    output.heading(&format!("Named players of {}", family.name))?;
    let policies = game.policies().iter().map(|policy| [policy.name, "", policy.about]);
    let perfect = perfect.map(|(name, about)| [name, "", about]);
    let players = players.iter().map(|player| [player.name, player.player, player.about]);
    let row =
        |[name, player, about]: [&str; 3]| vec![name.to_owned(), long_sets::player(player), about.to_owned()];
    let rows: Vec<Vec<String>> = policies.chain(perfect).chain(players).map(row).collect();
    output.line(table(&rows, &[Align::Left; 3]))
}
