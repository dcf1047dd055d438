//! The stream of a page: it says when the page has changed, and nothing else.

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

/// Comments go out this often, so that a lost connection is noticed.
const ALIVE: Duration = Duration::from_secs(15);

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/live/{topic}", get(follow))
}

async fn follow(State(app): State<App>, Path(topic): Path<String>) -> Result<impl IntoResponse, HttpError> {
    let topic: Topic = topic.parse()?;
    let now = app.stores.read(move |store| TopicVersion::of(store, topic)).await?;
    let now = match (now, topic) {
        (Some(version), _) => version,
        // The store may come to be while somebody looks.
        (None, Topic::Home) => TopicVersion::default(),
        (None, Topic::Run(_)) => return Err(HttpError::not_found()),
    };
    let place = app.guard.stream_permit().ok_or_else(HttpError::busy)?;
    let receiver = app.poller.subscribe(topic, now);
    let closing = app.closing.clone().cancelled_owned();
    let events = versions(receiver).take_until(closing).map(move |event| {
        let _held = &place;
        event
    });
    let stream = Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE));
    let no_buffer = (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(([no_buffer], stream))
}

/// The version now, and every later one; whoever is slow hears of the latest only.
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
