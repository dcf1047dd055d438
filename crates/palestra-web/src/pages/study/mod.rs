//! The reproduced studies: a list, and the report of each.

mod report;
#[cfg(test)]
mod tests;

use crate::app::App;
use crate::http_error::HttpError;
use crate::pages::{PageFrame, html};
use crate::viewer::Viewer;
use askama::Template;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use palestra_arena::Catalog;
use palestra_core::InputError;
use palestra_study::{Assessment, Study, StudyError, StudyFiles, StudyScale, StudyWorkspace, shipped_for};
use report::StudyReport;
use std::path::PathBuf;
use std::sync::OnceLock;

pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/studies", get(list))
        .route("/study/{name}", get(show))
        .route("/study/{name}/figure/{file}", get(figure))
}

#[derive(serde::Deserialize)]
struct StudyQuery {
    size: Option<String>,
}

impl StudyQuery {
    fn size(&self) -> Result<Option<StudyScale>, HttpError> {
        match self.size.as_deref() {
            None | Some("") => Ok(None),
            Some(word) => match StudyScale::ALL.into_iter().find(|size| size.word() == word) {
                Some(size) => Ok(Some(size)),
                None => Err(InputError::new("size", word, "quick or full").into()),
            },
        }
    }
}

/// A study in the list.
struct StudyCard {
    name: String,
    title: String,
    subject: String,
    /// The sizes that have results.
    sizes: Vec<StudyScale>,
}

#[derive(Template)]
#[template(path = "studies.html")]
struct StudyListPage {
    frame: PageFrame,
    cards: Vec<StudyCard>,
}

#[derive(Template)]
#[template(path = "study.html")]
struct Page {
    frame: PageFrame,
    name: String,
    title: String,
    subject: String,
    size: StudyScale,
    sizes: Vec<StudyScale>,
    /// `None` where nothing has been run.
    report: Option<StudyReport>,
}

async fn list(State(app): State<App>, viewer: Viewer) -> Result<Html<String>, HttpError> {
    let (root, catalog) = (app.config.studies.clone(), app.config.catalog);
    let cards = blocking(move || names(catalog).iter().map(|name| card(&root, name)).collect()).await?;
    html(&StudyListPage { frame: viewer.frame(&app, "study"), cards })
}

fn card(root: &std::path::Path, name: &str) -> Result<StudyCard, HttpError> {
    let (study, _) = read(name)?;
    Ok(StudyCard {
        name: study.name,
        title: study.title,
        subject: study.subject,
        sizes: run_sizes(root, name),
    })
}

async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    Query(query): Query<StudyQuery>,
) -> Result<Response, HttpError> {
    let root = app.config.studies.clone();
    let sizes = run_sizes(&root, &known(&app, &name)?);
    // The full size is the default where it has results.
    let size = query.size()?.or_else(|| sizes.last().copied()).unwrap_or(StudyScale::Quick);
    let version = StudyWorkspace::version(&root, &name, size);
    let key = format!("{} {} {} {size}", viewer.language.code(), viewer.theme.code(), viewer.path);
    let frame = viewer.frame(&app, "study");
    let make = move || {
        let workspace = workspace(root, &name, size)?;
        let assessment = (!workspace.is_empty()).then(|| workspace.assess()).transpose()?;
        page(frame, &workspace, assessment, sizes)
    };
    let page = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
}

/// The page of a workspace; `sizes` are those that have results. Without an assessment nothing has been run.
pub(crate) fn page(
    frame: PageFrame,
    workspace: &StudyWorkspace,
    assessment: Option<Assessment>,
    sizes: Vec<StudyScale>,
) -> Result<String, HttpError> {
    let study = workspace.study();
    let report = assessment.map(|assessment| StudyReport::of(workspace, assessment, &frame));
    let page = Page {
        name: study.name.clone(),
        title: study.title.clone(),
        subject: study.subject.clone(),
        size: workspace.size(),
        sizes,
        report: report.transpose()?,
        frame,
    };
    page.render().map_err(|_| HttpError::internal_error())
}

async fn figure(
    State(app): State<App>,
    Path((name, file)): Path<(String, String)>,
    Query(query): Query<StudyQuery>,
) -> Result<Response, HttpError> {
    let root = app.config.studies.clone();
    let size = query.size()?.unwrap_or(StudyScale::Quick);
    let version = StudyWorkspace::version(&root, &known(&app, &name)?, size);
    let key = format!("figure {name} {file} {size}");
    let make = move || {
        let id = file.strip_suffix(".svg").ok_or_else(HttpError::not_found)?;
        let workspace = workspace(root, &name, size)?;
        let parts = &workspace.study().parts;
        let part = parts.iter().find(|part| part.figures.iter().any(|figure| figure.id == id));
        let figures = workspace.figures(part.ok_or_else(HttpError::not_found)?)?;
        let figure = figures.iter().find(|figure| figure.name == id).ok_or_else(HttpError::not_found)?;
        Ok(figure.chart.draw().to_svg())
    };
    let svg = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The studies of the games of a catalog. A process has one catalog, so they are read once.
pub(crate) fn names(catalog: &Catalog) -> &'static [String] {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    NAMES.get_or_init(|| shipped_for(|game| catalog.family(game).is_ok()))
}

/// `name` if it is the name of a study of the program's games.
fn known(app: &App, name: &str) -> Result<String, HttpError> {
    names(app.config.catalog).iter().find(|known| *known == name).cloned().ok_or_else(HttpError::not_found)
}

/// The sizes that have results, the smaller one first.
fn run_sizes(root: &std::path::Path, name: &str) -> Vec<StudyScale> {
    StudyScale::ALL.into_iter().filter(|size| StudyWorkspace::version(root, name, *size) != 0).collect()
}

fn read(name: &str) -> Result<(Study, StudyFiles), HttpError> {
    let source = StudyFiles::shipped(name).map_err(|_| HttpError::not_found())?;
    Ok((Study::read(&source, name)?, source))
}

fn workspace(root: PathBuf, name: &str, size: StudyScale) -> Result<StudyWorkspace, HttpError> {
    let (study, source) = read(name)?;
    match StudyWorkspace::open(&root, study, source, size, None) {
        Ok(workspace) => Ok(workspace),
        Err(StudyError::Bad(bad)) => Err(bad.into()),
        // The error names a path of the server.
        Err(StudyError::File { .. }) => Err(HttpError::internal_error()),
    }
}

async fn blocking<T: Send + 'static>(
    make: impl FnOnce() -> Result<T, HttpError> + Send + 'static,
) -> Result<T, HttpError> {
    tokio::task::spawn_blocking(make).await.map_err(|_| HttpError::internal_error())?
}
