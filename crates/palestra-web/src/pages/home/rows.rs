//! Runs, champions and games as rows of the home page.

use crate::http_error::HttpError;
use crate::pages::run::formatting::{self, RunProgressBar};
use crate::viewer::Language;
use palestra_core::Side;
use palestra_review::grouped;
use palestra_review::tuning::COMPARISON;
use palestra_settings::Document;
use palestra_store::{EVENT, Run, RunState, RunSummary, Store, StoredGame};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Plans and outcomes with more bytes are not parsed for a row.
const MAX_BYTES: usize = 1 << 20;

/// Limits on the champions and games of people that are shown.
const MAX_CHAMPIONS: usize = 12;
const MAX_GAMES: usize = 10;

/// A row of a run or an event.
pub(super) struct RunRow {
    pub(super) name: String,
    pub(super) href: String,
    /// `event`, `tuning` or `comparison of methods`, in the page's language.
    pub(super) kind: &'static str,
    /// Player, boards and method or format.
    pub(super) what: String,
    pub(super) state: &'static str,
    pub(super) state_class: &'static str,
    pub(super) games: String,
    pub(super) n_games: String,
    pub(super) created: String,
    pub(super) when: String,
    pub(super) result: String,
    pub(super) progress: Option<RunProgressBar>,
}

impl RunRow {
    pub(super) fn of(store: &Store, summary: RunSummary, language: Language) -> Result<RunRow, HttpError> {
        let run = store.run_by_id(summary.id)?;
        let is_running = summary.state == RunState::Running;
        Ok(RunRow {
            href: formatting::address(&summary.kind, &summary.name),
            kind: match summary.kind.as_str() {
                EVENT => language.pick("event", "torneo"),
                COMPARISON => language.pick("comparison of methods", "comparación de métodos"),
                _ => language.pick("tuning", "ajuste"),
            },
            what: what(&run),
            state: formatting::state(language, summary.state),
            state_class: summary.state.name(),
            games: formatting::games(language, summary.n_games),
            n_games: grouped(summary.n_games),
            when: formatting::timestamp(&summary.created),
            created: summary.created,
            result: result(&run, language),
            progress: is_running.then(|| RunProgressBar::of(store, summary.id, language)).flatten(),
            name: summary.name,
        })
    }
}

/// The player, the boards and the method or format, as the plan has them.
fn what(run: &Run) -> String {
    if run.plan.len() > MAX_BYTES {
        return String::new();
    }
    let plan = Document::parse(&run.plan, &run.name).and_then(|plan| plan.read::<Map<String, Value>>());
    let Ok(plan) = plan else { return String::new() };
    let keys = ["player", "games", "boards", "game", "pool", "format", "method"];
    let texts: Vec<String> = keys.iter().filter_map(|key| text_of(plan.get(*key)?)).collect();
    texts.join(" · ")
}

/// A string, the first of a list, or the `name` of a table.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(all) if all.len() > 1 => Some(format!("{} …", text_of(&all[0])?)),
        Value::Array(all) => text_of(all.first()?),
        Value::Object(table) => text_of(table.get("name")?),
        _ => None,
    }
}

/// The part of an outcome that a row shows.
#[derive(Deserialize)]
struct OutcomeSummary {
    verification: Option<VerificationSummary>,
    #[serde(default)]
    standings: Vec<OutcomeStanding>,
    /// The champion of a tuning run.
    best: Option<String>,
}

#[derive(Deserialize)]
struct VerificationSummary {
    better: Option<bool>,
}

#[derive(Deserialize)]
struct OutcomeStanding {
    player: String,
}

/// The result in a few words.
fn result(run: &Run, language: Language) -> String {
    let text = run.outcome.as_deref().filter(|text| text.len() <= MAX_BYTES);
    let Some(outcome) = text.and_then(|text| serde_json::from_str::<OutcomeSummary>(text).ok()) else {
        return String::new();
    };
    match (outcome.standings.first(), outcome.verification, outcome.best) {
        (Some(first), ..) => format!("{}: {}", language.pick("first", "primero"), first.player),
        (None, Some(VerificationSummary { better: Some(true) }), _) => {
            language.pick("a better champion", "un campeón mejor").to_owned()
        }
        (None, Some(VerificationSummary { better: Some(false) }), _) => {
            language.pick("not better", "no es mejor").to_owned()
        }
        (None, Some(VerificationSummary { better: None }), _) => {
            language.pick("not decided", "sin decidir").to_owned()
        }
        (None, None, Some(_)) => language.pick("not tested", "sin probar").to_owned(),
        (None, None, None) => String::new(),
    }
}

/// A champion, with the URL to play against it.
pub(super) struct ChampionCard {
    pub(super) name: String,
    pub(super) game: String,
    pub(super) play: String,
    /// Name and URL of its run.
    pub(super) run: Option<(String, String)>,
}

/// The newest champions, and the number of others.
pub(super) fn champions(store: &Store) -> Result<(Vec<ChampionCard>, usize), HttpError> {
    let mut all = store.champions()?;
    all.sort_by(|a, b| b.created.cmp(&a.created));
    let n_more = all.len().saturating_sub(MAX_CHAMPIONS);
    all.truncate(MAX_CHAMPIONS);
    let card = |champion: palestra_store::Champion| ChampionCard {
        play: formatting::play_address(&champion.game, &format!("@{}", champion.name)),
        // Its run may have been deleted.
        run: champion
            .run
            .and_then(|run| store.run_summary(run).ok())
            .map(|run| (run.name.clone(), formatting::address(&run.kind, &run.name))),
        name: champion.name,
        game: champion.game,
    };
    Ok((all.into_iter().map(card).collect(), n_more))
}

/// A game that a person played.
pub(super) struct HumanGame {
    pub(super) id: i64,
    /// The two players.
    pub(super) words: String,
    pub(super) game: String,
    pub(super) result: String,
}

/// The newest games that belong to no run.
pub(super) fn human_games(store: &Store, language: Language) -> Result<Vec<HumanGame>, HttpError> {
    let shown = |(id, game): (i64, StoredGame)| HumanGame {
        id,
        words: format!("{} – {}", short(&game.first), short(&game.second)),
        result: match game.record.winner {
            Some(Side::First) => language.pick("the first side won", "ganó el primer bando"),
            Some(Side::Second) => language.pick("the second side won", "ganó el segundo bando"),
            None => language.pick("drawn", "empate"),
        }
        .to_owned(),
        game: game.game,
    };
    Ok(store.games_page(None, None, MAX_GAMES)?.into_iter().map(shown).collect())
}

/// The first 40 characters of a player string, which may have many weights.
fn short(player: &str) -> String {
    match player.char_indices().nth(40) {
        None => player.to_owned(),
        Some((end, _)) => format!("{}…", &player[..end]),
    }
}
