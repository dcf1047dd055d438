//! Random requests to all routes.

use super::{CUP, TUNING, TestSite, encoded};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Request};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::time::Duration;

/// All routes; `{}` is replaced by a random value.
const ROUTES: &[&str] = &[
    "/",
    "/appearance",
    "/assets/{}",
    "/enter",
    "/event/{}",
    "/event/{}/games",
    "/event/{}/player/{}",
    "/events/new",
    "/game",
    "/game/{}",
    "/live/{}",
    "/metrics",
    "/play",
    "/run/{}",
    "/run/{}/{}",
    "/studies",
    "/study/{}",
    "/study/{}/figure/{}",
    "/tune",
    "/runs/resume",
    "/runs/stop",
    "/{}",
];

/// Names of query parameters and form fields.
const KEYS: &[&str] = &[
    "again",
    "back",
    "before",
    "budget",
    "cycles",
    "features",
    "first",
    "format",
    "game",
    "generation",
    "language",
    "level",
    "method",
    "moves",
    "name",
    "objective",
    "opening_plies",
    "opponent",
    "page",
    "pairs",
    "plan",
    "player",
    "players",
    "ply",
    "opponents",
    "round",
    "rounds",
    "run",
    "search",
    "second",
    "seed",
    "size",
    "setup",
    "show",
    "side",
    "staff",
    "theme",
    "token",
    "weights",
    "you",
];

const VALUES: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "2",
    "99999999999999999999",
    "1e309",
    "NaN",
    "true",
    "home",
    "run-1",
    "run-2",
    "cup",
    "cmaes-connect-4x4x3-1",
    "random",
    "first",
    "second",
    "greedy/lines",
    "@queen",
    "@robot",
    "@nobody",
    "cmd:true",
    "connect:4x4x3",
    "connect4",
    "connect:0x0x0",
    "ladrillos:3",
    "mastergoal:1",
    "mancala:uam",
    "kalah:2x2",
    "connect/study",
    "1 2 3",
    "4455",
    "es",
    "dark",
    "/",
    "//x",
    "..",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "' OR 1=1 --",
    "\u{0}",
    "\u{202e}ñ",
    "cmaes",
    "external",
    "round-robin",
    "league",
    "10gen",
    TUNING,
    CUP,
    "[[player]]\nplayer = \"cmd:touch x\"\n",
    "[[[[[[[[[[",
    "a = { a = { a = { a = 1 } } }",
];

fn value() -> impl Strategy<Value = String> {
    prop_oneof![4 => select(VALUES).prop_map(str::to_owned), 1 => any::<String>(), 1 => "[a-z0-9/%.:=,-]{0,40}"]
}

fn pairs() -> impl Strategy<Value = String> {
    vec((select(KEYS), value(), 0..10), 0..5).prop_map(|pairs| {
        let pair = |(key, value, raw): (&str, String, i32)| match raw {
            // Invalid percent escapes, in 1 of 10 pairs.
            0 => format!(
                "{key}={}",
                value.chars().filter(char::is_ascii_alphanumeric).collect::<String>() + "%zz%f"
            ),
            _ => format!("{key}={}", encoded(&value)),
        };
        pairs.into_iter().map(pair).collect::<Vec<_>>().join("&")
    })
}

fn path() -> impl Strategy<Value = String> {
    (select(ROUTES), value(), value())
        .prop_map(|(route, a, b)| route.replacen("{}", &encoded(&a), 1).replacen("{}", &encoded(&b), 1))
}

fn header() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let names =
        select(&["cookie", "accept", "accept-language", "origin", "sec-fetch-site", "last-event-id"][..]);
    let garbage = vec(prop_oneof![32..=126_u8, 128..=255_u8], 0..40);
    let texts = select(
        &["application/json", "text/html", "es", "http://localhost", "same-origin", "palestra-theme=dark"][..],
    );
    (names, prop_oneof![garbage, texts.prop_map(|text| text.as_bytes().to_vec())])
}

/// Method, path, query, body and headers as plain data, so that proptest can print and shrink them.
type FuzzRequest = (&'static str, String, String, String, Vec<(&'static str, Vec<u8>)>);

fn requests() -> impl Strategy<Value = FuzzRequest> {
    let methods = select(&["GET", "GET", "GET", "POST", "POST", "HEAD", "OPTIONS", "PUT", "TRACE"][..]);
    (methods, path(), pairs(), pairs(), vec(header(), 0..3))
}

fn build((method, path, query, body, headers): &FuzzRequest) -> Request<Body> {
    let uri = if query.is_empty() { path.clone() } else { format!("{path}?{query}") };
    let mut request = Request::builder().method(*method).uri(uri).header("host", "localhost");
    if *method == "POST" {
        let form = "application/x-www-form-urlencoded";
        request = request.header("origin", "http://localhost").header("content-type", form);
    }
    for (name, value) in headers {
        let name = HeaderName::from_static(name);
        request = request.header(name, HeaderValue::from_bytes(value).unwrap());
    }
    request.body(Body::from(body.clone())).unwrap()
}

#[test]
fn no_request_causes_an_internal_error() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let _inside = runtime.enter();
    let site = TestSite::new(|config| {
        config.program = Some("/bin/true".into());
        config.metrics = true;
        config.limits.request_time = Duration::from_secs(5);
    })
    .with_samples();
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) };
    proptest!(config, |(request in requests())| {
        let answer = runtime.block_on(site.ask(build(&request)));
        // A panic would be 500; TestSite::ask checks for leaked paths and messages.
        prop_assert!(answer.status < 500 || [503, 504].contains(&answer.status), "{} {:?}", answer.status, answer.body);
        prop_assert!(!answer.body.contains("<script>alert"));
    });
    drop(site);
    runtime.shutdown_timeout(Duration::from_secs(5));
}
