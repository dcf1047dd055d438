//! Small games with known values, on which searches are tested.

mod counter;
mod roads;
mod tree;

pub use counter::{Counter, Take};
pub use roads::{Road, RoadNumbers, Roads};
pub use tree::{Branch, LeafValue, Tree};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::check_game;
    use crate::{Game, Seed, Side};

    #[test]
    fn both_conform() {
        let counts = check_game(&Counter { tokens: 12 }, 50, 12, Seed(1)).unwrap();
        assert_eq!(counts.n_games, 50);
        check_game(&Tree::parse("[[3 [-5 0]] [2 9] 4]"), 50, 3, Seed(1)).unwrap();
    }

    #[test]
    fn taking_two_moves_again() {
        let game = Counter { tokens: 6 };
        let mut at = game.start();
        game.play(&mut at, Take(2));
        assert_eq!(game.to_move(&at), Side::First);
        game.play(&mut at, Take(3));
        assert_eq!(game.to_move(&at), Side::Second);
        game.play(&mut at, Take(1));
        assert_eq!(
            game.ending(&at).map(|ending| (ending.winner, ending.margin)),
            Some((Some(Side::Second), 1))
        );
    }
}
