//! Tests of the pages of games: every family, stored or in the query, at any ply, in both languages.

use crate::{App, Config};
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use palestra_arena::{EngineLog, Forfeit, GameEvidence, GameRecord, LogLine, Speaker};
use palestra_core::{Seed, Side};
use palestra_registry::GAMES;
use palestra_store::{EVENT, EventGame, EventPlace, NewRun, Store, StoredGame};
use scraper::{ElementRef, Html, Selector};
use std::path::PathBuf;
use tower::ServiceExt;

/// A site with its own folder, which is removed with it.
struct Site {
    folder: PathBuf,
    app: App,
}

impl Site {
    fn new(name: &str) -> Site {
        let folder = std::env::temp_dir().join(format!("palestra-game-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let app = App::new(Config::new(&GAMES, folder.join("store.db")));
        Site { folder, app }
    }

    fn store(&self) -> Store {
        Store::open(self.folder.join("store.db")).unwrap()
    }

    async fn ask(&self, path: &str, language: &str) -> (StatusCode, String) {
        let request = Request::get(path).header(header::HOST, "localhost");
        let request = request.header(header::ACCEPT_LANGUAGE, language).body(Body::empty()).unwrap();
        let response = self.app.router().oneshot(request).await.unwrap();
        let status = response.status();
        let bytes = axum::body::to_bytes(response.into_body(), 64 << 20).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    async fn get(&self, path: &str) -> Html {
        let (status, text) = self.ask(path, "en").await;
        assert_eq!(status, StatusCode::OK, "{path}: {text}");
        for forbidden in [" style=", "<style", " onclick=", "<script>"] {
            assert!(!text.contains(forbidden), "{path} has {forbidden}");
        }
        Html::parse_document(&text)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn one<'a>(page: &'a Html, selector: &str) -> ElementRef<'a> {
    let found = page.select(&Selector::parse(selector).unwrap()).next();
    found.unwrap_or_else(|| panic!("no {selector} in {}", page.html()))
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn attribute(element: ElementRef<'_>, name: &str) -> String {
    element.attr(name).unwrap_or_else(|| panic!("no {name} in {}", element.html())).to_owned()
}

/// A game of at most `limit` moves.
fn some_game(name: &str, limit: usize) -> StoredGame {
    let game = GAMES.open(name).unwrap();
    let mut session = game.session(None, "").unwrap();
    for i in 0..limit {
        let legal = session.legal();
        if legal.is_empty() {
            break;
        }
        session.play(&legal[(7 * i + 3) % legal.len()]).unwrap();
    }
    let moves = session.played();
    let ending = session.ending();
    StoredGame {
        family: game.family().name.to_owned(),
        game: game.name(),
        first: game.opponent().to_string(),
        second: "human".to_owned(),
        setup: None,
        seed: 5,
        record: GameRecord {
            opening: moves[..2].join(" "),
            moves: moves[2..].join(" "),
            winner: ending.and_then(|ending| ending.winner),
            margin: ending.map_or(0, |ending| ending.margin),
            reason: ending.map_or("stopped", |ending| ending.reason).to_owned(),
            plies: moves.len() as u32,
            microseconds: Some(1_500_000),
            ..GameRecord::default()
        },
    }
}

fn moves_of(game: &StoredGame) -> Vec<String> {
    format!("{} {}", game.record.opening, game.record.moves).split_whitespace().map(str::to_owned).collect()
}

/// Drawings of all cells of the board in a page.
fn cells(page: &Html) -> Vec<String> {
    all(page, "#board .cell").into_iter().map(|cell| cell.inner_html()).collect()
}

#[tokio::test]
async fn every_family_is_shown_at_every_ply() {
    let site = Site::new("families");
    for family in GAMES.families() {
        let kept = some_game(family.samples[0], 40);
        let id = site.store().keep_loose_game(&kept).unwrap();
        let moves = moves_of(&kept);
        let page = site.get(&format!("/game/{id}")).await;
        let boards: serde_json::Value = serde_json::from_str(&text(one(&page, "#boards"))).unwrap();
        let mut looks: Vec<u64> = serde_json::from_value(boards["start"].clone()).unwrap();
        let n_plies = moves.len();
        for ply in 0..=n_plies {
            if ply > 0 {
                let change: Vec<u64> = serde_json::from_value(boards["changes"][ply - 1].clone()).unwrap();
                change.chunks(2).for_each(|pair| looks[pair[0] as usize] = pair[1]);
            }
            if ![0, 1, 2, n_plies / 2, n_plies - 1, n_plies].contains(&ply) {
                continue;
            }
            let page = site.get(&format!("/game/{id}?ply={ply}")).await;
            // The board is that of the session, both from the list of changes and as drawn by the server.
            let session = GAMES.open(&kept.game).unwrap().session(None, &moves[..ply].join(" ")).unwrap();
            let grid = session.grid();
            let drawn: Vec<String> =
                grid.cells.iter().map(|cell| palestra_core::cell_svg(grid.board, cell)).collect();
            let by_script: Vec<&str> =
                looks.iter().map(|&look| boards["looks"][look as usize].as_str().unwrap()).collect();
            assert_eq!(by_script, drawn, "{} at {ply}", kept.game);
            let expected = format!("<g>{}</g>", drawn.join("</g><g>"));
            let expected: Vec<String> = all(&Html::parse_fragment(&format!("<svg>{expected}</svg>")), "g")
                .iter()
                .map(|g| g.inner_html())
                .collect();
            assert_eq!(cells(&page), expected, "{} at {ply}", kept.game);
            assert_eq!(text(one(&page, "#said")), boards["said"][ply].as_str().unwrap());
            assert_eq!(attribute(one(&page, "#ply"), "value"), ply.to_string());
            assert_eq!(
                attribute(one(&page, "#previous"), "href"),
                format!("/game/{id}?ply={}", ply.saturating_sub(1))
            );
            assert_eq!(
                attribute(one(&page, "#next"), "href"),
                format!("/game/{id}?ply={}", (ply + 1).min(n_plies))
            );
            let current = one(&page, "#viewer [aria-current]");
            assert_eq!(attribute(current, "data-ply"), ply.to_string());
            assert_eq!(all(&page, "a.opening").len(), 2);
            let listed: Vec<String> = all(&page, "#moves a[data-ply]").into_iter().map(text).collect();
            assert_eq!(listed.len(), n_plies);
            let is_over = session.ending().is_some();
            assert_eq!(one(&page, "#play-on").attr("hidden").is_some(), is_over);
        }
        let last = site.get(&format!("/game/{id}")).await;
        assert_eq!(
            attribute(one(&last, "#viewer"), "data-ply"),
            n_plies.to_string(),
            "the end is shown by default"
        );
        assert!(!all(&last, "#evaluation polyline").is_empty(), "{} has curves", kept.game);
        assert!(!one(&last, "#evaluation").html().contains("e300"));
        let (status, plain) = site.ask(&format!("/game/{id}/text"), "en").await;
        assert_eq!(status, StatusCode::OK);
        assert!(
            plain.contains(&format!("moves: {}\n", moves.join(" "))) && plain.contains("opening moves: 2\n")
        );
    }
}

/// Every move of an explanation: its value and the contributions of its features.
fn reasons(page: &Html) -> Vec<(String, Option<f64>, Vec<f64>)> {
    let adds = Selector::parse("[data-adds]").unwrap();
    let mut found: Vec<(String, Option<f64>, Vec<f64>)> = all(page, "[data-move]")
        .into_iter()
        .map(|row| {
            let value = row.attr("data-value").map(|value| value.parse().unwrap());
            let terms = row.select(&adds).map(|term| attribute(term, "data-adds").parse().unwrap());
            (attribute(row, "data-move"), value, terms.collect())
        })
        .collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[tokio::test]
async fn explanations_are_those_of_the_player() {
    let site = Site::new("reasons");
    for family in GAMES.families() {
        let kept = some_game(family.samples[0], 9);
        let id = site.store().keep_loose_game(&kept).unwrap();
        let game = GAMES.open(&kept.game).unwrap();
        let moves = moves_of(&kept);
        let ply = 4;
        let session = game.session(None, &moves[..ply].join(" ")).unwrap();
        let mut expected = Vec::new();
        let explained = session.explain(&game.opponent(), Seed(5).child(ply as u64));
        for reason in &explained.moves {
            expected.push((reason.mv.clone(), reason.value, reason.contributions.clone()));
        }
        expected.sort_by(|a, b| a.0.cmp(&b.0));
        for who in ["first", "opponent"] {
            let page = site.get(&format!("/game/{id}/explain?ply={ply}&as={who}")).await;
            assert_eq!(reasons(&page), expected, "{}", kept.game);
            assert_eq!(text(one(&page, "#chosen")), explained.chosen.clone().unwrap());
            assert_eq!(text(one(&page, "#played")), moves[ply]);
            assert_eq!(attribute(one(&page, "[data-played]"), "data-move"), moves[ply]);
        }
        // Without a script the page itself has the explanation.
        let page = site.get(&format!("/game/{id}?ply={ply}&as=first")).await;
        assert_eq!(reasons(&page), expected);
        assert_eq!(attribute(one(&page, "#as option[selected]"), "value"), "first");
        if !explained.names.is_empty() {
            assert_eq!(all(&page, "#meanings dt").len(), explained.names.len());
            let meaning = attribute(one(&page, "[data-feature] th"), "title");
            assert!(!meaning.is_empty(), "features have a meaning");
        }
        // A person cannot explain moves.
        assert!(all(&page, "#as option").iter().all(|option| attribute(*option, "value") != "second"));
    }
}

#[tokio::test]
async fn the_oracle_values_moves() {
    let site = Site::new("judge");
    // A small board that is solved at once.
    let base = "/game/line/explain?game=connect:4x4x3&moves=2%201%202%201&ply=4&judge=1";
    let page = site.get(base).await;
    assert_eq!(attribute(one(&page, "#opinion"), "data-exact"), "true");
    assert_eq!(attribute(one(&page, "#opinion"), "data-finished"), "true");
    let mut oracle = GAMES
        .open("connect:4x4x3")
        .unwrap()
        .session(None, "2 1 2 1")
        .unwrap()
        .exact_oracle(1 << 20, 1)
        .unwrap();
    let progress = palestra_core::Progress::default();
    let values: Vec<f64> = (0..4).map(|i| oracle.move_value(i, &progress).unwrap()).collect();
    let best = values.iter().copied().fold(f64::MIN, f64::max);
    let expected: Vec<String> = (0..4).filter(|&i| values[i] == best).map(|i| (i + 1).to_string()).collect();
    assert_eq!(text(one(&page, "#best")), expected.join(", "));
    // The start of a large board is not solved in two seconds: the deep search values its moves.
    let began = std::time::Instant::now();
    let page = site.get("/game/line/explain?game=connect:9x8x4&ply=0&judge=1").await;
    assert_eq!(attribute(one(&page, "#opinion"), "data-exact"), "false");
    assert!(!text(one(&page, "#best")).is_empty());
    assert!(began.elapsed().as_secs() < 20);
}

#[tokio::test]
async fn slow_players_are_replaced_by_faster_ones() {
    let site = Site::new("quick");
    for player in
        ["minimax:depth=30/lines/1,2,3,4,5,6", "pvs:nodes=1000000000000/lines/1,2,3,4,5,6", "perfect"]
    {
        let player = GAMES.open("connect:7x6x4").unwrap().player(player).unwrap().to_string();
        let kept = StoredGame { first: player.clone(), ..some_game("connect:7x6x4", 4) };
        let id = site.store().keep_loose_game(&kept).unwrap();
        let page = site.get(&format!("/game/{id}/explain?ply=0&as=first")).await;
        assert!(page.html().contains("a faster player was used"), "{player}");
        assert!(!text(one(&page, "#chosen")).is_empty());
    }
}

/// A name that needs escaping.
const EVIL: &str = "<script>alert(1)</script>\"'&";

#[tokio::test]
async fn forfeited_games_show_the_log_of_the_program() {
    let site = Site::new("event");
    let mut store = site.store();
    let new = NewRun {
        stem: "cup".into(),
        kind: EVENT.into(),
        plan: "name = \"a\"\n".into(),
        old_plan: None,
        seed: 1,
        version: "1".into(),
        weights: Vec::new(),
    };
    let event = store.find_or_begin_event(&new).unwrap().0;
    let ledger = store.ledger(event.id).unwrap();
    let line = |by, at_us, text: &str| LogLine { by, at_us, text: text.to_owned() };
    let log = EngineLog {
        stderr: EVIL.to_owned(),
        dialogue: vec![line(Speaker::Palestra, 1, "go"), line(Speaker::Program, 2, EVIL)],
        ..EngineLog::default()
    };
    let evidence = GameEvidence {
        micros: [1500, 20, 30].map(Some).to_vec(),
        values: vec![Some(0.5), Some(1e300), None],
        second: log,
        ..GameEvidence::default()
    };
    let played = some_game("connect:7x6x4", 5);
    let second = "cmd(folder=/secret/place):python3 bot.py".to_owned();
    let record = GameRecord {
        reason: "crash".into(),
        winner: Some(Side::First),
        margin_points: 1.0,
        milliseconds: [12, 3400],
        forfeit: Some(Forfeit {
            culprit: Side::Second,
            kind: "crash".into(),
            detail: format!("exit code 3 {EVIL}"),
        }),
        evidence: Some(Box::new(evidence)),
        ..played.record
    };
    ledger
        .keep_event_game(EventGame {
            id: 0,
            key: *palestra_store::hash(b"x").as_bytes(),
            game: StoredGame { second, record, ..played },
            place: EventPlace { round: 2, first: "ana / b".into(), second: EVIL.into() },
        })
        .unwrap();
    ledger.flush().unwrap();
    let id = store.event_games(event.id).unwrap()[0].id;
    let page = site.get(&format!("/game/{id}")).await;
    let html = page.html();
    assert!(!html.contains("<script>alert") && !html.contains("secret"));
    assert_eq!(all(&page, "script").len(), 2, "the boards and the script that shows them");
    let links: Vec<String> = all(&page, ".facts a").into_iter().map(|a| attribute(a, "href")).collect();
    assert_eq!(links[0], "/event/cup/player/ana%20%2F%20b");
    assert!(links[1].starts_with("/event/cup/player/%3Cscript%3E"));
    assert_eq!(links[2], "/event/cup");
    let result = text(one(&page, "#result"));
    assert!(result.contains("forfeited: crash") && result.contains("exit code 3"), "{result}");
    let log = text(one(&page, "#voice-second"));
    assert!(log.contains("> go") && log.contains(&format!("< {EVIL}")), "{log}");
    // Both sides reported values: those of the second side are negated, and a won position does not stretch the scale.
    let curves: Vec<String> =
        all(&page, "#evaluation polyline").into_iter().map(|line| attribute(line, "class")).collect();
    assert_eq!(curves, ["curve first", "curve second", "curve opponent"]);
    assert!(text(one(&page, "#evaluation-table")).contains("lost"), "1e300 for the second side");
    let (_, spanish) = site.ask(&format!("/game/{id}?ply=1"), "es").await;
    assert!(
        spanish.contains("perdió por una falta: el programa se cerró inesperadamente")
            && spanish.contains("lang=\"es\"")
    );
    let (_, plain) = site.ask(&format!("/game/{id}/text"), "en").await;
    assert!(!plain.contains("secret") && plain.contains("winner: first"));
}

#[tokio::test]
async fn games_in_the_query_are_shown_and_invalid_ones_refused() {
    let site = Site::new("lines");
    let page = site.get("/game").await;
    assert_eq!(attribute(one(&page, "#paste"), "action"), "/game");
    let page = site.get("/game?game=connect4&moves=4453&ply=3").await;
    assert_eq!(attribute(one(&page, "#next"), "href"), "/game?game=connect4&moves=4453&ply=4");
    assert_eq!(
        attribute(one(&page, "#play-on"), "href"),
        "/play?game=connect%3A7x6x4&moves=4%204%205&side=second"
    );
    assert_eq!(attribute(one(&page, "#slide input[name=moves]"), "value"), "4453");
    assert_eq!(text(one(&page, "#result")), "The game is not over.");
    let over = site.get("/game?game=connect4&moves=1%202%201%202%201%202%201&ply=999").await;
    assert_eq!(text(one(&over, "#result")), "First won: line.");
    assert_eq!(attribute(one(&over, "#viewer"), "data-ply"), "7");
    let none = site.get("/game/line/explain?game=connect4&moves=1212121").await;
    assert!(text(none.root_element()).contains("The game is over here"));
    let many = "4%20".repeat(5001);
    let bad = [
        ("/game?game=conect4&moves=1".to_owned(), "did you mean"),
        ("/game?game=connect4&moves=9".to_owned(), "a legal move"),
        ("/game?game=connect4&setup=zzz".to_owned(), ""),
        ("/game?game=connect4&moves=44&ply=-1".to_owned(), "a whole number from 0 to 2"),
        ("/game?game=connect4&moves=44&ply=x".to_owned(), "a whole number from 0 to 2"),
        ("/game?game=connect4&moves=44&as=oponent".to_owned(), "did you mean &#34;opponent&#34;"),
        ("/game?game=connect4&moves=44&as=greedy/lines/1".to_owned(), "a player to explain as"),
        ("/game/line/explain?game=connect4&as=perfect".to_owned(), "a player to explain as"),
        ("/game/line/text".to_owned(), ""),
        (format!("/game?game=connect4&moves={many}"), "more than 5000 moves"),
    ];
    for (path, error) in bad {
        let (status, text) = site.ask(&path, "en").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path}");
        assert!(text.contains(error), "{path}: {text}");
    }
    // Without a store, and with a store without such a game.
    for _ in 0..2 {
        for path in ["/game/1", "/game/x", "/game/-1", "/game/1/text", "/game/9999999999999999999/explain"] {
            assert_eq!(site.ask(path, "en").await.0, StatusCode::NOT_FOUND, "{path}");
        }
        site.store();
    }
}

#[tokio::test]
async fn both_languages() {
    let site = Site::new("languages");
    let path = "/game?game=connect4&moves=44&as=opponent";
    let (_, english) = site.ask(path, "en").await;
    let (_, spanish) = site.ask(path, "es-AR").await;
    for (words, palabras) in [
        ("Evaluation over time", "Evaluación a lo largo"),
        ("to move", "juega"),
        ("its choice", "su elección"),
    ] {
        assert!(english.contains(words) && !spanish.contains(words), "{words}");
        assert!(spanish.contains(palabras) && !english.contains(palabras), "{palabras}");
    }
}
