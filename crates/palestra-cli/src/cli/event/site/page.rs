//! The frame of all pages: head, title, link back and footer.

use super::EventSite;
use palestra_review::chart::escaped;
use palestra_review::html::{paragraph, section};

/// A section of a page: anchor, heading and content.
pub(super) type SiteSection = (&'static str, &'static str, String);

/// A page of the site. `up` is the relative path to the folder of the site; `intro` and the sections are HTML.
pub(super) fn page(
    site: &EventSite<'_>,
    up: &str,
    title: &str,
    intro: &str,
    parts: &[SiteSection],
    script: bool,
) -> String {
    let event = escaped(&site.event.run.name);
    let parts: Vec<&SiteSection> = parts.iter().filter(|(_, _, content)| !content.is_empty()).collect();
    let link = |(id, heading, _): &&SiteSection| format!("<li><a href=\"#{id}\">{heading}</a></li>");
    let links: String = parts.iter().map(link).collect();
    let nav = if parts.len() > 2 {
        format!("<nav aria-label=\"Sections of this page\"><ul>{links}</ul></nav>\n")
    } else {
        String::new()
    };
    let sections: String = parts.iter().map(|(id, heading, content)| section(id, heading, content)).collect();
    let back = if up.is_empty() && title == site.event.run.name {
        String::new()
    } else {
        format!("<p class=\"back\"><a href=\"{up}index.html\">← {event}</a></p>\n")
    };
    let script =
        if script { format!("<script src=\"{up}step.js\" defer></script>\n") } else { String::new() };
    let run = site.event.run;
    let foot = paragraph(&format!(
        "{}: started {}, last changed {}, seed {}; engine version \"{}\", pages by palestra {}.",
        run.name,
        run.created,
        run.updated,
        run.seed,
        run.version,
        env!("CARGO_PKG_VERSION")
    ));
    // Names are escaped. As a second protection, the policy allows only scripts from files.
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\" />
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />
<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'self' file:; object-src 'none'; base-uri 'none'; form-action 'none'\" />
<title>{}</title>
<link rel=\"stylesheet\" href=\"{up}style.css\" />
{script}</head>
<body>
<header>
{back}<h1>{}</h1>
{intro}</header>
{nav}<main>
{sections}</main>
<footer>{foot}</footer>
</body>
</html>
",
        escaped(title),
        escaped(title)
    )
}
