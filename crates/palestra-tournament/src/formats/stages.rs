//! Stages that feed each other: the best of some tournaments meet in another one.

use super::{FormatInfo, FormatSetup};
use crate::format::{Format, Placing};
use crate::pairing::Pairings;
use crate::results::TournamentResults;
use crate::standings::{Ranking, RankingCriteria, TieBreak};

/// One stage: who takes part, and how it is played.
#[derive(Debug)]
pub struct StageSetup {
    /// Its name.
    pub name: String,
    /// The format.
    pub format: &'static FormatInfo,
    /// Earlier stages whose best take part; nobody else does, where there are any.
    pub from: Vec<usize>,
    /// How many of each earlier stage.
    pub best: usize,
    /// Everything else. Where the field comes from earlier stages, it is empty here; the ladder is added to it.
    pub setup: FormatSetup,
}

/// Several stages, one after the other.
pub struct Stages {
    waiting: std::collections::VecDeque<StageSetup>,
    tie_breaks: Vec<TieBreak>,
    names: Vec<String>,
    running: Option<Box<dyn Format>>,
    over: Vec<RankedStage>,
    /// Of the stage that is running.
    now: Option<RankedStage>,
    n_games_before: u64,
}

/// What must be known of a stage to rank it.
struct RankedStage {
    stage: u32,
    field: Vec<usize>,
    points: crate::PointSystem,
    placing: Option<Vec<Placing>>,
}

impl Stages {
    /// Stages in order; what decides within a stage where points are equal.
    #[must_use]
    pub fn new(stages: Vec<StageSetup>, tie_breaks: Vec<TieBreak>) -> Stages {
        Stages {
            names: stages.iter().map(|stage| stage.name.clone()).collect(),
            waiting: stages.into(),
            tie_breaks,
            running: None,
            over: Vec::new(),
            now: None,
            n_games_before: 0,
        }
    }

    /// Who takes part in a stage: those of its own field, then the best of earlier ones, the first of each before the
    /// second of any.
    fn field(&self, stage: &StageSetup, so_far: &TournamentResults) -> Vec<usize> {
        let mut field = stage.setup.field.clone();
        let orders: Vec<Vec<usize>> = stage.from.iter().map(|&from| self.order(from, so_far)).collect();
        for place in 0..stage.best {
            for order in &orders {
                if let Some(player) = order.get(place)
                    && !field.contains(player)
                {
                    field.push(*player);
                }
            }
        }
        for &player in &stage.setup.ladder {
            if !field.contains(&player) {
                field.push(player);
            }
        }
        field
    }

    fn order(&self, stage: usize, so_far: &TournamentResults) -> Vec<usize> {
        let over = &self.over[stage];
        let criteria = RankingCriteria {
            field: &over.field,
            stage: over.stage,
            points: &over.points,
            tie_breaks: &self.tie_breaks,
            placing: over.placing.as_deref(),
            ratings: None,
        };
        let ranking = Ranking::of(so_far, &criteria);
        ranking.order.into_iter().filter(|&player| ranking.ranks[player].is_some()).collect()
    }

    /// What a stage that has begun says about its places, where it does not go by points.
    #[must_use]
    pub fn placing_of(&self, stage: usize, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        match self.over.get(stage) {
            Some(over) => over.placing.clone(),
            None if stage == self.over.len() => self.running.as_ref()?.placing(so_far),
            None => None,
        }
    }

    /// Who is ranked in a stage that has begun.
    #[must_use]
    pub fn field_of(&self, stage: usize) -> Option<&[usize]> {
        self.over.iter().chain(&self.now).nth(stage).map(|over| over.field.as_slice())
    }
}

impl Format for Stages {
    fn next(&mut self, so_far: &TournamentResults, go_on: bool) -> Pairings {
        loop {
            if let Some(running) = &mut self.running {
                let pairings = running.next(so_far, go_on);
                if !pairings.pairings.is_empty() || !pairings.byes.is_empty() {
                    return pairings;
                }
                let placing = running.placing(so_far);
                self.over.extend(self.now.take().map(|now| RankedStage { placing, ..now }));
                self.running = None;
                self.n_games_before = n_games(so_far);
            }
            let Some(mut stage) = self.waiting.pop_front() else { return Pairings::default() };
            stage.setup.field = self.field(&stage, so_far);
            let ranked = stage.setup.field.iter().copied();
            self.now = Some(RankedStage {
                stage: stage.setup.stage,
                // Those by whom others are measured do not go on.
                field: ranked.filter(|player| !stage.setup.ladder.contains(player)).collect(),
                points: stage.setup.points,
                placing: None,
            });
            self.running = Some((stage.format.open)(stage.setup));
        }
    }

    fn estimate(&self, so_far: &TournamentResults) -> u64 {
        let running = self.running.as_ref().map_or(0, |running| running.estimate(so_far));
        let later: u64 = self.waiting.iter().map(|stage| sketch(stage).estimate(so_far)).sum();
        self.n_games_before + running + later
    }

    fn describe(&self) -> String {
        let waiting = self.waiting.iter().map(|stage| sketch(stage).describe());
        let now = self.running.iter().map(|running| running.describe());
        let first = self.names.len() - self.waiting.len() - usize::from(self.running.is_some());
        let named =
            |(name, text): (&String, String)| if name.is_empty() { text } else { format!("{name}: {text}") };
        let parts: Vec<String> = self.names[first..].iter().zip(now.chain(waiting)).map(named).collect();
        parts.join("; ")
    }

    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        match &self.running {
            Some(running) => running.placing(so_far),
            None => self.over.last().and_then(|over| over.placing.clone()),
        }
    }
}

fn n_games(results: &TournamentResults) -> u64 {
    results.pair_results().iter().map(|meeting| meeting.pairing.n_games() as u64).sum()
}

/// A stage that has not begun knows how many take part, and not yet who.
fn sketch(stage: &StageSetup) -> Box<dyn Format> {
    let n = stage.setup.field.len() + stage.best * stage.from.len();
    // In a gauntlet without earlier stages the ladder is part of the field.
    let is_inside = |player: &&usize| stage.setup.field.contains(player);
    let n_inside = stage.setup.ladder.iter().filter(is_inside).count();
    let ladder = n - n_inside..n - n_inside + stage.setup.ladder.len();
    (stage.format.open)(FormatSetup {
        field: (0..n).collect(),
        ladder: ladder.collect(),
        starts: crate::StartSchedule::plain(crate::StageBoards::Listed(Vec::new()), 0, 1, stage.setup.seed),
        points: stage.setup.points,
        options: stage.setup.options,
        stage: u32::MAX,
        seed: stage.setup.seed,
    })
}
