//! Tests of the home page, with an empty and with a filled store.

use crate::change_poller::MAX_LISTED_RUNS;
use crate::pages::run::tests::{Bench, attribute, begin, count, keep, outcome, text};
use palestra_arena::GameRecord;
use palestra_core::Side;
use palestra_review::live::LiveStatus;
use palestra_store::{Champion, EVENT, NewRun, StoredGame};

fn game() -> StoredGame {
    StoredGame {
        family: "connect".into(),
        game: "connect:7x6x4".into(),
        first: "<script>alert(1)</script>".into(),
        second: "greedy/lines/".to_owned() + &*"1,".repeat(100),
        setup: None,
        seed: 1,
        record: GameRecord {
            moves: "4 4".into(),
            winner: Some(Side::First),
            reason: "line".into(),
            plies: 2,
            ..GameRecord::default()
        },
    }
}

#[tokio::test]
async fn an_empty_store_offers_a_game_to_play() {
    let bench = Bench::new();
    // Without a store, and with an empty one.
    for _ in 0..2 {
        let page = bench.page("/", "en").await;
        let example = attribute(&page, "#example", "href");
        assert_eq!(example.as_deref(), Some("/play?game=connect4&side=first&opponent=level-3"));
        assert_eq!(count(&page, "#example svg"), 1);
        assert_eq!(count(&page, "#games li"), palestra_registry::GAMES.families().count());
        assert_eq!(text(&page, "#commands").matches("palestra ").count(), 2);
        assert_eq!(attribute(&page, "body", "data-topic").as_deref(), Some("home"));
        assert_eq!(count(&page, "#actions a"), 4);
        let page = bench.page("/", "es").await;
        assert!(text(&page, "#games").contains("Kalah: siembra alrededor del tablero"));
        drop(bench.store());
    }
}

#[tokio::test]
async fn running_ones_stand_first_and_progress_is_told() {
    let bench = Bench::new();
    let mut store = bench.store();
    let (_, running) = begin(&mut store, "going", "tune");
    running
        .set_live_status(LiveStatus { done: 1, of: Some(4), elapsed: 1.0, ..LiveStatus::default() }.to_json())
        .unwrap();
    keep(&running, 0, 3);
    let (run, done) = begin(&mut store, "finished", "tune");
    done.finish(&outcome("true")).unwrap();
    let (_, cup) = begin(&mut store, "cup", EVENT);
    cup.finish("{\"standings\": [{\"player\": \"<b>Ana</b>\", \"rank\": 1}, {\"player\": \"Bo\"}]}").unwrap();
    let page = bench.page("/", "en").await;
    assert_eq!(count(&page, "#welcome *"), 0);
    assert_eq!(count(&page, "#running li"), 1);
    assert!(text(&page, "#running").contains("going-1 running tuning"), "{}", text(&page, "#running"));
    assert_eq!(attribute(&page, "#running progress", "value").as_deref(), Some("0.2500"));
    assert_eq!(count(&page, "#runs tbody tr"), 2);
    assert!(text(&page, "#runs tbody tr:first-child").contains("first: <b>Ana</b>"));
    assert_eq!(attribute(&page, "#runs tbody a", "href").as_deref(), Some("/event/cup-1"));
    assert!(text(&page, "#runs tbody tr:last-child").contains("connect:7x6x4 · ga"));

    // Changes show at once: champions, games of people, runs that end.
    let champion = Champion {
        name: "ace".into(),
        game: "connect:7x6x4".into(),
        player: "greedy/lines/1".into(),
        run: Some(run),
        verdict: "null".into(),
        created: String::new(),
    };
    store.save_champion(&champion).unwrap();
    let page = bench.page("/", "en").await;
    let play = attribute(&page, "#champions a.button", "href");
    assert_eq!(play.as_deref(), Some("/play?game=connect%3A7x6x4&opponent=%40ace"));
    assert!(text(&page, "#champions").contains("finished-1"));
    let id = store.keep_loose_game(&game()).unwrap();
    let page = bench.page("/", "en").await;
    assert_eq!(attribute(&page, "#people a", "href"), Some(format!("/game/{id}")));
    assert!(text(&page, "#people").contains("<script>alert(1)</script> – greedy/lines/1,"));
    assert!(text(&page, "#people").contains("the first side won"));
    running.fail().unwrap();
    let page = bench.page("/", "es").await;
    assert_eq!(count(&page, "#running li"), 0);
    assert!(text(&page, "#runs").contains("fallida"));
}

#[tokio::test]
async fn many_runs_come_page_by_page() {
    let bench = Bench::new();
    let mut store = bench.store();
    let n = MAX_LISTED_RUNS + 5;
    for i in 0..n {
        let new = NewRun {
            stem: "many".into(),
            kind: "tune".into(),
            plan: format!("seed = {i}"),
            old_plan: None,
            seed: 1,
            version: "test".into(),
            weights: vec![],
        };
        store.begin_run(&new).unwrap();
    }
    let page = bench.page("/", "en").await;
    assert_eq!(count(&page, "#runs tbody tr"), MAX_LISTED_RUNS);
    assert!(text(&page, "#runs tbody th").starts_with(&format!("many-{n} ")));
    let next = attribute(&page, "#older", "href").unwrap();
    let page = bench.page(&next, "en").await;
    assert_eq!(count(&page, "#runs tbody tr"), 5);
    assert!(text(&page, "#runs tbody th").ends_with("many-1"));
    assert_eq!(attribute(&page, "#older", "href"), None);
    let page = bench.page("/?before=1", "en").await;
    assert_eq!(count(&page, "#runs tbody tr"), 0);
}
