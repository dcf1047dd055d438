//! Playing on the page: whole games by mouse, one by keyboard, and an opponent that is changed while it plays.

use super::Site;
use super::accessibility::assert_accessible;
use super::looks::keep;
use super::session::{Browser, DESK, PHONE};
use crate::support::empty_folder;
use thirtyfour::Key;

/// Name for the screenshot and game, one per family. The person plays first.
const GAMES: [(&str, &str); 5] = [
    ("connect4", "connect4"),
    ("ladrillos", "ladrillos:4"),
    ("mastergoal", "mastergoal:1"),
    ("mancala", "mancala"),
    ("kalah", "kalah"),
];

/// Click limit; no game of these tests needs this many.
const MOST_CLICKS: usize = 600;

/// Changes with every click: the address and the content of the page.
const SCENE: &str = "location.href + document.querySelector('main').innerHTML";

fn table(site: &Site, game: &str) -> String {
    site.at(&format!("/play?game={game}&side=first&opponent=level-1&seed=7"))
}

/// Elements that can be clicked to continue: cells, and choices that have no cell on the board.
const CHOICES: &str = "#board .choosable, #spotless button, #end-turn:not([hidden])";

/// Matches when the game is over.
const ENDED: &str = "[data-ended]:not([data-ended=false])";

/// Clicks choices until the game is over, and calls `look` after `after_clicks` clicks; returns the number of clicks.
fn play_on(browser: &Browser, after_clicks: usize, mut look: impl FnMut()) -> usize {
    let mut n_clicks = 0;
    loop {
        browser.see(&format!("{ENDED}, {CHOICES}"));
        if browser.has(ENDED) {
            return n_clicks;
        }
        if n_clicks == after_clicks {
            look();
        }
        browser.eval::<()>(&format!("window.sceneBefore = {SCENE}"));
        // A simple sequence is enough; the first choice must not always be taken.
        browser.click_nth(CHOICES, n_clicks * 7 + 3);
        browser.until(&format!("{SCENE} !== window.sceneBefore"));
        n_clicks += 1;
        assert!(n_clicks < MOST_CLICKS, "the game does not end");
    }
}

/// Path of the saved game, from the link on the page.
fn saved(browser: &Browser) -> String {
    browser.see("main a[href^='/game/']");
    browser.eval("return document.querySelector(\"main a[href^='/game/']\").getAttribute('href')")
}

#[test]
fn a_game_of_each_kind_is_played_by_clicking() {
    let site = Site::start(&empty_folder("browser-play"));
    let browser = Browser::open(DESK);
    browser.prefer("light");
    let mut games = Vec::new();
    for (name, game) in GAMES {
        browser.visit(&table(&site, game));
        let n_clicks = play_on(&browser, 4, || keep(&format!("play-{name}"), &browser.picture()));
        assert!(n_clicks > 2, "{game}: {n_clicks}");
        assert!(!browser.has("#board .choosable"), "{game}");
        assert_accessible(&browser, game);
        games.push(saved(&browser));
        browser.visit(&site.at(&games[games.len() - 1]));
        browser.see("#board");
    }
    let expected: Vec<String> = (1..=GAMES.len()).map(|id| format!("/game/{id}")).collect();
    assert_eq!(games, expected, "finished games are saved, each once");
}

#[test]
fn a_game_is_played_on_a_phone_by_keyboard_and_taken_back() {
    let site = Site::start(&empty_folder("browser-phone"));
    let browser = Browser::open(PHONE);
    browser.prefer("light");
    for (name, game) in GAMES {
        browser.visit(&table(&site, game));
        browser.see("#board .choosable");
        assert_accessible(&browser, game);
        if name == "connect4" {
            keep("play-phone", &browser.picture());
        }
    }

    // The board can be reached and played by keyboard.
    browser.visit(&table(&site, "connect4"));
    browser.see("#board .choosable");
    for _ in 0..60 {
        browser.press(Key::Tab);
        if browser.eval("return document.activeElement.closest('#board') !== null") {
            break;
        }
    }
    browser.press(Key::Right);
    browser.press(Key::Enter);
    let played = |n: usize| {
        browser.until(&format!("document.querySelectorAll('#log li').length === {n}"));
        browser.see("#board .choosable");
    };
    // The person's move and the opponent's answer.
    played(2);
    browser.click("#undo");
    played(0);
    browser.click("#hint");
    browser.see("#hint-panel");
    assert_accessible(&browser, "a hint");
}

#[test]
fn another_weight_is_another_choice() {
    let site = Site::start(&empty_folder("browser-weights"));
    let browser = Browser::open(DESK);
    browser.visit(&site.at("/play?game=connect4&side=first&opponent=grid-5&moves=4+4+4+3"));
    browser.until("document.querySelector('#would-move')?.textContent.match(/^[1-7]$/)");
    let before = browser.text("#would-move");
    let n_sliders: usize =
        browser.eval("return document.querySelectorAll('#weights input[type=range]').length");
    assert!(n_sliders >= 2);
    // Negating every weight reverses the opponent's preferences, so that it chooses another move.
    for i in 0..n_sliders {
        browser.eval::<()>(&format!(
            "const slider = document.querySelectorAll('#weights input[type=range]')[{i}];
             slider.value = -Number(slider.value) || slider.min;
             slider.dispatchEvent(new Event('input', {{ bubbles: true }}));
             slider.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        ));
    }
    let shown = "document.querySelector('#would-move').textContent";
    browser.until(&format!("{shown}.match(/^[1-7]$/) && {shown} !== '{before}'"));
    assert_accessible(&browser, "other weights");
}
