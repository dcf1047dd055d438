//! Options behind the first parameter of a game string: `3,goals=2,limit=80`.

use crate::InputError;

/// What stands behind a family's name, cut up: the main parameter, and options as `key=value`. A key alone
/// means `key=yes`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOptions<'a> {
    /// What stands before the first comma.
    pub head: &'a str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> GameOptions<'a> {
    /// Cuts `text` up. `known` are the keys there are; `whole` is the game string, for the message.
    pub fn parse(text: &'a str, known: &[&str], whole: &str) -> Result<GameOptions<'a>, InputError> {
        let mut parts = text.split(',');
        let head = parts.next().unwrap_or_default();
        let mut given: Vec<(&str, &str)> = Vec::new();
        for part in parts {
            let (key, value) = part.split_once('=').unwrap_or((part, "yes"));
            let place = || format!("options of \"{whole}\"");
            if !known.contains(&key) {
                return Err(InputError::unknown(
                    place(),
                    key,
                    "an option of this game",
                    known.iter().copied(),
                ));
            }
            if given.iter().any(|(other, _)| *other == key) {
                return Err(InputError::new(place(), part, format!("needed: {key} is given twice")));
            }
            given.push((key, value));
        }
        Ok(GameOptions { head, given })
    }

    /// The value of an option, if it was given.
    pub fn value(&self, key: &str) -> Option<&'a str> {
        self.given.iter().find(|(other, _)| *other == key).map(|(_, value)| *value)
    }

    /// The place of `words` that an option names; `None` if it was not given.
    pub fn choice(&self, key: &str, words: &[&str], whole: &str) -> Result<Option<usize>, InputError> {
        let Some(value) = self.value(key) else { return Ok(None) };
        match words.iter().position(|word| *word == value) {
            Some(place) => Ok(Some(place)),
            None => {
                let place = format!("{key} of \"{whole}\"");
                Err(InputError::unknown(place, value, "one of the choices", words.iter().copied()))
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
        check("3,", Err("nothing there"));
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
