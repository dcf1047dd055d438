//! Tests of the parts of a report that need no run.

use crate::cli::output::quoted;
use palestra_review::html::{figure, number_column, paragraph, section, table, text_column, verbatim};

#[test]
fn text_is_escaped() {
    let bad = "<script>&\"'";
    let row = vec![bad.to_owned(), bad.to_owned()];
    let all = [
        paragraph(bad),
        verbatim(bad),
        section(bad, bad, ""),
        table(bad, &[text_column("a"), number_column("b")], &[row]),
        figure(bad, "<svg></svg>", bad),
    ];
    for text in all {
        assert!(!text.contains("<script") && text.contains("&lt;script&gt;&amp;&quot;&#39;"), "{text}");
    }
}

#[test]
fn commands_can_be_copied() {
    assert_eq!(quoted("runs/palestra.db"), "runs/palestra.db");
    assert_eq!(quoted("my runs.db"), "'my runs.db'");
    assert_eq!(quoted("it's"), "'it'\\''s'");
    assert_eq!(quoted(""), "''");
}
