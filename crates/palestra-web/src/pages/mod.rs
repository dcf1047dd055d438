//! The pages, one folder each: a route, what it shows, its words in both languages, its template.
//!
//! A page reads everything from the store, so it is right when it is opened late, after a restart and without
//! scripts. Running commands write what they do now, boards included, to the store with `RunLedger::set_live_status`.

mod appearance;
pub(crate) mod event;
mod game;
mod home;
mod metrics;
mod play;
mod run;
mod study;
mod work;

use crate::app::App;
use crate::assets;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::viewer::{Language, Theme, Viewer};
use askama::Template;
use axum::Router;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use palestra_store::Store;
use std::time::Instant;

/// All pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(appearance::routes())
        .merge(crate::guard::door_routes())
        .merge(home::routes())
        .merge(metrics::routes())
        .merge(work::routes())
        .merge(game::routes())
        .merge(event::routes())
        .merge(play::routes())
        .merge(run::routes())
        .merge(study::routes())
}

/// What stands around every page.
#[derive(Clone, Debug)]
pub(crate) struct PageFrame {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    /// Where the visitor is, to come back to.
    pub(crate) path: String,
    /// The part of the site: `home`, `play`, `study`, `tune`, `event`.
    pub(crate) place: &'static str,
    /// What the page shows, where that may change while somebody looks.
    pub(crate) live: Option<(Topic, TopicVersion)>,
    /// Whether runs and events can be started here.
    pub(crate) may_work: bool,
    /// Whether visitors need a token.
    pub(crate) has_token: bool,
}

impl PageFrame {
    /// The same for a page that is read again whenever its topic changes.
    pub(crate) fn following(self, topic: Topic, version: TopicVersion) -> PageFrame {
        PageFrame { live: Some((topic, version)), ..self }
    }

    /// One of two texts: the English and the Spanish one.
    pub(crate) fn t<'a>(&self, english: &'a str, spanish: &'a str) -> &'a str {
        self.language.pick(english, spanish)
    }

    /// Where a file of the page is found.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }
}

/// A page as an answer.
pub(crate) fn html(page: &impl Template) -> Result<Html<String>, HttpError> {
    page.render().map(Html).map_err(|_| HttpError::internal_error())
}

/// A page of something that may change, made once for everybody who looks at the same version of it in the same way.
///
/// `make` is told the version, which belongs into the frame ([`PageFrame::following`]), and runs on a thread that may wait.
pub(crate) async fn live_page(
    app: &App,
    visitor: &Viewer,
    topic: Topic,
    make: impl FnOnce(&Store, TopicVersion) -> Result<String, HttpError> + Send + 'static,
) -> Result<Response, HttpError> {
    let version = match app.poller.last_version(topic) {
        Some(version) => version,
        None => {
            let found = app.stores.read(move |store| TopicVersion::of(store, topic)).await?;
            found.ok_or_else(HttpError::not_found)?
        }
    };
    // What was started here, and what came of it, is not in the store.
    let (language, theme) = (visitor.language.code(), visitor.theme.code());
    let key = format!("{language} {theme} {} {}", app.processes.n_changes(), visitor.path);
    let page = app.pages.page(key, version.number, || async {
        let began = Instant::now();
        let page =
            app.stores.read(move |store| make(store, version)).await?.ok_or_else(HttpError::not_found)?;
        app.poller.record_cost(topic, began.elapsed());
        Ok(page)
    });
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8");
    Ok(([kind], page.await?).into_response())
}

/// A path of this site: whatever else somebody wants to be sent to is the home page.
pub(crate) fn local_path(path: &str) -> String {
    let is_local = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.chars().all(|c| !c.is_control() && c.is_ascii());
    if is_local { path.to_owned() } else { "/".to_owned() }
}
