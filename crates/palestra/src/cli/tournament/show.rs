//! `palestra event`: an event of the store, looked at.

use super::review::{Review, game_list, player_page};
use super::{KEYS, board_of, book::Kept, control_of, field::Field, open_boards, terms_of};
use crate::GAMES;
use crate::cli::args::Common;
use crate::cli::args_event::EventArgs;
use crate::cli::event::{Look, game_line, summary};
use crate::cli::output::Output;
use crate::cli::store;
use anyhow::Result;
use palestra_core::{BadText, nearest_name};
use palestra_settings::Settings;
use palestra_store::{EVENT, EventGame, Run, Store};
use palestra_tournament::{Desk, Driver, Failure, Format, GameOrder, Plan, Results, Venue, Watch};

pub(in crate::cli) fn run(args: &EventArgs, common: &Common, output: &mut Output) -> Result<()> {
    let store = store::look(common)?;
    let run = store.run(&args.event)?;
    if run.kind != EVENT {
        let expected = format!("an event: {} is a run of {} (see palestra run show)", run.name, run.kind);
        return Err(BadText::new("event", &args.event, expected).into());
    }
    let (plan, keys) = read_stored(&run)?;
    let boards = open_boards(&plan)?;
    let board = board_of(&boards)?;
    let field = Field::of(&plan, board, Some(&keys))?;
    let games = store.event_games(run.id)?;
    let review = look_back(run, &plan, &field, board.family().name, &games)?;
    if let Some(name) = &args.player {
        print_player(&review, name, &store, output)?;
    } else if args.games {
        let games = review.games(&store)?;
        if output.json {
            let lines = review.with_evidence(&games, &store, |game| game_line(&review.run.name, game))?;
            lines.iter().try_for_each(|line| output.json(line))?;
        } else {
            output.line(game_list(&games, look(output)).trim_end())?;
        }
    } else if args.superiority && !output.json {
        output.line(review.superiority(look(output)).trim_end())?;
    } else {
        review.print(output)?;
    }
    review.export(&args.exports, &store)
}

fn look(output: &Output) -> Look {
    Look { color: output.color, ..Look::default() }
}

fn print_player(review: &Review<'_>, name: &str, store: &Store, output: &mut Output) -> Result<()> {
    let names = || review.field.entrants.iter().map(|entrant| entrant.name.as_str());
    let Some(player) = names().position(|known| known == name) else {
        let nearest = nearest_name(name, names()).map(str::to_owned);
        let bad =
            BadText { nearest, ..BadText::new("player", name, format!("a player of {}", review.run.name)) };
        return Err(bad.into());
    };
    let Some(event) = review.event() else { return output.line("nothing was played yet") };
    let games = review.games(store)?;
    if output.json {
        let mut summary = summary(&event);
        let rows = summary["standings"].as_array().cloned().unwrap_or_default();
        let row = rows.into_iter().find(|row| row["player"] == name);
        summary["standings"] = serde_json::json!(row.into_iter().collect::<Vec<_>>());
        let is_own = |game: &&EventGame| game.first == name || game.second == name;
        let lines: Vec<_> =
            games.iter().filter(is_own).map(|game| game_line(&review.run.name, game)).collect();
        return output.json(&serde_json::json!({ "player": summary["standings"][0], "games": lines }));
    }
    output.line(player_page(&event, &games, player, look(output)).trim_end())
}

/// What the programs of an event were, by name.
pub(super) type Keys = Vec<(String, [u8; 32])>;

/// The plan of an event in the store, and what its programs were.
pub(super) fn read_stored(run: &Run) -> Result<(Plan, Keys)> {
    let mut settings = Settings::parse(&run.plan, &format!("the plan of {}", run.name))?;
    let mut keys = Vec::new();
    if settings.has(KEYS) {
        let (table, _) =
            run.plan.rsplit_once(&format!("[{KEYS}]")).map(|(_, table)| (table, ())).unwrap_or_default();
        for line in table.lines() {
            if let Some((name, key)) = line.rsplit_once(" = ") {
                let name: String = serde_json::from_str(name)?;
                keys.push((name, bytes_of(key.trim_matches('"'))));
            }
        }
        settings.take(KEYS);
    }
    Ok((Plan::read(settings, &GAMES)?, keys))
}

fn bytes_of(hex: &str) -> [u8; 32] {
    let mut bytes = [0; 32];
    for (byte, digits) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)) {
        *byte =
            std::str::from_utf8(digits).ok().and_then(|text| u8::from_str_radix(text, 16).ok()).unwrap_or(0);
    }
    bytes
}

/// Goes through the schedule again with the games that are known.
pub(super) fn look_back<'a>(
    run: Run,
    plan: &'a Plan,
    field: &'a Field,
    family: &'static str,
    games: &[EventGame],
) -> Result<Review<'a>> {
    let terms = terms_of(field, &control_of(plan)?);
    let book = Kept::new(None, family, &field.entrants, games, false, None, &run.name);
    let mut format = plan.open(&field.entrants, Some(&GAMES))?;
    let what = format.describe();
    let mut results = Results::new(field.entrants.len(), plan.quarantine);
    let driver =
        Driver { entrants: &field.entrants, terms: &terms, venue: &Nowhere, book: &book, watch: &Onlooker };
    driver.run(&mut format, &mut results).map_err(|failure| anyhow::anyhow!(failure))?;
    let outcome: serde_json::Value = serde_json::from_str(run.outcome.as_deref().unwrap_or("null"))?;
    let warnings = serde_json::from_value(outcome["notes"].clone()).unwrap_or_default();
    Ok(Review::new(run, plan, field, terms, (results, &format, what), warnings))
}

/// Nothing is played for somebody who only looks.
struct Nowhere;

impl Venue for Nowhere {
    fn play(&self, _games: &[GameOrder], _desk: &dyn Desk) -> Result<(), Failure> {
        Ok(())
    }
}

struct Onlooker;

impl Watch for Onlooker {
    fn go_on(&self) -> bool {
        false
    }

    fn has_time(&self) -> bool {
        false
    }
}
