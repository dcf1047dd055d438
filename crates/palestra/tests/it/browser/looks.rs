//! Every page in both themes, both languages and two widths; takes the screenshots of the documentation.

use super::Site;
use super::accessibility::{complaints, focus_complaints};
use super::session::{Browser, DESK, PHONE};
use crate::support::{empty_folder, workspace};
use std::fs;

/// Writes a screenshot to `target/screenshots`; with `PALESTRA_BLESS=1` also to the documentation.
pub(super) fn keep(name: &str, picture: &[u8]) {
    let folder = workspace().join("target/screenshots");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    if !name.starts_with("failed-") && std::env::var_os("PALESTRA_BLESS").is_some_and(|value| value == "1") {
        fs::write(workspace().join(format!("docs/img/page-{name}.png")), picture).unwrap();
    }
}

const PLAN: &str = "game = \"connect:5x4x3\"\nplayer = \"greedy/lines\"\nopening_plies = 2\n[budget]\ngenerations = 4\n[test]\npairs = 40\n";

/// Fills the store with a run, an event and its games; returns the id of a game.
fn furnish(site: &Site) -> u64 {
    fs::write(site.folder.join("plan.toml"), PLAN).unwrap();
    site.run("tune plan.toml");
    site.run(
        "tournament connect4 grid-5 random alphabeta:depth=2/threes/4,4,1,2 --opening-plies 2 --name cup",
    );
    // This part takes little time and has marks, tables and a figure.
    site.run("study run ladrillos --part trees --folder palestra-studies");
    site.rows("event cup --games").first().unwrap()["id"].as_u64().unwrap()
}

#[test]
fn every_page_is_accessible_in_every_look() {
    let site = Site::start(&empty_folder("browser-looks"));
    let mut browser = Browser::open(DESK);
    browser.forgive("404");
    // Pages that also work without a store.
    let mut pages: Vec<String> = [
        "/",
        "/play",
        "/tune",
        "/events/new",
        "/nowhere",
        "/play?game=connect4",
        "/play?game=ladrillos:4",
        "/studies",
        "/study/mancala",
    ]
    .map(str::to_owned)
    .into();
    let mut found = Vec::new();
    check(&browser, &site, &pages, &mut found);
    let game = furnish(&site);
    pages = [
        "/",
        "/run/cmaes-connect-5x4x3-1",
        "/event/cup",
        "/event/cup/player/random",
        "/event/cup/games",
        "/play?game=mastergoal:1",
        "/play?game=mancala",
        "/play?game=kalah",
        "/game?game=connect4&moves=4+4+4",
        "/studies",
        "/study/ladrillos",
    ]
    .map(str::to_owned)
    .into();
    pages.push(format!("/game/{game}?ply=5"));
    check(&browser, &site, &pages, &mut found);
    assert!(found.is_empty(), "{} complaints: {found:#?}", found.len());
}

/// Visits pages in every language, width and theme; appends the errors to `found`.
fn check(browser: &Browser, site: &Site, pages: &[String], found: &mut Vec<String>) {
    for languages in ["en", "es"] {
        browser.speak(languages);
        for page in pages {
            browser.resize(DESK);
            let status = browser.go(&site.at(page));
            if status != if page == "/nowhere" { 404 } else { 200 } {
                found.push(format!("{page}: {status}"));
            }
            for (size, width) in [(DESK, "desk"), (PHONE, "phone")] {
                browser.resize(size);
                for scheme in ["light", "dark"] {
                    browser.prefer(scheme);
                    let here = format!("{page} {languages} {width} {scheme}");
                    found.extend(
                        complaints(browser).into_iter().map(|complaint| format!("{here}: {complaint}")),
                    );
                    let shown: String = browser.eval("return document.documentElement.lang");
                    if shown != languages {
                        found.push(format!("{here}: speaks {shown}"));
                    }
                }
            }
            if languages == "en" {
                found.extend(
                    focus_complaints(browser).into_iter().map(|complaint| format!("{page}: {complaint}")),
                );
            }
            found.extend(browser.complaints().into_iter().map(|complaint| format!("{page}: {complaint}")));
        }
    }
}
