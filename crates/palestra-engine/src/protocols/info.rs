//! What a program tells of its thinking: `info depth 6 nodes 1200 score cp 31`.

use crate::protocol::Reply;

/// What a game is worth that is won now. A win in some plies is worth one less for each of them.
pub(super) const WON: f64 = 1_000_000.0;

/// What `mate` counts in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MateUnit {
    /// Moves of one side.
    Plies,
    /// Moves of the winner.
    Moves,
}

/// Takes over what an info line says, its words after `info`. Of several lines with the same field the last one counts,
/// unless it is about another than the best move.
pub(super) fn note(reply: &mut Reply, words: &[&str], unit: MateUnit) {
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
            // Whatever follows is text or moves, which may look like fields.
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
            let worth = (WON - plies).max(0.0);
            Some(if value > 0.0 { worth } else { -worth })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, unit: MateUnit, expected: (Option<u32>, Option<u64>, Option<f64>)) {
        let mut reply = Reply::default();
        note(&mut reply, &line.split_whitespace().collect::<Vec<_>>(), unit);
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
