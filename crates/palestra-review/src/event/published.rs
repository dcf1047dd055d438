//! What may be published of an event: no text that a program wrote, nothing about the machine, nothing that only the
//! organizers need.
//!
//! A program can write what it read, and its errors name folders and the machine. So a published event has neither its
//! standard error nor its dialogue, no details of failures, no commands and no identifiers of students.

use super::{EventNotes, EventReview, LeftOutPlayer, PlayComparison};
use palestra_arena::{EngineLog, GameEvidence};
use palestra_engine::ProgramSpec;
use palestra_store::{EventGame, StoredGame};
use palestra_tournament::{PlayerPlan, PlayerSource, TournamentPlan};

/// Who reads an output of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// The organizers, and each student about the own program.
    Staff,
    /// Everybody: the exported site.
    Public,
}

/// What stands for a program where its command is not published.
pub const PUBLISHED_PROGRAM: &str = "cmd:…";

/// What stands for the reason why a player was left out.
const LEFT_OUT: &str = "its program could not take part";

impl EventReview {
    /// The event as everybody may see it.
    #[must_use]
    pub fn published(&self) -> EventReview {
        let mut review = self.clone();
        for (entrant, program) in review.field.entrants.iter_mut().zip(&mut review.field.programs) {
            if program.take().is_some() {
                entrant.player = PUBLISHED_PROGRAM.to_owned();
            }
            entrant.identifier = None;
            entrant.students = Vec::new();
        }
        review.plan = plan(&self.plan);
        review.run.plan = review.plan.to_string();
        review.run.outcome = None;
        review.noted = notes(&self.noted);
        review.play = PlayComparison::default();
        review.audience = Audience::Public;
        review
    }
}

/// A game as everybody may see it: its moves, times and values, and the kind of a failure.
#[must_use]
pub fn published_game(game: &EventGame) -> EventGame {
    EventGame { game: published_record(&game.game), ..game.clone() }
}

/// The same for a game without its place in an event.
#[must_use]
pub fn published_record(game: &StoredGame) -> StoredGame {
    let mut published = game.clone();
    for player in [&mut published.first, &mut published.second] {
        if ProgramSpec::is_program_text(player) {
            PUBLISHED_PROGRAM.clone_into(player);
        }
    }
    if let Some(forfeit) = &mut published.record.forfeit {
        forfeit.detail = String::new();
    }
    published.record.evidence = game.record.evidence.as_ref().map(|evidence| {
        let (first, second) = (EngineLog::default(), EngineLog::default());
        Box::new(GameEvidence { first, second, ..evidence.as_ref().clone() })
    });
    published
}

/// A plan without commands, folders and identifiers.
fn plan(plan: &TournamentPlan) -> TournamentPlan {
    let player = |player: &PlayerPlan| {
        let is_program = match &player.source {
            PlayerSource::Text(text) => ProgramSpec::is_program_text(text),
            PlayerSource::Command(_) => true,
        };
        let mut published =
            PlayerPlan { folder: None, identifier: None, students: Vec::new(), ..player.clone() };
        if is_program {
            published.source = PlayerSource::Text(PUBLISHED_PROGRAM.to_owned());
            // The protocol may be a file.
            published.protocol = None;
        }
        published
    };
    let players = plan.players.iter().map(player).collect();
    TournamentPlan { players, patterns: Vec::new(), ..plan.clone() }
}

fn notes(noted: &EventNotes) -> EventNotes {
    let left_out = noted.left_out.iter().map(|left_out| LeftOutPlayer {
        player: left_out.player.clone(),
        reason: LEFT_OUT.to_owned(),
        group: left_out.group.clone(),
        ..LeftOutPlayer::default()
    });
    let left_out: Vec<LeftOutPlayer> = left_out.collect();
    let sentence = |left_out: &LeftOutPlayer| format!("{} is left out: {LEFT_OUT}", left_out.player);
    EventNotes { warnings: left_out.iter().map(sentence).collect(), left_out }
}
