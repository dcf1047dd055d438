//! Tests of the play page: whole games with and without the script, and invalid queries.

use crate::app::App;
use crate::config::Config;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use palestra_store::{Champion, Store};
use scraper::{Html, Selector};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use tower::ServiceExt;

/// A site with its own folder, which is removed with it.
struct Site {
    app: App,
    folder: PathBuf,
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A response.
struct Answer {
    status: StatusCode,
    location: String,
    text: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    fn page(&self) -> Html {
        Html::parse_document(&self.text)
    }
}

const JSON: &str = "application/json";
const PAGE: &str = "text/html";

impl Site {
    fn new() -> Site {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("palestra-play-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = Config::new(&palestra_registry::GAMES, folder.join("store.sqlite"));
        Site { app: App::new(config), folder }
    }

    fn store(&self) -> Store {
        Store::open(self.folder.join("store.sqlite")).unwrap()
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.router().oneshot(request).await.unwrap();
        let status = response.status();
        let location =
            response.headers().get(header::LOCATION).map(|value| value.to_str().unwrap().to_owned());
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        Answer {
            status,
            location: location.unwrap_or_default(),
            text: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    async fn get(&self, url: &str, accept: &str, language: &str) -> Answer {
        let request = Request::get(url)
            .header(header::HOST, "localhost")
            .header(header::ACCEPT, accept)
            .header(header::ACCEPT_LANGUAGE, language);
        self.send(request.body(Body::empty()).unwrap()).await
    }

    async fn json(&self, url: &str) -> Value {
        let answer = self.get(url, JSON, "en").await;
        assert_eq!(answer.status, StatusCode::OK, "{url}: {}", answer.text);
        answer.json()
    }

    /// The page at the end of all redirects.
    async fn page(&self, url: &str, language: &str) -> (String, Html) {
        let mut url = url.to_owned();
        for _ in 0..20 {
            let answer = self.get(&url, PAGE, language).await;
            if answer.status == StatusCode::SEE_OTHER {
                url = answer.location;
                continue;
            }
            assert_eq!(answer.status, StatusCode::OK, "{url}");
            return (url, answer.page());
        }
        panic!("{url} redirects too often");
    }

    async fn post(&self, body: String, accept: &str) -> Answer {
        let request = Request::post("/play/save")
            .header(header::HOST, "localhost")
            .header(header::ORIGIN, "http://localhost")
            .header(header::ACCEPT, accept)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(body)).unwrap()).await
    }
}

fn select<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn text_of(page: &Html, selector: &str) -> String {
    select(page, selector).iter().flat_map(|one| one.text()).collect()
}

/// The first move in a tree of choices.
fn first_move(choices: &Value) -> String {
    let mut choice = &choices[0];
    while choice["move"].is_null() {
        choice = &choice["next"][0];
    }
    choice["move"].as_str().unwrap().to_owned()
}

fn moves_of(state: &Value) -> Vec<String> {
    state["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_owned()).collect()
}

fn with_move(state: &Value, mv: &str) -> String {
    let url = state["url"].as_str().unwrap();
    if url.contains("&moves=") { format!("{url}+{mv}") } else { format!("{url}&moves={mv}") }
}

/// Plays the first legal move until the end, and checks every response.
async fn play_through(site: &Site, start: &str) -> Value {
    let mut state = site.json(start).await;
    for _ in 0..2000 {
        match state["to_move"].as_str().unwrap() {
            "nobody" => return state,
            "opponent" => state = site.json(state["url"].as_str().unwrap()).await,
            _ => {
                let mv = first_move(&state["choices"]);
                let n_moves = moves_of(&state).len();
                let url = with_move(&state, &mv);
                let next = site.json(&format!("{url}&from={n_moves}")).await;
                let moves = moves_of(&next);
                assert_eq!(moves[n_moves], mv);
                assert_eq!(next["steps"].as_array().unwrap().len(), moves.len() - n_moves);
                assert_eq!(next["steps"][0]["by_person"], true);
                assert_eq!(next["played"].as_array().unwrap().len(), moves.len() - n_moves - 1);
                state = next;
            }
        }
    }
    panic!("{start} does not end");
}

fn form_of(page: &Html, selector: &str) -> String {
    let fields = select(page, &format!("{selector} input[name]"));
    let pairs = fields.iter().map(|field| {
        let attribute = |name| field.value().attr(name).unwrap();
        format!("{}={}", attribute("name"), crate::url::encoded_readably(attribute("value")))
    });
    pairs.collect::<Vec<_>>().join("&")
}

#[tokio::test]
async fn a_whole_game_of_every_family_is_played_and_saved() {
    let site = Site::new();
    for (game, side) in [
        ("connect4", "first"),
        ("ladrillos:5", "second"),
        ("mastergoal:1", "first"),
        ("mancala", "second"),
        ("kalah", "first"),
    ] {
        let end =
            play_through(&site, &format!("/play?game={game}&side={side}&opponent=level-1&seed=7")).await;
        assert!(end["ending"]["reason"].is_string() && end["choices"].as_array().unwrap().is_empty());
        let panel = Html::parse_fragment(end["panel"].as_str().unwrap());
        let saved = site.post(form_of(&panel, "#save") + "&name=Ana", JSON).await;
        assert_eq!(saved.status, StatusCode::OK, "{}", saved.text);
        let id = saved.json()["id"].as_i64().unwrap();
        let kept = site.store().loose_games().unwrap().pop().unwrap();
        assert_eq!(kept.record.moves, moves_of(&end).join(" "));
        assert_eq!(kept.record.plies as usize, moves_of(&end).len());
        assert_eq!(kept.record.reason, end["ending"]["reason"].as_str().unwrap());
        let [person, player] =
            if side == "first" { [kept.first, kept.second] } else { [kept.second, kept.first] };
        assert_eq!(person, "human:Ana");
        assert!(palestra_registry::GAMES.open(&kept.game).unwrap().player(&player).is_ok(), "{player}");
        let winner = kept.record.winner.map(|side| side.to_string());
        let expected = end["ending"]["winner"].as_str().map(|who| match (who, side) {
            ("person", side) => side,
            (_, "first") => "second",
            _ => "first",
        });
        assert_eq!(winner.as_deref(), expected);
        let (_, page) = site.page(&format!("{}&saved={id}", end["url"].as_str().unwrap()), "en").await;
        assert_eq!(select(&page, "#saved")[0].value().attr("href"), Some(format!("/game/{id}").as_str()));
        assert_eq!(select(&page, "#play")[0].value().attr("data-ended"), Some("true"));
    }
}

#[tokio::test]
async fn a_game_is_played_by_forms_without_a_script() {
    let site = Site::new();
    let (mut url, mut page) =
        site.page("/play?game=connect4&side=second&opponent=level&level=1&seed=3", "en").await;
    assert!(url.contains("opponent=level-1") && url.contains("&moves="), "the opponent began: {url}");
    let mut n_turns = 0;
    while select(&page, "#play")[0].value().attr("data-ended") == Some("false") {
        let mv = select(&page, "#moves-form button")[0].value().attr("value").unwrap().to_owned();
        let before = url;
        (url, page) = site.page(&format!("/play?{}&move={mv}", form_of(&page, "#moves-form")), "en").await;
        assert!(url.len() > before.len());
        n_turns += 1;
        assert!(n_turns < 43);
    }
    assert!(!select(&page, "#save button").is_empty());
    let saved = site.post(form_of(&page, "#save"), PAGE).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER);
    assert!(saved.location.starts_with("/game/"));
    // Hundreds of moves are a select list, not buttons.
    let (_, page) = site.page("/play?game=mastergoal:3&opponent=level-0&seed=1", "en").await;
    assert!(select(&page, "#moves-form select option").len() > 60);
}

#[tokio::test]
async fn a_move_in_stages_can_end_early() {
    let site = Site::new();
    // A piece moves to the ball: the square may end the move, or kicks may follow.
    let mut state = site.json("/play?game=mastergoal:1&opponent=level-1&seed=2").await;
    let mut found = false;
    for _ in 0..40 {
        if state["to_move"] != "person" {
            break;
        }
        let pieces = state["choices"].as_array().unwrap();
        let squares = pieces.iter().flat_map(|piece| piece["next"].as_array().unwrap());
        found |= squares.clone().any(|square| square["next"].is_array());
        for square in squares {
            assert_eq!(square["spots"].as_array().unwrap().len(), 1);
        }
        state = site.json(&with_move(&state, &first_move(&state["choices"]))).await;
    }
    assert!(found, "a kick was possible");
}

#[tokio::test]
async fn undo_leads_to_the_previous_turn() {
    let site = Site::new();
    let start = site.json("/play?game=kalah&opponent=level-1&seed=5").await;
    assert!(!start["panel"].as_str().unwrap().contains("id=\"undo\""));
    // Hole 3 ends in the store: the same side moves again, and only that one move is undone.
    let again = site.json(&with_move(&start, "3")).await;
    assert_eq!((again["to_move"].as_str(), moves_of(&again).len()), (Some("person"), 1));
    let later = site.json(&with_move(&again, "1")).await;
    assert!(moves_of(&later).len() > 2);
    let undo = |state: &Value| {
        let panel = Html::parse_fragment(state["panel"].as_str().unwrap());
        select(&panel, "#undo")[0].value().attr("href").unwrap().to_owned()
    };
    assert_eq!(undo(&later), again["url"].as_str().unwrap());
    assert_eq!(undo(&again), start["url"].as_str().unwrap());
    assert_eq!(site.json(&undo(&later)).await["board"], again["board"]);
}

#[tokio::test]
async fn other_weights_change_the_move() {
    let site = Site::new();
    let here = "/play?game=connect4&opponent=rival-1&seed=1&moves=4+4+3";
    let plain = site.json(here).await;
    let mut changed = 0;
    for weights in ["-1,1,-10,10,-1,1", "0,0,0,0,0,1"] {
        let other = site.json(&format!("{here}&weights={weights}")).await;
        assert!(other["player"].as_str().unwrap().ends_with(weights));
        assert!(other["url"].as_str().unwrap().contains(weights));
        changed += usize::from(moves_of(&other) != moves_of(&plain));
    }
    assert!(changed > 0, "{:?}", moves_of(&plain));
    // The same in the suggestion for the person.
    let would = |weights: &'static str| {
        let site = &site;
        async move {
            let url = format!("/play?game=connect4&opponent=rival-1&seed=1&would=1&moves=4+4+3+3&{weights}");
            site.json(&url).await["would"].clone()
        }
    };
    let (own, other) = (would("").await, would("weights=-1,1,-10,10,-1,1").await);
    assert!(own["move"].is_string() && own["spots"].as_array().unwrap().len() == 6);
    assert_ne!(own, other);
    // A form without a script sends the numbers one by one; weights that change nothing are not kept.
    let numbers = "weight=1&weight=-1&weight=10&weight=-10&weight=1&weight=-1";
    let (url, page) = site.page(&format!("{here}&{numbers}"), "en").await;
    assert!(!url.contains("weights="), "{url}");
    assert_eq!(select(&page, "#weights input[data-weight]").len(), 6);
    let (_, page) = site.page("/play?game=connect4&opponent=level-0", "en").await;
    assert!(select(&page, "#weights").is_empty(), "random has no weights");
}

#[tokio::test]
async fn a_hint_has_a_move_and_reasons() {
    let site = Site::new();
    let url = "/play?game=connect4&opponent=level-1&seed=1&moves=4+1+4+1+4+2";
    let state = site.json(&format!("{url}&hint=1")).await;
    assert_eq!(state["hint"]["move"], "4", "four in a row");
    let (_, page) = site.page(&format!("{url}&hint=1"), "es").await;
    assert!(text_of(&page, "#hint-title").contains("Pista: 4"));
    assert!(select(&page, "#hint-panel .reason").len() > 1);
    assert!(!select(&page, "#hint-panel .bar rect").is_empty());
}

#[tokio::test]
async fn champions_of_the_family_can_be_played() {
    let site = Site::new();
    let champion = |name: &str, game: &str, player: &str| Champion {
        name: name.to_owned(),
        game: game.to_owned(),
        player: player.to_owned(),
        run: None,
        verdict: "{}".to_owned(),
        created: String::new(),
    };
    let mut store = site.store();
    store.save_champion(&champion("ana", "connect:6x7x4", "greedy/lines/1000,-500,80,-2,2,80")).unwrap();
    store.save_champion(&champion("slow", "connect:7x6x4", "minimax:depth=40/threes/4,4,1,2")).unwrap();
    store.save_champion(&champion("brick", "ladrillos:9", "greedy/islands/3,2,5,3,4")).unwrap();
    drop(store);
    let (_, page) = site.page("/play?choose=1&game=connect4", "en").await;
    let offered: Vec<_> =
        select(&page, "#opponent option").iter().map(|one| one.value().attr("value")).collect();
    assert!(offered.contains(&Some("@ana")) && offered.contains(&Some("@slow")));
    assert!(!offered.contains(&Some("@brick")));
    let state = site.json("/play?game=connect4&opponent=@ana&seed=1&moves=4").await;
    assert_eq!(state["player"], "greedy/lines/1000,-500,80,-2,2,80");
    let state = site.json("/play?game=connect4&opponent=@slow&seed=1&moves=4").await;
    assert_eq!(state["player"], "pvs:nodes=100000/threes/4,4,1,2");
    assert_eq!(moves_of(&state).len(), 2);
}

#[tokio::test]
async fn invalid_queries_are_refused() {
    let site = Site::new();
    let long = format!("/play?game=connect4&moves={}", "4+".repeat(30_000));
    let cases = [
        ("/play?game=conect4", "connect4"),
        ("/play?game=connect:0x6x4", "columns"),
        ("/play?game=connect4&opponent=level-9", "level-"),
        ("/play?game=connect4&opponent=grid-55", "grid-5"),
        ("/play?game=connect4&opponent=minimax:depth=40/threes/4,4,1,2", "opponent"),
        ("/play?game=connect4&opponent=perfect", "opponent"),
        ("/play?game=connect4&side=firts", "first"),
        ("/play?game=connect4&seed=x", "seed"),
        ("/play?game=connect4&moves=9", "9"),
        ("/play?game=connect4&moves=4+4+4+4+4+4+4", "4"),
        ("/play?game=connect4&setup=nonsense", "nonsense"),
        ("/play?game=connect4&opponent=rival-1&weights=1,2", "weights"),
        ("/play?game=connect4&opponent=rival-1&weights=1,2,3,4,5,inf", "inf"),
        ("/play?game=connect4&opponent=level-0&weights=1", "weights"),
        ("/play?choose=1&game=chess", "game"),
    ];
    for (url, word) in cases {
        for accept in [JSON, PAGE] {
            let answer = site.get(url, accept, "en").await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{url}: {}", answer.text);
            assert!(answer.text.contains(word), "{url}: {}", answer.text);
        }
    }
    assert_eq!(site.get(&long, PAGE, "en").await.status, StatusCode::URI_TOO_LONG);
    for body in ["", "game=connect4&moves=4", "game=connect4&resign=1", "game=connect4&moves=8&resign=1"] {
        assert_eq!(site.post(body.to_owned(), PAGE).await.status, StatusCode::BAD_REQUEST, "{body}");
    }
    assert!(site.app.stores.read(|_| Ok(())).await.unwrap().is_none(), "nothing was stored");
    assert_eq!(site.get("/play/nothing", PAGE, "en").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_resigned_game_is_stored_as_a_loss() {
    let site = Site::new();
    let body = "game=connect4&side=first&opponent=level-1&seed=4&moves=4+4&resign=1";
    let saved = site.post(body.to_owned(), PAGE).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.text);
    let kept = site.store().loose_games().unwrap().pop().unwrap();
    assert_eq!(
        (kept.record.winner, kept.record.reason.as_str()),
        (Some(palestra_core::Side::Second), "resigned")
    );
    assert_eq!(kept.first, "human");
}

#[tokio::test]
async fn games_can_be_chosen_in_both_languages() {
    let site = Site::new();
    for (language, title, turn) in
        [("en", "What do you want to play?", "Your turn."), ("es", "¿A qué quieres jugar?", "Te toca.")]
    {
        let (_, page) = site.page("/play", language).await;
        assert_eq!(text_of(&page, "h1"), title);
        assert_eq!(select(&page, ".card").len(), palestra_registry::GAMES.families().count());
        for link in select(&page, ".card a") {
            let (_, page) = site.page(link.value().attr("href").unwrap(), language).await;
            assert!(!select(&page, "#chooser #level").is_empty());
        }
        let (_, page) = site.page("/play?game=mancala&opponent=regular&seed=1", language).await;
        assert_eq!(text_of(&page, "#status"), turn);
        let label = select(&page, "[data-cell]")[10].value().attr("aria-label").unwrap();
        assert!(label.contains(if language == "en" { "seeds" } else { "semillas" }), "{label}");
    }
}

#[tokio::test]
async fn names_are_escaped() {
    let site = Site::new();
    let url = "/play?game=connect4&opponent=level-0&seed=1&name=%3Cscript%3Ealert(1)%3C/script%3E";
    let (_, page) = site.page(url, "en").await;
    assert!(select(&page, "main script").is_empty());
    assert!(select(&page, "[style]").is_empty());
}
