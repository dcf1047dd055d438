//! A game whose type nobody outside needs to know.

use crate::accuracy::{self, AccuracyPlan, AccuracyRecord};
use crate::matches::{MatchPlan, MatchRecord, Watch, run};
use crate::session::{Line, Session, start_of};
use crate::spec::PlayerSpec;
#[cfg(feature = "kit")]
use palestra_core::conformance::{self, PerftCase, Tally, Violation};
use palestra_core::{
    BadText, Ending, EvaluationInfo, EvaluationVisitor, FamilyInfo, Feature, FeatureSet, Game, GameVisitor,
    Playable, Template,
};

/// One game, with everything the outside may ask of it. One dynamic call a request.
pub trait AnyGame: Send + Sync {
    /// The canonical game string.
    fn name(&self) -> String;
    /// The family it belongs to.
    fn family(&self) -> &'static FamilyInfo;
    /// Reads a player string and gives back the player, all names resolved.
    fn player(&self, text: &str) -> Result<PlayerSpec, BadText>;
    /// A pleasant opponent for a person on this board, as a player string.
    fn opponent(&self) -> String;
    /// What an event gives the winner of a game that ended like this; the loser gets the negative.
    fn event_points(&self, ending: &Ending) -> f64;
    /// What an event gives the other side when a player forfeits; the culprit gets the negative.
    fn forfeit_points(&self) -> f64;
    /// The evaluations it offers, with their features.
    fn evaluations(&self) -> Vec<EvaluationTexts>;
    /// Its own policies: reference players that are neither search nor evaluation.
    fn policies(&self) -> &'static [EvaluationInfo];
    /// A line of play from a setup (or the start) and a move list.
    fn session(&self, setup: Option<&str>, moves: &str) -> Result<Box<dyn Session>, BadText>;
    /// Plays a match.
    fn run_match(&self, plan: &MatchPlan, watch: &dyn Watch) -> Result<MatchRecord, BadText>;
    /// Measures how often players find the best move.
    fn run_accuracy(&self, plan: &AccuracyPlan, watch: &dyn Watch) -> Result<AccuracyRecord, BadText>;
    /// Holds the game to every law of the conformance kit.
    #[cfg(feature = "kit")]
    fn check_laws(&self, n_games: u32, seed: palestra_core::Seed) -> Result<Tally, Violation>;
    /// Compares one line of a perft file; says how many depths.
    #[cfg(feature = "kit")]
    fn check_perft(&self, case: PerftCase<'_>, most: u64) -> Result<usize, BadText>;
    /// A seeded random game with everything that can be seen at every ply.
    #[cfg(feature = "kit")]
    fn playthrough(&self, seed: palestra_core::Seed) -> String;
}

/// An evaluation in words.
#[derive(Clone, Debug)]
pub struct EvaluationTexts {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its features or parameters, in the order of their weights.
    pub features: Vec<Feature>,
    /// Whether it is a weighted sum of them.
    pub linear: bool,
}

impl EvaluationTexts {
    /// The names of the weights that a player chooses, in order.
    pub fn weights(&self) -> Vec<&'static str> {
        let free = self.features.iter().filter(|feature| feature.fixed.is_none());
        free.map(|feature| feature.name).collect()
    }
}

/// Hides the type of a game.
pub(crate) struct Erase(pub(crate) &'static FamilyInfo);

impl GameVisitor for Erase {
    type Out = Box<dyn AnyGame>;

    fn visit<G: Playable>(self, game: G) -> Box<dyn AnyGame> {
        Box::new(Hidden { game, family: self.0 })
    }
}

struct Hidden<G> {
    game: G,
    family: &'static FamilyInfo,
}

impl<G: Playable> AnyGame for Hidden<G> {
    fn name(&self) -> String {
        self.game.to_string()
    }

    fn family(&self) -> &'static FamilyInfo {
        self.family
    }

    fn player(&self, text: &str) -> Result<PlayerSpec, BadText> {
        PlayerSpec::parse(text, &self.game, self.family)
    }

    fn opponent(&self) -> String {
        self.game.opponent()
    }

    fn event_points(&self, ending: &Ending) -> f64 {
        self.game.event_points(ending)
    }

    fn forfeit_points(&self) -> f64 {
        self.game.forfeit_points()
    }

    fn evaluations(&self) -> Vec<EvaluationTexts> {
        let infos = self.game.evaluations().iter();
        let texts = |name, about| self.game.evaluation(name, Describe { name, about });
        infos.filter_map(|info| texts(info.name, info.about)).collect()
    }

    fn policies(&self) -> &'static [EvaluationInfo] {
        self.game.policies()
    }

    fn session(&self, setup: Option<&str>, moves: &str) -> Result<Box<dyn Session>, BadText> {
        Ok(Box::new(Line::open(self.game.clone(), self.family, setup, moves)?))
    }

    fn run_match(&self, plan: &MatchPlan, watch: &dyn Watch) -> Result<MatchRecord, BadText> {
        let [first, second] = &plan.players;
        let specs = [self.player(first)?, self.player(second)?];
        let start = start_of(&self.game, plan.setup.as_deref())?;
        let (start, _) = self.game.play_list(&start, &plan.moves)?;
        Ok(run(&self.game, &start, &specs, plan, watch))
    }

    fn run_accuracy(&self, plan: &AccuracyPlan, watch: &dyn Watch) -> Result<AccuracyRecord, BadText> {
        accuracy::run(&self.game, self.family, plan, watch)
    }

    #[cfg(feature = "kit")]
    fn check_laws(&self, n_games: u32, seed: palestra_core::Seed) -> Result<Tally, Violation> {
        let longest = self.family.longest_game;
        let tally = conformance::check_game(&self.game, n_games, longest, seed)?;
        conformance::check_text(&self.game, n_games.div_ceil(8), longest, seed)?;
        conformance::check_evaluations(&self.game, n_games.div_ceil(8), longest, seed)?;
        conformance::check_symmetries(&self.game, n_games.div_ceil(8), longest, seed)?;
        Ok(tally)
    }

    #[cfg(feature = "kit")]
    fn check_perft(&self, case: PerftCase<'_>, most: u64) -> Result<usize, BadText> {
        conformance::check_perft(&self.game, case, most)
    }

    #[cfg(feature = "kit")]
    fn playthrough(&self, seed: palestra_core::Seed) -> String {
        conformance::record_playthrough(&self.game, seed)
    }
}

struct Describe {
    name: &'static str,
    about: &'static str,
}

impl<G: Game> EvaluationVisitor<G> for Describe {
    type Out = EvaluationTexts;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> EvaluationTexts {
        let features = set.features().to_vec();
        EvaluationTexts { name: self.name, about: self.about, features, linear: true }
    }

    fn other<T: Template<G>>(self, template: T) -> EvaluationTexts {
        let features = template.parameters().to_vec();
        EvaluationTexts { name: self.name, about: self.about, features, linear: false }
    }
}
