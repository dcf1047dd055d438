//! A game given by its tree.

use crate::{Convention, Ending, Evaluator, Game, Side, TerminalValue};
use std::fmt;
use std::sync::Arc;

/// An explicit game tree: sides alternate, and a leaf ends the game with the leaf's value.
///
/// The text form is nested lists: `[[3 5] [2 9]]` is a root with two children of two leaves each. Values are for the
/// first side.
///
/// ```
/// use palestra_core::{Game, toys::Tree};
/// let game = Tree::parse("[[3 5] [2 9]]");
/// let mut moves = Vec::new();
/// game.moves(&game.start(), &mut moves);
/// assert_eq!(moves.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Arc<Vec<Node>>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: Vec<usize>,
    leaf: i32,
}

/// Index of the chosen child, from 0; it displays from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch(pub usize);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// A node and the side to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TreePosition {
    node: usize,
    to_move: Side,
}

impl Tree {
    /// Parses the text form. Panics if it is malformed.
    pub fn parse(text: &str) -> Tree {
        let mut nodes = vec![Node::default()];
        let mut path = Vec::new();
        for token in text.replace('[', " [ ").replace(']', " ] ").split_whitespace() {
            match token {
                "]" => {
                    path.pop().expect("brackets match");
                }
                _ => {
                    // The first bracket is the root, which exists already.
                    let node = if let Some(&parent) = path.last() {
                        nodes.push(Node::default());
                        let node = nodes.len() - 1;
                        let parent: &mut Node = &mut nodes[parent];
                        parent.children.push(node);
                        node
                    } else {
                        0
                    };
                    match token {
                        "[" => path.push(node),
                        leaf => nodes[node].leaf = leaf.parse().expect("a leaf is a whole number"),
                    }
                }
            }
        }
        assert!(path.is_empty(), "brackets match");
        Tree { nodes: Arc::new(nodes) }
    }
}

impl Game for Tree {
    type Position = TreePosition;
    type Move = Branch;

    fn start(&self) -> TreePosition {
        TreePosition { node: 0, to_move: Side::First }
    }

    fn to_move(&self, at: &TreePosition) -> Side {
        at.to_move
    }

    fn moves(&self, at: &TreePosition, out: &mut Vec<Branch>) {
        out.extend((0..self.nodes[at.node].children.len()).map(Branch));
    }

    fn play(&self, at: &mut TreePosition, Branch(i): Branch) {
        *at = TreePosition { node: self.nodes[at.node].children[i], to_move: at.to_move.other() };
    }

    fn ending(&self, at: &TreePosition) -> Option<Ending> {
        let node = &self.nodes[at.node];
        let winner = match node.leaf.signum() {
            1 => Some(Side::First),
            -1 => Some(Side::Second),
            _ => None,
        };
        node.children.is_empty().then_some(Ending {
            winner,
            margin: node.leaf.unsigned_abs(),
            reason: "leaf",
        })
    }
}

/// The evaluation for [`Tree`]: the leaf's value for an ended game, 0 for any other position.
#[derive(Clone, Copy, Debug)]
pub struct LeafValue;

impl Evaluator<Tree> for LeafValue {
    type Accumulator = ();

    fn begin(&self, _game: &Tree, _at: &TreePosition) {}

    fn advance(&self, _game: &Tree, _accumulator: &mut (), _at: &TreePosition, _mv: Branch) {}

    fn value(&self, game: &Tree, at: &TreePosition, _accumulator: &(), view: Side) -> f64 {
        game.ending(at).map_or(0.0, |ending| ending.value(f64::from(ending.margin), view))
    }

    fn convention(&self) -> Convention {
        Convention { endings: TerminalValue::AsEvaluated, ..Convention::default() }
    }
}
