//! Every sample obeys every law.

use crate::{Effort, open};
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
pub fn check_laws<F: Family>(effort: Effort) -> Result<(), String> {
    Law::ALL.into_iter().try_for_each(|law| check_law::<F>(law, effort).map(|_| ()))
}

/// Holds every sample of a family to one law; says how many samples there are.
pub fn check_law<F: Family>(law: Law, effort: Effort) -> Result<usize, String> {
    if F::INFO.samples.is_empty() {
        return Err(format!("{} has no samples", F::INFO.name));
    }
    for sample in F::INFO.samples {
        let visitor = Check { law, effort, longest: F::INFO.longest_game, sample };
        let checked = open::<F, _>(sample, visitor).map_err(|bad| bad.to_string())?;
        checked.map_err(|broken| format!("{sample}: {broken}"))?;
    }
    Ok(F::INFO.samples.len())
}

struct Check<'a> {
    law: Law,
    effort: Effort,
    longest: u32,
    sample: &'a str,
}

impl GameVisitor for Check<'_> {
    type Out = Result<(), Violation>;

    fn visit<G: Playable>(self, game: G) -> Self::Out {
        let Check { law, effort, longest, sample } = self;
        let broken = |law, detail| Err(Violation { law, moves: String::new(), detail });
        if game.to_string() != sample {
            return broken("a sample is written canonically", format!("it is {game}"));
        }
        let n_games = n_games(&game, effort);
        let few = n_games.div_ceil(8);
        let seed = Seed(2);
        match law {
            Law::Rules => {
                let tally = check_game(&game, n_games, longest, seed)?;
                if tally.longest == 0 || tally.n_positions <= u64::from(tally.n_games) {
                    return broken("random games have moves", format!("{tally:?}"));
                }
            }
            Law::Text => check_text(&game, few, longest, seed)?,
            Law::Evaluations => check_evaluations(&game, few, longest, seed)?,
            Law::Symmetries => check_symmetries(&game, few, longest, seed)?,
            Law::Views => check_view(&game, few, longest, seed)?,
        }
        Ok(())
    }
}

/// Long games are on big boards, where a position costs more: fewer of them are played. Every child is compared with
/// a board read afresh: where there are hundreds of moves, fewer still.
fn n_games<G: Playable>(game: &G, effort: Effort) -> u32 {
    const TRIED: u64 = 8;
    let mut rng = Seed(1).rng();
    let mut scratch = Vec::new();
    let plies = |_| u64::from(playout(game, &mut game.start(), &mut rng, &mut scratch).1);
    let n_plies: u64 = (0..TRIED).map(plies).sum();
    let mut moves = Vec::new();
    game.moves(&game.start(), &mut moves);
    let hundreds = moves.len() as u64 / 100;
    let room = match effort {
        Effort::Usual => 700,
        Effort::Thorough => 40_000,
    };
    (room * TRIED / n_plies.max(1) / (1 + hundreds)).clamp(1, 200) as u32
}
