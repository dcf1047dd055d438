//! Accessibility: screen readers, keyboard use and small screens.

use super::Browser;
use serde_json::{Value, json};
use thirtyfour::Key;

/// Number of presses of the tab key per page: enough to pass the header and reach the content.
const TABS: usize = 14;

/// Accessibility rules that the current page breaks, one message each.
pub(super) fn complaints(browser: &Browser) -> Vec<String> {
    browser.eval(include_str!("accessibility.js"))
}

/// Moves the focus by keyboard; returns a message for each focused element without a visible outline.
pub(super) fn focus_complaints(browser: &Browser) -> Vec<String> {
    let mut found = Vec::new();
    for _ in 0..TABS {
        browser.press(Key::Tab);
        let complaint: Value = browser.eval(
            "const at = document.activeElement;
             if (!at || at === document.body) return null;
             const style = getComputedStyle(at);
             const isOutlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1;
             return isOutlined ? null : `the focus does not show: ${at.outerHTML.slice(0, 80)}`;",
        );
        found.extend(complaint.as_str().map(str::to_owned));
    }
    found
}

pub(super) fn assert_accessible(browser: &Browser, what: &str) {
    let found = complaints(browser);
    assert!(found.is_empty(), "{what} ({}): {found:#?}", browser.address());
}

/// HTML fragments, each with the rule that it breaks.
const WRONG: [(&str, &str); 22] = [
    ("<h1>One</h1><h1>Two</h1>", "not one h1"),
    ("<h3>Deep</h3>", "heading after level 1"),
    ("<p id='twice'></p><p id='twice'></p>", "id given twice"),
    ("<label for='gone'>x</label>", "for names nobody"),
    ("<img src='data:,'>", "image without alt"),
    ("<svg role='img' width='9' height='9'></svg>", "picture without a name"),
    ("<svg width='9' height='9'></svg>", "picture without a role"),
    ("<table><tr><th scope='col'>a</table>", "table without a name"),
    ("<table aria-label='t'><tr><th>a</table>", "header without scope"),
    ("<table aria-label='t'><tr><td>a</table>", "table without headers"),
    ("<input name='n'>", "control without a label"),
    ("<button></button>", "nothing to read out"),
    ("<a href='#'><span aria-hidden='true'>x</span></a>", "nothing to read out"),
    ("<a href='#' tabindex='3'>x</a>", "order of tabs is forced"),
    ("<span role='button'>x</span>", "cannot have the focus"),
    ("<p class='choosable'>x</p>", "no role"),
    ("<p style='cursor:pointer'>x</p>", "only for the mouse"),
    ("<p style='color:#999;background:#fff'>pale</p>", "too little contrast"),
    (
        "<svg role='img' aria-label='s'><rect width='99' height='99' fill='#333'/><text y='20' fill='#111'>x</text></svg>",
        "too little contrast",
    ),
    (
        "<div style='overflow:auto;width:50px'><p style='width:300px'>x</p></div>",
        "the keyboard cannot scroll this",
    ),
    ("<button style='width:9px;height:9px;padding:0;overflow:hidden'>x</button>", "too small to hit"),
    ("<p style='width:3000px'>x</p>", "wider than the screen"),
];

/// A page that breaks no rule; the contrast of its text depends on the backgrounds behind it.
const RIGHT: &str = "<h1>One</h1><h2>Two</h2><h3>Three</h3><h2>Four</h2>
    <div style='background:#111'><p style='color:#eee'>light <span style='opacity:.9'>on dark</span></p></div>
    <svg role='img' aria-label='s'><rect width='99' height='99' fill='#222'/><circle cx='20' cy='20' r='15' fill='#ffd'/>
    <text x='15' y='25' fill='#111'>x</text></svg><label>Name <input value='v'></label>
    <p style='color:#777;background:#fff;font-size:30px'>large</p><button disabled style='color:#ccc;min-height:30px'>off</button>";

#[test]
fn the_checker_finds_what_is_wrong_and_nothing_else() {
    let browser = Browser::open(super::session::PHONE);
    let show = |body: &str| {
        let page = format!(
            "<html lang=en><title>t</title><meta name=viewport content='width=device-width'><body><main>{body}</main>"
        );
        browser.visit("about:blank");
        browser
            .eval::<Value>(&format!("document.open(); document.write({}); document.close();", json!(page)));
    };
    show(RIGHT);
    assert_eq!(complaints(&browser), [""; 0]);
    for (body, rule) in WRONG {
        show(&if body.starts_with("<h1>") { body.to_owned() } else { format!("<h1>Title</h1>{body}") });
        let found = complaints(&browser);
        assert!(
            found.iter().any(|complaint| complaint.starts_with(&format!("{rule}:"))),
            "{body}: {rule}: {found:?}"
        );
    }
    show("<h1>Focus</h1><button style='outline:none'>x</button><button>y</button>");
    assert_eq!(focus_complaints(&browser).into_iter().collect::<std::collections::BTreeSet<_>>().len(), 1);
    browser.eval::<Value>("document.documentElement.lang = ''; document.title = '';");
    let found = complaints(&browser).join("\n");
    assert!(found.contains("no language") && found.contains("no title"), "{found}");
}
