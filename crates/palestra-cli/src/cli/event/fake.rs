//! An event for tests: hostile names, a cycle, failures, a bye and a reference player.

use super::{EventReport, StageStandings};
use palestra_arena::{EngineLog, Forfeit, GameEvidence, GameRecord, LogLine, Speaker, StartPoint};
use palestra_core::Side;
use palestra_review::event::{Audience, EventNotes, PlayComparison};
use palestra_store::{EventGame, EventPlace, Run, RunId, RunState, StoredGame};
use palestra_tournament::{
    Bye, Entrant, MarkThreshold, Pairing, PointSystem, Standings, StandingsInput, TieBreak, TournamentResults,
};
use std::sync::Arc;

/// Names with markup, formulas, paths, control characters and excessive length.
pub(super) const NAMES: [&str; 7] = [
    "ana",
    "<script>alert(1)</script>",
    "=SUM(A1:A9)",
    "O'Brien \"B\"/../x",
    "regular",
    "a-very-long-name-that-somebody-gave-to-a-program-number-2",
    "crash\u{1b}[31m",
];

/// The data that an [`EventReport`] borrows.
pub(super) struct FakeEvent {
    pub(super) run: Run,
    pub(super) entrants: Vec<Entrant>,
    pub(super) results: TournamentResults,
    pub(super) stages: Vec<StageStandings>,
    pub(super) points: PointSystem,
    pub(super) marks: Vec<MarkThreshold>,
    pub(super) noted: EventNotes,
    pub(super) play: PlayComparison,
    pub(super) games: Vec<EventGame>,
}

/// Result of a game of the fake event.
#[derive(Clone, Copy, PartialEq)]
enum FakeResult {
    First,
    Second,
    Draw,
    Crash,
}

const TIE_BREAKS: [TieBreak; 2] = [TieBreak::Direct, TieBreak::SonnebornBerger];

impl FakeEvent {
    /// The first three beat each other in a cycle and all others; the last one crashes as second.
    pub(super) fn new() -> FakeEvent {
        let mut fake = FakeEvent::empty(NAMES.iter().map(|name| (*name).to_owned()).collect());
        for cycle in 0..6u32 {
            for a in 0..NAMES.len() {
                for b in a + 1..NAMES.len() {
                    let wins = if a < 3 && b < 3 { (b + 3 - a) % 3 == 1 } else { a < b };
                    let [stronger, weaker] = if wins {
                        [FakeResult::First, FakeResult::Second]
                    } else {
                        [FakeResult::Second, FakeResult::First]
                    };
                    let close = a >= 3 && (cycle as usize + a + b).is_multiple_of(2);
                    let results = match b {
                        6 => [FakeResult::Crash, weaker],
                        _ if close => [FakeResult::Draw, stronger],
                        _ => [stronger, weaker],
                    };
                    fake.play_pair(cycle, [a, b], results);
                }
            }
        }
        fake.results.add_bye(Bye { player: 5, stage: 0, round: 2, n_games: 2 });
        fake.rank();
        fake
    }

    /// `n_players` players, each of whom beats the next.
    pub(super) fn long(n_players: usize) -> FakeEvent {
        let mut fake = FakeEvent::empty((0..n_players).map(|i| format!("player-{i}")).collect());
        for a in 0..n_players - 1 {
            fake.play_pair(0, [a, a + 1], [FakeResult::First, FakeResult::Draw]);
        }
        fake.rank();
        fake
    }

    pub(super) fn event(&self) -> EventReport<'_> {
        EventReport {
            run: &self.run,
            what: "round robin of 7 players, 6 cycles",
            entrants: &self.entrants,
            results: &self.results,
            stages: &self.stages,
            points: &self.points,
            tie_breaks: &TIE_BREAKS,
            marks: &self.marks,
            noted: &self.noted,
            play: &self.play,
            audience: Audience::Staff,
        }
    }

    fn empty(names: Vec<String>) -> FakeEvent {
        let entrant = |name: String| Entrant {
            player: if name == "regular" { "grid-5".to_owned() } else { format!("cmd:./{name}") },
            staff: name == "regular",
            anchor: (name == "regular").then_some(0.0),
            name,
            ..Entrant::default()
        };
        let mark = |confidence, grade| MarkThreshold { above: "regular".to_owned(), confidence, grade };
        FakeEvent {
            run: Run {
                id: RunId(3),
                name: "cup".to_owned(),
                kind: "tournament".to_owned(),
                plan: "format = \"round-robin\"\ngame = \"connect4\"\nseed = 7\n# </code><script>alert(2)</script>\n".to_owned(),
                plan_key: String::new(),
                seed: 7,
                version: "1".to_owned(),
                weights: Vec::new(),
                state: RunState::Done,
                created: "2026-03-01T09:00:00Z".to_owned(),
                updated: "2026-03-01T09:12:00Z".to_owned(),
                seconds: 720.0,
                n_games: 0,
                outcome: None,
            },
            results: TournamentResults::new(names.len(), Some(3)),
            entrants: names.into_iter().map(entrant).collect(),
            stages: Vec::new(),
            points: PointSystem::default(),
            marks: vec![mark(0.5, 5.0), mark(0.97, 7.5)],
            noted: EventNotes {
                warnings: vec!["programs were not confined (--unconfined)".to_owned()],
                left_out: Vec::new(),
            },
            play: PlayComparison::default(),
            games: Vec::new(),
        }
    }

    fn play_pair(&mut self, round: u32, players: [usize; 2], results: [FakeResult; 2]) {
        let number = self.results.next_number();
        let start = StartPoint { game: "connect4".to_owned(), opening_plies: 1, seed: number };
        let pairing = Pairing { players, start, stage: 0, round, number, single: false, walkover: false };
        let mut records = [None, None];
        for (game_index, result) in results.into_iter().enumerate() {
            let seats = pairing.seats(game_index);
            if seats.iter().any(|&seat| self.results.is_quarantined(seat)) {
                continue;
            }
            let game = self.game(round, seats, result);
            // Other moves for each game: a repeated game would be no evidence.
            let record = GameRecord { moves: game.id.to_string(), ..game.game.record.clone() };
            records[game_index] = Some(Arc::new(record));
            self.games.push(game);
        }
        self.results.add(pairing, records);
    }

    fn game(&self, round: u32, seats: [usize; 2], result: FakeResult) -> EventGame {
        let id = 100 + self.games.len() as i64;
        // Different moves for each result.
        let (name, moves, reason) = match result {
            FakeResult::First => ("connect4", "2 1 2 1 2 1", "line"),
            FakeResult::Second => ("connect4", "2 1 2 1 2 3 2", "line"),
            FakeResult::Draw => ("connect:4x4x4", "2 1 2 2 1 2 1 3 4 3 4 4 3 4 3", "full board"),
            FakeResult::Crash => ("connect4", "2 1", "crash"),
        };
        let crashed = result == FakeResult::Crash;
        let winner = match result {
            FakeResult::First | FakeResult::Crash => Some(Side::First),
            FakeResult::Second => Some(Side::Second),
            FakeResult::Draw => None,
        };
        let n_moves = moves.split(' ').count();
        let log = EngineLog {
            stderr: "Traceback:\n  <b>IndexError</b>".to_owned(),
            dialogue: vec![LogLine { by: Speaker::Palestra, at_us: 1, text: "go".to_owned() }],
            ..EngineLog::default()
        };
        let evidence = GameEvidence {
            micros: vec![Some(1200); n_moves],
            values: (0..n_moves).map(|i| (i % 2 == 0).then_some(0.25)).collect(),
            second: log,
            ..GameEvidence::default()
        };
        let forfeit = crashed.then(|| Forfeit {
            culprit: Side::Second,
            kind: "crash".to_owned(),
            detail: "exit code 3 after {\"go\"}\n\u{1b}[2J".to_owned(),
        });
        EventGame {
            id,
            key: [0; 32],
            game: StoredGame {
                family: "connect".to_owned(),
                game: name.to_owned(),
                first: self.entrants[seats[0]].player.clone(),
                second: self.entrants[seats[1]].player.clone(),
                setup: None,
                seed: id as u64,
                record: GameRecord {
                    opening: "1".to_owned(),
                    moves: moves.to_owned(),
                    plies: n_moves as u32 + 1,
                    winner,
                    margin_points: winner
                        .map_or(0.0, |winner| if winner == Side::First { 1.0 } else { -1.0 }),
                    reason: reason.to_owned(),
                    forfeit,
                    milliseconds: [12, 340],
                    evidence: Some(Box::new(evidence)),
                    ..GameRecord::default()
                },
            },
            place: EventPlace {
                round,
                first: self.entrants[seats[0]].name.clone(),
                second: self.entrants[seats[1]].name.clone(),
            },
        }
    }

    fn rank(&mut self) {
        let field: Vec<usize> = (0..self.entrants.len()).filter(|&i| !self.entrants[i].staff).collect();
        let scope = StandingsInput {
            entrants: &self.entrants,
            field: &field,
            stage: 0,
            points: &self.points,
            tie_breaks: &TIE_BREAKS,
            placing: None,
            // Ratings take long with many players.
            rate: self.entrants.len() < 100,
        };
        self.stages = vec![StageStandings {
            name: "final".to_owned(),
            standings: Standings::of(&self.results, &scope),
        }];
    }
}
