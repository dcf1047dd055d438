//! The UGI engine, alone and with the UGI runner at the other end.

use super::{ServedPlayer, serve_ugi};
use crate::protocol::Protocol;
use crate::protocols::{Dialect, Ugi};
use crate::transport::Transport;
use palestra_arena::{Fault, FaultKind, MoveRequest, NewGame, TimeControl};
use palestra_core::{Seed, Side};
use palestra_registry::GAMES;
use proptest::prelude::*;
use std::io::{BufReader, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Output that can still be read when the engine has ended.
#[derive(Clone, Default)]
struct SharedBuffer(Arc<Mutex<Vec<u8>>>);

impl Write for SharedBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn answers(game: &str, player: &str, input: &str) -> String {
    let buffer = SharedBuffer::default();
    let served = ServedPlayer { games: &GAMES, player, seed: Seed(1) };
    serve_ugi(&served, game, input.as_bytes(), buffer.clone()).unwrap();
    let bytes = buffer.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

/// Checks what the engine answers, without the lines about time and nodes.
#[track_caller]
fn check(input: &str, expected: &str) {
    let output = answers("connect4", "first", input);
    let lines: Vec<&str> = output.lines().filter(|line| !line.starts_with("info time")).collect();
    assert_eq!(lines.join("\n"), expected, "{input}");
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
    let output = answers("connect4", "first", "position startpos moves 8\ngo\nposition up\n");
    assert!(output.contains("for move 1") && output.contains("bestmove (none)"), "{output}");
    assert!(output.contains("invalid value \"up\" for position: expected startpos, or fen"), "{output}");
    let output = answers("connect4", "first", "describe game\n");
    assert!(output.starts_with("describe game connect:7x6x4\n"), "{output}");
    assert!(output.ends_with("describeok\n"), "{output}");
    assert!(output.contains("describe notation Move: the column"), "{output}");
}

#[test]
fn a_search_reports_nodes_and_score() {
    let output = answers("connect4", "alphabeta:depth=2/threes/4,4,1,2", "go\ngo depth 4\ngo nodes 5\n");
    let nodes: Vec<u64> = output
        .lines()
        .filter_map(|line| line.split_once(" nodes ")?.1.split(' ').next()?.parse().ok())
        .collect();
    // Depth replaces the player's own; a plain search has no node limit.
    assert!(nodes[1] > 5 * nodes[0] && nodes[2] == nodes[0], "{output}");
    assert!(output.contains(" score cp "), "{output}");
}

/// The reading end of a pipe in memory, with the bytes that were received and not read yet.
struct ChannelReader(Receiver<Vec<u8>>, Vec<u8>);

impl Read for ChannelReader {
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

struct ChannelWriter(Sender<Vec<u8>>);

impl Write for ChannelWriter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        // The other end may have been dropped.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The transport to a UGI engine on a thread.
struct ThreadTransport {
    to: Sender<Vec<u8>>,
    from: Receiver<Vec<u8>>,
    received: Vec<u8>,
}

impl ThreadTransport {
    fn start(game: &'static str, player: String, seed: Seed) -> ThreadTransport {
        let (to, input) = channel();
        let (output, from) = channel();
        std::thread::spawn(move || {
            let served = ServedPlayer { games: &GAMES, player: &player, seed };
            let input = BufReader::new(ChannelReader(input, Vec::new()));
            serve_ugi(&served, game, input, ChannelWriter(output)).unwrap();
        });
        ThreadTransport { to, from, received: Vec::new() }
    }
}

impl Transport for ThreadTransport {
    fn send(&mut self, line: &str, _until: Instant) -> Result<(), Fault> {
        let sent = self.to.send(format!("{line}\n").into_bytes());
        sent.map_err(|_| Fault::new(FaultKind::Closed, "the engine has ended"))
    }

    fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        loop {
            if let Some(end) = self.received.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=end).collect();
                return Ok(Some(String::from_utf8_lossy(&line).trim_end().to_owned()));
            }
            match self.from.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.received.extend(bytes),
                Err(_) => return Ok(None),
            }
        }
    }
}

/// Checks that a game over UGI equals the game in this process: with openings, random players, extra turns, and one
/// engine for all games.
#[track_caller]
fn check_loop(name: &'static str, players: [&str; 2], opening: &str, expect_extra_turns: bool) {
    let game = GAMES.open(name).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let control: TimeControl = "60".parse().unwrap();
    let mut transports = players.map(|player| ThreadTransport::start(name, player.to_owned(), Seed(5)));
    let mut protocols = [(); 2].map(|()| Ugi::new(Dialect::UGI, &[]));
    for i in 0..2 {
        protocols[i].open(&mut transports[i], until).unwrap();
    }
    let mut n_repeats = 0;
    for round in 1..=2 {
        let mut session = game.session(None, opening).unwrap();
        let mut builtin = players.map(|player| game.text_player(&game.player(player).unwrap()));
        builtin.iter_mut().for_each(|player| player.begin(None, opening).unwrap());
        for (i, side) in Side::BOTH.into_iter().enumerate() {
            let new_game = NewGame { game: &game.name(), setup: None, side, opening: &[], control: &control };
            protocols[i].begin(&mut transports[i], &new_game, until).unwrap();
        }
        let mut last = None;
        while session.ending().is_none() {
            let (side, moves) = (session.to_move(), session.played());
            let i = side.index();
            n_repeats += usize::from(last == Some(side));
            last = Some(side);
            let left = [Some(Duration::from_secs(60)); 2];
            let (position, within) = (session.setup(), Duration::from_secs(60));
            let turn =
                MoveRequest { moves: &moves, position: &position, side, left, control: &control, within };
            let reply = protocols[i].choose(&mut transports[i], &turn).unwrap();
            // The engine counts `uginewgame` commands, so that the first game has number 1.
            let answer = builtin[i].choose(Seed(5).child(round).child(moves.len() as u64)).unwrap();
            assert_eq!(reply.mv, answer.mv, "{name} {players:?} after {moves:?}");
            assert_eq!(reply.nodes, Some(answer.nodes));
            session.play(&reply.mv).unwrap();
            builtin.iter_mut().for_each(|player| player.observe(&reply.mv).unwrap());
        }
    }
    assert_eq!(n_repeats > 0, expect_extra_turns);
    for i in 0..2 {
        protocols[i].close(&mut transports[i], until).unwrap();
        assert_eq!(transports[i].receive(until).unwrap(), None, "no output after quit");
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
    /// No input makes the engine panic.
    #[test]
    fn no_input_panics(
        input in "(ugi|isready|position|startpos|fen|moves|go|depth|p1time|movetime|query|stop|setoption|name|value|UGI_Variant|[0-9-]| |\n|\\PC){0,24}",
    ) {
        answers("connect4", "first", &input);
    }
}
