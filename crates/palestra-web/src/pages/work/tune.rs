//! A run of tuning: a form, the plan it stands for, and the start.

use super::plan::{PlanError, WebResolver};
use super::{PlanForm, complaint, form_again, launch, may_start};
use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use palestra_core::{InputError, Seed, named_players};
use palestra_review::tuning::{TuningOptions, new_tuning};

/// What the form asks for, as it was typed.
#[derive(Clone, Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct TuneForm {
    game: String,
    features: String,
    search: String,
    method: String,
    objective: String,
    rivals: String,
    budget: String,
    openings: String,
    pairs: String,
    seed: String,
    /// Whether the plan is asked for, and not only the form.
    show: Option<String>,
}

/// A choice of a list.
struct SelectOption {
    name: String,
    about: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "work_tune.html")]
struct Page {
    frame: PageFrame,
    words: TuneForm,
    games: Vec<(String, String)>,
    evaluations: Vec<SelectOption>,
    methods: Vec<SelectOption>,
    objectives: Vec<SelectOption>,
    players: Vec<String>,
    plan: Option<String>,
    is_again: bool,
    complaint: Option<String>,
}

pub(super) async fn show(
    State(app): State<App>,
    visitor: Viewer,
    Query(words): Query<TuneForm>,
) -> Result<Response, HttpError> {
    let frame = visitor.frame(&app, "tune");
    let is_asked = words.show.is_some();
    let shown = app.clone();
    app.run_with_permit(move || {
        let names = WebResolver::of(&shown)?;
        let plan = is_asked
            .then(|| draft(&words).map_err(PlanError::from).and_then(|draft| written(&names, &draft)));
        answer(frame, words, &names, plan, false)
    })
    .await
}

pub(super) async fn begin(
    State(app): State<App>,
    visitor: Viewer,
    Form(sent): Form<PlanForm>,
) -> Result<Response, HttpError> {
    may_start(&app)?;
    let frame = visitor.frame(&app, "tune");
    let (shown, text, is_again) = (app.clone(), sent.plan.clone(), sent.again.is_some());
    let read = app
        .run_with_permit(move || WebResolver::of(&shown).map(|names| (names.tuning(&text), names)))
        .await?;
    let plan = match read {
        (Ok(plan), _) => plan,
        (Err(wrong), names) => {
            let (status, words) = complaint(visitor.language, &wrong);
            let page = page(frame, TuneForm::default(), &names, (Some(sent.plan), is_again, Some(words)));
            return Ok(form_again(status, html(&page)?));
        }
    };
    let new = new_tuning(&plan);
    let run = app.stores.write(move |store| {
        Ok(if is_again { store.begin_run(&new)? } else { store.find_or_begin_run(&new)?.0 })
    });
    launch(&app, &run.await?)
}

/// The plan that a draft stands for, as the file.
fn written(names: &WebResolver, draft: &TuningOptions) -> Result<String, PlanError> {
    Ok(names.tuning(&draft.text(names.catalog)?)?.to_string())
}

/// What the form says, as a draft.
fn draft(words: &TuneForm) -> Result<TuningOptions, InputError> {
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let player = given(&words.features).map(|features| {
        let search = given(&words.search).unwrap_or_else(|| "greedy".to_owned());
        format!("{search}/{features}")
    });
    Ok(TuningOptions {
        game: words.game.trim().to_owned(),
        player,
        features: None,
        method: given(&words.method),
        objective: given(&words.objective),
        rivals: words.rivals.lines().filter_map(given).collect(),
        budget: given(&words.budget),
        openings: number("openings", &words.openings)?,
        pairs: number("pairs", &words.pairs)?,
        settings: Vec::new(),
        seed: number("seed", &words.seed)?.unwrap_or(1).into(),
    })
}

/// A whole number, where one was given.
pub(super) fn number(place: &str, text: &str) -> Result<Option<u32>, InputError> {
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| InputError::new(place, text, "a whole number")),
    }
}

/// The form, and the plan or what is wrong with it where one was asked for.
fn answer(
    frame: PageFrame,
    words: TuneForm,
    names: &WebResolver,
    plan: Option<Result<String, PlanError>>,
    is_again: bool,
) -> Result<Response, HttpError> {
    let language = frame.language;
    let (status, shown) = match plan {
        None => (StatusCode::OK, (None, is_again, None)),
        Some(Ok(plan)) => (StatusCode::OK, (Some(plan), is_again, None)),
        Some(Err(wrong)) => {
            let (status, words) = complaint(language, &wrong);
            (status, (None, is_again, Some(words)))
        }
    };
    let page = html(&page(frame, words, names, shown))?;
    Ok(if status == StatusCode::OK { page.into_response() } else { form_again(status, page) })
}

fn page(
    frame: PageFrame,
    mut words: TuneForm,
    names: &WebResolver,
    (plan, is_again, complaint): (Option<String>, bool, Option<String>),
) -> Page {
    let usual = [
        (&mut words.game, "connect4"),
        (&mut words.search, "greedy"),
        (&mut words.method, "cmaes"),
        (&mut words.budget, "20s"),
        (&mut words.openings, "4"),
        (&mut words.pairs, "1"),
        (&mut words.seed, "1"),
    ];
    for (word, usual) in usual {
        if word.trim().is_empty() {
            usual.clone_into(word);
        }
    }
    let sample = sample(names, words.game.trim());
    let game = names.catalog.open(&sample).ok();
    let evaluations = game.iter().flat_map(|game| game.evaluations());
    let evaluations = evaluations.filter(|texts| !texts.weights().is_empty());
    let choice = |name: &str, about: &str, chosen: &str| SelectOption {
        name: name.to_owned(),
        about: about.to_owned(),
        is_chosen: name == chosen,
    };
    Page {
        evaluations: evaluations.map(|texts| choice(texts.name, texts.about, &words.features)).collect(),
        methods: names.methods().map(|info| choice(info.name, info.about, &words.method)).collect(),
        objectives: palestra_tune::OBJECTIVES
            .iter()
            .map(|(name, about)| choice(name, about, &words.objective))
            .collect(),
        players: suggested_players(names, &sample),
        games: suggested_games(names),
        frame,
        words,
        plan,
        is_again,
        complaint,
    }
}

/// A game of what was typed: a pool gives one of its boards.
pub(super) fn sample(names: &WebResolver, text: &str) -> String {
    match names.catalog.pool(text) {
        Ok(pool) => (pool.draw)(&mut Seed(1).rng()),
        Err(_) => text.to_owned(),
    }
}

/// Games and pools to choose from, each with a title.
pub(super) fn suggested_games(names: &WebResolver) -> Vec<(String, String)> {
    let mut games = Vec::new();
    for family in names.catalog.families() {
        let title = family.title.to_owned();
        games.extend(family.aliases.iter().map(|(alias, _)| ((*alias).to_owned(), title.clone())));
        games.extend(family.samples.iter().map(|game| ((*game).to_owned(), title.clone())));
        let pools = family.pools.iter();
        games.extend(pools.map(|pool| (format!("{}/{}", family.name, pool.name), pool.about.to_owned())));
    }
    games
}

/// Players of a game that have names: those of its family, policies, and champions of the store.
pub(super) fn suggested_players(names: &WebResolver, game: &str) -> Vec<String> {
    let Ok(game) = names.catalog.open(game) else { return Vec::new() };
    let family = game.family();
    let fits = |player: &str| game.player(player).is_ok();
    let known = named_players(family.players).filter(|player| fits(player.player)).map(|p| p.name.to_owned());
    let champions = names.champions.iter().filter(|[_, _, player]| fits(player));
    let policies = ["random", "first", "last"].map(str::to_owned);
    policies.into_iter().chain(known).chain(champions.map(|[name, ..]| format!("@{name}"))).collect()
}
