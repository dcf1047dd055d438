//! Plays the games of an event: built-in players in a match, external engines under the referee.

use super::event_status::{EventStatusWriter, RecordingSeat};
use palestra_arena::{AnyGame, AnyMatch};
use palestra_core::Side;
use palestra_engine::{
    BuiltinEngine, EnginePool, Finish, GameSeat, ProgramSpec, RefereedGame, TimeControl, play,
};
use palestra_review::event::fingerprint;
use palestra_tournament::{
    Entrant, FinishedGame, Forfeit, GameRecord, GameRunner, ResultSink, ScheduledGame, TournamentError,
    Transcript,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Most attempts at a game that is void, because of Palestra or the system.
const MAX_TRIES: u32 = 5;

/// Plays games on threads of this machine.
pub(super) struct LocalGameRunner<'a> {
    pub(super) entrants: &'a [Entrant],
    /// The program of each entrant that is an external engine.
    pub(super) programs: &'a [Option<ProgramSpec>],
    /// All boards, by canonical name.
    pub(super) boards: &'a BTreeMap<String, Box<dyn AnyGame>>,
    pub(super) control: TimeControl,
    /// Number of games at a time.
    pub(super) concurrency: usize,
    /// Cores to pin games to, one each; empty without `--pin`.
    pub(super) cores: &'a [usize],
    /// `None` without external engines.
    pub(super) pool: Option<&'a EnginePool>,
    /// Gets the games in play.
    pub(super) status_writer: &'a EventStatusWriter<'a>,
    /// Gets void games.
    pub(super) void_reporter: &'a dyn VoidGameReporter,
}

/// Reports void games.
pub(super) trait VoidGameReporter: Sync {
    /// A game is void and is played again.
    fn game_voided(&self, order: &ScheduledGame, why: &str);
}

impl GameRunner for LocalGameRunner<'_> {
    fn play(&self, games: &[ScheduledGame], sink: &dyn ResultSink) -> Result<(), TournamentError> {
        let next = AtomicUsize::new(0);
        let error: Mutex<Option<TournamentError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for worker in 0..self.concurrency.min(games.len()) {
                let (next, error) = (&next, &error);
                scope.spawn(move || {
                    let worked =
                        Worker { runner: self, number: worker, current_match: None }.work(games, next, sink);
                    if let (Err(failure), Ok(mut error)) = (worked, error.lock()) {
                        // The other workers stop at their next game.
                        next.store(games.len(), Ordering::Relaxed);
                        error.get_or_insert(failure);
                    }
                });
            }
        });
        error.into_inner().ok().flatten().map_or(Ok(()), Err)
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
    fn work(
        &mut self,
        games: &[ScheduledGame],
        next: &AtomicUsize,
        sink: &dyn ResultSink,
    ) -> Result<(), TournamentError> {
        loop {
            // Two at a time: the games of a pair share a match.
            let start_index = next.fetch_add(2, Ordering::Relaxed);
            for (i, order) in games.iter().enumerate().skip(start_index).take(2) {
                if sink.wants(i)
                    && let Some(finished) = self.finish(order, &|| sink.wants(i))?
                {
                    sink.done(i, finished)?;
                }
            }
            if start_index + 2 >= games.len() {
                return Ok(());
            }
        }
    }

    /// Plays a game until it counts; `None` if it is not needed any more.
    fn finish(
        &mut self,
        order: &ScheduledGame,
        wants: &dyn Fn() -> bool,
    ) -> Result<Option<FinishedGame>, TournamentError> {
        let runner = self.runner;
        let game =
            runner.boards.get(&order.pairing.start.game).ok_or("a board that is not part of the plan")?;
        if order.pairing.players.iter().all(|&player| runner.programs[player].is_none()) {
            return Ok(Some(self.play_builtin(game.as_ref(), order)?));
        }
        let mut why = String::new();
        for _ in 0..MAX_TRIES {
            let refereed = self.play_refereed(game.as_ref(), order)?;
            match refereed.finish {
                Finish::Void(what) => {
                    if !wants() {
                        return Ok(None);
                    }
                    runner.void_reporter.game_voided(order, &what);
                    why = what;
                }
                _ => return Ok(Some(finished(game.as_ref(), order, refereed))),
            }
        }
        let [first, second] = [order.first(), order.second()].map(|player| &runner.entrants[player].name);
        Err(format!("cannot play the game of {first} and {second}: {why}").into())
    }

    /// Plays a game between built-in players, without a clock.
    fn play_builtin(
        &mut self,
        game: &dyn AnyGame,
        order: &ScheduledGame,
    ) -> Result<FinishedGame, TournamentError> {
        let (players, start) = (order.pairing.players, &order.pairing.start);
        let kept = self.current_match.take().filter(|(of, on, _)| *of == players && *on == start.game);
        let (of, on, mut current_match) = match kept {
            Some(kept) => kept,
            None => {
                let [a, b] = players.map(|player| game.player(&self.runner.entrants[player].player));
                (players, start.game.clone(), game.new_match([&a?, &b?]))
            }
        };
        let result = if current_match.is_quick() {
            current_match.play(start, order.game_index)
        } else {
            let recorder = self.runner.status_writer.begin(self.number, order);
            current_match
                .play_watched(start, order.game_index, &mut |opening, mv| recorder.record_move(opening, mv))
        };
        let text = current_match.last();
        self.current_match = Some((of, on, current_match));
        let margin_points =
            thousandths(if order.game_index == 0 { result.margin } else { 0.0 - result.margin });
        let record = GameRecord {
            winner: text.winner,
            margin_points,
            forfeit: None,
            reason: text.reason.to_owned(),
            plies: result.plies,
            fingerprint: fingerprint(&start.game, &text.opening, &text.moves),
            milliseconds: [0, 0],
        };
        let notes = json!({ "margin": text.margin });
        Ok(FinishedGame {
            record,
            transcript: Transcript { opening: text.opening, moves: text.moves, notes },
        })
    }

    fn play_refereed(
        &self,
        game: &dyn AnyGame,
        order: &ScheduledGame,
    ) -> Result<RefereedGame, TournamentError> {
        let runner = self.runner;
        let core = runner.cores.get(self.number).copied();
        let mut seats: Vec<Box<dyn GameSeat + '_>> = Vec::new();
        for player in [order.first(), order.second()] {
            seats.push(match &runner.programs[player] {
                Some(program) => {
                    let pool = runner.pool.ok_or("an event with external engines has no engine pool")?;
                    Box::new(pool.take(program, core)?)
                }
                None => Box::new(BuiltinEngine::new(
                    game.text_player(&game.player(&runner.entrants[player].player)?),
                )),
            });
        }
        if let Some(inner) = seats.pop() {
            let recorder = runner.status_writer.begin(self.number, order);
            seats.push(Box::new(RecordingSeat { recorder, inner }));
        }
        let [first, second] = &mut seats[..] else { return Err("two seats".into()) };
        let start = &order.pairing.start;
        Ok(play(game, start, order.game_index, [first.as_mut(), second.as_mut()], &runner.control))
    }
}

/// The record of a refereed game.
fn finished(game: &dyn AnyGame, order: &ScheduledGame, refereed: RefereedGame) -> FinishedGame {
    let sign = |winner: Option<Side>, points: f64| match winner {
        None => 0.0,
        Some(Side::First) => points,
        Some(Side::Second) => -points,
    };
    let mut margin = 0;
    let (winner, points, forfeit, reason) = match refereed.finish {
        Finish::Played { winner, margin: by, reason, points } => {
            margin = by;
            (winner, points, None, reason.to_owned())
        }
        Finish::Resigned(side) => (Some(side.other()), game.forfeit_points(), None, "resignation".to_owned()),
        Finish::Forfeited(culprit, fault) => {
            let kind = fault.kind.name().to_owned();
            let forfeit = Forfeit { culprit, kind: kind.clone(), detail: fault.detail };
            (Some(culprit.other()), game.forfeit_points(), Some(forfeit), kind)
        }
        Finish::Void(why) => unreachable!("a void game is played again: {why}"),
    };
    let moves = refereed.moves.join(" ");
    let record = GameRecord {
        winner,
        margin_points: thousandths(sign(winner, points)),
        reason,
        plies: refereed.moves.len() as u32,
        fingerprint: fingerprint(&order.pairing.start.game, &refereed.opening, &moves),
        milliseconds: refereed.used.map(|micros| micros / 1000),
        forfeit,
    };
    let notes = notes(&record, margin, &refereed.micros, &refereed.values, refereed.logs);
    FinishedGame { record, transcript: Transcript { opening: refereed.opening, moves, notes } }
}

/// The stored details of a game with external engines; the dialogue only if an engine failed.
fn notes(
    record: &GameRecord,
    margin: u32,
    micros: &[u64],
    values: &[Option<f64>],
    mut engine_logs: [palestra_engine::EngineLog; 2],
) -> Value {
    if record.forfeit.is_none() {
        engine_logs.iter_mut().for_each(|log| log.dialogue.clear());
    }
    let [first, second] = engine_logs;
    json!({ "margin": margin, "micros": micros, "values": values, "first": first, "second": second })
}

/// Rounds points to three decimals, so that totals are the sums of the printed points.
fn thousandths(points: f64) -> f64 {
    (points * 1000.0).round() / 1000.0 + 0.0
}
