//! Tests of the pages of tuning runs and comparisons.

use crate::{App, Config};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use palestra_registry::GAMES;
use palestra_review::live::LiveStatus;
use palestra_store::{Candidate, EVENT, NewRun, RunId, RunLedger, Store, StoredGeneration, StoredHallEntry};
use scraper::{Html, Selector};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use tower::ServiceExt;

/// A site with its own folder and store.
pub(crate) struct Bench {
    folder: PathBuf,
    pub(crate) app: App,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("palestra-web-run-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let mut config = Config::new(&GAMES, folder.join("secret-place.db"));
        config.program = Some(PathBuf::from("/nowhere/palestra"));
        Bench { app: App::new(config), folder }
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(self.folder.join("secret-place.db")).unwrap()
    }

    pub(crate) async fn get(&self, path: &str, language: &str) -> (StatusCode, String) {
        let request = Request::get(path)
            .header(header::HOST, "localhost")
            .header(header::ACCEPT_LANGUAGE, language)
            .body(Body::empty())
            .unwrap();
        let response = self.app.router().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        assert!(!text.contains("secret-place") && !text.contains("/nowhere"), "{path} names a file");
        (status, text)
    }

    /// A page with status 200.
    pub(crate) async fn page(&self, path: &str, language: &str) -> Html {
        let (status, text) = self.get(path, language).await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        for forbidden in ["<style", " style=", " onclick=", "<script>"] {
            assert!(!text.contains(forbidden), "{path} has {forbidden}");
        }
        Html::parse_document(&text)
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.folder));
    }
}

/// All text of an element.
pub(crate) fn text(page: &Html, selector: &str) -> String {
    let selector = Selector::parse(selector).unwrap();
    let texts = page.select(&selector).flat_map(|element| element.text());
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn attribute(page: &Html, selector: &str, name: &str) -> Option<String> {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector).next()?.value().attr(name).map(str::to_owned)
}

pub(crate) fn count(page: &Html, selector: &str) -> usize {
    page.select(&Selector::parse(selector).unwrap()).count()
}

const PLAN: &str = "games = [\"connect:7x6x4\"]\nplayer = \"greedy/blocks\"\n\n[method]\nname = \"ga\"\n";

/// A plan with a linear evaluation of Connect 4.
fn plan() -> String {
    let evaluation = GAMES.open("connect4").unwrap().evaluations().into_iter().find(|e| e.linear).unwrap();
    PLAN.replace("blocks", evaluation.name)
}

fn n_weights() -> usize {
    let evaluation = GAMES.open("connect4").unwrap().evaluations().into_iter().find(|e| e.linear).unwrap();
    evaluation.weights().len()
}

pub(crate) fn begin(store: &mut Store, stem: &str, kind: &str) -> (RunId, RunLedger) {
    let new = NewRun {
        stem: stem.to_owned(),
        kind: kind.to_owned(),
        plan: plan(),
        old_plan: None,
        seed: 7,
        version: "test".to_owned(),
        weights: (0..n_weights()).map(|i| format!("<b>weight{i}</b>")).collect(),
    };
    let run = store.begin_run(&new).unwrap().id;
    (run, store.ledger(run).unwrap())
}

pub(crate) fn keep(ledger: &RunLedger, number: u32, n_candidates: u32) {
    let candidate = |i: u32| Candidate {
        weights: (0..n_weights()).map(|k| f64::from(i) - k as f64 + f64::from(number)).collect(),
        fitness: f64::from(i),
    };
    let generation = StoredGeneration {
        number,
        n_games: u64::from(number + 1) * 1000,
        best: f64::from(n_candidates - 1),
        mean: 1.5,
        worst: 0.0,
        best_number: n_candidates - 1,
        spread: 12.0,
        angle: 3.0,
        metrics: format!("{{\"sigma\": {}}}", 1.0 / f64::from(number + 1)),
    };
    ledger.keep_generation(generation, (0..n_candidates).map(candidate).collect()).unwrap();
    ledger.flush().unwrap();
}

/// An outcome as `palestra tune` writes it.
pub(crate) fn outcome(better: &str) -> String {
    let weights: Vec<f64> = (0..n_weights()).map(|i| if i == 0 { -8.0 } else { i as f64 }).collect();
    let names: Vec<String> = (0..n_weights()).map(|i| format!("<b>weight{i}</b>")).collect();
    let meanings = vec!["own stones in the middle columns"; n_weights()];
    let best = format!("greedy/lines/{}", palestra_core::print_weights(&weights));
    let mut outcome = serde_json::json!({
        "best": best, "games_of": ["connect:7x6x4"], "names": names, "meanings": meanings, "weights": weights,
        "fitness": 3.0, "games": 4000, "generations": 3, "method": "ga", "objective": "league", "trail": [],
    });
    if better != "none" {
        let better: serde_json::Value = serde_json::from_str(better).unwrap();
        let pairs = [10, 20, 40, 20, 10];
        outcome["verification"] = serde_json::json!({
            "label": "mean", "weights": weights, "finals": [], "baseline": "the start", "baseline_weights": weights,
            "duel": { "wins": 80, "draws": 40, "losses": 80, "pairs": pairs }, "better": better, "n_games": 200,
            "criteria": [{ "id": "P1", "grade": "open", "found": "50 % <i>of</i> 200 games",
                "question": "Does it beat what it began with, with more than 55 % for sure?" }],
        });
    }
    outcome.to_string()
}

#[tokio::test]
async fn a_run_is_shown_while_it_runs_and_when_it_is_done() {
    let bench = Bench::new();
    let mut store = bench.store();
    let (run, ledger) = begin(&mut store, "ga-connect4", "tune");
    let path = "/run/ga-connect4-1";
    let page = bench.page(path, "en").await;
    assert_eq!(text(&page, "h1"), "ga-connect4-1");
    assert_eq!(text(&page, "#state"), "running");
    assert!(text(&page, "#population").contains("No generations yet"));
    assert!(text(&page, "#champion").contains("there is no champion yet"));
    assert_eq!(count(&page, "#curves img"), 0);
    assert_eq!(count(&page, "#stop"), 0, "only runs that were started here can be stopped here");
    assert_eq!(attribute(&page, "body", "data-topic"), Some(format!("run-{}", run.0)));

    // The same URL shows the new data: the cached page of the earlier version is not served.
    let status =
        LiveStatus { done: 250, of: Some(1000), elapsed: 9.0, generation: Some(0), ..LiveStatus::default() };
    ledger.set_live_status(status.to_json()).unwrap();
    (0..3).for_each(|number| keep(&ledger, number, 60));
    let page = bench.page(path, "en").await;
    assert_eq!(attribute(&page, "#progress progress", "value").as_deref(), Some("0.2500"));
    assert!(
        text(&page, "#progress-words").contains("250 of about 1,000 games · generation 1 · 27 seconds left")
    );
    assert_eq!(count(&page, "#population tbody tr"), 50);
    assert!(text(&page, "#population caption").ends_with("Generation 2: the fittest 50 of 60"));
    assert!(text(&page, "#champion").contains("the best of generation 2, in training only"));
    let figures: Vec<String> = ["fitness", "weights", "movement", "method-sigma"]
        .map(|name| attribute(&page, &format!("#figure-{name} img"), "src").unwrap())
        .to_vec();
    assert_eq!(figures[0], format!("{path}/figure/fitness.svg?v={}r3", run.0));
    assert_eq!(count(&page, "#numbers tbody tr"), 3);

    let earlier = bench.page(&format!("{path}?generation=0"), "en").await;
    assert!(text(&earlier, "#population caption").contains("Generation 0"));

    ledger
        .keep_hall_entry(StoredHallEntry {
            number: 0,
            generation: 1,
            label: "best of generation 1".into(),
            weights: vec![1.0],
            fitness: 2.0,
        })
        .unwrap();
    ledger.finish(&outcome("null")).unwrap();
    let page = bench.page(path, "en").await;
    assert_eq!(text(&page, "#state"), "done");
    assert_eq!(count(&page, "#progress progress"), 0);
    let verdict = text(&page, ".verdict");
    assert!(verdict.contains("It is not decided whether the champion is better than the start"), "{verdict}");
    assert!(verdict.contains("not significant") && verdict.contains("50.0 % of the points"), "{verdict}");
    assert!(text(&page, "#criteria").contains("P1 open Does it beat what it began with"));
    assert!(text(&page, "#champion tbody").starts_with("<b>weight0</b> -8"), "the largest first, as text");
    assert!(text(&page, "#champion tbody").contains("avoids own stones in the middle columns"));
    assert!(
        attribute(&page, "#play", "href")
            .unwrap()
            .starts_with("/play?game=connect%3A7x6x4&opponent=greedy%2Flines%2F-8")
    );
    assert!(text(&page, "#hall").contains("best of generation 1"));
    assert!(text(&page, "#plan").contains("[method]"));
    assert_eq!(count(&page, "#downloads a"), 3);

    let page = bench.page(path, "es-AR").await;
    assert_eq!(text(&page, "#state"), "terminada");
    assert!(text(&page, ".verdict").contains("la diferencia no es significativa"));
    assert!(text(&page, "#champion tbody").contains("evita fichas propias en las columnas centrales"));
    assert!(text(&page, "#criteria").contains("sin decidir ¿Gana al punto de partida con más"));
    assert!(attribute(&page, "#figure-fitness img", "alt").unwrap().starts_with("Aptitud: "));

    // The same after a restart.
    let again = App::new(Config::new(&GAMES, bench.folder.join("secret-place.db")));
    let request = Request::get(path).header(header::HOST, "localhost").body(Body::empty()).unwrap();
    assert_eq!(again.router().oneshot(request).await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn verdicts_follow_the_test() {
    let bench = Bench::new();
    let mut store = bench.store();
    let cases = [
        ("true", "The champion is better than the start.", "a better champion"),
        ("false", "The champion is not better than the start.", "not better"),
        ("null", "It is not decided whether", "not decided"),
        ("none", "The champion was not tested", "not tested"),
    ];
    for (better, says, short) in cases {
        let (run, ledger) = begin(&mut store, &format!("case-{better}"), "tune");
        keep(&ledger, 0, 4);
        ledger.finish(&outcome(better)).unwrap();
        let page = bench.page(&format!("/run/{}", store.run_by_id(run).unwrap().name), "en").await;
        assert!(text(&page, ".verdict").contains(says), "{better}");
        let home = bench.page("/", "en").await;
        assert!(text(&home, "#runs tbody tr:first-child").ends_with(short), "{better}");
    }
}

/// A champion of a run without a start is compared with two baselines; the sentence names those that decide.
#[tokio::test]
async fn a_verdict_names_its_baselines() {
    let bench = Bench::new();
    let mut store = bench.store();
    let cases = [
        (
            "true",
            "true",
            "better than equal weights and than the winner of a random search with as many games.",
        ),
        ("false", "false", "not better than the winner of a random search with as many games."),
        (
            "null",
            "true",
            "but so is a champion of the same method with random fitness: it is not called better.",
        ),
        (
            "null",
            "null",
            "whether the champion is better than the winner of a random search with as many games:",
        ),
    ];
    for (better, second, says) in cases {
        let (run, ledger) = begin(&mut store, &format!("two-{better}-{second}"), "tune");
        keep(&ledger, 0, 4);
        let mut told: serde_json::Value = serde_json::from_str(&outcome(better)).unwrap();
        let games = told["verification"]["duel"].clone();
        let second: serde_json::Value = serde_json::from_str(second).unwrap();
        told["verification"]["comparisons"] = serde_json::json!([
            { "baseline": "equal weights", "weights": [], "games": games, "better": true },
            { "baseline": "the winner of a random search with as many games", "weights": [], "games": games,
              "better": second },
        ]);
        ledger.finish(&told.to_string()).unwrap();
        let path = format!("/run/{}", store.run_by_id(run).unwrap().name);
        let verdict = text(&bench.page(&path, "en").await, ".verdict");
        assert!(verdict.contains(says) && verdict.contains("5 % each"), "{verdict}");
        assert_eq!(verdict.matches("200 games against").count(), 2, "{verdict}");
        let verdict = text(&bench.page(&path, "es").await, ".verdict");
        assert!(verdict.contains("el ganador de una búsqueda al azar"), "{verdict}");
        assert!(verdict.contains("200 partidas contra los pesos iguales"), "{verdict}");
    }
}

#[tokio::test]
async fn runs_can_be_resumed_where_processes_are_allowed() {
    let bench = Bench::new();
    let mut store = bench.store();
    let (_, ledger) = begin(&mut store, "stopped", "tune");
    drop(ledger);
    let page = bench.page("/run/stopped-1", "en").await;
    assert_eq!((count(&page, "#resume"), text(&page, "#state").as_str()), (1, "interrupted"));
    assert_eq!(attribute(&page, "#progress form", "action").as_deref(), Some("/runs/resume"));
    assert_eq!(attribute(&page, "#progress input", "value").as_deref(), Some("stopped-1"));
    let bare = App::new(Config::new(&GAMES, bench.folder.join("secret-place.db")));
    let request =
        Request::get("/run/stopped-1").header(header::HOST, "localhost").body(Body::empty()).unwrap();
    let body = bare.router().oneshot(request).await.unwrap().into_body();
    let bytes = axum::body::to_bytes(body, 1 << 24).await.unwrap();
    assert!(!String::from_utf8_lossy(&bytes).contains("/runs/resume"));
}

#[tokio::test]
async fn everything_can_be_downloaded() {
    let bench = Bench::new();
    let mut store = bench.store();
    let (run, ledger) = begin(&mut store, "files", "tune");
    (0..2).for_each(|number| keep(&ledger, number, 3));
    let csv = bench.get("/run/files-1/generations.csv", "en").await.1;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("generation,games,best,mean,worst,angle,spread,\"<b>weight0</b>\","));
    assert!(lines[2].starts_with("1,2000,2,1.5,0,3,12,3,2,"), "{}", lines[2]);
    assert_eq!(bench.get("/run/files-1/plan.toml", "en").await.1, plan());
    assert_eq!(bench.get("/run/files-1/outcome.json", "en").await.0, StatusCode::NOT_FOUND);
    let address = "/run/files-1/figure/weights.svg";
    let svg = bench.get(address, "en").await.1;
    assert!(svg.starts_with("<svg ") && svg.contains("&lt;b&gt;weight0") && !svg.contains("<b>"), "{svg}");
    assert!(!svg.contains("style=") && !svg.contains("<style"));
    assert!(bench.get(address, "es").await.1.contains("Pesos de"));
    // A figure changes with its run.
    keep(&ledger, 2, 3);
    assert_ne!(bench.get(&format!("{address}?v={}r3", run.0), "en").await.1, svg);
    ledger.finish(&outcome("none")).unwrap();
    assert!(bench.get("/run/files-1/outcome.json", "en").await.1.contains("\"objective\":\"league\""));
    assert_eq!(bench.get("/run/files-1/figure/fitness.png", "en").await.0, StatusCode::OK);
}

#[tokio::test]
async fn other_kinds_have_their_own_pages() {
    let bench = Bench::new();
    let mut store = bench.store();
    drop(begin(&mut store, "cup", EVENT));
    assert_eq!(bench.get("/run/cup-1", "en").await.0, StatusCode::TEMPORARY_REDIRECT);
    let (_, ledger) = begin(&mut store, "compare", "compare");
    ledger.finish("{\"comparison\": {\"<ga>\": 1}, \"runs\": []}").unwrap();
    let page = bench.page("/run/compare-1", "en").await;
    assert!(text(&page, "#outcome").contains("<ga>") && text(&page, "#plan").contains("[method]"));
    assert_eq!(bench.get("/run/compare-1/generations.csv", "en").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn unknown_runs_and_files_are_not_found() {
    let bench = Bench::new();
    for path in ["/run/none", "/run/none/plan.toml", "/run/none/figure/fitness.svg"] {
        assert_eq!(bench.get(path, "en").await.0, StatusCode::NOT_FOUND, "{path}, without a store");
    }
    let mut store = bench.store();
    let (_, ledger) = begin(&mut store, "some", "tune");
    keep(&ledger, 0, 3);
    let missing = [
        "/run/none",
        "/run/..%2f..%2fetc%2fpasswd",
        "/run/%3Cscript%3E",
        "/run/some-1?generation=1",
        "/run/some-1/figure/none.svg",
        "/run/some-1/figure/fitness",
        "/run/some-1/figure/fitness.exe",
        "/run/some-1/figure/none.png",
        "/run/some-1/other",
    ];
    for path in missing {
        let (status, body) = bench.get(path, "en").await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(!body.contains("<script>"), "{path}");
    }
    for path in ["/run/some-1?generation=x", "/run/some-1?generation=-1", "/?before=x"] {
        assert_eq!(bench.get(path, "en").await.0, StatusCode::BAD_REQUEST, "{path}");
    }
}
