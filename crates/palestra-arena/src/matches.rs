//! Many games between two players: pairs from the same opening with sides swapped.
//!
//! Pairs are shared among threads, and results are collected in job order. A stopped match keeps the pairs before the
//! first missing one, so the rest can be played later with the same result. Where neither player is stochastic, a
//! pair that repeats an earlier one is no evidence and is not counted as such.
//!
//! Results are counted as they come, so that the memory of a match does not grow with its games.

use crate::any::AnyGame;
use crate::build::build;
use crate::distinct::DistinctSample;
use crate::match_runner::MatchRunner;
use crate::runner::{play_until_it_counts, run_jobs};
use crate::seat::{MatchPlayer, VoidGame};
use crate::start_point::{FixedStart, GameResult};
use crate::stats::Verdict;
use palestra_core::{InputError, Playable, Progress, Seed};
use serde::Serialize;
use std::ops::ControlFlow;

/// Players, number of games, openings and seed of a match.
#[derive(Clone, Debug)]
pub struct MatchPlan {
    /// The two players. Results are the first one's.
    pub players: [MatchPlayer; 2],
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
    /// A match of built-in players from the game's start, without random openings.
    pub fn builtin(
        game: &dyn AnyGame,
        [a, b]: [&str; 2],
        n_games: u64,
        seed: Seed,
    ) -> Result<MatchPlan, InputError> {
        Ok(MatchPlan {
            players: [game.player(a)?.into(), game.player(b)?.into()],
            n_games,
            opening_plies: 0,
            seed,
            setup: None,
            moves: "-".to_owned(),
            skip_pairs: 0,
        })
    }
}

/// Why a match has no result.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum MatchError {
    /// A text of the plan is invalid.
    #[error(transparent)]
    Bad(#[from] InputError),
    /// A game with an external program was void again and again.
    #[error("a game cannot be played: {0}")]
    Void(#[from] VoidGame),
}

/// Result of a match, from the first player's point of view. Its JSON is that of `palestra match --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchRecord {
    /// Canonical game string.
    pub game: String,
    /// Canonical string of the first player.
    pub player: String,
    /// Canonical string of the second player.
    pub opponent: String,
    /// Games played.
    #[serde(rename = "games")]
    pub n_games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Wins, draws and losses.
    pub results: [u64; 3],
    /// Wins, draws and losses as the first side.
    pub as_first: [u64; 3],
    /// Wins, draws and losses as the second side.
    pub as_second: [u64; 3],
    /// Pairs by result: both lost, …, both won.
    pub pairs: [u64; 5],
    /// Number of different games; players that are not stochastic repeat games from equal openings.
    #[serde(rename = "distinct")]
    pub n_distinct: u64,
    /// Whether there were too many different games to count them exactly.
    #[serde(skip)]
    pub distinct_is_estimate: bool,
    /// Plies of all games together, openings included.
    #[serde(skip)]
    pub n_plies: u64,
    /// Whether either player is stochastic. If neither is, a repeated pair is no new evidence and the verdict counts it
    /// once; if one is, every pair is an independent sample and counts.
    #[serde(rename = "stochastic")]
    pub is_stochastic: bool,
    /// Points per game, a draw being half a point; one half where nothing was played.
    pub score: f64,
    /// Elo and intervals.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The verdict as a sentence.
    #[serde(rename = "verdict")]
    pub sentence: String,
    /// Seed of the match.
    pub seed: u64,
    /// Pairs finished, the skipped ones included; fewer than planned where the match was stopped.
    #[serde(skip)]
    pub pairs_done: u64,
    /// Whether every planned game was played.
    pub complete: bool,
    /// What a match with external programs has in addition.
    #[serde(flatten)]
    pub programs: Option<ProgramGames>,
}

/// The games of external programs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProgramGames {
    /// Always false: the result depends on the machine.
    pub repeatable: bool,
    /// The games that a program lost by a failure, in their order.
    pub forfeits: Vec<MatchForfeit>,
}

/// A game of a match that a program lost by a failure.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct MatchForfeit {
    /// Number of its pair, counted from 0.
    pub pair: u64,
    /// The program, as text.
    pub player: String,
    /// The side that it had.
    pub side: String,
    /// Kind of failure: `crash`, `illegal move`.
    pub kind: String,
    /// Details for a reader: `exit code 3`.
    pub detail: String,
}

/// What the match keeps of one game.
#[derive(Clone, Copy, Debug)]
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
    start: &FixedStart<G>,
    plan: &MatchPlan,
    progress: &Progress,
) -> Result<MatchRecord, VoidGame> {
    let n_pairs = plan.n_games.div_ceil(2);
    let skipped = plan.skip_pairs.min(n_pairs);
    // Whether an external program is stochastic is unknown: a repeated game counts as a duplicate.
    let is_stochastic = plan.players.iter().any(|player| match player {
        MatchPlayer::Builtin(spec) => build(game, spec).is_stochastic(),
        MatchPlayer::External(_) => false,
    });
    let mut tally = MatchTally::new(is_stochastic);
    let mut next = skipped;
    while next < n_pairs {
        let n_jobs = (n_pairs - next).min(MAX_BLOCK);
        let finished = run_jobs(
            n_jobs as usize,
            |_| MatchRunner::new(game, start.clone(), plan.players.clone()),
            |runner, job| {
                if progress.is_stopped() {
                    return Ok(None);
                }
                let pair = next + job as u64;
                let n_games = if pair + 1 == n_pairs && plan.n_games % 2 == 1 { 1 } else { 2 };
                let results = play_pair(runner, plan, pair, n_games, progress)?;
                progress.add(n_games as u64);
                Ok(results)
            },
        )?;
        // Where the match was stopped, the pairs up to the first missing one count: the same on any number of
        // threads, and a later run can go on from there.
        let before = tally.n_pairs;
        finished.into_iter().map_while(|pair| pair).for_each(|pair| tally.add(pair));
        if tally.n_pairs < before + n_jobs {
            break;
        }
        next += n_jobs;
    }
    let has_programs = plan.players.iter().any(|player| matches!(player, MatchPlayer::External(_)));
    Ok(tally.record(game.to_string(), plan, skipped..n_pairs, has_programs))
}

/// Maximum number of pairs whose results are in memory at a time. Threads wait for each other at the end of a block, so
/// a short block would leave cores idle.
const MAX_BLOCK: u64 = 1 << 16;

/// The games of a pair, and those that were forfeited.
type PlayedPair = (Vec<MatchGame>, Vec<MatchForfeit>);

/// Plays both games of a pair, or the odd last one; `None` if the match was stopped.
fn play_pair<G: Playable>(
    runner: &mut MatchRunner<G>,
    plan: &MatchPlan,
    pair: u64,
    n_games: usize,
    progress: &Progress,
) -> Result<Option<PlayedPair>, VoidGame> {
    let start = (plan.opening_plies, plan.seed.child(pair));
    let voided =
        |_: &VoidGame| if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    let (mut games, mut forfeits) = (Vec::with_capacity(n_games), Vec::new());
    for first in 0..n_games {
        let played = play_until_it_counts(|| runner.play_seen(start, first, |_, _| ()), voided)?;
        // A search that was canceled has not chosen its move: the game does not count.
        let Some(GameResult { points, .. }) = played.filter(|_| !progress.is_stopped()) else {
            return Ok(None);
        };
        let (plies, fingerprint) = (runner.n_plies() as u32, runner.fingerprint(first));
        games.push(MatchGame { points, plies, fingerprint });
        forfeits.extend(runner.forfeit().map(|(side, fault)| MatchForfeit {
            pair,
            player: plan.players[first ^ side.index()].to_string(),
            side: side.to_string(),
            kind: fault.kind.name().to_owned(),
            detail: fault.detail.clone(),
        }));
    }
    Ok(Some((games, forfeits)))
}

/// The results of a match so far.
struct MatchTally {
    is_stochastic: bool,
    all: ResultCounts,
    /// Without pairs that repeat earlier ones. If there are too many different pairs to know them all, only those of a
    /// sample of them.
    evidence: ResultCounts,
    by_side: [[u64; 3]; 2],
    games_seen: DistinctSample,
    pairs_seen: DistinctSample,
    n_plies: u64,
    n_pairs: u64,
    forfeits: Vec<MatchForfeit>,
}

impl MatchTally {
    fn new(is_stochastic: bool) -> MatchTally {
        MatchTally {
            is_stochastic,
            all: ResultCounts::default(),
            evidence: ResultCounts::default(),
            by_side: [[0; 3]; 2],
            games_seen: DistinctSample::default(),
            pairs_seen: DistinctSample::default(),
            n_plies: 0,
            n_pairs: 0,
            forfeits: Vec::new(),
        }
    }

    /// Adds the next pair.
    fn add(&mut self, (pair, forfeits): PlayedPair) {
        self.all.add(&pair);
        if self.is_stochastic || self.pairs_seen.insert(hash_of(&pair)) {
            self.evidence.add(&pair);
        }
        for (first, result) in pair.iter().enumerate() {
            self.by_side[first][2 - usize::from(result.points)] += 1;
            self.games_seen.insert(Seed(result.fingerprint).child(first as u64));
            self.n_plies += u64::from(result.plies);
        }
        self.n_pairs += 1;
        self.forfeits.extend(forfeits);
    }

    fn record(
        self,
        game: String,
        plan: &MatchPlan,
        planned: std::ops::Range<u64>,
        has_programs: bool,
    ) -> MatchRecord {
        let [losses, draws, wins] = self.all.games;
        let [e_losses, e_draws, e_wins] = self.evidence.games;
        let n_games = wins + draws + losses;
        let points = wins as f64 + draws as f64 / 2.0;
        let [player, opponent] = plan.players.each_ref().map(MatchPlayer::to_string);
        let verdict = Verdict::of_pairs(self.evidence.pairs, e_wins, e_draws, e_losses);
        let pairs_done = planned.start + self.n_pairs;
        MatchRecord {
            game,
            sentence: verdict.sentence(&player, &opponent),
            player,
            opponent,
            n_games,
            wins,
            draws,
            losses,
            results: [wins, draws, losses],
            as_first: self.by_side[0],
            as_second: self.by_side[1],
            pairs: self.all.pairs,
            n_distinct: self.games_seen.count().min(n_games),
            distinct_is_estimate: self.games_seen.is_estimate(),
            n_plies: self.n_plies,
            is_stochastic: self.is_stochastic,
            score: if n_games == 0 { 0.5 } else { points / n_games as f64 },
            verdict,
            seed: plan.seed.0,
            pairs_done,
            complete: pairs_done == planned.end,
            programs: has_programs.then_some(ProgramGames { repeatable: false, forfeits: self.forfeits }),
        }
    }
}

/// The hash of a pair: equal for equal pairs.
fn hash_of(pair: &[MatchGame]) -> Seed {
    pair.iter().fold(Seed(0), |hash, game| {
        hash.child(game.fingerprint).child(u64::from(game.plies) << 2 | u64::from(game.points))
    })
}

/// Numbers of games and pairs by result.
#[derive(Default)]
struct ResultCounts {
    games: [u64; 3],
    pairs: [u64; 5],
}

impl ResultCounts {
    fn add(&mut self, pair: &[MatchGame]) {
        pair.iter().for_each(|result| self.games[usize::from(result.points)] += 1);
        if let [a, b] = pair {
            self.pairs[usize::from(a.points + b.points)] += 1;
        }
    }
}
