//! Variables in braces: `{games}`, `{row}`, `{ga:/champion/weights}`.

use palestra_core::InputError;

/// Replaces every `{word}` with the value that `value` returns for it. A word without a value stays as it is if
/// `keep_unknown` returns true for it; otherwise it is an error.
pub(crate) fn fill(
    text: &str,
    mut value: impl FnMut(&str) -> Result<Option<String>, InputError>,
    keep_unknown: impl Fn(&str) -> bool,
) -> Result<String, InputError> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        filled.push_str(&rest[..start]);
        let Some(length) = rest[start..].find('}') else {
            return Err(InputError::new(format!("braces of {text:?}"), &rest[start..], "a closing }"));
        };
        let word = &rest[start + 1..start + length];
        match value(word)? {
            Some(value) => filled.push_str(&value),
            None if keep_unknown(word) => filled.push_str(&rest[start..=start + length]),
            None => {
                return Err(InputError::new(
                    format!("braces of {text:?}"),
                    word,
                    "a variable that is defined here",
                ));
            }
        }
        rest = &rest[start + length + 1..];
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Whether a word in braces is a path into the output of a command.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced() {
        let value = |word: &str| Ok((word == "n").then(|| "7".to_owned()));
        let check = |text: &str, expected: Result<&str, &str>| {
            let filled = fill(text, value, is_path).map_err(|error| error.to_string());
            assert_eq!(filled.as_deref().map_err(String::as_str), expected);
        };
        check("a {n} b{n}", Ok("a 7 b7"));
        check("a {m:/x} {n}", Ok("a {m:/x} 7"));
        check(
            "a {m}",
            Err("invalid value \"m\" for braces of \"a {m}\": expected a variable that is defined here"),
        );
        check("a {n", Err("invalid value \"{n\" for braces of \"a {n\": expected a closing }"));
    }
}
