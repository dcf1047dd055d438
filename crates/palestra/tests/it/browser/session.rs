//! A blocking interface to a browser.

use super::process::Driver;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::prelude::*;
use thirtyfour::{ChromiumLikeCapabilities, LoggingPrefsLogLevel, RequestData, SessionId};

/// Longest wait for a condition. Only a broken page takes this long.
const PATIENCE: Duration = Duration::from_secs(60);

/// One browser at a time: parallel ones slow each other down.
static TURN: Mutex<()> = Mutex::new(());

pub(super) const DESK: [u32; 2] = [1200, 900];
pub(super) const PHONE: [u32; 2] = [360, 740];

/// A browser with its own profile; dropping it ends the browser.
pub(super) struct Browser {
    session: WebDriver,
    /// Parts of console messages that the test expects.
    forgiven: Vec<&'static str>,
    runtime: tokio::runtime::Runtime,
    process: Driver,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    pub(super) fn open(size: [u32; 2]) -> Browser {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let process = Driver::start();
        let mut wanted = DesiredCapabilities::chrome();
        let profile = format!("--user-data-dir={}", process.profile.display());
        for word in ARGUMENTS.iter().copied().chain([profile.as_str()]) {
            wanted.add_arg(word).unwrap();
        }
        wanted.set_browser_log_level(LoggingPrefsLogLevel::All).unwrap();
        let session = runtime.block_on(WebDriver::new(process.address.as_str(), wanted)).unwrap();
        let browser = Browser { session, forgiven: Vec::new(), runtime, process, _turn: turn };
        browser.resize(size);
        browser
    }

    /// Profile folder of the browser.
    pub(super) fn profile(&self) -> PathBuf {
        self.process.profile.clone()
    }

    /// Sets the width and height of the page in pixels.
    pub(super) fn resize(&self, [width, height]: [u32; 2]) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.tools("Emulation.setDeviceMetricsOverride", size);
    }

    /// Sets the preferred color scheme: `dark` or `light`.
    pub(super) fn prefer(&self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.tools("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Sets the `Accept-Language` header.
    pub(super) fn speak(&self, languages: &str) {
        let agent: String = self.eval("return navigator.userAgent");
        self.tools(
            "Emulation.setUserAgentOverride",
            json!({ "userAgent": agent, "acceptLanguage": languages }),
        );
    }

    /// Opens a page, which must answer with status 200 or without one (`about:blank`).
    pub(super) fn visit(&self, address: &str) {
        let status = self.go(address);
        assert!(matches!(status, 0 | 200), "{address}: {status}");
    }

    /// Opens a page and returns its HTTP status, or 0 if it has none.
    pub(super) fn go(&self, address: &str) -> u16 {
        self.runtime.block_on(self.session.goto(address)).unwrap();
        self.eval("return performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0")
    }

    pub(super) fn address(&self) -> String {
        self.runtime.block_on(self.session.current_url()).unwrap().to_string()
    }

    /// Runs a script in the page as the body of a function; returns its value.
    pub(super) fn eval<T: DeserializeOwned>(&self, script: &str) -> T {
        self.try_eval(script).unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    fn try_eval<T: DeserializeOwned>(&self, script: &str) -> WebDriverResult<T> {
        self.runtime.block_on(self.session.execute(script, Vec::new()))?.convert()
    }

    /// Waits until a JavaScript expression is true in the page.
    pub(super) fn until(&self, condition: &str) {
        self.until_within(PATIENCE, condition);
    }

    fn until_within(&self, patience: Duration, condition: &str) {
        let script = format!("return Boolean({condition})");
        // Evaluation fails while the page is being replaced by another.
        self.poll(patience, condition, || self.try_eval::<bool>(&script).unwrap_or(false).then_some(()));
    }

    /// Waits until the page has an element.
    pub(super) fn see(&self, selector: &str) {
        self.until(&format!("document.querySelector({})", json!(selector)));
    }

    pub(super) fn has(&self, selector: &str) -> bool {
        self.eval(&format!("return document.querySelector({}) !== null", json!(selector)))
    }

    /// Waits for the first matching element and returns its text.
    pub(super) fn text(&self, selector: &str) -> String {
        self.see(selector);
        self.eval(&format!("return document.querySelector({}).textContent.trim()", json!(selector)))
    }

    /// Clicks the first matching element with the mouse, as soon as it can be clicked.
    pub(super) fn click(&self, selector: &str) {
        self.click_nth(selector, 0);
    }

    /// Clicks the matching element with index `n` modulo their number.
    pub(super) fn click_nth(&self, selector: &str, n: usize) {
        self.poll(PATIENCE, &format!("a click on {selector}"), || {
            self.runtime.block_on(async {
                let found = self.session.find_all(By::Css(selector)).await.ok()?;
                let element = found.get(n.checked_rem(found.len())?)?;
                element.click().await.ok()
            })
        });
    }

    /// Sets a field and dispatches the events of a user's input.
    pub(super) fn set(&self, selector: &str, value: &str) {
        self.see(selector);
        self.eval::<Value>(&format!(
            "const field = document.querySelector({}); field.value = {};
             field.dispatchEvent(new Event('input', {{ bubbles: true }}));
             field.dispatchEvent(new Event('change', {{ bubbles: true }}));",
            json!(selector),
            json!(value)
        ));
    }

    /// Sends a key to the focused element.
    pub(super) fn press(&self, key: Key) {
        let keys = self.session.action_chain().send_keys(key);
        self.runtime.block_on(keys.perform()).unwrap();
    }

    /// Opens an address in a new tab; returns the handles of the previous and the new tab.
    pub(super) fn open_tab(&self, address: &str) -> [WindowHandle; 2] {
        let tabs = self.runtime.block_on(async {
            let before = self.session.window().await.unwrap();
            let after = self.session.new_tab().await.unwrap();
            self.session.switch_to_window(after.clone()).await.unwrap();
            [before, after]
        });
        self.visit(address);
        tabs
    }

    pub(super) fn switch_to(&self, tab: &WindowHandle) {
        self.runtime.block_on(self.session.switch_to_window(tab.clone())).unwrap();
    }

    /// Screenshot of the page as PNG, in its full length up to 1800 pixels.
    pub(super) fn picture(&self) -> Vec<u8> {
        let [width, height, length]: [u32; 3] =
            self.eval("return [innerWidth, innerHeight, Math.ceil(document.querySelector('main').getBoundingClientRect().bottom + scrollY)]");
        self.resize([width, length.clamp(height / 2, 1800)]);
        let picture = self.runtime.block_on(self.session.screenshot_as_png()).unwrap();
        self.resize([width, height]);
        picture
    }

    /// Ignores console messages that contain `part`.
    pub(super) fn forgive(&mut self, part: &'static str) {
        self.forgiven.push(part);
    }

    /// Warnings and errors of the console, the network and the security policy since the last call.
    pub(super) fn complaints(&self) -> Vec<String> {
        let log = self.runtime.block_on(self.session.browser_log()).unwrap();
        let bad = log.into_iter().filter(|entry| matches!(entry.level.as_str(), "WARNING" | "SEVERE"));
        let messages = bad.map(|entry| format!("{} {}", entry.level, entry.message));
        messages.filter(|message| !self.forgiven.iter().any(|part| message.contains(part))).collect()
    }

    /// Runs a command of the Chrome DevTools protocol.
    fn tools(&self, command: &'static str, parameters: Value) {
        self.runtime.block_on(self.session.cmd(Tools(command, parameters))).unwrap();
    }

    /// Calls `ask` until it returns a value; panics after `patience`.
    pub(super) fn poll<T>(&self, patience: Duration, what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
        let began = Instant::now();
        loop {
            if let Some(answer) = ask() {
                return answer;
            }
            if began.elapsed() > patience {
                let shown: String = self.try_eval("return document.body.innerText").unwrap_or_default();
                panic!("waited in vain for {what} at {}, which shows:\n{shown}", self.address());
            }
            std::thread::sleep(Duration::from_millis(15));
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // Keep a screenshot of the failed page for diagnosis.
            if let Ok(picture) = self.runtime.block_on(self.session.screenshot_as_png()) {
                let test = std::thread::current().name().unwrap_or_default().replace("::", "-");
                super::looks::keep(&format!("failed-{test}"), &picture);
            }
        }
        let complaints = if std::thread::panicking() { Vec::new() } else { self.complaints() };
        let _ = self.runtime.block_on(self.session.clone().quit());
        assert!(complaints.is_empty(), "the browser complains: {complaints:#?}");
    }
}

#[derive(Debug)]
struct Tools(&'static str, Value);

impl FormatRequestData for Tools {
    fn format_request(&self, session: &SessionId) -> RequestData {
        let body = json!({ "cmd": self.0, "params": self.1 });
        let post = "POST".parse().unwrap();
        RequestData::new(post, format!("session/{session}/goog/cdp/execute")).add_body(body)
    }
}

/// No background traffic. The browser talks to the driver through a pipe, so that it ends when the driver does.
const ARGUMENTS: [&str; 11] = [
    "--headless=new",
    "--remote-debugging-pipe",
    // Chromium refuses to run its sandbox as root, as in a container. The browser only opens pages of this test.
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
];
