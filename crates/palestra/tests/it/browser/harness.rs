//! Tests of the harness itself, and of the header that every page has.

use super::process::Driver;
use super::session::{Browser, DESK};
use super::{Site, accessibility};
use crate::support::empty_folder;
use serde_json::Value;

#[test]
fn a_browser_hears_complaints_and_leaves_nothing_behind() {
    let site = Site::start(&empty_folder("browser-harness"));
    let mut browser = Browser::open(DESK);
    let profile = browser.profile();
    browser.visit(&site.home);
    assert_eq!(browser.complaints(), [""; 0]);

    browser.eval::<Value>("console.error('oh'); console.warn('well'); console.log('fine');");
    let found = browser.complaints();
    assert!(found.len() == 2 && found[0].contains("oh") && found[1].contains("well"), "{found:?}");
    browser.eval::<Value>("const script = document.createElement('script'); script.textContent = '1'; document.body.append(script);");
    let found = browser.complaints();
    assert!(found.iter().any(|line| line.contains("Content Security Policy")), "{found:?}");
    browser
        .eval::<Value>("document.body.append(Object.assign(new Image(), { src: '/nothing.png', alt: '' }));");
    browser.until("[...document.images].every((image) => image.complete)");
    let found = browser.complaints();
    assert!(found.iter().any(|line| line.contains("nothing.png") && line.contains("404")), "{found:?}");
    browser.forgive("mine");
    browser.eval::<Value>("console.error('mine')");
    assert_eq!(browser.complaints(), [""; 0]);

    assert!(Driver::living(&profile).len() > 1);
    drop(browser);
    assert_eq!(Driver::living(&profile), [""; 0]);
    assert!(!profile.exists());
}

#[test]
fn a_browser_ends_with_a_test_that_fails() {
    let profile = std::sync::Mutex::new(None);
    let failed = std::panic::catch_unwind(|| {
        let browser = Browser::open(DESK);
        *profile.lock().unwrap() = Some(browser.profile());
        browser.visit("about:blank");
        panic!("on purpose");
    });
    assert!(failed.is_err());
    let profile = profile.into_inner().unwrap().unwrap();
    assert_eq!(Driver::living(&profile), [""; 0]);
    assert!(!profile.exists());
}

#[test]
fn the_language_and_the_look_are_the_visitors() {
    let site = Site::start(&empty_folder("browser-appearance"));
    let mut browser = Browser::open(DESK);
    let language = |browser: &Browser| browser.eval::<String>("return document.documentElement.lang");
    let ground =
        |browser: &Browser| browser.eval::<String>("return getComputedStyle(document.body).backgroundColor");

    for (asked, shown) in [("es-AR,es;q=0.9,en;q=0.5", "es"), ("de", "en"), ("fr,en;q=0.4,es;q=0.3", "en")] {
        browser.speak(asked);
        browser.visit(&site.home);
        assert_eq!(language(&browser), shown, "{asked}");
    }
    // The user's choice overrides the browser's preferred language on every page.
    browser.click("button[name=language]");
    browser.until("document.documentElement.lang === 'es'");
    browser.visit(&site.at("/play"));
    assert_eq!(language(&browser), "es");

    browser.prefer("light");
    let light = ground(&browser);
    browser.prefer("dark");
    let dark = ground(&browser);
    assert_ne!(light, dark);
    browser.prefer("light");
    browser.click("button[name=theme][value=dark]");
    browser.until("document.documentElement.dataset.theme === 'dark'");
    assert_eq!(ground(&browser), dark);
    browser.click("button[name=theme][value=light]");
    browser.until("document.documentElement.dataset.theme === 'light'");
    browser.prefer("dark");
    assert_eq!(ground(&browser), light);

    // The 404 page has to be accessible too.
    browser.forgive("404");
    assert_eq!(browser.go(&site.at("/nowhere")), 404);
    accessibility::assert_accessible(&browser, "a page that is not there");
}
