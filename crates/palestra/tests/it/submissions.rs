//! A folder of submissions as students hand them in, and appeals after an event.

use crate::events::Place;
use crate::zoo::zoo;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

/// An event folder with three submissions that play, in folders with the names that learning platforms write.
pub(crate) fn course(name: &str) -> Place {
    let place = Place::new(name);
    for (folder, kind) in
        [("García, Ana_12345", "honest-first"), ("ana,start=game", "honest-last"), ("eva ", "honest-middle")]
    {
        put(&place, folder, &format!("command = [\"./zoo\", \"{kind}\"]\n"));
        fs::copy(zoo(), place.0.join("handed-in").join(folder).join("zoo")).unwrap();
    }
    place
}

/// A submission with this `player.toml`.
pub(crate) fn put(place: &Place, name: &str, card: &str) {
    let folder = place.0.join("handed-in").join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("bot.py"), "").unwrap();
    fs::write(folder.join("player.toml"), card).unwrap();
}

pub(crate) const EVENT: [&str; 6] = ["tournament", "connect4", "--submissions", "handed-in", "--name", "cup"];

#[test]
fn any_folder_name_plays() {
    let place = course("submissions-names");
    let value = place.object(&EVENT, 0);
    let mut names: Vec<&str> =
        value["standings"].as_array().unwrap().iter().map(|row| row["player"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["García, Ana_12345", "ana,start=game", "eva "]);
    // Reading the plan that was stored gives the same event.
    let again = place.run(&EVENT);
    assert!(again.stderr.contains("6 games are in the store"), "{}", again.stderr);
}

/// All problems are reported at once, nothing is played, and the others play on request.
#[test]
fn submissions_that_cannot_be_started_are_listed() {
    let place = course("submissions-problems");
    put(&place, "hugo", "command = [\"./player\"]\nprotocl = \"ugi\"\n");
    put(&place, "ida", "command = [\"../ana,start=game/bot.py\"]\n");
    put(&place, "jan", "command = [\"./link\"]\n");
    symlink("../eva /bot.py", place.0.join("handed-in/jan/link")).unwrap();
    put(&place, "kim", "");
    put(&place, "lea", "command = [\"python3\", \"bot.py\"]\n");
    fs::File::create(place.0.join("handed-in/lea/table.bin")).unwrap().set_len(2 << 30).unwrap();
    let ran = place.run(&EVENT);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    for (name, part) in [
        ("hugo", "did you mean \"protocol\"?"),
        ("ida", "does not lead out of that folder"),
        ("jan", "does not lead out of that folder"),
        ("kim", "command"),
        ("lea", "the limit is 1024 MiB"),
    ] {
        let line = ran.stderr.lines().find(|line| line.contains(&format!("handed-in/{name}")));
        assert!(line.is_some_and(|line| line.contains(part)), "{name}: {}", ran.stderr);
    }
    assert!(ran.stderr.contains("5 of 8 cannot be started"), "{}", ran.stderr);
    assert!(!place.0.join("palestra.db").exists());
    let value = place.object(&[&EVENT[..], &["--skip-invalid"]].concat(), 0);
    assert_eq!(value["standings"].as_array().unwrap().len(), 3);
}

/// A program that plays the same illegal move again has failed in the same way, in words and by exit code.
#[test]
fn a_repeated_failure_is_called_the_same() {
    let place = Place::new("submissions-appeal");
    let player = format!("eva=cmd:{} illegal", zoo().display());
    place.object(&["tournament", "connect4", &player, "grid-5", "--name", "cup"], 0);
    let lines = place.run(&["event", "cup", "--games", "--json"]).stdout;
    let game: serde_json::Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    let ran = place.run(&["engine", "replay", &game["id"].to_string()]);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    assert!(ran.stdout.contains("eva failed again, in the same way: illegal move"), "{}", ran.stdout);
}

/// What a program writes cannot control the terminal of the staff.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let place = Place::new("submissions-control");
    let script =
        "import sys\nsys.stderr.write('\\x1b[2J\\x1b[1;1Hpassed\\n')\nprint('\\x1b[31mhello', flush=True)\n";
    fs::write(place.0.join("bot.py"), script).unwrap();
    let ran = place.run(&["engine", "check", "connect4", "cmd:python3 bot.py"]);
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    assert!(ran.stdout.contains("[2J") && ran.stdout.contains("[31mhello"), "{}", ran.stdout);
    let is_plain = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n');
    assert!(is_plain(&ran.stdout) && is_plain(&ran.stderr), "{:?} {:?}", ran.stdout, ran.stderr);
}

/// Students who are left out have a line with the reason, whether their folder or their program is at fault.
#[test]
fn who_is_left_out_has_a_line_in_the_gradebook() {
    let place = course("submissions-left-out");
    put(&place, "kim", "");
    put(&place, "leo", "command = [\"python3\", \"bot.py\"]\n");
    let ran = place.run(&[&EVENT[..], &["--skip-invalid", "--csv", "marks.csv"]].concat());
    assert_eq!(ran.code, Some(3), "{}", ran.stderr);
    let check = || {
        let marks = fs::read_to_string(place.0.join("marks.csv")).unwrap();
        assert_eq!(marks.lines().count(), 6, "{marks}");
        for name in ["kim", "leo"] {
            let line = marks.lines().find(|line| line.starts_with(&format!("{name},,0,0,0,0,0,"))).unwrap();
            assert!(line.contains("left out: "), "{line}");
        }
    };
    check();
    // The same from the store.
    let ran = place.run(&["event", "cup", "--csv", "marks.csv"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    check();
}

/// What staff shows is read by all programs, and by none where it is not shown.
#[test]
fn staff_shows_a_table_to_all_programs() {
    let place = Place::new("submissions-tables");
    let table = place.0.join("tables/opening.txt");
    fs::create_dir_all(table.parent().unwrap()).unwrap();
    fs::write(&table, "4").unwrap();
    let handed_in = place.0.join("handed-in/ana");
    fs::create_dir_all(&handed_in).unwrap();
    fs::copy(zoo(), handed_in.join("zoo")).unwrap();
    let script = format!("#!/bin/sh\n[ -r '{}' ] || exit 1\nexec ./zoo honest-first\n", table.display());
    fs::write(handed_in.join("player"), script).unwrap();
    fs::set_permissions(handed_in.join("player"), fs::Permissions::from_mode(0o755)).unwrap();
    let check = ["engine", "check", "connect4", "cmd(folder=handed-in/ana):./player"];
    assert_eq!(place.run(&check).code, Some(3));
    let ran = place.run(&[&check[..], &["--read", "tables"]].concat());
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    // The plan that is stored and printed has it; the folder is found beside the plan.
    fs::create_dir(place.0.join("staff")).unwrap();
    let plan = "game = \"connect4\"\nname = \"cup\"\nplayers = \"handed-in/*\"\n[confinement]\nread = [\"tables\"]\n\
        [[player]]\nplayer = \"random\"\n";
    fs::write(place.0.join("cup.toml"), plan).unwrap();
    let value = place.object(&["tournament", "cup.toml"], 0);
    assert_eq!(value["standings"].as_array().unwrap().len(), 2, "{value}");
    let printed = place.run(&["tournament", "cup.toml", "--read", "staff", "--print-plan"]).stdout;
    assert!(printed.contains("read = [\"tables\", \"staff\"]"), "{printed}");
    let ran = place.run(&["tournament", "cup.toml", "--name", "b", "--read", "tabels"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("\"tabels\" for read: expected a file or folder that exists"),
        "{}",
        ran.stderr
    );
}
