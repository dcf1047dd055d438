use super::*;
use crate::entrant::{Entrant, Student};
use crate::format::Format;
use crate::formats::toy::{ToyRunner, ToyStore, conditions, entrants};
use crate::results::TournamentResults;
use crate::starts::StageBoards;
use crate::{TournamentDriver, TournamentEnd};
use palestra_core::{InputError, Progress};
use palestra_settings::Document;

/// Knows `toy:1` to `toy:20`, boards of Ladrillos and a few players.
struct ToyResolver;

impl TournamentResolver for ToyResolver {
    fn game(&self, text: &str) -> Result<String, InputError> {
        if text.starts_with("connect:") {
            return Ok(text.to_owned());
        }
        let (family, size) = text.split_once(':').unwrap_or((text, "3"));
        match size.parse::<u32>() {
            _ if !["toy", "ladrillos"].contains(&family) => {
                Err(InputError::unknown("game", text, "a known game", ["toy", "ladrillos"]))
            }
            Ok(size @ 1..=20) => Ok(format!("{family}:{size}")),
            _ => Err(InputError::new(format!("size of \"{text}\""), size, "a whole number from 1 to 20")),
        }
    }

    fn samples(&self, pool: &str) -> Result<Vec<String>, InputError> {
        match pool {
            "toy/all" => Ok(vec!["toy:1".to_owned(), "toy:2".to_owned()]),
            _ => Err(InputError::unknown("pool", pool, "a collection of boards", ["toy/all"])),
        }
    }

    fn player(&self, _game: &str, text: &str) -> Result<String, InputError> {
        let name = text.split('/').next().unwrap_or_default();
        let names = ["greedy", "random", "heurb"];
        match names.contains(&name) || name.starts_with("masters-") {
            true => Ok(text.to_owned()),
            false => Err(InputError::unknown("player", text, "a player", names)),
        }
    }

    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError> {
        match template {
            "greedy/islands" | "greedy/islands-masters" => Ok(5),
            "greedy/pair" => Ok(2),
            _ => self.player(game, template).map(|_| 0),
        }
    }
}

fn read(text: &str) -> Result<TournamentPlan, InputError> {
    TournamentPlan::read(Document::parse(text, "event.toml")?, &ToyResolver)
}

const TWO: &str = "[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"greedy/islands/1,2,3,4,5\"\n";

const FULL: &str = r#"
name = "autumn \"2026\""
boards = ["toy", "toy:4"]
opening_plies = 3
format = "swiss"
rounds = 7
pairs = 2
points = "2/1/0"
order = "random"
seed = 42
clock = "60+0.5,5/move"
kaggle_python = "/opt/venv/bin/python"
margin_ms = 150
late_percent = 35
archive_mb = 7
concurrency = 4
pin = true
start = "game"
strict = true
quarantine = 5
tie_breaks = ["buchholz", "rating"]
players = ["submissions/*", { template = "greedy/pair", grid = [0, 1], step = 0.5, prefix = "w ", group = "grid" }]
roster = "students.csv"

[confinement]
memory_mb = 256
cpu_seconds = 30
read = ["/opt/tables", "books/a b.txt"]

[[mark]]
above = "regular"
confidence = 0.97
grade = 7

[[player]]
name = "regular"
player = "random"
staff = true
anchor = 1500

[[player]]
name = "Ana"
command = ["python3", "bot.py", "--fast"]
protocol = "ugi"
folder = "ana"
start = "once"
group = "morning"
identifier = "007"
students = [{ name = "Ana \"A.\"", identifier = "007" }, { name = "Eva" }]
rating = 1200.5

[[player]]
player = "cmd:./run.sh bob/main"
"#;

const STAGES: &str = r#"
game = "toy:5"
points = "margin"
players = [{ template = "greedy/pair", grid = [0, 1], group = "all" }]
[[stage]]
name = "swiss"
format = "swiss"
groups = ["all"]
rounds = 1
[[stage]]
name = "ladder"
format = "gauntlet"
boards = ["toy:7", "toy:8"]
groups = ["all"]
[[stage]]
name = "cup"
format = "knockout"
from = ["swiss", "ladder"]
best = 2
[[player]]
player = "random"
staff = true
group = "house"
"#;

/// A printed plan reads back as the same plan.
#[test]
fn plans_read_back() {
    let adaptive = format!("pool = \"toy/all\"\nformat = \"adaptive\"\nminutes = 30\nbudget = 1000\n{TWO}");
    let smallest = format!("game = \"toy\"\n{TWO}");
    let masters = include_str!("../../../../studies/ladrillos/from-the-beginning.toml");
    let swiss = include_str!("../../../../studies/ladrillos/swiss.toml");
    let final_stage = include_str!("../../../../studies/ladrillos/masters.toml");
    for text in [FULL, STAGES, &adaptive, &smallest, masters, swiss, final_stage] {
        let once = read(text).unwrap_or_else(|bad| panic!("{bad}\n{text}")).to_string();
        let twice = read(&once).unwrap_or_else(|bad| panic!("{bad}\n{once}")).to_string();
        assert_eq!(once, twice);
    }
}

#[test]
fn a_full_plan_has_the_values_of_its_file() {
    let plan = read(&read(FULL).unwrap().to_string()).unwrap();
    assert_eq!((plan.name.as_str(), plan.seed, plan.margin_ms), ("autumn \"2026\"", 42, 150));
    assert_eq!((plan.late_percent, plan.archive_mb), (35, 7));
    assert!(!TournamentPlan::default().to_string().contains("late_percent"), "as before the key");
    assert!(!TournamentPlan::default().to_string().contains("archive_mb"), "as before the key");
    assert_eq!((plan.concurrency, plan.pin, plan.strict, plan.quarantine), (Some(4), true, true, Some(5)));
    assert_eq!((plan.start, plan.clock.unwrap()), (LaunchPolicy::Game, "60+0.5,5/move".to_owned()));
    assert_eq!(plan.tie_breaks, [TieBreak::Buchholz, TieBreak::Rating]);
    assert_eq!((plan.program_limits.memory_mb, plan.program_limits.cpu_seconds), (256, Some(30)));
    assert_eq!(plan.kaggle_python.as_deref(), Some("/opt/venv/bin/python"));
    assert_eq!(plan.program_limits.read, ["/opt/tables", "books/a b.txt"]);
    assert_eq!(plan.program_limits.processes, ProgramLimits::default().processes);
    assert_eq!(plan.marks, [MarkThreshold { above: "regular".to_owned(), confidence: 0.97, grade: 7.0 }]);
    assert_eq!((plan.patterns[0].as_str(), plan.roster.as_deref()), ("submissions/*", Some("students.csv")));
    let [stage] = &plan.stages[..] else { panic!() };
    assert_eq!(stage.boards, StageBoards::Listed(vec!["toy:3".to_owned(), "toy:4".to_owned()]));
    assert_eq!(
        (stage.format.name, stage.values.to_string().as_str(), stage.values.pairs()),
        ("swiss", "rounds = 7\npairs = 2\nsingle = false\n", 2)
    );
    assert_eq!(
        (stage.order, stage.opening_plies, stage.points.to_string()),
        (SeedingOrder::Random, 3, "2/1/0".to_owned())
    );
    let [regular, ana, bob] = &plan.players[..] else { panic!() };
    assert_eq!((regular.staff, regular.anchor), (true, Some(1500.0)));
    assert_eq!(
        ana.source,
        PlayerSource::Command(["python3", "bot.py", "--fast"].map(str::to_owned).to_vec())
    );
    assert_eq!(
        (ana.start, ana.rating, ana.group.as_deref()),
        (Some(LaunchPolicy::Once), Some(1200.5), Some("morning"))
    );
    let student = |name: &str, identifier: Option<&str>| Student {
        name: name.to_owned(),
        identifier: identifier.map(str::to_owned),
    };
    assert_eq!(ana.identifier.as_deref(), Some("007"));
    assert_eq!(ana.students, [student("Ana \"A.\"", Some("007")), student("Eva", None)]);
    assert_eq!(
        (bob.name.as_str(), &bob.source),
        ("main", &PlayerSource::Text("cmd:./run.sh bob/main".to_owned()))
    );
    let grid: Vec<(String, String)> = plan.grids[0].players().collect();
    assert_eq!((grid.len(), plan.grids[0].len()), (9, 9));
    assert_eq!(grid[1], ("w 0:0.5".to_owned(), "greedy/pair/0,0.5".to_owned()));
    assert_eq!(grid[8].1, "greedy/pair/1,1");
}

/// The first plan of the documentation has every key, and the default limits.
#[test]
fn the_plan_of_the_documentation_can_be_read() {
    let docs = include_str!("../../../../docs/tournaments.md");
    let plan = docs.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let printed = read(plan).unwrap().to_string();
    assert_eq!(read(plan).unwrap().program_limits, ProgramLimits::default());
    for line in printed.lines().filter(|line| line.contains(" = ") && !line.starts_with("single")) {
        let key = line.split(" = ").next().unwrap();
        assert!(
            plan.lines().any(|line| line.starts_with(&format!("{key} = "))),
            "{key} is not in the example"
        );
    }
}

#[test]
fn the_swiss_of_the_study_has_all_its_players() {
    let plan = read(include_str!("../../../../studies/ladrillos/swiss.toml")).unwrap();
    assert_eq!(plan.grids[0].len(), 7776);
    let list = entrants(7776);
    let format = plan.open(&list, None).unwrap();
    assert_eq!(format.estimate(&TournamentResults::new(7776, None)), 7776 * 6);
    assert_eq!(format.describe(), "Swiss of 7776 players, 6 rounds of 2 games each");
}

/// The plan with the structure of the Masters study runs to the field of its last stage.
#[test]
fn the_masters_are_the_best_of_four() {
    let text =
        include_str!("../../../../studies/ladrillos/from-the-beginning.toml").replace("[0, 5]", "[0, 1]");
    let plan = read(&text).unwrap();
    let of_grids = plan
        .grids
        .iter()
        .flat_map(|grid| grid.players().map(|(name, player)| (name, player, grid.group.clone())));
    let listed = plan.players.iter().map(|player| {
        let PlayerSource::Text(text) = &player.source else { panic!() };
        (player.name.clone(), text.clone(), player.group.clone())
    });
    let mut list: Vec<Entrant> = listed
        .chain(of_grids)
        .map(|(name, player, group)| Entrant {
            key: *blake3::hash(player.as_bytes()).as_bytes(),
            name,
            player,
            group,
            ..Entrant::default()
        })
        .collect();
    for (entrant, player) in list.iter_mut().zip(&plan.players) {
        entrant.staff = player.staff;
    }
    let n = list.len();
    let runner = ToyRunner { luck: 8.0, ..ToyRunner::by_index(n) };
    let (store, conditions) = (ToyStore::default(), conditions());
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &conditions,
        runner: &runner,
        store: &store,
        progress: &Progress::default(),
        observer: &(),
    };
    let mut format = plan.open(&list, None).unwrap();
    let mut results = TournamentResults::new(n, plan.quarantine);
    assert_eq!(driver.run(&mut format, &mut results).unwrap(), TournamentEnd::Finished);
    assert_eq!(plan.stages.len(), 5);
    let masters = format.field_of(4).unwrap();
    // Two of the four stages share their players, so a player may be among the best of both.
    assert!((30..=40).contains(&masters.len()), "{}", masters.len());
    let n_pairings = masters.len() * (masters.len() - 1) / 2;
    assert_eq!(results.counted_in(4).count(), n_pairings);
    assert!(results.counted_in(4).all(|pair| pair.pairing.start.game == "ladrillos:11"));
    let boards: Vec<&str> = (0..6)
        .map(|round| {
            let of_round = results.counted_in(0).find(|pair| pair.pairing.round == round);
            of_round.unwrap().pairing.start.game.as_str()
        })
        .collect();
    assert_eq!(boards, [9, 10, 15, 14, 15, 13].map(|n| format!("ladrillos:{n}")));
}

/// Errors name the value, the key, its location, what was expected and the nearest name.
#[test]
fn errors_in_plans_are_located() {
    let check = |text: &str, expected: &str| {
        let bad = read(text).err().unwrap_or_else(|| panic!("no error in {text}")).to_string();
        assert!(bad.contains(expected), "{text}\n{bad}");
        assert!(bad.contains("line ") && bad.contains("column "), "{bad}");
    };
    let with = |line: &str| format!("game = \"toy\"\n{line}\n{TWO}");
    // Boards.
    check(
        TWO,
        "missing value for game in event.toml (line 1, column 1): expected a game (game), a board for each round",
    );
    check(
        &format!("game = \"tyo\"\n{TWO}"),
        "invalid value \"tyo\" for game in event.toml (line 1, column 8): expected a known game (toy, ladrillos); did you mean \"toy\"?",
    );
    check(
        &format!("boards = [\"toy:3\", \"toy:99\"]\n{TWO}"),
        "invalid value \"99\" for boards in event.toml, size of \"toy:99\" (line 1, column 20): expected a whole number from 1 to 20",
    );
    check(&format!("boards = []\n{TWO}"), "expected at least one board");
    check(
        &with("pool = \"toy/all\""),
        "pool in event.toml (line 2, column 8) cannot be used here: game is set too",
    );
    check(&format!("pool = \"toy/al\"\n{TWO}"), "did you mean \"toy/all\"?");
    check(&format!("game = 3\n{TWO}"), "invalid value \"3\" for game in event.toml (line 1, column 8)");
    // Keys and values.
    check(&with("formt = \"swiss\""), "invalid key \"formt\" in event.toml (line 2, column 1)");
    check(&with("formt = \"swiss\""), "did you mean \"format\"?");
    check(
        &with("format = \"swis\""),
        "invalid value \"swis\" for format in event.toml (line 2, column 10): expected a format (adaptive, gauntlet, king-of-the-hill, knockout, round-robin, swiss); did you mean \"swiss\"?",
    );
    check(
        &with("rounds = 3"),
        "rounds in event.toml (line 2, column 10) cannot be used here: the format round-robin has the keys cycles, pairs, single",
    );
    check(
        &with("format = \"knockout\"\ncycles = 2"),
        "cycles in event.toml (line 3, column 10) cannot be used here: the format knockout has the keys pairs, extra",
    );
    check(
        &with("format = \"swiss\"\nrounds = 0"),
        "invalid value \"0\" for rounds in event.toml (line 3, column 10): expected a whole number from 1 to 10000",
    );
    check(
        &with("cycles = 1.5"),
        "invalid value \"1.5\" for cycles in event.toml (line 2, column 10): expected a whole number",
    );
    check(
        &with("pairs = \"two\""),
        "invalid value \"two\" for pairs in event.toml (line 2, column 9): expected a whole number",
    );
    check(
        &with("single = 1"),
        "invalid value \"1\" for single in event.toml (line 2, column 10): expected true or false",
    );
    check(
        &with("format = \"adaptive\""),
        "missing value for budget in event.toml (line 1, column 1): expected a number of games (budget) or a time limit (minutes)",
    );
    check(&with("format = \"adaptive\"\nminutes = 5\nsure = 1"), "expected a number from 0.5 to 0.999999");
    check(
        &with("points = \"1/2/0\""),
        "invalid value \"1/2/0\" for points in event.toml (line 2, column 10): expected win/draw/loss",
    );
    check(&with("points = \"magrin\""), "did you mean \"margin\"?");
    check(
        &with("order = \"shuffled\""),
        "invalid value \"shuffled\" for order in event.toml (line 2, column 9): expected one of listed, random, rating",
    );
    check(&with("order = \"ratng\""), "did you mean \"rating\"?");
    check(
        &with("seed = -1"),
        "invalid value \"-1\" for seed in event.toml (line 2, column 8): expected a whole number",
    );
    check(&with("opening_plies = 2000"), "expected a whole number from 0 to 1000");
    check(&with("opening_ply = 2"), "did you mean \"opening_plies\"?");
    check(&with("margin_ms = -3"), "expected a whole number from 0 to 600000");
    check(&with("late_percent = 101"), "expected a whole number from 0 to 100");
    check(
        &with("tie_breaks = [\"direct\", \"bucholz\"]"),
        "(line 2, column 25): expected a tie-break (direct,",
    );
    check(&with("tie_breaks = [\"direct\", \"bucholz\"]"), "did you mean \"buchholz\"?");
    check(
        &with("start = \"twice\""),
        "invalid value \"twice\" for start in event.toml (line 2, column 9): expected one of once, game",
    );
    check(
        &with("strict = \"yes\""),
        "invalid value \"yes\" for strict in event.toml (line 2, column 10): expected true or false",
    );
    check(&with("clock = 60"), "invalid value \"60\" for clock in event.toml (line 2, column 9)");
    check(&with("seed = 1\nseed = 2"), "TOML");
    check(&with("name = \"unfinished"), "TOML");
    check(
        &with("[confinement]\nmemory_mb = 0"),
        "memory_mb in [confinement] of event.toml (line 3, column 13): expected a whole number",
    );
    check(&with("[confinement]\nmemory = 64"), "did you mean \"memory_mb\"?");
    check(
        &with("confinement = 3"),
        "invalid value \"3\" for confinement in event.toml (line 2, column 15): expected a section [confinement]",
    );
    // Players.
    check(
        "game = \"toy\"\n",
        "missing value for player in event.toml (line 1, column 1): expected at least two players",
    );
    check("game = \"toy\"\n[[player]]\nplayer = \"random\"\n", "expected at least two players");
    check(
        "game = \"toy\"\n[[player]]\nplayer = \"gready/x\"\n",
        "invalid value \"gready/x\" for player in [player] of event.toml (line 3, column 10): expected a player",
    );
    check(
        &with("[[player]]\nname = \"x\""),
        "missing value for player in [player] of event.toml (line 2, column 1): expected a player (player = \"greedy/…\") or a program",
    );
    check(
        &with("[[player]]\nplayer = \"random\"\ncommand = [\"a\"]"),
        "command in [player] of event.toml (line 4, column 11) cannot be used here: player is set too",
    );
    check(&with("[[player]]\ncommand = []"), "a program and its arguments");
    check(&with("[[player]]\nplayer = \"cmd:\""), "expected a command after cmd:");
    check(&with("[[player]]\nname = \"\"\nplayer = \"random\""), "expected a name of 1 to 100 characters");
    check(
        &with("[[player]]\nplayer = \"random\""),
        "expected a name that no other player has; the player at line 2, column 1 has this one",
    );
    check(
        &with("[[player]]\nplayer = \"random\"\nprotocol = \"ugi\""),
        "protocol in [player] of event.toml (line 4, column 12) cannot be used here: only programs have it",
    );
    check(&with("[[player]]\ncommand = [\"a\"]\nprotocl = \"ugi\""), "did you mean \"protocol\"?");
    check(
        &with("[[player]]\ncommand = [\"a\"]\nanchor = \"strong\""),
        "invalid value \"strong\" for anchor in [player] of event.toml (line 4, column 10): expected a number from -20000 to 20000",
    );
    check(
        &with("player = \"random\"").replace("[[player]]", "[[others]]"),
        "expected one or more sections [[player]]",
    );
    check(&with("players = 3"), "expected a folder (\"submissions/*\")");
    check(&with("[[players]]\ngrid = [0, 5]"), "expected a player without weights");
    check(&with("[[players]]\ntemplate = \"greedy/pair\""), "expected the smallest and the largest weight");
    check(
        &with("[[players]]\ntemplate = \"greedy/pair\"\ngrid = [5, 0]"),
        "invalid value \"5, 0\" for grid in [players] of event.toml (line 4, column 8): expected the smallest and the largest weight",
    );
    check(
        &with("[[players]]\ntemplate = \"greedy/islands\"\ngrid = [0, 50]"),
        "invalid value \"345025251 players\" for grid in [players] of event.toml (line 4, column 8): expected a grid of at most 1000000 players",
    );
    check(
        &with(
            "[[players]]\ntemplate = \"greedy/pair\"\ngrid = [0, 1]\n[[players]]\ntemplate = \"greedy/pair\"\ngrid = [1, 2]",
        ),
        "set another prefix for the grid",
    );
    check(
        &with("[[players]]\ntemplate = \"greedy/islands\"\ngrid = [0, 5]"),
        "a round robin of 7778 players has 30244753",
    );
    check(&with("format = \"gauntlet\""), "expected a player with staff = true");
    // Marks and stages.
    check(
        &with("[[mark]]\nabove = \"randm\"\ngrade = 5"),
        "invalid value \"randm\" for above in [mark] of event.toml (line 3, column 9): expected a listed player (random, greedy/islands/1,2,3,4,5); did you mean \"random\"?",
    );
    check(&with("[[mark]]\nabove = \"random\""), "expected the grade");
    check(
        &with("[[mark]]\nabove = \"random\"\ngrade = 5\nconfidence = 97"),
        "expected a number from 0 to 0.999999",
    );
    let stages = |lines: &str| with(&format!("[[stage]]\nname = \"swiss\"\n[[stage]]\n{lines}"));
    check(
        &stages("from = [\"swiss\"]"),
        "missing value for name in [stage] of event.toml (line 4, column 1): expected a name for the stage",
    );
    check(&stages("name = \"swiss\""), "expected a name that no other stage has");
    check(
        &stages("name = \"cup\"\nfrom = [\"swis\"]\nbest = 2"),
        "invalid value \"swis\" for from in [stage] of event.toml (line 6, column 9): expected an earlier stage (swiss); did you mean \"swiss\"?",
    );
    check(
        &stages("name = \"cup\"\nfrom = [\"swiss\"]"),
        "expected the number of players taken from each stage of from",
    );
    check(
        &stages("name = \"cup\"\nbest = 3"),
        "best in [stage] of event.toml (line 6, column 8) cannot be used here: from, the stages",
    );
    check(
        &stages("name = \"cup\"\ngroups = [\"x\"]"),
        "invalid value \"x\" for groups of a [[stage]] in event.toml",
    );
    check(&STAGES.replace("\"all\"]\nrounds", "\"al\"]\nrounds"), "did you mean \"all\"?");
    check(
        &with("format = \"swiss\"\n[[stage]]\nname = \"a\""),
        "invalid key \"format\" in event.toml (line 2, column 1)",
    );
}
