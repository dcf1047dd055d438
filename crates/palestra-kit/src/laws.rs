//! Every sample obeys every law.

use crate::{TestEffort, open};
use palestra_core::conformance::{
    Violation, check_evaluations, check_game, check_symmetries, check_text, check_view,
};
use palestra_core::{Family, GameVisitor, Playable, Seed, playout};

/// What a game is held to on random games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Law {
    /// Moves, endings, keys, clocks.
    Rules,
    /// Moves, setups and lists of moves that read back.
    Text,
    /// Features within their ranges; memos, batches and plain forms alike.
    Evaluations,
    /// Images of positions that behave alike.
    Symmetries,
    /// Pictures, places to click, steps of a move.
    Views,
}

impl Law {
    /// All of them.
    pub const ALL: [Law; 5] = [Law::Rules, Law::Text, Law::Evaluations, Law::Symmetries, Law::Views];
}

/// Holds every sample of a family to all laws.
pub fn check_laws<F: Family>(effort: TestEffort) -> Result<(), String> {
    Law::ALL.into_iter().try_for_each(|law| check_law::<F>(law, effort).map(|_| ()))
}

/// Holds every sample of a family to one law; says how many samples there are.
pub fn check_law<F: Family>(law: Law, effort: TestEffort) -> Result<usize, String> {
    if F::INFO.samples.is_empty() {
        return Err(format!("{} has no samples", F::INFO.name));
    }
    for sample in F::INFO.samples {
        check_board::<F>(sample, law, GameCount::Usual(effort))?;
    }
    Ok(F::INFO.samples.len())
}

/// Holds the boards of a list, one a line, to all laws, on a game or two each; says how many there are. `#` starts a
/// comment line.
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
    checked.map_err(|broken| format!("{board}: {broken}"))
}

/// How many random games are played.
#[derive(Clone, Copy)]
enum GameCount {
    /// As many as a sample deserves.
    Usual(TestEffort),
    /// Two.
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
        let broken = |law, detail| Err(Violation { law, moves: String::new(), detail });
        if game.to_string() != board {
            return broken("boards are written canonically", format!("it is {game}"));
        }
        let (n_games, few) = match games {
            GameCount::Usual(effort) => {
                let n_games = n_games(&game, effort);
                (n_games, n_games.div_ceil(8))
            }
            GameCount::Few => (2, 2),
        };
        let seed = Seed(2);
        let tally = match law {
            Law::Rules => check_game(&game, n_games, longest, seed),
            Law::Text => check_text(&game, few, longest, seed),
            Law::Evaluations => check_evaluations(&game, few, longest, seed),
            Law::Symmetries => check_symmetries(&game, few, longest, seed),
            Law::Views => check_view(&game, few, longest, seed),
        }?;
        // Not every game has symmetries, but every one has moves.
        if law == Law::Rules && (tally.longest == 0 || tally.n_positions <= u64::from(tally.n_games)) {
            return broken("random games have moves", format!("{tally:?}"));
        }
        Ok(())
    }
}

/// Long games are on big boards, where a position costs more: fewer of them are played. Every child is compared with
/// a board read afresh: where there are hundreds of moves, fewer still.
fn n_games<G: Playable>(game: &G, effort: TestEffort) -> u32 {
    const TRIED: u64 = 8;
    let mut rng = Seed(1).rng();
    let mut scratch = Vec::new();
    let plies = |_| u64::from(playout(game, &mut game.start(), &mut rng, &mut scratch).1);
    let n_plies: u64 = (0..TRIED).map(plies).sum();
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let hundreds = moves.len() as u64 / 100;
    let room = match effort {
        TestEffort::Usual => 700,
        TestEffort::Thorough => 40_000,
    };
    (room * TRIED / n_plies.max(1) / (1 + hundreds)).clamp(1, 200) as u32
}
