//! A comparison with every name resolved: what all methods share, who takes part, and how they are measured.

use crate::driver::{open_optimizer, seeds};
use crate::methods::{METHODS, MethodInfo, random_point};
use crate::plan::{A_COUNT, check_player, count_of, method_named, objective_keys, read_objective};
use crate::progress::unseen_opponents;
use crate::start_points::{StartPointSampler, TuningBoards};
use crate::{Objective, OptimizerRequest, Setting, Settings, TuningBudget, TuningPlan, TuningResolver};
use palestra_core::{InputError, Seed};
use std::fmt;

/// A comparison. Displays as the file that describes it in full; reading that file gives the same comparison.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// What all of them share: boards, player, bounds, start, openings.
    pub task: TuningPlan,
    /// Runs of each method.
    pub n_seeds: u32,
    /// The numbers of games after which the methods are measured; the last is the budget of a run.
    pub checkpoints: Vec<u64>,
    /// How far above the start the goal lies, in Elo.
    pub target: f64,
    /// Whom the recommended weights meet.
    pub gauntlet: ComparisonGauntlet,
    /// Who takes part.
    pub methods: Vec<MethodEntry>,
}

/// Whom recommended weights meet, on openings never used in training; the same for all.
#[derive(Clone, PartialEq, Debug)]
pub struct ComparisonGauntlet {
    /// The rivals, as player strings.
    pub rivals: Vec<String>,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Pairs of games with each rival, over all boards.
    pub pairs: u32,
}

/// A method with its settings.
#[derive(Clone, Debug)]
pub struct MethodEntry {
    /// What it is called in tables.
    pub label: String,
    /// The method.
    pub method: &'static MethodInfo,
    /// Its settings.
    pub settings: Settings,
    /// What it is measured by in training, if that is not what the file says for all.
    pub objective: Option<Objective>,
    /// Scenes of every meeting, if that is not what the file says for all.
    pub scenes: Option<u32>,
}

/// Games after which the methods are measured, where the file does not say.
const CHECKPOINTS: [u64; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];

/// The method that is always there, so that everybody can see what luck alone would have found.
const CONTROL: &str = "random";

impl ComparisonPlan {
    /// Reads a comparison; everything it names must exist.
    pub fn read(mut file: Settings, outside: &TuningResolver<'_>) -> Result<ComparisonPlan, InputError> {
        for (key, instead) in [
            ("method", "wanted here: every method is a section [[methods]]"),
            ("budget", "wanted here: the last of the checkpoints is the budget of every run"),
            ("test", "wanted here: [gauntlet] says how weights are tested"),
        ] {
            if file.has(key) {
                return Err(file.invalid_value(key, file.location_of(key), key, instead));
            }
        }
        let n_seeds = file.integer("seeds", 20, 1..=10_000)? as u32;
        let checkpoints = read_checkpoints(&mut file)?;
        let target = file.number("target", 50.0, -10_000.0..=10_000.0)?;
        let gauntlet = file.table("gauntlet")?;
        let place = file.location_of("methods");
        let entries = file.tables("methods")?;
        if entries.len() < 2 {
            let found = format!("{} methods", entries.len());
            let found = if entries.len() == 1 { "1 method" } else { &found };
            return Err(file.invalid_value("methods", place, found, "at least two sections [[methods]]"));
        }
        let place_of_objective = file.location_of("objective");
        let complain = file.clone();
        let mut task = TuningPlan::read(file, outside)?;
        let last = checkpoints[checkpoints.len() - 1];
        task.budget = TuningBudget { games: Some(last), ..TuningBudget::default() };
        let stage = StartPointSampler::new(outside.catalog, task.boards.clone())?;
        let gauntlet = read_gauntlet(gauntlet, &task, &stage, outside)?;
        let mut plan = ComparisonPlan { task, n_seeds, checkpoints, target, gauntlet, methods: Vec::new() };
        if !plays_games(&plan.task.objective) {
            let expected = "an objective of games, by which methods can be compared";
            let name = plan.task.objective.name();
            return Err(complain.invalid_value("objective", place_of_objective, name, expected));
        }
        for entry in entries {
            plan.add(entry, &stage, outside)?;
        }
        if plan.methods.iter().all(|contestant| contestant.method.name != CONTROL) {
            plan.add_control(&stage, outside)?;
        }
        Ok(plan)
    }

    /// Adds what one section says.
    fn add(
        &mut self,
        mut entry: Settings,
        stage: &StartPointSampler,
        outside: &TuningResolver<'_>,
    ) -> Result<(), InputError> {
        let name = entry.text("name")?;
        let (name, name_place) =
            name.ok_or_else(|| entry.missing("name", "the name of a method: see palestra methods"))?;
        let method = method_named(&name, outside.methods).map_err(|(expected, nearest)| InputError {
            nearest,
            ..entry.invalid_value("name", name_place, &name, expected)
        })?;
        let (label, place) = entry.text("label")?.unwrap_or((name, name_place));
        if label.trim().is_empty() || self.methods.iter().any(|other| other.label == label) {
            let expected = "a label that no other method has: label = \"…\"";
            return Err(entry.invalid_value("label", place, &label, expected));
        }
        let scenes = entry.has("scenes");
        let scenes = Some(entry.integer("scenes", 1, 1..=1_000_000)? as u32).filter(|_| scenes);
        let objective = match entry.has("objective") {
            false => {
                // Asked for all the same, so that a complaint about another key lists it.
                entry.take("objective");
                None
            }
            true => {
                let place = entry.location_of("objective");
                let dice = (self.task.seed, outside.lookup);
                let objective = read_objective(&mut entry, outside.catalog, stage, dice)?;
                if !plays_games(&objective) {
                    let expected = "an objective of games, by which methods can be compared";
                    return Err(entry.invalid_value("objective", place, objective.name(), expected));
                }
                Some(objective)
            }
        };
        let complain = entry.clone();
        self.methods.push(MethodEntry { label, method, settings: entry, objective, scenes });
        let n_games = self.first_games(self.methods.len() - 1)?;
        let last = self.checkpoints[self.checkpoints.len() - 1];
        if n_games > last {
            let expected = format!(
                "done with its first generation, of {n_games} games, by the last checkpoint, at {last}"
            );
            return Err(complain.invalid_value("name", name_place, method.name, expected));
        }
        Ok(())
    }

    /// Adds random search, with as many points as leave it something to recommend at the first checkpoint.
    fn add_control(
        &mut self,
        stage: &StartPointSampler,
        outside: &TuningResolver<'_>,
    ) -> Result<(), InputError> {
        let n_before = self.methods.len();
        for n_points in [64, 32, 16, 8, 4, 2] {
            let text = format!("name = \"{CONTROL}\"\npoints = {n_points}\n");
            let added = self.add(Settings::parse(&text, "the control")?, stage, outside);
            if added.is_ok() && self.first_games(n_before)? <= self.checkpoints[0] {
                break;
            }
            // The smallest stays, if it can be played at all.
            match n_points {
                2 => added?,
                _ => self.methods.truncate(n_before),
            }
        }
        Ok(())
    }

    /// Games before a method can recommend anything, where that can be known without asking a program outside.
    fn first_games(&self, contestant: usize) -> Result<u64, InputError> {
        let plan = self.plan_of(contestant, 0);
        let mut method = open_optimizer(&plan)?;
        let n_boards = match &plan.boards {
            TuningBoards::Listed(games) => games.len(),
            TuningBoards::Pool(_) => 1,
        };
        if METHODS.iter().all(|ours| ours.name != plan.method.name) {
            return Ok(0);
        }
        Ok(match method.ask() {
            Some(OptimizerRequest::Rate { candidates, effort }) => {
                let n_scenes = n_boards * plan.pairs as usize * effort as usize;
                plan.objective.n_games(candidates.len(), n_scenes)
            }
            Some(OptimizerRequest::SelfPlay { n_games, .. }) => u64::from(n_games),
            None => 0,
        })
    }

    /// The plan of one run; seeds count from 0. Runs of the same seed share their start and their dice.
    pub fn plan_of(&self, contestant: usize, seed: u32) -> TuningPlan {
        let contestant = &self.methods[contestant];
        let mut plan = self.task.clone();
        // What a file can write down exactly.
        plan.seed = self.dice().child(u64::from(seed) + 1).0 >> 11;
        plan.start = Some(self.start_of(seed));
        plan.method = contestant.method;
        plan.method_settings = contestant.settings.clone();
        plan.objective = contestant.objective.clone().unwrap_or(plan.objective);
        plan.pairs = contestant.scenes.unwrap_or(plan.pairs);
        plan
    }

    /// Where all runs of a seed start: as the file says, or anywhere.
    pub fn start_of(&self, seed: u32) -> Vec<f64> {
        let anywhere = || random_point(&self.task.space, self.dice().child(0).child(u64::from(seed)));
        self.task.start.clone().unwrap_or_else(anywhere)
    }

    fn dice(&self) -> Seed {
        Seed(self.task.seed).child(seeds::COMPARISON)
    }

    /// What tells a run from every other one.
    pub fn run_key(&self, contestant: usize, seed: u32) -> [u8; 32] {
        /// Changes whenever the same run would come to something else.
        const ENGINE: &str = "palestra comparison 1";
        *blake3::hash(format!("{ENGINE}\n{contestant}\n{seed}\n{self}").as_bytes()).as_bytes()
    }

    /// How many runs there are.
    pub fn n_runs(&self) -> usize {
        self.methods.len() * self.n_seeds as usize
    }
}

/// Whether methods can be charged for what they are told.
fn plays_games(objective: &Objective) -> bool {
    !matches!(objective, Objective::Accuracy(_) | Objective::Chance)
}

fn read_checkpoints(file: &mut Settings) -> Result<Vec<u64>, InputError> {
    let Some((value, place)) = file.take("checkpoints") else { return Ok(CHECKPOINTS.to_vec()) };
    let items = match value {
        Setting::List(items) => items,
        other => vec![(other, place)],
    };
    let mut checkpoints: Vec<u64> = Vec::new();
    for (item, place) in items {
        let complaint =
            |expected: &str| file.invalid_value("checkpoints", place, &item.to_string(), expected);
        let count = count_of(&item).ok_or_else(|| complaint(A_COUNT))?;
        if checkpoints.last().is_some_and(|before| *before >= count) {
            return Err(complaint("more games than at the checkpoint before"));
        }
        checkpoints.push(count);
    }
    match checkpoints.is_empty() {
        true => Err(file.invalid_value("checkpoints", place, "[]", "at least one number of games")),
        false => Ok(checkpoints),
    }
}

fn read_gauntlet(
    mut table: Settings,
    task: &TuningPlan,
    stage: &StartPointSampler,
    outside: &TuningResolver<'_>,
) -> Result<ComparisonGauntlet, InputError> {
    let place = table.location_of("rivals");
    let rivals: Vec<String> = match table.texts("rivals")? {
        None => {
            let all = unseen_opponents(task, outside.catalog, stage);
            all.quick.into_iter().chain(all.slow).collect()
        }
        Some(rivals) => {
            let check = |(rival, place): &(String, _)| {
                check_player(rival, *place, stage, (outside.catalog, outside.lookup))
            };
            rivals.iter().map(check).collect::<Result<_, _>>()?
        }
    };
    if rivals.is_empty() {
        return Err(table.invalid_value("rivals", place, "[]", "at least one player to meet"));
    }
    // Without random moves there are no openings that training does not have.
    let openings = table.integer("openings", u64::from(task.opening_plies.max(6)), 1..=1000)? as u32;
    let pairs = table.integer("pairs", 50, 1..=1_000_000)? as u32;
    table.finish()?;
    Ok(ComparisonGauntlet { rivals, opening_plies: openings, pairs })
}

impl fmt::Display for ComparisonPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seeds = {}", self.n_seeds)?;
        writeln!(f, "checkpoints = {:?}", self.checkpoints)?;
        writeln!(f, "target = {:?}", self.target)?;
        self.task.write_task(f)?;
        let ComparisonGauntlet { rivals, opening_plies: openings, pairs } = &self.gauntlet;
        writeln!(f, "\n[gauntlet]\nrivals = {rivals:?}\nopenings = {openings}\npairs = {pairs}")?;
        for contestant in &self.methods {
            writeln!(f, "\n[[methods]]\nname = {:?}", contestant.method.name)?;
            writeln!(f, "label = {:?}", contestant.label)?;
            if let Some(objective) = &contestant.objective {
                writeln!(f, "objective = {{ {} }}", objective_keys(objective).join(", "))?;
            }
            if let Some(scenes) = contestant.scenes {
                writeln!(f, "scenes = {scenes}")?;
            }
            f.write_str(&contestant.settings.to_toml())?;
        }
        Ok(())
    }
}
