//! Two players of one game, for any number of games.

use crate::build::build;
use crate::fault::Fault;
use crate::greedy_match::{GreedyMatch, greedy_match_of};
use crate::opening::draw_opening;
use crate::player::{MoveChoice, Player};
use crate::record::{Forfeit, GameRecord};
use crate::referee::{EvidenceOfGame, GameEnd, GameStart, Seat, referee};
use crate::seat::{ExternalPlayer, GameSeat, MatchPlayer, VoidGame};
use crate::spec::PlayerSpec;
use crate::start_point::{FixedStart, GameResult, StartPoint, side_of_player_0};
use palestra_core::{Ending, Playable, Seed, Side};
use std::fmt::{self, Write};
use std::sync::Arc;

/// A match of two players on one game: players are kept between games.
pub trait AnyMatch: Send {
    /// Changes the weights of a player (0 or 1), which must be a search whose evaluation takes as many weights.
    fn reweigh(&mut self, player: usize, weights: &[f64]);

    /// Plays one game; `first` (0 or 1) is the player with the first side. Returns player 0's result. Only a game with
    /// an external engine can be void.
    fn play(&mut self, start_point: &StartPoint, first: usize) -> Result<GameResult, VoidGame>;

    /// Plays the same game as `play` and calls `see` after every move with the random opening moves, as a list, and the
    /// move. [Quick](AnyMatch::is_quick) games last microseconds and do not call `see`.
    fn play_watched(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        see: &mut dyn FnMut(&str, &str),
    ) -> Result<GameResult, VoidGame>;

    /// Whether games last microseconds, because both players are greedy over the same features.
    fn is_quick(&self) -> bool;

    /// Ending of the last game; `None` if it did not end by its rules, and before the first one.
    fn ending(&self) -> Option<Ending>;

    /// The record of the last game; an empty one before the first.
    fn record(&self) -> GameRecord;
}

/// [`AnyMatch`] for any game type.
pub(crate) struct MatchRunner<G: Playable> {
    game: G,
    /// From where openings are drawn.
    start: FixedStart<G>,
    players: [OpenPlayer<G>; 2],
    greedy_match: Option<Box<dyn GreedyMatch<G>>>,
    opening: Vec<G::Move>,
    played: Vec<G::Move>,
    end: Option<GameEnd>,
    /// Of the last game, if it had an external engine.
    evidence: Option<EvidenceOfGame>,
}

/// A player of a match.
enum OpenPlayer<G: Playable> {
    /// Built on the first game, where there is no greedy match.
    Builtin(PlayerSpec, Option<Box<dyn Player<G>>>),
    External(Arc<dyn ExternalPlayer>),
}

impl<G: Playable> MatchRunner<G> {
    pub(crate) fn new(game: &G, start: FixedStart<G>, players: [MatchPlayer; 2]) -> MatchRunner<G> {
        let greedy_match = match &players {
            [MatchPlayer::Builtin(a), MatchPlayer::Builtin(b)] => greedy_match_of(game, [a, b]),
            _ => None,
        };
        MatchRunner {
            game: game.clone(),
            start,
            players: players.map(|player| match player {
                MatchPlayer::Builtin(spec) => OpenPlayer::Builtin(spec, None),
                MatchPlayer::External(player) => OpenPlayer::External(player),
            }),
            greedy_match,
            opening: Vec::new(),
            played: Vec::new(),
            end: None,
            evidence: None,
        }
    }

    /// Hash of the position after the opening, of `first` and of the moves of the last game.
    pub(crate) fn fingerprint(&self, first: usize) -> u64 {
        let mut at = self.start.at.clone();
        self.opening.iter().for_each(|&mv| self.game.play(&mut at, mv));
        let mut hash = MoveHash(Seed(self.game.key(&at)).child(first as u64));
        for mv in &self.played {
            hash.0 = hash.0.child(0);
            write!(hash, "{mv}").expect("a hash takes any text");
        }
        hash.0.0
    }

    /// The failure that ended the last game, if it was forfeited, and the side that failed.
    pub(crate) fn forfeit(&self) -> Option<(Side, &Fault)> {
        match &self.end {
            Some(GameEnd::Forfeited(side, fault)) => Some((*side, fault)),
            _ => None,
        }
    }

    /// Plies of the last game, those of the opening included.
    pub(crate) fn n_plies(&self) -> usize {
        self.opening.len() + self.played.len()
    }

    /// Plays the game of an opening and calls `see` after every move behind it, unless the game is quick.
    pub(crate) fn play_seen(
        &mut self,
        (opening_plies, seed): (u32, Seed),
        first: usize,
        see: impl FnMut(&[G::Move], G::Move),
    ) -> Result<GameResult, VoidGame> {
        let (at, opening) = draw_opening(&self.game, &self.start.at, opening_plies, seed.child(2));
        self.opening = opening;
        self.end = None;
        let mut see = see;
        let end = self.play_on(&at, (seed.child(first as u64), 0), first, |opening, choice| {
            see(opening, choice.mv);
        })?;
        let side = side_of_player_0(first);
        let plies = self.played.len() as u32;
        let result = match &end {
            GameEnd::Played(ending) => result_for(&self.game, ending, side, plies),
            other => result_of(other.winner(), self.game.forfeit_points(), side, plies),
        };
        self.end = Some(end);
        Ok(result)
    }

    /// Plays one game from the fixed start, without an opening, and calls `see` after every move. The given moves count
    /// in the seeds of the plies.
    pub(crate) fn play_here(
        mut self,
        seed: Seed,
        mut see: impl FnMut(&MoveChoice<G::Move>),
    ) -> Result<GameRecord, VoidGame> {
        self.greedy_match = None;
        let (at, first_ply) = (self.start.at.clone(), self.start.moves.len() as u64);
        self.end = Some(self.play_on(&at, (seed, first_ply), 0, |_, choice| see(choice))?);
        Ok(self.record())
    }

    fn play_on(
        &mut self,
        at: &G::Position,
        (seed, first_ply): (Seed, u64),
        first: usize,
        mut see: impl FnMut(&[G::Move], &MoveChoice<G::Move>),
    ) -> Result<GameEnd, VoidGame> {
        self.played.clear();
        if let Some(greedy_match) = &mut self.greedy_match {
            return Ok(GameEnd::Played(greedy_match.play(&self.game, at, first, &mut self.played)));
        }
        let (game, opening) = (&self.game, &self.opening);
        let FixedStart { start, is_setup, moves, .. } = &self.start;
        let openings = [&moves[..], &opening[..]];
        let start = GameStart { game, start, is_setup: *is_setup, openings, at, seed, first_ply };
        let mut seats: [Option<Box<dyn GameSeat + '_>>; 2] = [None, None];
        let [a, b] = &mut self.players;
        let [engine_a, engine_b] = &mut seats;
        let (a, b) = (a.seat(game, engine_a)?, b.seat(game, engine_b)?);
        let seats = if first == 0 { [a, b] } else { [b, a] };
        let (end, evidence) = referee(&start, seats, &mut self.played, |choice| see(opening, choice))?;
        self.evidence = evidence;
        Ok(end)
    }
}

/// Hashes text byte by byte.
struct MoveHash(Seed);

impl fmt::Write for MoveHash {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = text.bytes().fold(self.0, |hash, byte| hash.child(u64::from(byte)));
        Ok(())
    }
}

impl<G: Playable> OpenPlayer<G> {
    /// The player's seat in a game; an external engine is kept in `engine` until the game has ended.
    fn seat<'a, 'p: 'a>(
        &'p mut self,
        game: &G,
        engine: &'a mut Option<Box<dyn GameSeat + 'p>>,
    ) -> Result<Seat<'a, G>, VoidGame> {
        match self {
            OpenPlayer::Builtin(spec, player) => {
                Ok(Seat::Builtin(player.get_or_insert_with(|| build(game, spec)).as_mut()))
            }
            OpenPlayer::External(player) => {
                let seat = player.seat().map_err(|bad| VoidGame(bad.to_string()))?;
                Ok(Seat::External(engine.insert(seat).as_mut(), player.control()))
            }
        }
    }
}

impl<G: Playable> AnyMatch for MatchRunner<G> {
    fn reweigh(&mut self, player: usize, weights: &[f64]) {
        // A greedy match does not read the specs again, so they need not change: weights change every game or two.
        if let Some(greedy_match) = &mut self.greedy_match {
            return greedy_match.reweigh(player, weights);
        }
        if let OpenPlayer::Builtin(spec, built) = &mut self.players[player] {
            *spec = spec.with_weights(weights);
            *built = None;
        }
    }

    fn play(&mut self, start_point: &StartPoint, first: usize) -> Result<GameResult, VoidGame> {
        self.play_seen(start_point.opening_seed(), first, |_, _| ())
    }

    fn play_watched(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        see: &mut dyn FnMut(&str, &str),
    ) -> Result<GameResult, VoidGame> {
        let mut list = None;
        self.play_seen(start_point.opening_seed(), first, |opening, mv| {
            see(list.get_or_insert_with(|| list_of(opening)), &mv.to_string());
        })
    }

    fn is_quick(&self) -> bool {
        self.greedy_match.is_some()
    }

    fn ending(&self) -> Option<Ending> {
        match self.end {
            Some(GameEnd::Played(ending)) => Some(ending),
            _ => None,
        }
    }

    fn record(&self) -> GameRecord {
        let Some(end) = &self.end else { return GameRecord::default() };
        let (margin, reason, points, forfeit) = match end {
            GameEnd::Played(ending) => {
                (ending.margin, ending.reason.to_owned(), self.game.event_points(ending), None)
            }
            GameEnd::Resigned(_) => (0, "resignation".to_owned(), self.game.forfeit_points(), None),
            GameEnd::Forfeited(culprit, fault) => {
                let kind = fault.kind.name().to_owned();
                let forfeit = Forfeit { culprit: *culprit, kind: kind.clone(), detail: fault.detail.clone() };
                (0, kind, self.game.forfeit_points(), Some(forfeit))
            }
        };
        let mut record = GameRecord {
            opening: list_of(&self.opening),
            moves: list_of(&self.played),
            plies: self.n_plies() as u32,
            winner: end.winner(),
            margin,
            margin_points: result_of(end.winner(), points, Side::First, 0).margin,
            reason,
            forfeit,
            ..GameRecord::default()
        };
        if let Some(EvidenceOfGame { notes, used }) = &self.evidence {
            let mut notes = notes.clone();
            if record.forfeit.is_none() {
                // The dialogue is kept only where an engine failed.
                Side::BOTH.into_iter().for_each(|side| notes.log_mut(side).dialogue.clear());
            }
            record.milliseconds = used.map(|micros| micros / 1000);
            record.late = notes.late;
            record.evidence = Some(Box::new(notes));
        }
        record
    }
}

/// The result of an ending for one side.
pub(crate) fn result_for<G: Playable>(game: &G, ending: &Ending, side: Side, plies: u32) -> GameResult {
    let points = if ending.winner.is_some() { game.event_points(ending) } else { 0.0 };
    result_of(ending.winner, points, side, plies)
}

/// The result for one side of a game that gives its winner these margin points.
fn result_of(winner: Option<Side>, points: f64, side: Side, plies: u32) -> GameResult {
    match winner {
        // A draw has margin 0.0, not -0.0.
        None => GameResult { points: 1, margin: 0.0, plies },
        Some(winner) if winner == side => GameResult { points: 2, margin: points, plies },
        Some(_) => GameResult { points: 0, margin: -points, plies },
    }
}

/// Moves as text, separated by spaces.
pub(crate) fn list_of<M: ToString>(moves: &[M]) -> String {
    moves.iter().map(M::to_string).collect::<Vec<_>>().join(" ")
}
