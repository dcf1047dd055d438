//! Whom players meet whose weights are studied.

use super::can_meet_cohort;
use super::walk::CohortGame;
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{Ending, FamilyInfo, Game, InputError, Playable, Seed, Side};
use palestra_search::SearchSpec;

/// Every rival from every opening, on both sides.
#[derive(Clone, Debug)]
pub struct GauntletSpec {
    /// The rivals, as player strings. Only those that [`super::can_meet_cohort`].
    pub rivals: Vec<String>,
    /// Move lists that lead to where games begin; `-` is the start.
    pub openings: Vec<String>,
    /// All dice come from here.
    pub seed: Seed,
}

impl GauntletSpec {
    /// These rivals, from the start.
    pub fn new(rivals: &[&str], seed: Seed) -> GauntletSpec {
        let rivals = rivals.iter().map(|&rival| rival.to_owned()).collect();
        GauntletSpec { rivals, openings: vec!["-".to_owned()], seed }
    }
}

/// What a game is worth to the player that is studied.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GamePoints {
    /// A won one.
    pub win: f64,
    /// A drawn one.
    pub draw: f64,
    /// A lost one.
    pub loss: f64,
}

impl GamePoints {
    /// One for a win, and one less for a loss.
    pub const BALANCED: GamePoints = GamePoints { win: 1.0, draw: 0.0, loss: -1.0 };

    /// What this ending is worth to a side.
    pub fn of(&self, ending: &Ending, side: Side) -> f64 {
        match ending.winner {
            None => self.draw,
            Some(winner) if winner == side => self.win,
            Some(_) => self.loss,
        }
    }
}

/// One game to be played.
pub(super) struct GauntletGame<G: Game> {
    pub(super) rival: PlayerSpec,
    /// Its number in the gauntlet.
    pub(super) opening: usize,
    pub(super) start: G::Position,
    pub(super) side: Side,
    pub(super) seed: Seed,
}

impl<G: Game> GauntletGame<G> {
    pub(super) fn cohort_game<'a>(&'a self, game: &'a G) -> CohortGame<'a, G> {
        CohortGame { game, start: &self.start, side: self.side, rival: &self.rival, seed: self.seed }
    }
}

/// The games of a gauntlet; each has dice of its own.
pub(super) fn gauntlet_games<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    gauntlet: &GauntletSpec,
) -> Result<Vec<GauntletGame<G>>, InputError> {
    let mut fixtures = Vec::new();
    for text in &gauntlet.rivals {
        let rival = PlayerSpec::parse(text, game, family)?;
        if !can_meet_cohort(&rival) {
            let expected =
                "a player whose move depends on the position alone: no ab, mcts, perfect, nor time=";
            return Err(InputError::new("rival", text, expected));
        }
        for (opening, moves) in gauntlet.openings.iter().enumerate() {
            let (start, _) = game.play_list(&game.start(), moves)?;
            for side in Side::BOTH {
                let seed = gauntlet.seed.child(fixtures.len() as u64);
                fixtures.push(GauntletGame {
                    rival: rival.clone(),
                    opening,
                    start: start.clone(),
                    side,
                    seed,
                });
            }
        }
    }
    Ok(fixtures)
}

/// The parts of a greedy player; whether its evaluation is linear turns out when it is opened.
pub(super) fn greedy_parts(spec: &PlayerSpec) -> Result<(&SearchSpec, &str, &[f64]), InputError> {
    match &spec.kind {
        PlayerKind::Search { search, evaluation, weights }
            if search.name() == "greedy" && !weights.is_empty() =>
        {
            Ok((search, evaluation, weights))
        }
        _ => Err(not_linear(spec)),
    }
}

pub(super) fn not_linear(spec: &PlayerSpec) -> InputError {
    InputError::new("player", spec.to_string(), "a greedy player with a linear evaluation and weights")
}
