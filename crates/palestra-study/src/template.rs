//! Words in braces: `{games}`, `{row}`, `{ga:/champion/weights}`.

use palestra_core::InputError;

/// Fills every `{word}` with what `meaning` says about it. A word that it does not know stays as it is where
/// `keep_unknown` allows that for it; otherwise it is a mistake.
pub(crate) fn fill(
    text: &str,
    mut meaning: impl FnMut(&str) -> Result<Option<String>, InputError>,
    keep_unknown: impl Fn(&str) -> bool,
) -> Result<String, InputError> {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('{') {
        filled.push_str(&rest[..start]);
        let Some(length) = rest[start..].find('}') else {
            return Err(InputError::new(format!("braces of {text:?}"), &rest[start..], "closed with }"));
        };
        let word = &rest[start + 1..start + length];
        match meaning(word)? {
            Some(meant) => filled.push_str(&meant),
            None if keep_unknown(word) => filled.push_str(&rest[start..=start + length]),
            None => {
                return Err(InputError::new(
                    format!("braces of {text:?}"),
                    word,
                    "a word that is known here",
                ));
            }
        }
        rest = &rest[start + length + 1..];
    }
    filled.push_str(rest);
    Ok(filled)
}

/// Whether a word in braces is a path into what a run printed.
pub(crate) fn is_path(word: &str) -> bool {
    word.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_filled() {
        let meaning = |word: &str| Ok((word == "n").then(|| "7".to_owned()));
        let check = |text: &str, expected: Result<&str, &str>| {
            let filled = fill(text, meaning, is_path).map_err(|error| error.to_string());
            assert_eq!(filled.as_deref().map_err(String::as_str), expected);
        };
        check("a {n} b{n}", Ok("a 7 b7"));
        check("a {m:/x} {n}", Ok("a {m:/x} 7"));
        check("a {m}", Err("braces of \"a {m}\": \"m\" is not a word that is known here"));
        check("a {n", Err("braces of \"a {n\": \"{n\" is not closed with }"));
    }
}
