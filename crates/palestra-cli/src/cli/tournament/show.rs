//! `palestra event`: shows and exports an event of the store.

use super::written::{check, export, print, superiority};
use crate::cli::args::CommonArgs;
use crate::cli::args_event::EventArgs;
use crate::cli::event::{PlayerPageDetail, TerminalStyle, game_line, game_list, player_page, summary};
use crate::cli::output::Output;
use crate::cli::store;
use crate::games;
use anyhow::Result;
use palestra_core::{InputError, nearest_name};
use palestra_review::event::EventReview;
use palestra_review::event::text::plain;
use palestra_store::{EVENT, EventGame, Store};
use std::path::Path;

pub(in crate::cli) fn run(args: &EventArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    check(&args.exports)?;
    let store = store::open_for_reading(common)?;
    let run = store.run(&args.event)?;
    if run.kind != EVENT {
        let expected = format!("an event; {} is a {} run (see palestra run show)", run.name, run.kind);
        return Err(InputError::new("event", &args.event, expected).into());
    }
    let review = EventReview::open(&store, run, games())?;
    if let [name, folder] = &args.files[..] {
        write_files(&review, name, folder, &store, output)?;
    } else if let Some(name) = &args.player {
        print_player(&review, name, &store, output)?;
    } else if args.games {
        let games = review.games(&store)?;
        if output.json {
            let lines = review.with_evidence(&games, &store, |game| game_line(&review.run.name, game))?;
            lines.iter().try_for_each(|line| output.json(line))?;
        } else {
            output.line(game_list(&games, style(output)).trim_end())?;
        }
    } else if args.superiority && !output.json {
        output.line(superiority(&review, style(output)).trim_end())?;
    } else {
        print(&review, output)?;
    }
    export(&review, &args.exports, &store)
}

/// Writes the files of a player's program as they were when it last played.
fn write_files(
    review: &EventReview,
    name: &str,
    folder: &str,
    store: &Store,
    output: &mut Output,
) -> Result<()> {
    let player = player_of(review, "--files", name)?;
    let place = Path::new(folder);
    if place.read_dir().is_ok_and(|mut entries| entries.next().is_some()) {
        return Err(InputError::new("--files", folder, "a folder that is empty or does not exist").into());
    }
    let written = palestra_event::unpack_program(store, &review.field.entrants[player].key, place);
    if !written.map_err(|error| anyhow::anyhow!(error))? {
        let expected = "a player with archived files: an external engine of an event of this version, \
                        not larger than archive_mb of the plan";
        return Err(InputError::new("--files", name, expected).into());
    }
    output.line(format_args!("the files of {} are in {folder}", plain(name)))
}

/// The number of a player of an event.
fn player_of(review: &EventReview, option: &str, name: &str) -> Result<usize> {
    let names = || review.field.entrants.iter().map(|entrant| entrant.name.as_str());
    let found = names().position(|known| known == name);
    Ok(found.ok_or_else(|| {
        let expected = format!("a player of {}", review.run.name);
        InputError::new(option, name, expected).with_nearest(nearest_name(name, names()))
    })?)
}

fn style(output: &Output) -> TerminalStyle {
    TerminalStyle { color: output.color, ..TerminalStyle::default() }
}

fn print_player(review: &EventReview, name: &str, store: &Store, output: &mut Output) -> Result<()> {
    let player = player_of(review, "--player", name)?;
    let Some(event) = review.report() else { return output.line("no games yet") };
    let games = review.games(store)?;
    if output.json {
        let mut summary = summary(&event);
        let rows = summary["standings"].as_array().cloned().unwrap_or_default();
        let row = rows.into_iter().find(|row| row["player"] == name);
        summary["standings"] = serde_json::json!(row.into_iter().collect::<Vec<_>>());
        let is_own = |game: &&EventGame| game.place.first == name || game.place.second == name;
        let lines: Vec<_> =
            games.iter().filter(is_own).map(|game| game_line(&review.run.name, game)).collect();
        return output.json(&serde_json::json!({ "player": summary["standings"][0], "games": lines }));
    }
    let own_failures =
        |game: &EventGame| game.game.record.culprit().is_some_and(|culprit| game.place.name(culprit) == name);
    // The evidence of other games is not shown, and reading it takes long.
    let mut games = games;
    for game in games.iter_mut().filter(|game| own_failures(game)) {
        game.game.record.evidence = store.event_game(game.id)?.1.game.record.evidence;
    }
    output.line(player_page(&event, &games, player, PlayerPageDetail::STAFF, style(output)).trim_end())
}
