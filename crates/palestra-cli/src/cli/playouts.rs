//! `palestra playouts`: statistics of random games.

use super::args::{CommonArgs, PlayoutsArgs};
use super::output::{Align, Output, counted, grouped, number, table, thread_pool};
use super::progress::with_bar;
use anyhow::Result;
use palestra_arena::{AnyGame, Session};
use palestra_core::{InputError, Progress, Seed, Side};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// One random game.
struct Playout {
    /// Number of legal moves before each move.
    breadths: Vec<u64>,
    winner: Option<Side>,
    reason: &'static str,
}

pub(super) fn run(args: &PlayoutsArgs, common: &CommonArgs, output: &mut Output) -> Result<()> {
    let (setup, moves) = (args.start.setup.as_deref(), args.start.moves.as_str());
    let (game, session) = args.start.open()?;
    if session.ending().is_some() {
        return Err(InputError::new("position", moves, "a position where the game has not ended").into());
    }
    let progress = Progress::default();
    let play = |i: u64| {
        let mut breadths = Vec::new();
        let last = random_line(game.as_ref(), setup, moves, Seed(common.seed).child(i), &mut |session| {
            breadths.push(session.count_sequences(1)[0]);
        })?;
        progress.add(1);
        let ending = last.ending();
        let (winner, reason) = ending.map_or((None, ""), |ending| (ending.winner, ending.reason));
        Ok(Playout { breadths, winner, reason })
    };
    let pool = thread_pool(common.threads)?;
    let played: Result<Vec<Playout>, InputError> = with_bar(&progress, args.games, "games", || {
        pool.install(|| (0..args.games).into_par_iter().map(play).collect())
    });
    let summary = PlayoutSummary::of(game.name(), &played?, common.seed);
    if output.json { output.json(&summary) } else { summary.print(output) }
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
    let random = game.player("random")?;
    for ply in 0.. {
        if session.ending().is_some() {
            break;
        }
        visit(session.as_ref());
        let answer = session.ask(&random, seed.child(ply))?;
        session.play(&answer.mv)?;
    }
    Ok(session)
}

/// Totals of random games, and the JSON of `palestra playouts`.
#[derive(Serialize)]
struct PlayoutSummary {
    game: String,
    #[serde(rename = "games")]
    n_games: u64,
    /// Games won by the first side.
    wins: u64,
    draws: u64,
    losses: u64,
    /// Legal moves per position.
    moves: CountSummary,
    /// Plies per game.
    plies: CountSummary,
    /// Number of games by the reason of their ending.
    #[serde(rename = "end_reasons")]
    ends: BTreeMap<&'static str, u64>,
    seed: u64,
}

/// Mean, standard error and extremes of a count.
#[derive(Serialize)]
struct CountSummary {
    mean: f64,
    /// `None` of a single game.
    error: Option<f64>,
    #[serde(rename = "least")]
    min: u64,
    #[serde(rename = "most")]
    max: u64,
}

impl PlayoutSummary {
    fn of(game: String, games: &[Playout], seed: u64) -> PlayoutSummary {
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
        let [wins, losses] = wins;
        PlayoutSummary {
            game,
            n_games: games.len() as u64,
            wins,
            draws: games.len() as u64 - wins - losses,
            losses,
            moves: CountSummary::of(&by_game, games.iter().flat_map(|game| game.breadths.iter().copied())),
            plies: CountSummary::of(&lengths, games.iter().map(|game| game.breadths.len() as u64)),
            ends,
            seed,
        }
    }

    fn print(&self, output: &mut Output) -> Result<()> {
        output.heading(&format!("{}: {}", self.game, counted(self.n_games, "random game")))?;
        let mut rows = vec![["", "mean", "±", "fewest", "most"].map(str::to_owned).to_vec()];
        for (name, amount) in [("legal moves", &self.moves), ("plies per game", &self.plies)] {
            let error = amount.error.map_or("–".to_owned(), number);
            let extremes = [grouped(amount.min), grouped(amount.max)];
            rows.push([name.to_owned(), number(amount.mean), error].into_iter().chain(extremes).collect());
        }
        use Align::{Left, Right};
        output.line(table(&rows, &[Left, Right, Right, Right, Right]))?;
        let [first, second, draws] = [self.wins, self.losses, self.draws].map(grouped);
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
        let summary = PlayoutSummary::of(
            String::new(),
            &[game(&[4, 2], Some(Side::First)), game(&[4], None), game(&[4, 3, 4], None)],
            1,
        );
        assert_eq!((summary.wins, summary.losses, summary.draws), (1, 0, 2));
        // 21 moves in 6 positions; the residuals of the games are -1, 0.5 and 0.5.
        assert_eq!((summary.moves.mean, summary.moves.min, summary.moves.max), (3.5, 2, 4));
        assert!((summary.moves.error.unwrap() - (1.5_f64 * 1.5).sqrt() / 6.0).abs() < 1e-12);
        // The plain error of a mean: lengths 2, 1 and 3.
        assert_eq!(summary.plies.mean, 2.0);
        assert!((summary.plies.error.unwrap() - (1.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(PlayoutSummary::of(String::new(), &[game(&[1], None)], 1).plies.error, None);
    }
}
