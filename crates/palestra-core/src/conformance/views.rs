//! Laws of views: cells to click and animations.

use super::{CheckCounts, Violation, move_list, walk_random_games};
use crate::{BoardGrid, MAX_FRAMES, Notation, Seed, Terrain, View};
use std::collections::{BTreeMap, BTreeSet};

/// Checks the view: every spot is a cell of the board; a cell stands for at most one choice of a stage; the animation
/// of a move has at most [`MAX_FRAMES`] frames of the same board, and the last is the position after the move.
pub fn check_view<G: Notation + View>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
) -> Result<CheckCounts, Violation> {
    let mut moves = Vec::new();
    let mut rng = seed.child(u64::MAX).rng();
    let mut scratch = Vec::new();
    walk_random_games(game, n_games, longest_game, seed, |at, played| {
        let violation = |law, detail| Err(Violation { law, moves: move_list(played), detail });
        let grid = game.grid(at, played.last().copied());
        moves.clear();
        game.moves(at, &mut moves);
        let stages: Vec<Vec<String>> = moves.iter().map(|&mv| game.stages(mv)).collect();
        if let Some((law, detail)) = spot_violation(game, at, &grid, &stages) {
            return violation(law, detail);
        }
        // A game may have thousands of moves: one random move per position is enough.
        let Some(mv) = game.random_move(at, &mut rng, &mut scratch) else { return Ok(()) };
        let mut after = at.clone();
        game.play(&mut after, mv);
        let (frames, end) = (game.frames(at, mv), game.grid(&after, Some(mv)));
        let shape = |grid: &BoardGrid| (grid.board, grid.n_columns, grid.cells.len());
        if frames.last() != Some(&end) {
            return violation("the last frame is the board after the move", mv.to_string());
        }
        if frames.len() > MAX_FRAMES || frames.iter().any(|frame| shape(frame) != shape(&end)) {
            return violation("frames are few and of the same board", format!("{} for {mv}", frames.len()));
        }
        Ok(())
    })
}

/// The first violated law of spots in this position, with details.
fn spot_violation<G: View>(
    game: &G,
    at: &G::Position,
    grid: &BoardGrid,
    moves: &[Vec<String>],
) -> Option<(&'static str, String)> {
    // From the stages before it and the cell to the choice that a click on the cell makes.
    let mut meaning: BTreeMap<(&[String], usize), &str> = BTreeMap::new();
    let mut seen: BTreeSet<&[String]> = BTreeSet::new();
    for stages in moves {
        for n in 1..=stages.len() {
            let (so_far, before, choice) = (&stages[..n], &stages[..n - 1], stages[n - 1].as_str());
            if !seen.insert(so_far) {
                continue;
            }
            for spot in game.spots(at, so_far) {
                if grid.cells.get(spot).is_none_or(|cell| cell.terrain == Terrain::Outside) {
                    return Some(("a spot is a cell of the board", format!("{spot} for {so_far:?}")));
                }
                if let Some(other) = meaning.insert((before, spot), choice) {
                    let detail = format!("cell {spot} means {other} and {choice} after {before:?}");
                    return Some(("a click makes one choice", detail));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::{Counter, Take};
    use crate::{BoardCell, Ending, Game, InputError, Side};

    type Heap = <Counter as Game>::Position;

    /// A counter with a board of four cells and a configurable defect.
    #[derive(Clone)]
    struct Defective {
        counter: Counter,
        spots: fn(usize) -> Vec<usize>,
        n_frames: usize,
    }

    impl Game for Defective {
        type Position = Heap;
        type Move = Take;

        fn start(&self) -> Heap {
            self.counter.start()
        }

        fn to_move(&self, at: &Heap) -> Side {
            self.counter.to_move(at)
        }

        fn moves(&self, at: &Heap, out: &mut Vec<Take>) {
            self.counter.moves(at, out);
        }

        fn play(&self, at: &mut Heap, mv: Take) {
            self.counter.play(at, mv);
        }

        fn ending(&self, at: &Heap) -> Option<Ending> {
            self.counter.ending(at)
        }
    }

    impl Notation for Defective {
        fn setup(&self, _at: &Heap) -> String {
            String::new()
        }

        fn parse_setup(&self, _text: &str) -> Result<Heap, InputError> {
            Ok(self.start())
        }
    }

    impl View for Defective {
        fn grid(&self, _at: &Heap, last: Option<Take>) -> BoardGrid {
            let cell = |i| BoardCell { marked: last == Some(Take(i)), ..BoardCell::default() };
            BoardGrid { n_columns: 4, cells: (1..=4).map(cell).collect(), ..BoardGrid::default() }
        }

        fn spots(&self, _at: &Heap, stages: &[String]) -> Vec<usize> {
            (self.spots)(stages.last().and_then(|stage| stage.parse().ok()).unwrap_or(0))
        }

        fn frames(&self, at: &Heap, mv: Take) -> Vec<BoardGrid> {
            vec![self.grid(at, Some(mv)); self.n_frames]
        }
    }

    fn check(spots: fn(usize) -> Vec<usize>, n_frames: usize, expected: Option<&str>) {
        let game = Defective { counter: Counter { tokens: 9 }, spots, n_frames };
        let law = check_view(&game, 3, 20, Seed(1)).err().map(|violation| violation.law);
        assert_eq!(law, expected);
    }

    #[test]
    fn defects_are_found() {
        check(|take| vec![take], 1, None);
        check(|take| vec![take + 1], 1, Some("a spot is a cell of the board"));
        check(|take| vec![take / 2], 1, Some("a click makes one choice"));
        check(|_| Vec::new(), 0, Some("the last frame is the board after the move"));
        check(|_| Vec::new(), MAX_FRAMES + 1, Some("frames are few and of the same board"));
    }
}
