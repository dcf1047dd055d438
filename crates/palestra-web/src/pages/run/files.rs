//! Downloads of a run: figures, the plan, the outcome, the numbers of the generations.

use super::{report, stamp};
use crate::app::App;
use crate::http_error::HttpError;
use crate::viewer::Viewer;
use axum::Router;
use axum::extract::{Path, Query, State as Shared};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use palestra_review::ReviewError;
use palestra_review::chart::Drawing;
use palestra_review::tuning::{TUNING, figures};
use palestra_store::{Run, Store};
use std::fmt::Write;

pub(super) fn routes() -> Router<App> {
    Router::new()
        .route("/run/{name}/figure/{file}", get(figure))
        .route("/run/{name}/plan.toml", get(plan))
        .route("/run/{name}/outcome.json", get(outcome))
        .route("/run/{name}/generations.csv", get(generations))
}

#[derive(serde::Deserialize)]
struct FigureQuery {
    /// The version of a figure in the page; without one the figure is a download.
    v: Option<String>,
}

async fn figure(
    Shared(app): Shared<App>,
    viewer: Viewer,
    Path((name, file)): Path<(String, String)>,
    Query(query): Query<FigureQuery>,
) -> Result<Response, HttpError> {
    let (site, language) = (app.clone(), viewer.language);
    let Some((figure, extension)) = file.rsplit_once('.') else { return Err(HttpError::not_found()) };
    let figure = figure.to_owned();
    let draw = move |store: &Store, run: Run| -> Result<Drawing, HttpError> {
        let figures = figures(&report(store, &site, run)?, language.translate());
        let shown = figures.iter().find(|known| known.name == figure).ok_or_else(HttpError::not_found)?;
        Ok(shown.chart.draw())
    };
    match extension {
        "svg" => {
            let version = move |store: &Store| {
                let run = tuning(store, &name)?;
                Ok((stamp(&run, store.n_generations(run.id)?), run))
            };
            let (stamp, run) = app.stores.read(version).await?.ok_or_else(HttpError::not_found)?;
            let number = blake3::hash(stamp.as_bytes());
            let number = u64::from_le_bytes(number.as_bytes()[..8].try_into().expect("eight bytes"));
            let key = format!("figure {} {} {file}", language.code(), run.name);
            let attached = query.v.is_none().then(|| attachment(&run.name, &file));
            let svg = app.pages.page(key, number, || async {
                let drawn = app.stores.read(move |store| Ok(draw(store, run)?.to_svg())).await?;
                drawn.ok_or_else(HttpError::not_found)
            });
            let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
            let svg = svg.await?;
            Ok(match attached {
                // A figure with a version does not change, so the browser may keep it.
                None => {
                    let age = [
                        (header::CACHE_CONTROL, "private, max-age=600"),
                        (header::VARY, "Accept-Language, Cookie"),
                    ];
                    (kind, age, svg).into_response()
                }
                Some(attached) => (kind, [attached], svg).into_response(),
            })
        }
        "png" => {
            let stores = app.stores.clone();
            let attached = name.clone();
            let png = app.run_with_permit(move || {
                let drawing = stores.read_blocking(|store| {
                    let run = tuning(store, &name)?;
                    draw(store, run)
                })?;
                let drawing = drawing.ok_or_else(HttpError::not_found)?;
                drawing.to_png().map_err(|_: ReviewError| HttpError::internal_error())
            });
            let png = png.await?;
            Ok(([(header::CONTENT_TYPE, "image/png")], [attachment(&attached, &file)], png).into_response())
        }
        _ => Err(HttpError::not_found()),
    }
}

/// A tuning run: other kinds have no figures.
fn tuning(store: &Store, name: &str) -> Result<Run, HttpError> {
    let run = store.run(name)?;
    if run.kind == TUNING { Ok(run) } else { Err(HttpError::not_found()) }
}

async fn plan(Shared(app): Shared<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let run = run_of(&app, name).await?;
    Ok(file(&run.name, "plan.toml", "application/toml", run.plan))
}

async fn outcome(Shared(app): Shared<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let run = run_of(&app, name).await?;
    let outcome = run.outcome.ok_or_else(HttpError::not_found)?;
    Ok(file(&run.name, "outcome.json", "application/json", outcome))
}

async fn run_of(app: &App, name: String) -> Result<Run, HttpError> {
    app.stores.read(move |store| Ok(store.run(&name)?)).await?.ok_or_else(HttpError::not_found)
}

async fn generations(Shared(app): Shared<App>, Path(name): Path<String>) -> Result<Response, HttpError> {
    let export = move |store: &Store| {
        let run = tuning(store, &name)?;
        Ok((csv(store, &run)?, run.name))
    };
    let (text, name) = app.stores.read(export).await?.ok_or_else(HttpError::not_found)?;
    Ok(file(&name, "generations.csv", "text/csv; charset=utf-8", text))
}

/// One line per generation, with the weights of its best candidate.
fn csv(store: &Store, run: &Run) -> Result<String, HttpError> {
    let mut text = "generation,games,best,mean,worst,angle,spread".to_owned();
    for name in &run.weights {
        let _ = write!(text, ",\"{}\"", name.replace('"', "\"\""));
    }
    text.push('\n');
    let mut best = store.best_candidates(run.id)?.into_iter().peekable();
    for g in store.generations(run.id)? {
        let _ = write!(
            text,
            "{},{},{},{},{},{},{}",
            g.number, g.n_games, g.best, g.mean, g.worst, g.angle, g.spread
        );
        match best.next_if(|(number, _)| *number == g.number) {
            Some((_, candidate)) => {
                for weight in &candidate.weights {
                    let _ = write!(text, ",{weight}");
                }
            }
            None => text.push_str(&",".repeat(run.weights.len())),
        }
        text.push('\n');
    }
    Ok(text)
}

/// A text file as a download.
fn file(run: &str, name: &str, kind: &'static str, text: String) -> Response {
    ([(header::CONTENT_TYPE, kind)], [attachment(run, name)], text).into_response()
}

/// The header with the file name of a download.
fn attachment(run: &str, name: &str) -> (header::HeaderName, String) {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = format!("{run}-{name}").chars().map(safe).collect();
    (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\""))
}
