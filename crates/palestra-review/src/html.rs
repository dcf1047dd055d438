//! Pieces of a page. Every text goes in as it is and comes out safe; every tag that is opened is closed.

use crate::chart::escaped;

/// How reports look: everything a page made of these pieces needs.
pub const STYLE: &str = include_str!("page.css");

/// A paragraph of plain text.
pub fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A command or a file, to be copied.
pub fn verbatim(text: &str) -> String {
    format!("<pre><code>{}</code></pre>\n", escaped(text.trim_end()))
}

/// A part of the page under a heading. What stands in it is HTML already.
pub fn section(id: &str, heading: &str, content: &str) -> String {
    let (id, heading) = (escaped(id), escaped(heading));
    format!("<section id=\"{id}\">\n<h2>{heading}</h2>\n{content}</section>\n")
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct HtmlColumn {
    /// What stands above it.
    pub heading: &'static str,
    /// Numbers line up at the right.
    pub is_number: bool,
}

/// A column of words.
pub const fn text_column(heading: &'static str) -> HtmlColumn {
    HtmlColumn { heading, is_number: false }
}

/// A column of numbers.
pub const fn number_column(heading: &'static str) -> HtmlColumn {
    HtmlColumn { heading, is_number: true }
}

/// A table with a caption, a heading for every column, and the first cell of each row as its name.
pub fn table(caption: &str, columns: &[HtmlColumn], rows: &[Vec<String>]) -> String {
    let safe = |row: &Vec<String>| row.iter().map(|cell| escaped(cell)).collect();
    table_of(caption, columns, &rows.iter().map(safe).collect::<Vec<Vec<String>>>())
}

/// The same with cells that are HTML already.
pub fn table_of(caption: &str, columns: &[HtmlColumn], rows: &[Vec<String>]) -> String {
    let class = |column: &HtmlColumn| if column.is_number { " class=\"number\"" } else { "" };
    let head =
        |column: &HtmlColumn| format!("<th scope=\"col\"{}>{}</th>", class(column), escaped(column.heading));
    let heads: String = columns.iter().map(head).collect();
    let mut text = format!(
        "<div class=\"wide\"><table>\n<caption>{}</caption>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n",
        escaped(caption)
    );
    for row in rows {
        let cell = |(i, (cell, column)): (usize, (&String, &HtmlColumn))| {
            let (tag, scope) = if i == 0 { ("th", " scope=\"row\"") } else { ("td", "") };
            format!("<{tag}{scope}{}>{cell}</{tag}>", class(column))
        };
        let cells: String = row.iter().zip(columns).enumerate().map(cell).collect();
        text.push_str(&format!("<tr>{cells}</tr>\n"));
    }
    text.push_str("</tbody>\n</table></div>\n");
    text
}

/// A link to another page of the same site; what is shown is plain text.
pub fn link(address: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(address), escaped(text))
}

/// A figure: a picture that is HTML already, and what to see in it.
pub fn figure(id: &str, svg: &str, caption: &str) -> String {
    let (id, caption) = (escaped(id), escaped(caption));
    format!(
        "<figure id=\"figure-{id}\">\n<div class=\"wide\">{svg}</div>\n<figcaption>{caption}</figcaption>\n</figure>\n"
    )
}
