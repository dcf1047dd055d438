//! Rosters of submissions: names, groups, teams, and students who handed in nothing.

use crate::events::Place;
use crate::submissions::{EVENT, course, put};
use serde_json::json;
use std::fs;

const ROSTER: &str = "\u{feff}identifier,name,email,folder,group\n\
    100,Ana,a@x,\"García, Ana_12345\",morning\n\
    101,Luis,l@x,\"ana,start=game\",evening\n\
    102,Leo,o@x,\"ana,start=game\",evening\n\
    103,Kim,k@x,kim,evening\n";

fn with_roster(name: &str, roster: &str) -> Place {
    let place = course(name);
    fs::write(place.0.join("students.csv"), roster).unwrap();
    place
}

fn rostered(more: &[&'static str]) -> Vec<&'static str> {
    [&EVENT[..], &["--roster", "students.csv"], more].concat()
}

/// The players of the plan that `--print-plan` prints, by name.
fn plan_of(place: &Place, words: &[&str]) -> toml::Table {
    let ran = place.run(&[words, &["--print-plan"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let plan: toml::Table = ran.stdout.parse().unwrap();
    let players = plan["player"].as_array().unwrap().iter();
    players.map(|player| (player["name"].as_str().unwrap().to_owned(), player.clone())).collect()
}

#[test]
fn a_roster_names_players_and_teams() {
    let place = with_roster("roster-names", ROSTER);
    let players = plan_of(&place, &rostered(&[]));
    let names: Vec<&String> = players.keys().collect();
    assert_eq!(names, ["Ana", "ana,start=game", "eva "]);
    let ana = &players["Ana"];
    assert_eq!((ana["group"].as_str(), ana["identifier"].as_str()), (Some("morning"), Some("100")));
    let students = players["ana,start=game"]["students"].as_array().unwrap();
    assert_eq!(students.len(), 2);
    assert_eq!(
        (students[1]["name"].as_str(), students[1]["identifier"].as_str()),
        (Some("Leo"), Some("102"))
    );
    let ran = place.run(&rostered(&[]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("folder eva  is not in students.csv"), "{}", ran.stderr);
    assert!(ran.stderr.contains("no folder kim (line 5 of students.csv): Kim is left out"), "{}", ran.stderr);
    // A plan has it as a key, relative to the plan.
    let plan = "game = \"connect4\"\nformat = \"round-robin\"\nplayers = \"handed-in/*\"\nroster = \"students.csv\"\n";
    fs::write(place.0.join("cup.toml"), plan).unwrap();
    let elsewhere = Place::new("roster-elsewhere");
    assert_eq!(plan_of(&elsewhere, &["tournament", "../roster-names/cup.toml"]).len(), 3);
}

#[test]
fn who_handed_in_nothing_is_left_out_by_name() {
    let place = with_roster("roster-absent", ROSTER);
    let value = place.object(&rostered(&["--csv", "marks.csv"]), 0);
    let left_out = json!([
        { "player": "Kim", "reason": "no submission", "group": "evening", "identifier": "103" }
    ]);
    assert_eq!(value["left_out"], left_out);
    let rows = value["standings"].as_array().unwrap();
    let row = |player: &str| rows.iter().find(|row| row["player"] == player).unwrap();
    assert_eq!((&row("Ana")["group"], &row("Ana")["identifier"]), (&json!("morning"), &json!("100")));
    let team = json!([{ "name": "Luis", "identifier": "101" }, { "name": "Leo", "identifier": "102" }]);
    assert_eq!(row("ana,start=game")["students"], team);
    let marks = fs::read_to_string(place.0.join("marks.csv")).unwrap();
    assert!(marks.contains("left out: no submission"), "{marks}");
}

#[test]
fn a_wrong_roster_is_refused_with_its_line() {
    let place = course("roster-wrong");
    for (roster, part) in [
        (
            "name,fodler\nAna,eva\n",
            "line 1 of students.csv): expected a column folder (folder,name,group,identifier); did you mean \"folder\"?",
        ),
        ("folder,name\na,Ana\nb,Ana\n", "invalid value \"Ana\" for name (line 3 of students.csv)"),
    ] {
        fs::write(place.0.join("students.csv"), roster).unwrap();
        let ran = place.run(&rostered(&[]));
        assert_eq!(ran.code, Some(2), "{}", ran.stderr);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    fs::write(place.0.join("students.csv"), ROSTER).unwrap();
    let ran = place.run(&["tournament", "connect4", "grid-5", "random", "--roster", "students.csv"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("there are no submissions"), "{}", ran.stderr);
    assert!(!place.0.join("palestra.db").exists());
}

/// The name of a player is not the student's choice.
#[test]
fn a_name_in_player_toml_has_no_effect() {
    let place = course("roster-own-name");
    let file = place.0.join("handed-in/eva /player.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("name = \"García, Ana_12345\"\n{text}")).unwrap();
    let ran = place.run(&EVENT);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("name is not used"), "{}", ran.stderr);
    assert!(ran.stdout.contains("eva "), "{}", ran.stdout);
}

/// An event that is resumed from the store still knows who was left out, and why.
#[cfg(unix)]
#[test]
fn a_resumed_event_keeps_who_was_left_out() {
    let place = with_roster("roster-resumed", ROSTER);
    put(&place, "hugo", "");
    put(&place, "eva ", "command = [\"./zoo\", \"late\", \"50\"]\n");
    let all = || {
        let value = place.object(&["event", "cup"], 0);
        let left_out = value["left_out"].as_array().unwrap().iter();
        left_out.map(|row| row["player"].as_str().unwrap().to_owned()).collect::<Vec<String>>()
    };
    crate::resume::interrupt(&place, &rostered(&["--skip-invalid", "--cycles", "20"]), "cup");
    assert_eq!(all(), ["hugo", "Kim"]);
    let ran = place.run(&["run", "resume", "cup"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(all(), ["hugo", "Kim"]);
}
