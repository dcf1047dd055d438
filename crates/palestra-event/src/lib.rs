//! Plays the games of events: built-in players and programs on threads of this machine.
//!
//! [`EventSetup::play`] runs the [`TournamentDriver`] of an event from where the store has it. Every game is kept as soon as it
//! is over, and an [`EventStatusWriter`] writes the games in play to the store for its viewers.
#![allow(clippy::disallowed_methods, reason = "the live status has times, and programs are timed")]

mod archive;
mod runner;
mod status;
mod store;

pub use archive::{UnpackedProgram, archive_programs, unpack_program};
pub use runner::{EventPlayers, OpenPlayer};
pub use status::EventStatusWriter;

use palestra_arena::AnyGame;
use palestra_core::Progress;
use palestra_review::event::{EventEntrants, board_of};
use palestra_store::{EventGame, RunLedger};
use palestra_tournament::{
    Format, GameConditions, TournamentDriver, TournamentEnd, TournamentError, TournamentObserver,
    TournamentResults,
};
use runner::LocalGameRunner;
use std::collections::BTreeMap;
use store::EventGameStore;

/// An event that is ready to be played.
pub struct EventSetup<'a> {
    /// The entrants, and the programs among them.
    pub field: &'a EventEntrants,
    /// All boards, by canonical name.
    pub boards: &'a BTreeMap<String, Box<dyn AnyGame>>,
    /// The conditions that all games depend on.
    pub conditions: &'a GameConditions,
    /// Makes the players of the games; see [`EventPlayers`].
    pub players: &'a OpenPlayer<'a>,
    /// Number of games at a time.
    pub concurrency: usize,
    /// Counts games, and can cancel or end the event.
    pub progress: &'a Progress,
    /// Receives results as they come in.
    pub observer: &'a dyn TournamentObserver,
    /// Gets the games in play.
    pub status_writer: &'a EventStatusWriter<'a>,
    /// Called with every new game after it is kept.
    pub kept: &'a (dyn Fn(&EventGame) + Sync),
}

impl EventSetup<'_> {
    /// Plays the event to its end, or until it is cancelled. `known` are its games in the store; the caller passes empty
    /// `results`, which hold what was folded afterwards.
    pub fn play(
        &self,
        ledger: &RunLedger,
        known: &[EventGame],
        format: &mut dyn Format,
        results: &mut TournamentResults,
    ) -> Result<TournamentEnd, TournamentError> {
        let entrants = &self.field.entrants[..];
        let family = board_of(self.boards)?.family().name;
        let flush_each = self.field.has_programs();
        let store = EventGameStore::new(ledger, family, entrants, known, flush_each, self.kept);
        let runner = LocalGameRunner {
            entrants,
            boards: self.boards,
            players: self.players,
            threads: rayon::ThreadPoolBuilder::new().num_threads(self.concurrency).build()?,
            status_writer: self.status_writer,
            observer: self.observer,
        };
        let driver = TournamentDriver {
            entrants,
            conditions: self.conditions,
            runner: &runner,
            store: &store,
            progress: self.progress,
            observer: self.observer,
        };
        let ended = self.status_writer.write_during(ledger, || driver.run(format, results));
        // Also after an error: all finished games are kept.
        ledger.flush()?;
        ended
    }
}
