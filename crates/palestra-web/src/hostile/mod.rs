//! Tests with hostile input: proper statuses, nothing leaked, nothing started, and other clients still served.

mod fuzz;
mod requests;
mod sockets;

use crate::{App, Config};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, header};
use palestra_core::InputError;
use palestra_review::{event, tuning};
use palestra_settings::Document;
use palestra_store::{Champion, Store};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use tower::ServiceExt;

/// Headers that every response has.
const REQUIRED_HEADERS: [&str; 6] = [
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "x-frame-options",
    "cross-origin-opener-policy",
    "cache-control",
];

/// A tuning plan with few games.
pub(crate) const TUNING: &str = "game = \"connect:4x4x3\"\nplayer = \"greedy/lines\"\n[budget]\ngenerations = 2\n[test]\nwanted = false\n";

/// A tournament plan with few games.
pub(crate) const CUP: &str = "game = \"connect:4x4x3\"\nname = \"cup\"\n[[player]]\nplayer = \"random\"\n[[player]]\nplayer = \"first\"\n";

/// A site with its own folder, which is removed with it.
pub(crate) struct TestSite {
    pub(crate) folder: PathBuf,
    pub(crate) app: App,
    router: Router,
}

/// A response; event streams have an empty body.
#[derive(Debug)]
pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl TestSite {
    pub(crate) fn new(change: impl FnOnce(&mut Config)) -> TestSite {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("palestra-secret-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut config = Config::new(&palestra_registry::GAMES, folder.join("store.db"));
        change(&mut config);
        let app = App::new(config);
        let router = app.router();
        TestSite { folder, app, router }
    }

    /// A writable connection to the site's store.
    pub(crate) fn store(&self) -> Store {
        Store::open(self.folder.join("store.db")).unwrap()
    }

    /// Puts a run, an event and two champions into the store, one of them a program.
    pub(crate) fn with_samples(self) -> TestSite {
        let mut store = self.store();
        let lookup = |text: &str| -> Result<String, InputError> { Ok(text.to_owned()) };
        let resolver =
            palestra_tune::TuningResolver { catalog: self.app.config.catalog, lookup: &lookup, methods: &[] };
        let plan =
            palestra_tune::TuningPlan::read(Document::parse(TUNING, "test").unwrap(), &resolver).unwrap();
        store.begin_run(&tuning::new_tuning(&plan)).unwrap();
        self.keep_event(&mut store, CUP);
        for (name, player) in [("queen", "greedy/lines/1,2,3,4,5,6"), ("robot", "cmd:touch started")] {
            let champion = Champion {
                name: name.to_owned(),
                game: "connect:4x4x3".to_owned(),
                player: player.to_owned(),
                run: None,
                verdict: "null".to_owned(),
                created: String::new(),
            };
            store.save_champion(&champion).unwrap();
        }
        self
    }

    /// Writes an event into the store, even one whose players are programs.
    pub(crate) fn keep_event(&self, store: &mut Store, text: &str) {
        let catalog = self.app.config.catalog;
        let plan = palestra_tournament::TournamentPlan::read(Document::parse(text, "test").unwrap(), catalog)
            .unwrap();
        let boards = event::open_boards(&plan, catalog).unwrap();
        let entrants = event::EventEntrants::of(&plan, event::board_of(&boards).unwrap(), Some(&[])).unwrap();
        store.find_or_begin_event(&event::new_event(&plan, &entrants, &[])).unwrap();
    }

    /// Sends a request, and checks what all responses have in common: headers, and no leaked internals.
    pub(crate) async fn ask(&self, request: Request<Body>) -> TestResponse {
        let line = format!("{} {}", request.method(), request.uri());
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
        let is_stream = kind.is_some_and(|kind| kind.starts_with("text/event-stream"));
        let body = match is_stream {
            true => String::new(),
            false => {
                let bytes = axum::body::to_bytes(body, 64 << 20).await.unwrap();
                String::from_utf8_lossy(&bytes).into_owned()
            }
        };
        for name in REQUIRED_HEADERS {
            assert!(parts.headers.contains_key(name), "{line}: no {name}");
        }
        let all = format!("{:?} {body}", parts.headers);
        for secret in ["palestra-secret", "panicked", "RUST_BACKTRACE", "crates/palestra"] {
            assert!(!all.contains(secret), "{line}: {secret} in {all}");
        }
        TestResponse { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> TestResponse {
        self.ask(request(Method::GET, path, &[], "")).await
    }

    /// Sends a form as a page of the site does.
    pub(crate) async fn post(&self, path: &str, form: &str) -> TestResponse {
        let headers = [("origin", "http://localhost"), ("content-type", "application/x-www-form-urlencoded")];
        self.ask(request(Method::POST, path, &headers, form)).await
    }
}

impl Drop for TestSite {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl TestResponse {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// A request to `localhost`, unless the headers name another host.
pub(crate) fn request(method: Method, path: &str, headers: &[(&str, &str)], body: &str) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "localhost");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_owned())).unwrap()
}

/// Text with every byte percent-encoded.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
