//! The referee of all games: it applies the rules, asks each side for its moves, and ends the game.
//!
//! Built-in players are called with typed positions. External engines get and send text; a protocol only translates, and
//! what a program says about the rules is ignored. A fault costs the engine the game. A failure of Palestra or of the
//! machine makes the game void.

use crate::clock::{GameClock, TimeControl, late_detail};
use crate::fault::{Fault, FaultKind};
use crate::player::{MoveChoice, Player, TurnContext};
use crate::record::{GameEvidence, TimeVerdict};
use crate::seat::{GameSeat, MoveRequest, NewGame, ObservedMove, PlayError, RESIGN, VoidGame};
use palestra_core::{Ending, Game, Playable, Seed, Side};
use palestra_search::Stopwatch;
use std::time::Duration;

/// One side of a game.
pub(crate) enum Seat<'a, G: Game> {
    Builtin(&'a mut dyn Player<G>),
    External(&'a mut dyn GameSeat, TimeControl),
}

/// Where a game begins.
pub(crate) struct GameStart<'a, G: Game> {
    pub(crate) game: &'a G,
    /// The position before all moves.
    pub(crate) start: &'a G::Position,
    /// Whether that is not the game's own start.
    pub(crate) is_setup: bool,
    /// Moves played before the players take over: given ones, then random ones.
    pub(crate) openings: [&'a [G::Move]; 2],
    /// The position at which the players take over.
    pub(crate) at: &'a G::Position,
    /// Each ply has its own seed, a child of this one.
    pub(crate) seed: Seed,
    /// Number of the players' first ply, for its seed.
    pub(crate) first_ply: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum GameEnd {
    /// By the rules.
    Played(Ending),
    /// This side resigned.
    Resigned(Side),
    /// This side lost by a fault.
    Forfeited(Side, Fault),
}

impl GameEnd {
    pub(crate) fn winner(&self) -> Option<Side> {
        match self {
            GameEnd::Played(ending) => ending.winner,
            GameEnd::Resigned(side) | GameEnd::Forfeited(side, _) => Some(side.other()),
        }
    }
}

/// A play error with the side that caused it.
type SideError = (Side, PlayError);

/// Plays one game to its end; the moves are appended to `played`, and `see` is called after each of them. The evidence is
/// there if a seat is external.
///
/// # Panics
/// If a built-in player chooses an illegal move.
pub(crate) fn referee<G: Playable>(
    start: &GameStart<'_, G>,
    mut seats: [Seat<'_, G>; 2],
    played: &mut Vec<G::Move>,
    see: impl FnMut(&MoveChoice<G::Move>),
) -> Result<(GameEnd, Option<EvidenceOfGame>), VoidGame> {
    let mut text = TextGame::new(start, &seats);
    let ended = play_moves(start, &mut seats, text.as_mut(), played, see);
    let (winner, culprit) = match &ended {
        Ok(end) => (end.winner(), None),
        Err((side, _)) => (Some(side.other()), Some(*side)),
    };
    for side in Side::BOTH {
        if let (Seat::External(seat, _), Some(text)) = (&mut seats[side.index()], &mut text) {
            *text.evidence.notes.log_mut(side) = seat.end(winner, culprit == Some(side));
            text.evidence.notes.late[side.index()] = text.clocks[side.index()].late();
        }
    }
    let end = match ended {
        Ok(end) => end,
        Err((side, PlayError::Fault(fault))) => GameEnd::Forfeited(side, fault),
        Err((_, PlayError::Internal(why))) => return Err(VoidGame(why)),
    };
    let evidence = text.map(|mut text| {
        if let GameEnd::Forfeited(_, fault) = &end {
            text.evidence.notes.verdict = fault.verdict.as_deref().copied();
        }
        text.evidence
    });
    Ok((end, evidence))
}

/// The choice of an external engine at one position; `None` if it resigns.
pub(crate) fn ask_once<G: Playable>(
    start: &GameStart<'_, G>,
    seat: &mut dyn GameSeat,
    control: TimeControl,
) -> Result<Option<MoveChoice<G::Move>>, PlayError> {
    let side = start.game.to_move(start.at);
    let mut text = TextGame::with(start, [control; 2]);
    let begun = text.begin(start, side, seat).map_err(|(_, error)| error);
    let choice = begun.and_then(|()| text.ask(start.game, start.at, side, seat));
    seat.end(None, choice.is_err());
    choice
}

/// The moves of a game between built-in players.
pub(crate) fn play_builtin<G: Playable>(
    game: &G,
    at: &G::Position,
    players: [&mut dyn Player<G>; 2],
    seed: Seed,
) -> Vec<G::Move> {
    let mut played = Vec::new();
    let start = GameStart { game, start: at, is_setup: false, openings: [&[], &[]], at, seed, first_ply: 0 };
    let end = referee(&start, players.map(Seat::Builtin), &mut played, |_| ());
    end.expect("only a game with an external engine can be void");
    played
}

fn play_moves<G: Playable>(
    start: &GameStart<'_, G>,
    seats: &mut [Seat<'_, G>; 2],
    mut text: Option<&mut TextGame>,
    played: &mut Vec<G::Move>,
    mut see: impl FnMut(&MoveChoice<G::Move>),
) -> Result<GameEnd, SideError> {
    let GameStart { game, seed, .. } = *start;
    let mut at = start.at.clone();
    let mut moves = Vec::new();
    let n_before = played.len();
    for side in Side::BOTH {
        match (&mut seats[side.index()], &text) {
            (Seat::Builtin(player), _) => player.begin(game, &at),
            (Seat::External(seat, _), Some(text)) => text.begin(start, side, *seat)?,
            (Seat::External(..), None) => unreachable!("a game with an external seat is kept as text"),
        }
    }
    loop {
        if let Some(ending) = game.ending(&at) {
            return Ok(GameEnd::Played(ending));
        }
        let side = game.to_move(&at);
        let choice = match &mut seats[side.index()] {
            Seat::Builtin(player) => {
                moves.clear();
                game.moves(&at, &mut moves);
                let ply_seed = seed.child(start.first_ply + (played.len() - n_before) as u64);
                let turn = TurnContext { game, at: &at, moves: &moves, seed: ply_seed };
                let stopwatch = text.as_ref().map(|_| Stopwatch::start());
                let choice = player.choose(&turn);
                assert!(moves.contains(&choice.mv), "a player chose {}, which is not legal", choice.mv);
                if let Some(text) = &mut text {
                    let used = stopwatch.and_then(|stopwatch| stopwatch.elapsed()).unwrap_or_default();
                    // A built-in player limits itself, so its time is measured and not enforced.
                    text.clocks[side.index()].charge(used);
                    text.note(side, used, choice.value);
                }
                choice
            }
            Seat::External(seat, _) => {
                let text = text.as_deref_mut().expect("a game with an external seat is kept as text");
                match text.ask(game, &at, side, *seat).map_err(|error| (side, error))? {
                    Some(choice) => choice,
                    None => return Ok(GameEnd::Resigned(side)),
                }
            }
        };
        let mv = choice.mv;
        for seat in seats.iter_mut() {
            if let Seat::Builtin(player) = seat {
                player.observe(game, &at, mv);
            }
        }
        game.play(&mut at, mv);
        played.push(mv);
        see(&choice);
        if let Some(text) = &mut text {
            text.observe(game, &at, mv.to_string(), side, seats)?;
        }
    }
}

/// What a game with an external engine leaves besides its moves.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct EvidenceOfGame {
    pub(crate) notes: GameEvidence,
    /// Time charged to each side, in microseconds.
    pub(crate) used: [u64; 2],
}

/// The state of a game with an external engine.
struct TextGame {
    /// All moves, those of the opening included.
    moves: Vec<String>,
    controls: [TimeControl; 2],
    clocks: [GameClock; 2],
    evidence: EvidenceOfGame,
}

impl TextGame {
    /// `None` where both players are built in.
    fn new<G: Playable>(start: &GameStart<'_, G>, seats: &[Seat<'_, G>; 2]) -> Option<TextGame> {
        let control = |seat: &Seat<'_, G>| match seat {
            Seat::Builtin(_) => None,
            Seat::External(_, control) => Some(*control),
        };
        let [first, second] = seats.each_ref().map(control);
        // The opponent of an external engine is charged by the same rules.
        Some(TextGame::with(start, [first.or(second)?, second.or(first)?]))
    }

    fn with<G: Playable>(start: &GameStart<'_, G>, controls: [TimeControl; 2]) -> TextGame {
        TextGame {
            moves: start.openings.iter().copied().flatten().map(ToString::to_string).collect(),
            controls,
            clocks: controls.map(|control| GameClock::new(&control)),
            evidence: EvidenceOfGame::default(),
        }
    }

    fn begin<G: Playable>(
        &self,
        start: &GameStart<'_, G>,
        side: Side,
        seat: &mut dyn GameSeat,
    ) -> Result<(), SideError> {
        let mut at = start.start.clone();
        let mut opening = Vec::new();
        for (&mv, text) in start.openings.iter().copied().flatten().zip(&self.moves) {
            opening.push((text.as_str(), start.game.to_move(&at)));
            start.game.play(&mut at, mv);
        }
        let (game, control) = (start.game.to_string(), &self.controls[side.index()]);
        let setup = start.is_setup.then(|| start.game.setup(start.start));
        let new_game = NewGame { game: &game, setup: setup.as_deref(), side, opening: &opening, control };
        seat.begin(&new_game).map_err(|error| (side, error))
    }

    /// Asks an external engine for its move; `None` if it resigns.
    fn ask<G: Playable>(
        &mut self,
        game: &G,
        at: &G::Position,
        side: Side,
        seat: &mut dyn GameSeat,
    ) -> Result<Option<MoveChoice<G::Move>>, PlayError> {
        let clock = &self.clocks[side.index()];
        let budget = clock.budget();
        let turn = MoveRequest {
            moves: &self.moves,
            position: &game.setup(at),
            side,
            left: self.clocks.map(|clock| clock.left()),
            control: &self.controls[side.index()],
            within: self.within(side),
        };
        let (reply, time) = seat.choose(&turn)?;
        let used = time.charged();
        let clock = &mut self.clocks[side.index()];
        let lost = match clock.charge(used) {
            true => clock.too_often_late(),
            false if time.is_starved() => return Err(PlayError::starved(&time)),
            false => Some(late_detail(used, budget)),
        };
        if let Some(detail) = lost {
            let verdict = TimeVerdict::new(budget, self.controls[side.index()].margin, &time);
            let fault = Fault::new(FaultKind::Time, detail);
            return Err(Fault { verdict: Some(Box::new(verdict)), ..fault }.into());
        }
        if reply.mv == RESIGN {
            return Ok(None);
        }
        let mv = game
            .parse_move(at, &reply.mv)
            .map_err(|bad| Fault::illegal(&reply.mv, self.moves.len() + 1, &bad))?;
        self.note(side, used, reply.value);
        let nodes = reply.nodes.unwrap_or(0);
        Ok(Some(MoveChoice { mv, value: reply.value, nodes, root_moves: 0 }))
    }

    /// Longest wait for an answer of a side.
    fn within(&self, side: Side) -> Duration {
        /// One week. A deadline without a bound would overflow for an engine without a clock.
        const MAX_WAIT: Duration = Duration::from_secs(604_800);
        self.clocks[side.index()].budget().min(MAX_WAIT) + self.controls[side.index()].margin
    }

    fn note(&mut self, side: Side, used: Duration, value: Option<f64>) {
        let micros = used.as_micros() as u64;
        self.evidence.notes.micros.push(Some(micros));
        self.evidence.notes.values.push(value);
        self.evidence.used[side.index()] += micros;
    }

    /// Keeps a move that led to this position, in the notation of the rules, and shows it to the external engines.
    fn observe<G: Playable>(
        &mut self,
        game: &G,
        at: &G::Position,
        mv: String,
        by: Side,
        seats: &mut [Seat<'_, G>; 2],
    ) -> Result<(), SideError> {
        let position = game.setup(at);
        let to_move = game.ending(at).is_none().then(|| game.to_move(at));
        let played = ObservedMove { text: &mv, by, position: &position, to_move };
        for side in Side::BOTH {
            if let Seat::External(seat, _) = &mut seats[side.index()] {
                seat.observe(&played, self.within(side)).map_err(|error| (side, error))?;
            }
        }
        self.moves.push(mv);
        Ok(())
    }
}
