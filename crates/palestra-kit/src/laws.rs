//! Laws, checked on every sample of a family.

use crate::{TestEffort, open};
use palestra_core::conformance::{
    Violation, check_evaluations, check_game, check_symmetries, check_text, check_view,
};
use palestra_core::{Family, GameVisitor, Playable, Seed, playout};

/// A group of invariants that random games check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// Moves, endings, keys and clocks.
    Rules,
    /// Moves, setups and move lists parse back to what they were printed from.
    Text,
    /// Features are within their ranges; incremental, batch and plain forms are equal.
    Evaluations,
    /// Images of a position under symmetries behave like the position.
    Symmetries,
    /// Boards, cells to click and animations of moves.
    Views,
}

impl Law {
    /// All laws.
    pub const ALL: [Law; 5] = [Law::Rules, Law::Text, Law::Evaluations, Law::Symmetries, Law::Views];
}

/// Checks all laws on every sample of a family.
pub fn check_laws<F: Family>(effort: TestEffort) -> Result<(), String> {
    Law::ALL.into_iter().try_for_each(|law| check_law::<F>(law, effort).map(|_| ()))
}

/// Checks one law on every sample of a family; returns the number of samples.
pub fn check_law<F: Family>(law: Law, effort: TestEffort) -> Result<usize, String> {
    if F::INFO.samples.is_empty() {
        return Err(format!("{} has no samples", F::INFO.name));
    }
    for sample in F::INFO.samples {
        check_board::<F>(sample, law, GameCount::Usual(effort))?;
    }
    Ok(F::INFO.samples.len())
}

/// Checks all laws on the boards of a list, with two random games each; returns the number of boards. The list has one
/// game string per line; `#` starts a comment line.
pub fn check_boards<F: Family>(list: &str) -> Result<usize, String> {
    let boards = list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut n_boards = 0;
    for board in boards {
        Law::ALL.into_iter().try_for_each(|law| check_board::<F>(board, law, GameCount::Few))?;
        n_boards += 1;
    }
    Ok(n_boards)
}

fn check_board<F: Family>(board: &str, law: Law, games: GameCount) -> Result<(), String> {
    let visitor = LawCheck { law, games, longest: F::INFO.longest_game, board };
    let checked = open::<F, _>(board, visitor).map_err(|bad| bad.to_string())?;
    checked.map_err(|violation| format!("{board}: {violation}"))
}

/// Number of random games per board.
#[derive(Clone, Copy)]
enum GameCount {
    /// By the length of a game and the number of moves; see [`n_games`].
    Usual(TestEffort),
    /// Two games.
    Few,
}

struct LawCheck<'a> {
    law: Law,
    games: GameCount,
    longest: u32,
    board: &'a str,
}

impl GameVisitor for LawCheck<'_> {
    type Out = Result<(), Violation>;

    fn visit<G: Playable>(self, game: G) -> Self::Out {
        let LawCheck { law, games, longest, board } = self;
        let violation = |law, detail| Err(Violation { law, moves: String::new(), detail });
        if game.to_string() != board {
            return violation("boards are written canonically", format!("canonical form {game}"));
        }
        let (n_games, few) = match games {
            GameCount::Usual(effort) => {
                let n_games = n_games(&game, effort);
                (n_games, n_games.div_ceil(8))
            }
            GameCount::Few => (2, 2),
        };
        let seed = Seed(2);
        let counts = match law {
            Law::Rules => check_game(&game, n_games, longest, seed),
            Law::Text => check_text(&game, few, longest, seed),
            Law::Evaluations => check_evaluations(&game, few, longest, seed),
            Law::Symmetries => check_symmetries(&game, few, longest, seed),
            Law::Views => check_view(&game, few, longest, seed),
        }?;
        // The other laws may have nothing to check, such as a game without symmetries, but every game has moves.
        if law == Law::Rules && (counts.longest == 0 || counts.n_positions <= u64::from(counts.n_games)) {
            return violation("random games have moves", format!("{counts:?}"));
        }
        Ok(())
    }
}

/// The number of random games: fewer where games are long, because their boards are large and positions cost more, and
/// fewer where there are hundreds of moves, because every child is compared with features read from the board.
fn n_games<G: Playable>(game: &G, effort: TestEffort) -> u32 {
    const N_SAMPLED: u64 = 8;
    let mut rng = Seed(1).rng();
    let mut scratch = Vec::new();
    let plies = |_| u64::from(playout(game, &mut game.start(), &mut rng, &mut scratch).1);
    let n_plies: u64 = (0..N_SAMPLED).map(plies).sum();
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let hundreds = moves.len() as u64 / 100;
    let max_plies = match effort {
        TestEffort::Usual => 700,
        TestEffort::Thorough => 40_000,
    };
    (max_plies * N_SAMPLED / n_plies.max(1) / (1 + hundreds)).clamp(1, 200) as u32
}
