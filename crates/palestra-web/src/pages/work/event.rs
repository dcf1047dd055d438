//! Starting an event: the form, its plan, and the start.

use super::plan::{PlanError, WebResolver};
use super::tune::{sample, suggested_games, suggested_players};
use super::{PlanForm, error_text, form_with_error, launch, may_start};
use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::extract::{Form, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use palestra_core::InputError;
use palestra_review::event::{EventOptions, new_event};
use palestra_review::tuning::form_number;
use palestra_store::{EVENT, NewRun, Run, Store, StoreError};
use palestra_tournament::formats::{FORMATS, FormatKey, KeyKind, all_keys};
use std::collections::BTreeMap;

/// The fields of the form, as typed.
#[derive(Clone, Default, serde::Deserialize)]
#[serde(default)]
pub(super) struct EventForm {
    game: String,
    format: String,
    players: String,
    staff: String,
    #[serde(alias = "opening-plies")]
    opening_plies: String,
    seed: String,
    name: String,
    /// Set by the button that shows the plan below the form.
    show: Option<String>,
    /// Keys of formats, and anything else.
    #[serde(flatten)]
    keys: BTreeMap<String, String>,
}

/// The field of a key of a format.
struct KeyField {
    key: &'static FormatKey,
    label: &'static str,
    value: String,
    is_flag: bool,
    step: &'static str,
}

#[derive(Template)]
#[template(path = "work_event.html")]
struct Page {
    frame: PageFrame,
    words: EventForm,
    games: Vec<(String, String)>,
    /// Name, description, whether it is selected.
    formats: Vec<(&'static str, &'static str, bool)>,
    keys: Vec<KeyField>,
    players: Vec<String>,
    plan: Option<String>,
    complaint: Option<String>,
}

pub(super) async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Query(form): Query<EventForm>,
) -> Result<Response, HttpError> {
    let frame = viewer.frame(&app, "event");
    let site = app.clone();
    app.run_with_permit(move || {
        let names = WebResolver::of(&site)?;
        let plan = form.show.is_some().then(|| plan_text(&names, &form));
        match plan {
            None => Ok(html(&page(frame, form, &names, None, None))?.into_response()),
            Some(Ok(plan)) => Ok(html(&page(frame, form, &names, Some(plan), None))?.into_response()),
            Some(Err(error)) => refused(frame, form, &names, None, &error),
        }
    })
    .await
}

pub(super) async fn begin(
    State(app): State<App>,
    viewer: Viewer,
    Form(sent): Form<PlanForm>,
) -> Result<Response, HttpError> {
    may_start(&app)?;
    let frame = viewer.frame(&app, "event");
    let (site, text) = (app.clone(), sent.plan.clone());
    let (read, names) =
        app.run_with_permit(move || WebResolver::of(&site).map(|names| (names.event(&text), names))).await?;
    let begun = match read {
        Err(error) => Err(error),
        Ok((plan, entrants)) => {
            let new = new_event(&plan, &entrants, &[]);
            app.stores.write(move |store| begin_event(store, &new)).await?
        }
    };
    match begun {
        Ok(run) => launch(&app, &run),
        Err(error) => refused(frame, EventForm::default(), &names, Some(sent.plan), &error),
    }
}

/// The event in the store; an event with the same name and another plan is not changed.
fn begin_event(store: &mut Store, new: &NewRun) -> Result<Result<Run, PlanError>, HttpError> {
    match store.run(&new.stem) {
        Ok(run) if run.kind != EVENT || !new.has_plan_of(&run) => {
            Ok(Err(PlanError::NameTaken(new.stem.clone())))
        }
        Ok(_) | Err(StoreError::NoRun { .. }) => match store.find_or_begin_event(new) {
            Ok((run, _)) => Ok(Ok(run)),
            Err(StoreError::BadName { name, .. }) => {
                let expected = "a letter, then letters, digits, '-', '_' or '.', at most 100 in all";
                Ok(Err(InputError::new("name", name, expected).into()))
            }
            Err(error) => Err(error.into()),
        },
        Err(error) => Err(error.into()),
    }
}

/// The plan of a form, as a file.
fn plan_text(names: &WebResolver, form: &EventForm) -> Result<String, PlanError> {
    let plan = options(form)?.plan(names.catalog, names)?;
    Ok(names.checked_event(plan)?.0.to_string())
}

/// The form as options of a plan.
fn options(form: &EventForm) -> Result<EventOptions, InputError> {
    let given = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let listed = |text: &str, staff: bool| -> Vec<(Option<String>, String, bool)> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines
            .map(EventOptions::entrant)
            .map(|(name, player)| (name.map(str::to_owned), player.to_owned(), staff))
            .collect()
    };
    let own = [("opening_plies", form.opening_plies.as_str())];
    let of_formats = all_keys().filter_map(|(key, _)| Some((key.name, form.keys.get(key.name)?.as_str())));
    let given_keys = own.into_iter().chain(of_formats);
    let keys = given_keys.filter_map(|(key, value)| Some((key.to_owned(), given(value)?)));
    Ok(EventOptions {
        game: form.game.trim().to_owned(),
        format: given(&form.format),
        name: given(&form.name),
        seed: form_number("seed", form.seed.trim(), 0..=u32::MAX)?.unwrap_or(1).into(),
        keys: keys.collect(),
        players: [listed(&form.players, false), listed(&form.staff, true)].concat(),
        folder: None,
    })
}

/// The form with the error of its plan.
fn refused(
    frame: PageFrame,
    form: EventForm,
    names: &WebResolver,
    plan: Option<String>,
    error: &PlanError,
) -> Result<Response, HttpError> {
    let (status, text): (StatusCode, String) = error_text(frame.language, error);
    Ok(form_with_error(status, html(&page(frame, form, names, plan, Some(text)))?))
}

fn page(
    frame: PageFrame,
    mut form: EventForm,
    names: &WebResolver,
    plan: Option<String>,
    complaint: Option<String>,
) -> Page {
    let defaults = [
        (&mut form.game, names.catalog.default_game()),
        (&mut form.format, "round-robin"),
        (&mut form.seed, "1"),
    ];
    for (field, default) in defaults {
        if field.trim().is_empty() {
            default.clone_into(field);
        }
    }
    if form.show.is_none() && plan.is_none() && form.opening_plies.is_empty() {
        "4".clone_into(&mut form.opening_plies);
    }
    let players = suggested_players(names, &sample(names, form.game.trim()));
    if form.show.is_none() && form.players.is_empty() {
        form.players = players
            .iter()
            .take(1)
            .chain(players.iter().skip(3).take(2))
            .cloned()
            .collect::<Vec<_>>()
            .join("\n");
    }
    let field = |(key, _): (&'static FormatKey, _)| KeyField {
        key,
        label: frame.language.pick(key.label[0], key.label[1]),
        value: form.keys.get(key.name).cloned().unwrap_or_default(),
        is_flag: key.kind == KeyKind::Flag,
        step: if key.kind == KeyKind::Whole { "1" } else { "any" },
    };
    let keys = all_keys().map(field).collect();
    let formats = FORMATS.iter().map(|info| (info.name, info.about, info.name == form.format)).collect();
    Page { games: suggested_games(names), formats, keys, players, frame, words: form, plan, complaint }
}
