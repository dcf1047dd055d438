//! Lines with placeholders: `{row} {column} {direction}`.

use palestra_core::InputError;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A line with named placeholders in braces: `{n} {own}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LineTemplate {
    parts: Vec<TemplatePart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePart {
    Text(String),
    Placeholder(String),
}

/// The texts that a placeholder accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceholderKind<'a> {
    /// Digits.
    Number,
    /// Lowercase ASCII letters.
    Letters,
    /// One of these words.
    OneOf(&'a [String]),
    /// Any text without blanks.
    Word,
}

/// The values of placeholders, by name.
pub(crate) type PlaceholderValues = BTreeMap<String, String>;

impl FromStr for LineTemplate {
    type Err = InputError;

    /// Reads a template; fails where a brace is not closed or does not contain a name.
    fn from_str(text: &str) -> Result<LineTemplate, InputError> {
        let bad = |found: &str| {
            InputError::new(format!("template \"{text}\""), found, "a name in braces, as in {row}")
        };
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, remainder) = after.split_once('}').ok_or_else(|| bad(after))?;
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if name.is_empty() || !name.chars().all(is_name) || before.contains('}') {
                return Err(bad(name));
            }
            if !before.is_empty() {
                parts.push(TemplatePart::Text(before.to_owned()));
            }
            parts.push(TemplatePart::Placeholder(name.to_owned()));
            rest = remainder;
        }
        if rest.contains('}') {
            return Err(bad(rest));
        }
        if !rest.is_empty() {
            parts.push(TemplatePart::Text(rest.to_owned()));
        }
        Ok(LineTemplate { parts })
    }
}

impl LineTemplate {
    /// The names of its placeholders.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Placeholder(name) => Some(name.as_str()),
            TemplatePart::Text(_) => None,
        })
    }

    /// Placeholders with nothing between them.
    pub(crate) fn neighbors(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.windows(2).filter_map(|pair| match pair {
            [TemplatePart::Placeholder(left), TemplatePart::Placeholder(right)] => {
                Some((left.as_str(), right.as_str()))
            }
            _ => None,
        })
    }

    /// Number of words in a line.
    pub(crate) fn n_words(&self) -> usize {
        let shape: String = self
            .parts
            .iter()
            .map(|part| if let TemplatePart::Text(text) = part { text } else { "x" })
            .collect();
        shape.split_whitespace().count()
    }

    /// The line with these values; a placeholder without a value becomes empty.
    pub(crate) fn fill(&self, values: &PlaceholderValues) -> String {
        let part = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => text.clone(),
            TemplatePart::Placeholder(name) => values.get(name).cloned().unwrap_or_default(),
        };
        self.parts.iter().map(part).collect()
    }

    /// The values of the placeholders in a line; `None` if the line does not match. Any number of blanks counts as one,
    /// and further words at the end of the line are ignored.
    pub(crate) fn find<'a>(
        &self,
        line: &str,
        kind: impl Fn(&str) -> PlaceholderKind<'a>,
    ) -> Option<PlaceholderValues> {
        let mut values = PlaceholderValues::new();
        let mut rest = line.trim_start();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => rest = skip(rest, text)?,
                TemplatePart::Placeholder(name) => {
                    let n = length(rest, kind(name)).filter(|n| *n > 0)?;
                    values.insert(name.clone(), rest[..n].to_owned());
                    rest = &rest[n..];
                }
            }
        }
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some(values)
    }
}

impl fmt::Display for LineTemplate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            TemplatePart::Text(text) => f.write_str(text),
            TemplatePart::Placeholder(name) => write!(f, "{{{name}}}"),
        })
    }
}

/// The rest of a line after a text at its beginning; `None` where it begins differently.
fn skip<'a>(mut line: &'a str, text: &str) -> Option<&'a str> {
    for c in text.chars() {
        line = if c.is_whitespace() {
            let after = line.trim_start();
            (after.len() < line.len() || after.is_empty()).then_some(after)?
        } else {
            line.strip_prefix(c)?
        };
    }
    Some(line)
}

/// Number of bytes at the beginning that a placeholder of this kind accepts.
fn length(line: &str, kind: PlaceholderKind<'_>) -> Option<usize> {
    let run = |is: fn(char) -> bool| Some(line.find(|c| !is(c)).unwrap_or(line.len()));
    match kind {
        PlaceholderKind::Number => run(|c| c.is_ascii_digit()),
        PlaceholderKind::Letters => run(|c| c.is_ascii_lowercase()),
        PlaceholderKind::Word => run(|c| !c.is_whitespace()),
        PlaceholderKind::OneOf(words) => {
            words.iter().filter(|word| line.starts_with(word.as_str())).map(String::len).max()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, line: &str, expected: Option<&[(&str, &str)]>) {
        let directions = ["h".to_owned(), "v".to_owned()];
        let kind = |name: &str| match name {
            "column" => PlaceholderKind::Letters,
            "direction" => PlaceholderKind::OneOf(&directions),
            "own" => PlaceholderKind::Word,
            _ => PlaceholderKind::Number,
        };
        let expected: Option<PlaceholderValues> = expected.map(|pairs| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        });
        assert_eq!(template.parse::<LineTemplate>().unwrap().find(line, kind), expected, "{template} {line}");
    }

    #[test]
    fn lines_are_parsed() {
        let values = [("column", "aa"), ("row", "12"), ("direction", "v")];
        check("{column}{row}{direction}", "aa12v", Some(&values));
        check("{column}{row}{direction}", "aa12", None);
        check("{column}{row}{direction}", "aa12vx", None);
        check("{i} {j} {d}", "  1   2\t0  ", Some(&[("i", "1"), ("j", "2"), ("d", "0")]));
        check("{i} {j} {d}", "1 2 0 and more", Some(&[("i", "1"), ("j", "2"), ("d", "0")]));
        check("{i} {j} {d}", "1 2", None);
        check("{i} {j} {d}", "1 -2 0", None);
        check("{i} {j}", "12", None);
        check("play {own}", "play azul", Some(&[("own", "azul")]));
        check("play {own}", "paly azul", None);
        check("{i}", "", None);
    }

    #[test]
    fn lines_are_written() {
        let template = "{n} {own}".parse::<LineTemplate>().unwrap();
        let values = [("n", "11"), ("own", "0")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(template.fill(&values.into()), "11 0");
        assert_eq!(template.n_words(), 2);
        assert_eq!("move {a}{b} x".parse::<LineTemplate>().unwrap().n_words(), 3);
        for text in ["{", "}", "{}", "{a", "a}", "{a b}", "{{a}}", "x} {a}"] {
            assert!(text.parse::<LineTemplate>().is_err(), "{text}");
        }
    }
}
