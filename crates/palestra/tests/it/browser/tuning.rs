//! Tuning runs: started from the form, watched live, opened late, stopped and resumed.

use super::Site;
use super::accessibility::assert_accessible;
use super::looks::keep;
use super::session::{Browser, DESK};
use crate::support::empty_folder;
use serde_json::{Value, json};

/// Takes long enough to be watched live.
const PLAN: &str = "game = \"connect:7x6x4\"\nplayer = \"greedy/lines\"\nopening_plies = 4\npairs = 2\n[budget]\ngenerations = 25\n[test]\npairs = 100\n";

/// Number of generations that the page of the run shows.
const GENERATIONS: &str =
    "Number(document.querySelector('#numbers summary')?.textContent.match(/[0-9]+/)?.[0] ?? 0)";

/// Opens the form's plan, replaces it with `plan` and submits it.
fn write(site: &Site, browser: &Browser, plan: &str) {
    browser.visit(&site.at("/tune"));
    browser.click("button[name=show]");
    browser.set("textarea[name=plan]", plan);
    browser.click("form[method=post][action='/tune'] button.primary");
}

/// Starts a plan from the form; returns the address of its page.
fn start(site: &Site, browser: &Browser, plan: &str) -> String {
    write(site, browser, plan);
    browser.until("location.pathname.startsWith('/run/')");
    browser.address()
}

fn has_state(browser: &Browser, state: &str) {
    browser.until(&format!("document.querySelector('main .state.{state}')"));
}

/// Marks the page to detect a reload.
fn mark(browser: &Browser) {
    browser.eval::<Value>("window.isMarked = true");
}

fn is_marked(browser: &Browser) -> bool {
    browser.eval("return window.isMarked === true")
}

fn main_text(browser: &Browser) -> String {
    browser.eval("return document.querySelector('main').innerText")
}

#[test]
fn a_run_is_watched_to_its_end_and_joined_late() {
    let site = Site::start(&empty_folder("browser-tune"));
    let browser = Browser::open(DESK);
    browser.prefer("light");
    let page = start(&site, &browser, PLAN);
    mark(&browser);
    browser.until(&format!("{GENERATIONS} > 2"));
    let seen: usize = browser.eval(&format!("return {GENERATIONS}"));
    let [first, second] = browser.open_tab(&page);
    browser.resize(DESK);
    // A page opened late shows the generations so far and then updates live.
    assert!(browser.eval::<usize>(&format!("return {GENERATIONS}")) >= seen);
    mark(&browser);
    has_state(&browser, "done");
    assert!(is_marked(&browser), "the page was loaded again");
    let late = main_text(&browser);
    browser.switch_to(&first);
    has_state(&browser, "done");
    assert!(is_marked(&browser), "the page was loaded again");
    browser.until(&format!("document.querySelector('main').innerText === {}", json!(late)));
    browser.visit(&page);
    assert_eq!(main_text(&browser), late, "the stored page says the same");
    assert_accessible(&browser, "a finished run");
    keep("run", &browser.picture());
    browser.switch_to(&second);

    // The home page lists the run.
    browser.visit(&site.home);
    browser.see("a[href^='/run/']");
    browser.see("a[href^='/play?']");
    keep("home", &browser.picture());
    browser.click("button[name=theme][value=dark]");
    browser.until("document.documentElement.dataset.theme === 'dark'");
    keep("home-dark", &browser.picture());
}

#[test]
fn a_run_is_stopped_gone_on_with_and_survives_its_server() {
    let mut site = Site::start(&empty_folder("browser-stop"));
    let mut browser = Browser::open(DESK);
    // The server is killed below, so that the browser logs connection errors.
    for lost in [
        "ERR_CONNECTION_REFUSED",
        "ERR_INCOMPLETE_CHUNKED_ENCODING",
        "ERR_CONNECTION_RESET",
        "ERR_EMPTY_RESPONSE",
    ] {
        browser.forgive(lost);
    }
    let page = start(&site, &browser, &PLAN.replace("generations = 25", "generations = 400"));
    browser.until(&format!("{GENERATIONS} > 1"));
    browser.click("form[action='/runs/stop'] button");
    has_state(&browser, "interrupted");
    let stopped: usize = browser.eval(&format!("return {GENERATIONS}"));
    browser.click("form[action='/runs/resume'] button");
    has_state(&browser, "running");
    browser.until(&format!("{GENERATIONS} > {stopped}"));
    assert_eq!(browser.address(), page);

    mark(&browser);
    site.kill();
    browser.until("!document.querySelector('#link-state').hidden");
    assert_accessible(&browser, "a page without its server");
    site.start_again();
    browser.until("document.querySelector('#link-state').hidden");
    has_state(&browser, "interrupted");
    assert!(is_marked(&browser), "the page was loaded again");
    browser.click("form[action='/runs/resume'] button");
    has_state(&browser, "running");
    let before: usize = browser.eval(&format!("return {GENERATIONS}"));
    browser.until(&format!("{GENERATIONS} > {before}"));
    browser.click("form[action='/runs/stop'] button");
    has_state(&browser, "interrupted");
}

#[test]
fn a_bad_plan_is_refused_with_its_words() {
    let site = Site::start(&empty_folder("browser-bad-plan"));
    let mut browser = Browser::open(DESK);
    browser.forgive("400");
    write(&site, &browser, &PLAN.replace("greedy/lines", "greedy/lanes"));
    browser.until("document.querySelector('main').innerText.includes('lanes')");
    assert_accessible(&browser, "a refused plan");
    assert!(!site.folder.join("palestra.db").exists(), "nothing was started");
}
