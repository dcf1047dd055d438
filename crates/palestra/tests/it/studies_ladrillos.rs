//! The published results of the Ladrillos study: its Masters tournament, trees and exact values.

use palestra_arena::{PlayerSpec, greedy_match_of};
use palestra_core::{Family, GameVisitor, Playable, Seed, Side};
use palestra_games::ladrillos::LadrillosFamily;
use palestra_registry::GAMES;

/// A player's row in the table of the Masters.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
struct Row {
    points: f64,
    /// Won and lost at home, won and lost away, drawn.
    counts: [u32; 5],
}

/// A double round robin: every player meets every other as first (home) and as second (away).
struct Masters<'a> {
    players: &'a [String],
}

impl GameVisitor for Masters<'_> {
    type Out = Vec<Row>;

    fn visit<G: Playable>(self, game: G) -> Vec<Row> {
        let spec = |text: &String| PlayerSpec::parse(text, &game, &LadrillosFamily::INFO).unwrap();
        let specs: Vec<PlayerSpec> = self.players.iter().map(spec).collect();
        let mut rows = vec![Row::default(); specs.len()];
        let mut played = Vec::new();
        for home in 0..specs.len() {
            for away in (0..specs.len()).filter(|&away| away != home) {
                played.clear();
                let mut head_to_head = greedy_match_of(&game, [&specs[home], &specs[away]]).unwrap();
                let ending = head_to_head.play(&game, &game.start(), 0, &mut played);
                // The study summed the points that its judge printed, with three decimals per game.
                let points = (game.event_points(&ending) * 1000.0).round() / 1000.0;
                // Index into `counts` for the home and the away player.
                let (sign, [at_home, on_tour]) = match ending.winner {
                    Some(Side::First) => (1.0, [0, 3]),
                    Some(Side::Second) => (-1.0, [1, 2]),
                    None => (0.0, [4, 4]),
                };
                rows[home].points += sign * points;
                rows[away].points -= sign * points;
                rows[home].counts[at_home] += 1;
                rows[away].counts[on_tour] += 1;
            }
        }
        rows
    }
}

/// Cuadro 12: forty totals to three decimals, with wins, losses and draws.
#[test]
fn the_masters_plays_again() {
    let table = include_str!("../../../palestra-games/src/ladrillos/data/masters.txt");
    let players: Vec<String> = (1..=40).map(|place| format!("masters-{place}")).collect();
    let rows = LadrillosFamily::open("11", Masters { players: &players }).unwrap();
    let mut n_rows = 0;
    for (line, row) in table.lines().filter(|line| !line.starts_with('#')).zip(&rows) {
        let known: Vec<f64> = line.split(' ').skip(1).map(|number| number.parse().unwrap()).collect();
        assert_eq!(format!("{:.3}", row.points), format!("{:.3}", known[0]), "{line}");
        assert_eq!(row.counts.map(f64::from).to_vec(), known[1..], "{line}");
        n_rows += 1;
    }
    assert_eq!(n_rows, 40);
    assert_eq!(rows.iter().map(|row| row.counts[4]).sum::<u32>(), 2 * 263, "each draw is drawn by two");
}

/// The same forty players with the evaluation of the released program, which ranks them differently.
#[test]
fn the_masters_as_released() {
    let game = GAMES.open("ladrillos:11").unwrap();
    let players: Vec<String> = (1..=40)
        .map(|place| {
            let player = game.player(&format!("masters-{place}")).unwrap().kind.to_string();
            player.replace("islands-masters", "islands")
        })
        .collect();
    let rows = LadrillosFamily::open("11", Masters { players: &players }).unwrap();
    let better = |than: usize| rows.iter().filter(|row| row.points > rows[than].points + 1e-6).count();
    // Place 7 of the Masters comes first, the champion 25th.
    assert_eq!((format!("{:.3}", rows[6].points), better(6)), ("880.204".to_owned(), 0));
    assert_eq!((format!("{:.3}", rows[0].points), better(0)), ("234.870".to_owned(), 24));
}

/// Every first move on the small boards draws, scored by margin and by its root, and the trees are as published.
#[test]
fn small_boards_are_drawn() {
    for (n, plies, n_moves, nodes) in [(2, 2, 4, 9), (3, 4, 12, 869), (4, 8, 24, 6_257_129)] {
        let game = GAMES.open(&format!("ladrillos:{n}")).unwrap();
        let session = game.session(None, "-").unwrap();
        for player in
            ["alphabeta:depth=PLIES/margin", "alphabeta:depth=PLIES/root", "minimax:depth=PLIES/margin"]
        {
            let player = player.replace("PLIES", &plies.to_string());
            let found = session.explain(&game.player(&player).unwrap(), Seed(0));
            assert_eq!(found.moves.len(), n_moves, "{player}");
            assert!(found.moves.iter().all(|rated| rated.value == Some(0.0)), "{player} on {n} rows");
            if player.starts_with("minimax") {
                assert_eq!(1 + found.root_moves + found.nodes, nodes, "{n} rows");
            }
        }
    }
}

/// The study's trees: Cuadros 5 and 7 level by level, and its totals. The report evaluated leaves by the root of the
/// margin, the released program by the margin itself.
#[test]
fn trees_are_the_published_ones() {
    let minimax: &[u64] = &[1, 24, 448, 6264, 62_232, 406_560, 1_548_000, 2_782_080, 1_451_520];
    let report: &[u64] = &[1, 24, 220, 1662, 8711, 34_042, 91_692, 146_694, 82_203];
    let released: &[u64] = &[1, 24, 220, 1747, 9330, 37_241, 100_940, 161_757, 90_233];
    for (n, player, total, levels) in [
        (2, "alphabeta:cuts=shallow/root", 9, None),
        (3, "minimax/margin", 869, None),
        (3, "alphabeta:cuts=shallow/root", 306, None),
        (3, "alphabeta:cuts=shallow/margin", 308, None),
        (4, "minimax/margin", 6_257_129, Some(minimax)),
        (4, "alphabeta:cuts=shallow/root", 365_249, Some(report)),
        (4, "alphabeta:cuts=shallow/margin", 401_493, Some(released)),
        // Usual alpha-beta, and the same with the full window for every root move.
        (3, "alphabeta/root", 290, None),
        (3, "alphabeta/margin", 292, None),
        (3, "alphabeta:root=full/root", 526, None),
        (4, "alphabeta/root", 220_999, None),
        (4, "alphabeta/margin", 247_019, None),
    ] {
        let game = GAMES.open(&format!("ladrillos:{n}")).unwrap();
        let tree = game.session(None, "-").unwrap().tree(&game.player(player).unwrap()).unwrap();
        assert_eq!(tree.total, total, "{player} on {n} rows");
        assert_eq!(tree.value, 0.0, "{player} on {n} rows");
        let nodes: Vec<u64> = tree.levels.iter().map(|level| level.nodes).collect();
        assert!(levels.is_none_or(|levels| levels == nodes), "{player}: {nodes:?}");
    }
    let game = GAMES.open("ladrillos:4").unwrap();
    let player = game.player("alphabeta:cuts=shallow/root").unwrap();
    let tree = game.session(None, "-").unwrap().tree(&player).unwrap();
    let means: Vec<String> = tree.levels.iter().map(|level| format!("{:.4}", level.mean)).collect();
    assert_eq!(
        means,
        ["24.0000", "9.1667", "7.5545", "5.2413", "3.9079", "2.6935", "1.5999", "0.5604", "0.0000"]
    );
    assert_eq!(
        tree.levels.iter().map(|level| level.max).collect::<Vec<_>>(),
        [24, 20, 17, 13, 10, 7, 4, 1, 0]
    );
    assert_eq!(tree.levels.iter().map(|level| level.min).collect::<Vec<_>>(), [24, 1, 1, 1, 1, 1, 0, 0, 0]);
}

/// Section 6.5 and its notes: the champion with adaptive search (x = 1, k = 4) against greedy players.
#[test]
fn the_adaptive_champion_plays_again() {
    let adaptive = "adaptive:k=4,x=1/islands/187,163,221.12,211.2,202.62";
    let champion = "greedy/islands/187,163,221.12,211.2,202.62";
    let second = "greedy/islands/246.98,213.44,294.05,284.06,264.83";
    let points = |game: &str, first: &str, second: &str| {
        let ran = crate::support::objects(&format!("play {game} --first {first} --second {second}"));
        format!("{:+.3}", ran[0]["points"].as_f64().unwrap())
    };
    assert_eq!(points("ladrillos:10", adaptive, champion), "-17.889");
    assert_eq!(points("ladrillos:10", champion, adaptive), "-24.576");
    for greedy in [champion, second] {
        assert_eq!(points("ladrillos:11", adaptive, greedy), "+32.985");
        assert_eq!(points("ladrillos:11", greedy, adaptive), "-30.594");
    }
}

/// Cuadro 12 as an event: the published totals from a plan file of the study.
#[test]
fn the_masters_as_an_event() {
    let place = crate::events::Place::new("event-masters");
    let file = crate::support::workspace().join("studies/ladrillos/masters.toml");
    let value = place.object(&["tournament", &file.display().to_string()], 0);
    let table = include_str!("../../../palestra-games/src/ladrillos/data/masters.txt");
    let lines = table.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let mut n_compared = 0;
    for (place, line) in (1..).zip(lines) {
        let name = format!("masters-{place}");
        let rows = value["standings"].as_array().unwrap();
        let row = rows.iter().find(|row| row["player"] == *name).unwrap();
        let total = format!("{:.3}", row["points"].as_f64().unwrap());
        let published: f64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
        assert_eq!(total, format!("{published:.3}"), "{name}");
        n_compared += 1;
    }
    assert_eq!(n_compared, 40);
}
