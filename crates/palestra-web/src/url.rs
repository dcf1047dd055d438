//! Percent-encoding of texts in URLs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// All but letters, digits and `-_.~`.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Characters that a query of the play page may not contain as they are: game strings and players stay readable.
const UNREADABLE: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b':')
    .remove(b',')
    .remove(b'@')
    .remove(b'*')
    .remove(b'/');

/// Text for one segment of a path or one value of a query.
pub(crate) fn encoded(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// Text for a query that people read, with `+` for blanks.
pub(crate) fn encoded_readably(text: &str) -> String {
    utf8_percent_encode(text, UNREADABLE).to_string().replace("%20", "+")
}

/// `text` with percent escapes decoded; invalid escapes stay as they are.
pub(crate) fn decoded(text: &str) -> Vec<u8> {
    percent_decode_str(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_addresses() {
        assert_eq!(encoded("a-b_c.d~é /&"), "a-b_c.d~%C3%A9%20%2F%26");
        assert_eq!(encoded_readably("connect:7x6x4 @ana/1,2&"), "connect:7x6x4+@ana/1,2%26");
        assert_eq!(decoded("%41%zz%+1%"), b"A%zz%+1%");
    }
}
