//! The store of `--store`: opening it, resolving `@name`, and its ledger as executors use it.

use super::args::{Command, CommonArgs};
use super::args_engine::{EngineArgs, EngineCommand};
use anyhow::Result;
use palestra_arena::PlayerSpec;
use palestra_core::Side;
use palestra_store::{RunLedger, Store, StoreError, StoredGame, Winner};
use palestra_tune::{BatchStore, BoxError, GameSink, RecordedGame};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Opens the store, and creates it if it does not exist.
pub(super) fn open(common: &CommonArgs) -> Result<Store> {
    Ok(Store::open(&common.store)?)
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

/// Replaces `@name` with the player of that champion in the store; other text stays as it is.
pub(super) fn resolve_player(text: &str, common: &CommonArgs) -> Result<String> {
    match text.strip_prefix('@') {
        None => Ok(text.to_owned()),
        Some(name) => Ok(open_for_reading(common)?.champion(name)?.player),
    }
}

/// Resolves `@name` in the arguments of the commands that take built-in players.
pub(super) fn resolve_players(command: &mut Command, common: &CommonArgs) -> Result<()> {
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
        if palestra_engine::ProgramSpec::is_program_text(text) {
            let expected = "a built-in player; external engines play in palestra tournament and are checked by \
                            palestra engine check";
            return Err(palestra_core::InputError::new("player", text.as_str(), expected).into());
        }
    }
    Ok(())
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
        let [first, second] = game.players.map(PlayerSpec::to_string);
        let plies = |moves: &str| moves.split_whitespace().count() as u32;
        let (start, text) = (game.start_point, &game.text);
        let stored = StoredGame {
            family: self.family.to_owned(),
            game: start.game.clone(),
            first,
            second,
            setup: None,
            opening: text.opening.clone(),
            moves: text.moves.clone(),
            winner: text.winner.map(|side| if side == Side::First { Winner::First } else { Winner::Second }),
            margin: text.margin,
            reason: text.reason.to_owned(),
            plies: plies(&text.opening) + plies(&text.moves),
            seed: start.seed,
            microseconds: game.time.map(|time| time.as_micros() as u64),
        };
        Ok(self.ledger.keep_game(key, game.number, stored)?)
    }
}
