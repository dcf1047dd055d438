//! The games of an event in the store: found by key, stored as soon as they are over.

use crate::cli::event::game_line;
use palestra_core::Side;
use palestra_review::event::record_of;
use palestra_store::{EventGame, RunLedger, StoredGame, Winner};
use palestra_tournament::{
    Entrant, FinishedGame, GameKey, GameRecord, GameStore, ScheduledGame, TournamentError,
};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Mutex;

/// The games of an event: those in the store, and new ones.
pub(super) struct EventGameStore<'a> {
    /// Receives new games.
    ledger: &'a RunLedger,
    family: &'static str,
    entrants: &'a [Entrant],
    known: Mutex<BTreeMap<GameKey, GameRecord>>,
    /// Gets one line of JSON per finished game.
    stream: Option<Mutex<Box<dyn Write + Send>>>,
    event: String,
    /// Whether each game is written to disk at once. It is for external engines, whose games cannot be reproduced.
    flush_each: bool,
}

impl<'a> EventGameStore<'a> {
    pub(super) fn new(
        ledger: &'a RunLedger,
        family: &'static str,
        entrants: &'a [Entrant],
        games: &[EventGame],
        flush_each: bool,
        stream: Option<Box<dyn Write + Send>>,
        event: &str,
    ) -> EventGameStore<'a> {
        let known = games.iter().map(|game| (GameKey(game.key), record_of(game))).collect();
        let stream = stream.map(Mutex::new);
        EventGameStore {
            ledger,
            family,
            entrants,
            known: Mutex::new(known),
            stream,
            event: event.to_owned(),
            flush_each,
        }
    }
}

impl GameStore for EventGameStore<'_> {
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<GameRecord>>, TournamentError> {
        let known = self.known.lock().map_err(|_| "a thread failed")?;
        Ok(keys.iter().map(|key| known.get(key).cloned()).collect())
    }

    fn keep(&self, order: &ScheduledGame, finished: &FinishedGame) -> Result<(), TournamentError> {
        self.known.lock().map_err(|_| "a thread failed")?.insert(order.key, finished.record.clone());
        let game = self.event_game(order, finished);
        let line = self.stream.as_ref().map(|_| game_line(&self.event, &game));
        self.ledger.keep_event_game(game)?;
        if self.flush_each {
            self.ledger.flush()?;
        }
        if let (Some(stream), Some(line)) = (&self.stream, line) {
            let mut out = stream.lock().map_err(|_| "a thread failed")?;
            // The reader may have closed the stream; the games are in the store.
            let _ = writeln!(out, "{line}").and_then(|()| out.flush());
        }
        Ok(())
    }
}

impl EventGameStore<'_> {
    fn event_game(&self, order: &ScheduledGame, finished: &FinishedGame) -> EventGame {
        let (record, transcript) = (&finished.record, &finished.transcript);
        let [first, second] = [order.first(), order.second()].map(|player| &self.entrants[player]);
        let start = &order.pairing.start;
        let notes = &transcript.notes;
        let margin = notes.get("margin").and_then(Value::as_u64).unwrap_or(0);
        let game = StoredGame {
            family: self.family.to_owned(),
            game: start.game.clone(),
            first: first.player.clone(),
            second: second.player.clone(),
            setup: None,
            opening: transcript.opening.clone(),
            moves: transcript.moves.clone(),
            winner: record.winner.map(winner_of),
            margin: u32::try_from(margin).unwrap_or(u32::MAX),
            reason: record.reason.clone(),
            plies: record.plies + transcript.opening.split_whitespace().count() as u32,
            seed: start.seed,
            microseconds: None,
        };
        EventGame {
            id: 0,
            key: order.key.0,
            game,
            round: order.pairing.round,
            first: first.name.clone(),
            second: second.name.clone(),
            points: record.margin_points,
            milliseconds: record.milliseconds,
            forfeit: record.forfeit.as_ref().map(|forfeit| winner_of(forfeit.culprit)),
            fault: record.forfeit.as_ref().map(|forfeit| forfeit.kind.clone()),
            detail: record.forfeit.as_ref().map(|forfeit| forfeit.detail.clone()),
            // Games between built-in players have no evidence but their moves.
            evidence: notes.get("micros").map(|_| notes.to_string()),
        }
    }
}

fn winner_of(side: Side) -> Winner {
    match side {
        Side::First => Winner::First,
        Side::Second => Winner::Second,
    }
}
