use super::*;
use crate::entrant::Entrant;
use crate::format::Format;
use crate::formats::toy::{ToyRunner, ToyStore, entrants, terms};
use crate::results::TournamentResults;
use crate::starts::StageBoards;
use crate::{TournamentDriver, TournamentEnd, TournamentProgress};
use palestra_core::InputError;
use palestra_settings::Settings;

/// Knows `toy:1` to `toy:20`, boards of Ladrillos and a few players.
struct ToyShelf;

impl TournamentResolver for ToyShelf {
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
    TournamentPlan::read(Settings::parse(text, "event.toml")?, &ToyShelf)
}

const TWO: &str = "[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"greedy/islands/1,2,3,4,5\"\n";

const FULL: &str = r#"
name = "autumn \"2026\""
boards = ["toy", "toy:4"]
opening-plies = 3
format = "swiss"
rounds = 7
games = 2
points = "2/1/0"
order = "random"
seed = 42
clock = "60+0.5,5/move"
margin-ms = 150
concurrency = 4
pin = true
start = "game"
strict = true
quarantine = 5
tie-breaks = ["buchholz", "rating"]
players = ["submissions/*", { template = "greedy/pair", grid = [0, 1], step = 0.5, prefix = "w ", group = "grid" }]

[confinement]
memory-mb = 256
cpu-seconds = 30

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

/// What is printed reads back as itself, and says what was meant.
#[test]
fn plans_read_back() {
    let adaptive = format!("pool = \"toy/all\"\nformat = \"adaptive\"\nminutes = 30\nbudget = 1000\n{TWO}");
    let smallest = format!("game = \"toy\"\n{TWO}");
    let masters = include_str!("../../../../studies/ladrillos/from-the-beginning.toml");
    let swiss = include_str!("../../../../studies/ladrillos/swiss.toml");
    let last_table = include_str!("../../../../studies/ladrillos/masters.toml");
    for text in [FULL, STAGES, &adaptive, &smallest, masters, swiss, last_table] {
        let once = read(text).unwrap_or_else(|bad| panic!("{bad}\n{text}")).to_string();
        let twice = read(&once).unwrap_or_else(|bad| panic!("{bad}\n{once}")).to_string();
        assert_eq!(once, twice);
    }
}

#[test]
fn a_full_plan_says_what_it_says() {
    let plan = read(&read(FULL).unwrap().to_string()).unwrap();
    assert_eq!((plan.name.as_str(), plan.seed, plan.margin_ms), ("autumn \"2026\"", 42, 150));
    assert_eq!((plan.concurrency, plan.pin, plan.strict, plan.quarantine), (Some(4), true, true, Some(5)));
    assert_eq!((plan.start, plan.clock.unwrap().0), (LaunchPolicy::Game, "60+0.5,5/move".to_owned()));
    assert_eq!(plan.tie_breaks, [TieBreak::Buchholz, TieBreak::Rating]);
    assert_eq!((plan.program_limits.memory_mb, plan.program_limits.cpu_seconds), (256, Some(30)));
    assert_eq!(plan.program_limits.processes, ProgramLimits::default().processes);
    assert_eq!(plan.marks, [MarkThreshold { above: "regular".to_owned(), confidence: 0.97, grade: 7.0 }]);
    assert_eq!(plan.patterns[0].0, "submissions/*");
    let [stage] = &plan.stages[..] else { panic!() };
    assert_eq!(stage.boards, StageBoards::Listed(vec!["toy:3".to_owned(), "toy:4".to_owned()]));
    assert_eq!((stage.format.name, stage.options.rounds, stage.options.games), ("swiss", 7, 2));
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
    assert_eq!(
        (bob.name.as_str(), &bob.source),
        ("main", &PlayerSource::Text("cmd:./run.sh bob/main".to_owned()))
    );
    let grid: Vec<(String, String)> = plan.grids[0].players().collect();
    assert_eq!((grid.len(), plan.grids[0].len()), (9, 9));
    assert_eq!(grid[1], ("w 0:0.5".to_owned(), "greedy/pair/0,0.5".to_owned()));
    assert_eq!(grid[8].1, "greedy/pair/1,1");
}

/// The first plan of the documentation has every key, with the values that hold without it where they are said to.
#[test]
fn the_documentation_can_be_read() {
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

struct NoWatch;
impl TournamentProgress for NoWatch {}

/// From the file to the field of the last stage, in the structure of the Masters.
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
    let venue = ToyRunner { luck: 8.0, ..ToyRunner::by_index(n) };
    let (book, terms) = (ToyStore::default(), terms());
    let driver = TournamentDriver {
        entrants: &list,
        conditions: &terms,
        runner: &venue,
        store: &book,
        progress: &NoWatch,
    };
    let mut format = plan.open(&list, None).unwrap();
    let mut results = TournamentResults::new(n, plan.quarantine);
    assert_eq!(driver.run(&mut format, &mut results).unwrap(), TournamentEnd::Finished);
    assert_eq!(plan.stages.len(), 5);
    let masters = format.field_of(4).unwrap();
    // Two of the four share their players, so some may be among the best of both.
    assert!((30..=40).contains(&masters.len()), "{}", masters.len());
    let n_meetings = masters.len() * (masters.len() - 1) / 2;
    assert_eq!(results.counted_in(4).count(), n_meetings);
    assert!(results.counted_in(4).all(|meeting| meeting.pairing.scene.game == "ladrillos:11"));
    let boards: Vec<&str> = (0..6)
        .map(|round| {
            let of_round = results.counted_in(0).find(|meeting| meeting.pairing.round == round);
            of_round.unwrap().pairing.scene.game.as_str()
        })
        .collect();
    assert_eq!(boards, [9, 10, 15, 14, 15, 13].map(|n| format!("ladrillos:{n}")));
}

/// Where, what, what was expected, and what may have been meant.
#[test]
fn bad_plans_are_told_of() {
    let check = |text: &str, expected: &str| {
        let bad = read(text).err().unwrap_or_else(|| panic!("no complaint about {text}")).to_string();
        assert!(bad.contains(expected), "{text}\n{bad}");
        assert!(bad.contains("line ") && bad.contains("column "), "{bad}");
    };
    let with = |line: &str| format!("game = \"toy\"\n{line}\n{TWO}");
    // Boards.
    check(
        TWO,
        "game in event.toml, line 1, column 1: nothing there, expected a game (game), one for each round",
    );
    check(
        &format!("game = \"tyo\"\n{TWO}"),
        "line 1, column 8 (game): \"tyo\" is not a known game (toy, ladrillos); did you mean \"toy\"?",
    );
    check(
        &format!("boards = [\"toy:3\", \"toy:99\"]\n{TWO}"),
        "line 1, column 20 (size of \"toy:99\"): \"99\" is not a whole number from 1 to 20",
    );
    check(&format!("boards = []\n{TWO}"), "expected at least one board");
    check(
        &with("pool = \"toy/all\""),
        "pool in event.toml, line 2, column 8: \"pool\" is not wanted beside game",
    );
    check(&format!("pool = \"toy/al\"\n{TWO}"), "did you mean \"toy/all\"?");
    check(&format!("game = 3\n{TWO}"), "line 1, column 8: \"3\" is not a text in quotation marks");
    // Keys and values.
    check(&with("formt = \"swiss\""), "event.toml, line 2, column 1: \"formt\" is not a key of event.toml");
    check(&with("formt = \"swiss\""), "did you mean \"format\"?");
    check(
        &with("format = \"swis\""),
        "line 2, column 10: \"swis\" is not a format (adaptive, gauntlet, king-of-the-hill, knockout, round-robin, swiss); did you mean \"swiss\"?",
    );
    check(
        &with("rounds = 3"),
        "line 2, column 10: \"rounds\" is not a key of the format round-robin (cycles, games, single)",
    );
    check(
        &with("format = \"knockout\"\ncycles = 2"),
        "line 3, column 10: \"cycles\" is not a key of the format knockout (games, extra)",
    );
    check(
        &with("format = \"swiss\"\nrounds = 0"),
        "line 3, column 10: \"0\" is not a whole number from 1 to 10000",
    );
    check(&with("cycles = 1.5"), "\"1.5\" is not a whole number");
    check(&with("games = \"two\""), "\"two\" is not a whole number");
    check(&with("single = 1"), "\"1\" is not true or false");
    check(
        &with("format = \"adaptive\""),
        "budget in event.toml, line 1, column 1: nothing there, expected how many games (budget) or how long (minutes)",
    );
    check(
        &with("format = \"adaptive\"\nminutes = 5\nsure = 1"),
        "\"1\" is not a number from 0.5 to 0.999999",
    );
    check(
        &with("points = \"1/2/0\""),
        "points in event.toml, line 2, column 10 (points): \"1/2/0\" is not win/draw/loss",
    );
    check(&with("points = \"magrin\""), "did you mean \"margin\"?");
    check(&with("order = \"shuffled\""), "\"shuffled\" is not one of listed, random, rating");
    check(&with("order = \"ratng\""), "did you mean \"rating\"?");
    check(&with("seed = -1"), "line 2, column 8: \"-1\" is not a whole number");
    check(&with("opening-plies = 2000"), "\"2000\" is not a whole number from 0 to 1000");
    check(&with("opening_plies = 2"), "did you mean \"opening-plies\"?");
    check(&with("margin-ms = -3"), "\"-3\" is not a whole number from 0 to 600000");
    check(
        &with("tie-breaks = [\"direct\", \"bucholz\"]"),
        "line 2, column 25 (tie-break): \"bucholz\" is not a tie-break",
    );
    check(&with("tie-breaks = [\"direct\", \"bucholz\"]"), "did you mean \"buchholz\"?");
    check(&with("start = \"twice\""), "\"twice\" is not one of once, game");
    check(&with("strict = \"yes\""), "\"yes\" is not true or false");
    check(&with("clock = 60"), "\"60\" is not a text in quotation marks");
    check(&with("seed = 1\nseed = 2"), "TOML");
    check(&with("name = \"unfinished"), "TOML");
    check(
        &with("[confinement]\nmemory-mb = 0"),
        "memory-mb in [confinement] of event.toml, line 3, column 13: \"0\" is not a whole number",
    );
    check(&with("[confinement]\nmemory = 64"), "did you mean \"memory-mb\"?");
    check(&with("confinement = 3"), "\"3\" is not a section [confinement]");
    // Players.
    check(
        "game = \"toy\"\n",
        "player in event.toml, line 1, column 1: nothing there, expected two players at least",
    );
    check("game = \"toy\"\n[[player]]\nplayer = \"random\"\n", "two players at least");
    check(
        "game = \"toy\"\n[[player]]\nplayer = \"gready/x\"\n",
        "player in [player] of event.toml, line 3, column 10 (player): \"gready/x\" is not a player",
    );
    check(
        &with("[[player]]\nname = \"x\""),
        "nothing there, expected a player (player = \"greedy/…\") or a program",
    );
    check(
        &with("[[player]]\nplayer = \"random\"\ncommand = [\"a\"]"),
        "line 4, column 11: \"command\" is not wanted beside player",
    );
    check(&with("[[player]]\ncommand = []"), "a program and its arguments");
    check(&with("[[player]]\nplayer = \"cmd:\""), "\"cmd:\" is not a command behind cmd:");
    check(&with("[[player]]\nname = \"\"\nplayer = \"random\""), "a name of 1 to 100 letters");
    check(
        &with("[[player]]\nplayer = \"random\""),
        "\"random\" is not a name of its own: the player at line 2, column 1 has it already",
    );
    check(
        &with("[[player]]\nplayer = \"random\"\nprotocol = \"ugi\""),
        "line 4, column 12: \"protocol\" is not of use to a player of ours",
    );
    check(&with("[[player]]\ncommand = [\"a\"]\nprotocl = \"ugi\""), "did you mean \"protocol\"?");
    check(
        &with("[[player]]\ncommand = [\"a\"]\nanchor = \"strong\""),
        "\"strong\" is not a number from -20000 to 20000",
    );
    check(
        &with("player = \"random\"").replace("[[player]]", "[[others]]"),
        "\"random\" is not sections [[player]]",
    );
    check(&with("players = 3"), "\"3\" is not a folder (\"submissions/*\")");
    check(&with("[[players]]\ngrid = [0, 5]"), "expected a player without weights");
    check(&with("[[players]]\ntemplate = \"greedy/pair\""), "expected the smallest and the largest weight");
    check(
        &with("[[players]]\ntemplate = \"greedy/pair\"\ngrid = [5, 0]"),
        "line 4, column 8: \"5, 0\" is not the smallest and the largest weight",
    );
    check(
        &with("[[players]]\ntemplate = \"greedy/islands\"\ngrid = [0, 50]"),
        "\"345025251 players\" is not a grid of at most 1000000 players",
    );
    check(
        &with(
            "[[players]]\ntemplate = \"greedy/pair\"\ngrid = [0, 1]\n[[players]]\ntemplate = \"greedy/pair\"\ngrid = [1, 2]",
        ),
        "give the grid another prefix",
    );
    check(
        &with("[[players]]\ntemplate = \"greedy/islands\"\ngrid = [0, 5]"),
        "7778 players need 30244753 encounters",
    );
    check(&with("format = \"gauntlet\""), "expected a player with staff = true");
    // Marks and stages.
    check(
        &with("[[mark]]\nabove = \"randm\"\ngrade = 5"),
        "line 3, column 9: \"randm\" is not a player that is listed (random, greedy/islands/1,2,3,4,5); did you mean \"random\"?",
    );
    check(&with("[[mark]]\nabove = \"random\""), "expected the grade");
    check(
        &with("[[mark]]\nabove = \"random\"\ngrade = 5\nconfidence = 97"),
        "\"97\" is not a number from 0 to 0.999999",
    );
    let stages = |lines: &str| with(&format!("[[stage]]\nname = \"swiss\"\n[[stage]]\n{lines}"));
    check(
        &stages("from = [\"swiss\"]"),
        "name in [stage] of event.toml, line 4, column 1: nothing there, expected a name for the stage",
    );
    check(&stages("name = \"swiss\""), "\"swiss\" is not a name that no other stage has");
    check(
        &stages("name = \"cup\"\nfrom = [\"swis\"]\nbest = 2"),
        "line 6, column 9: \"swis\" is not an earlier stage (swiss); did you mean \"swiss\"?",
    );
    check(&stages("name = \"cup\"\nfrom = [\"swiss\"]"), "expected how many of each stage in from take part");
    check(&stages("name = \"cup\"\nbest = 3"), "line 6, column 8: \"best\" is not of use without from");
    check(&stages("name = \"cup\"\ngroups = [\"x\"]"), "\"x\" is not a group of players ()");
    check(&STAGES.replace("\"all\"]\nrounds", "\"al\"]\nrounds"), "did you mean \"all\"?");
    check(
        &with("format = \"swiss\"\n[[stage]]\nname = \"a\""),
        "event.toml, line 2, column 1: \"format\" is not a key of event.toml",
    );
}
