//! Tests of the files of a fake event's site.

use super::super::fake::{FakeEvent, NAMES};
use super::*;
use std::fs;
use std::path::PathBuf;

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
        let mut names: Vec<String> = fs::read_dir(&self.0)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
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

/// All values of an attribute.
fn values<'a>(text: &'a str, attribute: &str) -> Vec<&'a str> {
    text.split(&format!(" {attribute}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn links_are_valid_and_names_are_escaped() {
    let temp = TempFolder::new("links");
    let fake = FakeEvent::new();
    let folder = temp.0.join("public");
    let written = write_site(&fake.event(), &fake.games, &folder).unwrap();
    assert_eq!(temp.names(), ["public"]);
    let pages = pages(&folder);
    assert_eq!(pages.len(), 1 + NAMES.len() + fake.games.len());
    assert_eq!(written.n_files, pages.len() as u64 + 8);
    for (path, text) in &pages {
        assert!(
            !text.contains("<script>") && !text.contains("<b>") && !text.contains('\u{1b}'),
            "{}",
            path.display()
        );
        assert!(!text.contains(" onclick") && !text.contains("javascript:"), "{}", path.display());
        for tag in ["section", "table", "details", "ul", "ol", "div", "p", "svg", "a"] {
            let opened =
                text.matches(&format!("<{tag} ")).count() + text.matches(&format!("<{tag}>")).count();
            assert_eq!(opened, text.matches(&format!("</{tag}>")).count(), "{tag} in {}", path.display());
        }
        let ids: BTreeSet<&str> = values(text, "id").into_iter().collect();
        assert_eq!(ids.len(), values(text, "id").len(), "an id twice in {}", path.display());
        for address in values(text, "href").into_iter().chain(values(text, "src")) {
            let (file, anchor) = address.split_once('#').unwrap_or((address, ""));
            if file.is_empty() {
                assert!(ids.contains(anchor), "#{anchor} in {}", path.display());
                continue;
            }
            let other = path.parent().unwrap().join(file);
            let other =
                fs::read_to_string(&other).unwrap_or_else(|_| panic!("{address} in {}", path.display()));
            assert!(
                anchor.is_empty() || other.contains(&format!("id=\"{anchor}\"")),
                "{address} in {}",
                path.display()
            );
        }
    }
    assert!(written.n_bytes < 16_000 * fake.games.len() as u64, "{written:?}");
}

#[test]
fn games_have_frames() {
    let fake = FakeEvent::new();
    let site_of = fake.event();
    let site = EventSite::new(&site_of, &fake.games, 10);
    let drawn = fake.games.iter().find(|game| game.game.winner.is_none()).unwrap();
    let text = game::page(&site, drawn);
    let frames: Vec<&str> = values(&text, "data-frames")[0].split(',').collect();
    assert_eq!(frames.len(), drawn.game.plies as usize + 1);
    // All frames together give the last position.
    let mut symbols = [0; 16];
    for pair in frames.iter().flat_map(|frame| frame.split(' ')) {
        let (cell, symbol) = pair.split_once(':').unwrap();
        symbols[cell.parse::<usize>().unwrap()] = symbol.parse().unwrap();
    }
    let uses: Vec<String> = symbols.iter().map(|symbol: &usize| format!("#c{symbol}")).collect();
    let drawn: Vec<&str> =
        text.split("<use href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(drawn, uses);
    assert!(uses.iter().all(|symbol| text.contains(&format!("<g id=\"{}\">", &symbol[1..]))));
}

/// All kinds of boards: stones, bricks, seeds, a field.
#[test]
fn every_game_has_frames() {
    let fake = FakeEvent::new();
    let event = fake.event();
    let site = EventSite::new(&event, &fake.games, 10);
    for name in ["ladrillos:5", "kalah:6x4", "mancala:uam", "mastergoal:1", "connect:12x6x4"] {
        let known = crate::games().open(name).unwrap();
        let mut session = known.session(None, "").unwrap();
        for ply in 0..12 {
            let legal = session.legal();
            if !legal.is_empty() && session.ending().is_none() {
                session.play(&legal[ply % legal.len()]).unwrap();
            }
        }
        let mut game = fake.games[0].clone();
        (game.game.game, game.game.opening, game.game.moves) =
            (name.to_owned(), String::new(), session.played().join(" "));
        let text = game::page(&site, &game);
        let frames = values(&text, "data-frames")[0].split(',').count();
        assert_eq!(frames, session.played().len() + 1, "{name}");
        assert!(text.len() < 30_000, "{name}: {}", text.len());
        // As many cells as `palestra show` draws.
        let shown = session.grid();
        assert_eq!(text.matches("<use href").count(), shown.cells.len(), "{name}");
    }
}

#[test]
fn large_events_have_pages_of_the_best_games() {
    let fake = FakeEvent::new();
    let event = fake.event();
    let site = EventSite::new(&event, &fake.games, 40);
    assert_eq!(site.shown.len(), 40);
    let failed = fake.games.iter().filter(|game| game.forfeit.is_some());
    assert!(failed.clone().count() > 0 && failed.clone().all(|game| site.shown.contains(&game.id)));
    assert!(index::page(&site).contains("40 have a page"));
    let long = FakeEvent::long(450);
    let event = long.event();
    let site = EventSite::new(&event, &long.games, 100);
    let first = index::page(&site);
    assert!(first.contains("standings.html") && first.contains("rounds.html"));
    assert!(first.len() < 600_000, "{}", first.len());
    assert!(standings::page(&site).contains("player-449") && rounds::page(&site).contains("player-449"));
}

#[test]
fn other_folders_are_not_replaced() {
    let temp = TempFolder::new("folders");
    let fake = FakeEvent::long(3);
    let write = |folder: &Path| write_site(&fake.event(), &fake.games, folder);
    let check = |folder: &Path, part: &str| {
        let error = write(folder).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
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
    let mut writer = SiteWriter::begin(&temp.0.join("site")).unwrap();
    writer.file("index.html", b"<p>").unwrap();
    assert!(writer.file("nowhere/x.html", b"").is_err());
    drop(writer);
    assert_eq!(temp.names(), Vec::<String>::new());
}

/// Players that are not in the last stage have pages too.
#[test]
fn stages_have_tables_of_their_own() {
    let mut fake = FakeEvent::new();
    let mut last = fake.stages[0].clone();
    fake.stages[0].name = "groups <1>".to_owned();
    last.standings.rows.retain(|row| row.player < 2);
    fake.stages.push(last);
    let event = fake.event();
    let site = EventSite::new(&event, &fake.games, 1000);
    let first = index::page(&site);
    assert!(first.contains("<summary>groups &lt;1&gt;</summary>") && first.contains("<h3>final</h3>"));
    let (own, other) = (player::page(&site, 0), player::page(&site, 3));
    assert!(own.contains("<li>final: rank 1"), "{own}");
    assert!(other.contains("<li>groups &lt;1&gt;: rank 4"), "{other}");
}
