//! A stored game, replayed by keyboard, buttons, slider and address.

use super::Site;
use super::accessibility::{assert_accessible, focus_complaints};
use super::looks::keep;
use super::session::{Browser, DESK};
use crate::support::empty_folder;
use thirtyfour::Key;

/// Ply that the replay shows. Scripts have run once the page is complete.
const PLY: &str =
    "document.readyState === 'complete' && Number(document.querySelector('#viewer').dataset.ply)";

/// Number of plies of the game: the slider's maximum.
fn n_plies(browser: &Browser) -> usize {
    browser.see("#ply");
    browser.eval("return Number(document.querySelector('#ply').max)")
}

fn at(browser: &Browser, ply: usize) {
    browser.until(&format!("{PLY} === {ply} && Number(document.querySelector('#ply').value) === {ply}"));
}

fn board(browser: &Browser) -> String {
    browser.eval("return document.querySelector('#board').innerHTML")
}

#[test]
fn a_stored_game_is_replayed_by_keyboard() {
    let site = Site::start(&empty_folder("browser-game"));
    site.run("tournament connect4 alphabeta:depth=3/threes/4,4,1,2 grid-5 --opening-plies 2 --name cup");
    let game = site.rows("event cup --games").first().unwrap()["id"].as_u64().unwrap();
    let browser = Browser::open(DESK);
    browser.prefer("light");
    browser.visit(&site.at(&format!("/game/{game}")));
    let last = n_plies(&browser);
    assert!(last > 6, "{last}");

    browser.press(Key::Home);
    at(&browser, 0);
    let empty = board(&browser);
    browser.press(Key::Right);
    at(&browser, 1);
    assert!(browser.address().ends_with("ply=1"));
    let one = board(&browser);
    assert_ne!(one, empty);
    browser.press(Key::Right);
    at(&browser, 2);
    browser.press(Key::Left);
    at(&browser, 1);
    assert_eq!(board(&browser), one);
    browser.press(Key::End);
    at(&browser, last);
    let end = board(&browser);
    browser.press(Key::Right);
    at(&browser, last);

    // The address contains the ply, so that a link opens the same position.
    browser.visit(&site.at(&format!("/game/{game}?ply=1")));
    browser.see("#board");
    at(&browser, 1);
    assert_eq!(board(&browser), one);
    browser.set("#ply", &last.to_string());
    at(&browser, last);
    assert_eq!(board(&browser), end);

    let middle = last / 2;
    browser.visit(&site.at(&format!("/game/{game}?ply={middle}")));
    browser.see("#explanation [data-explained]");
    keep("game", &browser.picture());
    assert_accessible(&browser, "a stored game");
    assert_eq!(focus_complaints(&browser), [""; 0]);
}
