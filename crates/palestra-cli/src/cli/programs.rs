//! The players of a command from their texts: built-in ones, and external engines with their sandbox.

use super::args::CommonArgs;
use super::args_programs::ProgramArgs;
use super::output::{note, note_old_names};
use super::tournament::{complaint, sandbox_of, sandbox_warning, store_files};
use anyhow::Result;
use palestra_arena::{AnyGame, MatchError, MatchPlayer, TimeControl};
use palestra_core::CancelFlag;
use palestra_engine::{EnginePlayer, EnginePool, ProgramSpec, Sandbox};
use palestra_tournament::ProgramLimits;
use std::sync::Arc;

/// An external engine that cannot be used: it failed the pre-flight check, or where it was asked for a single move.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct EngineFailed(pub(super) String);

/// The error of a game or a match, so that invalid input is told apart.
pub(super) fn plain(error: MatchError) -> anyhow::Error {
    match error {
        MatchError::Bad(bad) => bad.into(),
        void @ MatchError::Void(_) => void.into(),
    }
}

/// What the games of a command begin with, which not every protocol can tell a program.
#[derive(Clone, Copy, Default)]
pub(super) struct StartNeeds {
    /// A setup instead of the game's own start.
    pub(super) setup: bool,
    /// Moves that the program did not play.
    pub(super) moves: bool,
}

/// The external engines of a command.
pub(super) struct ProgramHost {
    sandbox: Sandbox,
    pool: Arc<EnginePool>,
    control: TimeControl,
}

/// Most idle processes, as in an event with one game per core.
fn max_idle() -> usize {
    2 * std::thread::available_parallelism().map_or(1, usize::from).max(4)
}

impl ProgramHost {
    /// Prepares the sandbox of these programs. `stop` ends waiting for them.
    pub(super) fn new(
        programs: &[&ProgramSpec],
        args: &ProgramArgs,
        common: &CommonArgs,
        stop: &CancelFlag,
    ) -> Result<ProgramHost> {
        let mut hidden = store_files(common);
        hidden.extend(programs.iter().flat_map(|program| program.own_files()));
        let sandbox = sandbox_of(&ProgramLimits::default(), &args.sandbox, hidden, stop)?;
        if let Some(warning) = sandbox_warning(&sandbox) {
            note(format_args!("warning: {warning}"));
        }
        let pool = Arc::new(EnginePool::new(sandbox.clone(), max_idle()));
        Ok(ProgramHost { sandbox, pool, control: args.control()? })
    }

    /// A program as a player.
    pub(super) fn player(&self, program: &ProgramSpec) -> MatchPlayer {
        MatchPlayer::External(Arc::new(EnginePlayer {
            pool: Arc::clone(&self.pool),
            program: program.clone(),
            control: self.control,
            core: None,
        }))
    }

    /// The quick check of tournaments: whether a program starts and plays its first move.
    pub(super) fn preflight(&self, program: &ProgramSpec, game: &dyn AnyGame) -> Result<()> {
        match complaint(game, program, &self.sandbox, &self.control)? {
            None => Ok(()),
            Some(complaint) => {
                Err(EngineFailed(format!("{program} failed the pre-flight check: {complaint}")).into())
            }
        }
    }
}

/// A player of a game: a built-in one, or the program of a text whose protocol can play the game from there.
pub(super) enum PlayerText {
    Builtin(MatchPlayer),
    Program(ProgramSpec),
}

impl PlayerText {
    pub(super) fn parse(text: &str, game: &dyn AnyGame, needs: StartNeeds) -> Result<PlayerText> {
        if !ProgramSpec::is_program_text(text) {
            return Ok(PlayerText::Builtin(game.player(text)?.into()));
        }
        let program: ProgramSpec = text.parse()?;
        let protocol = program.load()?;
        note_old_names(protocol.notices());
        protocol.check(&game.name(), false, &program.options)?;
        protocol.check_start(needs.setup, needs.moves)?;
        Ok(PlayerText::Program(program))
    }
}

/// The players of a command.
pub(super) struct OpenedPlayers {
    pub(super) players: Vec<MatchPlayer>,
    programs: Vec<ProgramSpec>,
    host: Option<ProgramHost>,
}

impl OpenedPlayers {
    /// Reads the players from their texts.
    pub(super) fn open(
        texts: &[&str],
        (game, needs): (&dyn AnyGame, StartNeeds),
        (args, common): (&ProgramArgs, &CommonArgs),
        stop: &CancelFlag,
    ) -> Result<OpenedPlayers> {
        let read = texts.iter().map(|text| PlayerText::parse(text, game, needs));
        let read = read.collect::<Result<Vec<PlayerText>>>()?;
        let programs: Vec<&ProgramSpec> = read
            .iter()
            .filter_map(|player| match player {
                PlayerText::Builtin(_) => None,
                PlayerText::Program(program) => Some(program),
            })
            .collect();
        // An invalid clock is an error even where no program uses it.
        args.control()?;
        let host = match programs.is_empty() {
            true => None,
            false => Some(ProgramHost::new(&programs, args, common, stop)?),
        };
        let programs = programs.into_iter().cloned().collect();
        let players = read.into_iter().filter_map(|player| match player {
            PlayerText::Builtin(player) => Some(player),
            PlayerText::Program(program) => host.as_ref().map(|host| host.player(&program)),
        });
        Ok(OpenedPlayers { players: players.collect(), programs, host })
    }

    /// Checks every program before it plays.
    pub(super) fn preflight(&self, game: &dyn AnyGame) -> Result<()> {
        let Some(host) = &self.host else { return Ok(()) };
        self.programs.iter().try_for_each(|program| host.preflight(program, game))
    }
}
