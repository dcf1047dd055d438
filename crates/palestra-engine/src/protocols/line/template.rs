//! Lines with places in them: `{row} {column} {direction}`.

use palestra_core::InputError;
use std::collections::BTreeMap;
use std::fmt;

/// A text with named places. Written with braces: `{n} {own}`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LineTemplate {
    parts: Vec<TemplatePart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePart {
    Text(String),
    Place(String),
}

/// What can stand at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlaceholderKind<'a> {
    /// Digits.
    Number,
    /// Small letters.
    Letters,
    /// One of these words.
    OneOf(&'a [String]),
    /// Whatever has no blank in it.
    Word,
}

/// What stands at the places of a line.
pub(crate) type PlaceholderValues = BTreeMap<String, String>;

impl LineTemplate {
    /// Reads a template; the complaint is about the braces.
    pub(crate) fn read(text: &str) -> Result<LineTemplate, InputError> {
        let bad =
            |found: &str| InputError::new(format!("template \"{text}\""), found, "a name in braces: {row}");
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}').ok_or_else(|| bad(after))?;
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if name.is_empty() || !name.chars().all(is_name) || before.contains('}') {
                return Err(bad(name));
            }
            if !before.is_empty() {
                parts.push(TemplatePart::Text(before.to_owned()));
            }
            parts.push(TemplatePart::Place(name.to_owned()));
            rest = behind;
        }
        if rest.contains('}') {
            return Err(bad(rest));
        }
        if !rest.is_empty() {
            parts.push(TemplatePart::Text(rest.to_owned()));
        }
        Ok(LineTemplate { parts })
    }

    /// The names of its places.
    pub(crate) fn placeholders(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Place(name) => Some(name.as_str()),
            TemplatePart::Text(_) => None,
        })
    }

    /// How many words a line of it has.
    pub(crate) fn n_words(&self) -> usize {
        let shape: String = self
            .parts
            .iter()
            .map(|part| if let TemplatePart::Text(text) = part { text } else { "x" })
            .collect();
        shape.split_whitespace().count()
    }

    /// The line with these values; a place that has none stays empty.
    pub(crate) fn fill(&self, values: &PlaceholderValues) -> String {
        let part = |part: &TemplatePart| match part {
            TemplatePart::Text(text) => text.clone(),
            TemplatePart::Place(name) => values.get(name).cloned().unwrap_or_default(),
        };
        self.parts.iter().map(part).collect()
    }

    /// What stands at its places in a line; `None` if the line is not of this kind. Any number of blanks goes for one, and
    /// further words after the line are let pass.
    pub(crate) fn find<'a>(
        &self,
        line: &str,
        class: impl Fn(&str) -> PlaceholderKind<'a>,
    ) -> Option<PlaceholderValues> {
        let mut values = PlaceholderValues::new();
        let mut rest = line.trim_start();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => rest = skip(rest, text)?,
                TemplatePart::Place(name) => {
                    let n = length(rest, class(name)).filter(|n| *n > 0)?;
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
            TemplatePart::Place(name) => write!(f, "{{{name}}}"),
        })
    }
}

/// The line behind a text at its beginning.
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

/// How many bytes at the beginning are of a class.
fn length(line: &str, class: PlaceholderKind<'_>) -> Option<usize> {
    let run = |is: fn(char) -> bool| Some(line.find(|c| !is(c)).unwrap_or(line.len()));
    match class {
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
        let class = |name: &str| match name {
            "column" => PlaceholderKind::Letters,
            "direction" => PlaceholderKind::OneOf(&directions),
            "own" => PlaceholderKind::Word,
            _ => PlaceholderKind::Number,
        };
        let expected: Option<PlaceholderValues> = expected.map(|pairs| {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
        });
        assert_eq!(LineTemplate::read(template).unwrap().find(line, class), expected, "{template} {line}");
    }

    #[test]
    fn lines_are_taken_apart() {
        let move_of = [("column", "aa"), ("row", "12"), ("direction", "v")];
        check("{column}{row}{direction}", "aa12v", Some(&move_of));
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
        let template = LineTemplate::read("{n} {own}").unwrap();
        let values = [("n", "11"), ("own", "0")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(template.fill(&values.into()), "11 0");
        assert_eq!(template.n_words(), 2);
        assert_eq!(LineTemplate::read("move {a}{b} x").unwrap().n_words(), 3);
        for text in ["{", "}", "{}", "{a", "a}", "{a b}", "{{a}}", "x} {a}"] {
            assert!(LineTemplate::read(text).is_err(), "{text}");
        }
    }
}
