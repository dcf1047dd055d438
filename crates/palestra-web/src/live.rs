//! The event stream of a page: it sends the page's version whenever that changes, and nothing else.

use crate::app::App;
use crate::change_poller::{Topic, TopicVersion};
use crate::http_error::HttpError;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderName, HeaderValue};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::routing::get;
use futures_util::{Stream, StreamExt, stream};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::watch;

/// Interval of comments in an idle stream, so that a lost connection is noticed.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/live/{topic}", get(follow))
}

async fn follow(State(app): State<App>, Path(topic): Path<String>) -> Result<impl IntoResponse, HttpError> {
    let topic: Topic = topic.parse()?;
    let now = app.stores.read(move |store| TopicVersion::of(store, topic)).await?;
    let now = match (now, topic) {
        (Some(version), _) => version,
        // The store may be created while the home page is open.
        (None, Topic::Home) => TopicVersion::default(),
        (None, Topic::Run(_)) => return Err(HttpError::not_found()),
    };
    let permit = app.guard.stream_permit().ok_or_else(HttpError::busy)?;
    let receiver = app.poller.subscribe(topic, now);
    let closing = app.closing.clone().cancelled_owned();
    let events = versions(receiver).take_until(closing).map(move |event| {
        let _held = &permit;
        event
    });
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(KEEP_ALIVE));
    let no_buffer = (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(([no_buffer], stream))
}

/// The present version and every later one; a slow client gets only the latest.
fn versions(receiver: watch::Receiver<TopicVersion>) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((receiver, true), |(mut receiver, is_first)| async move {
        if !is_first {
            receiver.changed().await.ok()?;
        }
        let version = *receiver.borrow_and_update();
        let text = format!("{:016x}", version.number);
        let event = Event::default().event("version").id(&text).data(&text);
        Some((Ok(event), (receiver, false)))
    })
}
