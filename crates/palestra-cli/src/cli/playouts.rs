//! `palestra playouts`: statistics of random games.

use super::args::{CommonArgs, PlayoutsArgs};
use super::output::{Align, Output, bar, counted, grouped, number, table, thread_pool};
use crate::games;
use anyhow::Result;
use palestra_arena::{AnyGame, Session};
use palestra_core::{InputError, Seed, Side};
use rayon::prelude::*;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One random game.
struct Playout {
    /// Number of legal moves before each move.
    breadths: Vec<u64>,
    winner: Option<Side>,
    reason: &'static str,
}

pub(super) fn run(args: &PlayoutsArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let game = games().open(&args.game)?;
    let (setup, moves) = (args.position.setup.as_deref(), args.moves.as_str());
    if game.session(setup, moves)?.ending().is_some() {
        return Err(InputError::new("position", moves, "a position where the game has not ended").into());
    }
    let bar = bar(args.games, "games");
    let play = |i: u64| {
        let mut breadths = Vec::new();
        let last = random_line(game.as_ref(), setup, moves, Seed(common.seed).child(i), &mut |session| {
            breadths.push(session.count_sequences(1)[0]);
        })?;
        bar.inc(1);
        let ending = last.ending();
        let (winner, reason) = ending.map_or((None, ""), |ending| (ending.winner, ending.reason));
        Ok(Playout { breadths, winner, reason })
    };
    let played: Result<Vec<Playout>, InputError> =
        thread_pool(common)?.install(|| (0..args.games).into_par_iter().map(play).collect());
    bar.finish_and_clear();
    let summary = PlayoutSummary::of(&played?);
    if output.json {
        return output.json(&summary.to_json(&game.name(), common.seed));
    }
    summary.print(&game.name(), output)
}

/// Plays random moves to the end of a game; `visit` gets every position but the last.
pub(super) fn random_line(
    game: &dyn AnyGame,
    setup: Option<&str>,
    moves: &str,
    seed: Seed,
    visit: &mut dyn FnMut(&dyn Session),
) -> Result<Box<dyn Session>, InputError> {
    let mut session = game.session(setup, moves)?;
    for ply in 0.. {
        if session.ending().is_some() {
            break;
        }
        visit(session.as_ref());
        let answer = session.ask("random", seed.child(ply))?;
        session.play(&answer.mv)?;
    }
    Ok(session)
}

/// Totals of random games.
struct PlayoutSummary {
    n_games: u64,
    wins: [u64; 2],
    /// Legal moves per position.
    moves: CountSummary,
    /// Plies per game.
    plies: CountSummary,
    /// Number of games by the reason of their ending.
    ends: BTreeMap<&'static str, u64>,
}

/// Mean, standard error and extremes of a count.
struct CountSummary {
    mean: f64,
    /// `None` of a single game.
    error: Option<f64>,
    min: u64,
    max: u64,
}

impl PlayoutSummary {
    fn of(games: &[Playout]) -> PlayoutSummary {
        let mut ends = BTreeMap::new();
        let mut wins = [0; 2];
        for game in games {
            *ends.entry(game.reason).or_default() += 1;
            if let Some(side) = game.winner {
                wins[side.index()] += 1;
            }
        }
        let by_game: Vec<(f64, f64)> = games
            .iter()
            .map(|game| (game.breadths.iter().sum::<u64>() as f64, game.breadths.len() as f64))
            .collect();
        let lengths: Vec<(f64, f64)> = by_game.iter().map(|&(_, plies)| (plies, 1.0)).collect();
        PlayoutSummary {
            n_games: games.len() as u64,
            wins,
            moves: CountSummary::of(&by_game, games.iter().flat_map(|game| game.breadths.iter().copied())),
            plies: CountSummary::of(&lengths, games.iter().map(|game| game.breadths.len() as u64)),
            ends,
        }
    }

    fn draws(&self) -> u64 {
        self.n_games - self.wins[0] - self.wins[1]
    }

    fn to_json(&self, game: &str, seed: u64) -> Value {
        let amount = |amount: &CountSummary| json!({ "mean": amount.mean, "error": amount.error, "least": amount.min, "most": amount.max });
        let ends = Map::from_iter(self.ends.iter().map(|(&reason, &n)| (reason.to_owned(), json!(n))));
        let [wins, losses] = self.wins;
        json!({
            "game": game, "games": self.n_games, "wins": wins, "draws": self.draws(), "losses": losses,
            "moves": amount(&self.moves), "plies": amount(&self.plies), "end_reasons": ends, "seed": seed,
        })
    }

    fn print(&self, game: &str, output: &mut Output) -> Result<()> {
        output.heading(&format!("{game}: {}", counted(self.n_games, "random game")))?;
        let mut rows = vec![["", "mean", "±", "fewest", "most"].map(str::to_owned).to_vec()];
        for (name, amount) in [("legal moves", &self.moves), ("plies per game", &self.plies)] {
            let error = amount.error.map_or("–".to_owned(), number);
            let extremes = [grouped(amount.min), grouped(amount.max)];
            rows.push([name.to_owned(), number(amount.mean), error].into_iter().chain(extremes).collect());
        }
        use Align::{Left, Right};
        output.line(table(&rows, &[Left, Right, Right, Right, Right]))?;
        let [first, second] = self.wins.map(grouped);
        let draws = grouped(self.draws());
        output.line(format_args!("first side won {first}, second side won {second}, drawn {draws}"))?;
        let ends: Vec<String> = self.ends.iter().map(|(end, n)| format!("{end} {}", grouped(*n))).collect();
        output.line(format_args!("endings: {}", ends.join(", ")))
    }
}

impl CountSummary {
    /// The sum of the first numbers over the sum of the second. Games are the independent units, so that the error is
    /// that of a ratio, by linearization.
    fn of(by_game: &[(f64, f64)], all: impl Iterator<Item = u64> + Clone) -> CountSummary {
        let sum = |of: fn(&(f64, f64)) -> f64| by_game.iter().map(of).sum::<f64>();
        let (above, below) = (sum(|pair| pair.0), sum(|pair| pair.1));
        let mean = above / below;
        let n = by_game.len() as f64;
        let squares: f64 = by_game.iter().map(|(above, below)| (above - mean * below).powi(2)).sum();
        CountSummary {
            mean,
            error: (by_game.len() > 1).then(|| (squares * n / (n - 1.0)).sqrt() / below),
            min: all.clone().min().unwrap_or(0),
            max: all.max().unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_the_independent_units() {
        let game = |breadths: &[u64], winner| Playout { breadths: breadths.to_vec(), winner, reason: "line" };
        let summary =
            PlayoutSummary::of(&[game(&[4, 2], Some(Side::First)), game(&[4], None), game(&[4, 3, 4], None)]);
        assert_eq!((summary.wins, summary.draws()), ([1, 0], 2));
        // 21 moves in 6 positions; the residuals of the games are -1, 0.5 and 0.5.
        assert_eq!((summary.moves.mean, summary.moves.min, summary.moves.max), (3.5, 2, 4));
        assert!((summary.moves.error.unwrap() - (1.5_f64 * 1.5).sqrt() / 6.0).abs() < 1e-12);
        // The plain error of a mean: lengths 2, 1 and 3.
        assert_eq!(summary.plies.mean, 2.0);
        assert!((summary.plies.error.unwrap() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(PlayoutSummary::of(&[game(&[1], None)]).plies.error, None);
    }
}
