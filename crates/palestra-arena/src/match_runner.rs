//! Two players at a board, for as many games as one likes.

use crate::build::build;
use crate::greedy_match::{GreedyMatch, greedy_match_of};
use crate::player::Player;
use crate::referee::play_watched;
use crate::spec::PlayerSpec;
use crate::start_point::{GameResult, StartPoint, side_of_player_0};
use palestra_core::{Ending, Playable, Seed, Side};

/// Two players who meet again and again, on one game.
pub trait AnyMatch: Send {
    /// Gives a player (0 or 1) other weights. It is a search with an evaluation that takes so many.
    fn reweigh(&mut self, player: usize, weights: &[f64]);

    /// Plays one game; `first` (0 or 1) is the player with the first side. The result is player 0's.
    fn play(&mut self, scene: &StartPoint, first: usize) -> GameResult;

    /// Plays the same game as `play`, and tells `see` of every move as it is made: the random moves before the players
    /// took over, as a list, and the move. Games that are [quick](AnyMatch::is_quick) are over before anybody
    /// could look; of their moves nothing is told.
    fn play_watched(
        &mut self,
        scene: &StartPoint,
        first: usize,
        see: &mut dyn FnMut(&str, &str),
    ) -> GameResult;

    /// Whether its games last microseconds, both players being greedy over the same features.
    fn is_quick(&self) -> bool;

    /// How the last game ended; none before the first one.
    fn ending(&self) -> Option<Ending>;

    /// The last game in full.
    fn last(&self) -> GameText;
}

/// A game as text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameText {
    /// Random moves before the players took over.
    pub opening: String,
    /// The players' moves.
    pub moves: String,
    /// The winner's side, if anybody won.
    pub winner: Option<Side>,
    /// By how much, in the game's own unit.
    pub margin: u32,
    /// Why it ended.
    pub reason: &'static str,
}

/// The one implementation.
pub(crate) struct MatchRunner<G: Playable> {
    game: G,
    /// Where openings begin.
    start: G::Position,
    specs: [PlayerSpec; 2],
    duel: Option<Box<dyn GreedyMatch<G>>>,
    /// Made when somebody has to play without a duel.
    players: Option<[Box<dyn Player<G>>; 2]>,
    opening: Vec<G::Move>,
    played: Vec<G::Move>,
    ending: Option<Ending>,
}

impl<G: Playable> MatchRunner<G> {
    pub(crate) fn new(game: &G, start: &G::Position, specs: [PlayerSpec; 2]) -> MatchRunner<G> {
        let [a, b] = &specs;
        let duel = greedy_match_of(game, [a, b]);
        MatchRunner {
            game: game.clone(),
            start: start.clone(),
            specs,
            duel,
            players: None,
            opening: Vec::new(),
            played: Vec::new(),
            ending: None,
        }
    }

    /// Equal for equal openings, seats and moves.
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

    /// Plays the game of a scene, and tells `see` of every move after the opening unless it is quick.
    fn play_seen(
        &mut self,
        scene: &StartPoint,
        first: usize,
        see: impl FnMut(&[G::Move], G::Move),
    ) -> GameResult {
        let (start, opening) = scene.opening(&self.game, &self.start);
        self.opening = opening;
        let ending = self.play_on(&start, scene, first, see);
        self.ending = Some(ending);
        result_for(&self.game, &ending, side_of_player_0(first), self.played.len() as u32)
    }

    fn play_on(
        &mut self,
        start: &G::Position,
        scene: &StartPoint,
        first: usize,
        mut see: impl FnMut(&[G::Move], G::Move),
    ) -> Ending {
        self.played.clear();
        if let Some(duel) = &mut self.duel {
            return duel.play(&self.game, start, first, &mut self.played);
        }
        let (game, specs) = (&self.game, &self.specs);
        let players = self.players.get_or_insert_with(|| [0, 1].map(|i| build(game, &specs[i])));
        let [a, b] = players;
        let seats: [&mut dyn Player<G>; 2] =
            if first == 0 { [a.as_mut(), b.as_mut()] } else { [b.as_mut(), a.as_mut()] };
        let opening = &self.opening;
        let game = play_watched(&self.game, start, seats, scene.game_seed(first), |mv| see(opening, mv));
        self.played = game.moves;
        game.ending
    }
}

impl<G: Playable> AnyMatch for MatchRunner<G> {
    fn reweigh(&mut self, player: usize, weights: &[f64]) {
        // A duel never looks at the specs again, and is given other weights for every game or two.
        if let Some(duel) = &mut self.duel {
            return duel.reweigh(player, weights);
        }
        self.specs[player] = self.specs[player].with_weights(weights);
        if let Some(players) = &mut self.players {
            players[player] = build(&self.game, &self.specs[player]);
        }
    }

    fn play(&mut self, scene: &StartPoint, first: usize) -> GameResult {
        self.play_seen(scene, first, |_, _| ())
    }

    fn play_watched(
        &mut self,
        scene: &StartPoint,
        first: usize,
        see: &mut dyn FnMut(&str, &str),
    ) -> GameResult {
        let mut list = None;
        self.play_seen(scene, first, |opening, mv| {
            see(list.get_or_insert_with(|| list_of(opening)), &mv.to_string());
        })
    }

    fn is_quick(&self) -> bool {
        self.duel.is_some()
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

/// What an ending means to one side.
pub(crate) fn result_for<G: Playable>(game: &G, ending: &Ending, side: Side, plies: u32) -> GameResult {
    let (points, sign) = match ending.winner {
        None => (1, 0.0),
        Some(winner) if winner == side => (2, 1.0),
        Some(_) => (0, -1.0),
    };
    // A draw is worth nothing, and not minus nothing.
    let margin = if sign == 0.0 { 0.0 } else { sign * game.event_points(ending) };
    GameResult { points, margin, plies }
}

/// Moves as a list.
pub(crate) fn list_of<M: ToString>(moves: &[M]) -> String {
    moves.iter().map(M::to_string).collect::<Vec<_>>().join(" ")
}
