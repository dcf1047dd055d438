//! Options after the first parameter of a game string: `3,goals=2,limit=80`.

use crate::InputError;

/// The part of a game string after the family's name, split into the main parameter and options `key=value`. A key
/// alone means `key=yes`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOptions<'a> {
    /// The text before the first comma.
    pub head: &'a str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> GameOptions<'a> {
    /// Splits `text`. `known` are the valid keys; `whole` is the game string, for error messages.
    pub fn parse(text: &'a str, known: &[&str], whole: &str) -> Result<GameOptions<'a>, InputError> {
        let mut parts = text.split(',');
        let head = parts.next().unwrap_or_default();
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, "yes"));
            if !known.contains(&key) {
                let error_key = format!("options of \"{whole}\"");
                let known = known.iter().copied();
                return Err(InputError::unknown(error_key, key, "an option of this game", known));
            }
            if given.iter().any(|(other, _)| *other == key) {
                let option = format!("{part} in \"{whole}\"");
                return Err(InputError::not_allowed(option, format!("{key} is given twice")));
            }
            given.push((key, value));
        }
        Ok(GameOptions { head, given })
    }

    /// The value of an option, if it was given.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// The index in `words` of an option's value; `None` if the option was not given.
    pub fn choice(&self, key: &str, words: &[&str], whole: &str) -> Result<Option<usize>, InputError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match words.iter().position(|word| *word == value) {
            Some(index) => Ok(Some(index)),
            None => {
                let error_key = format!("{key} of \"{whole}\"");
                Err(InputError::unknown(error_key, value, "one of the choices", words.iter().copied()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<[Option<&str>; 2], &str>) {
        match (GameOptions::parse(text, &["goals", "fuga"], text), expected) {
            (Ok(options), Ok(expected)) => {
                assert_eq!([options.value("goals"), options.value("fuga")], expected, "{text}");
            }
            (Err(bad), Err(part)) => assert!(bad.to_string().contains(part), "{bad}"),
            (got, _) => panic!("{text}: {got:?}"),
        }
    }

    #[test]
    fn options() {
        check("3", Ok([None, None]));
        check("", Ok([None, None]));
        check("3,goals=2", Ok([Some("2"), None]));
        check("3,fuga,goals=", Ok([Some(""), Some("yes")]));
        check("3,goal=2", Err("did you mean \"goals\""));
        check("3,", Err("missing value"));
        check("3,goals=2,goals=2", Err("given twice"));
    }

    #[test]
    fn choices() {
        let options =
            GameOptions::parse("6x4,capture=empty", &["capture"], "kalah:6x4,capture=empty").unwrap();
        assert_eq!(options.choice("capture", &["standard", "empty"], ""), Ok(Some(1)));
        assert_eq!(options.choice("other", &[], ""), Ok(None));
        let bad = options.choice("capture", &["standard", "emptied"], "it").unwrap_err().to_string();
        assert!(bad.contains("capture of \"it\"") && bad.contains("emptied"), "{bad}");
    }
}
