//! Single requests, without a socket.

use super::{TestSite, encoded, request};
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Method, Request};
use std::net::SocketAddr;
use std::time::Duration;

/// Names and values of headers.
type Headers<'a> = &'a [(&'a str, &'a str)];

fn site() -> TestSite {
    TestSite::new(|_| {}).with_samples()
}

#[tokio::test]
async fn invalid_addresses_get_proper_statuses() {
    let site = site();
    let long = format!("/?x={}", "a".repeat(9000));
    let game = format!("/game?game=connect4&moves={}", "4".repeat(9000));
    let huge = format!("/play?x={}", "a".repeat(30_000));
    let cases = [
        ("/", 200),
        ("/nothing", 404),
        ("/assets/../Cargo.toml", 404),
        ("/assets/%2e%2e/%2e%2e/etc/passwd", 404),
        ("/assets/..%2f..%2fetc%2fpasswd", 404),
        ("/assets/", 404),
        ("/assets/page.css", 404),
        ("//etc/passwd", 404),
        ("/%00", 400),
        ("/run/a%00b", 400),
        ("/run/%ff%fe", 400),
        ("/run/%0d%0aSet-Cookie:%20x", 400),
        ("/?x=%00", 400),
        ("/?x=%ff", 200),
        ("/?a=1&a=2", 200),
        ("/tune?game=connect4&game=kalah", 400),
        ("/tune?seed=%ff&show=1", 400),
        ("/tune?game=nothing&show=1", 400),
        ("/live/run-999", 404),
        ("/live/run--1", 404),
        ("/live/run-99999999999999999999", 404),
        ("/live/nonsense", 404),
        ("/metrics", 404),
        ("/enter", 405),
        ("/runs/stop", 405),
        (&long, 414),
        (&huge, 414),
    ];
    for (path, status) in cases {
        assert_eq!(site.get(path).await.status, status, "{path}");
    }
    assert_ne!(site.get(&game).await.status, 414);
}

#[tokio::test]
async fn unknown_methods_are_refused() {
    let site = site();
    for method in ["PUT", "DELETE", "PATCH", "TRACE", "BREW", "PROPFIND"] {
        let answer = site.ask(request(Method::from_bytes(method.as_bytes()).unwrap(), "/", &[], "")).await;
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.header("allow").contains("GET"), "{method}");
    }
    let answer = site.ask(request(Method::OPTIONS, "/", &[], "")).await;
    assert_eq!((answer.status, answer.header("access-control-allow-origin")), (405, ""));
    let answer = site.ask(request(Method::HEAD, "/", &[], "")).await;
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
    let connect = Request::builder().method("CONNECT").uri("localhost:80").body(Body::empty()).unwrap();
    assert_eq!(site.ask(connect).await.status, 405);
}

#[tokio::test]
async fn foreign_host_names_are_refused() {
    let site = site();
    let cases = [
        ("localhost", 200),
        ("LOCALHOST:8007", 200),
        ("127.0.0.1:8007", 200),
        ("127.9.9.9", 200),
        ("[::1]:8007", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("evil.example:127", 403),
        ("[::1", 200),
        ("10.0.0.1", 403),
        ("", 403),
    ];
    for (host, status) in cases {
        let answer = site.ask(request(Method::GET, "/", &[("host", host)], "")).await;
        assert_eq!(answer.status, status, "{host}");
    }
    let none = Request::builder().uri("/").body(Body::empty()).unwrap();
    assert_eq!(site.ask(none).await.status, 403);
    let two = request(Method::GET, "/", &[("host", "localhost"), ("host", "evil.example")], "");
    assert_eq!(site.ask(two).await.status, 400);
    let whole = request(Method::GET, "http://evil.example/", &[("host", "localhost")], "");
    assert_eq!(site.ask(whole).await.status, 400);
    let whole = request(Method::GET, "http://localhost/", &[("host", "localhost")], "");
    assert_eq!(site.ask(whole).await.status, 200);
}

#[tokio::test]
async fn only_pages_of_the_site_change_anything() {
    let site = site();
    let cases: [(Headers<'_>, u16); 10] = [
        (&[("origin", "http://localhost")], 303),
        (&[("sec-fetch-site", "same-origin")], 303),
        (&[], 403),
        (&[("origin", "null")], 403),
        (&[("origin", "http://evil.example")], 403),
        (&[("origin", "http://localhost:1")], 403),
        (&[("origin", "http://localhost.evil.example")], 403),
        (&[("origin", "http://localhost"), ("sec-fetch-site", "cross-site")], 403),
        (&[("origin", "http://localhost"), ("sec-fetch-site", "same-site")], 403),
        (&[("sec-fetch-site", "none")], 403),
    ];
    for (headers, status) in cases {
        let headers = [headers, &[("content-type", "application/x-www-form-urlencoded")]].concat();
        let answer = site.ask(request(Method::POST, "/appearance", &headers, "language=es")).await;
        assert_eq!(answer.status, status, "{headers:?}");
    }
    for path in ["/tune", "/events/new", "/runs/stop", "/runs/resume", "/enter", "/appearance"] {
        let headers =
            [("origin", "http://evil.example"), ("content-type", "application/x-www-form-urlencoded")];
        let answer = site.ask(request(Method::POST, path, &headers, "run=cup&plan=x&token=x")).await;
        assert_eq!(answer.status, 403, "{path}");
    }
}

#[tokio::test]
async fn redirects_stay_on_the_site() {
    let site = site();
    for back in ["//evil.example", "https://evil.example", "/\\evil.example", "/a\r\nx: y", "javascript:x"] {
        let answer = site.post("/appearance", &format!("theme=dark&back={}", encoded(back))).await;
        assert_eq!((answer.status, answer.header("location")), (303, "/"), "{back}");
    }
    assert_eq!(site.post("/appearance", "language=xx").await.status, 400);
}

#[tokio::test]
async fn bodies_have_a_limit_and_a_content_type() {
    let site = TestSite::new(|config| config.limits.body_bytes = 1000);
    let large = format!("theme=dark&back={}", "a".repeat(2000));
    assert_eq!(site.post("/appearance", &large).await.status, 413);
    let chunks = futures_util::stream::iter((0..100).map(|_| Ok::<_, std::io::Error>("a".repeat(100))));
    let chunked = Request::builder()
        .method("POST")
        .uri("/appearance")
        .header("host", "localhost")
        .header("origin", "http://localhost")
        .header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(site.ask(chunked.body(Body::from_stream(chunks)).unwrap()).await.status, 413);
    let own = ("origin", "http://localhost");
    let form = ("content-type", "application/x-www-form-urlencoded");
    let cases: [(Headers<'_>, &str, u16); 6] = [
        (&[own, form], "theme=dark", 303),
        (&[own], "theme=dark", 415),
        (&[own, ("content-type", "application/json")], "{}", 415),
        (&[own, form, ("content-encoding", "gzip")], "theme=dark", 415),
        (&[own, form], "theme=dark&theme=light", 422),
        (&[own, form], "theme=%ff%00", 400),
    ];
    for (headers, body, status) in cases {
        let answer = site.ask(request(Method::POST, "/appearance", headers, body)).await;
        assert_eq!(answer.status, status, "{headers:?} {body}");
    }
}

#[tokio::test]
async fn invalid_headers_are_ignored() {
    let site = site();
    for (name, value) in [
        ("cookie", &b"palestra-language=\xff\xfe; ;;;=;palestra-theme"[..]),
        ("cookie", b"palestra-language=../../x; palestra-theme=<script>"),
        ("accept-language", b",,;;q=;q=nan,es;q=inf,\xff"),
        ("accept", b"\xff/\xfe"),
        ("authorization", b"Bearer \xff"),
        ("if-none-match", b"\"x"),
        ("range", b"bytes=-1-"),
        ("last-event-id", b"zzz"),
    ] {
        let mut request = request(Method::GET, "/", &[], "");
        request.headers_mut().append(name, HeaderValue::from_bytes(value).unwrap());
        assert_eq!(site.ask(request).await.status, 200, "{name}");
    }
}

#[tokio::test]
async fn the_token_signs_in() {
    let site = TestSite::new(|config| {
        config.address = SocketAddr::from(([0, 0, 0, 0], 8007));
        config.token = Some("sesame-sesame".to_owned());
    });
    for path in ["/", "/tune", "/live/home", "/metrics", "/nothing", "/?token=wrong", "/?token="] {
        let answer = site.get(path).await;
        assert_eq!((answer.status, answer.header("www-authenticate")), (401, "Bearer"), "{path}");
        assert!(!answer.body.contains("sesame"));
    }
    let answer = site.get("/tune?game=kalah&token=sesame-sesame&seed=3").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/tune?game=kalah&seed=3"));
    let cookie = answer.header("set-cookie").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("sesame"));
    let pair = cookie.split(';').next().unwrap();
    let with = |name: &'static str, value: String| request(Method::GET, "/", &[(name, &value)], "");
    assert_eq!(site.ask(with("cookie", pair.to_owned())).await.status, 200);
    assert_eq!(site.ask(with("cookie", format!("{pair}0"))).await.status, 401);
    assert_eq!(site.ask(with("cookie", "palestra-token=".to_owned())).await.status, 401);
    assert_eq!(site.ask(with("authorization", "Bearer sesame-sesame".to_owned())).await.status, 200);
    assert_eq!(site.ask(with("authorization", "Bearer sesame".to_owned())).await.status, 401);
    // A signed-in client is redirected to the URL without the token as well.
    let again = request(Method::GET, "/?token=sesame-sesame", &[("cookie", pair)], "");
    assert_eq!(site.ask(again).await.header("location"), "/");
    assert_eq!(site.post("/enter", "token=wrong").await.status, 401);
    let answer = site.post("/enter", "token=sesame-sesame&back=/tune").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/tune"));
    assert_eq!(site.post("/runs/stop?token=sesame-sesame", "run=cup").await.status, 401);
    let style = crate::assets::address("page.css");
    assert_eq!(site.get(&style).await.status, 200);
}

#[tokio::test]
async fn too_many_requests_are_refused() {
    let site = TestSite::new(|config| (config.limits.requests_per_second, config.limits.burst) = (1, 5));
    let mut statuses = Vec::new();
    for _ in 0..8 {
        let mut request = request(Method::GET, "/", &[], "");
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 9))));
        let answer = site.ask(request).await;
        assert_eq!(answer.status == 429, !answer.header("retry-after").is_empty());
        statuses.push(answer.status);
    }
    assert_eq!(statuses[..5], [200; 5]);
    assert!(statuses[6..].contains(&429), "{statuses:?}");
}

#[tokio::test]
async fn metrics_count_responses() {
    let site = TestSite::new(|config| config.metrics = true);
    for path in ["/", "/", "/nothing"] {
        site.get(path).await;
    }
    let text = site.get("/metrics").await.body;
    for line in [
        "palestra_requests_total{status=\"2xx\"} 2",
        "palestra_requests_total{status=\"4xx\"} 1",
        "palestra_streams 0",
        "palestra_work_running 0",
        "palestra_thinking 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
}

#[tokio::test]
async fn a_body_that_never_ends_times_out() {
    let site = TestSite::new(|config| config.limits.request_time = Duration::from_millis(50));
    let never = Body::from_stream(futures_util::stream::pending::<Result<String, std::io::Error>>());
    let request = Request::builder()
        .method("POST")
        .uri("/appearance")
        .header("host", "localhost")
        .header("origin", "http://localhost")
        .header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(site.ask(request.body(never).unwrap()).await.status, 504);
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_details() {
    let site = TestSite::new(|_| {});
    let panics = async || -> &'static str { panic!("palestra-secret") };
    let routes = axum::Router::new().route("/", axum::routing::get(panics));
    let router = crate::guard::around(routes, &site.app).with_state(site.app.clone());
    let broken = TestSite { folder: site.folder.clone(), app: site.app.clone(), router };
    let answer = broken.get("/").await;
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains("Internal error"));
}
