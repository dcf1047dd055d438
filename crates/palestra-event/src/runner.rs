//! Plays the games of an event on threads of this machine.

use crate::status::EventStatusWriter;
use palestra_arena::{
    AnyGame, AnyMatch, GameRecord, MatchPlayer, TimeControl, play_until_it_counts, run_jobs,
};
use palestra_engine::{EnginePlayer, EnginePool};
use palestra_review::event::EventEntrants;
use palestra_tournament::{
    Entrant, GameRunner, ResultSink, ScheduledGame, TournamentError, TournamentObserver,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Makes the player of an entrant on a board, for the games of a worker.
pub type OpenPlayer<'a> =
    dyn Fn(&dyn AnyGame, usize, usize) -> Result<MatchPlayer, TournamentError> + Sync + 'a;

/// Makes the players of an event: built-in players, and programs with engines of a pool.
#[derive(Debug)]
pub struct EventPlayers<'a> {
    /// The entrants, and the programs among them.
    pub field: &'a EventEntrants,
    /// The limits of the programs' moves.
    pub control: TimeControl,
    /// Cores to pin the games of the workers to, one each; empty where games are not pinned.
    pub cores: &'a [usize],
    /// `None` without programs.
    pub pool: Option<Arc<EnginePool>>,
}

impl EventPlayers<'_> {
    /// The player of an entrant on a board, for the games of a worker.
    pub fn open(
        &self,
        game: &dyn AnyGame,
        entrant: usize,
        worker: usize,
    ) -> Result<MatchPlayer, TournamentError> {
        let Some(program) = &self.field.programs[entrant] else {
            return Ok(game.player(&self.field.entrants[entrant].player)?.into());
        };
        let pool = self.pool.as_ref().ok_or("an event with external engines has no engine pool")?;
        Ok(MatchPlayer::External(Arc::new(EnginePlayer {
            pool: Arc::clone(pool),
            program: program.clone(),
            control: self.control,
            core: self.cores.get(worker).copied(),
        })))
    }
}

/// Plays games on threads of this machine.
pub(crate) struct LocalGameRunner<'a> {
    pub(crate) entrants: &'a [Entrant],
    /// All boards, by canonical name.
    pub(crate) boards: &'a BTreeMap<String, Box<dyn AnyGame>>,
    pub(crate) players: &'a OpenPlayer<'a>,
    /// As many threads as games at a time.
    pub(crate) threads: rayon::ThreadPool,
    /// Gets the games in play.
    pub(crate) status_writer: &'a EventStatusWriter<'a>,
    /// Gets void games.
    pub(crate) observer: &'a dyn TournamentObserver,
}

impl GameRunner for LocalGameRunner<'_> {
    fn play(&self, games: &[ScheduledGame], sink: &dyn ResultSink) -> Result<(), TournamentError> {
        // Two at a time: the games of a pair share a match.
        let pairs: Vec<&[ScheduledGame]> = games.chunks(2).collect();
        let worker = |number| Worker { runner: self, number, current_match: None };
        let play_pair = |worker: &mut Worker<'_>, pair: usize| {
            for (i, order) in pairs[pair].iter().enumerate() {
                let i = 2 * pair + i;
                if sink.wants(i)
                    && let Some(record) = worker.play(order, &|| sink.wants(i))?
                    // A search that was canceled has not chosen its move: the game does not count.
                    && sink.wants(i)
                {
                    sink.done(i, record)?;
                }
            }
            Ok(Some(()))
        };
        self.threads.install(|| run_jobs(pairs.len(), worker, play_pair)).map(drop)
    }
}

/// A thread that plays games.
struct Worker<'a> {
    runner: &'a LocalGameRunner<'a>,
    number: usize,
    /// The last match, for the second game of its pair.
    current_match: Option<([usize; 2], String, Box<dyn AnyMatch>)>,
}

impl Worker<'_> {
    /// Plays a game until it counts; `None` if it is not needed any more.
    fn play(
        &mut self,
        order: &ScheduledGame,
        wants: &dyn Fn() -> bool,
    ) -> Result<Option<GameRecord>, TournamentError> {
        let runner = self.runner;
        let (players, start) = (order.pairing.players, &order.pairing.start);
        let game = runner.boards.get(&start.game).ok_or("a board that is not part of the plan")?.as_ref();
        let kept = self.current_match.take().filter(|(of, on, _)| *of == players && *on == start.game);
        let (of, on, mut current_match) = match kept {
            Some(kept) => kept,
            None => {
                let [a, b] = players.map(|player| (runner.players)(game, player, self.number));
                (players, start.game.clone(), game.new_match([a?, b?]))
            }
        };
        let played = play_until_it_counts(
            || {
                if current_match.is_quick() {
                    return current_match.play(start, order.game_index);
                }
                let recorder = runner.status_writer.begin(self.number, order, game.opening(start));
                current_match.play_watched(start, order.game_index, &mut |_, mv| recorder.record_move(mv))
            },
            |void| {
                if !wants() {
                    return ControlFlow::Break(());
                }
                runner.observer.voided(order, &void.0);
                ControlFlow::Continue(())
            },
        );
        let played = played.map_err(|void| {
            let [first, second] = [order.first(), order.second()].map(|player| &runner.entrants[player].name);
            format!("cannot play the game of {first} and {second}: {void}")
        })?;
        let mut record = current_match.record();
        self.current_match = Some((of, on, current_match));
        // Thousandths, so that totals are the sums of the printed points.
        record.margin_points = (record.margin_points * 1000.0).round() / 1000.0 + 0.0;
        Ok(played.map(|_| record))
    }
}
