//! Where the games of an event are played: players of ours at tables, programs before the referee.

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

/// How often a game is tried that we or the machine spoil.
const TRIES: u32 = 5;

/// The hall: boards, players, clocks, and so many games at a time.
pub(super) struct LocalGameRunner<'a> {
    pub(super) entrants: &'a [Entrant],
    /// The program of each entrant that is one.
    pub(super) programs: &'a [Option<ProgramSpec>],
    /// All boards, by their canonical names.
    pub(super) boards: &'a BTreeMap<String, Box<dyn AnyGame>>,
    pub(super) control: TimeControl,
    /// Games at a time.
    pub(super) concurrency: usize,
    /// The cores that games are kept on, one each; none where nobody asked.
    pub(super) cores: &'a [usize],
    /// None where nobody is a program.
    pub(super) pool: Option<&'a EnginePool>,
    /// Hears of games in play.
    pub(super) status_writer: &'a EventStatusWriter<'a>,
    /// Hears of games that do not count.
    pub(super) void_reporter: &'a dyn VoidGameReporter,
}

/// Whoever wants to know what goes on.
pub(super) trait VoidGameReporter: Sync {
    /// A game did not count, and is played again.
    fn game_voided(&self, order: &ScheduledGame, why: &str);
}

impl GameRunner for LocalGameRunner<'_> {
    fn play(&self, games: &[ScheduledGame], desk: &dyn ResultSink) -> Result<(), TournamentError> {
        let next = AtomicUsize::new(0);
        let trouble: Mutex<Option<TournamentError>> = Mutex::new(None);
        std::thread::scope(|scope| {
            for worker in 0..self.concurrency.min(games.len()) {
                let (next, trouble) = (&next, &trouble);
                scope.spawn(move || {
                    let worked = Worker { hall: self, number: worker, table: None }.work(games, next, desk);
                    if let (Err(failure), Ok(mut trouble)) = (worked, trouble.lock()) {
                        // The others stop at their next game.
                        next.store(games.len(), Ordering::Relaxed);
                        trouble.get_or_insert(failure);
                    }
                });
            }
        });
        trouble.into_inner().ok().flatten().map_or(Ok(()), Err)
    }
}

/// One of those who play at the same time.
struct Worker<'a> {
    hall: &'a LocalGameRunner<'a>,
    number: usize,
    /// The last table, for the second game of its pair.
    table: Option<([usize; 2], String, Box<dyn AnyMatch>)>,
}

impl Worker<'_> {
    fn work(
        &mut self,
        games: &[ScheduledGame],
        next: &AtomicUsize,
        desk: &dyn ResultSink,
    ) -> Result<(), TournamentError> {
        loop {
            // Two at a time: they belong together.
            let place = next.fetch_add(2, Ordering::Relaxed);
            for (i, order) in games.iter().enumerate().skip(place).take(2) {
                if desk.wants(i)
                    && let Some(finished) = self.finish(order, &|| desk.wants(i))?
                {
                    desk.done(i, finished)?;
                }
            }
            if place + 2 >= games.len() {
                return Ok(());
            }
        }
    }

    /// Plays a game until it counts; `None` where it is not wanted any more.
    fn finish(
        &mut self,
        order: &ScheduledGame,
        wants: &dyn Fn() -> bool,
    ) -> Result<Option<FinishedGame>, TournamentError> {
        let hall = self.hall;
        let game =
            hall.boards.get(&order.pairing.scene.game).ok_or("a board that is not part of the plan")?;
        if order.pairing.players.iter().all(|&player| hall.programs[player].is_none()) {
            return Ok(Some(self.at_table(game.as_ref(), order)?));
        }
        let mut why = String::new();
        for _ in 0..TRIES {
            let judged = self.before_referee(game.as_ref(), order)?;
            match judged.finish {
                Finish::Void(what) => {
                    if !wants() {
                        return Ok(None);
                    }
                    hall.void_reporter.game_voided(order, &what);
                    why = what;
                }
                _ => return Ok(Some(finished(game.as_ref(), order, judged))),
            }
        }
        let [first, second] = [order.first(), order.second()].map(|player| &hall.entrants[player].name);
        Err(format!("the game of {first} and {second} cannot be played here: {why}").into())
    }

    /// A game between players of ours, at full speed.
    fn at_table(
        &mut self,
        game: &dyn AnyGame,
        order: &ScheduledGame,
    ) -> Result<FinishedGame, TournamentError> {
        let (players, scene) = (order.pairing.players, &order.pairing.scene);
        let kept = self.table.take().filter(|(of, on, _)| *of == players && *on == scene.game);
        let (of, on, mut table) = match kept {
            Some(kept) => kept,
            None => {
                let [a, b] = players.map(|player| game.player(&self.hall.entrants[player].player));
                (players, scene.game.clone(), game.new_match([&a?, &b?]))
            }
        };
        let result = if table.is_quick() {
            table.play(scene, order.game_index)
        } else {
            let seat = self.hall.status_writer.begin(self.number, order);
            table.play_watched(scene, order.game_index, &mut |opening, mv| seat.record_move(opening, mv))
        };
        let text = table.last();
        self.table = Some((of, on, table));
        let margin_points =
            thousandths(if order.game_index == 0 { result.margin } else { 0.0 - result.margin });
        let record = GameRecord {
            winner: text.winner,
            margin_points,
            forfeit: None,
            reason: text.reason.to_owned(),
            plies: result.plies,
            fingerprint: fingerprint(&scene.game, &text.opening, &text.moves),
            milliseconds: [0, 0],
        };
        let notes = json!({ "margin": text.margin });
        Ok(FinishedGame {
            record,
            transcript: Transcript { opening: text.opening, moves: text.moves, notes },
        })
    }

    fn before_referee(
        &self,
        game: &dyn AnyGame,
        order: &ScheduledGame,
    ) -> Result<RefereedGame, TournamentError> {
        let hall = self.hall;
        let core = hall.cores.get(self.number).copied();
        let mut seats: Vec<Box<dyn GameSeat + '_>> = Vec::new();
        for player in [order.first(), order.second()] {
            seats.push(match &hall.programs[player] {
                Some(program) => {
                    let pool = hall.pool.ok_or("programs play, and nobody starts them")?;
                    Box::new(pool.take(program, core)?)
                }
                None => Box::new(BuiltinEngine::new(
                    game.text_player(&game.player(&hall.entrants[player].player)?),
                )),
            });
        }
        if let Some(contestant) = seats.pop() {
            let seat = hall.status_writer.begin(self.number, order);
            seats.push(Box::new(RecordingSeat { recorder: seat, inner: contestant }));
        }
        let [first, second] = &mut seats[..] else { return Err("two seats".into()) };
        let scene = &order.pairing.scene;
        Ok(play(game, scene, order.game_index, [first.as_mut(), second.as_mut()], &hall.control))
    }
}

/// What is kept of a game before the referee.
fn finished(game: &dyn AnyGame, order: &ScheduledGame, judged: RefereedGame) -> FinishedGame {
    let sign = |winner: Option<Side>, points: f64| match winner {
        None => 0.0,
        Some(Side::First) => points,
        Some(Side::Second) => -points,
    };
    let mut margin = 0;
    let (winner, points, forfeit, reason) = match judged.finish {
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
    let moves = judged.moves.join(" ");
    let record = GameRecord {
        winner,
        margin_points: thousandths(sign(winner, points)),
        reason,
        plies: judged.moves.len() as u32,
        fingerprint: fingerprint(&order.pairing.scene.game, &judged.opening, &moves),
        milliseconds: judged.used.map(|micros| micros / 1000),
        forfeit,
    };
    let notes = notes(&record, margin, &judged.micros, &judged.values, judged.logs);
    FinishedGame { record, transcript: Transcript { opening: judged.opening, moves, notes } }
}

/// What a game with programs leaves behind: of those that failed, everything that was said.
fn notes(
    record: &GameRecord,
    margin: u32,
    micros: &[u64],
    values: &[Option<f64>],
    mut witnesses: [palestra_engine::EngineLog; 2],
) -> Value {
    if record.forfeit.is_none() {
        witnesses.iter_mut().for_each(|witness| witness.dialogue.clear());
    }
    let [first, second] = witnesses;
    json!({ "margin": margin, "micros": micros, "values": values, "first": first, "second": second })
}

/// Points as a judge writes them down: to three decimals, so that totals are sums of what anybody can see.
fn thousandths(points: f64) -> f64 {
    (points * 1000.0).round() / 1000.0 + 0.0
}
