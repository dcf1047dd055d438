//! Many games between two players: pairs from the same opening with sides swapped.
//!
//! Pairs are shared among threads, and results are collected in job order. A stopped match keeps the pairs before the
//! first missing one, so the rest can be played later with the same result. Where neither player is stochastic, a
//! pair that repeats an earlier one is no evidence and is not counted as such.

use crate::build::build;
use crate::match_runner::{AnyMatch, MatchRunner};
use crate::spec::PlayerSpec;
use crate::start_point::StartPoint;
use crate::stats::Verdict;
use palestra_core::{Playable, Seed};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Players, number of games, openings and seed of a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The two players, as text. Results are the first one's.
    pub players: [String; 2],
    /// Games to play; an odd last one has no partner.
    pub n_games: u64,
    /// Random moves before the players take over, the same for both games of a pair.
    pub opening_plies: u32,
    /// Source of all randomness: openings and stochastic players.
    pub seed: Seed,
    /// Setup to start from instead of the game's own start.
    pub setup: Option<String>,
    /// Moves played from there before the opening, as a list; `-` for none.
    pub moves: String,
    /// Pairs to skip at the beginning: those of an earlier run of the same plan.
    pub skip_pairs: u64,
}

impl MatchPlan {
    /// A match from the game's start, without random openings.
    pub fn new(players: [&str; 2], n_games: u64, seed: Seed) -> MatchPlan {
        MatchPlan {
            players: players.map(str::to_owned),
            n_games,
            opening_plies: 0,
            seed,
            setup: None,
            moves: "-".to_owned(),
            skip_pairs: 0,
        }
    }
}

/// Receives progress and may stop the work.
pub trait ProgressMonitor: Sync {
    /// Reports that `n_games` more games are done.
    fn advance(&self, n_games: u64);

    /// Whether to stop before the next pair.
    fn should_stop(&self) -> bool;
}

/// No progress report, no stop.
impl ProgressMonitor for () {
    fn advance(&self, _n_games: u64) {}

    fn should_stop(&self) -> bool {
        false
    }
}

/// Result of a match, from the first player's point of view.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchRecord {
    /// Canonical game string.
    pub game: String,
    /// Canonical player strings.
    pub players: [String; 2],
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Wins, draws and losses as the first side and as the second.
    pub by_side: [[u64; 3]; 2],
    /// Pairs by result: both lost, …, both won.
    pub pairs: [u64; 5],
    /// Number of different games; players that are not stochastic repeat games from equal openings.
    pub n_distinct: u64,
    /// Plies of all games together, openings included.
    pub n_plies: u64,
    /// Whether either player is stochastic. If neither is, a repeated pair is no new evidence and the verdict counts it
    /// once; if one is, every pair is an independent sample and counts.
    pub is_stochastic: bool,
    /// Score, Elo and intervals.
    pub verdict: Verdict,
    /// Pairs finished, the skipped ones included; fewer than planned where the match was stopped.
    pub pairs_done: u64,
    /// Whether every planned game was played.
    pub complete: bool,
}

impl MatchRecord {
    /// Games played.
    pub fn n_games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points per game, a draw being half a point; one half where nothing was played.
    pub fn score(&self) -> f64 {
        match self.n_games() {
            0 => 0.5,
            n => (self.wins as f64 + self.draws as f64 / 2.0) / n as f64,
        }
    }
}

/// What the match keeps of one game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct MatchGame {
    /// 0 lost, 1 drawn, 2 won, by the first player.
    points: u8,
    plies: u32,
    /// Equal for equal move sequences from equal openings.
    fingerprint: u64,
}

/// Plays the match. Pairs are shared among rayon's threads and collected in order, so the record does not
/// depend on their number.
pub(crate) fn run<G: Playable>(
    game: &G,
    start: &G::Position,
    specs: &[PlayerSpec; 2],
    plan: &MatchPlan,
    monitor: &dyn ProgressMonitor,
) -> MatchRecord {
    let n_pairs = plan.n_games.div_ceil(2);
    let skipped = plan.skip_pairs.min(n_pairs);
    let finished: Vec<Option<Vec<MatchGame>>> = (skipped..n_pairs)
        .into_par_iter()
        .map_init(
            || MatchRunner::new(game, start, specs.clone()),
            |runner, pair| {
                if monitor.should_stop() {
                    return None;
                }
                let n_games = if pair + 1 == n_pairs && plan.n_games % 2 == 1 { 1 } else { 2 };
                let results = play_pair(runner, plan, pair, n_games);
                monitor.advance(n_games as u64);
                Some(results)
            },
        )
        .collect();
    // Where the match was stopped, the pairs up to the first missing one count: the same on any number of
    // threads, and a later run can go on from there.
    let done: Vec<Vec<MatchGame>> = finished.into_iter().map_while(|pair| pair).collect();
    let is_stochastic = specs.iter().any(|spec| build(game, spec).is_stochastic());
    let range = skipped..n_pairs;
    fold(game.to_string(), specs, &done, range, is_stochastic)
}

/// Plays both games of a pair, or the odd last one.
fn play_pair<G: Playable>(
    runner: &mut MatchRunner<G>,
    plan: &MatchPlan,
    pair: u64,
    n_games: usize,
) -> Vec<MatchGame> {
    let seed = plan.seed.child(pair).0;
    let start_point = StartPoint { game: String::new(), opening_plies: plan.opening_plies, seed };
    let mut play = |first: usize| {
        let points = runner.play(&start_point, first).points;
        MatchGame { points, plies: runner.n_plies() as u32, fingerprint: runner.fingerprint(first) }
    };
    (0..n_games).map(&mut play).collect()
}

fn fold(
    game: String,
    specs: &[PlayerSpec; 2],
    done: &[Vec<MatchGame>],
    planned: std::ops::Range<u64>,
    is_stochastic: bool,
) -> MatchRecord {
    let mut all = MatchTally::default();
    let mut evidence = MatchTally::default();
    let mut by_side = [[0; 3]; 2];
    let mut games_seen = BTreeSet::new();
    let mut pairs_seen = BTreeSet::new();
    for pair in done {
        all.add(pair);
        if pairs_seen.insert(pair) || is_stochastic {
            evidence.add(pair);
        }
        for (first, result) in pair.iter().enumerate() {
            by_side[first][2 - usize::from(result.points)] += 1;
            games_seen.insert((first, result.fingerprint));
        }
    }
    let [losses, draws, wins] = all.games;
    let [e_losses, e_draws, e_wins] = evidence.games;
    MatchRecord {
        game,
        players: [specs[0].to_string(), specs[1].to_string()],
        wins,
        draws,
        losses,
        by_side,
        pairs: all.pairs,
        n_distinct: games_seen.len() as u64,
        n_plies: done.iter().flatten().map(|result| u64::from(result.plies)).sum(),
        is_stochastic,
        verdict: Verdict::of_pairs(evidence.pairs, e_wins, e_draws, e_losses),
        pairs_done: planned.start + done.len() as u64,
        complete: planned.start + done.len() as u64 == planned.end,
    }
}

#[derive(Default)]
struct MatchTally {
    games: [u64; 3],
    pairs: [u64; 5],
}

impl MatchTally {
    fn add(&mut self, pair: &[MatchGame]) {
        pair.iter().for_each(|result| self.games[usize::from(result.points)] += 1);
        if let [a, b] = pair {
            self.pairs[usize::from(a.points + b.points)] += 1;
        }
    }
}
