//! The `info` lines of UGI and UCI: `info depth 6 nodes 1200 score cp 31`.

use palestra_arena::Reply;

/// The value of a won game; a win in `n` plies has this value minus `n`.
pub(super) const WON: f64 = 1_000_000.0;

/// The unit of `score mate`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MateUnit {
    /// Moves of both sides.
    Plies,
    /// Moves of the winner.
    Moves,
}

/// Reads the words after `info` into the reply. Of several lines with the same field the last one counts; lines about
/// other moves than the best (`multipv 2` and higher) are ignored.
pub(super) fn read_info(reply: &mut Reply, words: &[&str], unit: MateUnit) {
    let is_other_move = words.windows(2).any(|pair| pair[0] == "multipv" && pair[1] != "1");
    if is_other_move {
        return;
    }
    let mut rest = words.iter().copied();
    while let Some(word) = rest.next() {
        match word {
            "depth" => reply.depth = number(rest.next()).or(reply.depth),
            "nodes" => reply.nodes = number(rest.next()).or(reply.nodes),
            "score" => reply.value = score(rest.next(), rest.next(), unit).or(reply.value),
            // The rest of the line is text or moves, which may look like fields.
            "string" | "pv" => break,
            _ => {}
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

fn score(kind: Option<&str>, value: Option<&str>, unit: MateUnit) -> Option<f64> {
    let value: f64 = number(value).filter(|value: &f64| value.is_finite())?;
    match kind? {
        "cp" => Some(value),
        "mate" => {
            let plies = match unit {
                MateUnit::Plies => value.abs(),
                // The winner moves last: a win in two moves takes three plies, a loss in two takes four.
                MateUnit::Moves if value > 0.0 => 2.0 * value - 1.0,
                MateUnit::Moves => 2.0 * value.abs(),
            };
            let magnitude = (WON - plies).max(0.0);
            Some(if value > 0.0 { magnitude } else { -magnitude })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, unit: MateUnit, expected: (Option<u32>, Option<u64>, Option<f64>)) {
        let mut reply = Reply::default();
        read_info(&mut reply, &line.split_whitespace().collect::<Vec<_>>(), unit);
        assert_eq!((reply.depth, reply.nodes, reply.value), expected, "{line}");
    }

    #[test]
    fn fields() {
        let plies = MateUnit::Plies;
        check(
            "depth 6 seldepth 9 nodes 1200 score cp -31 pv 4 depth 4",
            plies,
            (Some(6), Some(1200), Some(-31.0)),
        );
        check("score mate 3", plies, (None, None, Some(999_997.0)));
        check("score mate -4", plies, (None, None, Some(-999_996.0)));
        check("score mate 2", MateUnit::Moves, (None, None, Some(999_997.0)));
        check("score mate -2", MateUnit::Moves, (None, None, Some(-999_996.0)));
        check("score mate 0", plies, (None, None, Some(-1_000_000.0)));
        check("multipv 2 depth 6", plies, (None, None, None));
        check("multipv 1 depth 6", plies, (Some(6), None, None));
        check("string depth 6", plies, (None, None, None));
        check("depth x nodes -1 score cp nan score", plies, (None, None, None));
    }
}
