//! Tests of the output of an event.

use super::fake::{FakeEvent, NAMES};
use super::*;
use std::collections::BTreeMap;

fn style() -> TerminalStyle {
    TerminalStyle { width: 200, ..TerminalStyle::default() }
}

#[test]
fn the_table_reads_well() {
    let fake = FakeEvent::new();
    insta::assert_snapshot!(final_table(&fake.event(), style()));
}

#[test]
fn crosstables_read_well() {
    let fake = FakeEvent::new();
    let standings = &fake.stages[0].standings;
    let text = format!("{}\n{}", crosstable(standings, style()), superiority(standings, style()));
    insta::assert_snapshot!(text);
    let narrow = TerminalStyle { width: 60, ..style() };
    let lines = crosstable(standings, narrow);
    assert!(lines.starts_with("Points of the row"), "{lines}");
    assert!(lines.lines().all(|line| line.chars().count() <= 65), "{lines}");
}

#[test]
fn players_read_well() {
    let fake = FakeEvent::new();
    let pages = [0, 3, 6]
        .map(|player| player_page(&fake.event(), &fake.games, player, PlayerPageDetail::STAFF, style()));
    insta::assert_snapshot!(pages.join("\n----\n"));
}

/// The text for the student has no commands of the machine, and more of what the program wrote.
#[test]
fn the_text_for_a_student_reads_well() {
    let fake = FakeEvent::new();
    let text = player_page(&fake.event(), &fake.games, 6, PlayerPageDetail::STUDENT, style());
    let failures = text.split("\nFailures\n").nth(1).unwrap().split("\n\n").next().unwrap();
    for line in ["→ go", "stderr: Traceback:", "stderr:   <b>IndexError</b>", "crash: exit code 3"] {
        assert!(failures.contains(line), "{failures}");
    }
    assert!(!text.contains("cmd:") && !text.contains("replay"), "{text}");
}

#[test]
fn margins_have_no_tie_breaks() {
    let mut fake = FakeEvent::new();
    assert!(final_table(&fake.event(), style()).contains("S–B"));
    fake.points = palestra_tournament::PointSystem::Margin;
    assert!(!final_table(&fake.event(), style()).contains("S–B"));
}

#[test]
fn games_are_listed() {
    let fake = FakeEvent::new();
    let list = game_list(&fake.games[..12], style());
    insta::assert_snapshot!(list);
    assert!(game_list(&fake.games, style()).lines().count() == fake.games.len() + 1);
}

/// Control characters of names do not reach the terminal.
#[test]
fn control_characters_are_removed() {
    let fake = FakeEvent::new();
    let event = fake.event();
    let standings = &fake.stages[0].standings;
    let mut all = vec![
        final_table(&event, style()),
        crosstable(standings, style()),
        superiority(standings, style()),
        game_list(&fake.games, style()),
    ];
    all.extend(
        (0..NAMES.len())
            .map(|player| player_page(&event, &fake.games, player, PlayerPageDetail::STUDENT, style())),
    );
    for text in &all {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
    let colored = final_table(&event, TerminalStyle { color: true, ..style() });
    assert!(colored.contains("\x1b[1m") && !colored.contains("\x1b[31m\x1b"), "{colored:?}");
}

#[test]
fn long_tables_are_cut() {
    let fake = FakeEvent::long(300);
    let text = final_table(&fake.event(), style());
    assert!(text.contains("… and 280 more: palestra event cup --csv FILE"), "{text}");
    assert_eq!(text.lines().take_while(|line| !line.starts_with('…')).count(), 21);
    assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
    let table = crosstable(&fake.stages[0].standings, style());
    assert!(table.lines().count() < 30, "{table}");
}

/// Parses tags and moves of games in PGN style.
fn read_games(text: &str) -> Vec<(BTreeMap<String, String>, Vec<String>)> {
    let mut games = Vec::new();
    for block in text.split("\n\n").collect::<Vec<_>>().chunks(2) {
        let [tags, moves] = block else { break };
        let mut read = BTreeMap::new();
        for line in tags.lines() {
            let (name, value) = line.strip_prefix('[').unwrap().split_once(' ').unwrap();
            let value = value.strip_prefix('"').unwrap().strip_suffix("\"]").unwrap();
            read.insert(name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\"));
        }
        let mut plain = String::new();
        let mut in_comment = false;
        for c in moves.chars() {
            in_comment = (in_comment || c == '{') && c != '}';
            plain.push(if in_comment || c == '}' { ' ' } else { c });
        }
        let is_move = |token: &&str| !token.ends_with('.');
        games.push((read, plain.split_whitespace().filter(is_move).map(str::to_owned).collect()));
    }
    games
}

#[test]
fn games_are_read_back_from_text() {
    let fake = FakeEvent::new();
    let text: String = fake.games.iter().map(|game| game_text("cup", game)).collect();
    assert!(text.lines().filter(|line| !line.starts_with('[')).all(|line| line.chars().count() <= 80));
    let read = read_games(&text);
    assert_eq!(read.len(), fake.games.len());
    for (game, (tags, tokens)) in fake.games.iter().zip(&read) {
        let name = |name: &str| name.replace(|c: char| c.is_control(), " ");
        assert_eq!((&tags["First"], &tags["Second"]), (&name(&game.place.first), &name(&game.place.second)));
        assert_eq!((&tags["Id"], &tags["Seed"]), (&game.number().to_string(), &game.game.seed.to_string()));
        let (result, moves) = tokens.split_last().unwrap();
        assert_eq!(result, &tags["Result"]);
        assert_eq!(moves.join(" "), format!("{} {}", game.game.record.opening, game.game.record.moves));
        assert_eq!(
            tags.get("Forfeit").map(String::as_str),
            game.game.record.culprit().map(|_| "second: crash")
        );
    }
    let crash = fake.games.iter().find(|game| game.game.record.forfeit.is_some()).unwrap();
    insta::assert_snapshot!(format!("{}{}", game_text("cup", &fake.games[0]), game_text("cup", crash)));
}

#[test]
fn compact_moves_are_split() {
    let fake = FakeEvent::new();
    let mut game = fake.games[0].clone();
    (game.game.record.opening, game.game.record.moves) = ("12".to_owned(), "1212".to_owned());
    let line = game_line("cup", &game);
    assert_eq!(line["opening"], serde_json::json!(["1", "2"]));
    assert_eq!(line["moves"], serde_json::json!(["1", "2", "1", "2"]));
    game.game.game = "unheard-of".to_owned();
    game.game.record.moves = "a b".to_owned();
    assert_eq!(game_line("cup", &game)["moves"], serde_json::json!(["a", "b"]));
}

#[test]
fn lines_have_the_documented_keys() {
    let fake = FakeEvent::new();
    let crash = fake.games.iter().find(|game| game.game.record.forfeit.is_some()).unwrap();
    let line = game_line("cup", crash);
    for key in [
        "game", "first", "second", "moves", "winner", "margin", "plies", "end", "seed", "id", "round",
        "opening", "micros", "values",
    ] {
        assert!(line.get(key).is_some(), "{key}");
    }
    assert_eq!(line["forfeit"]["player"], NAMES[6]);
    assert_eq!(line["forfeit"]["stderr"], "Traceback:\n  <b>IndexError</b>");
    assert!(!line.to_string().contains('\n'));
}

#[test]
fn the_summary_is_complete() {
    let fake = FakeEvent::new();
    let object = summary(&fake.event());
    let rows = object["standings"].as_array().unwrap();
    assert_eq!(rows.len(), NAMES.len());
    for key in [
        "player",
        "rank",
        "points",
        "wins",
        "draws",
        "losses",
        "forfeits",
        "rating",
        "rating_low",
        "rating_high",
    ] {
        assert!(rows[0].get(key).is_some(), "{key}");
    }
    let of = |name: &str| rows.iter().find(|row| row["player"] == name).unwrap();
    assert_eq!(
        (&of(NAMES[6])["rank"], &of(NAMES[6])["rating"]),
        (&serde_json::Value::Null, &serde_json::Value::Null)
    );
    assert_eq!((of(NAMES[6])["forfeits"].as_u64(), of(NAMES[5])["byes"].as_u64()), (Some(3), Some(1)));
    assert_eq!(object["cycles"].as_array().unwrap().len(), 1, "{}", object["cycles"]);
    assert_eq!(object["byes"][0]["round"], 3);
    assert!(object["nash"]["ana"].as_f64().unwrap() > 0.2, "{}", object["nash"]);
    let n_games: u64 =
        object["end_reasons"].as_object().unwrap().values().filter_map(serde_json::Value::as_u64).sum();
    assert_eq!(Some(n_games), object["games"].as_u64());
    assert!(
        object["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|text| text.as_str().unwrap().contains("in a cycle"))
    );
}

#[test]
fn the_gradebook_is_safe() {
    let fake = FakeEvent::new();
    let bytes = gradebook(&fake.event());
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let head = reader.headers().unwrap().clone();
    let rows: Vec<BTreeMap<String, String>> = reader
        .records()
        .map(|row| head.iter().map(str::to_owned).zip(row.unwrap().iter().map(str::to_owned)).collect())
        .collect();
    assert_eq!(rows.len(), NAMES.len());
    let of = |name: &str| rows.iter().find(|row| row["player"] == name).unwrap();
    assert_eq!(of("ana")["grade"], "7.5");
    assert_eq!(of("ana")["above regular"], "0.9986");
    assert!(of("'=SUM(A1:A9)")["note"].starts_with("above `regular` with"));
    assert_eq!(of("regular")["note"], "staff player");
    assert_eq!(of("crash\u{fffd}[31m")["note"], "disqualified: crash 3×; its games do not count");
    assert_eq!(of(NAMES[5])["grade"], "");
    let text = String::from_utf8(bytes).unwrap();
    insta::assert_snapshot!(text.strip_prefix('\u{feff}').expect("spreadsheets need the mark"));
}
