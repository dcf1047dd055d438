//! Two players of one game, for any number of games.

use crate::build::build;
use crate::greedy_match::{GreedyMatch, greedy_match_of};
use crate::player::Player;
use crate::referee::play_watched;
use crate::spec::PlayerSpec;
use crate::start_point::{GameResult, StartPoint, side_of_player_0};
use palestra_core::{Ending, Playable, Seed, Side};

/// A match of two players on one game: players are built once and play many games.
pub trait AnyMatch: Send {
    /// Changes the weights of a player (0 or 1), which must be a search whose evaluation takes as many weights.
    fn reweigh(&mut self, player: usize, weights: &[f64]);

    /// Plays one game; `first` (0 or 1) is the player with the first side. Returns player 0's result.
    fn play(&mut self, start_point: &StartPoint, first: usize) -> GameResult;

    /// Plays the same game as `play` and calls `see` after every move with the random opening moves, as a list, and the
    /// move. [Quick](AnyMatch::is_quick) games last microseconds and do not call `see`.
    fn play_watched(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        see: &mut dyn FnMut(&str, &str),
    ) -> GameResult;

    /// Whether games last microseconds, because both players are greedy over the same features.
    fn is_quick(&self) -> bool;

    /// Ending of the last game; `None` before the first one.
    fn ending(&self) -> Option<Ending>;

    /// The last game in full.
    fn last(&self) -> GameText;
}

/// A finished game as text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameText {
    /// Random moves before the players took over.
    pub opening: String,
    /// The players' moves.
    pub moves: String,
    /// The winner's side; `None` for a draw.
    pub winner: Option<Side>,
    /// Margin, in the game's unit.
    pub margin: u32,
    /// Reason of the ending.
    pub reason: &'static str,
}

/// [`AnyMatch`] for any game type.
pub(crate) struct MatchRunner<G: Playable> {
    game: G,
    /// The position from which openings are drawn.
    start: G::Position,
    specs: [PlayerSpec; 2],
    greedy_match: Option<Box<dyn GreedyMatch<G>>>,
    /// Built on the first game, where there is no greedy match.
    players: Option<[Box<dyn Player<G>>; 2]>,
    opening: Vec<G::Move>,
    played: Vec<G::Move>,
    ending: Option<Ending>,
}

impl<G: Playable> MatchRunner<G> {
    pub(crate) fn new(game: &G, start: &G::Position, specs: [PlayerSpec; 2]) -> MatchRunner<G> {
        let [a, b] = &specs;
        let greedy_match = greedy_match_of(game, [a, b]);
        MatchRunner {
            game: game.clone(),
            start: start.clone(),
            specs,
            greedy_match,
            players: None,
            opening: Vec::new(),
            played: Vec::new(),
            ending: None,
        }
    }

    /// Hash of the position after the opening, of `first` and of the moves of the last game.
    pub(crate) fn fingerprint(&self, first: usize) -> u64 {
        let mut at = self.start.clone();
        self.opening.iter().for_each(|&mv| self.game.play(&mut at, mv));
        let mut fingerprint = Seed(self.game.key(&at)).child(first as u64);
        for mv in &self.played {
            fingerprint =
                mv.to_string().bytes().fold(fingerprint.child(0), |f, byte| f.child(u64::from(byte)));
        }
        fingerprint.0
    }

    /// Plies of the last game, those of the opening included.
    pub(crate) fn n_plies(&self) -> usize {
        self.opening.len() + self.played.len()
    }

    /// Plays the game of a start point and calls `see` after every move behind the opening, unless the game is quick.
    fn play_seen(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        see: impl FnMut(&[G::Move], G::Move),
    ) -> GameResult {
        let (start, opening) = start_point.opening(&self.game, &self.start);
        self.opening = opening;
        let ending = self.play_on(&start, start_point, first, see);
        self.ending = Some(ending);
        result_for(&self.game, &ending, side_of_player_0(first), self.played.len() as u32)
    }

    fn play_on(
        &mut self,
        start: &G::Position,
        start_point: &StartPoint,
        first: usize,
        mut see: impl FnMut(&[G::Move], G::Move),
    ) -> Ending {
        self.played.clear();
        if let Some(greedy_match) = &mut self.greedy_match {
            return greedy_match.play(&self.game, start, first, &mut self.played);
        }
        let (game, specs) = (&self.game, &self.specs);
        let players = self.players.get_or_insert_with(|| [0, 1].map(|i| build(game, &specs[i])));
        let [a, b] = players;
        let seats: [&mut dyn Player<G>; 2] =
            if first == 0 { [a.as_mut(), b.as_mut()] } else { [b.as_mut(), a.as_mut()] };
        let opening = &self.opening;
        let seed = start_point.game_seed(first);
        let game = play_watched(&self.game, start, seats, seed, |mv| see(opening, mv));
        self.played = game.moves;
        game.ending
    }
}

impl<G: Playable> AnyMatch for MatchRunner<G> {
    fn reweigh(&mut self, player: usize, weights: &[f64]) {
        // A greedy match does not read the specs again, so they need not change: weights change every game or two.
        if let Some(greedy_match) = &mut self.greedy_match {
            return greedy_match.reweigh(player, weights);
        }
        self.specs[player] = self.specs[player].with_weights(weights);
        if let Some(players) = &mut self.players {
            players[player] = build(&self.game, &self.specs[player]);
        }
    }

    fn play(&mut self, start_point: &StartPoint, first: usize) -> GameResult {
        self.play_seen(start_point, first, |_, _| ())
    }

    fn play_watched(
        &mut self,
        start_point: &StartPoint,
        first: usize,
        see: &mut dyn FnMut(&str, &str),
    ) -> GameResult {
        let mut list = None;
        self.play_seen(start_point, first, |opening, mv| {
            see(list.get_or_insert_with(|| list_of(opening)), &mv.to_string());
        })
    }

    fn is_quick(&self) -> bool {
        self.greedy_match.is_some()
    }

    fn ending(&self) -> Option<Ending> {
        self.ending
    }

    fn last(&self) -> GameText {
        let Some(ending) = self.ending else { return GameText::default() };
        GameText {
            opening: list_of(&self.opening),
            moves: list_of(&self.played),
            winner: ending.winner,
            margin: ending.margin,
            reason: ending.reason,
        }
    }
}

/// The result of an ending for one side.
pub(crate) fn result_for<G: Playable>(game: &G, ending: &Ending, side: Side, plies: u32) -> GameResult {
    let (points, sign) = match ending.winner {
        None => (1, 0.0),
        Some(winner) if winner == side => (2, 1.0),
        Some(_) => (0, -1.0),
    };
    // A draw has margin 0.0, not -0.0.
    let margin = if sign == 0.0 { 0.0 } else { sign * game.event_points(ending) };
    GameResult { points, margin, plies }
}

/// Moves as text, separated by spaces.
pub(crate) fn list_of<M: ToString>(moves: &[M]) -> String {
    moves.iter().map(M::to_string).collect::<Vec<_>>().join(" ")
}
