//! Starting a tuning run: the form, its plan, and the start.

use super::plan::{PlanError, WebResolver};
use super::{PlanForm, error_text, form_with_error, launch, may_start};
use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use palestra_core::{Seed, named_players};
use palestra_review::tuning::{TuningOptions, form_number, new_tuning};
use serde::de::{Deserializer, Error as _};
use std::collections::BTreeMap;

/// The fields of the form, as typed.
#[derive(Clone, Default, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct TuneForm(#[serde(deserialize_with = "fields")] BTreeMap<String, String>);

/// The fields of a form; an error if one is there twice.
fn fields<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let pairs: Vec<(String, String)> = palestra_settings::pairs(deserializer)?;
    let n_pairs = pairs.len();
    let fields: BTreeMap<String, String> = pairs.into_iter().collect();
    match fields.len() == n_pairs {
        true => Ok(fields),
        false => Err(D::Error::custom("a field is given twice")),
    }
}

/// Old names of fields, which stand in saved addresses.
const OLD_FIELDS: [(&str, &str); 2] = [("opponents", "rivals"), ("opening_plies", "openings")];

impl TuneForm {
    /// The text of a field, without spaces around it; empty for none.
    fn text(&self, field: &str) -> &str {
        let old = OLD_FIELDS.iter().find(|(now, _)| *now == field).map_or(field, |(_, old)| old);
        self.0.get(field).or_else(|| self.0.get(old)).map_or("", |text| text.trim())
    }

    /// The text of a field, or what an empty form suggests.
    fn or<'a>(&'a self, field: &str, suggested: &'a str) -> &'a str {
        Some(self.text(field)).filter(|text| !text.is_empty()).unwrap_or(suggested)
    }
}

/// An option of a list.
struct SelectOption {
    name: String,
    about: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "work_tune.html")]
struct Page {
    frame: PageFrame,
    form: TuneForm,
    default_game: &'static str,
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
    viewer: Viewer,
    Query(form): Query<TuneForm>,
) -> Result<Response, HttpError> {
    let frame = viewer.frame(&app, "tune");
    let site = app.clone();
    app.run_with_permit(move || {
        let names = WebResolver::of(&site)?;
        let plan = form.0.contains_key("show").then(|| plan_text(&names, &form));
        answer(frame, form, &names, plan, false)
    })
    .await
}

pub(super) async fn begin(
    State(app): State<App>,
    viewer: Viewer,
    Form(sent): Form<PlanForm>,
) -> Result<Response, HttpError> {
    may_start(&app)?;
    let frame = viewer.frame(&app, "tune");
    let (site, text, is_again) = (app.clone(), sent.plan.clone(), sent.again.is_some());
    let read =
        app.run_with_permit(move || WebResolver::of(&site).map(|names| (names.tuning(&text), names))).await?;
    let plan = match read {
        (Ok(plan), _) => plan,
        (Err(error), names) => {
            let (status, text) = error_text(viewer.language, &error);
            let page = page(frame, TuneForm::default(), &names, (Some(sent.plan), is_again, Some(text)));
            return Ok(form_with_error(status, html(&page)?));
        }
    };
    let new = new_tuning(&plan);
    let run = app.stores.write(move |store| {
        Ok(if is_again { store.begin_run(&new)? } else { store.find_or_begin_run(&new)?.0 })
    });
    launch(&app, &run.await?)
}

/// The plan file of a form.
fn plan_text(names: &WebResolver, form: &TuneForm) -> Result<String, PlanError> {
    let options = TuningOptions::of_form(|field| form.text(field).to_owned())?;
    let seed = form_number("seed", form.text("seed"), 0..=u32::MAX)?.unwrap_or(1);
    let file = options.plan_file(form.text("game"), seed.into(), &[], names.catalog)?;
    Ok(names.resolve_tuning(file)?.to_string())
}

/// The form, with the plan or its error where the plan was requested.
fn answer(
    frame: PageFrame,
    form: TuneForm,
    names: &WebResolver,
    plan: Option<Result<String, PlanError>>,
    is_again: bool,
) -> Result<Response, HttpError> {
    let language = frame.language;
    let (status, shown) = match plan {
        None => (StatusCode::OK, (None, is_again, None)),
        Some(Ok(plan)) => (StatusCode::OK, (Some(plan), is_again, None)),
        Some(Err(error)) => {
            let (status, text) = error_text(language, &error);
            (status, (None, is_again, Some(text)))
        }
    };
    let page = html(&page(frame, form, names, shown))?;
    Ok(if status == StatusCode::OK { page.into_response() } else { form_with_error(status, page) })
}

fn page(
    frame: PageFrame,
    form: TuneForm,
    names: &WebResolver,
    (plan, is_again, complaint): (Option<String>, bool, Option<String>),
) -> Page {
    let sample = sample(names, form.or("game", names.catalog.default_game()));
    let game = names.catalog.open(&sample).ok();
    let evaluations = game.iter().flat_map(|game| game.evaluations());
    let evaluations = evaluations.filter(|texts| !texts.weights().is_empty());
    let choice = |name: &str, about: &str, chosen: &str| SelectOption {
        name: name.to_owned(),
        about: about.to_owned(),
        is_chosen: name == chosen,
    };
    Page {
        evaluations: evaluations
            .map(|texts| choice(texts.name, texts.about, form.text("features")))
            .collect(),
        methods: names
            .methods()
            .map(|info| choice(info.name, info.about, form.or("method", "cmaes")))
            .collect(),
        objectives: palestra_tune::OBJECTIVES
            .iter()
            .map(|(name, about)| choice(name, about, form.text("objective")))
            .collect(),
        players: suggested_players(names, &sample),
        games: suggested_games(names),
        frame,
        default_game: names.catalog.default_game(),
        form,
        plan,
        is_again,
        complaint,
    }
}

/// The game that the form names; one board of a pool.
pub(super) fn sample(names: &WebResolver, text: &str) -> String {
    match names.catalog.pool(text) {
        Ok(pool) => pool.draw(&mut Seed(1).rng()),
        Err(_) => text.to_owned(),
    }
}

/// Games and pools that the form suggests, each with a title.
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

/// Named players of a game: policies, those of its family, and champions of the store.
pub(super) fn suggested_players(names: &WebResolver, game: &str) -> Vec<String> {
    let Ok(game) = names.catalog.open(game) else { return Vec::new() };
    let family = game.family();
    let fits = |player: &str| game.player(player).is_ok();
    let known = named_players(family.players).filter(|player| fits(player.player)).map(|p| p.name.to_owned());
    let champions = names.champions.iter().filter(|[_, _, player]| fits(player));
    let policies = ["random", "first", "last"].map(str::to_owned);
    policies.into_iter().chain(known).chain(champions.map(|[name, ..]| format!("@{name}"))).collect()
}
