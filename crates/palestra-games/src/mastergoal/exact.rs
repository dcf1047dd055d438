//! Numbers of the positions of level 1, for exact values: two pieces and a ball, few enough to solve all of them.

use super::field::{COLUMNS, ROWS, Square};
use super::rules::{MAX_PIECES, Mastergoal, Position, Team};
use palestra_core::{ExactGraph, Side};

/// Number of rows for pieces and the ball (N1).
const FIELD_ROWS: usize = ROWS - 2;
/// Number of squares of the field.
const FIELD: usize = FIELD_ROWS * COLUMNS;
/// Numbers at one score. A board and its mirror image share the smaller of their numbers, in which the ball is in the
/// left half or in the middle.
const BOARDS: usize = FIELD_ROWS * COLUMNS.div_ceil(2) * FIELD * FIELD;
/// Games to more goals have too many positions: [`BOARDS`] for each score.
const MAX_GOALS: u8 = 2;

/// The numbers of level 1: the squares of the ball, of the piece of the side to move and of the opponent's piece, from
/// the viewpoint of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct MastergoalGraph;

impl ExactGraph<Mastergoal> for MastergoalGraph {
    fn n_numbers(&self, game: &Mastergoal) -> Option<usize> {
        let n_scores = usize::from(game.goals).pow(2);
        (game.goals <= MAX_GOALS).then_some(n_scores * BOARDS)
    }

    fn number(&self, game: &Mastergoal, at: &Position) -> usize {
        let [own, other] = [at.to_move, at.to_move.other()].map(Side::index);
        let squares =
            [at.ball, at.teams[own][0], at.teams[other][0]].map(|square| square_number(square, at.to_move));
        let score = usize::from(at.goals[own] * game.goals + at.goals[other]);
        let board = |squares: [usize; 3]| squares.into_iter().fold(0, |board, square| board * FIELD + square);
        score * BOARDS + board(squares).min(board(squares.map(mirrored)))
    }

    /// The first side is to move.
    fn position(&self, game: &Mastergoal, number: usize) -> Option<Position> {
        let (score, board) = (number / BOARDS, number % BOARDS);
        let [ball, own, other] =
            [board / (FIELD * FIELD), board / FIELD % FIELD, board % FIELD].map(square_at);
        let goals = [score / usize::from(game.goals), score % usize::from(game.goals)];
        let at = Position {
            teams: [own, other].map(team_of),
            ball,
            to_move: Side::First,
            goals: goals.map(|goals| goals as u8),
            turns: None,
        };
        // Different squares, and no piece on its own corner (N6).
        let is_possible = own != other && own != ball && other != ball;
        let is_allowed = !own.is_corner_of(Side::First) && !other.is_corner_of(Side::Second);
        (is_possible && is_allowed && self.number(game, &at) == number).then_some(at)
    }
}

/// A team of one.
#[inline]
fn team_of(square: Square) -> Team {
    let mut team = [Square::NONE; MAX_PIECES];
    team[0] = square;
    team
}

/// The number of a square of the field, column by column, from the viewpoint of `side`.
#[inline]
fn square_number(square: Square, side: Side) -> usize {
    square.column() * FIELD_ROWS + square.own_row(side) - 1
}

/// The square with this number, for the first side.
#[inline]
fn square_at(number: usize) -> Square {
    Square::new(number % FIELD_ROWS + 1, number / FIELD_ROWS)
}

/// The number of the square with left and right swapped.
#[inline]
fn mirrored(number: usize) -> usize {
    (COLUMNS - 1 - number / FIELD_ROWS) * FIELD_ROWS + number % FIELD_ROWS
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use palestra_core::{Game, Notation, Seed};

    #[test]
    fn numbers_and_positions_round_trip() {
        for (text, n_positions) in [("1", 1_392_669), ("1,goals=2", 4 * 1_392_669)] {
            let game = parse(text).unwrap();
            let numbers = 0..MastergoalGraph.n_numbers(&game).unwrap();
            let positions =
                numbers.filter_map(|number| Some((number, MastergoalGraph.position(&game, number)?)));
            let mut n_seen = 0;
            for (number, at) in positions {
                n_seen += 1;
                // The same position with the sides swapped, and left and right.
                let turned = |square: Square| Square::new(ROWS - 1 - square.row(), square.column());
                let flipped = |square: Square| Square::new(square.row(), COLUMNS - 1 - square.column());
                let other = Position {
                    teams: [1, 0].map(|side| team_of(flipped(turned(at.teams[side][0])))),
                    ball: flipped(turned(at.ball)),
                    to_move: Side::Second,
                    goals: [at.goals[1], at.goals[0]],
                    turns: None,
                };
                assert_eq!(MastergoalGraph.number(&game, &other), number);
            }
            assert_eq!(n_seen, n_positions, "{text}");
        }
    }

    /// Every position of a game in progress has a number, and the position of that number has as many moves.
    #[test]
    fn every_position_in_play_has_a_number() {
        let game = parse("1,goals=2,limit=300").unwrap();
        let mut rng = Seed(5).rng();
        let mut scratch = Vec::new();
        let count = |at: &Position| {
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            moves.len()
        };
        for setup in ["f4/f10/f7 1", "a13/k1/a12 2", "e5/g5/f5 1 1-1", "b1/k1/a1 2 0-1", "f1/f2/f3 1 1-0"] {
            let mut at = game.parse_setup(setup).unwrap();
            while game.ending(&at).is_none() {
                let number = MastergoalGraph.number(&game, &at);
                let same = MastergoalGraph.position(&game, number).unwrap();
                assert_eq!(count(&same), count(&at), "{}", game.setup(&at));
                let mv = game.random_move(&at, &mut rng, &mut scratch).unwrap();
                game.play(&mut at, mv);
            }
        }
    }
}
