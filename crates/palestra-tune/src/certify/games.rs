//! The games of a gauntlet as trees of the player's choices, expanded when a node is first visited.

use palestra_arena::{AnyGame, MatchPlan, PlayerSpec, Session};
use palestra_core::{InputError, Progress, Seed, Side};

/// A node of a game: the player is to move, or the game is over.
#[derive(Clone, Debug)]
pub(super) enum GameTreeNode {
    /// Not expanded yet.
    Unknown,
    /// The game is over, with these points for the player.
    Over(f64),
    /// The player chooses among moves that lead to different features. Of equally good moves the first is played.
    Turn(Vec<GameTreeMove>),
}

/// A move of the player.
#[derive(Clone, Debug)]
pub(super) struct GameTreeMove {
    /// The features after it, in their units.
    pub(super) features: Vec<i32>,
    /// By how much they differ from those of the first move: index and difference, without zeros.
    pub(super) ahead: Vec<(usize, i32)>,
    /// The node that it leads to.
    pub(super) to: usize,
}

impl GameTreeMove {
    /// `first` is the first of the moves at the turn, if this is not the first itself.
    pub(super) fn new(features: Vec<i32>, first: Option<&GameTreeMove>, to: usize) -> GameTreeMove {
        let of_first = first.map_or(&features, |first| &first.features);
        let ahead = features.iter().zip(of_first).map(|(a, b)| a - b).enumerate();
        let ahead = ahead.filter(|(_, by)| *by != 0).collect();
        GameTreeMove { features, ahead, to }
    }
}

/// One game against one opponent, with the nodes visited so far.
pub(super) struct GameTree<'a> {
    /// Its number among the games of the plan.
    pub(super) number: usize,
    game: &'a dyn AnyGame,
    opponent: PlayerSpec,
    side: Side,
    /// The player with all weights 1: the contributions to its sum are the features, in their units.
    unit_player: PlayerSpec,
    rules: &'a CertificationRules,
    nodes: Vec<GameTreeNode>,
    /// The last moves that lead to each node.
    paths: Vec<PathStep>,
}

/// A game that a player with some weights has played.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlayedGame {
    pub(super) points: f64,
    /// The node at its end: players that choose the same moves end at the same node.
    pub(super) end: usize,
    /// Number of the player's turns.
    pub(super) n_turns: u32,
}

/// The last moves that lead to a node.
#[derive(Clone, Debug, Default)]
struct PathStep {
    /// The parent; the root is its own parent.
    from: usize,
    /// The player's move from the parent, none at the root; then, once the node is expanded, the opponent's moves.
    moves: Vec<String>,
}

/// Constants of all games.
#[derive(Clone, Debug)]
pub(super) struct CertificationRules {
    /// Points for a win, a draw and a loss.
    pub(super) points: [f64; 3],
    /// Whether the last of equally good moves is played, and not the first.
    pub(super) last_of_ties: bool,
    /// The seed that opponents are given; they do not use it.
    pub(super) seed: Seed,
}

impl<'a> GameTree<'a> {
    /// A tree with an unexpanded root.
    pub(super) fn new(
        number: usize,
        game: &'a dyn AnyGame,
        (opponent, side): (&str, Side),
        unit_player: &str,
        rules: &'a CertificationRules,
    ) -> Result<GameTree<'a>, InputError> {
        let (nodes, paths) = (vec![GameTreeNode::Unknown], vec![PathStep::default()]);
        let (opponent, unit_player) = (game.player(opponent)?, game.player(unit_player)?);
        Ok(GameTree { number, game, opponent, side, unit_player, rules, nodes, paths })
    }

    /// The name of the board.
    pub(super) fn board(&self) -> String {
        self.game.name()
    }

    /// Number of nodes.
    pub(super) fn n_positions(&self) -> usize {
        self.nodes.len()
    }

    /// A node, expanded if necessary.
    pub(super) fn at(&mut self, node: usize) -> Result<&GameTreeNode, InputError> {
        if matches!(self.nodes[node], GameTreeNode::Unknown) {
            self.nodes[node] = self.expand(node)?;
        }
        Ok(&self.nodes[node])
    }

    /// The game of a player with these weights, which sums in floating point as a real player does.
    pub(super) fn play(&mut self, weights: &[f64]) -> Result<PlayedGame, InputError> {
        let (mut node, mut n_turns) = (0, 0);
        loop {
            match self.at(node)? {
                GameTreeNode::Unknown => unreachable!("`at` expands the node"),
                GameTreeNode::Over(points) => return Ok(PlayedGame { points: *points, end: node, n_turns }),
                GameTreeNode::Turn(choices) => node = preferred(choices, weights).to,
            }
            n_turns += 1;
        }
    }

    fn expand(&mut self, node: usize) -> Result<GameTreeNode, InputError> {
        let mut session = self.game.session(None, "-")?;
        self.path_to(node).into_iter().flatten().try_for_each(|mv| session.play(mv))?;
        let replies = self.replies(session.as_mut())?;
        self.paths[node].moves.extend(replies);
        if let Some(ending) = session.ending() {
            let [win, draw, loss] = self.rules.points;
            return Ok(GameTreeNode::Over(match ending.winner {
                None => draw,
                Some(winner) if winner == self.side => win,
                Some(_) => loss,
            }));
        }
        let mut choices: Vec<GameTreeMove> = Vec::new();
        let mut reasons = session.explain(&self.unit_player, self.rules.seed).moves;
        if self.rules.last_of_ties {
            reasons.reverse();
        }
        for reason in reasons {
            let features: Vec<i32> = reason.contributions.iter().map(|by| *by as i32).collect();
            // Of two moves with equal features only the first is ever played.
            if choices.iter().all(|choice| choice.features != features) {
                let mv = GameTreeMove::new(features, choices.first(), self.nodes.len());
                choices.push(mv);
                self.nodes.push(GameTreeNode::Unknown);
                self.paths.push(PathStep { from: node, moves: vec![reason.mv] });
            }
        }
        Ok(GameTreeNode::Turn(choices))
    }

    /// The moves from the root to a node.
    fn path_to(&self, mut node: usize) -> Vec<&[String]> {
        let mut paths = vec![&self.paths[node].moves[..]];
        while node != 0 {
            node = self.paths[node].from;
            paths.push(&self.paths[node].moves);
        }
        paths.reverse();
        paths
    }

    /// Plays the opponent's moves until it is the player's turn, or the game is over.
    fn replies(&self, session: &mut dyn Session) -> Result<Vec<String>, InputError> {
        let mut moves = Vec::new();
        while session.ending().is_none() && session.to_move() != self.side {
            let reply = session.ask(&self.opponent, self.rules.seed)?;
            session.play(&reply.mv)?;
            moves.push(reply.mv);
        }
        Ok(moves)
    }
}

/// The move that a player with these weights chooses.
fn preferred<'c>(choices: &'c [GameTreeMove], weights: &[f64]) -> &'c GameTreeMove {
    let value = |choice: &GameTreeMove| {
        choice
            .features
            .iter()
            .zip(weights)
            .fold(0.0, |sum, (&feature, weight)| sum + weight * f64::from(feature))
    };
    let mut best = (&choices[0], value(&choices[0]));
    for choice in &choices[1..] {
        let value = value(choice);
        if value > best.1 {
            best = (choice, value);
        }
    }
    best.0
}

/// The points of a player in real games against all opponents on all boards, on both sides.
pub(super) fn played(
    games: &[Box<dyn AnyGame>],
    opponents: &[String],
    player: &str,
    points: [f64; 3],
) -> Result<f64, InputError> {
    let mut sum = 0.0;
    for game in games {
        for opponent in opponents {
            let plan = MatchPlan::builtin(game.as_ref(), [player, opponent], 2, Seed(1))?;
            let record = game
                .run_match(&plan, &Progress::default())
                .expect("a match of built-in players from the start");
            let counts = [record.wins, record.draws, record.losses];
            sum += counts.iter().zip(points).map(|(&n, points)| n as f64 * points).sum::<f64>();
        }
    }
    Ok(sum)
}
