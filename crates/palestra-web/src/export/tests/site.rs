//! Tests of the files of an event's site.

use super::check_page;
use crate::export::folder::{FolderKind, FolderWriter, SiteWritten};
use crate::export::site::write;
use crate::export::{ExportError, event_site};
use crate::pages::event::fair::{NAMES, TestEvent};
use crate::viewer::Language;
use palestra_registry::GAMES;
use palestra_review::event::EventReview;
use scraper::{Html, Selector};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder for one test, removed when dropped.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new(name: &str) -> TempFolder {
        let path = std::env::temp_dir().join(format!("palestra-site-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        TempFolder(path)
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn site(
    event: &TestEvent,
    folder: &Path,
    max_game_pages: usize,
    language: Language,
) -> Result<SiteWritten, ExportError> {
    let run = event.store.run_by_id(event.run.id).unwrap();
    let review = EventReview::open(&event.store, run, &GAMES).unwrap();
    write(event.app.config.clone(), &event.store, &review, folder, language, max_game_pages)
}

/// Every HTML file of a site, with its text.
fn pages(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for inner in [folder.to_owned(), folder.join("players"), folder.join("games")] {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|ending| ending == "html") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}

fn select(html: &Html, selector: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    html.select(&selector).map(|element| element.text().collect::<String>()).collect()
}

fn values(html: &Html, attribute: &str) -> Vec<String> {
    let selector = Selector::parse(&format!("[{attribute}]")).unwrap();
    html.select(&selector).map(|element| element.attr(attribute).unwrap().to_owned()).collect()
}

/// Every page is valid, and every link leads to a file of the site and an anchor in it. Returns the number of links.
fn check_site(folder: &Path) -> usize {
    let mut n_links = 0;
    for (path, text) in pages(folder) {
        let what = path.display().to_string();
        let html = check_page(&text, &what);
        assert!(select(&html, "form:not([hidden]), header.site, #explanation").is_empty(), "{what}");
        for url in values(&html, "href").into_iter().chain(values(&html, "src")) {
            let (file, anchor) = url.split_once('#').unwrap_or((&url, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let other = fs::read_to_string(&target).unwrap_or_else(|_| panic!("{url} in {what}"));
            assert!(anchor.is_empty() || other.contains(&format!("id=\"{anchor}\"")), "{url} in {what}");
            n_links += 1;
        }
    }
    n_links
}

#[tokio::test]
async fn the_site_is_the_pages_of_the_event() {
    let temp = TempFolder::new("links");
    let event = TestEvent::new(1);
    event.finish();
    let n_games = NAMES.len() * (NAMES.len() - 1);
    let folder = temp.0.join("public");
    let written = site(&event, &folder, 1000, Language::English).unwrap();
    assert_eq!(temp.names(), ["public"]);
    let n_pages = pages(&folder).len();
    assert_eq!(n_pages, 2 + NAMES.len() + n_games);
    // The marker, five files for other programs, three style sheets and two assets of game pages.
    assert_eq!(written.n_files as usize, n_pages + 6 + fs::read_dir(folder.join("assets")).unwrap().count());
    assert!(check_site(&folder) > 20 * n_pages);
    assert!(written.n_bytes < 30_000 * n_games as u64, "{written:?}");

    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let index = Html::parse_document(&read("index.html"));
    let served = Html::parse_document(&event.page("/event/cup").await);
    let table = select(&served, "#standings tbody td, #standings tbody th");
    assert!(table.len() > 8 * NAMES.len());
    assert_eq!(select(&index, "#standings tbody td, #standings tbody th"), table);
    for part in ["#leaders", "#sentences li", "#crosstable td", "#superiority td", "#endings td", "#boards p"]
    {
        assert_eq!(select(&index, part), select(&served, part), "{part}");
        assert!(!select(&index, part).is_empty(), "{part}");
    }
    assert_eq!(select(&index, "#failures li").len(), 2 * (NAMES.len() - 1));
    assert!(select(&index, "#plan pre")[0].contains("round-robin"));
    assert_eq!(read("standings.csv"), event.page("/event/cup/table.csv").await);
    let served = event.page("/event/cup/standings.json").await;
    let published = served.replace("cmd:./nowhere", "cmd:…");
    // What only staff sees.
    let published = published.replace("\"identical_play\":[],\"same_files\":[],", "");
    let published = published.replace("<b>programs were not confined</b>", "");
    assert_eq!(read("standings.json"), published.replace("\"warnings\":[\"\"]", "\"warnings\":[]"));
    assert_eq!(read("games.jsonl").lines().count(), n_games);
    assert_eq!(read("games.pgn").matches("[Event \"cup\"]").count(), n_games);
    let rounds = Html::parse_document(&read("rounds.html"));
    assert_eq!(select(&rounds, "#round-1-1 tbody tr").len(), n_games / 2);
    let player = Html::parse_document(&read("players/ana.html"));
    assert_eq!(select(&player, "#games tbody tr").len(), 2 * (NAMES.len() - 1));
    assert_eq!(select(&player, "#games h3").len(), NAMES.len() - 1);
}

/// Every file of a site and below, with its bytes as text.
fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.clone(), String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
    found
}

#[test]
fn nothing_that_a_program_wrote_is_published() {
    let temp = TempFolder::new("published");
    let event = TestEvent::new(1);
    event.finish();
    let folder = temp.0.join("site");
    site(&event, &folder, 1000, Language::English).unwrap();
    // Its standard error, its dialogue, a remark, the detail of its failures, its command, a warning for staff.
    let private = ["alert(2)", "read it", "exit code 3", "nowhere", "not confined"];
    for (path, text) in files(&folder) {
        let found = private.iter().find(|private| text.contains(**private));
        assert!(found.is_none(), "{} contains {found:?}", path.display());
    }
    let lines = fs::read_to_string(folder.join("games.jsonl")).unwrap();
    let forfeits = lines.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let forfeits: Vec<_> = forfeits.map(|line| line["forfeit"].clone()).filter(|it| !it.is_null()).collect();
    assert_eq!(forfeits.len(), 2 * (NAMES.len() - 1));
    let published = serde_json::json!({
        "side": forfeits[0]["side"], "player": NAMES[6], "kind": "crash", "detail": "", "stderr": "",
        "time": null, "stderr_bytes": 44, "stderr_kind": "text",
    });
    assert_eq!(forfeits[0], published);
    let failed = event.store.event_games(event.run.id).unwrap();
    let failed = failed.iter().find(|game| game.game.record.forfeit.is_some()).unwrap();
    let sentences = [
        (Language::English, "wrote 44 bytes to standard error"),
        (Language::Spanish, "escribió 44 bytes en la salida de errores"),
    ];
    for (language, sentence) in sentences {
        site(&event, &folder, 1000, language).unwrap();
        for page in ["index.html".to_owned(), format!("games/{}.html", failed.number())] {
            let html = Html::parse_document(&fs::read_to_string(folder.join(&page)).unwrap());
            let shown = select(&html, "p.quiet").iter().any(|text| text.ends_with(sentence));
            assert!(shown, "{sentence} on {page}");
        }
    }
}

#[test]
fn games_can_be_stepped_through() {
    let temp = TempFolder::new("games");
    let event = TestEvent::new(1);
    event.finish();
    let folder = temp.0.join("site");
    site(&event, &folder, 1000, Language::English).unwrap();
    let games = event.store.event_games(event.run.id).unwrap();
    for game in &games {
        let page = fs::read_to_string(folder.join(format!("games/{}.html", game.number()))).unwrap();
        let html = Html::parse_document(&page);
        let boards: serde_json::Value = serde_json::from_str(&select(&html, "#boards")[0]).unwrap();
        let n_plies = select(&html, "#moves a").len();
        assert!(n_plies >= game.game.record.plies as usize);
        assert_eq!(boards["changes"].as_array().unwrap().len(), n_plies);
        let commands = select(&html, "#terminal pre");
        assert!(commands[0].starts_with("palestra show connect:4x4x3"), "{commands:?}");
        let again = format!("palestra engine replay {}", game.number());
        assert_eq!(commands.get(1), game.game.record.culprit().map(|_| again).as_ref());
    }
}

#[test]
fn large_events_have_pages_of_the_best_games() {
    let temp = TempFolder::new("large");
    let event = TestEvent::new(1);
    event.finish();
    let folder = temp.0.join("site");
    site(&event, &folder, 15, Language::Spanish).unwrap();
    check_site(&folder);
    let games = event.store.event_games(event.run.id).unwrap();
    assert_eq!(fs::read_dir(folder.join("games")).unwrap().count(), 15);
    for game in games.iter().filter(|game| game.game.record.forfeit.is_some()) {
        assert!(folder.join(format!("games/{}.html", game.number())).is_file(), "failures have pages");
    }
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(index.contains("Partidas con página: 15 de 42") && index.contains("lang=\"es\""));

    let mut plan = "game = \"connect:4x4x3\"\nname = \"big\"\nformat = \"swiss\"\nrounds = 2\n".to_owned();
    (0..205).for_each(|i| plan += &format!("[[player]]\nname = \"p{i}\"\nplayer = \"random\"\n"));
    let event = TestEvent::of(&plan, |_| ());
    event.finish();
    let folder = temp.0.join("big");
    site(&event, &folder, 10, Language::English).unwrap();
    check_site(&folder);
    let page = |name: &str| Html::parse_document(&fs::read_to_string(folder.join(name)).unwrap());
    assert_eq!(select(&page("index.html"), "#standings tbody tr").len(), 200);
    assert_eq!(select(&page("standings.html"), "#standings tbody tr").len(), 205);
    assert_eq!(select(&page("crosstable.html"), "#crosstable tbody tr").len(), 80);
    assert_eq!(select(&page("rounds.html"), "section tbody tr").len(), 2 * 102);
}

/// Players that are not in the last stage have pages too.
#[test]
fn stages_have_tables_of_their_own() {
    let temp = TempFolder::new("stages");
    let event = TestEvent::of(
        "game = \"connect:4x4x3\"\nname = \"cup\"\nseed = 3\n\
         [[stage]]\nname = \"<b>groups\"\nformat = \"round-robin\"\ncycles = 2\n\
         [[stage]]\nname = \"final\"\nformat = \"round-robin\"\nfrom = [\"<b>groups\"]\nbest = 2\n\
         [[player]]\nname = \"a\"\nplayer = \"random\"\n[[player]]\nname = \"b\"\nplayer = \"random\"\n\
         [[player]]\nname = \"c\"\nplayer = \"random\"\n",
        |_| (),
    );
    event.finish();
    let folder = temp.0.join("site");
    site(&event, &folder, 100, Language::English).unwrap();
    check_site(&folder);
    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    assert!(index.contains("&#60;b&#62;groups") && !index.contains("<b>groups"));
    for name in ["a", "b", "c"] {
        assert!(fs::read_to_string(folder.join(format!("players/{name}.html"))).unwrap().contains("rank "));
    }
}

#[test]
fn other_folders_are_not_replaced() {
    let temp = TempFolder::new("folders");
    let event = TestEvent::of(
        "game = \"connect:4x4x3\"\nname = \"cup\"\nformat = \"round-robin\"\n\
         [[player]]\nname = \"a\"\nplayer = \"random\"\n[[player]]\nname = \"b\"\nplayer = \"random\"\n",
        |_| (),
    );
    event.finish();
    let review = EventReview::open(&event.store, event.run.clone(), &GAMES).unwrap();
    let write = |folder: &Path| {
        event_site(event.app.config.clone(), &event.store, &review, folder, Language::English)
    };
    let check = |folder: &Path, part: &str| {
        let error = write(folder).unwrap_err();
        assert!(error.is_bad_input() && error.to_string().contains(part), "{error}");
    };
    let folder = temp.0.join("thesis");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("thesis.tex"), "years of work").unwrap();
    check(&folder, "it has other files");
    fs::remove_file(folder.join("thesis.tex")).unwrap();
    write(&folder).unwrap();
    fs::write(folder.join("players/gone.html"), "of an older event").unwrap();
    write(&folder).unwrap();
    assert!(!folder.join("players/gone.html").exists());
    fs::create_dir(folder.join(".git")).unwrap();
    check(&folder, ".git");
    assert!(folder.join(".git").exists() && folder.join("index.html").exists());
    fs::write(temp.0.join("file"), "").unwrap();
    check(&temp.0.join("file"), "not a file");
    write(&temp.0.join("new/deep/site")).unwrap();
    assert_eq!(temp.names(), ["file", "new", "thesis"]);
}

#[test]
fn an_unfinished_site_is_removed() {
    let temp = TempFolder::new("half");
    let mut writer = FolderWriter::begin(FolderKind::SITE, &temp.0.join("site")).unwrap();
    writer.file("index.html", b"<p>").unwrap();
    assert!(writer.file("nowhere/x.html", b"").is_err());
    drop(writer);
    assert_eq!(temp.names(), Vec::<String>::new());
}
