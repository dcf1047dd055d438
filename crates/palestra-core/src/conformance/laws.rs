//! Laws of rules and notation.

use super::{CheckCounts, Violation, move_list, walk_random_games};
use crate::{Ending, Game, Notation, Seed};
use std::collections::BTreeMap;

/// The observable behavior of a position, one ply deep.
#[derive(PartialEq)]
struct Behavior {
    moves: Vec<String>,
    ending: Option<Ending>,
    to_move: Option<crate::Side>,
    children: Vec<u64>,
}

fn behavior<G: Game>(game: &G, at: &G::Position) -> Behavior {
    let mut moves = Vec::new();
    game.moves(at, &mut moves);
    let children = moves.iter().map(|&mv| {
        let mut after = at.clone();
        game.play(&mut after, mv);
        game.key(&after)
    });
    Behavior {
        children: children.collect(),
        ending: game.ending(at),
        to_move: game.ending(at).is_none().then(|| game.to_move(at)),
        moves: moves.iter().map(ToString::to_string).collect(),
    }
}

/// The behavior with clocks stopped: a setup does not contain them.
fn unclocked<G: Game>(game: &G, at: &G::Position) -> Behavior {
    behavior(game, &game.unclocked(at))
}

/// Checks the rules: a position has no moves exactly when the game has ended; move texts are unique; equal keys mean
/// equal behavior; random moves are legal; clocks do not change the moves; random games end within `longest_game`
/// plies.
pub fn check_game<G: Game>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
) -> Result<CheckCounts, Violation> {
    let mut seen: BTreeMap<u64, (G::Position, Behavior)> = BTreeMap::new();
    let mut rng = seed.child(u64::MAX).rng();
    let mut scratch = Vec::new();
    walk_random_games(game, n_games, longest_game, seed, |at, played| {
        let violation = |law, detail| Err(Violation { law, moves: move_list(played), detail });
        let here = behavior(game, at);
        if here.moves.is_empty() != here.ending.is_some() {
            let detail = format!("{} moves, ending {:?}", here.moves.len(), here.ending);
            return violation("no move exactly when ended", detail);
        }
        let mut names = here.moves.clone();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return violation("move texts are unique", twice[0].clone());
        }
        if let Some(mv) = game.random_move(at, &mut rng, &mut scratch)
            && !here.moves.contains(&mv.to_string())
        {
            return violation("random moves are legal", mv.to_string());
        }
        let stopped = unclocked(game, at);
        if here.ending.is_none() && (stopped.moves != here.moves || stopped.to_move != here.to_move) {
            return violation("clocks do not change the moves", format!("{:?}", stopped.moves));
        }
        match seen.get(&game.key(at)) {
            Some((other, there)) if *there != here => {
                violation("equal keys, equal behavior", format!("{at:?} and {other:?}"))
            }
            Some(_) => Ok(()),
            None => {
                seen.insert(game.key(at), (at.clone(), here));
                Ok(())
            }
        }
    })
}

/// Checks the notation: every legal move's text parses back to the move, and its stages concatenate to its text; a
/// setup string parses to a position with the same behavior and the same setup; the move list leads to the position.
pub fn check_text<G: Notation>(
    game: &G,
    n_games: u32,
    longest_game: u32,
    seed: Seed,
) -> Result<CheckCounts, Violation> {
    let mut moves = Vec::new();
    walk_random_games(game, n_games, longest_game, seed, |at, played| {
        let violation = |law, detail| Err(Violation { law, moves: move_list(played), detail });
        moves.clear();
        game.moves(at, &mut moves);
        for mv in &moves {
            let text = mv.to_string();
            if text.is_empty() || text.contains([' ', ',', '\n', '\t']) {
                return violation("a move is one token", format!("\"{text}\""));
            }
            if game.stages(*mv).concat() != text {
                return violation(
                    "stages make up the move",
                    format!("{:?} for \"{text}\"", game.stages(*mv)),
                );
            }
            match game.parse_move(at, &text) {
                Ok(back) if back == *mv => {}
                other => return violation("a move's text parses back", format!("\"{text}\" gave {other:?}")),
            }
        }
        let setup = game.setup(at);
        match game.parse_setup(&setup) {
            Ok(back) if game.setup(&back) == setup && unclocked(game, &back) == unclocked(game, at) => {}
            other => return violation("a setup reads back", format!("\"{setup}\" gave {other:?}")),
        }
        let list = if played.is_empty() { "-".to_owned() } else { move_list(played) };
        match game.play_list(&game.start(), &list) {
            Ok((back, again)) if back == *at && again == played => Ok(()),
            other => violation("a move list leads back", format!("{other:?}")),
        }
    })
}
