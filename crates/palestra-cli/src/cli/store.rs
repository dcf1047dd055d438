//! The store of a command: opened where `--store` says, and what its ledger is to those who play.

use super::args::{Command, CommonArgs};
use anyhow::Result;
use palestra_arena::PlayerSpec;
use palestra_core::Side;
use palestra_store::{RunLedger as Kept, Store, StoreError, StoredGame, Winner};
use palestra_tune::{BatchStore, BoxError, GameSink, RecordedGame};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Opens the store of a command, and makes it where there is none.
pub(super) fn open(common: &CommonArgs) -> Result<Store> {
    Ok(Store::open(&common.store)?)
}

/// Opens a store that must exist, to change it.
pub(super) fn open_existing(common: &CommonArgs) -> Result<Store> {
    Ok(Store::open_existing(&common.store)?)
}

/// Opens a store that must exist, to look only.
pub(super) fn open_for_reading(common: &CommonArgs) -> Result<Store> {
    match Store::open_read_only(&common.store) {
        // One that an earlier version made is brought up to date.
        Err(StoreError::Older { .. }) => open_existing(common),
        looked => Ok(looked?),
    }
}

/// The player that a text names: `@name` is looked up in the store, anything else is left as it is.
pub(super) fn resolve_player(text: &str, common: &CommonArgs) -> Result<String> {
    match text.strip_prefix('@') {
        None => Ok(text.to_owned()),
        Some(name) => Ok(open_for_reading(common)?.champion(name)?.player),
    }
}

/// Puts players in the place of all their names in the store, wherever a command takes a player.
pub(super) fn resolve_players(command: &mut Command, common: &CommonArgs) -> Result<()> {
    let players: Vec<&mut String> = match command {
        Command::Play(args) => args.first.iter_mut().chain(&mut args.second).collect(),
        Command::Match(args) => vec![&mut args.a, &mut args.b],
        Command::Explain(args) => args.words.last_mut().into_iter().collect(),
        Command::Tree(args) => args.players.iter_mut().collect(),
        Command::Analyze(args) => args.player.iter_mut().collect(),
        Command::Accuracy(args) => args.players.iter_mut().collect(),
        Command::Ugi(args) => vec![&mut args.player],
        Command::JudgePlayer(args) => vec![&mut args.player],
        _ => Vec::new(),
    };
    for text in players {
        *text = resolve_player(text, common)?;
        if palestra_engine::ProgramSpec::is_program_text(text) {
            let expected = "a player of ours: programs meet others in `palestra tournament`, and are tried by \
                            `palestra check-player`";
            return Err(palestra_core::InputError::new("player", text.as_str(), expected).into());
        }
    }
    Ok(())
}

/// A ledger of the store, as executors see it.
pub(super) struct LedgerAdapter<'a> {
    kept: &'a Kept,
    /// When something was last written down.
    last: Mutex<Instant>,
    /// The family of the games, for games that are kept one by one.
    family: &'static str,
}

/// Work is written down at least this often, so that a second's worth is never lost.
const OFTEN: Duration = Duration::from_millis(300);

impl<'a> LedgerAdapter<'a> {
    pub(super) fn new(kept: &'a Kept, family: &'static str) -> LedgerAdapter<'a> {
        LedgerAdapter { kept, last: Mutex::new(Instant::now()), family }
    }

    fn touch(&self) {
        if let Ok(mut last) = self.last.lock() {
            *last = Instant::now();
        }
    }
}

impl BatchStore for LedgerAdapter<'_> {
    fn finished(&self, key: &[u8; 32]) -> Result<Option<Vec<u8>>, BoxError> {
        Ok(self.kept.finished(key)?)
    }

    fn units(&self, key: &[u8; 32]) -> Result<Vec<(u32, Vec<u8>)>, BoxError> {
        Ok(self.kept.units(key)?)
    }

    fn is_due(&self) -> bool {
        self.last.lock().is_ok_and(|last| last.elapsed() > OFTEN)
    }

    fn keep_unit(&self, key: &[u8; 32], unit: u32, bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError> {
        self.touch();
        Ok(self.kept.keep_unit(key, unit, bytes, n_games)?)
    }

    fn finish(&self, key: &[u8; 32], bytes: Vec<u8>, n_games: u64) -> Result<(), BoxError> {
        self.touch();
        Ok(self.kept.finish_batch(key, bytes, n_games)?)
    }
}

impl GameSink for LedgerAdapter<'_> {
    fn keep(&self, key: &[u8; 32], game: &RecordedGame<'_>) -> Result<(), BoxError> {
        let [first, second] = game.players.map(PlayerSpec::to_string);
        let plies = |moves: &str| moves.split_whitespace().count() as u32;
        let (scene, text) = (game.start_point, &game.text);
        let kept = StoredGame {
            family: self.family.to_owned(),
            game: scene.game.clone(),
            first,
            second,
            setup: None,
            opening: text.opening.clone(),
            moves: text.moves.clone(),
            winner: text.winner.map(|side| if side == Side::First { Winner::First } else { Winner::Second }),
            margin: text.margin,
            reason: text.reason.to_owned(),
            plies: plies(&text.opening) + plies(&text.moves),
            seed: scene.seed,
            microseconds: game.time.map(|time| time.as_micros() as u64),
        };
        Ok(self.kept.keep_game(key, game.number, kept)?)
    }
}
