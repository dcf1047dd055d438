//! The published results of the two Connect studies and the behavior of their programs, reproduced exactly.

use palestra_arena::{AnyGame, MatchPlan};
use palestra_core::{Progress, Seed, Side};
use palestra_registry::GAMES;

/// The Connect-4 study's two games at one depth: 4,4,1,2 plays first in one, 1,1,1,1 in the other.
struct Study {
    depth: u32,
    moves: [&'static str; 2],
    /// Winner of each game: 0 for 4,4,1,2, 1 for 1,1,1,1, 2 for a draw.
    winners: [usize; 2],
    /// Nodes below the root moves, and root moves, of each player in both games together, with alpha-beta.
    alphabeta: [(u64, u64); 2],
    /// Nodes of each player in both games together, with minimax, root moves included.
    minimax: [u64; 2],
}

const CONNECT_4: [Study; 4] = [
    Study {
        depth: 2,
        moves: ["5555436744343347767726652675111146331122", "5555436744343347767756646353627121111122"],
        winners: [1, 0],
        alphabeta: [(1362, 226), (1367, 227)],
        minimax: [1639, 1641],
    },
    Study {
        depth: 3,
        moves: ["5545673", "555534444323323221667177777566665441"],
        winners: [0, 0],
        alphabeta: [(3423, 144), (2732, 140)],
        minimax: [6927, 6812],
    },
    Study {
        depth: 4,
        moves: ["5455544332143373772326621115747766", "545554433214337377232662111666575474"],
        winners: [1, 0],
        alphabeta: [(23937, 227), (23057, 228)],
        minimax: [68637, 68937],
    },
    Study {
        depth: 5,
        moves: ["545574644353321212236664364115577773672211", "545554433214331311766477757766"],
        winners: [2, 0],
        alphabeta: [(86289, 231), (82203, 228)],
        minimax: [444_867, 456_209],
    },
];

/// Plays both games of the study and compares moves and winners; returns nodes and root moves of each player.
fn play_study(study: &Study, search: &str) -> [(u64, u64); 2] {
    let game = GAMES.open("connect4").unwrap();
    let players = ["4,4,1,2", "1,1,1,1"]
        .map(|weights| game.player(&format!("{search}depth={}/threes/{weights}", study.depth)).unwrap());
    let mut nodes = [(0, 0); 2];
    for opener in [0, 1] {
        let mut session = game.session(None, "-").unwrap();
        while session.ending().is_none() {
            let player = session.to_move().index() ^ opener;
            let answer = session.ask(&players[player], Seed(0)).unwrap();
            nodes[player].0 += answer.nodes;
            nodes[player].1 += session.legal().len() as u64;
            session.play(&answer.mv).unwrap();
        }
        assert_eq!(session.played().concat(), study.moves[opener], "{search}, depth {}", study.depth);
        let winner = session.ending().unwrap().winner.map_or(2, |side| side.index() ^ opener);
        assert_eq!(winner, study.winners[opener], "{search}, depth {}", study.depth);
    }
    nodes
}

#[test]
fn the_connect_4_study_plays_again() {
    for study in &CONNECT_4 {
        assert_eq!(play_study(study, "alphabeta:root=full,"), study.alphabeta, "depth {}", study.depth);
        let minimax = play_study(study, "minimax:").map(|(nodes, root_moves)| nodes + root_moves);
        assert_eq!(minimax, study.minimax, "depth {}", study.depth);
    }
}

#[test]
fn two_hundred_positions_of_connect_4() {
    let game = GAMES.open("connect4").unwrap();
    let player = game.player("alphabeta:depth=4,root=full/threes/4,4,1,2").unwrap();
    let table = include_str!("../../../palestra-games/src/connect/data/connect4_threes.txt");
    let mut n_lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let session = game.session(None, parts[0]).unwrap();
        let found = session.explain(&player, Seed(0));
        let found = format!("{} {} {}", found.chosen.unwrap(), found.nodes, found.root_moves);
        assert_eq!(found, parts[5], "{line}");
        assert_eq!((session.to_move().index() + 1).to_string(), parts[1], "{line}");
        n_lines += 1;
    }
    assert_eq!(n_lines, 200);
}

/// Wins, draws and losses of the Connect-C study's nine opponents in a round robin on three boards from both
/// sides, 48 games each. The published table credits draws to the second player only; these counts are corrected.
const ROUND_ROBIN: [[u64; 3]; 9] = [
    [21, 1, 26],
    [25, 3, 20],
    [0, 0, 48],
    [17, 8, 23],
    [34, 7, 7],
    [26, 7, 15],
    [32, 6, 10],
    [12, 1, 35],
    [29, 7, 12],
];

/// Both games between two deterministic players.
fn meet(game: &dyn AnyGame, a: &str, b: &str) -> palestra_arena::MatchRecord {
    game.run_match(&MatchPlan::builtin(game, [a, b], 2, Seed(0)).unwrap(), &Progress::default()).unwrap()
}

#[test]
fn the_rivals_of_connect_c_play_again() {
    let mut found = [[0; 3]; 9];
    // The program's boards have rows and columns exchanged: 7 rows and 6 columns where the text has 6 and 7.
    for board in ["connect:6x7x4", "connect:8x9x5", "connect:14x14x7"] {
        let game = GAMES.open(board).unwrap();
        for a in 0..9 {
            for b in a + 1..9 {
                let record = meet(game.as_ref(), &format!("rival-{a}"), &format!("rival-{b}"));
                let counts = [record.wins, record.draws, record.losses];
                for (i, count) in counts.into_iter().enumerate() {
                    found[a][i] += count;
                    found[b][2 - i] += count;
                }
            }
        }
    }
    assert_eq!(found, ROUND_ROBIN);
}

/// Section 3.3 of the report, on the boards as its text describes them: the winner when the grid search's player began,
/// and when the genetic one did. Six rows are as published; for 14 × 14 the report has the two exchanged.
#[test]
fn grid_search_meets_genetic() {
    const GRID: Option<usize> = Some(0);
    const GENETIC: Option<usize> = Some(1);
    let known = [
        ("connect:7x6x4", [GRID, GRID]),
        ("connect:9x8x5", [None, GRID]),
        ("connect:14x14x7", [None, GENETIC]),
        ("connect:18x17x9", [None, None]),
    ];
    for (board, winners) in known {
        let game = GAMES.open(board).unwrap();
        let record = meet(game.as_ref(), "grid-5", "genetic-league-weighted-cut");
        let found = Side::BOTH.map(|side| match [record.as_first, record.as_second][side.index()] {
            [1, 0, 0] => GRID,
            [0, 1, 0] => None,
            [0, 0, 1] => GENETIC,
            counts => panic!("{board}: {counts:?}"),
        });
        assert_eq!(found, winners, "{board}");
    }
}
