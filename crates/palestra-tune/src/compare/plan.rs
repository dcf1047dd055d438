//! A comparison of methods with every name resolved: the common task, the methods, and how they are measured.

use crate::driver::{open_optimizer, seeds};
use crate::keys::keys;
use crate::methods::{METHODS, MethodInfo, random_point};
use crate::objective::{PlacedObjective, resolve_objective};
use crate::plan::{OLD_KEYS, in_old_words, method_named};
use crate::progress::unseen_opponents;
use crate::start_points::StartPointSampler;
use crate::{Objective, OptimizerRequest, TuningBudget, TuningPlan, TuningResolver};
use palestra_core::{InputError, Seed};
use palestra_settings::{Count, Document, KeyRename, OneOrMany, Place, Placed, within};
use std::fmt;

/// A comparison. Displays as the complete file; reading that file gives the same comparison.
#[derive(Clone, Debug)]
pub struct ComparisonPlan {
    /// What all methods share: boards, player, bounds, start, openings.
    pub task: TuningPlan,
    /// Number of runs of each method, each with its own seed.
    pub n_seeds: u32,
    /// The numbers of games after which the methods are measured; the last is the budget of a run.
    pub checkpoints: Vec<u64>,
    /// Elo of the goal above that of the start.
    pub target: f64,
    /// The opponents that recommended weights play.
    pub gauntlet: ComparisonGauntlet,
    /// The methods that are compared.
    pub methods: Vec<MethodEntry>,
}

/// The opponents that recommended weights play, on openings never used in training; the same for all methods.
#[derive(Clone, PartialEq, Debug)]
pub struct ComparisonGauntlet {
    /// The opponents, as player strings.
    pub opponents: Vec<String>,
    /// Random moves before the players take over.
    pub opening_plies: u32,
    /// Pairs of games against each opponent, over all boards.
    pub pairs: u32,
}

/// A method with its settings.
#[derive(Clone, Debug)]
pub struct MethodEntry {
    /// Its name in tables; unique in the comparison.
    pub label: String,
    /// The method.
    pub method: &'static MethodInfo,
    /// Its settings.
    pub settings: Document,
    /// Its objective in training, if it differs from that of the task.
    pub objective: Option<Objective>,
    /// Its pairs of games of every match, if they differ from those of the task.
    pub pairs_per_match: Option<u32>,
}

/// Default of `checkpoints`.
const CHECKPOINTS: [u64; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];

/// The method that is added where the file does not list it: it shows what luck alone finds.
const CONTROL: &str = "random";

/// Keys of a comparison that version 0.0 called otherwise, besides those of a tuning plan.
pub const OLD_COMPARISON_KEYS: [KeyRename; 5] = [
    KeyRename { section: "gauntlet", old: "rivals", new: "opponents" },
    KeyRename { section: "gauntlet", old: "openings", new: "opening_plies" },
    KeyRename { section: "methods", old: "scenes", new: "pairs_per_match" },
    KeyRename { section: "methods.objective", old: "rivals", new: "opponents" },
    KeyRename { section: "methods.objective", old: "draw_worth", new: "draw_value" },
];

impl ComparisonPlan {
    /// Reads a comparison; everything it names must exist. [`OLD_COMPARISON_KEYS`] are accepted.
    pub fn read(mut file: Document, outside: &TuningResolver<'_>) -> Result<ComparisonPlan, InputError> {
        file.rename_old_keys(&OLD_COMPARISON_KEYS)?;
        for (key, reason) in [
            ("method", "every method of a comparison is a section [[methods]]"),
            ("budget", "the last checkpoint is the budget of every run"),
            ("test", "[gauntlet] describes how weights are tested"),
        ] {
            if file.has(key) {
                return Err(file.place_of(key).not_allowed(reason));
            }
        }
        let n_seeds = file.take_seed("seeds", within(1..=10_000))?.unwrap_or(20);
        let place = file.place_of("checkpoints");
        let checkpoints = match file.take("checkpoints")? {
            None => CHECKPOINTS.to_vec(),
            Some(checkpoints) => rising(&checkpoints, &place)?,
        };
        let target = file.take_seed("target", within(-10_000.0..=10_000.0))?.unwrap_or(50.0);
        let gauntlet: GauntletKeys = file.take("gauntlet")?.unwrap_or_default();
        let place = file.place_of("methods");
        let entries = file.take_sections("methods")?;
        if entries.len() < 2 {
            let found = format!("{} methods", entries.len());
            let found = if entries.len() == 1 { "1 method" } else { &found };
            return Err(place.invalid_value(found, "at least two sections [[methods]]"));
        }
        let (place, fresh) = (file.place_of("objective"), file.place_of("fresh"));
        let mut task = TuningPlan::read(file, outside)?;
        require_games(&task.objective, &place)?;
        let last = checkpoints[checkpoints.len() - 1];
        task.budget = TuningBudget { games: Some(last), ..TuningBudget::default() };
        let stage = StartPointSampler::new(outside.catalog, task.boards.clone())?;
        let gauntlet = read_gauntlet(&gauntlet, &task, &stage, outside)?;
        let mut plan = ComparisonPlan { task, n_seeds, checkpoints, target, gauntlet, methods: Vec::new() };
        for entry in entries {
            plan.add(entry, &stage, outside)?;
        }
        if plan.methods.iter().all(|entry| entry.method.name != CONTROL) {
            plan.add_control(&stage, outside)?;
        }
        for entry_index in 0..plan.methods.len() {
            let run = plan.plan_of(entry_index, 0);
            run.fresh.check(&run.objective, run.method).map_err(|bad| fresh.error_in_value(bad))?;
        }
        Ok(plan)
    }

    /// Adds the method of one section.
    fn add(
        &mut self,
        mut entry: Document,
        stage: &StartPointSampler,
        outside: &TuningResolver<'_>,
    ) -> Result<(), InputError> {
        let name: Option<Placed<String>> = entry.take("name")?;
        let name = name.ok_or_else(|| entry.missing("name", "the name of a method: see palestra methods"))?;
        let method = method_named(Some(&name), outside.methods)?;
        let label = entry.take::<Placed<String>>("label")?;
        let Placed { value: label, place } = label.unwrap_or_else(|| name.clone());
        if label.trim().is_empty() || self.methods.iter().any(|other| other.label == label) {
            return Err(place.invalid_value(&label, "a label that no other method has: label = \"…\""));
        }
        let pairs_per_match = entry.take_seed("pairs_per_match", within(1..=1_000_000))?;
        let objective: Option<PlacedObjective> = entry.take("objective")?;
        let objective = match &objective {
            None => None,
            Some(objective) => {
                require_games(&objective.value, &objective.place)?;
                let resolved = resolve_objective(objective, self.task.seed, stage, outside)?;
                refuse_programs(&resolved)?;
                Some(resolved)
            }
        };
        self.methods.push(MethodEntry { label, method, settings: entry, objective, pairs_per_match });
        let n_games = self.first_games(self.methods.len() - 1)?;
        let last = self.checkpoints[self.checkpoints.len() - 1];
        if n_games > last {
            let expected = format!(
                "a method whose first generation (here {n_games} games) ends by the last checkpoint ({last})"
            );
            return Err(name.invalid(expected));
        }
        Ok(())
    }

    /// Adds random search, with the largest number of points that ends a generation by the first checkpoint.
    fn add_control(
        &mut self,
        stage: &StartPointSampler,
        outside: &TuningResolver<'_>,
    ) -> Result<(), InputError> {
        let n_before = self.methods.len();
        for n_points in [64, 32, 16, 8, 4, 2] {
            let text = format!("name = \"{CONTROL}\"\npoints = {n_points}\n");
            let added = self.add(Document::parse(&text, "the control")?, stage, outside);
            if added.is_ok() && self.first_games(n_before)? <= self.checkpoints[0] {
                break;
            }
            // The smallest is used even if its generation ends later, unless it exceeds the last checkpoint.
            match n_points {
                2 => added?,
                _ => self.methods.truncate(n_before),
            }
        }
        Ok(())
    }

    /// Games of a method's first generation; 0 for methods of other crates, which may be external programs.
    fn first_games(&self, entry_index: usize) -> Result<u64, InputError> {
        let plan = self.plan_of(entry_index, 0);
        let mut method = open_optimizer(&plan)?;
        if METHODS.iter().all(|ours| ours.name != plan.method.name) {
            return Ok(0);
        }
        Ok(match method.ask() {
            Some(OptimizerRequest::Rate { candidates, effort }) => {
                let n_starts = plan.boards.n_boards() * plan.pairs as usize * effort as usize;
                plan.objective.n_games(candidates.len(), n_starts)
            }
            Some(OptimizerRequest::SelfPlay { n_games, .. }) => u64::from(n_games),
            None => 0,
        })
    }

    /// The plan of one run; seeds count from 0. Runs of the same seed share their start and their random numbers.
    pub fn plan_of(&self, entry_index: usize, seed: u32) -> TuningPlan {
        let entry = &self.methods[entry_index];
        let mut plan = self.task.clone();
        // 53 bits: numbers of a plan file are stored as f64.
        plan.seed = self.base_seed().child(u64::from(seed) + 1).0 >> 11;
        plan.start = Some(self.start_of(seed));
        plan.method = entry.method;
        plan.method_settings = entry.settings.clone();
        plan.objective = entry.objective.clone().unwrap_or(plan.objective);
        plan.pairs = entry.pairs_per_match.unwrap_or(plan.pairs);
        plan
    }

    /// The start of all runs of a seed: that of the file, or random weights.
    pub fn start_of(&self, seed: u32) -> Vec<f64> {
        let anywhere = || random_point(&self.task.space, self.base_seed().child(0).child(u64::from(seed)));
        self.task.start.clone().unwrap_or_else(anywhere)
    }

    fn base_seed(&self) -> Seed {
        Seed(self.task.seed).child(seeds::COMPARISON)
    }

    /// Hash of a run; stored results are found by it.
    pub fn run_key(&self, entry_index: usize, seed: u32) -> [u8; 32] {
        // Must change whenever the same run would give another result.
        let engine = match self.plan_of(entry_index, seed).has_new_start_points() {
            true => "palestra comparison 2",
            false => "palestra comparison 1",
        };
        // In the spelling of version 0.0, so that its stored comparisons keep their results.
        let plan = self.old_spelling();
        *blake3::hash(format!("{engine}\n{entry_index}\n{seed}\n{plan}").as_bytes()).as_bytes()
    }

    /// The file as version 0.0 wrote it.
    pub fn old_spelling(&self) -> String {
        let renames: Vec<KeyRename> = OLD_KEYS.into_iter().chain(OLD_COMPARISON_KEYS).collect();
        in_old_words(&self.to_string(), &renames)
    }

    /// Number of runs of all methods.
    pub fn n_runs(&self) -> usize {
        self.methods.len() * self.n_seeds as usize
    }
}

fn require_games<P>(objective: &Objective<P>, place: &Place) -> Result<(), InputError> {
    let expected = "an objective of games: methods are compared by the games they need";
    match objective.plays_games() {
        true => Ok(()),
        false => Err(place.invalid_value(objective.name(), expected)),
    }
}

fn rising(OneOrMany(items): &OneOrMany<Placed<Count>>, place: &Place) -> Result<Vec<u64>, InputError> {
    let mut checkpoints: Vec<u64> = Vec::new();
    for item in items {
        if checkpoints.last().is_some_and(|before| *before >= item.0) {
            let expected = "more games than at the previous checkpoint";
            return Err(item.place.invalid_value(&item.0.to_string(), expected));
        }
        checkpoints.push(item.0);
    }
    match checkpoints.is_empty() {
        true => Err(place.invalid_value("[]", "at least one number of games")),
        false => Ok(checkpoints),
    }
}

keys! {
    /// The keys of `[gauntlet]`.
    struct GauntletKeys {
        /// The opponents.
        opponents: Option<Placed<OneOrMany<Placed<String>>>> = None;
        /// Random moves before the players take over.
        opening_plies: Option<u32> = None, in 1..=1000;
        /// Pairs of games against each opponent, over all boards.
        pairs: u32 = 50, in 1..=1_000_000;
    }
}

fn read_gauntlet(
    keys: &GauntletKeys,
    task: &TuningPlan,
    stage: &StartPointSampler,
    outside: &TuningResolver<'_>,
) -> Result<ComparisonGauntlet, InputError> {
    let opponents: Vec<String> = match &keys.opponents {
        None => {
            let all = unseen_opponents(task, outside.catalog, stage);
            all.quick.into_iter().chain(all.slow).collect()
        }
        Some(opponents) if opponents.0.is_empty() => {
            return Err(opponents.place.invalid_value("[]", "at least one player"));
        }
        Some(opponents) => {
            let players = opponents.0.iter().map(|player| outside.check_player(player, stage));
            players.collect::<Result<_, _>>()?
        }
    };
    // Without random moves there are no openings that training does not use.
    let opening_plies = keys.opening_plies.unwrap_or(task.opening_plies.max(6));
    Ok(ComparisonGauntlet { opponents, opening_plies, pairs: keys.pairs })
}

impl fmt::Display for ComparisonPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seeds = {}", self.n_seeds)?;
        writeln!(f, "checkpoints = {:?}", self.checkpoints)?;
        writeln!(f, "target = {:?}", self.target)?;
        self.task.write_task(f)?;
        let ComparisonGauntlet { opponents, opening_plies, pairs } = &self.gauntlet;
        writeln!(
            f,
            "\n[gauntlet]\nopponents = {opponents:?}\nopening_plies = {opening_plies}\npairs = {pairs}"
        )?;
        for entry in &self.methods {
            writeln!(f, "\n[[methods]]\nname = {:?}", entry.method.name)?;
            writeln!(f, "label = {:?}", entry.label)?;
            if let Some(objective) = &entry.objective {
                writeln!(f, "objective = {{ {} }}", objective.to_toml().join(", "))?;
            }
            if let Some(pairs) = entry.pairs_per_match {
                writeln!(f, "pairs_per_match = {pairs}")?;
            }
            f.write_str(&entry.settings.to_toml())?;
        }
        Ok(())
    }
}

/// Methods are compared by games that anybody can repeat.
fn refuse_programs(objective: &Objective) -> Result<(), InputError> {
    match objective.programs().first() {
        Some(program) => {
            let reason = "methods are compared without external programs";
            Err(InputError::not_allowed(format!("player \"{program}\""), reason))
        }
        None => Ok(()),
    }
}
