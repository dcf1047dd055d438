//! What the pages of an event show, and that they hold whatever people call their players.

use super::fair::{Fair, NAMES};
use axum::http::StatusCode;
use palestra_review::live::{LiveGame, LiveStatus};
use scraper::{ElementRef, Html, Selector};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

fn select<'a>(page: &'a Html, what: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(what).unwrap()).collect()
}

fn text(element: &ElementRef<'_>) -> String {
    element.text().collect()
}

/// Where the elements lead.
fn links(page: &str, what: &str) -> Vec<String> {
    let page = Html::parse_document(page);
    let of = |element: &ElementRef<'_>| element.attr("href").unwrap().to_owned();
    select(&page, what).iter().map(of).collect()
}

/// What the content security policy forbids, and what strangers may have smuggled in.
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
    let fair = Fair::new(1);
    fair.finish();
    let words = [
        ("en", ["Standings", "Crosstable", "Rounds", "Failures", "done"]),
        ("es", ["Clasificación", "Tabla cruzada", "Rondas", "Fallos", "terminado"]),
    ];
    for (language, words) in words {
        let (status, page) = fair.get("/event/cup", language).await;
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
async fn every_player_has_a_page_whatever_its_name() {
    let fair = Fair::new(1);
    fair.finish();
    let page = fair.page("/event/cup").await;
    let mut names = BTreeSet::new();
    for link in links(&page, "#standings tbody th a") {
        let (status, english) = fair.get(&link, "en").await;
        assert_eq!(status, StatusCode::OK, "{link}");
        check_clean(&english, &link);
        let html = Html::parse_document(&english);
        let name = text(&select(&html, "h1")[0]);
        let n_failures = if name == NAMES[6] { 10 } else { 0 };
        assert_eq!(select(&html, "#failures li").len(), n_failures, "{name}");
        assert_eq!(select(&html, "#opponents tbody tr").len(), NAMES.len() - 1);
        assert_eq!(select(&html, "#games tbody tr").len(), 2 * (NAMES.len() - 1), "{name}");
        names.insert(name);
        let (status, spanish) = fair.get(&link, "es").await;
        assert!(status == StatusCode::OK && spanish.contains("Por rival y lado"));
    }
    assert_eq!(names, NAMES.iter().map(|name| (*name).to_owned()).collect());
}

#[tokio::test]
async fn cells_and_pairings_open_their_games() {
    let fair = Fair::new(2);
    fair.finish();
    let page = fair.page("/event/cup").await;
    let html = Html::parse_document(&page);
    let mut n_games = 0;
    for cell in select(&html, "#crosstable tbody td a") {
        let counts: Vec<usize> = text(&cell).split('-').map(|count| count.parse().unwrap()).collect();
        let games = fair.page(cell.attr("href").unwrap()).await;
        check_clean(&games, cell.attr("href").unwrap());
        let listed = links(&games, "#games tbody td:first-child a");
        assert_eq!(listed.len(), counts.iter().sum::<usize>(), "{}", cell.attr("href").unwrap());
        assert!(listed.iter().all(|link| link.starts_with("/game/")));
        n_games += listed.len();
    }
    // Every game is in two cells.
    assert_eq!(n_games, 2 * 2 * NAMES.len() * (NAMES.len() - 1));
    for round in ["1", "2"] {
        let page = fair.page(&format!("/event/cup?round={round}")).await;
        let html = Html::parse_document(&page);
        assert_eq!(select(&html, "#rounds tbody tr").len(), NAMES.len() * (NAMES.len() - 1) / 2);
        for pairing in links(&page, "#rounds tbody td:nth-child(2) a") {
            assert_eq!(
                links(&fair.page(&pairing).await, "#games tbody td:first-child a").len(),
                2,
                "{pairing}"
            );
        }
    }
}

#[tokio::test]
async fn a_running_event_shows_what_is_new() {
    let fair = Fair::new(1);
    let page = fair.page("/event/cup").await;
    check_clean(&page, "before anything was played");
    let ledger = fair.ledger();
    fair.play(&ledger, 3);
    let shown = |page: &str| {
        let html = Html::parse_document(page);
        assert_eq!(text(&select(&html, "#event-state")[0]).trim(), "running");
        select(&html, "#boards li").len()
    };
    assert_eq!(shown(&fair.page("/event/cup").await), 3);
    fair.play(&ledger, 2);
    let page = fair.page("/event/cup").await;
    assert_eq!(shown(&page), 5);
    let html = Html::parse_document(&page);
    let games = |row: &ElementRef<'_>| -> u32 {
        let cell = Selector::parse("td:nth-of-type(3)").unwrap();
        text(&row.select(&cell).next().unwrap()).parse().unwrap()
    };
    // A pairing counts when both of its games are over: the fifth game waits for the sixth.
    assert_eq!(select(&html, "#standings tbody tr").iter().map(games).sum::<u32>(), 8);

    // Of games in play the store is told within a quarter of a second.
    let board = LiveGame {
        game: "connect:4x4x3".into(),
        first: NAMES[3].into(),
        second: NAMES[5].into(),
        moves: "1 2".into(),
        ..LiveGame::default()
    };
    let telling =
        LiveStatus { done: 5, of: Some(42), elapsed: 10.0, boards: vec![board], ..LiveStatus::default() };
    ledger.set_live_status(telling.to_json()).unwrap();
    while fair.store.live_status(fair.run.id).unwrap().is_none() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let page = fair.page("/event/cup").await;
    check_clean(&page, "with a game in play");
    let html = Html::parse_document(&page);
    let boards = select(&html, "#boards .in-play");
    assert_eq!(boards.len(), 1);
    assert!(text(&boards[0]).contains(NAMES[3]) && boards[0].inner_html().contains("<svg"));
    let bar = &select(&html, "#progress progress")[0];
    assert_eq!((bar.attr("value"), bar.attr("max")), (Some("5"), Some("42")));
    assert!(page.contains("1 min 14 s"), "10 seconds for 5 games, and 37 to go");

    // Whoever is gone tells nothing any more.
    drop(ledger);
    let page = fair.page("/event/cup").await;
    let html = Html::parse_document(&page);
    assert_eq!(text(&select(&html, "#event-state")[0]).trim(), "interrupted");
    assert!(select(&html, "#boards .in-play, #progress progress, #stop, #resume, #why-not").is_empty());
}

#[tokio::test]
async fn programs_go_on_only_where_they_may() {
    let plan = |player: &str| {
        format!(
            "game = \"connect:4x4x3\"\nname = \"cup\"\nformat = \"round-robin\"\n\
             [[player]]\nname = \"a\"\nplayer = \"random\"\n[[player]]\nname = \"b\"\nplayer = \"{player}\"\n"
        )
    };
    // Whether the server may start runs, whether programs, who plays, and what is offered.
    let cases = [
        (true, false, "random", "#resume"),
        (true, false, "cmd:./nowhere", "#why-not"),
        (true, true, "cmd:./nowhere", "#resume"),
        (false, true, "random", "#downloads"),
    ];
    for (may_work, allow_programs, player, offered) in cases {
        let fair = Fair::of(&plan(player), |config| {
            config.program = may_work.then(|| PathBuf::from("palestra"));
            config.allow_programs = allow_programs;
        });
        drop(fair.ledger());
        let page = fair.page("/event/cup").await;
        let html = Html::parse_document(&page);
        for id in ["#resume", "#why-not"] {
            assert_eq!(select(&html, id).len(), usize::from(id == offered), "{player} {id}");
        }
        assert_eq!(select(&html, offered).len(), 1);
    }
}

#[tokio::test]
async fn games_come_page_by_page() {
    let fair = Fair::new(4);
    fair.finish();
    let mut seen = Vec::new();
    let mut next = Some("/event/cup/games".to_owned());
    while let Some(path) = next {
        let page = fair.page(&path).await;
        check_clean(&page, &path);
        let games = links(&page, "#games tbody td:first-child a");
        assert!(games.len() <= 100);
        seen.extend(games);
        next = links(&page, "#games-older").pop();
    }
    let n_games = 4 * NAMES.len() * (NAMES.len() - 1);
    assert_eq!(seen.len(), n_games);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), n_games);
    let failed = fair.page("/event/cup/games?failed=1&player=&rival=&round=2").await;
    assert_eq!(links(&failed, "#games tbody td:first-child a").len(), 2 * (NAMES.len() - 1));
}

#[tokio::test]
async fn files_hold_everything() {
    let fair = Fair::new(2);
    fair.finish();
    let n_games = 2 * NAMES.len() * (NAMES.len() - 1);
    assert_eq!(fair.page("/event/cup/table.csv").await.lines().count(), NAMES.len() + 1);
    let lines = fair.page("/event/cup/games.jsonl").await;
    let games = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let games: Vec<serde_json::Value> = games.collect();
    assert_eq!(games.len(), n_games);
    let failed = games.iter().find(|game| !game["forfeit"].is_null()).unwrap();
    assert!(failed["forfeit"]["stderr"].as_str().unwrap().starts_with("Traceback"));
    assert_eq!(fair.page("/event/cup/games.pgn").await.matches("[Event \"cup\"]").count(), n_games);
}

#[tokio::test]
async fn pages_of_one_version_share_their_work() {
    let fair = Fair::new(1);
    let ledger = fair.ledger();
    fair.play(&ledger, 4);
    let n_folds = || fair.app.events.n_summaries.load(Ordering::Relaxed);
    for path in ["/event/cup", "/event/cup/player/ana", "/event/cup/crosstable", "/event/cup?page=1"] {
        fair.page(path).await;
        fair.get(path, "es").await;
        assert_eq!(n_folds(), 1, "{path}");
    }
    fair.page("/event/cup/games").await;
    fair.play(&ledger, 1);
    fair.page("/event/cup").await;
    fair.page("/event/cup/player/ana").await;
    assert_eq!(n_folds(), 2);
    fair.play(&ledger, usize::MAX);
    ledger.finish("{}").unwrap();
    drop(ledger);
    let page = fair.page("/event/cup").await;
    assert_eq!(Html::parse_document(&page).select(&Selector::parse("#failures li").unwrap()).count(), 12);
    assert_eq!(n_folds(), 3);
}

#[tokio::test]
async fn many_players_have_pages_of_their_own() {
    let mut plan =
        "game = \"connect:4x4x3\"\nname = \"big\"\nformat = \"swiss\"\nrounds = 2\nseed = 1\n".to_owned();
    for i in 0..205 {
        plan += &format!("[[player]]\nname = \"p{i}\"\nplayer = \"random\"\n");
    }
    let fair = Fair::of(&plan, |_| ());
    fair.finish();
    let page = fair.page("/event/big").await;
    check_clean(&page, "big");
    let html = Html::parse_document(&page);
    assert_eq!(select(&html, "#standings tbody tr").len(), 200);
    assert!(select(&html, "#crosstable table").is_empty());
    assert_eq!(links(&page, "#crosstable a"), ["/event/big/crosstable"]);
    let rest = fair.page("/event/big?page=2").await;
    assert_eq!(select(&Html::parse_document(&rest), "#standings tbody tr").len(), 5);
    let cross = fair.page("/event/big/crosstable").await;
    check_clean(&cross, "crosstable");
    assert_eq!(select(&Html::parse_document(&cross), "tbody tr").len(), 80);
    // Somebody sits out in every round.
    for round in [1, 2] {
        let page = fair.page(&format!("/event/big?round={round}")).await;
        let html = Html::parse_document(&page);
        assert_eq!(select(&html, "#rounds tbody tr").len(), 102);
        assert_eq!(select(&html, "#rounds > p a").len(), 1);
    }
}

#[tokio::test]
async fn stages_are_told_apart() {
    let fair = Fair::of(
        "game = \"connect:4x4x3\"\nname = \"cup\"\nseed = 3\n\
         [[stage]]\nname = \"<b>groups\"\nformat = \"round-robin\"\ncycles = 2\n\
         [[stage]]\nname = \"final\"\nformat = \"round-robin\"\nfrom = [\"<b>groups\"]\nbest = 2\n\
         [[player]]\nname = \"a\"\nplayer = \"random\"\n[[player]]\nname = \"b\"\nplayer = \"random\"\n\
         [[player]]\nname = \"c\"\nplayer = \"random\"\n",
        |_| (),
    );
    fair.finish();
    let page = fair.page("/event/cup").await;
    check_clean(&page, "stages");
    let html = Html::parse_document(&page);
    assert_eq!(select(&html, "#standings tbody tr").len(), 2);
    assert_eq!(select(&html, "#stages tbody tr").len(), 3);
    assert_eq!(select(&html, "#rounds tbody tr").len(), 1);
    for (path, n_pairings) in [("?stage=1&round=2", 3), ("?stage=2&round=1", 1), ("?stage=1", 3)] {
        let page = fair.page(&format!("/event/cup{path}")).await;
        assert_eq!(select(&Html::parse_document(&page), "#rounds tbody tr").len(), n_pairings, "{path}");
    }
    assert_eq!(fair.get("/event/cup?stage=2&round=2", "en").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_not_there_is_refused() {
    let fair = Fair::new(1);
    fair.finish();
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
        let (found, page) = fair.get(path, "en").await;
        assert_eq!(found.as_u16(), status, "{path}");
        assert!(!page.contains("palestra.db") && !page.contains("/tmp"), "{path}");
    }
    assert_eq!(fair.get("/event/cup/games?player=nobody", "en").await.0, StatusCode::OK);
}
