//! The reproduced studies: a list, and the report of each.

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
use palestra_core::InputError;
use palestra_review::chart::escaped;
use palestra_study::{
    DrawnFigure, Study, StudyError, StudyFiles, StudyScale, StudyWorkspace, report, shipped,
};
use std::path::PathBuf;

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
    /// The report as HTML; `None` where nothing has been run.
    report: Option<String>,
}

async fn list(State(app): State<App>, viewer: Viewer) -> Result<Html<String>, HttpError> {
    let root = app.config.studies.clone();
    let cards = blocking(move || shipped().into_iter().map(|name| card(&root, &name)).collect()).await?;
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
    let sizes = run_sizes(&root, &known(&name)?);
    // The full size is the default where it has results.
    let size = query.size()?.or_else(|| sizes.last().copied()).unwrap_or(StudyScale::Quick);
    let version = StudyWorkspace::version(&root, &name, size);
    let key = format!("{} {} {} {size}", viewer.language.code(), viewer.theme.code(), viewer.path);
    let frame = viewer.frame(&app, "study");
    let make = move || {
        let workspace = workspace(root, &name, size)?;
        let study = workspace.study();
        let report = match workspace.is_empty() {
            true => None,
            false => {
                let results = workspace.assess()?;
                Some(report::body(&workspace, &results, |picture| linked(&name, size, picture))?)
            }
        };
        let (title, subject) = (study.title.clone(), study.subject.clone());
        let page = Page { frame, name: study.name.clone(), title, subject, size, sizes, report };
        page.render().map_err(|_| HttpError::internal_error())
    };
    let page = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response())
}

/// A figure whose image the browser loads from its own URL.
fn linked(name: &str, size: StudyScale, picture: &DrawnFigure) -> String {
    let (id, caption, title) =
        (escaped(&picture.id), escaped(&picture.caption), escaped(picture.drawing.title()));
    let [width, height] = picture.drawing.size();
    format!(
        "<figure id=\"figure-{id}\"><img src=\"/study/{}/figure/{id}.svg?size={size}\" alt=\"{title}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" loading=\"lazy\"><figcaption>{caption}</figcaption></figure>\n",
        escaped(name)
    )
}

async fn figure(
    State(app): State<App>,
    Path((name, file)): Path<(String, String)>,
    Query(query): Query<StudyQuery>,
) -> Result<Response, HttpError> {
    let root = app.config.studies.clone();
    let size = query.size()?.unwrap_or(StudyScale::Quick);
    let version = StudyWorkspace::version(&root, &known(&name)?, size);
    let key = format!("figure {name} {file} {size}");
    let make = move || {
        let id = file.strip_suffix(".svg").ok_or_else(HttpError::not_found)?;
        let workspace = workspace(root, &name, size)?;
        let parts = &workspace.study().parts;
        let part = parts.iter().find(|part| part.figures.iter().any(|figure| figure.id == id));
        let pictures = workspace.pictures(part.ok_or_else(HttpError::not_found)?)?;
        let picture =
            pictures.into_iter().find(|picture| picture.id == id).ok_or_else(HttpError::not_found)?;
        Ok(picture.drawing.to_svg())
    };
    let svg = app.pages.page(key, version, || blocking(make)).await?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// `name` if it is the name of a study.
fn known(name: &str) -> Result<String, HttpError> {
    shipped().into_iter().find(|known| known == name).ok_or_else(HttpError::not_found)
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
