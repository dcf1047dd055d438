//! Plans that strangers send: read as the commands read files, but outside programs are noticed before any is touched.

use crate::app::App;
use crate::http_error::HttpError;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_engine::ProgramSpec;
use palestra_review::event::{
    EventEntrants, board_of, control_of, listed_boards, open_boards, wants_programs,
};
use palestra_settings::Settings;
use palestra_tournament::{GridPlan, TournamentResolver};
use palestra_tune::methods::{METHODS, MethodInfo};
use palestra_tune::{TuningPlan, TuningResolver};
use std::cell::Cell;

/// Players of an event that is started from the page.
const MOST_PLAYERS: usize = 5000;

/// Games at a time: each has a thread of its own.
const MOST_AT_A_TIME: u32 = 256;

/// Why a plan is not taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlanError {
    Invalid(InputError),
    /// It starts programs, and they are not allowed.
    ProgramsForbidden,
    /// An event of this name has another plan.
    NameTaken(String),
}

impl From<InputError> for PlanError {
    fn from(bad: InputError) -> PlanError {
        PlanError::Invalid(bad)
    }
}

/// What plans may name here.
#[derive(Clone)]
pub(super) struct WebResolver {
    pub(super) catalog: &'static Catalog,
    methods: &'static [MethodInfo],
    allow_programs: bool,
    /// Champions of the store: name, game, player.
    pub(super) champions: Vec<[String; 3]>,
}

impl WebResolver {
    /// What is known now; on a thread that may wait.
    pub(super) fn of(app: &App) -> Result<WebResolver, HttpError> {
        let champions = app.stores.read_blocking(|store| Ok(store.champions()?))?.unwrap_or_default();
        Ok(WebResolver {
            catalog: app.config.catalog,
            methods: app.config.methods,
            allow_programs: app.config.allow_programs,
            champions: champions.into_iter().map(|c| [c.name, c.game, c.player]).collect(),
        })
    }

    /// The methods that can be chosen.
    pub(super) fn methods(&self) -> impl Iterator<Item = &'static MethodInfo> {
        let more: &[MethodInfo] = if self.allow_programs { self.methods } else { &[] };
        METHODS.iter().chain(more)
    }

    /// The player that a text means: `@name` is a champion.
    fn player_of(&self, text: &str) -> Result<String, InputError> {
        let Some(name) = text.strip_prefix('@') else { return Ok(text.to_owned()) };
        let found = self.champions.iter().find(|[known, ..]| known == name);
        found.map(|[_, _, player]| player.clone()).ok_or_else(|| {
            let known: Vec<String> = self.champions.iter().map(|[name, ..]| format!("@{name}")).collect();
            InputError::unknown("player", text, "a champion of the store", known.iter().map(String::as_str))
        })
    }

    /// A plan of tuning.
    pub(super) fn tuning(&self, text: &str) -> Result<TuningPlan, PlanError> {
        let settings = Settings::parse(text, "the plan")?;
        let has_program = Cell::new(false);
        let notice = |player: &str| has_program.set(has_program.get() || is_program(player));
        if let Ok(Some((player, _))) = settings.clone().text("player") {
            notice(&player);
        }
        let lookup = |text: &str| {
            let player = self.player_of(text)?;
            notice(&player);
            Ok(player)
        };
        let read = TuningPlan::read(
            settings,
            &TuningResolver { catalog: self.catalog, lookup: &lookup, methods: self.methods },
        );
        if has_program.get() && !self.allow_programs {
            return Err(PlanError::ProgramsForbidden);
        }
        let plan = read?;
        if !is_ours(plan.method) && !self.allow_programs {
            return Err(PlanError::ProgramsForbidden);
        }
        palestra_review::tuning::check(&plan)?;
        Ok(plan)
    }

    /// A plan of an event, and who takes part.
    pub(super) fn event(
        &self,
        text: &str,
    ) -> Result<(palestra_tournament::TournamentPlan, EventEntrants), PlanError> {
        let plan = palestra_tournament::TournamentPlan::read(Settings::parse(text, "the plan")?, self)?;
        if wants_programs(&plan) && !self.allow_programs {
            return Err(PlanError::ProgramsForbidden);
        }
        if let Some((folder, _)) = plan.patterns.first() {
            let expected = "listed program by program: the page reads no folders of submissions";
            return Err(InputError::new("players", folder, expected).into());
        }
        let n_players = plan.players.len() + plan.grids.iter().map(GridPlan::len).sum::<usize>();
        if n_players > MOST_PLAYERS {
            let expected = format!("at most {MOST_PLAYERS} players from the page");
            return Err(InputError::new("players", n_players.to_string(), expected).into());
        }
        if let Some(n) = plan.concurrency.filter(|n| *n > MOST_AT_A_TIME) {
            let expected = format!("at most {MOST_AT_A_TIME} from the page");
            return Err(InputError::new("concurrency", n.to_string(), expected).into());
        }
        let boards = open_boards(&plan, self.catalog)?;
        control_of(&plan)?;
        let field = EventEntrants::of(&plan, board_of(&boards)?, None).map_err(without_files)?;
        field.check(&plan, &listed_boards(&plan))?;
        Ok((plan, field))
    }
}

/// The files of programs are nobody's business, not even of those who may start them.
fn without_files(bad: InputError) -> InputError {
    match bad.expected.split_once("files can be read") {
        Some((before, _)) => InputError { expected: format!("{before}files can be read"), ..bad },
        None => bad,
    }
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
        // A champion may be a program: whoever reads the plan sees it then.
        if is_program(&player) { Ok(player) } else { TournamentResolver::player(self.catalog, game, &player) }
    }

    fn n_weights(&self, game: &str, template: &str) -> Result<usize, InputError> {
        TournamentResolver::n_weights(self.catalog, game, template)
    }
}

fn is_program(player: &str) -> bool {
    ProgramSpec::is_program_text(player.trim_start())
}

fn is_ours(method: &MethodInfo) -> bool {
    METHODS.iter().any(|known| known.name == method.name)
}

/// Whether a stored plan of tuning asks a program.
pub(super) fn tunes_by_program(
    text: &str,
    catalog: &'static Catalog,
    methods: &'static [MethodInfo],
) -> Result<bool, InputError> {
    // Stored plans have no names of the store left in them.
    let lookup = |player: &str| Ok(player.to_owned());
    let settings = Settings::parse(text, "the plan")?;
    let plan = TuningPlan::read(settings, &TuningResolver { catalog, lookup: &lookup, methods })?;
    Ok(!is_ours(plan.method))
}
