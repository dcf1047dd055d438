//! An event that another process plays while its page is open.

use super::Site;
use super::accessibility::assert_accessible;
use super::looks::keep;
use super::session::{Browser, DESK};
use crate::support::empty_folder;
use serde_json::Value;
use std::process::Stdio;

const CUP: &str = "tournament connect4 alphabeta:depth=6/threes/4,4,1,2 alphabeta:depth=5/threes/4,4,1,2 grid-5 random --cycles 60 --opening-plies 5 --name cup";

#[test]
fn an_event_is_watched_live() {
    let site = Site::start(&empty_folder("browser-event"));
    let browser = Browser::open(DESK);
    browser.prefer("light");
    // There is no store yet; the open home page shows the event as soon as there is one.
    browser.visit(&site.home);
    let mut cup =
        site.palestra(CUP).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    browser.see("main a[href='/event/cup']");
    browser.click("main a[href='/event/cup']");
    browser.see("#standings tbody tr");
    browser.eval::<Value>("window.isMarked = true");
    let standings: String = browser.eval("return document.querySelector('#standings').innerText");
    browser.until(&format!(
        "document.querySelector('#standings').innerText !== {}",
        serde_json::json!(standings)
    ));
    browser.see("main .state.done");
    assert!(browser.eval::<bool>("return window.isMarked === true"), "the page was loaded again");
    assert!(cup.wait().unwrap().success());
    let shown: String = browser.eval("return document.querySelector('main').innerText");
    browser.visit(&site.at("/event/cup"));
    assert_eq!(browser.eval::<String>("return document.querySelector('main').innerText"), shown);
    assert!(shown.contains("720"), "all games were played: {shown}");
    assert_accessible(&browser, "an event");
    keep("event", &browser.picture());

    // A cell of the crosstable links to its games, a game to its board, and a player to a page.
    browser.click("#crosstable a[href*='/games']");
    browser.see("a[href^='/game/']");
    assert_accessible(&browser, "games of an event");
    browser.click("main a[href^='/game/']");
    browser.see("#board");
    browser.visit(&site.at("/event/cup"));
    browser.click("#standings a[href*='/player/']");
    browser.see("main h1");
    assert_accessible(&browser, "a player of an event");
}
