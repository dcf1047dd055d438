//! Test support: an event in a store with games of built-in players, and a program that forfeits all its games.

use crate::app::App;
use crate::config::Config;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use palestra_arena::AnyGame;
use palestra_core::Side;
use palestra_registry::GAMES;
use palestra_review::event::{
    EventEntrants, board_of, control_of, fingerprint, new_event, open_boards, record_of, terms_of,
};
use palestra_settings::Settings;
use palestra_store::{EventGame, Run, RunLedger, Store, StoredGame, Winner};
use palestra_tournament::{
    FinishedGame, Forfeit, GameKey, GameRecord, GameRunner, GameStore, ResultSink, ScheduledGame,
    TournamentDriver, TournamentEnd, TournamentError, TournamentPlan, TournamentProgress, TournamentResults,
    Transcript,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use tower::ServiceExt;

/// Names of the players, with characters that need escaping.
pub(super) const NAMES: [&str; 7] = [
    "ana",
    "a/b?c=d&e#f",
    "O'Brien \"B\" 100 %2F",
    "<script>alert(1)</script>",
    "ñandú ∞",
    "..",
    "crash \u{202e}",
];

/// A site with its own folder, store and event.
pub(super) struct TestEvent {
    folder: PathBuf,
    pub(super) store: Store,
    pub(super) run: Run,
    plan: TournamentPlan,
    entrants: EventEntrants,
    boards: BTreeMap<String, Box<dyn AnyGame>>,
    pub(super) app: App,
}

impl TestEvent {
    /// A round robin; the last player is a program.
    pub(super) fn new(cycles: u32) -> TestEvent {
        let mut text = format!(
            "game = \"connect:4x4x3\"\nname = \"cup\"\nformat = \"round-robin\"\ncycles = {cycles}\nseed = 3\nquarantine = 1000\nopening_plies = 2\n"
        );
        for (i, name) in NAMES.iter().enumerate() {
            // Different weights: equal players would play equal games.
            let builtin = format!("greedy/lines/{i},1,1,1,1,1");
            let player = if i + 1 == NAMES.len() { "cmd:./nowhere" } else { builtin.as_str() };
            text += &format!("[[player]]\nname = {}\nplayer = \"{player}\"\n", serde_json::json!(name));
        }
        TestEvent::of(&text, |_| ())
    }

    /// The event of a plan.
    pub(super) fn of(plan: &str, change: impl FnOnce(&mut Config)) -> TestEvent {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("palestra-event-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("palestra.db");
        let plan = TournamentPlan::read(Settings::parse(plan, "a test").unwrap(), &GAMES).unwrap();
        let boards = open_boards(&plan, &GAMES).unwrap();
        let keys: Vec<(String, [u8; 32])> =
            plan.players.iter().map(|it| (it.name.clone(), [7; 32])).collect();
        let entrants = EventEntrants::of(&plan, board_of(&boards).unwrap(), Some(&keys)).unwrap();
        let mut store = Store::open(&file).unwrap();
        let (run, _) = store.find_or_begin_event(&new_event(&plan, &entrants)).unwrap();
        let mut config = Config::new(&GAMES, file);
        change(&mut config);
        TestEvent { folder, store, run, plan, entrants, boards, app: App::new(config) }
    }

    pub(super) fn ledger(&self) -> RunLedger {
        self.store.ledger(self.run.id).unwrap()
    }

    /// Plays at most `limit` more games and keeps them; returns whether the event is finished.
    pub(super) fn play(&self, ledger: &RunLedger, limit: usize) -> bool {
        let control = control_of(&self.plan).unwrap();
        let conditions = terms_of(&self.entrants, &control);
        let known = self.store.event_games(self.run.id).unwrap();
        let known = known.iter().map(|game| (GameKey(game.key), record_of(game))).collect();
        let left = AtomicUsize::new(limit);
        let runner = TestRunner { entrants: &self.entrants, boards: &self.boards, ledger, left: &left };
        let store = TestStore { known: Mutex::new(known), runner: &runner };
        let mut format = self.plan.open(&self.entrants.entrants, Some(&GAMES)).unwrap();
        let mut results = TournamentResults::new(self.entrants.entrants.len(), self.plan.quarantine);
        let driver = TournamentDriver {
            entrants: &self.entrants.entrants,
            conditions: &conditions,
            runner: &runner,
            store: &store,
            progress: &runner,
        };
        let outcome = driver.run(&mut format, &mut results).unwrap();
        ledger.flush().unwrap();
        outcome == TournamentEnd::Finished
    }

    /// Plays all games and ends the event.
    pub(super) fn finish(&self) {
        let ledger = self.ledger();
        assert!(self.play(&ledger, usize::MAX));
        ledger.finish("{\"notes\":[\"<b>programs were not confined</b>\"]}").unwrap();
    }

    pub(super) async fn get(&self, path: &str, language: &str) -> (StatusCode, String) {
        let request = Request::get(path)
            .header(header::HOST, "localhost")
            .header(header::ACCEPT_LANGUAGE, language)
            .body(Body::empty())
            .unwrap();
        let response = self.app.router().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    /// A page with status 200, in English.
    pub(super) async fn page(&self, path: &str) -> String {
        let (status, text) = self.get(path, "en").await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        text
    }
}

impl Drop for TestEvent {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

struct TestRunner<'a> {
    entrants: &'a EventEntrants,
    boards: &'a BTreeMap<String, Box<dyn AnyGame>>,
    ledger: &'a RunLedger,
    left: &'a AtomicUsize,
}

impl TournamentProgress for TestRunner<'_> {
    fn go_on(&self) -> bool {
        self.left.load(Ordering::Relaxed) > 0
    }
}

impl GameRunner for TestRunner<'_> {
    fn play(&self, games: &[ScheduledGame], sink: &dyn ResultSink) -> Result<(), TournamentError> {
        for (i, game) in games.iter().enumerate() {
            if sink.wants(i) {
                sink.done(i, self.play_game(game))?;
                self.left.fetch_sub(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

impl TestRunner<'_> {
    fn play_game(&self, scheduled: &ScheduledGame) -> FinishedGame {
        let seats = [scheduled.first(), scheduled.second()];
        let start = &scheduled.pairing.start;
        let culprit = if self.entrants.programs[seats[1]].is_some() {
            Some(Side::Second)
        } else {
            self.entrants.programs[seats[0]].is_some().then_some(Side::First)
        };
        if let Some(culprit) = culprit {
            let detail = "exit code 3 after <i>go</i>".to_owned();
            let forfeit = Some(Forfeit { culprit, kind: "crash".to_owned(), detail });
            let record = GameRecord {
                winner: Some(culprit.other()),
                margin_points: 1.0,
                forfeit,
                reason: "crash".to_owned(),
                plies: 0,
                fingerprint: fingerprint(&start.game, "", ""),
                milliseconds: [1, 2],
            };
            return FinishedGame { record, transcript: Transcript::default() };
        }
        let game = &self.boards[&start.game];
        let [a, b] =
            scheduled.pairing.players.map(|i| game.player(&self.entrants.entrants[i].player).unwrap());
        let mut runner = game.new_match([&a, &b]);
        let result = runner.play(start, scheduled.game_index);
        let text = runner.last();
        let record = GameRecord {
            winner: text.winner,
            margin_points: 0.0,
            forfeit: None,
            reason: text.reason.to_owned(),
            plies: result.plies,
            fingerprint: fingerprint(&start.game, &text.opening, &text.moves),
            milliseconds: [0, 0],
        };
        let transcript =
            Transcript { opening: text.opening, moves: text.moves, notes: serde_json::Value::Null };
        FinishedGame { record, transcript }
    }
}

struct TestStore<'a> {
    known: Mutex<BTreeMap<GameKey, GameRecord>>,
    runner: &'a TestRunner<'a>,
}

impl GameStore for TestStore<'_> {
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<GameRecord>>, TournamentError> {
        let known = self.known.lock().unwrap();
        Ok(keys.iter().map(|key| known.get(key).cloned()).collect())
    }

    fn keep(&self, scheduled: &ScheduledGame, finished: &FinishedGame) -> Result<(), TournamentError> {
        self.known.lock().unwrap().insert(scheduled.key, finished.record.clone());
        let (record, transcript) = (&finished.record, &finished.transcript);
        let entrants = &self.runner.entrants.entrants;
        let [first, second] = [scheduled.first(), scheduled.second()].map(|player| &entrants[player]);
        let side = |side| if side == Side::First { Winner::First } else { Winner::Second };
        let stderr = "Traceback:\n  </pre><script>alert(2)</script>";
        let evidence = record.forfeit.as_ref().map(|forfeit| {
            let side = if forfeit.culprit == Side::First { "first" } else { "second" };
            serde_json::json!({ "micros": [], side: { "stderr": stderr } }).to_string()
        });
        self.runner.ledger.keep_event_game(EventGame {
            id: 0,
            key: scheduled.key.0,
            game: StoredGame {
                family: "connect".to_owned(),
                game: scheduled.pairing.start.game.clone(),
                first: first.player.clone(),
                second: second.player.clone(),
                setup: None,
                opening: transcript.opening.clone(),
                moves: transcript.moves.clone(),
                winner: record.winner.map(side),
                margin: 0,
                reason: record.reason.clone(),
                plies: record.plies,
                seed: scheduled.pairing.start.seed,
                microseconds: None,
            },
            round: scheduled.pairing.round,
            first: first.name.clone(),
            second: second.name.clone(),
            points: record.margin_points,
            milliseconds: record.milliseconds,
            forfeit: record.forfeit.as_ref().map(|forfeit| side(forfeit.culprit)),
            fault: record.forfeit.as_ref().map(|forfeit| forfeit.kind.clone()),
            detail: record.forfeit.as_ref().map(|forfeit| forfeit.detail.clone()),
            evidence,
        })?;
        Ok(())
    }
}
