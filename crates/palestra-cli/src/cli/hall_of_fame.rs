//! `palestra run hall`: a round robin of a hall of fame.

use super::args::CommonArgs;
use super::args_tune::HallOfFameArgs;
use super::output::{Align, Output, counted, note, table, thread_pool};
use super::progress::with_bar;
use super::tune::read_stored;
use super::{CommandStatus, interrupt, store};
use crate::games;
use anyhow::Result;
use palestra_arena::TunablePlayer;
use palestra_core::{InputError, Seed, print_weights};
use palestra_review::tuning::{TUNING, TuningOutcome, same_as_earlier};
use palestra_store::{Run, Store};
use palestra_tune::{
    Batch, CandidateSet, ExecutionContext, ExecutionError, Executor, LocalExecutor, MAX_MATCH_RESULTS,
    MatchResult, OpeningSplit, PointSystem, Schedule, StartPointSampler,
};
use serde_json::{Value, json};

/// An entry of the hall of fame, and its results.
#[derive(Default)]
struct HallOfFamePlayer {
    generation: u64,
    weights: Vec<f64>,
    /// The generation of the first entry that is the same player, with weights that differ only by a scale.
    same_as: Option<u64>,
    wins: u64,
    draws: u64,
    losses: u64,
}

pub(super) fn run(args: &HallOfFameArgs, common: &CommonArgs, output: &mut Output) -> Result<CommandStatus> {
    let store = store::open_for_reading(common)?;
    let run = store.run(&args.run)?;
    if run.kind != TUNING {
        return Err(InputError::new("run", &run.name, "a run of palestra tune").into());
    }
    let plan = read_stored(&run.plan, &run.name, common)?;
    let mut members = members_of(&store, &run, args.every as usize)?;
    mark_same_players(&mut members, &plan.tunable_player);
    if members.is_empty() {
        let expected = "a run with a hall of fame or recommendations";
        return Err(InputError::new("run", &run.name, expected).into());
    }
    let opening_plies = args.opening_plies.unwrap_or(plan.opening_plies);
    let mut sampler = StartPointSampler::new(games(), plan.boards.clone())?;
    let batch = Batch {
        template: plan.player.clone(),
        candidates: CandidateSet::Listed(members.iter().map(|member| member.weights.clone()).collect()),
        schedule: Schedule::League,
        starts: sampler.draw(OpeningSplit::Test, args.pairs, opening_plies, Seed(common.seed))?,
        points: PointSystem::ByResult { win: 1.0, draw: 0.5, loss: 0.0 },
    };
    if batch.n_matches() > MAX_MATCH_RESULTS {
        let expected = format!("at most {MAX_MATCH_RESULTS} matches; use a larger --every");
        let found = format!("{} matches", batch.n_matches());
        return Err(InputError::new("the round robin", found, expected).into());
    }
    let progress = interrupt::progress()?;
    let (pool, executor) = (thread_pool(common.threads)?, LocalExecutor::new(games(), true));
    let result = with_bar(&progress, batch.n_games(), "games", || {
        pool.install(|| executor.run(&batch, &ExecutionContext::new(&progress)))
    });
    let results = match result {
        Ok(result) => result.match_results,
        Err(ExecutionError::Stopped) => {
            note("interrupted; nothing was stored");
            return Ok(CommandStatus::Interrupted);
        }
        Err(ExecutionError::Bad(bad)) => return Err(bad.into()),
        Err(ExecutionError::Failed(failure)) => return Err(anyhow::anyhow!(failure)),
    };
    let later = count(&mut members, &results);
    // Of equals the earliest: it trained on fewer games.
    let best = (0..members.len()).rev().max_by(|&a, &b| members[a].points().total_cmp(&members[b].points()));
    let best = best.unwrap_or(0);
    if output.json {
        let each = |member: &HallOfFamePlayer| member.to_json(&plan.player);
        output.json(&json!({
            "run": run.name, "games": batch.n_games(), "opening_plies": opening_plies, "names": plan.space.names,
            "members": members.iter().map(each).collect::<Vec<_>>(), "best": each(&members[best]),
            "later_score": later, "seed": common.seed,
        }))?;
        return Ok(CommandStatus::Completed);
    }
    output.heading(&format!(
        "{}: round robin of {} of its hall of fame, {}",
        run.name,
        entries(&members),
        counted(batch.n_games(), "game")
    ))?;
    print(&members, best, output)?;
    if let Some(later) = later {
        output.line(format_args!("the later of two entries scored {:.1} %", 100.0 * later))?;
    }
    output.line(format_args!("{}/{}", plan.player, print_weights(&members[best].weights)))?;
    Ok(CommandStatus::Completed)
}

/// The number of entries, and of different players among them where that is smaller.
fn entries(members: &[HallOfFamePlayer]) -> String {
    let n_same = members.iter().filter(|member| member.same_as.is_some()).count();
    match n_same {
        0 => counted(members.len() as u64, "player"),
        _ => format!(
            "{} entries, {}",
            members.len(),
            counted((members.len() - n_same) as u64, "different player")
        ),
    }
}

/// Every `every`th entry of the hall of fame, and the last. Without a hall of fame, the weights recommended after each
/// generation.
fn members_of(store: &Store, run: &Run, every: usize) -> Result<Vec<HallOfFamePlayer>> {
    let outcome = TuningOutcome::of(run)?;
    let mut all: Vec<(u64, Vec<f64>)> = store
        .hall_of_fame(run.id)?
        .into_iter()
        .map(|entry| (entry.generation.into(), entry.weights))
        .collect();
    if all.is_empty() {
        for (generation, weights) in outcome.numbered_trail() {
            if all.iter().all(|(_, known)| known != weights) {
                all.push((generation.into(), weights.clone()));
            }
        }
    }
    let n = all.len();
    let chosen = all.into_iter().enumerate().filter(|(i, _)| i % every == 0 || i + 1 == n);
    let member =
        |(_, (generation, weights))| HallOfFamePlayer { generation, weights, ..HallOfFamePlayer::default() };
    Ok(chosen.map(member).collect())
}

/// Names entries that are the same player as an earlier one.
fn mark_same_players(members: &mut [HallOfFamePlayer], player: &TunablePlayer) {
    let earlier = same_as_earlier(player, members.iter().map(|member| member.weights.as_slice()));
    for (i, first) in earlier.into_iter().enumerate() {
        members[i].same_as = first.map(|first| members[first].generation);
    }
}

/// Adds the results to the entries; returns the score of the later entry of each match, over all matches.
fn count(members: &mut [HallOfFamePlayer], results: &[MatchResult]) -> Option<f64> {
    let n = members.len();
    let pairs = (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b)));
    let (mut points, mut n_games) = (0.0, 0.0);
    for ((a, b), result) in pairs.zip(results) {
        let [wins, draws, losses] = [result.wins, result.draws, result.losses].map(u64::from);
        members[a].add(wins, draws, losses);
        members[b].add(losses, draws, wins);
        points += losses as f64 + draws as f64 / 2.0;
        n_games += (wins + draws + losses) as f64;
    }
    (n_games > 0.0).then(|| points / n_games)
}

impl HallOfFamePlayer {
    fn add(&mut self, wins: u64, draws: u64, losses: u64) {
        self.wins += wins;
        self.draws += draws;
        self.losses += losses;
    }

    fn n_games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; `None` without games.
    fn score(&self) -> Option<f64> {
        (self.n_games() > 0).then(|| self.points() / self.n_games() as f64)
    }

    fn to_json(&self, player: &str) -> Value {
        json!({
            "generation": self.generation, "player": format!("{player}/{}", print_weights(&self.weights)),
            "weights": self.weights, "games": self.n_games(), "wins": self.wins, "draws": self.draws,
            "losses": self.losses, "results": [self.wins, self.draws, self.losses], "score": self.score(),
            "same_player_as": self.same_as,
        })
    }
}

fn print(members: &[HallOfFamePlayer], best: usize, output: &mut Output) -> Result<()> {
    let heading = ["generation", "games", "won", "drawn", "lost", "score", ""];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    // About 20 rows, the first, the last and the best entry among them.
    let step = members.len().div_ceil(20).max(1);
    for (i, member) in members.iter().enumerate() {
        if i % step == 0 || i + 1 == members.len() || i == best {
            let counts = [member.generation, member.n_games(), member.wins, member.draws, member.losses];
            let score = member.score().map_or("–".to_owned(), |score| format!("{:.1} %", 100.0 * score));
            let mark = match member.same_as {
                _ if i == best => "best".to_owned(),
                Some(generation) => format!("the player of generation {generation}, in another scale"),
                None => String::new(),
            };
            rows.push(counts.iter().map(u64::to_string).chain([score, mark]).collect());
        }
    }
    use Align::{Left, Right};
    output.line(table(&rows, &[Right, Right, Right, Right, Right, Right, Left]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_count_for_both() {
        let member = |generation| HallOfFamePlayer { generation, ..HallOfFamePlayer::default() };
        let mut members = [member(0), member(3), member(4)];
        let result = |wins, draws, losses| MatchResult { wins, draws, losses, ..MatchResult::default() };
        // 0 against 3, 0 against 4, 3 against 4.
        let later = count(&mut members, &[result(2, 0, 0), result(0, 1, 1), result(0, 0, 2)]);
        let results: Vec<[u64; 3]> = members.iter().map(|m| [m.wins, m.draws, m.losses]).collect();
        assert_eq!(results, [[2, 1, 1], [0, 0, 4], [3, 1, 0]]);
        assert_eq!((members[0].score(), later), (Some(0.625), Some(3.5 / 6.0)));
    }

    /// 4,4,4,2 is 2,2,2,1.
    #[test]
    fn entries_that_differ_by_a_scale_are_one_player() {
        let player = games().open("connect4").unwrap().tunable_player("greedy/threes").unwrap();
        let all = [vec![2.0, 2.0, 2.0, 1.0], vec![4.0, 4.0, 1.0, 2.0], vec![4.0, 4.0, 4.0, 2.0]];
        let member = |(generation, weights)| HallOfFamePlayer { generation, weights, ..Default::default() };
        let mut members: Vec<HallOfFamePlayer> = (3..).zip(all).map(member).collect();
        mark_same_players(&mut members, &player);
        assert_eq!(members.iter().map(|member| member.same_as).collect::<Vec<_>>(), [None, None, Some(3)]);
        assert_eq!(entries(&members), "3 entries, 2 different players");
    }

    #[test]
    fn a_single_entry_has_no_score() {
        let mut single = [HallOfFamePlayer::default()];
        assert_eq!((count(&mut single, &[]), single[0].score()), (None, None));
    }
}
