//! Games that a program lost by a failure: what is kept of them, and what it looks like when they are played again.

use crate::events::Place;
use crate::zoo::zoo;
use serde_json::Value;

/// A run of seven is hard to make, so that games are long.
const LONG_GAME: &str = "connect:7x6x7";

/// An event of one program of the zoo against a built-in player.
fn event(place: &Place, kind: &str, options: &[&str]) -> Value {
    let player = format!("eva=cmd:{} {kind}", zoo().display());
    place.object(&[&["tournament", LONG_GAME, &player, "random", "--name", "cup"][..], options].concat(), 0)
}

/// The games of the event, as objects.
fn games(place: &Place) -> Vec<Value> {
    let ran = place.run(&["event", "cup", "--games", "--json"]);
    ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A loss on time says how its time was measured, in every output.
#[test]
fn a_loss_on_time_is_explained() {
    let place = Place::new("appeals-time");
    event(&place, "hang", &["--clock", "0.1/move"]);
    let game = games(&place).remove(0);
    let time = &game["forfeit"]["time"];
    assert_eq!((&time["allowed_us"], &time["margin_us"]), (&100_000.into(), &200_000.into()), "{game}");
    let micros = |key: &str| time[key].as_u64().unwrap();
    assert!(micros("elapsed_us") >= 300_000 && micros("given_back_us") == micros("waited_us"), "{time}");
    assert!(micros("at_us") > micros("elapsed_us"), "{time}");
    let page = place.run(&["event", "cup", "--player", "eva"]).stdout;
    assert!(page.contains("    allowed 0.100 s with a margin of 0.200 s; it took 0.3"), "{page}");
}

/// A program that always uses the margin loses, and one that may be late does not.
#[test]
fn the_margin_is_not_thinking_time() {
    let place = Place::new("appeals-late");
    let clock = ["--clock", "0.05/move", "--margin-ms", "1000"];
    let value = event(&place, "late 400", &clock);
    let row = value["standings"].as_array().unwrap().iter().find(|row| row["player"] == "eva").unwrap();
    assert_eq!(row["forfeit_kinds"]["time"], 2, "{row}");
    assert_eq!(row["late_moves"], 12);
    assert!(row["late_milliseconds"].as_u64().unwrap() >= 12 * 250, "{row}");
    let game = games(&place).remove(0);
    let detail = game["forfeit"]["detail"].as_str().unwrap();
    assert!(detail.starts_with("late in 6 of ") && detail.ends_with("20 % may be late"), "{detail}");
    let page = place.run(&["event", "cup", "--player", "eva"]).stdout;
    assert!(page.contains("  12 late moves, by "), "{page}");
    let checked = place.run(
        &[&["engine", "check", "connect4", &format!("cmd:{} late 400", zoo().display())][..], &clock]
            .concat(),
    );
    assert_eq!(checked.code, Some(3), "{}", checked.stdout);
    assert!(checked.stdout.contains("late in 6 of "), "{}", checked.stdout);
}
