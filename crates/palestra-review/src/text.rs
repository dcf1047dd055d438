//! Numbers as people read them.

/// A number as a person reads it: no more digits than it needs.
#[must_use]
pub fn number(value: f64) -> String {
    if value.abs() >= palestra_core::WIN {
        if value > 0.0 { "won" } else { "lost" }.to_owned()
    } else if value.abs() < 1e9 {
        let text = format!("{value:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    } else {
        format!("{value:.3e}")
    }
}

/// 1234567 as 1,234,567.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many of a thing, in words: 1 position, 2,000 positions.
#[must_use]
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A text as TOML writes it: JSON's way is one of them.
#[must_use]
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        for (value, text) in
            [(0, "0"), (12, "12"), (1234, "1,234"), (1_234_567, "1,234,567"), (100_000, "100,000")]
        {
            assert_eq!(grouped(value), text);
        }
        assert_eq!([0, 1, 2000].map(|n| counted(n, "move")), ["0 moves", "1 move", "2,000 moves"]);
        for (value, text) in [(0.0, "0"), (-0.0001, "0"), (2.5, "2.5"), (1e12, "1.000e12"), (-80.0, "-80")] {
            assert_eq!(number(value), text);
        }
    }
}
