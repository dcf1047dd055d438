//! A game in progress of any type, for the terminal and the page.

use crate::build::build;
use crate::explain::{ExplainedPosition, explain};
use crate::oracle::{DeepOracle, ExactOracle, Oracle};
use crate::player::{MoveChoice, TurnContext};
use crate::show::{PositionSummary, show};
use crate::spec::PlayerSpec;
use crate::tree::{SearchTree, TreeLevel, tree, whole_tree};
use crate::value::value;
use palestra_core::{
    BoardGrid, Ending, FamilyInfo, InputError, Playable, Seed, Side, count_distinct, count_sequences,
};

/// A game in progress: moves can be played, taken back and explained.
pub trait Session: Send {
    /// The board, with the last move marked.
    fn grid(&self) -> BoardGrid;
    /// The boards of the last move step by step, the last one being the current board; empty before any move.
    fn frames(&self) -> Vec<BoardGrid>;
    /// The position as a setup string.
    fn setup(&self) -> String;
    /// Side to move.
    fn to_move(&self) -> Side;
    /// How the game ended, if it has.
    fn ending(&self) -> Option<Ending>;
    /// The legal moves, in the game's order.
    fn legal(&self) -> Vec<String>;
    /// The legal moves, each split into the choices that a person makes one after the other.
    fn stages(&self) -> Vec<Vec<String>>;
    /// What is chosen at each stage; the last name also applies to all later stages.
    fn stage_names(&self) -> &'static [&'static str];
    /// The cells of the grid on which a click chooses the last of these stages, which are the first ones of a legal
    /// move; empty where the stage has no cell on the board.
    fn spots(&self, stages: &[String]) -> Vec<usize>;
    /// Points of both sides so far, in games that count them during play.
    fn score(&self) -> Option<[u32; 2]>;
    /// The moves since the start or the setup, those of the session's move list included.
    fn played(&self) -> Vec<String>;
    /// Plays the move with this text.
    fn play(&mut self, token: &str) -> Result<(), InputError>;
    /// Takes back the last move; returns false if there is none.
    fn undo(&mut self) -> bool;
    /// The move that a player chooses here; it is not played.
    fn ask(&mut self, player: &PlayerSpec, seed: Seed) -> Result<ChoiceText, InputError>;
    /// The value of the position for `view` by a player's evaluation, without search. An ended game has the value of
    /// the evaluation's convention, which may be far above all others. `None` for players without evaluation.
    fn value(&self, player: &PlayerSpec, view: Side) -> Option<f64>;
    /// Legal moves, ending and features of the position.
    fn show(&self) -> PositionSummary;
    /// A player's move with its reasons.
    fn explain(&self, player: &PlayerSpec, seed: Seed) -> ExplainedPosition;
    /// The tree that a player's search visits here, level by level.
    fn tree(&self, player: &PlayerSpec) -> Result<SearchTree, InputError>;
    /// The whole tree to a depth; `None` where it has more than `max_positions` positions.
    fn whole_tree(&self, depth: u32, max_positions: u64) -> Option<Vec<TreeLevel>>;
    /// An oracle that solves the position with a table of `bytes` bytes; `None` for a game without a solver.
    fn exact_oracle(&self, bytes: usize, n_threads: usize) -> Option<Box<dyn Oracle>>;
    /// An oracle that searches `nodes` positions per legal move.
    fn deep_oracle(&self, nodes: u64) -> Box<dyn Oracle>;
    /// Number of move sequences of length 1 to `depth` from here (perft).
    fn count_sequences(&self, depth: u32) -> Vec<u64>;
    /// Number of different positions after 0 to `depth` moves from here.
    fn count_distinct(&self, depth: u32) -> Vec<u64>;
}

/// A player's choice, with the move as text.
#[derive(Clone, PartialEq, Debug)]
pub struct ChoiceText {
    /// The move.
    pub mv: String,
    /// The player's value of the move, for itself.
    pub value: Option<f64>,
    /// Positions searched below the root moves.
    pub nodes: u64,
    /// Root moves searched.
    pub root_moves: u64,
}

impl<M: std::fmt::Display> From<&MoveChoice<M>> for ChoiceText {
    fn from(choice: &MoveChoice<M>) -> ChoiceText {
        let MoveChoice { mv, value, nodes, root_moves } = choice;
        ChoiceText { mv: mv.to_string(), value: *value, nodes: *nodes, root_moves: *root_moves }
    }
}

/// [`Session`] for any game type.
pub(crate) struct ErasedSession<G: Playable> {
    game: G,
    family: &'static FamilyInfo,
    /// The positions since the start, the current one last; never empty.
    positions: Vec<G::Position>,
    moves: Vec<G::Move>,
}

impl<G: Playable> ErasedSession<G> {
    /// Starts at a setup or at the game's own start, and plays the moves of a list.
    pub(crate) fn open(
        game: G,
        family: &'static FamilyInfo,
        setup: Option<&str>,
        moves: &str,
    ) -> Result<ErasedSession<G>, InputError> {
        let start = start_of(&game, setup)?;
        let (_, list) = game.play_list(&start, moves)?;
        let mut session = ErasedSession { game, family, positions: vec![start], moves: Vec::new() };
        list.into_iter().for_each(|mv| session.push(mv));
        Ok(session)
    }

    fn push(&mut self, mv: G::Move) {
        let mut after = self.at().clone();
        self.game.play(&mut after, mv);
        self.positions.push(after);
        self.moves.push(mv);
    }

    pub(crate) fn at(&self) -> &G::Position {
        self.positions.last().expect("a session has a first position")
    }

    fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(self.at(), &mut moves);
        moves
    }
}

/// A setup's position, or the start.
pub(crate) fn start_of<G: Playable>(game: &G, setup: Option<&str>) -> Result<G::Position, InputError> {
    setup.map_or_else(|| Ok(game.start()), |setup| game.parse_setup(setup))
}

fn ended(player: &PlayerSpec) -> InputError {
    InputError::not_allowed(format!("player \"{player}\""), "the game has ended")
}

impl<G: Playable> Session for ErasedSession<G> {
    fn grid(&self) -> BoardGrid {
        self.game.grid(self.at(), self.moves.last().copied())
    }

    fn frames(&self) -> Vec<BoardGrid> {
        let before = self.positions.iter().rev().nth(1);
        let last = before.zip(self.moves.last());
        last.map_or_else(Vec::new, |(before, &mv)| self.game.frames(before, mv))
    }

    fn setup(&self) -> String {
        self.game.setup(self.at())
    }

    fn to_move(&self) -> Side {
        self.game.to_move(self.at())
    }

    fn ending(&self) -> Option<Ending> {
        self.game.ending(self.at())
    }

    fn legal(&self) -> Vec<String> {
        self.legal_moves().iter().map(ToString::to_string).collect()
    }

    fn stages(&self) -> Vec<Vec<String>> {
        self.legal_moves().into_iter().map(|mv| self.game.stages(mv)).collect()
    }

    fn stage_names(&self) -> &'static [&'static str] {
        self.game.stage_names()
    }

    fn spots(&self, stages: &[String]) -> Vec<usize> {
        self.game.spots(self.at(), stages)
    }

    fn score(&self) -> Option<[u32; 2]> {
        self.game.score(self.at())
    }

    fn played(&self) -> Vec<String> {
        self.moves.iter().map(ToString::to_string).collect()
    }

    fn play(&mut self, token: &str) -> Result<(), InputError> {
        let mv = self.game.parse_move(self.at(), token)?;
        self.push(mv);
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        if undone {
            self.positions.pop();
        }
        undone
    }

    fn ask(&mut self, player: &PlayerSpec, seed: Seed) -> Result<ChoiceText, InputError> {
        let moves = self.legal_moves();
        if moves.is_empty() {
            return Err(ended(player));
        }
        let mut player = build(&self.game, player);
        player.begin(&self.game, self.at());
        let choice = player.choose(&TurnContext { game: &self.game, at: self.at(), moves: &moves, seed });
        Ok(ChoiceText::from(&choice))
    }

    fn value(&self, player: &PlayerSpec, view: Side) -> Option<f64> {
        value(&self.game, self.at(), player, view)
    }

    fn show(&self) -> PositionSummary {
        show(&self.game, self.at())
    }

    fn explain(&self, player: &PlayerSpec, seed: Seed) -> ExplainedPosition {
        explain(&self.game, self.at(), player, seed)
    }

    fn tree(&self, player: &PlayerSpec) -> Result<SearchTree, InputError> {
        if self.ending().is_some() {
            return Err(ended(player));
        }
        tree(&self.game, self.at(), player)
    }

    fn whole_tree(&self, depth: u32, max_positions: u64) -> Option<Vec<TreeLevel>> {
        whole_tree(&self.game, self.at(), depth, max_positions)
    }

    fn exact_oracle(&self, bytes: usize, n_threads: usize) -> Option<Box<dyn Oracle>> {
        Some(Box::new(ExactOracle::new(&self.game, self.at(), bytes, n_threads)?))
    }

    fn deep_oracle(&self, nodes: u64) -> Box<dyn Oracle> {
        let opponent = PlayerSpec::parse(&self.game.opponent(), &self.game, self.family);
        let player = opponent.expect("a game's own opponent is a player of it");
        Box::new(DeepOracle::new(&self.game, self.at(), player, nodes))
    }

    fn count_sequences(&self, depth: u32) -> Vec<u64> {
        count_sequences(&self.game, self.at(), depth)
    }

    fn count_distinct(&self, depth: u32) -> Vec<u64> {
        count_distinct(&self.game, self.at(), depth)
    }
}
