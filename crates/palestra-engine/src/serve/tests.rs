//! Our UGI engine, alone and with our UGI runner at the other end.

use super::{ServedPlayer, serve_ugi};
use crate::clock::TimeControl;
use crate::fault::{Fault, FaultKind};
use crate::protocol::{MoveRequest, NewGame, Protocol};
use crate::protocols::{Dialect, Ugi};
use crate::transport::Transport;
use palestra_core::{Seed, Side};
use palestra_registry::GAMES;
use proptest::prelude::*;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Output that can still be read when the engine has gone.
#[derive(Clone, Default)]
struct Paper(Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn answers(game: &str, player: &str, told: &str) -> String {
    let paper = Paper::default();
    let served = ServedPlayer { games: &GAMES, player, seed: Seed(1) };
    serve_ugi(&served, game, told.as_bytes(), paper.clone()).unwrap();
    let bytes = paper.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// What an engine answers, lines about time and nodes left out.
#[track_caller]
fn check(told: &str, expected: &str) {
    let said = answers("connect4", "first", told);
    let lines: Vec<&str> = said.lines().filter(|line| !line.starts_with("info time")).collect();
    assert_eq!(lines.join("\n"), expected, "{told}");
}

#[test]
fn commands() {
    check(
        "ugi\n",
        "id name Palestra first\nid author the Palestra developers\n\
         option name UGI_Variant type string default connect:7x6x4\nugiok",
    );
    check("isready\n\n  isready now\r\n", "readyok\nreadyok");
    check("position startpos moves 1 1 1 1 1 1\ngo depth 3\n", "bestmove 2");
    check("go movetime 5\n", "bestmove 1");
    check("go\nposition startpos moves 4\ngo nodes 3\n", "bestmove 1\nbestmove 1");
    check("query p1turn\nposition startpos moves 4\nquery p1turn", "response true\nresponse false");
    check(
        "query gameover\nquery result\nquery x",
        "response false\nresponse none\ninfo string unknown query: x",
    );
    let won = "position startpos moves 1 2 1 2 1 2 1\nquery gameover\nquery result\ngo";
    check(won, "response true\nresponse p1win\nbestmove (none)");
    let setup = "position fen ......./......./......./......./1112.../2221... 2\nquery p1turn\ngo";
    check(setup, "response false\nbestmove 1");
    check("go infinite\nisready\nstop\n", "readyok\nbestmove 1");
    check("quit\nisready", "");
    check("dance\n", "info string unknown command: dance");
    check("setoption name Hash value 1\n", "info string no such option: name Hash value 1");
    check("setoption name UGI_Variant value connect:9x8x5\nposition startpos moves 9\ngo", "bestmove 1");
    let said = answers("connect4", "first", "position startpos moves 8\ngo\nposition up\n");
    assert!(said.contains("info string move 1") && said.contains("bestmove (none)"), "{said}");
    assert!(said.contains("\"up\" is not startpos"), "{said}");
    let said = answers("connect4", "first", "describe game\n");
    assert!(said.starts_with("describe game connect:7x6x4\n") && said.ends_with("describeok\n"), "{said}");
    assert!(said.contains("describe notation Move: the column"), "{said}");
}

#[test]
fn a_search_tells_what_it_saw() {
    let said = answers("connect4", "alphabeta:depth=2/threes/4,4,1,2", "go\ngo depth 4\ngo nodes 5\n");
    let nodes: Vec<u64> = said
        .lines()
        .filter_map(|line| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok())
        .collect();
    // Depth takes the place of the player's own; nodes mean nothing to a plain search.
    assert!(nodes[1] > 5 * nodes[0] && nodes[2] == nodes[0], "{said}");
    assert!(said.contains(" score cp "), "{said}");
}

/// One end of a pipe in memory.
struct Pipe(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = self.1.len().min(into.len());
        into[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

struct Mouth(Sender<Vec<u8>>);

impl Write for Mouth {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The other end may have gone.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A line to an engine of ours on a thread.
struct Line {
    to: Sender<Vec<u8>>,
    from: Receiver<Vec<u8>>,
    heard: Vec<u8>,
}

impl Line {
    fn to_engine(game: &'static str, player: String, seed: Seed) -> Line {
        let (to, input) = channel();
        let (output, from) = channel();
        std::thread::spawn(move || {
            let served = ServedPlayer { games: &GAMES, player: &player, seed };
            serve_ugi(&served, game, BufReader::new(Pipe(input, Vec::new())), Mouth(output)).unwrap();
        });
        Line { to, from, heard: Vec::new() }
    }
}

impl Transport for Line {
    fn send(&mut self, line: &str, _until: Instant) -> Result<(), Fault> {
        let sent = self.to.send(format!("{line}\n").into_bytes());
        sent.map_err(|_| Fault::new(FaultKind::Closed, "the engine has gone"))
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        loop {
            if let Some(end) = self.heard.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.heard.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()));
            }
            match self.from.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.heard.extend(bytes),
                Err(_) => return Ok(None),
            }
        }
    }
}

/// A game through pipes is the game in this process: with openings, dice, sides that move again, and one engine for all games.
#[track_caller]
fn check_loop(name: &'static str, players: [&str; 2], opening: &str, expect_extra_turns: bool) {
    let game = GAMES.open(name).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let control: TimeControl = "60".parse().unwrap();
    let mut wires = players.map(|player| Line::to_engine(name, player.to_owned(), Seed(5)));
    let mut talks = [(); 2].map(|()| Ugi::new(&Dialect::UGI, &[]));
    for i in 0..2 {
        talks[i].open(&mut wires[i], until).unwrap();
    }
    let mut n_repeats = 0;
    for round in 1..=2 {
        let mut session = game.session(None, opening).unwrap();
        let mut movers = players.map(|player| game.text_player(&game.player(player).unwrap()));
        movers.iter_mut().for_each(|mover| mover.begin(None, opening).unwrap());
        for (i, side) in Side::BOTH.into_iter().enumerate() {
            let beginning = NewGame { game: &game.name(), side, opening: &[], control: &control };
            talks[i].begin(&mut wires[i], &beginning, until).unwrap();
        }
        let mut last = None;
        while session.ending().is_none() {
            let (side, moves) = (session.to_move(), session.played());
            let i = side.index();
            n_repeats += usize::from(last == Some(side));
            last = Some(side);
            let left = [Some(Duration::from_secs(60)); 2];
            let turn = MoveRequest { moves: &moves, side, left, control: &control, until };
            let reply = talks[i].choose(&mut wires[i], &turn).unwrap();
            // The engine counts games from its start; the first of them is told as the second.
            let answer = movers[i].choose(Seed(5).child(round).child(moves.len() as u64)).unwrap();
            assert_eq!(reply.mv, answer.mv, "{name} {players:?} after {moves:?}");
            assert_eq!(reply.nodes, Some(answer.nodes));
            session.play(&reply.mv).unwrap();
            movers.iter_mut().for_each(|mover| mover.observe(&reply.mv).unwrap());
        }
    }
    assert_eq!(n_repeats > 0, expect_extra_turns);
    for i in 0..2 {
        talks[i].close(&mut wires[i], until).unwrap();
        assert_eq!(wires[i].receive(until).unwrap(), None, "it left without a word");
    }
}

#[test]
fn loops() {
    check_loop("connect4", ["random", "grid-5"], "-", false);
    check_loop("connect4", ["ab:depth=3/threes/4,4,1,2", "alphabeta:depth=2/threes/1,1,1,1"], "4 4 1", false);
    check_loop("connect4", ["mcts:playouts=50", "greedy/noise"], "7", false);
    check_loop("mancala:uam", ["random", "greedy/noise"], "-", false);
    check_loop("kalah:6x4", ["ab:depth=3/noise", "mcts:playouts=20"], "3 6", true);
}

proptest! {
    /// Whatever is said to an engine, it lives.
    #[test]
    fn nothing_told_panics(
        told in "(ugi|isready|position|startpos|fen|moves|go|depth|p1time|movetime|query|stop|setoption|name|value|UGI_Variant|[0-9-]| |\n|\\PC){0,24}",
    ) {
        answers("connect4", "first", &told);
    }
}
