//! Starting, stopping and resuming runs and events from the page. What is started is a plan file, which the page shows.

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

/// A submitted plan.
#[derive(serde::Deserialize)]
struct PlanForm {
    plan: String,
    /// Set by a checkbox: start a new run even if one with the same plan exists.
    again: Option<String>,
}

/// The run to stop or resume.
#[derive(serde::Deserialize)]
struct RunForm {
    /// Its name.
    run: String,
}

async fn stop(State(app): State<App>, Form(form): Form<RunForm>) -> Result<Redirect, HttpError> {
    let run = find(&app, form.run).await?;
    app.processes.stop(run.id)?;
    Ok(Redirect::to(&address(&run.kind, &run.name)))
}

async fn resume(
    State(app): State<App>,
    viewer: Viewer,
    Form(form): Form<RunForm>,
) -> Result<Redirect, HttpError> {
    let run = find(&app, form.run).await?;
    let back = Redirect::to(&address(&run.kind, &run.name));
    // A process may still be ending after its run is done.
    let is_ours = run.state != RunState::Done && app.processes.is_ours(run.id);
    if is_ours {
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
            let text = viewer.language.pick(
                "this version of the program cannot resume it",
                "esta versión del programa no puede reanudarla",
            );
            HttpError { status: StatusCode::CONFLICT, detail: Some(text.to_owned()) }
        })?;
    if has_programs && !allowed {
        return Err(HttpError {
            status: StatusCode::FORBIDDEN,
            detail: Some(no_programs(viewer.language).to_owned()),
        });
    }
    app.processes.start(run.id, &run.name)?;
    Ok(back)
}

/// Whether resuming a run of the store would start external programs.
fn has_programs(
    run: &Run,
    catalog: &'static palestra_arena::Catalog,
    methods: &'static [palestra_tune::methods::MethodInfo],
) -> Result<bool, InputError> {
    match run.kind.as_str() {
        EVENT => {
            let unreadable = |_| InputError::new("run", &run.name, "an event whose plan can be read");
            let stored = read_stored(run, catalog).map_err(unreadable)?;
            Ok(wants_programs(&stored.plan) || !stored.keys.is_empty())
        }
        palestra_review::tuning::TUNING => plan::tunes_by_program(&run.plan, catalog, methods),
        _ => Err(InputError::new("run", &run.name, "a tuning run or an event")),
    }
}

/// The run with a name.
async fn find(app: &App, name: String) -> Result<Run, HttpError> {
    let run = app.stores.read(move |store| Ok(store.run(&name)?)).await?;
    run.ok_or_else(HttpError::not_found)
}

/// The URL of a run or an event. Names need no escaping: the store accepts only letters, digits, `-`, `_` and `.`.
fn address(kind: &str, name: &str) -> String {
    let part = if kind == EVENT { "event" } else { "run" };
    format!("/{part}/{name}")
}

/// Starts a run that is in the store, unless it is running or done.
fn launch(app: &App, run: &Run) -> Result<Response, HttpError> {
    if !matches!(run.state, RunState::Done | RunState::Running) {
        app.processes.start(run.id, &run.name)?;
    }
    Ok(Redirect::to(&address(&run.kind, &run.name)).into_response())
}

/// Refuses before anything is written to the store.
fn may_start(app: &App) -> Result<(), HttpError> {
    match (app.processes.is_possible(), app.processes.has_room()) {
        (false, _) => Err(HttpError::new(StatusCode::FORBIDDEN)),
        (_, false) => Err(HttpError::busy()),
        _ => Ok(()),
    }
}

fn no_programs(language: Language) -> &'static str {
    language.pick(
        "this plan needs external programs, which this page may not start: the server must be started with --allow-programs",
        "este plan necesita programas externos, que esta página no puede iniciar: hay que iniciar el servidor con --allow-programs",
    )
}

/// The status and the text of a plan's error.
fn error_text(language: Language, error: &PlanError) -> (StatusCode, String) {
    match error {
        PlanError::Invalid(bad) => (StatusCode::BAD_REQUEST, bad.to_string()),
        PlanError::ProgramsForbidden => (StatusCode::FORBIDDEN, no_programs(language).to_owned()),
        PlanError::NameTaken(name) => {
            let text = language.pick(
                "an event with this name and another plan exists; choose another name",
                "ya hay un torneo con este nombre y otro plan; elige otro nombre",
            );
            (StatusCode::CONFLICT, format!("{name}: {text}"))
        }
    }
}

/// A form that shows an error, instead of the usual error page.
fn form_with_error(status: StatusCode, page: Html<String>) -> Response {
    let mut response = (status, page).into_response();
    response.extensions_mut().insert(RenderedError);
    response
}
