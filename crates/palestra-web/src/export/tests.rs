//! Tests of exported pages.

mod site;

use super::*;
use crate::pages::run::tests::{Bench, begin, count, keep, outcome, text};
use palestra_review::tuning::RunReport;
use palestra_store::{Run, Store};
use palestra_tune::TuningResolver;
use scraper::{Html, Selector};
use std::collections::BTreeSet;

/// The page is valid, loads nothing from a server and has no forms.
fn check_page(page: &str, what: &str) -> Html {
    for bad in [
        "<script>alert",
        "<form method=\"post\"",
        " style=",
        " onclick=",
        " onerror=",
        "javascript:",
        "@import",
    ] {
        assert!(!page.contains(bad), "{what}: {bad}");
    }
    for bad in ["=\"/", "href=\"http", "src=\"http", "<button name=", "NaN"] {
        assert!(!page.contains(bad), "{what}: {bad}");
    }
    let html = Html::parse_document(page);
    assert!(html.errors.is_empty(), "{what}: {:?}", html.errors);
    let ids: Vec<&str> =
        html.select(&Selector::parse("[id]").unwrap()).map(|element| element.attr("id").unwrap()).collect();
    let mut known = BTreeSet::new();
    let twice: Vec<&&str> = ids.iter().filter(|id| !known.insert(**id)).collect();
    assert!(twice.is_empty(), "{what}: {twice:?}");
    html
}

fn report(store: &Store, run: Run) -> RunReport {
    let lookup = |player: &str| Ok(player.to_owned());
    let resolver = TuningResolver { catalog: &palestra_registry::GAMES, lookup: &lookup, methods: &[] };
    RunReport::read(store, run, &resolver).unwrap()
}

#[tokio::test]
async fn the_report_of_a_run_is_its_page() {
    let bench = Bench::new();
    let mut store = bench.store();
    let (run, ledger) = begin(&mut store, "ga", "tune");
    (0..3).for_each(|number| keep(&ledger, number, 5));
    ledger.finish(&outcome("null")).unwrap();
    let run = store.run_by_id(run).unwrap();
    for (language, says) in
        [(Language::English, "To run it again:"), (Language::Spanish, "Para ejecutarla otra vez:")]
    {
        let report = report(&store, run.clone());
        let options = " --store 'my \"runs\".db'";
        let page = run_report(bench.app.config.clone(), &store, report, language, options).unwrap();
        let html = check_page(&page, "report");
        assert!(!page.contains("secret-place"));
        let served = bench.page(&format!("/run/{}", run.name), language.code()).await;
        for part in ["#champion tbody", "#numbers", "#criteria", "#population", "#colophon", "h1"] {
            assert_eq!(text(&html, part), text(&served, part), "{part}");
        }
        assert_eq!(count(&html, "#curves figure > svg"), count(&served, "#curves figure > img"));
        assert!(text(&html, "#repeat").starts_with(says), "{}", text(&html, "#repeat"));
        assert!(text(&html, "#repeat").contains("palestra tune ga-1.toml --store 'my \"runs\".db' --again"));
        assert!(text(&html, "#champion").contains("<b>weight0</b>"));
        assert_eq!(count(&html, "script, img, link, form, header, #play, #downloads"), 0);
    }
}
