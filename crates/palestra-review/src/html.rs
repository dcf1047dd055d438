//! Elements of an HTML page. Text arguments are escaped, and every tag that is opened is closed.

use crate::chart::escaped;

/// The style sheet of a page made of these elements.
pub const STYLE: &str = include_str!("page.css");

/// A paragraph of plain text.
pub fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escaped(text))
}

/// A command or a file in a `pre` element, to be copied.
pub fn verbatim(text: &str) -> String {
    format!("<pre><code>{}</code></pre>\n", escaped(text.trim_end()))
}

/// A section of the page with a heading; `content` is HTML and not escaped.
pub fn section(id: &str, heading: &str, content: &str) -> String {
    let (id, heading) = (escaped(id), escaped(heading));
    format!("<section id=\"{id}\">\n<h2>{heading}</h2>\n{content}</section>\n")
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct HtmlColumn {
    /// Its heading.
    pub heading: &'static str,
    /// Whether it has numbers, which are aligned to the right.
    pub is_number: bool,
}

/// A column of text.
pub const fn text_column(heading: &'static str) -> HtmlColumn {
    HtmlColumn { heading, is_number: false }
}

/// A column of numbers.
pub const fn number_column(heading: &'static str) -> HtmlColumn {
    HtmlColumn { heading, is_number: true }
}

/// A table with a caption and a heading for every column; the first cell of each row is its heading.
pub fn table(caption: &str, columns: &[HtmlColumn], rows: &[Vec<String>]) -> String {
    let safe = |row: &Vec<String>| row.iter().map(|cell| escaped(cell)).collect();
    table_of(caption, columns, &rows.iter().map(safe).collect::<Vec<Vec<String>>>())
}

/// A table whose cells are HTML and not escaped.
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

/// A link with this text to another page of the same site.
pub fn link(address: &str, text: &str) -> String {
    format!("<a href=\"{}\">{}</a>", escaped(address), escaped(text))
}

/// A figure with its caption; `svg` is HTML and not escaped.
pub fn figure(id: &str, svg: &str, caption: &str) -> String {
    let (id, caption) = (escaped(id), escaped(caption));
    format!(
        "<figure id=\"figure-{id}\">\n<div class=\"wide\">{svg}</div>\n<figcaption>{caption}</figcaption>\n</figure>\n"
    )
}
