//! Built-in players as external programs: UGI engines, and players for the course judges.

use crate::support::{Ran, command, finish, say};

/// Runs a command line (without quotes) with this standard input.
fn converse(line: &str, told: &str) -> Ran {
    let words: Vec<&str> = line.split(' ').collect();
    finish(command(&words).write_stdin(told))
}

#[track_caller]
fn check(line: &str, told: &str, expected: &str) {
    let ran = converse(line, told);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{line}");
    assert_eq!(ran.stdout, expected, "{line}");
}

/// The dialogue with the Ladrillos judge, byte for byte. Moves are ordered by row, column, horizontal before vertical.
#[test]
fn under_the_ladrillos_judge() {
    check("engine judge ladrillos first", "4 0\n", "1 1 0\n");
    check("engine judge ladrillos first", "4 0\n2 1 1\n", "1 1 0\n1 3 0\n");
    check("engine judge ladrillos first", "4 1\n1 1 0\n", "1 3 0\n");
    check("engine judge ladrillos first", "4 1\n1 2 1\n", "1 1 1\n");
    check("engine judge ladrillos last", "11 1\r\n1 1 0\r\n", "11 10 0\n");
    // After the last brick that fits the judge sends nothing, and the player must not answer.
    check("engine judge ladrillos first", "2 0\n2 1 0\n", "1 1 0\n");
    check("engine judge ladrillos first", "", "");
}

#[test]
fn under_the_conecta_c_judge() {
    let games = "azul rojo 7 6 4 21\nvos\n6\nganaste\nrojo azul 9 8 5 36\nel\n8\nperdiste\nsalir\n";
    check("engine judge conecta-c first", games, "0\n0\n0\nlisto\n");
}

#[test]
fn judges_and_words_that_make_no_sense() {
    for (line, told, words) in [
        ("engine judge ladrillos first", "4 2\n", "a game and a side of this protocol"),
        ("engine judge ladrillos first", "4 1\n1 1 7\n", "a move of the opponent"),
        ("engine judge ladrillos first", "4 1\n4 4 1\n", "legal move"),
        ("engine judge ladrillos frist", "4 1\n", "did you mean \"first\"?"),
        ("engine judge ladrilos first", "", "did you mean \"ladrillos\"?"),
        ("engine judge ugi first", "", "the protocol of a judge"),
        ("engine serve conect4 first", "", "did you mean \"connect4\"?"),
        ("engine serve connect4 frist", "", "did you mean \"first\"?"),
    ] {
        let ran = converse(line, told);
        assert_eq!(ran.code, Some(2), "{line}: {}", ran.stderr);
        assert!(ran.stderr.contains(words), "{line}: {}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{line}: {}", ran.stderr);
    }
}

/// Deterministic players choose the same moves, one `position` at a time, as in a game without the protocol.
#[test]
fn ugi_engines_play_as_players_do() {
    for (game, player) in [
        ("connect4", "ab:depth=4/threes/4,4,1,2"),
        ("mancala:uam", "greedy/regular"),
        ("kalah:6x4", "alphabeta:depth=3/margin"),
        ("ladrillos:5", "greedy/islands/1,1,1,1,1"),
    ] {
        let text = say(&format!("play {game} --first {player} --second {player} --json"));
        let played: serde_json::Value = serde_json::from_str(&text).unwrap();
        let moves: Vec<&str> =
            played["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
        let mut told = "ugi\nisready\nuginewgame\nisready\n".to_owned();
        for i in 0..moves.len() {
            told.push_str(&format!("position startpos moves {}\nisready\ngo\n", moves[..i].join(" ")));
        }
        told.push_str(&format!("position startpos moves {}\nquery gameover\nquit\n", moves.join(" ")));
        let ran = converse(&format!("engine serve {game} {player}"), &told);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{game}");
        let chosen: Vec<&str> =
            ran.stdout.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(chosen, moves, "{game} {player}");
        assert!(ran.stdout.contains("\nugiok\n") && ran.stdout.ends_with("response true\n"), "{game}");
    }
}

#[test]
fn ugi_keeps_to_its_time() {
    let began = std::time::Instant::now();
    let told = "position startpos\ngo movetime 300\nisready\nposition startpos moves 4\ngo p1time 60000 p2time 3000\n";
    let ran = converse("engine serve connect4 ab:time=60000/threes/4,4,1,2", told);
    assert_eq!(ran.stdout.lines().filter(|line| line.starts_with("bestmove ")).count(), 2, "{}", ran.stdout);
    // The engine answers `isready` while it searches.
    assert_eq!(ran.stdout.lines().next(), Some("readyok"), "{}", ran.stdout);
    assert!(began.elapsed().as_secs() < 30);
}
