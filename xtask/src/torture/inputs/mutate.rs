//! Mutations of words and of whole texts.

use crate::torture::draw::Draw;

/// Numbers at an edge of what a type, a rule or a memory holds.
const NUMBERS: [&str; 30] = [
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "7.5",
    "1e3",
    "1e309",
    "-1e309",
    "1e-320",
    "1e308",
    "nan",
    "-inf",
    "inf",
    "NaN",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775809",
    "99999999999999999999999",
    "0x10",
    "1_000",
    "+5",
    "٣",
    ".",
];

/// Words that are no numbers.
const WORDS: [&str; 26] = [
    "",
    " ",
    "-",
    "--",
    "=",
    ",",
    ":",
    "/",
    "\n",
    "\t",
    "\u{1b}[2J",
    "\u{202e}",
    "é\u{301}",
    "連",
    "\"",
    "'",
    "[[[[",
    "true",
    "human",
    "random",
    "@nobody",
    "connect:0x0x0",
    "kalah:6x4",
    "absent.toml",
    ".",
    "--json",
];

/// Changes a word.
pub(super) fn word(word: &mut Vec<u8>, draw: &mut Draw) {
    match draw.below(6) {
        0 => *word = draw.pick(&NUMBERS).into(),
        1 => *word = draw.pick(&WORDS).into(),
        2 | 3 => {
            if !number(word, draw) {
                bytes(word, draw);
            }
        }
        4 if draw.one_in(6) => *word = word.repeat(draw.between(1, 20_000) / word.len().max(1)),
        _ => bytes(word, draw),
    }
}

/// Changes a text of several lines, one to four times.
pub(super) fn text(text: &mut Vec<u8>, draw: &mut Draw) {
    for _ in 0..draw.between(1, 4) {
        match draw.below(10) {
            0..=3 => {
                if !number(text, draw) {
                    bytes(text, draw);
                }
            }
            4 | 5 => whole_lines(text, draw),
            6 => {
                let at = draw.below(text.len() + 1);
                let piece = if draw.one_in(2) { draw.pick(&WORDS) } else { draw.pick(&NUMBERS) };
                text.splice(at..at, piece.bytes());
            }
            7 if draw.one_in(8) => {
                let at = draw.below(text.len() + 1);
                let piece = draw.pick(&["[", "{a=", "7,", "x", "\n", "((", "\""]);
                text.splice(at..at, piece.bytes().cycle().take(draw.between(1, 100_000)).collect::<Vec<_>>());
            }
            8 => text.truncate(draw.below(text.len() + 1)),
            _ => bytes(text, draw),
        }
    }
}

/// Replaces one number in the text; `false` if there is none.
fn number(text: &mut Vec<u8>, draw: &mut Draw) -> bool {
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let starts: Vec<usize> =
        (0..text.len()).filter(|at| is_digit(*at) && (*at == 0 || !is_digit(at - 1))).collect();
    if starts.is_empty() {
        return false;
    }
    let from = starts[draw.below(starts.len())];
    let to = (from..).find(|at| !is_digit(*at)).expect("the text ends");
    text.splice(from..to, draw.pick(&NUMBERS).bytes());
    true
}

/// Removes, doubles or moves a line.
fn whole_lines(text: &mut Vec<u8>, draw: &mut Draw) {
    let mut lines: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (at, other) = (draw.below(lines.len()), draw.below(lines.len()));
    match draw.below(3) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(other, lines[at].clone()),
        _ => lines.swap(at, other),
    }
    *text = lines.join(&b'\n');
}

/// Changes, removes, adds or repeats bytes, which need not be text afterwards.
fn bytes(text: &mut Vec<u8>, draw: &mut Draw) {
    let at = draw.below(text.len() + 1);
    let to = (at + draw.between(1, 4)).min(text.len());
    match draw.below(5) {
        0 => drop(text.drain(at..to)),
        1 => text.insert(at, draw.next() as u8),
        2 => text.insert(at, draw.between(32, 126) as u8),
        3 => {
            let piece = text[at..to].to_vec();
            text.splice(at..at, piece);
        }
        _ if at < text.len() => text[at] ^= 1 << draw.below(8),
        _ => text.push(b','),
    }
}
