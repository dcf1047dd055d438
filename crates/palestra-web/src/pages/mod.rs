//! The pages, one folder each: routes, data of the template, texts in both languages.
//!
//! A page reads everything from the store, so it is right when it is opened late, after a restart and without
//! scripts. Running commands write their progress, boards included, to the store with `RunLedger::set_live_status`.

mod appearance;
pub(crate) mod event;
pub(crate) mod figure;
pub(crate) mod game;
mod home;
mod metrics;
mod play;
pub(crate) mod run;
pub(crate) mod study;
mod work;

use crate::app::App;
use crate::assets;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use crate::translation;
use crate::viewer::{Language, Theme, Viewer};
use askama::Template;
use axum::Router;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use palestra_store::Store;
use std::time::Instant;

/// Routes of all pages.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .merge(appearance::routes())
        .merge(crate::guard::authentication_routes())
        .merge(home::routes())
        .merge(metrics::routes())
        .merge(work::routes())
        .merge(game::routes())
        .merge(event::routes())
        .merge(play::routes())
        .merge(run::routes())
        .merge(study::routes())
}

/// Where a page is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PageOutput {
    /// In a browser, from this server.
    Served,
    /// As a file that loads nothing.
    SingleFile,
    /// As a file of a site, next to its styles and scripts.
    Site,
}

/// Data of `base.html`, the frame of every page.
#[derive(Clone, Debug)]
pub(crate) struct PageFrame {
    pub(crate) language: Language,
    pub(crate) theme: Theme,
    /// Path and query of the page, to return to after a change of language or theme.
    pub(crate) path: String,
    /// The part of the site, which the navigation marks: `home`, `play`, `study`, `tune`, `event`.
    pub(crate) place: &'static str,
    /// The topic and its version, for a page that may change while it is open.
    pub(crate) live: Option<(Topic, TopicVersion)>,
    /// Whether runs and events can be started from the page.
    pub(crate) may_work: bool,
    /// Whether there are studies of the program's games.
    pub(crate) has_studies: bool,
    /// Whether visitors need a token.
    pub(crate) has_token: bool,
    pub(crate) output: PageOutput,
}

impl PageFrame {
    /// The same for a page that is loaded again whenever its topic changes.
    pub(crate) fn following(self, topic: Topic, version: TopicVersion) -> PageFrame {
        PageFrame { live: Some((topic, version)), ..self }
    }

    /// The frame of an exported page.
    pub(crate) fn exported(language: Language, output: PageOutput) -> PageFrame {
        PageFrame {
            language,
            theme: Theme::Auto,
            path: String::new(),
            place: "",
            live: None,
            may_work: false,
            has_studies: false,
            has_token: false,
            output,
        }
    }

    /// Whether the page is a file, without a server that answers forms and queries.
    pub(crate) fn is_static(&self) -> bool {
        self.output != PageOutput::Served
    }

    /// The text in the page's language.
    pub(crate) fn t<'a>(&self, english: &'a str, spanish: &'a str) -> &'a str {
        self.language.pick(english, spanish)
    }

    /// A text of a game in the page's language.
    pub(crate) fn translated<'a>(&self, text: &'a str) -> &'a str {
        translation::translate(self.language, text)
    }

    /// The element for a style sheet, which the template does not escape.
    pub(crate) fn style(&self, name: &str) -> String {
        match self.output {
            PageOutput::SingleFile => format!("<style>\n{}</style>", assets::text(name)),
            PageOutput::Served | PageOutput::Site => {
                format!("<link rel=\"stylesheet\" href=\"{}\">", self.asset(name))
            }
        }
    }

    /// The URL of a static file.
    pub(crate) fn asset(&self, name: &str) -> String {
        assets::address(name)
    }
}

/// Renders a template.
pub(crate) fn html(page: &impl Template) -> Result<Html<String>, HttpError> {
    page.render().map(Html).map_err(|_| HttpError::internal_error())
}

/// A page that may change, rendered once per version, language, theme and URL.
///
/// `make` gets the version, which it puts into the frame ([`PageFrame::following`]), and runs on a blocking thread.
/// `now` is the present version, where it is known.
pub(crate) async fn live_page(
    app: &App,
    viewer: &Viewer,
    topic: Topic,
    now: Option<TopicVersion>,
    make: impl FnOnce(&Store, TopicVersion) -> Result<String, HttpError> + Send + 'static,
) -> Result<Response, HttpError> {
    let version = match app.poller.last_version(topic).or(now) {
        Some(version) => version,
        None => {
            let version = app.stores.read(move |store| TopicVersion::of(store, topic)).await?;
            version.ok_or_else(HttpError::not_found)?
        }
    };
    // Processes of this server and their error messages are not in the store, so they are part of the key.
    let (language, theme) = (viewer.language.code(), viewer.theme.code());
    let key = format!("{language} {theme} {} {}", app.processes.n_changes(), viewer.path);
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

/// `path` if it is a path of this site, else `/`: a redirect must not lead to another site.
pub(crate) fn local_path(path: &str) -> String {
    let is_local = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && path.chars().all(|c| !c.is_control() && c.is_ascii());
    if is_local { path.to_owned() } else { "/".to_owned() }
}
