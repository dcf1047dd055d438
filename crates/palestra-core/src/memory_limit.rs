//! The memory that work may use. It is passed in, because this crate does not read the machine.

use crate::InputError;

/// A limit on memory. Work that is estimated to need more is refused before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryLimit {
    /// Bytes.
    pub bytes: u64,
}

impl MemoryLimit {
    /// No limit.
    pub const NONE: MemoryLimit = MemoryLimit { bytes: u64::MAX };

    /// An error for the work `found` of `key` where it needs more bytes than that; `remedy` says what needs fewer.
    pub fn check(&self, key: &str, found: &str, needed: u64, remedy: &str) -> Result<(), InputError> {
        if needed <= self.bytes {
            return Ok(());
        }
        let expected = format!(
            "work that fits into {} of memory, and this needs about {}: {remedy}, or allow more with --memory",
            size_in_words(self.bytes),
            size_in_words(needed)
        );
        Err(InputError::new(key, found, expected))
    }
}

/// A number of bytes as the option `--memory` has it, rounded up: 512M, 2.5G.
#[must_use]
pub fn size_in_words(bytes: u64) -> String {
    let (shift, unit) = match bytes {
        0..0x4000_0000 => (20, 'M'),
        0x4000_0000..0x100_0000_0000 => (30, 'G'),
        _ => (40, 'T'),
    };
    let tenths = (bytes as f64 / (1u64 << shift) as f64 * 10.0).ceil() / 10.0;
    if tenths < 10.0 && tenths.fract() != 0.0 {
        format!("{tenths:.1}{unit}")
    } else {
        format!("{:.0}{unit}", tenths.ceil())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up() {
        for (bytes, words) in
            [(1, "0.1M"), (512 << 20, "512M"), (1 << 30, "1G"), ((2 << 30) + 1, "2.1G"), (100 << 40, "100T")]
        {
            assert_eq!(size_in_words(bytes), words);
        }
    }

    #[test]
    fn more_than_the_limit_is_an_error() {
        let limit = MemoryLimit { bytes: 1 << 30 };
        assert_eq!(limit.check("format", "all", 1 << 30, "invite fewer players"), Ok(()));
        let error = limit.check("format", "all", 3 << 30, "invite fewer players").unwrap_err().to_string();
        assert!(error.contains("1G of memory, and this needs about 3G: invite fewer players"), "{error}");
        assert_eq!(MemoryLimit::NONE.check("format", "all", u64::MAX, ""), Ok(()));
    }
}
