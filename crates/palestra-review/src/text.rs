//! Numbers formatted for readers.

/// A number with at most three decimals and without trailing zeros; `won` or `lost` for the value of a decided game.
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

/// A number with thousands separators: 1,234,567.
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

/// A number with a noun in singular or plural: 1 position, 2,000 positions.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_formatted() {
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
