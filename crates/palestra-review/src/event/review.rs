//! The review of an event, finished or in progress: its standings and the games of its schedule.
//!
//! `palestra event`, the static site and the page read events through this module. It plays no game.

use super::{
    Audience, EventEntrants, EventNotes, EventReport, PlayComparison, StageStandings, StoredPlan, board_of,
    control_of, open_boards, read_stored, terms_of,
};
use crate::ReviewError;
use palestra_arena::{Catalog, GameRecord};
use palestra_core::Progress;
use palestra_engine::ProgramSpec;
use palestra_store::{EventGame, EventPlace, Run, RunState, Store, StoreError};
use palestra_tournament::formats::Stages;
use palestra_tournament::{
    Format, GameConditions, GameKey, GameRunner, GameStore, ResultSink, ScheduledGame, Standings,
    StandingsInput, TournamentDriver, TournamentError, TournamentPlan, TournamentResults,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of players that are rated: for more, the ratings take too long.
const MAX_RATED: usize = 20_000;

/// An event with the data of all its outputs.
#[derive(Clone, Debug)]
pub struct EventReview {
    /// The event in the store.
    pub run: Run,
    /// Its plan.
    pub plan: TournamentPlan,
    /// Its entrants.
    pub field: EventEntrants,
    /// The results of all pairings.
    pub results: TournamentResults,
    /// A description of the format and the game.
    pub what: String,
    /// What was noted while it was played.
    pub noted: EventNotes,
    /// The conditions that its games depend on.
    pub terms: GameConditions,
    /// Programs that play the same, by [`EventReview::compare_play`].
    pub play: PlayComparison,
    /// Who reads its outputs.
    pub audience: Audience,
    stages: Vec<StageStandings>,
}

impl EventReview {
    /// An event of the store, finished or not.
    pub fn open(store: &Store, run: Run, catalog: &'static Catalog) -> Result<EventReview, ReviewError> {
        let games = store.event_games(run.id)?;
        EventReview::with_games(run, &games, catalog)
    }

    /// The same with games that were already read.
    pub fn with_games(
        run: Run,
        games: &[EventGame],
        catalog: &'static Catalog,
    ) -> Result<EventReview, ReviewError> {
        let known =
            games.iter().map(|game| (GameKey(game.key), Arc::new(game.game.record.clone()))).collect();
        EventReview::with_records(run, &known, catalog)
    }

    /// The same with the records of games, for callers that cache them and add new ones.
    pub fn with_records(
        run: Run,
        known: &BTreeMap<GameKey, Arc<GameRecord>>,
        catalog: &'static Catalog,
    ) -> Result<EventReview, ReviewError> {
        let StoredPlan { plan, keys, left_out } = read_stored(&run, catalog)?;
        let boards = open_boards(&plan, catalog)?;
        let field = EventEntrants::of(&plan, board_of(&boards)?, Some(&keys))?;
        let is_over = run.state != RunState::Running;
        let mut review = replay(run, plan, field, known, catalog)?;
        // While games are played the page asks often.
        if is_over {
            review.compare_play(catalog);
        }
        // Until the event ends, only its plan has them.
        if review.noted.left_out.is_empty() {
            review.noted.left_out = left_out;
        }
        Ok(review)
    }

    /// An event that was just played, with its results, its format and a description of the format.
    #[must_use]
    pub fn new(
        run: Run,
        plan: TournamentPlan,
        field: EventEntrants,
        terms: GameConditions,
        (results, format, what): (TournamentResults, &Stages, String),
        noted: EventNotes,
    ) -> EventReview {
        let stage = |(i, stage): (usize, &palestra_tournament::StagePlan)| {
            let placing = format.placing_of(i, &results);
            let scope = StandingsInput {
                entrants: &field.entrants,
                field: format.field_of(i)?,
                stage: i as u32,
                points: &stage.points,
                tie_breaks: &plan.tie_breaks,
                placing: placing.as_deref(),
                rate: field.entrants.len() <= MAX_RATED,
            };
            Some(StageStandings { name: stage.name.clone(), standings: Standings::of(&results, &scope) })
        };
        let stages = plan.stages.iter().enumerate().map_while(stage).collect();
        EventReview {
            run,
            plan,
            field,
            results,
            what,
            noted,
            terms,
            play: PlayComparison::default(),
            audience: Audience::Staff,
            stages,
        }
    }

    /// The report that outputs are made from; `None` where no stage has begun.
    #[must_use]
    pub fn report(&self) -> Option<EventReport<'_>> {
        let last = self.stages.len().checked_sub(1)?;
        Some(EventReport {
            run: &self.run,
            what: &self.what,
            entrants: &self.field.entrants,
            results: &self.results,
            stages: &self.stages,
            points: &self.plan.stages[last].points,
            tie_breaks: &self.plan.tie_breaks,
            marks: &self.plan.marks,
            noted: &self.noted,
            play: &self.play,
            audience: self.audience,
        })
    }

    /// The stored games of the schedule, in its order and with the present names of the players.
    pub fn games(&self, store: &Store) -> Result<Vec<EventGame>, StoreError> {
        Ok(self.scheduled(&store.event_games(self.run.id)?))
    }

    /// Those of the stored games that the schedule has, in its order and with the present names of the players.
    #[must_use]
    pub fn scheduled(&self, stored: &[EventGame]) -> Vec<EventGame> {
        let by_key: BTreeMap<[u8; 32], &EventGame> = stored.iter().map(|game| (game.key, game)).collect();
        let mut games = Vec::new();
        for pair_result in self.results.pair_results() {
            let pairing = &pair_result.pairing;
            for played in pair_result.played() {
                let key = GameKey::new(pairing, played.game_index, &self.field.entrants, &self.terms);
                let [first, second] = played.seats.map(|seat| self.field.entrants[seat].name.clone());
                if let Some(game) = by_key.get(&key.0) {
                    let place = EventPlace { round: pairing.round, first, second };
                    games.push(EventGame { place, ..(*game).clone() });
                }
            }
        }
        games
    }

    /// Number of forfeited games.
    #[must_use]
    pub fn n_forfeits(&self) -> usize {
        let played = self.results.pair_results().iter().flat_map(palestra_tournament::PairResult::played);
        played.filter(|game| game.record.forfeit.is_some()).count()
    }

    /// Calls `map` with each game and its evidence, and collects the results. Only games of programs have evidence.
    pub fn with_evidence<T>(
        &self,
        games: &[EventGame],
        store: &Store,
        mut map: impl FnMut(&EventGame) -> T,
    ) -> Result<Vec<T>, StoreError> {
        let mut mapped = Vec::with_capacity(games.len());
        for game in games {
            let has_programs = ProgramSpec::is_program_text(&game.game.first)
                || ProgramSpec::is_program_text(&game.game.second);
            if has_programs {
                let mut game = game.clone();
                game.game.record.evidence = store.event_game(game.id)?.1.game.record.evidence;
                mapped.push(map(&game));
            } else {
                mapped.push(map(game));
            }
        }
        Ok(mapped)
    }
}

/// Runs the schedule again with the known games, without playing any.
fn replay(
    run: Run,
    plan: TournamentPlan,
    field: EventEntrants,
    known: &BTreeMap<GameKey, Arc<GameRecord>>,
    catalog: &'static Catalog,
) -> Result<EventReview, ReviewError> {
    let terms = terms_of(&field, &control_of(&plan)?);
    let store = KnownGames(known);
    let mut format = plan.open(&field.entrants, Some(catalog))?;
    let what = format.describe();
    let mut results = TournamentResults::new(field.entrants.len(), plan.quarantine);
    // Ended before its start: nothing is missing, and an adaptive format schedules nothing new.
    let progress = Progress::default();
    progress.cancel();
    progress.end_time();
    let driver = TournamentDriver {
        entrants: &field.entrants,
        conditions: &terms,
        runner: &ReadOnlyRunner,
        store: &store,
        progress: &progress,
        observer: &(),
    };
    driver.run(&mut format, &mut results).map_err(ReviewError::Failed)?;
    let outcome: serde_json::Value = serde_json::from_str(run.outcome.as_deref().unwrap_or("null"))
        .map_err(|error| ReviewError::Failed(error.into()))?;
    let noted = serde_json::from_value(outcome).unwrap_or_default();
    Ok(EventReview::new(run, plan, field, terms, (results, &format, what), noted))
}

/// A store of games that only finds known ones.
struct KnownGames<'a>(&'a BTreeMap<GameKey, Arc<GameRecord>>);

impl GameStore for KnownGames<'_> {
    fn find(&self, keys: &[GameKey]) -> Result<Vec<Option<Arc<GameRecord>>>, TournamentError> {
        Ok(keys.iter().map(|key| self.0.get(key).cloned()).collect())
    }

    fn keep(&self, _order: &ScheduledGame, _record: GameRecord) -> Result<Arc<GameRecord>, TournamentError> {
        unreachable!("nothing is played, so nothing is kept")
    }
}

/// A runner that plays no games.
struct ReadOnlyRunner;

impl GameRunner for ReadOnlyRunner {
    fn play(&self, _games: &[ScheduledGame], _sink: &dyn ResultSink) -> Result<(), TournamentError> {
        Ok(())
    }
}
