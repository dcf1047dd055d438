//! Games behind one object-safe trait, whatever their type.
//!
//! From a name to a type: the catalog finds the family, `Family::open` chooses the board type and calls a
//! visitor of this module, which boxes the game as `dyn AnyGame`. Behind that box everything is generic again, so
//! there is one dynamic call per request to a game, a few per move of a player and none per node.

use crate::accuracy::{self, AccuracyPlan, AccuracyRecord};
use crate::build::build;
use crate::cohort::{self, AnyCohort, ErasedCohort, GauntletSpec, Sensitivity, WeightMap};
use crate::ladder::ladder;
use crate::match_runner::{AnyMatch, MatchRunner, list_of};
use crate::matches::{MatchError, MatchPlan, MatchRecord, run};
use crate::points::PointSystem;
use crate::record::GameRecord;
use crate::seat::{ExternalPlayer, MatchPlayer, PlayError};
use crate::self_play::{SelfPlayGame, self_play};
use crate::session::{ChoiceText, ErasedSession, Session};
use crate::spec::PlayerSpec;
use crate::start_point::{FixedStart, StartPoint};
use crate::test_suite::{ErasedTestSuite, TestSuite, TestSuitePlan};
use crate::text_player::{ErasedPlayer, TextPlayer};
use crate::tunable_player::TunablePlayer;
use crate::workload::{self, MoveCounts, PlayoutCounts};
use palestra_core::{
    Ending, EvaluationInfo, EvaluationVisitor, ExactGraph, ExactTree, ExactVisitor, FamilyInfo, Feature,
    FeatureSet, Game, GameVisitor, InputError, ParametricEvaluator, Playable, Progress, Seed,
};

/// One game of any type, as the terminal, the page and the store use it.
pub trait AnyGame: Send + Sync {
    /// Canonical game string.
    fn name(&self) -> String;
    /// The family this game belongs to.
    fn family(&self) -> &'static FamilyInfo;
    /// Parses a player string.
    fn player(&self, text: &str) -> Result<PlayerSpec, InputError>;
    /// Default opponent for a person on this board.
    fn opponent(&self) -> PlayerSpec;
    /// Opponents from weakest to strongest, all different and the first one `random`; each moves within a second or two.
    fn ladder(&self) -> Vec<PlayerSpec>;
    /// Margin points of an event for the winner of a game with this ending; the loser gets the negative.
    fn event_points(&self, ending: &Ending) -> f64;
    /// Margin points of an event for the other side when a player forfeits; the forfeiting side gets the negative.
    fn forfeit_points(&self) -> f64;
    /// The game's evaluations, with their features.
    fn evaluations(&self) -> Vec<EvaluationTexts>;
    /// The game's own policies: reference players without search and evaluation.
    fn policies(&self) -> &'static [EvaluationInfo];
    /// A game in progress, from a setup (or the start) and a move list.
    fn session(&self, setup: Option<&str>, moves: &str) -> Result<Box<dyn Session>, InputError>;
    /// Plays a match.
    fn run_match(&self, plan: &MatchPlan, progress: &Progress) -> Result<MatchRecord, MatchError>;
    /// Plays one game from the position after a setup (or the start) and a move list, and calls `see` after every move.
    fn play_game(
        &self,
        position: (Option<&str>, &str),
        players: [&MatchPlayer; 2],
        seed: Seed,
        see: &mut dyn FnMut(&ChoiceText),
    ) -> Result<GameRecord, MatchError>;
    /// The move of an external program at a position where the game has not ended; `None` if it resigns.
    fn ask(
        &self,
        position: (Option<&str>, &str),
        player: &dyn ExternalPlayer,
    ) -> Result<Option<ChoiceText>, PlayError>;
    /// Measures how often players find the best move.
    fn run_accuracy(&self, plan: &AccuracyPlan, progress: &Progress) -> Result<AccuracyRecord, MatchError>;
    /// Parses a player string whose weights may be missing.
    fn tunable_player(&self, text: &str) -> Result<TunablePlayer, InputError>;
    /// A match of two players, built-in or external, for any number of games.
    fn new_match(&self, players: [MatchPlayer; 2]) -> Box<dyn AnyMatch>;
    /// A player driven by text, move by move.
    fn text_player(&self, player: &PlayerSpec) -> Box<dyn TextPlayer>;
    /// Whether a player may choose differently with another seed.
    fn is_stochastic(&self, player: &PlayerSpec) -> bool;
    /// The random opening moves of a start point, as a list.
    fn opening(&self, start: &StartPoint) -> String;
    /// The cohort of a template player with these weights, one row per member; `None` unless the template is greedy
    /// over a weighted sum.
    fn cohort(&self, template: &PlayerSpec, weights: &[f64]) -> Option<Box<dyn AnyCohort>>;
    /// The same cohort without the fast path in whole numbers: the reference that tests compare with.
    fn plain_cohort(&self, template: &PlayerSpec, weights: &[f64]) -> Option<Box<dyn AnyCohort>>;
    /// Key of the position at which the players take over; equal for equal positions.
    fn opening_key(&self, start: &StartPoint) -> u64;
    /// Plays one game of a player against itself; `None` unless it is a search over a weighted sum.
    fn self_play(&self, player: &PlayerSpec, start: &StartPoint) -> Option<SelfPlayGame>;
    /// Whether positions can be solved one by one; false where the whole game is solved at once, or cannot be solved.
    fn solves_single_positions(&self) -> bool;
    /// Draws positions and values their moves, for players to be tested on.
    fn test_suite(&self, plan: &TestSuitePlan, progress: &Progress)
    -> Result<Box<dyn TestSuite>, InputError>;
    /// How far the weights of a greedy player may move before any decision of these games changes.
    fn sensitivity(&self, player: &PlayerSpec, gauntlet: &GauntletSpec) -> Result<Sensitivity, InputError>;
    /// Plays the gauntlet for all weights of a map of a greedy player, splits its regions and adds the points of the
    /// games. Returns whether it finished; once stopped, the map is incomplete and must be discarded.
    fn refine_map(
        &self,
        map: &mut WeightMap,
        player: &PlayerSpec,
        gauntlet: &GauntletSpec,
        points: PointSystem,
        progress: &Progress,
    ) -> Result<bool, InputError>;
    /// Plays random games from the start, for benchmarks.
    fn playouts(&self, n_games: u64, seed: Seed) -> PlayoutCounts;
    /// Lists the legal moves of every position of `n_games` random games, `times` times, for benchmarks.
    fn move_lists(&self, n_games: u64, times: u32, seed: Seed) -> MoveCounts;
}

/// Name, description and features of an evaluation.
#[derive(Clone, Debug)]
pub struct EvaluationTexts {
    /// Name, as in player strings.
    pub name: &'static str,
    /// One-line description.
    pub about: &'static str,
    /// Features or parameters, in the order of their weights.
    pub features: Vec<Feature>,
    /// Whether the value is their weighted sum.
    pub linear: bool,
}

impl EvaluationTexts {
    /// Names of the free weights, in order.
    pub fn weights(&self) -> Vec<&'static str> {
        let free = self.features.iter().filter(|feature| feature.fixed.is_none());
        free.map(|feature| feature.name).collect()
    }
}

/// Boxes a game as [`AnyGame`].
pub(crate) struct EraseGame(pub(crate) &'static FamilyInfo);

impl GameVisitor for EraseGame {
    type Out = Box<dyn AnyGame>;

    fn visit<G: Playable>(self, game: G) -> Box<dyn AnyGame> {
        Box::new(ErasedGame { game, family: self.0 })
    }
}

struct ErasedGame<G> {
    game: G,
    family: &'static FamilyInfo,
}

impl<G: Playable> AnyGame for ErasedGame<G> {
    fn name(&self) -> String {
        self.game.to_string()
    }

    fn family(&self) -> &'static FamilyInfo {
        self.family
    }

    fn player(&self, text: &str) -> Result<PlayerSpec, InputError> {
        PlayerSpec::parse(text, &self.game, self.family)
    }

    fn opponent(&self) -> PlayerSpec {
        self.player(&self.game.opponent()).expect("a game's own opponent is a player of it")
    }

    fn ladder(&self) -> Vec<PlayerSpec> {
        ladder(&self.game, &self.opponent())
    }

    fn event_points(&self, ending: &Ending) -> f64 {
        self.game.event_points(ending)
    }

    fn forfeit_points(&self) -> f64 {
        self.game.forfeit_points()
    }

    fn evaluations(&self) -> Vec<EvaluationTexts> {
        let infos = self.game.evaluations().iter();
        let texts = |name, about| self.game.evaluation(name, DescribeEvaluation { name, about });
        infos.filter_map(|info| texts(info.name, info.about)).collect()
    }

    fn policies(&self) -> &'static [EvaluationInfo] {
        self.game.policies()
    }

    fn session(&self, setup: Option<&str>, moves: &str) -> Result<Box<dyn Session>, InputError> {
        Ok(Box::new(ErasedSession::open(self.game.clone(), self.family, setup, moves)?))
    }

    fn run_match(&self, plan: &MatchPlan, progress: &Progress) -> Result<MatchRecord, MatchError> {
        let start = FixedStart::read(&self.game, plan.setup.as_deref(), &plan.moves)?;
        Ok(run(&self.game, &start, plan, progress)?)
    }

    fn play_game(
        &self,
        (setup, moves): (Option<&str>, &str),
        players: [&MatchPlayer; 2],
        seed: Seed,
        see: &mut dyn FnMut(&ChoiceText),
    ) -> Result<GameRecord, MatchError> {
        let start = FixedStart::read(&self.game, setup, moves)?;
        let runner = MatchRunner::new(&self.game, start, players.map(MatchPlayer::clone));
        Ok(runner.play_here(seed, |choice| see(&ChoiceText::from(choice)))?)
    }

    fn ask(
        &self,
        (setup, moves): (Option<&str>, &str),
        player: &dyn ExternalPlayer,
    ) -> Result<Option<ChoiceText>, PlayError> {
        let choice = FixedStart::read(&self.game, setup, moves)?.ask(&self.game, player)?;
        Ok(choice.as_ref().map(ChoiceText::from))
    }

    fn run_accuracy(&self, plan: &AccuracyPlan, progress: &Progress) -> Result<AccuracyRecord, MatchError> {
        accuracy::run(&self.game, self.family, plan, progress)
    }

    fn tunable_player(&self, text: &str) -> Result<TunablePlayer, InputError> {
        TunablePlayer::parse(text, &self.game, self.family)
    }

    fn new_match(&self, players: [MatchPlayer; 2]) -> Box<dyn AnyMatch> {
        Box::new(MatchRunner::new(&self.game, FixedStart::of_game(&self.game), players))
    }

    fn text_player(&self, player: &PlayerSpec) -> Box<dyn TextPlayer> {
        Box::new(ErasedPlayer::new(&self.game, player))
    }

    fn is_stochastic(&self, player: &PlayerSpec) -> bool {
        build(&self.game, player).is_stochastic()
    }

    fn opening(&self, start: &StartPoint) -> String {
        list_of(&start.opening(&self.game, &self.game.start()).1)
    }

    fn cohort(&self, template: &PlayerSpec, weights: &[f64]) -> Option<Box<dyn AnyCohort>> {
        Some(Box::new(ErasedCohort::of(&self.game, template, weights)?))
    }

    fn plain_cohort(&self, template: &PlayerSpec, weights: &[f64]) -> Option<Box<dyn AnyCohort>> {
        Some(Box::new(ErasedCohort::plain_of(&self.game, template, weights)?))
    }

    fn opening_key(&self, start: &StartPoint) -> u64 {
        self.game.key(&start.opening(&self.game, &self.game.start()).0)
    }

    fn self_play(&self, player: &PlayerSpec, start: &StartPoint) -> Option<SelfPlayGame> {
        self_play(&self.game, player, start)
    }

    fn solves_single_positions(&self) -> bool {
        self.game.exact(IsTree).unwrap_or(false)
    }

    fn test_suite(
        &self,
        plan: &TestSuitePlan,
        progress: &Progress,
    ) -> Result<Box<dyn TestSuite>, InputError> {
        let suite = ErasedTestSuite::draw(&self.game, self.family, plan, progress)?;
        Ok(Box::new(suite.with_positions(plan, progress)?))
    }

    fn sensitivity(&self, player: &PlayerSpec, gauntlet: &GauntletSpec) -> Result<Sensitivity, InputError> {
        cohort::sensitivity(&self.game, self.family, player, gauntlet)
    }

    fn refine_map(
        &self,
        map: &mut WeightMap,
        player: &PlayerSpec,
        gauntlet: &GauntletSpec,
        points: PointSystem,
        progress: &Progress,
    ) -> Result<bool, InputError> {
        cohort::refine_map(&self.game, self.family, map, player, gauntlet, points, progress)
    }

    fn playouts(&self, n_games: u64, seed: Seed) -> PlayoutCounts {
        workload::playouts(&self.game, n_games, seed)
    }

    fn move_lists(&self, n_games: u64, times: u32, seed: Seed) -> MoveCounts {
        workload::move_lists(&self.game, n_games, times, seed)
    }
}

/// Whether the game is solved as a tree: its positions never repeat.
struct IsTree;

impl<G: Game> ExactVisitor<G> for IsTree {
    type Out = bool;

    fn tree<X: ExactTree<G>>(self, _tree: X) -> bool {
        true
    }

    fn graph<X: ExactGraph<G>>(self, _graph: X) -> bool {
        false
    }
}

struct DescribeEvaluation {
    name: &'static str,
    about: &'static str,
}

impl<G: Game> EvaluationVisitor<G> for DescribeEvaluation {
    type Out = EvaluationTexts;

    fn linear<F: FeatureSet<G> + 'static>(self, set: F) -> EvaluationTexts {
        let features = set.features().to_vec();
        EvaluationTexts { name: self.name, about: self.about, features, linear: true }
    }

    fn other<T: ParametricEvaluator<G>>(self, template: T) -> EvaluationTexts {
        let features = template.parameters().to_vec();
        EvaluationTexts { name: self.name, about: self.about, features, linear: false }
    }
}
