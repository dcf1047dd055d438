//! A built-in player driven by text, move by move, for the referee of mixed games and for the protocols.

use crate::build::build;
use crate::player::{Player, TurnContext};
use crate::session::{ChoiceText, start_of};
use crate::spec::PlayerSpec;
use palestra_core::{InputError, Playable, Seed};

/// One built-in player during a game. It keeps its search and evaluation state between moves, as in a match between
/// built-in players.
pub trait TextPlayer: Send {
    /// Starts a new game at the game's start, or at a setup, after the moves of a list.
    fn begin(&mut self, setup: Option<&str>, moves: &str) -> Result<(), InputError>;

    /// Plays a move of either side; this player's own choice is played this way too.
    fn observe(&mut self, token: &str) -> Result<(), InputError>;

    /// Chooses a move, without playing it; `None` where the game has ended.
    fn choose(&mut self, seed: Seed) -> Option<ChoiceText>;
}

/// [`TextPlayer`] for any game type.
pub(crate) struct ErasedPlayer<G: Playable> {
    game: G,
    player: Box<dyn Player<G>>,
    at: G::Position,
    moves: Vec<G::Move>,
}

impl<G: Playable> ErasedPlayer<G> {
    pub(crate) fn new(game: &G, spec: &PlayerSpec) -> ErasedPlayer<G> {
        let (at, mut player) = (game.start(), build(game, spec));
        player.begin(game, &at);
        ErasedPlayer { game: game.clone(), player, at, moves: Vec::new() }
    }
}

impl<G: Playable> TextPlayer for ErasedPlayer<G> {
    fn begin(&mut self, setup: Option<&str>, moves: &str) -> Result<(), InputError> {
        let start = start_of(&self.game, setup)?;
        (self.at, _) = self.game.play_list(&start, moves)?;
        self.player.begin(&self.game, &self.at);
        Ok(())
    }

    fn observe(&mut self, token: &str) -> Result<(), InputError> {
        let mv = self.game.parse_move(&self.at, token)?;
        self.player.observe(&self.game, &self.at, mv);
        self.game.play(&mut self.at, mv);
        Ok(())
    }

    fn choose(&mut self, seed: Seed) -> Option<ChoiceText> {
        self.moves.clear();
        self.game.moves(&self.at, &mut self.moves);
        if self.moves.is_empty() {
            return None;
        }
        let turn = TurnContext { game: &self.game, at: &self.at, moves: &self.moves, seed };
        let choice = self.player.choose(&turn);
        Some(ChoiceText::from(&choice))
    }
}
