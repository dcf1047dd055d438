//! An event as far as it has come: the tables, the games of its schedule, and where all of that is written.

use super::field::Field;
use crate::cli::args_event::Exports;
use crate::cli::event::{
    self, Event, Look, Stage, crosstable, final_table, game_line, game_text, gradebook, summary, superiority,
    write_site,
};
use crate::cli::output::{Output, note, write_file};
use anyhow::Result;
use palestra_store::{EventGame, Run, Store};
use palestra_tournament::formats::Stages;
use palestra_tournament::{GameKey, Plan, Results, Scope, Standings, Terms};
use std::collections::BTreeMap;

/// Ratings of more players than this are not worth the wait.
const MOST_RATED: usize = 20_000;

/// Crosstables of more players than this do not fit a terminal.
const MOST_CROSSED: usize = 24;

/// An event, with everything that its outputs are made of.
pub(super) struct Review<'a> {
    pub(super) run: Run,
    pub(super) plan: &'a Plan,
    pub(super) field: &'a Field,
    pub(super) results: Results,
    pub(super) what: String,
    pub(super) warnings: Vec<String>,
    pub(super) terms: Terms,
    stages: Vec<Stage>,
}

impl<'a> Review<'a> {
    pub(super) fn new(
        run: Run,
        plan: &'a Plan,
        field: &'a Field,
        terms: Terms,
        (results, format, what): (Results, &Stages, String),
        warnings: Vec<String>,
    ) -> Review<'a> {
        let stage = |(i, stage): (usize, &palestra_tournament::StagePlan)| {
            let placing = format.placing_of(i, &results);
            let scope = Scope {
                entrants: &field.entrants,
                field: format.field_of(i)?,
                stage: i as u32,
                points: &stage.points,
                tie_breaks: &plan.tie_breaks,
                placing: placing.as_deref(),
                rate: field.entrants.len() <= MOST_RATED,
            };
            Some(Stage { name: stage.name.clone(), standings: Standings::of(&results, &scope) })
        };
        let stages = plan.stages.iter().enumerate().map_while(stage).collect();
        Review { run, plan, field, results, what, warnings, terms, stages }
    }

    /// The event, as its outputs see it.
    pub(super) fn event(&self) -> Option<Event<'_>> {
        let last = self.stages.len().checked_sub(1)?;
        Some(Event {
            run: &self.run,
            what: &self.what,
            entrants: &self.field.entrants,
            results: &self.results,
            stages: &self.stages,
            points: &self.plan.stages[last].points,
            tie_breaks: &self.plan.tie_breaks,
            marks: &self.plan.marks,
            warnings: &self.warnings,
        })
    }

    /// The games of the schedule, in its order, under the names that their players have now.
    pub(super) fn games(&self, store: &Store) -> Result<Vec<EventGame>> {
        let kept = store.event_games(self.run.id)?;
        let by_key: BTreeMap<[u8; 32], &EventGame> = kept.iter().map(|game| (game.key, game)).collect();
        let mut games = Vec::new();
        for meeting in self.results.meetings() {
            for played in meeting.played() {
                let key = GameKey::new(&meeting.encounter, played.half, &self.field.entrants, &self.terms);
                let [first, second] = played.seats.map(|seat| self.field.entrants[seat].name.clone());
                if let Some(game) = by_key.get(&key.0) {
                    games.push(EventGame {
                        first,
                        second,
                        round: meeting.encounter.round,
                        ..(*game).clone()
                    });
                }
            }
        }
        Ok(games)
    }

    /// How many games were forfeited.
    pub(super) fn n_forfeits(&self) -> usize {
        let played = self.results.meetings().iter().flat_map(palestra_tournament::Meeting::played);
        played.filter(|game| game.record.forfeit.is_some()).count()
    }

    /// Prints the result.
    pub(super) fn print(&self, output: &mut Output) -> Result<()> {
        let Some(event) = self.event() else { return output.line("nothing was played yet") };
        if output.json {
            return output.json(&summary(&event));
        }
        let look = Look { color: output.color, ..Look::default() };
        output.line(final_table(&event, look).trim_end())?;
        let standings = &self.stages[self.stages.len() - 1].standings;
        if (3..=MOST_CROSSED).contains(&standings.rows.len()) {
            output.line("")?;
            output.line(crosstable(standings, look).trim_end())?;
        }
        Ok(())
    }

    /// How likely each player is better than each other.
    pub(super) fn superiority(&self, look: Look) -> String {
        self.stages.last().map_or_else(String::new, |stage| superiority(&stage.standings, look))
    }

    /// Writes whatever else was asked for.
    pub(super) fn export(&self, exports: &Exports, store: &Store) -> Result<()> {
        let Some(event) = self.event() else { return Ok(()) };
        if let Some(path) = &exports.csv {
            write_file(path, &gradebook(&event))?;
        }
        if exports.pgn.is_none() && exports.jsonl.is_none() && exports.site.is_none() {
            return Ok(());
        }
        let games = self.games(store)?;
        if let Some(path) = &exports.pgn {
            let texts: Vec<String> =
                self.with_evidence(&games, store, |game| game_text(&self.run.name, game))?;
            write_file(path, texts.concat().as_bytes())?;
        }
        if let Some(path) = &exports.jsonl {
            let lines: Vec<String> =
                self.with_evidence(&games, store, |game| format!("{}\n", game_line(&self.run.name, game)))?;
            write_file(path, lines.concat().as_bytes())?;
        }
        if let Some(folder) = &exports.site {
            let games = self.with_evidence(&games, store, Clone::clone)?;
            let written = write_site(&event, &games, folder)?;
            note(format_args!(
                "{}: {} files, {:.1} MB; open {}",
                folder.display(),
                written.n_files,
                written.n_bytes as f64 / 1e6,
                folder.join("index.html").display()
            ));
        }
        Ok(())
    }

    /// Goes through the games with what was kept beside them, where anything was.
    pub(super) fn with_evidence<T>(
        &self,
        games: &[EventGame],
        store: &Store,
        mut see: impl FnMut(&EventGame) -> T,
    ) -> Result<Vec<T>> {
        let mut seen = Vec::with_capacity(games.len());
        for game in games {
            let has_programs = palestra_engine::ProgramSpec::is_meant(&game.game.first)
                || palestra_engine::ProgramSpec::is_meant(&game.game.second);
            if has_programs {
                let evidence = store.event_game(game.id)?.1.evidence;
                seen.push(see(&EventGame { evidence, ..game.clone() }));
            } else {
                seen.push(see(game));
            }
        }
        Ok(seen)
    }
}

pub(super) use event::{game_list, player_page};
