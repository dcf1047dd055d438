//! Stages that feed each other: the best of some tournaments meet in another one.

use super::{FormatInfo, Setup};
use crate::encounter::Pairings;
use crate::format::{Format, Placing};
use crate::results::Results;
use crate::standings::{Criteria, Ranking, TieBreak};

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
    pub setup: Setup,
}

/// Several stages, one after the other.
pub struct Stages {
    waiting: std::collections::VecDeque<StageSetup>,
    tie_breaks: Vec<TieBreak>,
    names: Vec<String>,
    running: Option<Box<dyn Format>>,
    over: Vec<Over>,
    /// Of the stage that is running.
    now: Option<Over>,
    n_games_before: u64,
}

/// What must be known of a stage to rank it.
struct Over {
    stage: u32,
    field: Vec<usize>,
    points: crate::Points,
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
    fn field(&self, stage: &StageSetup, so_far: &Results) -> Vec<usize> {
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

    fn order(&self, stage: usize, so_far: &Results) -> Vec<usize> {
        let over = &self.over[stage];
        let criteria = Criteria {
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
    pub fn placing_of(&self, stage: usize, so_far: &Results) -> Option<Vec<Placing>> {
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
    fn next(&mut self, so_far: &Results, go_on: bool) -> Pairings {
        loop {
            if let Some(running) = &mut self.running {
                let pairings = running.next(so_far, go_on);
                if !pairings.encounters.is_empty() || !pairings.byes.is_empty() {
                    return pairings;
                }
                let placing = running.placing(so_far);
                self.over.extend(self.now.take().map(|now| Over { placing, ..now }));
                self.running = None;
                self.n_games_before = n_games(so_far);
            }
            let Some(mut stage) = self.waiting.pop_front() else { return Pairings::default() };
            stage.setup.field = self.field(&stage, so_far);
            let ranked = stage.setup.field.iter().copied();
            self.now = Some(Over {
                stage: stage.setup.stage,
                // Those by whom others are measured do not go on.
                field: ranked.filter(|player| !stage.setup.ladder.contains(player)).collect(),
                points: stage.setup.points,
                placing: None,
            });
            self.running = Some((stage.format.open)(stage.setup));
        }
    }

    fn estimate(&self, so_far: &Results) -> u64 {
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

    fn placing(&self, so_far: &Results) -> Option<Vec<Placing>> {
        match &self.running {
            Some(running) => running.placing(so_far),
            None => self.over.last().and_then(|over| over.placing.clone()),
        }
    }
}

fn n_games(results: &Results) -> u64 {
    results.meetings().iter().map(|meeting| meeting.encounter.n_games() as u64).sum()
}

/// A stage that has not begun knows how many take part, and not yet who.
fn sketch(stage: &StageSetup) -> Box<dyn Format> {
    let n = stage.setup.field.len() + stage.best * stage.from.len();
    // In a gauntlet without earlier stages the ladder is part of the field.
    let is_inside = |player: &&usize| stage.setup.field.contains(player);
    let n_inside = stage.setup.ladder.iter().filter(is_inside).count();
    let ladder = n - n_inside..n - n_inside + stage.setup.ladder.len();
    (stage.format.open)(Setup {
        field: (0..n).collect(),
        ladder: ladder.collect(),
        scenes: crate::Scenes::plain(crate::Boards::Listed(Vec::new()), 0, 1, stage.setup.seed),
        points: stage.setup.points,
        rules: stage.setup.rules,
        stage: u32::MAX,
        seed: stage.setup.seed,
    })
}
