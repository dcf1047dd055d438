//! Reads submitted plans as the commands read plan files, but detects external programs before any of their files is
//! touched.

use crate::app::App;
use crate::http_error::HttpError;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_engine::ProgramSpec;
use palestra_review::event::{
    EventEntrants, board_of, check_memory, control_of, listed_boards, open_boards, wants_programs,
};
use palestra_review::memory_limit;
use palestra_review::tuning::identify_programs;
use palestra_settings::Document;
use palestra_tournament::{GridPlan, TournamentPlan, TournamentResolver};
use palestra_tune::methods::{METHODS, MethodInfo};
use palestra_tune::{TuningPlan, TuningPlanFile, TuningResolver};
use std::cell::Cell;
use std::num::NonZero;

/// Limit on the players of an event that is started from the page.
const MAX_PLAYERS: usize = 5000;

/// Limit on concurrent games of an event; each has its own thread.
const MAX_CONCURRENCY: u32 = 256;

/// Why a plan is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlanError {
    Invalid(InputError),
    /// It starts external programs, which this server does not allow.
    ProgramsForbidden,
    /// An event with this name and another plan exists.
    NameTaken(String),
}

impl From<InputError> for PlanError {
    fn from(bad: InputError) -> PlanError {
        PlanError::Invalid(bad)
    }
}

/// Resolves the names in plans: games, methods, and champions of the store.
#[derive(Clone)]
pub(super) struct WebResolver {
    pub(super) catalog: &'static Catalog,
    methods: &'static [MethodInfo],
    allow_programs: bool,
    /// Name, game and player of each champion of the store.
    pub(super) champions: Vec<[String; 3]>,
}

impl WebResolver {
    /// Reads the champions of the store; to be called on a blocking thread.
    pub(super) fn of(app: &App) -> Result<WebResolver, HttpError> {
        let champions = app.stores.read_blocking(|store| Ok(store.champions()?))?.unwrap_or_default();
        Ok(WebResolver {
            catalog: app.config.catalog,
            methods: app.config.methods,
            allow_programs: app.config.allow_programs,
            champions: champions.into_iter().map(|c| [c.name, c.game, c.player]).collect(),
        })
    }

    /// The tuning methods that can be selected.
    pub(super) fn methods(&self) -> impl Iterator<Item = &'static MethodInfo> {
        let more: &[MethodInfo] = if self.allow_programs { self.methods } else { &[] };
        METHODS.iter().chain(more)
    }

    /// The player string of `text`: that of a champion for `@name`.
    fn player_of(&self, text: &str) -> Result<String, InputError> {
        let Some(name) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
        let champion = self.champions.iter().find(|[known, ..]| known == name);
        champion.map(|[_, _, player]| player.clone()).ok_or_else(|| {
            let known: Vec<String> = self.champions.iter().map(|[name, ..]| format!("@{name}")).collect();
            InputError::unknown("player", text, "a champion of the store", known.iter().map(String::as_str))
        })
    }

    /// Reads a tuning plan.
    pub(super) fn tuning(&self, text: &str) -> Result<TuningPlan, PlanError> {
        self.resolve_tuning(TuningPlanFile::read(Document::parse(text, "the plan")?)?)
    }

    /// Resolves the names of a tuning plan.
    pub(super) fn resolve_tuning(&self, file: TuningPlanFile) -> Result<TuningPlan, PlanError> {
        let has_program = Cell::new(false);
        let notice = |player: &str| has_program.set(has_program.get() || is_program(player));
        file.keys.player.iter().for_each(|player| notice(player));
        let lookup = |text: &str| {
            let player = self.player_of(text)?;
            notice(&player);
            Ok(player)
        };
        let read = TuningPlan::resolve(
            file,
            &TuningResolver { catalog: self.catalog, lookup: &lookup, methods: self.methods },
        );
        if has_program.get() && !self.allow_programs {
            return Err(PlanError::ProgramsForbidden);
        }
        let mut plan = read?;
        if !is_builtin(plan.method) && !self.allow_programs {
            return Err(PlanError::ProgramsForbidden);
        }
        let n_threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        palestra_review::tuning::check(&plan, memory_limit(None), n_threads as u64)?;
        identify_programs(&mut plan, self.catalog).map_err(without_files)?;
        Ok(plan)
    }

    /// Reads a tournament plan, with its entrants.
    pub(super) fn event(&self, text: &str) -> Result<(TournamentPlan, EventEntrants), PlanError> {
        self.checked_event(TournamentPlan::read(Document::parse(text, "the plan")?, self)?)
    }

    /// A tournament plan that this server may run, with its entrants.
    pub(super) fn checked_event(
        &self,
        plan: TournamentPlan,
    ) -> Result<(TournamentPlan, EventEntrants), PlanError> {
        if wants_programs(&plan) && !self.allow_programs {
            return Err(PlanError::ProgramsForbidden);
        }
        if let Some(folder) = plan.patterns.first() {
            let reason = format!("the page reads no folders, and {folder:?} is one: list each program");
            return Err(InputError::not_allowed("players", reason).into());
        }
        let n_players = plan.players.len() + plan.grids.iter().map(GridPlan::len).sum::<usize>();
        if n_players > MAX_PLAYERS {
            let expected = format!("at most {MAX_PLAYERS} players for an event of the page");
            return Err(InputError::new("players", n_players.to_string(), expected).into());
        }
        if let Some(n) = plan.concurrency.filter(|n| *n > MAX_CONCURRENCY) {
            let expected = format!("at most {MAX_CONCURRENCY} for an event of the page");
            return Err(InputError::new("concurrency", n.to_string(), expected).into());
        }
        let boards = open_boards(&plan, self.catalog)?;
        control_of(&plan)?;
        let entrants = EventEntrants::of(&plan, board_of(&boards)?, None).map_err(without_files)?;
        entrants.check(&plan, &listed_boards(&plan))?;
        check_memory(&plan, &entrants, self.catalog, memory_limit(None))?;
        Ok((plan, entrants))
    }
}

/// Removes the paths of a program's files from an error: the page does not show them.
fn without_files(bad: InputError) -> InputError {
    bad.map_expected(|expected| match expected.split_once("files can be read") {
        Some((before, _)) => format!("{before}files can be read"),
        None => expected.to_owned(),
    })
}

impl TournamentResolver for WebResolver {
    fn game(&self, text: &str) -> Result<String, InputError> {
        TournamentResolver::game(self.catalog, text)
    }

    fn samples(&self, pool: &str) -> Result<Vec<String>, InputError> {
        TournamentResolver::samples(self.catalog, pool)
    }

    fn player(&self, game: &str, text: &str) -> Result<String, InputError> {
        let player = self.player_of(text)?;
        // A champion may be a program: `WebResolver::event` finds it in the plan.
        if is_program(&player) { Ok(player) } else { TournamentResolver::player(self.catalog, game, &player) }
    }

    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError> {
        TournamentResolver::n_weights(self.catalog, game, template)
    }
}

fn is_program(player: &str) -> bool {
    ProgramSpec::is_program_text(player.trim_start())
}

/// Whether a method is part of `palestra-tune`, and not a program.
fn is_builtin(method: &MethodInfo) -> bool {
    METHODS.iter().any(|known| known.name == method.name)
}

/// Whether the method of a stored tuning plan is a program.
pub(super) fn tunes_by_program(
    text: &str,
    catalog: &'static Catalog,
    methods: &'static [MethodInfo],
) -> Result<bool, InputError> {
    // Champions are already resolved in stored plans.
    let lookup = |player: &str| Ok(player.to_owned());
    let document = Document::parse(text, "the plan")?;
    let plan = TuningPlan::read(document, &TuningResolver { catalog, lookup: &lookup, methods })?;
    Ok(!is_builtin(plan.method) || !plan.objective.programs().is_empty())
}
