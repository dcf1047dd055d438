//! The games of an event in the store: found by key, stored as soon as they are over.

use palestra_arena::GameRecord;
use palestra_store::{EventGame, EventPlace, RunLedger, StoredGame};
use palestra_tournament::{Entrant, GameKey, GameStore, ScheduledGame, TournamentError};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// The games of an event: those in the store, and new ones.
pub(crate) struct EventGameStore<'a> {
    /// Receives new games.
    ledger: &'a RunLedger,
    family: &'static str,
    entrants: &'a [Entrant],
    known: Mutex<BTreeMap<GameKey, Arc<GameRecord>>>,
    /// Called with every new game after it is kept.
    kept: &'a (dyn Fn(&EventGame) + Sync),
    /// Whether each game is written to disk at once. It is for external engines, whose games cannot be reproduced.
    flush_each: bool,
}

impl<'a> EventGameStore<'a> {
    pub(crate) fn new(
        ledger: &'a RunLedger,
        family: &'static str,
        entrants: &'a [Entrant],
        games: &[EventGame],
        flush_each: bool,
        kept: &'a (dyn Fn(&EventGame) + Sync),
    ) -> EventGameStore<'a> {
        let known =
            games.iter().map(|game| (GameKey(game.key), Arc::new(game.game.record.clone()))).collect();
        EventGameStore { ledger, family, entrants, known: Mutex::new(known), kept, flush_each }
    }
}

impl GameStore for EventGameStore<'_> {
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<Arc<GameRecord>>>, TournamentError> {
        let known = self.known.lock().map_err(|_| "a thread failed")?;
        Ok(keys.iter().map(|key| known.get(key).cloned()).collect())
    }

    fn keep(
        &self,
        order: &ScheduledGame,
        mut record: GameRecord,
    ) -> Result<Arc<GameRecord>, TournamentError> {
        let game = self.event_game(order, &record);
        self.ledger.keep_event_game(game.clone())?;
        if self.flush_each {
            self.ledger.flush()?;
        }
        (self.kept)(&game);
        record.evidence = None;
        let record = Arc::new(record);
        self.known.lock().map_err(|_| "a thread failed")?.insert(order.key, Arc::clone(&record));
        Ok(record)
    }
}

impl EventGameStore<'_> {
    fn event_game(&self, order: &ScheduledGame, record: &GameRecord) -> EventGame {
        let [first, second] = [order.first(), order.second()].map(|player| &self.entrants[player]);
        let start = &order.pairing.start;
        let mut record = record.clone();
        if let Some(evidence) = &mut record.evidence {
            evidence.programs = [first, second].map(|entrant| {
                let is_program = palestra_arena::is_program_text(&entrant.player);
                is_program.then(|| GameKey(entrant.key).to_string())
            });
        }
        EventGame {
            id: 0,
            key: order.key.0,
            game: StoredGame {
                family: self.family.to_owned(),
                game: start.game.clone(),
                first: first.player.clone(),
                second: second.player.clone(),
                setup: None,
                seed: start.seed,
                record,
            },
            place: EventPlace {
                round: order.pairing.round,
                first: first.name.clone(),
                second: second.name.clone(),
            },
        }
    }
}
