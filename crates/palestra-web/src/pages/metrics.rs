//! Metrics in the text format of Prometheus.

use crate::app::App;
use crate::guard::STATUS_CLASSES;
use crate::http_error::HttpError;
use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
use std::fmt::Write;
use std::sync::atomic::Ordering;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/metrics", get(show))
}

async fn show(State(app): State<App>) -> Result<impl IntoResponse, HttpError> {
    if !app.config.metrics {
        return Err(HttpError::not_found());
    }
    let kind = (header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
    Ok(([kind], text(&app)))
}

fn text(app: &App) -> String {
    let mut text = String::new();
    let mut put = |name: &str, kind: &str, help: &str, values: &[(String, u64)]| {
        let _ = writeln!(text, "# HELP palestra_{name} {help}\n# TYPE palestra_{name} {kind}");
        for (labels, value) in values {
            let _ = writeln!(text, "palestra_{name}{labels} {value}");
        }
    };
    let one = |value: u64| [(String::new(), value)];
    let answers: Vec<(String, u64)> = (1..=STATUS_CLASSES)
        .map(|class| (format!("{{status=\"{class}xx\"}}"), app.guard.n_answers(class)))
        .collect();
    let [topics, viewers] = app.poller.counts().map(|n| n as u64);
    let [rendered, cached] = [&app.pages.misses, &app.pages.hits].map(|n| n.load(Ordering::Relaxed));
    put("requests_total", "counter", "Requests answered, by status class.", &answers);
    put("streams", "gauge", "Open event streams.", &one(app.guard.n_streams() as u64));
    put("topics", "gauge", "Runs, events and lists that have viewers.", &one(topics));
    put("viewers", "gauge", "Viewers of all topics.", &one(viewers));
    put("pages_made_total", "counter", "Live pages rendered.", &one(rendered));
    put("pages_given_total", "counter", "Live pages served from the cache.", &one(cached));
    put("thinking", "gauge", "Searches that run or wait.", &one(app.guard.n_searches() as u64));
    put(
        "work_running",
        "gauge",
        "Running processes of runs and events.",
        &one(app.processes.n_running() as u64),
    );
    text
}
