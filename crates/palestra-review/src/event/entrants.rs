//! The entrants of an event, each with its content key.
//!
//! The content key of a built-in player is its canonical text; that of a program is its command and every file of its
//! folder. Its location and its name do not matter.

use palestra_arena::{AnyGame, key_spelling};
use palestra_core::InputError;
use palestra_engine::{ProcessLifetime, ProgramSpec};
use palestra_tournament::{
    Entrant, LaunchPolicy as PlanStart, PlayerPlan, PlayerSource, StageBoards, TournamentPlan,
};

/// The entrants of an event, and the programs among them.
#[derive(Clone, Debug)]
pub struct EventEntrants {
    /// All entrants, in the order of the plan.
    pub entrants: Vec<Entrant>,
    /// The program of each entrant; `None` for a built-in player.
    pub programs: Vec<Option<ProgramSpec>>,
}

impl EventEntrants {
    /// The entrants of a plan. With `known`, the keys of programs come from there and their files are not read: for
    /// an event that is only reviewed, since the files may have changed since it was played.
    pub fn of(
        plan: &TournamentPlan,
        game: &dyn AnyGame,
        known: Option<&[(String, [u8; 32])]>,
    ) -> Result<EventEntrants, InputError> {
        let family = game.family().name;
        let mut field = EventEntrants { entrants: Vec::new(), programs: Vec::new() };
        for player in &plan.players {
            let program = program_of(plan, player)?;
            let text = match (&program, &player.source) {
                (Some(program), _) => program.to_string(),
                (None, PlayerSource::Text(text)) => text.clone(),
                (None, PlayerSource::Command(words)) => words.join(" "),
            };
            let key = match (&program, known) {
                (None, _) => key_of(family, &text),
                (Some(_), Some(known)) => {
                    known.iter().find(|(name, _)| *name == player.name).map_or([0; 32], |(_, key)| *key)
                }
                (Some(program), None) => program.content_key().map_err(|error| {
                    let expected = format!("a program whose files can be read ({error})");
                    InputError::new(format!("player {}", player.name), &text, expected)
                })?,
            };
            field.entrants.push(Entrant {
                name: player.name.clone(),
                // Programs count as deterministic, since it is unknown whether they are: a repeated game is a
                // duplicate.
                is_stochastic: program.is_none() && game.is_stochastic(&game.player(&text)?),
                player: text,
                key,
                anchor: player.anchor,
                rating: player.rating,
                staff: player.staff,
                group: player.group.clone(),
                identifier: player.identifier.clone(),
                students: player.students.clone(),
            });
            field.programs.push(program);
        }
        for grid in &plan.grids {
            for (name, player) in grid.players() {
                let key = key_of(family, &player);
                field.entrants.push(Entrant {
                    name,
                    player,
                    key,
                    group: grid.group.clone(),
                    ..Entrant::default()
                });
                field.programs.push(None);
            }
        }
        Ok(field)
    }

    /// Whether any of them is a program.
    #[must_use]
    pub fn has_programs(&self) -> bool {
        self.programs.iter().any(Option::is_some)
    }

    /// Removes an entrant.
    pub fn remove(&mut self, player: usize) -> Entrant {
        self.programs.remove(player);
        self.entrants.remove(player)
    }

    /// Checks that the protocol of every program supports every board of the plan. Returns notices about old keys in
    /// files of protocols.
    pub fn check(&self, plan: &TournamentPlan, boards: &[String]) -> Result<Vec<String>, InputError> {
        let mut notices: Vec<String> = Vec::new();
        let has_opening = plan.stages.iter().any(|stage| stage.opening_plies > 0);
        for program in self.programs.iter().flatten() {
            let protocol = program.load()?;
            for board in boards {
                protocol.check(board, has_opening, &program.options)?;
            }
            for notice in protocol.notices() {
                if !notices.contains(notice) {
                    notices.push(notice.clone());
                }
            }
        }
        Ok(notices)
    }
}

fn key_of(family: &str, player: &str) -> [u8; 32] {
    *palestra_store::hash(format!("{family}\n{}", key_spelling(player)).as_bytes()).as_bytes()
}

/// The program of a player of a plan; `None` for a built-in player.
fn program_of(plan: &TournamentPlan, player: &PlayerPlan) -> Result<Option<ProgramSpec>, InputError> {
    let mut program = match &player.source {
        PlayerSource::Text(text) if ProgramSpec::is_program_text(text) => text.parse::<ProgramSpec>()?,
        PlayerSource::Text(_) => return Ok(None),
        PlayerSource::Command(words) => ProgramSpec::new(words.clone()),
    };
    if let Some(protocol) = &player.protocol {
        program.protocol = protocol.parse()?;
    }
    if let Some(folder) = &player.folder {
        program.folder = Some(folder.into());
    }
    if let Some(python) = &plan.kaggle_python {
        program.run_with(python)?;
    }
    match player.start.unwrap_or(plan.start) {
        PlanStart::Game => program.start = ProcessLifetime::PerGame,
        PlanStart::Once => {}
    }
    Ok(Some(program))
}

/// All boards of a plan that are listed by name.
#[must_use]
pub fn listed_boards(plan: &TournamentPlan) -> Vec<String> {
    let mut boards: Vec<String> = Vec::new();
    for stage in &plan.stages {
        if let StageBoards::Listed(games) = &stage.boards {
            boards.extend(games.iter().filter(|game| !boards.contains(game)).cloned().collect::<Vec<_>>());
        }
    }
    boards
}
