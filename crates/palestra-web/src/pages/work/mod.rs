//! Starting, stopping and going on: whatever takes long is a process of its own, and the plan is the file.

mod event;
mod plan;
#[cfg(test)]
mod tests;
mod tune;

use crate::app::App;
use crate::http_error::{HttpError, RenderedError};
use crate::viewer::{Language, Viewer};
use axum::Router;
use axum::extract::{Form, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use palestra_core::InputError;
use palestra_review::event::{read_stored, wants_programs};
use palestra_store::{EVENT, Run, RunState};
use plan::PlanError;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/tune", get(tune::show).post(tune::begin))
        .route("/events/new", get(event::show).post(event::begin))
        .route("/runs/stop", post(stop))
        .route("/runs/resume", post(resume))
}

/// A plan as it was sent.
#[derive(serde::Deserialize)]
struct PlanForm {
    plan: String,
    /// A ticked box: begin anew, whatever there is of the same plan.
    again: Option<String>,
}

/// A run that is meant.
#[derive(serde::Deserialize)]
struct RunForm {
    run: String,
}

async fn stop(State(app): State<App>, Form(named): Form<RunForm>) -> Result<Redirect, HttpError> {
    let run = found(&app, named.run).await?;
    app.processes.stop(run.id)?;
    Ok(Redirect::to(&address(&run.kind, &run.name)))
}

async fn resume(
    State(app): State<App>,
    visitor: Viewer,
    Form(named): Form<RunForm>,
) -> Result<Redirect, HttpError> {
    let run = found(&app, named.run).await?;
    let back = Redirect::to(&address(&run.kind, &run.name));
    if app.processes.is_ours(run.id) {
        return Ok(back);
    }
    if matches!(run.state, RunState::Done | RunState::Running) {
        return Err(HttpError::new(StatusCode::CONFLICT));
    }
    let allowed = app.config.allow_programs;
    let catalog = app.config.catalog;
    let methods = app.config.methods;
    let checked = run.clone();
    let has_programs =
        app.run_with_permit(move || Ok(has_programs(&checked, catalog, methods))).await?.map_err(|_| {
            let words = ("this version cannot go on with it", "esta versión no puede continuarla");
            HttpError {
                status: StatusCode::CONFLICT,
                detail: Some(visitor.language.pick(words.0, words.1).to_owned()),
            }
        })?;
    if has_programs && !allowed {
        return Err(HttpError {
            status: StatusCode::FORBIDDEN,
            detail: Some(no_programs(visitor.language).to_owned()),
        });
    }
    app.processes.start(run.id, &run.name)?;
    Ok(back)
}

/// Whether a run of the store would start outside programs.
fn has_programs(
    run: &Run,
    catalog: &'static palestra_arena::Catalog,
    methods: &'static [palestra_tune::methods::MethodInfo],
) -> Result<bool, InputError> {
    match run.kind.as_str() {
        EVENT => {
            let unreadable = |_| InputError::new("run", &run.name, "an event whose plan can be read");
            let (plan, keys) = read_stored(run, catalog).map_err(unreadable)?;
            Ok(wants_programs(&plan) || !keys.is_empty())
        }
        palestra_review::tuning::TUNING => plan::tunes_by_program(&run.plan, catalog, methods),
        _ => Err(InputError::new("run", &run.name, "a run of tuning or an event")),
    }
}

/// The run of a name.
async fn found(app: &App, name: String) -> Result<Run, HttpError> {
    let run = app.stores.read(move |store| Ok(store.run(&name)?)).await?;
    run.ok_or_else(HttpError::not_found)
}

/// Where a run or an event is shown. Names of runs need no escape: the store takes plain ones only.
fn address(kind: &str, name: &str) -> String {
    let part = if kind == EVENT { "event" } else { "run" };
    format!("/{part}/{name}")
}

/// Starts a run that was just written down, unless it needs no start.
fn launch(app: &App, run: &Run) -> Result<Response, HttpError> {
    if !matches!(run.state, RunState::Done | RunState::Running) {
        app.processes.start(run.id, &run.name)?;
    }
    Ok(Redirect::to(&address(&run.kind, &run.name)).into_response())
}

/// Refuses before anything is written down.
fn may_start(app: &App) -> Result<(), HttpError> {
    match (app.processes.is_possible(), app.processes.has_room()) {
        (false, _) => Err(HttpError::new(StatusCode::FORBIDDEN)),
        (_, false) => Err(HttpError::busy()),
        _ => Ok(()),
    }
}

fn no_programs(language: Language) -> &'static str {
    language.pick(
        "this plan needs outside programs, which this page may not start: whoever runs the server must say --allow-programs",
        "este plan necesita programas externos, que esta página no puede poner en marcha: quien lleva el servidor debe usar --allow-programs",
    )
}

/// What is wrong with a plan: the status and the words.
fn complaint(language: Language, wrong: &PlanError) -> (StatusCode, String) {
    match wrong {
        PlanError::Invalid(bad) => (StatusCode::BAD_REQUEST, bad.to_string()),
        PlanError::ProgramsForbidden => (StatusCode::FORBIDDEN, no_programs(language).to_owned()),
        PlanError::NameTaken(name) => {
            let words = language.pick(
                "there is an event of this name with another plan; choose another name",
                "ya hay un torneo con este nombre y otro plan; elige otro nombre",
            );
            (StatusCode::CONFLICT, format!("{name}: {words}"))
        }
    }
}

/// A form with a complaint, instead of the page that refusals usually are.
fn form_again(status: StatusCode, page: Html<String>) -> Response {
    let mut response = (status, page).into_response();
    response.extensions_mut().insert(RenderedError);
    response
}
