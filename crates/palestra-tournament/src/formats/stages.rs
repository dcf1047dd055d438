//! Stages: the best of earlier stages take part in a later one.

use super::{FormatInfo, FormatSetup};
use crate::format::{Format, Placing};
use crate::pairing::Pairings;
use crate::results::TournamentResults;
use crate::standings::{Ranking, RankingCriteria, TieBreak};

/// One stage: its entrants and its format.
#[derive(Debug)]
pub struct StageSetup {
    /// Its name; empty for the only stage of an event.
    pub name: String,
    /// The format.
    pub format: &'static FormatInfo,
    /// Indices of earlier stages whose best entrants take part.
    pub from: Vec<usize>,
    /// Number of entrants taken from each earlier stage.
    pub best: usize,
    /// The input of the format. Its field holds only the own entrants of the stage; the best of earlier stages and the
    /// ladder are added when the stage begins.
    pub setup: FormatSetup,
}

/// A format that runs several stages one after the other.
pub struct Stages {
    waiting: std::collections::VecDeque<StageSetup>,
    tie_breaks: Vec<TieBreak>,
    names: Vec<String>,
    running: Option<Box<dyn Format>>,
    finished: Vec<RankedStage>,
    /// The stage that is running.
    current: Option<RankedStage>,
    /// Number of games of all finished stages.
    n_games_before: u64,
}

/// The data needed to rank a stage.
struct RankedStage {
    stage: u32,
    field: Vec<usize>,
    points: crate::PointSystem,
    placing: Option<Vec<Placing>>,
}

impl Stages {
    /// Stages in order; `tie_breaks` rank entrants with equal points within a stage.
    #[must_use]
    pub fn new(stages: Vec<StageSetup>, tie_breaks: Vec<TieBreak>) -> Stages {
        Stages {
            names: stages.iter().map(|stage| stage.name.clone()).collect(),
            waiting: stages.into(),
            tie_breaks,
            running: None,
            finished: Vec::new(),
            current: None,
            n_games_before: 0,
        }
    }

    /// The field of a stage: its own entrants, then the best of earlier stages (the first of each before the second of
    /// any), then the ladder.
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

    /// The ranked entrants of a finished stage, the best first.
    fn order(&self, stage: usize, so_far: &TournamentResults) -> Vec<usize> {
        let finished = &self.finished[stage];
        let criteria = RankingCriteria {
            field: &finished.field,
            stage: finished.stage,
            points: &finished.points,
            tie_breaks: &self.tie_breaks,
            placing: finished.placing.as_deref(),
            ratings: None,
        };
        let ranking = Ranking::of(so_far, &criteria);
        ranking.order.into_iter().filter(|&player| ranking.ranks[player].is_some()).collect()
    }

    /// The places of a stage that has begun, if its format does not rank by points.
    #[must_use]
    pub fn placing_of(&self, stage: usize, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        match self.finished.get(stage) {
            Some(finished) => finished.placing.clone(),
            None if stage == self.finished.len() => self.running.as_ref()?.placing(so_far),
            None => None,
        }
    }

    /// The entrants that are ranked in a stage that has begun.
    #[must_use]
    pub fn field_of(&self, stage: usize) -> Option<&[usize]> {
        self.finished.iter().chain(&self.current).nth(stage).map(|ranked| ranked.field.as_slice())
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
                self.finished.extend(self.current.take().map(|current| RankedStage { placing, ..current }));
                self.running = None;
                self.n_games_before = n_games(so_far);
            }
            let Some(mut stage) = self.waiting.pop_front() else { return Pairings::default() };
            stage.setup.field = self.field(&stage, so_far);
            let ranked = stage.setup.field.iter().copied();
            self.current = Some(RankedStage {
                stage: stage.setup.stage,
                // The ladder is not ranked and does not advance.
                field: ranked.filter(|player| !stage.setup.ladder.contains(player)).collect(),
                points: stage.setup.points,
                placing: None,
            });
            self.running = Some((stage.format.open)(stage.setup));
        }
    }

    fn estimate(&self, so_far: &TournamentResults) -> u64 {
        let running = self.running.as_ref().map_or(0, |running| running.estimate(so_far));
        let later: u64 = self.waiting.iter().map(|stage| placeholder(stage).estimate(so_far)).sum();
        self.n_games_before + running + later
    }

    fn describe(&self) -> String {
        let waiting = self.waiting.iter().map(|stage| placeholder(stage).describe());
        let running = self.running.iter().map(|running| running.describe());
        let first = self.names.len() - self.waiting.len() - usize::from(self.running.is_some());
        let named =
            |(name, text): (&String, String)| if name.is_empty() { text } else { format!("{name}: {text}") };
        let parts: Vec<String> = self.names[first..].iter().zip(running.chain(waiting)).map(named).collect();
        parts.join("; ")
    }

    fn placing(&self, so_far: &TournamentResults) -> Option<Vec<Placing>> {
        match &self.running {
            Some(running) => running.placing(so_far),
            None => self.finished.last().and_then(|finished| finished.placing.clone()),
        }
    }
}

fn n_games(results: &TournamentResults) -> u64 {
    results.pair_results().iter().map(|pair| pair.pairing.n_games() as u64).sum()
}

/// The format of a stage that has not begun, with placeholder entrants: their number is known, not who they are.
fn placeholder(stage: &StageSetup) -> Box<dyn Format> {
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
        values: stage.setup.values.clone(),
        stage: u32::MAX,
        seed: stage.setup.seed,
    })
}
