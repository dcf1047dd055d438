//! Level 1 with its positions numbered: two pieces and a ball, few enough to know them all.

use super::field::{COLUMNS, ROWS, Square};
use super::rules::{MAX_PIECES, Mastergoal, Position, Team};
use palestra_core::{ExactGraph, Side};

/// Rows on which pieces stand and the ball lies (N1).
const FIELD_ROWS: usize = ROWS - 2;
/// Squares of the field.
const FIELD: usize = FIELD_ROWS * COLUMNS;
/// Numbers at one score. Of a board and its mirror image the smaller number counts, and there the ball lies in the
/// left half or in the middle.
const BOARDS: usize = FIELD_ROWS * COLUMNS.div_ceil(2) * FIELD * FIELD;
/// Games to more goals have too many positions: as many times [`BOARDS`] as there are scores.
const MOST_GOALS: u8 = 2;

/// The numbers of level 1: the ball, the piece of the side to move, the rival's, each as the side to move sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MastergoalGraph;

impl ExactGraph<Mastergoal> for MastergoalGraph {
    fn n_numbers(&self, game: &Mastergoal) -> Option<usize> {
        let n_scores = usize::from(game.goals).pow(2);
        (game.goals <= MOST_GOALS).then_some(n_scores * BOARDS)
    }

    fn number(&self, game: &Mastergoal, at: &Position) -> usize {
        let [own, rival] = [at.to_move, at.to_move.other()].map(Side::index);
        let things = [at.ball, at.teams[own][0], at.teams[rival][0]].map(|square| place(square, at.to_move));
        let score = usize::from(at.goals[own] * game.goals + at.goals[rival]);
        let board = |things: [usize; 3]| things.into_iter().fold(0, |board, thing| board * FIELD + thing);
        score * BOARDS + board(things).min(board(things.map(mirrored)))
    }

    /// The first side moves.
    fn position(&self, game: &Mastergoal, number: usize) -> Option<Position> {
        let (score, board) = (number / BOARDS, number % BOARDS);
        let [ball, own, rival] =
            [board / (FIELD * FIELD), board / FIELD % FIELD, board % FIELD].map(square_at);
        let goals = [score / usize::from(game.goals), score % usize::from(game.goals)];
        let at = Position {
            teams: [own, rival].map(team_of),
            ball,
            to_move: Side::First,
            goals: goals.map(|goals| goals as u8),
            turns: None,
        };
        // One thing on a square, no piece on its own corner (N6).
        let is_possible = own != rival && own != ball && rival != ball;
        let is_allowed = !own.is_corner_of(Side::First) && !rival.is_corner_of(Side::Second);
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

/// A square of the field as a number, column by column, for the side that plays upward.
#[inline]
fn place(square: Square, side: Side) -> usize {
    square.column() * FIELD_ROWS + square.own_row(side) - 1
}

/// The square with that number, for the first side.
#[inline]
fn square_at(place: usize) -> Square {
    Square::new(place % FIELD_ROWS + 1, place / FIELD_ROWS)
}

/// The same place with left and right exchanged.
#[inline]
fn mirrored(place: usize) -> usize {
    (COLUMNS - 1 - place / FIELD_ROWS) * FIELD_ROWS + place % FIELD_ROWS
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::*;
    use palestra_core::{Game, Notation, Seed};

    #[test]
    fn numbers_and_positions_belong_together() {
        for (text, n_positions) in [("1", 1_392_669), ("1,goals=2", 4 * 1_392_669)] {
            let game = parse(text).unwrap();
            let numbers = 0..MastergoalGraph.n_numbers(&game).unwrap();
            let positions =
                numbers.filter_map(|number| Some((number, MastergoalGraph.position(&game, number)?)));
            let mut n_found = 0;
            for (number, at) in positions {
                n_found += 1;
                // The sides exchanged, and left and right.
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
            assert_eq!(n_found, n_positions, "{text}");
        }
    }

    /// Whatever is met in play or can be set up has a number, and what has it has the same moves.
    #[test]
    fn every_position_that_goes_on_has_a_number() {
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
