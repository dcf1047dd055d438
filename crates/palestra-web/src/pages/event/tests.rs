//! Tests of the pages of events, with player names that need escaping.

use super::fair::{NAMES, TestEvent};
use axum::http::StatusCode;
use palestra_review::live::{LiveGame, LiveStatus};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(element: &ElementRef<'_>) -> String {
    element.text().collect()
}

fn texts(page: &Html, selector: &str) -> Vec<String> {
    select(page, selector).iter().map(text).collect()
}

/// The `href` attributes of the elements.
fn links(page: &str, selector: &str) -> Vec<String> {
    let page = Html::parse_document(page);
    let of = |element: &ElementRef<'_>| element.attr("href").unwrap().to_owned();
    select(&page, selector).iter().map(of).collect()
}

/// The page has no inline styles or scripts, no unescaped input and no duplicate ids.
fn check_clean(page: &str, path: &str) {
    for bad in ["<script>alert", "<i>go", "<b>programs", " style=", " onclick=", " onerror=", "javascript:"] {
        assert!(!page.contains(bad), "{path}: {bad}");
    }
    let html = Html::parse_document(page);
    assert_eq!(select(&html, "h1").len(), 1, "{path}");
    let ids = select(&html, "[id]").into_iter().map(|element| element.attr("id").unwrap().to_owned());
    let ids: Vec<String> = ids.collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: an id twice");
    assert!(!select(&html, "[data-live]").iter().any(|part| part.attr("id").is_none()), "{path}");
}

#[tokio::test]
async fn a_finished_event_is_shown_in_both_languages() {
    let event = TestEvent::new(1);
    event.finish();
    let words = [
        ("en", ["Standings", "Crosstable", "Rounds", "Failures", "done"]),
        ("es", ["Clasificación", "Tabla cruzada", "Rondas", "Fallos", "terminado"]),
    ];
    for (language, words) in words {
        let (status, page) = event.get("/event/cup", language).await;
        assert_eq!(status, StatusCode::OK, "{page}");
        check_clean(&page, language);
        for word in words {
            assert!(page.contains(word), "{language}: {word}");
        }
        let html = Html::parse_document(&page);
        assert_eq!(select(&html, "#standings tbody tr").len(), NAMES.len());
        assert_eq!(select(&html, "#crosstable tbody td a").len(), NAMES.len() * (NAMES.len() - 1));
        assert_eq!(select(&html, "#boards svg").len(), 8);
        assert!(select(&html, "#boards .in-play, #progress progress, #stop, #resume").is_empty());
        // The program failed in both games against each of the others.
        assert_eq!(select(&html, "#failures li").len(), 2 * (NAMES.len() - 1));
        let stderr = select(&html, "#failures pre");
        assert!(text(&stderr[0]).contains("</pre><script>alert(2)</script>"));
        let shown: BTreeSet<String> = select(&html, "#standings tbody th a").iter().map(text).collect();
        assert_eq!(shown, NAMES.iter().map(|name| (*name).to_owned()).collect());
    }
}

#[tokio::test]
async fn every_player_has_a_page() {
    let event = TestEvent::new(1);
    event.finish();
    let page = event.page("/event/cup").await;
    let mut names = BTreeSet::new();
    for link in links(&page, "#standings tbody th a") {
        let (status, english) = event.get(&link, "en").await;
        assert_eq!(status, StatusCode::OK, "{link}");
        check_clean(&english, &link);
        let html = Html::parse_document(&english);
        let name = text(&select(&html, "h1")[0]);
        let n_failures = if name == NAMES[6] { 12 } else { 0 };
        assert_eq!(select(&html, "#failures li").len(), n_failures, "{name}");
        assert_eq!(select(&html, "#opponents tbody tr").len(), NAMES.len() - 1);
        assert_eq!(select(&html, "#games tbody tr").len(), 2 * (NAMES.len() - 1), "{name}");
        names.insert(name);
        let (status, spanish) = event.get(&link, "es").await;
        assert!(status == StatusCode::OK && spanish.contains("Por rival y lado"));
    }
    assert_eq!(names, NAMES.iter().map(|name| (*name).to_owned()).collect());
}

#[tokio::test]
async fn cells_and_pairings_link_to_their_games() {
    let event = TestEvent::new(2);
    event.finish();
    let page = event.page("/event/cup").await;
    let html = Html::parse_document(&page);
    let mut n_games = 0;
    for cell in select(&html, "#crosstable tbody td a") {
        let counts: Vec<usize> = text(&cell).split('-').map(|count| count.parse().unwrap()).collect();
        let games = event.page(cell.attr("href").unwrap()).await;
        check_clean(&games, cell.attr("href").unwrap());
        let listed = links(&games, "#games tbody td:first-child a");
        assert_eq!(listed.len(), counts.iter().sum::<usize>(), "{}", cell.attr("href").unwrap());
        assert!(listed.iter().all(|link| link.starts_with("/game/")));
        n_games += listed.len();
    }
    // Every game is in two cells.
    assert_eq!(n_games, 2 * 2 * NAMES.len() * (NAMES.len() - 1));
    for round in ["1", "2"] {
        let page = event.page(&format!("/event/cup?round={round}")).await;
        let html = Html::parse_document(&page);
        assert_eq!(select(&html, "#rounds tbody tr").len(), NAMES.len() * (NAMES.len() - 1) / 2);
        for pairing in links(&page, "#rounds tbody td:nth-child(2) a") {
            assert_eq!(
                links(&event.page(&pairing).await, "#games tbody td:first-child a").len(),
                2,
                "{pairing}"
            );
        }
    }
}

#[tokio::test]
async fn a_running_event_shows_new_games() {
    let event = TestEvent::new(1);
    let page = event.page("/event/cup").await;
    check_clean(&page, "before anything was played");
    let ledger = event.ledger();
    event.play(&ledger, 3);
    let shown = |page: &str| {
        let html = Html::parse_document(page);
        assert_eq!(text(&select(&html, "#event-state")[0]).trim(), "running");
        select(&html, "#boards li").len()
    };
    assert_eq!(shown(&event.page("/event/cup").await), 3);
    event.play(&ledger, 2);
    let page = event.page("/event/cup").await;
    assert_eq!(shown(&page), 5);
    let html = Html::parse_document(&page);
    let games = |row: &ElementRef<'_>| -> u32 {
        let cell = Selector::parse("td:nth-of-type(3)").unwrap();
        text(&row.select(&cell).next().unwrap()).parse().unwrap()
    };
    // A pairing counts when both of its games are finished: the fifth game waits for the sixth.
    assert_eq!(select(&html, "#standings tbody tr").iter().map(games).sum::<u32>(), 8);

    // The store gets the games in play within a quarter of a second.
    let board = LiveGame {
        game: "connect:4x4x3".into(),
        first: NAMES[3].into(),
        second: NAMES[5].into(),
        moves: "1 2".into(),
        ..LiveGame::default()
    };
    let status =
        LiveStatus { done: 5, of: Some(42), elapsed: 10.0, boards: vec![board], ..LiveStatus::default() };
    ledger.set_live_status(status.to_json()).unwrap();
    while event.store.live_status(event.run.id).unwrap().is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let page = event.page("/event/cup").await;
    check_clean(&page, "with a game in play");
    let html = Html::parse_document(&page);
    let boards = select(&html, "#boards .in-play");
    assert_eq!(boards.len(), 1);
    assert!(text(&boards[0]).contains(NAMES[3]) && boards[0].inner_html().contains("<svg"));
    let bar = &select(&html, "#progress progress")[0];
    assert_eq!((bar.attr("value"), bar.attr("max")), (Some("5"), Some("42")));
    assert!(page.contains("1 min 14 s"), "10 seconds for 5 games, and 37 games left");

    // A dropped ledger reports no progress.
    drop(ledger);
    let page = event.page("/event/cup").await;
    let html = Html::parse_document(&page);
    assert_eq!(text(&select(&html, "#event-state")[0]).trim(), "interrupted");
    assert!(select(&html, "#boards .in-play, #progress progress, #stop, #resume, #why-not").is_empty());
}

#[tokio::test]
async fn events_with_programs_are_resumed_only_where_allowed() {
    let plan = |player: &str| {
        format!(
            "game = \"connect:4x4x3\"\nname = \"cup\"\nformat = \"round-robin\"\n\
             [[player]]\nname = \"a\"\nplayer = \"random\"\n[[player]]\nname = \"b\"\nplayer = \"{player}\"\n"
        )
    };
    // Whether the server may start runs, whether programs, the second player, and the element that is shown.
    let cases = [
        (true, false, "random", "#resume"),
        (true, false, "cmd:./nowhere", "#why-not"),
        (true, true, "cmd:./nowhere", "#resume"),
        (false, true, "random", "#downloads"),
    ];
    for (may_work, allow_programs, player, offered) in cases {
        let event = TestEvent::of(&plan(player), |config| {
            config.program = may_work.then(|| PathBuf::from("palestra"));
            config.allow_programs = allow_programs;
        });
        drop(event.ledger());
        let page = event.page("/event/cup").await;
        let html = Html::parse_document(&page);
        for id in ["#resume", "#why-not"] {
            assert_eq!(select(&html, id).len(), usize::from(id == offered), "{player} {id}");
        }
        assert_eq!(select(&html, offered).len(), 1);
    }
}

#[tokio::test]
async fn games_come_page_by_page() {
    let event = TestEvent::new(4);
    event.finish();
    let mut seen = Vec::new();
    let mut next = Some("/event/cup/games".to_owned());
    while let Some(path) = next {
        let page = event.page(&path).await;
        check_clean(&page, &path);
        let games = links(&page, "#games tbody td:first-child a");
        assert!(games.len() <= 100);
        seen.extend(games);
        next = links(&page, "#games-older").pop();
    }
    let n_games = 4 * NAMES.len() * (NAMES.len() - 1);
    assert_eq!(seen.len(), n_games);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), n_games);
    let failed = event.page("/event/cup/games?failed=1&player=&opponent=&round=2").await;
    assert_eq!(links(&failed, "#games tbody td:first-child a").len(), 2 * (NAMES.len() - 1));
}

#[tokio::test]
async fn downloads_contain_all_games() {
    let event = TestEvent::new(2);
    event.finish();
    let n_games = 2 * NAMES.len() * (NAMES.len() - 1);
    assert_eq!(event.page("/event/cup/table.csv").await.lines().count(), NAMES.len() + 1);
    let lines = event.page("/event/cup/games.jsonl").await;
    let games = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let games: Vec<serde_json::Value> = games.collect();
    assert_eq!(games.len(), n_games);
    let failed = games.iter().find(|game| !game["forfeit"].is_null()).unwrap();
    assert!(failed["forfeit"]["stderr"].as_str().unwrap().starts_with("Traceback"));
    assert_eq!(event.page("/event/cup/games.pgn").await.matches("[Event \"cup\"]").count(), n_games);
}

#[tokio::test]
async fn pages_of_one_version_share_a_summary() {
    let event = TestEvent::new(1);
    let ledger = event.ledger();
    event.play(&ledger, 4);
    let n_summaries = || event.app.events.n_summaries.load(Ordering::Relaxed);
    for path in ["/event/cup", "/event/cup/player/ana", "/event/cup/crosstable", "/event/cup?page=1"] {
        event.page(path).await;
        event.get(path, "es").await;
        assert_eq!(n_summaries(), 1, "{path}");
    }
    event.page("/event/cup/games").await;
    event.play(&ledger, 1);
    event.page("/event/cup").await;
    event.page("/event/cup/player/ana").await;
    assert_eq!(n_summaries(), 2);
    event.play(&ledger, usize::MAX);
    ledger.finish("{}").unwrap();
    drop(ledger);
    let page = event.page("/event/cup").await;
    assert_eq!(Html::parse_document(&page).select(&Selector::parse("#failures li").unwrap()).count(), 12);
    assert_eq!(n_summaries(), 3);
}

#[tokio::test]
async fn large_events_are_split_into_pages() {
    let mut plan =
        "game = \"connect:4x4x3\"\nname = \"big\"\nformat = \"swiss\"\nrounds = 2\nseed = 1\n".to_owned();
    for i in 0..205 {
        plan += &format!("[[player]]\nname = \"p{i}\"\nplayer = \"random\"\n");
    }
    let event = TestEvent::of(&plan, |_| ());
    event.finish();
    let page = event.page("/event/big").await;
    check_clean(&page, "big");
    let html = Html::parse_document(&page);
    assert_eq!(select(&html, "#standings tbody tr").len(), 200);
    assert!(select(&html, "#crosstable table").is_empty());
    assert_eq!(links(&page, "#crosstable a"), ["/event/big/crosstable"]);
    let rest = event.page("/event/big?page=2").await;
    assert_eq!(select(&Html::parse_document(&rest), "#standings tbody tr").len(), 5);
    let cross = event.page("/event/big/crosstable").await;
    check_clean(&cross, "crosstable");
    assert_eq!(select(&Html::parse_document(&cross), "tbody tr").len(), 80);
    // Every round has a bye.
    for round in [1, 2] {
        let page = event.page(&format!("/event/big?round={round}")).await;
        let html = Html::parse_document(&page);
        assert_eq!(select(&html, "#rounds tbody tr").len(), 102);
        assert_eq!(select(&html, "#rounds > p a").len(), 1);
    }
}

#[tokio::test]
async fn stages_are_shown_separately() {
    let event = TestEvent::of(
        "game = \"connect:4x4x3\"\nname = \"cup\"\nseed = 3\n\
         [[stage]]\nname = \"<b>groups\"\nformat = \"round-robin\"\ncycles = 2\n\
         [[stage]]\nname = \"final\"\nformat = \"round-robin\"\nfrom = [\"<b>groups\"]\nbest = 2\n\
         [[player]]\nname = \"a\"\nplayer = \"random\"\n[[player]]\nname = \"b\"\nplayer = \"random\"\n\
         [[player]]\nname = \"c\"\nplayer = \"random\"\n",
        |_| (),
    );
    event.finish();
    let page = event.page("/event/cup").await;
    check_clean(&page, "stages");
    let html = Html::parse_document(&page);
    assert_eq!(select(&html, "#standings tbody tr").len(), 2);
    assert_eq!(select(&html, "#stages tbody tr").len(), 3);
    assert_eq!(select(&html, "#rounds tbody tr").len(), 1);
    for (path, n_pairings) in [("?stage=1&round=2", 3), ("?stage=2&round=1", 1), ("?stage=1", 3)] {
        let page = event.page(&format!("/event/cup{path}")).await;
        assert_eq!(select(&Html::parse_document(&page), "#rounds tbody tr").len(), n_pairings, "{path}");
    }
    assert_eq!(event.get("/event/cup?stage=2&round=2", "en").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn unknown_pages_are_refused() {
    let event = TestEvent::new(1);
    event.finish();
    let long = format!("/event/cup/games?player={}", "x".repeat(1001));
    let cases = [
        ("/event/nobody", 404),
        ("/event/1", 404),
        ("/event/cup/player/nobody", 404),
        ("/event/cup/player", 404),
        ("/event/cup/player/%FF", 400),
        ("/event/cup?round=99", 404),
        ("/event/cup?round=0", 404),
        ("/event/cup?round=x", 400),
        ("/event/cup?stage=9", 404),
        ("/event/cup?page=9", 404),
        ("/event/cup?page=0", 404),
        ("/event/cup/games?round=0", 400),
        ("/event/cup/games?failed=yes", 400),
        ("/event/cup/games?before=x", 400),
        ("/event/nobody/games.pgn", 404),
        ("/event/nobody/table.csv", 404),
        (long.as_str(), 400),
    ];
    for (path, status) in cases {
        let (answered, page) = event.get(path, "en").await;
        assert_eq!(answered.as_u16(), status, "{path}");
        assert!(!page.contains("palestra.db") && !page.contains("/tmp"), "{path}");
    }
    assert_eq!(event.get("/event/cup/games?player=nobody", "en").await.0, StatusCode::OK);
}

#[tokio::test]
async fn groups_have_a_table_and_a_page() {
    let player = |name: &str, weight: u32, group: &str| {
        format!("[[player]]\nname = \"{name}\"\nplayer = \"greedy/lines/{weight},1,1,1,1,1\"\n{group}")
    };
    let plan = [
        "game = \"connect:4x4x3\"\nname = \"cup\"\nformat = \"round-robin\"\nopening_plies = 2\n".to_owned(),
        player("ana", 0, "group = \"<b>morning</b>\"\n"),
        player("bea", 1, "group = \"<b>morning</b>\"\n"),
        player("eva", 2, ""),
        player("house", 3, "staff = true\n"),
    ];
    let event = TestEvent::of(&plan.concat(), |_| ());
    event.finish();
    for (language, without, mean) in
        [("en", "without a group", "Mean score"), ("es", "sin grupo", "Rendimiento medio")]
    {
        for path in ["/event/cup", "/event/cup/groups"] {
            let (status, page) = event.get(path, language).await;
            assert_eq!(status, StatusCode::OK);
            let html = Html::parse_document(&page);
            let rows = texts(&html, "#groups tbody tr th");
            assert_eq!(rows, ["<b>morning</b>", without], "{path}");
            assert!(texts(&html, "#groups thead").concat().contains(mean), "{path}");
        }
        let (_, page) = event.get("/event/cup/groups", language).await;
        let html = Html::parse_document(&page);
        let mut members = texts(&html, "#group-1 tbody th");
        members.sort();
        assert_eq!(members, ["ana", "bea"]);
        assert_eq!(texts(&html, "#group-2 tbody th"), ["eva"]);
    }
    // Without groups there is no page and no table.
    let event = TestEvent::new(1);
    event.finish();
    assert_eq!(event.get("/event/cup/groups", "en").await.0, StatusCode::NOT_FOUND);
    assert!(!event.page("/event/cup").await.contains("groups-title"));
}
