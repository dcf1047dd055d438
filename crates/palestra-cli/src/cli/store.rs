//! The store of `--store`: opening it, resolving `@name`, and its ledger as executors use it.

use super::args::{Command, CommonArgs};
use super::args_engine::{EngineArgs, EngineCommand};
use super::output::{counted, note};
use super::submissions::submission;
use anyhow::Result;
use palestra_arena::MatchPlayer;
use palestra_core::InputError;
use palestra_store::{RunId, RunLedger, Store, StoreError, StoredGame, is_name};
use palestra_tune::{BatchStore, BoxError, GameSink, RecordedGame};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Opens the store, and creates it if it does not exist.
pub(super) fn open(common: &CommonArgs) -> Result<Store> {
    Ok(Store::open(&common.store)?)
}

/// Refuses a name that the store would not take, before a store is created for it.
pub(super) fn check_name(option: &str, name: &str) -> Result<(), InputError> {
    let expected = "at most 100 letters, digits, -, _ and ., with a letter first";
    if is_name(name) { Ok(()) } else { Err(InputError::new(option, name, expected)) }
}

/// Opens an existing store for writing.
pub(super) fn open_existing(common: &CommonArgs) -> Result<Store> {
    Ok(Store::open_existing(&common.store)?)
}

/// Opens an existing store read-only.
pub(super) fn open_for_reading(common: &CommonArgs) -> Result<Store> {
    match Store::open_read_only(&common.store) {
        // A store of an earlier version has to be migrated, which needs write access.
        Err(StoreError::Older { .. }) => open_existing(common),
        opened => Ok(opened?),
    }
}

/// Replaces `@name` with the player of that champion in the store, and a folder that begins with `/`, `./` or `../`
/// with the program in it; other text stays as it is.
pub(super) fn resolve_player(text: &str, common: &CommonArgs) -> Result<String> {
    resolve_named_player(text, common).map(|(_, player)| player)
}

/// The same, with the name of the submission where the text is a folder.
pub(super) fn resolve_named_player(text: &str, common: &CommonArgs) -> Result<(Option<String>, String)> {
    if let Some(name) = text.strip_prefix('@') {
        return Ok((None, open_for_reading(common)?.champion(name)?.player));
    }
    if ["/", "./", "../"].iter().any(|start| text.starts_with(start)) {
        let (name, program) = submission(Path::new(text))?;
        return Ok((Some(name), program.to_string()));
    }
    Ok((None, text.to_owned()))
}

/// Resolves `@name` and folders in the arguments of commands; some of them take only built-in players.
pub(super) fn resolve_players(command: &mut Command, common: &CommonArgs) -> Result<()> {
    let takes_programs =
        matches!(command, Command::Play(_) | Command::Match(_) | Command::Explain(_) | Command::Accuracy(_));
    let players: Vec<&mut String> = match command {
        Command::Play(args) => args.first.iter_mut().chain(&mut args.second).collect(),
        Command::Match(args) => vec![&mut args.a, &mut args.b],
        Command::Explain(args) => args.moves_and_player.last_mut().into_iter().collect(),
        Command::Tree(args) => args.players.iter_mut().collect(),
        Command::Analyze(args) => args.player.iter_mut().collect(),
        Command::Accuracy(args) => args.players.iter_mut().collect(),
        Command::Engine(EngineArgs { command: EngineCommand::Serve(args) }) => vec![&mut args.player],
        Command::Engine(EngineArgs { command: EngineCommand::Judge(args) }) => vec![&mut args.player],
        _ => Vec::new(),
    };
    for text in players {
        *text = resolve_player(text, common)?;
        if !takes_programs && palestra_engine::ProgramSpec::is_program_text(text) {
            let expected = "a built-in player; external engines take part in play, match, explain, accuracy and \
                            tournament";
            return Err(palestra_core::InputError::new("player", text.as_str(), expected).into());
        }
    }
    Ok(())
}

/// Opens the ledger of a run, and says what of the run was damaged and is played again.
pub(super) fn ledger(store: &Store, run: RunId) -> Result<RunLedger> {
    let ledger = store.ledger(run)?;
    if ledger.n_damaged() > 0 {
        note(format_args!(
            "note: damage in the store {}: {} of this run cannot be trusted and is played again",
            store.path().display(),
            counted(ledger.n_damaged(), "stored result"),
        ));
    }
    Ok(ledger)
}

/// The ledger of a run, as the batch store and game sink of an executor.
pub(super) struct LedgerAdapter<'a> {
    ledger: &'a RunLedger,
    /// Time of the last write.
    last: Mutex<Instant>,
    /// The family of the games, for the records of single games.
    family: &'static str,
}

/// Longest time between two writes, so that an interruption loses less than a second of work.
const WRITE_INTERVAL: Duration = Duration::from_millis(300);

impl<'a> LedgerAdapter<'a> {
    pub(super) fn new(ledger: &'a RunLedger, family: &'static str) -> LedgerAdapter<'a> {
        LedgerAdapter { ledger, last: Mutex::new(Instant::now()), family }
    }

    fn touch(&self) {
        if let Ok(mut last) = self.last.lock() {
            *last = Instant::now();
        }
    }
}

impl BatchStore for LedgerAdapter<'_> {
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError> {
        Ok(self.ledger.finished(key)?)
    }

    fn units(&self, key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError> {
        Ok(self.ledger.units(key)?)
    }

    fn is_due(&self) -> bool {
        self.last.lock().is_ok_and(|last| last.elapsed() > WRITE_INTERVAL)
    }

    fn keep_unit(&self, key: &[u8; 32], unit: u32, bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError> {
        self.touch();
        Ok(self.ledger.keep_unit(key, unit, bytes, n_games)?)
    }

    fn finish(&self, key: &[u8; 32], bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError> {
        self.touch();
        Ok(self.ledger.finish_batch(key, bytes, n_games)?)
    }
}

impl GameSink for LedgerAdapter<'_> {
    fn keep(&self, key: &[u8; 32], game: &RecordedGame<'_>) -> Result<(), BoxError> {
        let [first, second] = game.players.map(MatchPlayer::to_string);
        let start = game.start_point;
        let stored = StoredGame {
            family: self.family.to_owned(),
            game: start.game.clone(),
            first,
            second,
            setup: None,
            seed: start.seed,
            record: game.record.clone(),
        };
        Ok(self.ledger.keep_game(key, game.number, stored)?)
    }
}
