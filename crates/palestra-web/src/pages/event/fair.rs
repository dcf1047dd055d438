//! Test support: an event in a store with games of built-in players, and a program that forfeits all its games.

use crate::app::App;
use crate::config::Config;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use palestra_arena::{
    AnswerTime, AnyGame, EngineLog, ExternalPlayer, Fault, FaultKind, GameRecord, GameSeat, LogLine,
    MatchPlayer, MoveRequest, NewGame, ObservedMove, PlayError, Reply, Speaker, TimeControl,
};
use palestra_core::{InputError, Progress, Side};
use palestra_event::{EventSetup, EventStatusWriter};
use palestra_registry::GAMES;
use palestra_review::event::{EventEntrants, board_of, control_of, new_event, open_boards, terms_of};
use palestra_settings::Document;
use palestra_store::{Run, RunLedger, Store};
use palestra_tournament::{
    ScheduledGame, TournamentEnd, TournamentObserver, TournamentPlan, TournamentResults, TournamentStatus,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;
use tower::ServiceExt;

/// Names of the players, with characters that need escaping.
pub(crate) const NAMES: [&str; 7] = [
    "ana",
    "a/b?c=d&e#f",
    "O'Brien \"B\" 100 %2F",
    "<script>alert(1)</script>",
    "ñandú ∞",
    "..",
    "crash \u{202e}",
];

/// A site with its own folder, store and event.
pub(crate) struct TestEvent {
    folder: PathBuf,
    pub(crate) store: Store,
    pub(crate) run: Run,
    plan: TournamentPlan,
    entrants: EventEntrants,
    boards: BTreeMap<String, Box<dyn AnyGame>>,
    pub(crate) app: App,
}

impl TestEvent {
    /// A round robin; the last player is a program.
    pub(crate) fn new(cycles: u32) -> TestEvent {
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
    pub(crate) fn of(plan: &str, change: impl FnOnce(&mut Config)) -> TestEvent {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("palestra-event-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("palestra.db");
        let plan = TournamentPlan::read(Document::parse(plan, "a test").unwrap(), &GAMES).unwrap();
        let boards = open_boards(&plan, &GAMES).unwrap();
        let keys: Vec<(String, [u8; 32])> =
            plan.players.iter().map(|it| (it.name.clone(), [7; 32])).collect();
        let entrants = EventEntrants::of(&plan, board_of(&boards).unwrap(), Some(&keys)).unwrap();
        let mut store = Store::open(&file).unwrap();
        let (run, _) = store.find_or_begin_event(&new_event(&plan, &entrants, &[])).unwrap();
        let mut config = Config::new(&GAMES, file);
        change(&mut config);
        TestEvent { folder, store, run, plan, entrants, boards, app: App::new(config) }
    }

    pub(crate) fn ledger(&self) -> RunLedger {
        self.store.ledger(self.run.id).unwrap()
    }

    /// Plays at most `limit` more games and keeps them; returns whether the event is finished.
    pub(crate) fn play(&self, ledger: &RunLedger, limit: usize) -> bool {
        let conditions = terms_of(&self.entrants, &control_of(&self.plan).unwrap());
        let known = self.store.event_games(self.run.id).unwrap();
        let progress = Progress::default();
        let observer = Limit { left: AtomicUsize::new(limit), progress: &progress };
        let EventEntrants { entrants, programs } = &self.entrants;
        let event = EventSetup {
            field: &self.entrants,
            boards: &self.boards,
            conditions: &conditions,
            players: &|game, entrant, _| match programs[entrant] {
                Some(_) => Ok(MatchPlayer::External(Arc::new(CrashingPlayer))),
                None => Ok(game.player(&entrants[entrant].player)?.into()),
            },
            concurrency: 1,
            progress: &progress,
            observer: &observer,
            status_writer: &EventStatusWriter::new(entrants, &progress, 1, 0.0),
            kept: &|_| (),
        };
        let mut format = self.plan.open(entrants, Some(&GAMES)).unwrap();
        let mut results = TournamentResults::new(entrants.len(), self.plan.quarantine);
        let outcome = event.play(ledger, &known, &mut format, &mut results).unwrap();
        outcome == TournamentEnd::Finished
    }

    /// Plays all games and ends the event.
    pub(crate) fn finish(&self) {
        let ledger = self.ledger();
        assert!(self.play(&ledger, usize::MAX));
        ledger.finish("{\"notes\":[\"<b>programs were not confined</b>\"]}").unwrap();
    }

    pub(crate) async fn get(&self, path: &str, language: &str) -> (StatusCode, String) {
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
    pub(crate) async fn page(&self, path: &str) -> String {
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

/// Cancels after a number of games.
struct Limit<'a> {
    left: AtomicUsize,
    progress: &'a Progress,
}

impl TournamentObserver for Limit<'_> {
    fn played(&self, _scheduled: &ScheduledGame, _record: &GameRecord, _status: &TournamentStatus) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.progress.cancel();
        }
    }
}

/// A program that crashes at the beginning of every game.
#[derive(Debug)]
struct CrashingPlayer;

impl ExternalPlayer for CrashingPlayer {
    fn name(&self) -> String {
        "crash".to_owned()
    }

    fn control(&self) -> TimeControl {
        TimeControl::default()
    }

    fn seat(&self) -> Result<Box<dyn GameSeat + '_>, InputError> {
        Ok(Box::new(CrashingSeat))
    }
}

struct CrashingSeat;

impl GameSeat for CrashingSeat {
    fn begin(&mut self, _game: &NewGame<'_>) -> Result<(), PlayError> {
        Err(Fault::new(FaultKind::Crash, "exit code 3 after <i>go</i>").into())
    }

    fn choose(&mut self, _turn: &MoveRequest<'_>) -> Result<(Reply, AnswerTime), PlayError> {
        unreachable!("it crashes at the beginning")
    }

    fn observe(&mut self, _mv: &ObservedMove<'_>, _within: Duration) -> Result<(), PlayError> {
        unreachable!("it crashes at the beginning")
    }

    fn end(&mut self, _winner: Option<Side>, _is_culprit: bool) -> EngineLog {
        EngineLog {
            stderr: "Traceback:\n  </pre><script>alert(2)</script>".to_owned(),
            dialogue: vec![LogLine {
                by: Speaker::Program,
                at_us: 1,
                text: "info string read it".to_owned(),
            }],
            remarks: vec!["said read it".to_owned()],
        }
    }
}
