//! The games that a player's weights are studied in.

use super::can_meet_cohort;
use super::walk::CohortGame;
use crate::spec::{PlayerKind, PlayerSpec};
use palestra_core::{FamilyInfo, Game, InputError, Playable, Seed, Side};
use palestra_search::SearchSpec;

/// Games against every opponent from every opening, on both sides.
#[derive(Clone, Debug)]
pub struct GauntletSpec {
    /// The opponents, as player strings; all of them must be able to meet a cohort ([`super::can_meet_cohort`]).
    pub opponents: Vec<String>,
    /// Move lists from the start to where games begin; `-` is the start itself.
    pub openings: Vec<String>,
    /// Source of the opponents' randomness.
    pub seed: Seed,
}

impl GauntletSpec {
    /// Games against these opponents from the game's start.
    pub fn new(opponents: &[&str], seed: Seed) -> GauntletSpec {
        let opponents = opponents.iter().map(|&opponent| opponent.to_owned()).collect();
        GauntletSpec { opponents, openings: vec!["-".to_owned()], seed }
    }
}

/// One game of a gauntlet.
pub(super) struct GauntletGame<G: Game> {
    pub(super) opponent: PlayerSpec,
    /// Index of the opening in the gauntlet.
    pub(super) opening: usize,
    pub(super) start: G::Position,
    pub(super) side: Side,
    pub(super) seed: Seed,
}

impl<G: Game> GauntletGame<G> {
    pub(super) fn cohort_game<'a>(&'a self, game: &'a G) -> CohortGame<'a, G> {
        CohortGame { game, start: &self.start, side: self.side, opponent: &self.opponent, seed: self.seed }
    }
}

/// The games of a gauntlet; each has its own seed.
pub(super) fn gauntlet_games<G: Playable>(
    game: &G,
    family: &FamilyInfo,
    gauntlet: &GauntletSpec,
) -> Result<Vec<GauntletGame<G>>, InputError> {
    let mut fixtures = Vec::new();
    for text in &gauntlet.opponents {
        let opponent = PlayerSpec::parse(text, game, family)?;
        if !can_meet_cohort(&opponent) {
            let expected =
                "a player whose move depends only on the position: not pvs, mcts, perfect or time=";
            return Err(InputError::new("opponent", text, expected));
        }
        for (opening, moves) in gauntlet.openings.iter().enumerate() {
            let (start, _) = game.play_list(&game.start(), moves)?;
            for side in Side::BOTH {
                let seed = gauntlet.seed.child(fixtures.len() as u64);
                fixtures.push(GauntletGame {
                    opponent: opponent.clone(),
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

/// Search, evaluation and weights of a greedy player. Whether the evaluation is linear is checked when it is opened.
pub(super) fn greedy_parts(spec: &PlayerSpec) -> Result<(&SearchSpec, &str, &[f64]), InputError> {
    match &spec.kind {
        PlayerKind::Search { search, evaluation, weights } if search.is_greedy() && !weights.is_empty() => {
            Ok((search, evaluation, weights))
        }
        _ => Err(not_linear(spec)),
    }
}

pub(super) fn not_linear(spec: &PlayerSpec) -> InputError {
    InputError::new("player", spec.to_string(), "a greedy player with a linear evaluation and weights")
}
